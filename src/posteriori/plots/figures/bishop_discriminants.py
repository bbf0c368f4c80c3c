"""Figures of [Bishop], chapter 4, of discriminant functions: their geometry, and several classes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.estimators.discriminants.least_squares_classifier import LeastSquaresClassifier
from posteriori.estimators.regression.logistic_regression import LogisticRegression
from posteriori.estimators.wrappers.one_vs_one import OneVsOne
from posteriori.estimators.wrappers.one_vs_rest import OneVsRest
from posteriori.plots.planes.geometry import GeometryDisplay
from posteriori.plots.posteriors.posterior import PosteriorDisplay
from posteriori.plots.posteriors.segment import SegmentDisplay

AXES = {"xlabel": "$x_1$", "ylabel": "$x_2$"}


def bishop_4_1(ax: Any = None, random_state: int | None = 0) -> GeometryDisplay:
    """Draw the geometry of a linear discriminant: the boundary, w, and the distances of the origin and of a row.

    It teaches to read y(x) = w'x + w0: w is perpendicular to the boundary and says which way it faces; w0 says how far
    from the origin it lies, -w0/|w| along w; and y(x)/|w| is how far x is from it, with a sign for the side. The
    boundary is that of a logistic regression, and the distances are its own.

    Book: [Bishop] Fig. 4.1 and Eq. 4.4-4.7, §4.1.1.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : of the rows, 20 of each class
    """
    rng = np.random.default_rng(random_state)
    code = np.repeat([0, 1], 20)
    X = 0.6 * rng.standard_normal((40, 2)) + np.array([[0.9, 1.6], [3.1, 2.6]])[code]
    model = LogisticRegression(prior=0.1).fit(X, _named(code))
    away = X @ np.array([model.coef_[0, 1], -model.coef_[0, 0]])  # along the boundary, so that the two ways are apart
    row = int(np.where(model.signed_distance(X) > 0.8, -np.abs(away - away.min()), -np.inf).argmax())
    display = GeometryDisplay.from_estimator(model, X, _named(code), row=row, ax=ax)
    display.ax_.set(title="A linear discriminant", **AXES)
    return display


def bishop_4_2(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw three classes by two discriminants against the rest, and by three of one class against another.

    It teaches that classifiers of two classes do not add up to one of three. Left, "C1 or not" and "C2 or not": above,
    both claim the points (hatched). Right, three duels: in the middle each class wins one and loses one. Predictions
    there go by the scores, which is the better idea to begin with: the next figure.

    Book: [Bishop] Fig. 4.2, §4.1.2.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : of the rows, 30 of each class
    """
    X, y = _sails(random_state)
    models = {
        "one against the rest": OneVsRest(LeastSquaresClassifier(), rest="last").fit(X, y),
        "one against one": OneVsOne(LeastSquaresClassifier()).fit(X, y),
    }
    display = PosteriorDisplay.from_estimators(models, X, y, ax=ax, response="predict", resolution=300)
    for axes in display.axes_:
        axes.set(**AXES)
    return display


def bishop_4_3(ax: Any = None, random_state: int | None = 0) -> SegmentDisplay:
    """Draw the regions of three linear functions of which the largest decides, and a straight way inside one of them.

    It teaches what a single discriminant of K classes gains: every point belongs to one class, and regions are convex.
    Where y_k is the largest at x_A and at x_B it is the largest at every point between, since on the way each y_j is
    the same average of its values at the ends. The functions are those of a softmax regression.

    Book: [Bishop] Fig. 4.3 and Eq. 4.9-4.12, §4.1.2.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : of the rows, 30 of each class
    """
    X, y = _sails(random_state)
    model = LogisticRegression(prior=0.1).fit(X, y)
    inside = X[(y == y[0]) & (model.predict(X) == y)]
    ends = inside[[inside[:, 0].argmin(), inside[:, 0].argmax()]]
    display = SegmentDisplay.between(model, X, y, ends=ends, ax=ax)
    display.ax_.set(title="One discriminant of three classes", **AXES)
    return display


def _named(code: NDArray[np.intp]) -> NDArray[Any]:
    return np.array(["C₁", "C₂", "C₃"])[code]


def _sails(random_state: int | None) -> tuple[Array, NDArray[Any]]:
    """Draw three classes about the corners of a triangle, long ones that lie as the sails of a windmill do.

    Round ones would be divided by three lines that all but meet in a point.
    """
    rng = np.random.default_rng(random_state)
    code = np.repeat([0, 1, 2], 30)
    corner = np.deg2rad([150.0, 30.0, 270.0])
    turned = corner + np.deg2rad(38.0)
    out, along = (np.column_stack([np.cos(angle), np.sin(angle)]) for angle in (corner, turned))
    across = np.column_stack([-along[:, 1], along[:, 0]])
    noise = rng.standard_normal((90, 2)) * (1.1, 0.3)
    X = 3.2 * out[code] + noise[:, :1] * along[code] + noise[:, 1:] * across[code]
    return X, _named(code)
