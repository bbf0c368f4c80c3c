"""Figures of [Bishop], chapter 4: the geometry of discriminant functions, and several classes."""

from typing import Any

import numpy as np

from posteriori.estimators.discriminants.least_squares_classifier import LeastSquaresClassifier
from posteriori.estimators.regression.logistic_regression import LogisticRegression
from posteriori.estimators.wrappers.one_vs_one import OneVsOne
from posteriori.estimators.wrappers.one_vs_rest import OneVsRest
from posteriori.plots.figures.axis_labels import label_features
from posteriori.plots.figures.generated_rows import striped_classes
from posteriori.plots.planes.geometry import GeometryDisplay
from posteriori.plots.posteriors.posterior import PosteriorDisplay
from posteriori.plots.posteriors.segment import SegmentDisplay

#: Three elongated classes around the corners of a triangle; round ones have boundaries that nearly meet in a point.
SAILS: dict[str, Any] = {"corners": [150.0, 30.0, 270.0], "turn": 38.0, "radius": 3.2, "lengths": (1.1, 0.3)}


def bishop_4_1(ax: Any = None, random_state: int | None = 0) -> GeometryDisplay:
    """Draw the geometry of a linear discriminant: the boundary, w, and the distances of the origin and of a row.

    It teaches the meaning of y(x) = w'x + w0: w is perpendicular to the boundary and determines its orientation; w0
    determines its distance from the origin, -w0/|w| along w; and y(x)/|w| is the signed distance of x from it. The
    boundary and the distances are those of a logistic regression.

    Book: [Bishop] Fig. 4.1 and Eq. 4.4-4.7, §4.1.1.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : seed of the rows, 20 of each class
    """
    rng = np.random.default_rng(random_state)
    code = np.repeat([0, 1], 20)
    X = 0.6 * rng.standard_normal((40, 2)) + np.array([[0.9, 1.6], [3.1, 2.6]])[code]
    y = np.array(["C₁", "C₂"])[code]
    model = LogisticRegression(prior=0.1).fit(X, y)
    # distances along the boundary, so that the two segments do not overlap
    away = X @ np.array([model.coef_[0, 1], -model.coef_[0, 0]])
    row = int(np.where(model.signed_distance(X) > 0.8, -np.abs(away - away.min()), -np.inf).argmax())
    display = GeometryDisplay.from_estimator(model, X, y, row=row, ax=ax)
    return label_features(display, title="A linear discriminant")


def bishop_4_2(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw three classes with two one-versus-rest discriminants, and with three one-versus-one discriminants.

    It teaches that binary classifiers do not combine into a classifier of three classes. Left, "C1 or not" and "C2 or
    not": in the hatched region both are positive. Right, one discriminant per pair: in the middle each class wins one
    comparison and loses one. There the scores decide, which is the better approach from the start: see Fig. 4.3.

    Book: [Bishop] Fig. 4.2, §4.1.2.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : seed of the rows, 30 of each class
    """
    X, y = striped_classes(random_state, **SAILS)
    models = {
        "one-versus-rest": OneVsRest(LeastSquaresClassifier(), rest="last").fit(X, y),
        "one-versus-one": OneVsOne(LeastSquaresClassifier()).fit(X, y),
    }
    display = PosteriorDisplay.from_estimators(models, X, y, ax=ax, response="predict", resolution=300)
    return label_features(display)


def bishop_4_3(ax: Any = None, random_state: int | None = 0) -> SegmentDisplay:
    """Draw the decision regions of three linear functions of which the largest decides, and a segment in one of them.

    It teaches the advantage of a single K-class discriminant: every point belongs to one class, and the regions are
    convex. If y_k is the largest at x_A and at x_B, it is the largest at every point between them, where each y_j is
    the same weighted average of its values at the ends. The functions are those of a softmax regression.

    Book: [Bishop] Fig. 4.3 and Eq. 4.9-4.12, §4.1.2.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : seed of the rows, 30 of each class
    """
    X, y = striped_classes(random_state, **SAILS)
    model = LogisticRegression(prior=0.1).fit(X, y)
    correct = X[(y == y[0]) & (model.predict(X) == y)]
    ends = correct[[correct[:, 0].argmin(), correct[:, 0].argmax()]]
    display = SegmentDisplay.between(model, X, y, ends=ends, ax=ax)
    return label_features(display, title="One discriminant of three classes")
