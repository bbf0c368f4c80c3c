"""Figures of [Deuschle], chapter 3, of discriminant functions: boundaries, several classes, other bases, outliers."""

from typing import Any

import numpy as np

from posteriori.estimators.bases.custom import CustomBasis
from posteriori.estimators.discriminants.least_squares_classifier import LeastSquaresClassifier
from posteriori.estimators.regression.logistic_regression import LogisticRegression
from posteriori.estimators.wrappers.one_vs_one import OneVsOne
from posteriori.estimators.wrappers.one_vs_rest import OneVsRest
from posteriori.plots.planes.boundary_lines import BoundaryDisplay
from posteriori.plots.posteriors.posterior import PosteriorDisplay
from posteriori.plots.side_by_side import SideBySideDisplay


def deuschle_3_1(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw two classes that a line separates clearly, and the line.

    It teaches what a linear discriminant does: h(x, w) is zero on the boundary, and its sign is the class. Everything
    on one side is class 1, however far, and everything on the other class -1.

    Book: [Deuschle] Fig. 3.1, §3.3.1, and Eq. 3.1, §3.3.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : of the rows, 40 of each class
    """
    rng = np.random.default_rng(random_state)
    y = np.repeat([-1, 1], 40)
    X = rng.uniform(-1.0, 1.0, (80, 2)) + 1.3 * y[:, None]
    display = PosteriorDisplay.from_estimator(LeastSquaresClassifier().fit(X, y), X, y, ax=ax, name="")
    return _named(display, r"The boundary is where $h(\mathbf{x}, \mathbf{w}) = 0$")


def deuschle_3_2(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw the regions that three classes claim, each by a line against the rest, and hatch where that is ambiguous.

    It teaches why K discriminants that each answer "mine or not" are no classifier: in the middle no class claims
    the point, in the wedges outside two do. Comparing the K scores instead, as the colours do, leaves no gap.

    Book: [Deuschle] Fig. 3.2, §3.3.2; [Bishop] Fig. 4.2, §4.1.2.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : of the rows, 30 of each class
    """
    X, y = _three(random_state, long=0.6, short=0.6)
    display = PosteriorDisplay.from_estimator(OneVsRest(LeastSquaresClassifier()).fit(X, y), X, y, ax=ax, name="")
    return _named(display, "One against the rest")


def deuschle_3_3(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw the regions that three classes win by a line against each other class, and hatch where that is ambiguous.

    It teaches that duels do not settle it either: in the triangle between the three lines each class wins one duel and
    loses one, the votes go round in a circle. Less of the plane is left open than by one against the rest, but
    for the price of K(K - 1)/2 discriminants.

    Book: [Deuschle] Fig. 3.3, §3.3.2; [Bishop] Fig. 4.2, §4.1.2.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : of the rows, 30 of each class, in stripes that lie as the sails of a windmill

    Notes
    -----
    Three lines of round clouds nearly meet in a point, since each pair is divided midway. Stripes turn the lines.
    """
    X, y = _three(random_state, long=1.2, short=0.25)
    display = PosteriorDisplay.from_estimator(OneVsOne(LeastSquaresClassifier()).fit(X, y), X, y, ax=ax, name="")
    return _named(display, "One against one")


def deuschle_3_4(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw two classes that no line separates, with the best a linear model can do.

    It teaches the limit of a discriminant that is linear in x: one class lies on both sides of the other, so whatever
    line is taken, it cuts through a class. The model is uncertain almost everywhere.

    Book: [Deuschle] Fig. 3.4, §3.3.3.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : of the rows
    """
    X, y = _bent(random_state)
    model = LogisticRegression(prior=0.01).fit(X, y)
    return _named(PosteriorDisplay.from_estimator(model, X, y, ax=ax, name=""), "Linear in $x_1$ and $x_2$")


def deuschle_3_5(ax: Any = None, random_state: int | None = 0) -> SideBySideDisplay:
    """Draw the rows of Fig. 3.4 with their first column squared and the line that separates them; and what it is in x.

    It teaches what a basis does: the same linear model, the same fit, on phi(x) = (x1^2, x2) in place of x. A line in
    the plane of phi is a curve in that of x.

    Book: [Deuschle] Fig. 3.5 and Eq. 3.2, §3.3.3.

    Parameters
    ----------
    ax : matplotlib axes, one to divide or two; default new ones
    random_state : of the rows, those of Fig. 3.4

    Notes
    -----
    Separated classes have no maximum of the likelihood; both figures fit under a Gaussian prior of precision 0.01.
    """
    X, y = _bent(random_state)
    model = LogisticRegression(prior=0.01, basis=CustomBasis(_squared)).fit(X, y)
    linear = LogisticRegression(prior=0.01).fit(_squared(X), y)
    line = PosteriorDisplay.computed({"": linear}, _squared(X), y)
    titles = (r"A line in $\phi(\mathbf{x}) = (x_1^2, x_2)$", r"The same as a curve in $\mathbf{x} = (x_1, x_2)$")
    parts = dict(zip(titles, (line, PosteriorDisplay.computed({"": model}, X, y)), strict=True))
    display = SideBySideDisplay(parts).plot(ax)
    for panel, name in zip(display.axes_, ("$x_1^2$", "$x_1$"), strict=True):
        panel.set(xlabel=name, ylabel="$x_2$")
    return display


def deuschle_3_6(ax: Any = None, random_state: int | None = 0) -> BoundaryDisplay:
    """Draw the boundary of least squares with and without some outliers, and that of logistic regression with them.

    It teaches what the squared loss is sensitive to: ten rows far out on the right side of the line, which no one would
    classify otherwise, are "too good", and least squares turns its boundary towards them until it cuts through the
    classes. Logistic regression, for which such rows are all but certain, hardly moves.

    Book: [Deuschle] Fig. 3.6, §3.4.1; [Bishop] Fig. 4.4, §4.1.3.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : of the rows: 40 of each class, and 10 outliers of the second
    """
    rng = np.random.default_rng(random_state)
    y = np.repeat([-1, 1], [40, 50])
    X = 0.9 * rng.standard_normal((90, 2)) + np.outer(y, [1.0, -1.0])
    X[80:] = 0.4 * rng.standard_normal((10, 2)) + (4.5, -8.0)
    models = {
        "least squares without outliers": LeastSquaresClassifier().fit(X[:80], y[:80]),
        "least squares": LeastSquaresClassifier().fit(X, y),
        "logistic regression": LogisticRegression(prior=0.01).fit(X, y),  # a prior, as some draws are separated
    }
    display = BoundaryDisplay.from_estimators(models, X, y, ax=ax)
    display.ax_.set(title="Outliers move the boundary of least squares", xlabel="$x_1$", ylabel="$x_2$")
    display.ax_.text(3.3, -8.0, "outliers", ha="right", va="center")
    display.ax_.legend(loc="center right", bbox_to_anchor=(1.0, 0.36), fontsize="small")  # below the rows, above those
    return display


def _named(display: PosteriorDisplay, title: str) -> PosteriorDisplay:
    """Name a plane and its axes as the book does."""
    display.ax_.set(title=title, xlabel="$x_1$", ylabel="$x_2$")
    return display


def _three(random_state: int | None, *, long: float, short: float) -> tuple[Any, Any]:
    """Draw three classes about the corners of a triangle, as stripes of given lengths, each turned by 35 degrees."""
    rng = np.random.default_rng(random_state)
    angle = np.deg2rad([90.0, 210.0, 330.0])
    turned = angle + np.deg2rad(35.0)
    along = np.stack([np.cos(turned), np.sin(turned)], axis=1)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    centre = 3.5 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    code = np.repeat([0, 1, 2], 30)
    spread = rng.standard_normal((90, 2)) * (long, short)
    X = centre[code] + spread[:, :1] * along[code] + spread[:, 1:] * across[code]
    return X, np.array(["C₁", "C₂", "C₃"])[code]


def _bent(random_state: int | None) -> tuple[Any, Any]:
    """Draw two classes on both sides of a parabola, with a gap between."""
    rng = np.random.default_rng(random_state)
    X = rng.uniform((-2.2, -1.5), (2.2, 1.5), (160, 2))
    height = X[:, 0] ** 2 + 0.8 * X[:, 1] - 1.6
    kept = np.abs(height) > 0.35
    return X[kept], np.where(height > 0, 1, -1)[kept]


def _squared(X: Any) -> Any:
    """Give phi(x) = (x1^2, x2)."""
    return np.column_stack([X[:, 0] ** 2, X[:, 1]])
