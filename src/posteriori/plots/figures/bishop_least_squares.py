"""Figures of [Bishop], chapter 4: failures of least squares classification, compared with logistic regression."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.estimators.discriminants.least_squares_classifier import LeastSquaresClassifier
from posteriori.estimators.regression.logistic_regression import LogisticRegression
from posteriori.plots.figures.axis_labels import label_features
from posteriori.plots.planes.boundary_lines import Boundaries, BoundaryDisplay
from posteriori.plots.posteriors.posterior import PosteriorDisplay


def bishop_4_4(ax: Any = None, random_state: int | None = 0) -> BoundaryDisplay:
    """Draw two classes with the boundaries of least squares and logistic regression, without and with outliers.

    It teaches that the sum of squares penalises rows that are too far on the correct side. Ten more rows of one class,
    far on the correct side of any sensible boundary, rotate the boundary of least squares until it misclassifies other
    rows. The boundary of logistic regression, for which such rows have almost no weight, does not move.

    Book: [Bishop] Fig. 4.4, §4.1.3.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : seed of the rows: 50 of each class, and 10 outliers of the second
    """
    X, y = _with_outliers(random_state)
    panels = {}
    for title, rows in (("two classes", slice(0, 100)), ("with ten outliers", slice(None))):
        models = {
            "least squares": LeastSquaresClassifier().fit(X[rows], y[rows]),
            "logistic regression": LogisticRegression(prior=0.01).fit(X[rows], y[rows]),  # some draws are separated
        }
        panels[title] = Boundaries.of(models, X[rows], y[rows])
    display = BoundaryDisplay(panels).plot(ax)
    return label_features(display)


def bishop_4_5(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw three classes in a row with the regions of least squares and of logistic regression.

    It teaches that least squares can fail on data that a linear classifier separates. The targets of the middle class
    are 0, 1, 0 along the row; the best linear fit to them is nearly constant at a third, and one of the other outputs
    is above it almost everywhere: the middle class is masked. Softmax regression separates the three.

    Book: [Bishop] Fig. 4.5, §4.1.3.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : seed of the rows, 50 of each class
    """
    rng = np.random.default_rng(random_state)
    code = np.repeat([0, 1, 2], 50)
    along, across = np.array([1.0, -1.0]) / np.sqrt(2.0), np.array([1.0, 1.0]) / np.sqrt(2.0)
    X = 3.0 * (code - 1)[:, None] * along + np.outer(1.5 * rng.standard_normal(150), across)
    X = X + np.outer(0.45 * rng.standard_normal(150), along)
    y = np.array(["C₁", "C₂", "C₃"])[code]
    models = {
        "least squares": LeastSquaresClassifier().fit(X, y),
        "logistic regression": LogisticRegression(prior=0.01).fit(X, y),  # some draws are separated
    }
    display = PosteriorDisplay.from_estimators(models, X, y, ax=ax, response="predict", resolution=300)
    return label_features(display)


def _with_outliers(random_state: int | None) -> tuple[Array, NDArray[Any]]:
    """Generate two classes of 50 rows side by side, then ten more rows of the second, far below."""
    rng = np.random.default_rng(random_state)
    code = np.repeat([0, 1, 1], [50, 50, 10])
    X = 0.8 * rng.standard_normal((110, 2)) + np.array([[-0.9, 1.6], [1.3, -0.2]])[code]
    X[100:] = 0.5 * rng.standard_normal((10, 2)) + (4.5, -8.0)
    return X, np.array(["C₁", "C₂"])[code]
