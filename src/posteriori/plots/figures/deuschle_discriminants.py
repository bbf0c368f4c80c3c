"""Figures of [Deuschle], chapter 3: boundaries, several classes, basis functions, outliers."""

from typing import Any

import numpy as np

from posteriori.estimators.bases.custom import CustomBasis
from posteriori.estimators.discriminants.least_squares_classifier import LeastSquaresClassifier
from posteriori.estimators.regression.logistic_regression import LogisticRegression
from posteriori.estimators.wrappers.one_vs_one import OneVsOne
from posteriori.estimators.wrappers.one_vs_rest import OneVsRest
from posteriori.plots.figures.axis_labels import label_features
from posteriori.plots.figures.generated_rows import striped_classes
from posteriori.plots.planes.boundary_lines import BoundaryDisplay
from posteriori.plots.posteriors.posterior import PosteriorDisplay
from posteriori.plots.side_by_side import SideBySideDisplay

#: Where the three classes of Fig. 3.2 and 3.3 are.
TRIANGLE: dict[str, Any] = {"corners": [90.0, 210.0, 330.0], "turn": 35.0, "radius": 3.5}


def deuschle_3_1(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw two linearly separable classes and the boundary.

    It teaches what a linear discriminant does: h(x, w) is zero on the boundary, and its sign is the class. Every point
    on one side is of class 1, at any distance, and every point on the other side of class -1.

    Book: [Deuschle] Fig. 3.1, §3.3.1, and Eq. 3.1, §3.3.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : seed of the rows, 40 of each class
    """
    rng = np.random.default_rng(random_state)
    y = np.repeat([-1, 1], 40)
    X = rng.uniform(-1.0, 1.0, (80, 2)) + 1.3 * y[:, None]
    display = PosteriorDisplay.from_estimator(LeastSquaresClassifier().fit(X, y), X, y, ax=ax, name="")
    return label_features(display, title=r"The boundary is where $h(\mathbf{x}, \mathbf{w}) = 0$")


def deuschle_3_2(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw the regions of three one-versus-rest discriminants, with ambiguous regions hatched.

    It teaches why K one-versus-rest decisions do not make a classifier: in the middle no discriminant is positive, in
    the outer wedges two are. Comparing the K scores instead, as the colours do, leaves no ambiguity.

    Book: [Deuschle] Fig. 3.2, §3.3.2; [Bishop] Fig. 4.2, §4.1.2.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : seed of the rows, 30 of each class
    """
    X, y = striped_classes(random_state, lengths=(0.6, 0.6), **TRIANGLE)
    display = PosteriorDisplay.from_estimator(OneVsRest(LeastSquaresClassifier()).fit(X, y), X, y, ax=ax, name="")
    return label_features(display, title="One-versus-rest")


def deuschle_3_3(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw the regions of three one-versus-one discriminants, with ambiguous regions hatched.

    It teaches that pairwise votes are ambiguous too: in the triangle between the three lines each class wins one
    comparison and loses one. The ambiguous region is smaller than for one-versus-rest, at the price of K(K - 1)/2
    discriminants.

    Book: [Deuschle] Fig. 3.3, §3.3.2; [Bishop] Fig. 4.2, §4.1.2.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : seed of the rows, 30 of each class, in stripes arranged like the sails of a windmill

    Notes
    -----
    For round classes the three lines nearly meet in a point, since each pair is divided midway; stripes rotate them.
    """
    X, y = striped_classes(random_state, lengths=(1.2, 0.25), **TRIANGLE)
    display = PosteriorDisplay.from_estimator(OneVsOne(LeastSquaresClassifier()).fit(X, y), X, y, ax=ax, name="")
    return label_features(display, title="One-versus-one")


def deuschle_3_4(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw two classes that no line separates, with the fit of a linear model.

    It teaches the limit of a discriminant that is linear in x: one class lies on both sides of the other, so every line
    cuts through a class. The model is uncertain almost everywhere.

    Book: [Deuschle] Fig. 3.4, §3.3.3.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : seed of the rows
    """
    X, y = _bent(random_state)
    model = LogisticRegression(prior=0.01).fit(X, y)
    display = PosteriorDisplay.from_estimator(model, X, y, ax=ax, name="")
    return label_features(display, title="Linear in $x_1$ and $x_2$")


def deuschle_3_5(ax: Any = None, random_state: int | None = 0) -> SideBySideDisplay:
    """Draw the rows of Fig. 3.4 with the first feature squared and the line that separates them, and that line in x.

    It teaches what basis functions do: the same linear model is fitted to phi(x) = (x1^2, x2) in place of x. A line in
    the space of phi is a curve in that of x.

    Book: [Deuschle] Fig. 3.5 and Eq. 3.2, §3.3.3.

    Parameters
    ----------
    ax : matplotlib axes, one to divide or two; default new ones
    random_state : seed of the rows, those of Fig. 3.4

    Notes
    -----
    Separated classes have no maximum of the likelihood; both figures use a Gaussian prior of precision 0.01.
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

    It teaches the sensitivity of the squared loss to outliers: ten rows far on the correct side of the line are "too
    good", and least squares rotates its boundary towards them until it cuts through the classes. The boundary of
    logistic regression, for which such rows have a probability near one, hardly moves.

    Book: [Deuschle] Fig. 3.6, §3.4.1; [Bishop] Fig. 4.4, §4.1.3.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : seed of the rows: 40 of each class, and 10 outliers of the second
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
    display.ax_.text(3.3, -8.0, "outliers", ha="right", va="center")
    # between the rows and the outliers
    display.ax_.legend(loc="center right", bbox_to_anchor=(1.0, 0.36), fontsize="small")
    return label_features(display, title="Outliers move the boundary of least squares")


def _bent(random_state: int | None) -> tuple[Any, Any]:
    """Generate two classes on both sides of a parabola, with a margin between them."""
    rng = np.random.default_rng(random_state)
    X = rng.uniform((-2.2, -1.5), (2.2, 1.5), (160, 2))
    height = X[:, 0] ** 2 + 0.8 * X[:, 1] - 1.6
    outside = np.abs(height) > 0.35
    return X[outside], np.where(height > 0, 1, -1)[outside]


def _squared(X: Any) -> Any:
    """Return phi(x) = (x1^2, x2)."""
    return np.column_stack([X[:, 0] ** 2, X[:, 1]])
