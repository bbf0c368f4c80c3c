"""Figures of [Bishop], chapter 4, of Fisher's discriminant and of the perceptron."""

from typing import Any

import numpy as np

from posteriori.estimators.discriminants.fisher_discriminant import FisherDiscriminant
from posteriori.estimators.discriminants.perceptron import Perceptron
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.plots.planes.perceptron import PerceptronDisplay
from posteriori.plots.planes.plane_projection import PlaneProjectionDisplay


def bishop_4_6(ax: Any = None, random_state: int | None = 0) -> PlaneProjectionDisplay:
    """Draw two classes with their histograms along the line of their means, and along Fisher's direction.

    It teaches that means far apart are not enough: projected on the line that joins them the classes overlap, since
    both are long in a direction that slants across it. Fisher's w = S_W^-1 (m_2 - m_1) gives up a little distance of
    the means for much less spread, and the largest J(w) there is. The line of means is what Fisher's direction
    would be if the spread were the same in all directions, and is drawn from such a model.

    Book: [Bishop] Fig. 4.6 and Eq. 4.20-4.30, §4.1.4.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : of the rows, 100 of each class
    """
    rng = np.random.default_rng(random_state)
    code = np.repeat([0, 1], 100)
    root = np.linalg.cholesky([[2.2, 1.35], [1.35, 1.0]])
    X = rng.standard_normal((200, 2)) @ root.T + np.array([[0.0, 1.2], [3.0, 1.5]])[code]
    y = np.array(["C₁", "C₂"])[code]
    models = {
        "line of the means": GaussianClassifier(covariance="spherical").fit(X, y),
        "Fisher's discriminant": FisherDiscriminant().fit(X, y),
    }
    display = PlaneProjectionDisplay.from_estimators(models, X, y, ax=ax)
    for axes in display.axes_:
        axes.set(xlabel="$x_1$", ylabel="$x_2$")
    return display


def bishop_4_7(ax: Any = None, random_state: int | None = 0) -> PerceptronDisplay:
    """Draw the last two updates of a perceptron, before and after each.

    It teaches the whole algorithm: a row on the wrong side (in the circle) is added to the weights, with a minus if it
    is of the first class, and the boundary moves towards getting it right. What that does to other rows is not looked
    at, so an update may make new mistakes; but if a line separates the classes there is a last one. The dashed line is
    the boundary before the update.

    Book: [Bishop] Fig. 4.7 and Eq. 4.54-4.55, §4.1.7.

    Parameters
    ----------
    ax : matplotlib axes to divide, or four; default new ones
    random_state : of the rows, 12 of each class, which a line separates

    Notes
    -----
    The book's boundary goes through the origin of the feature space; ours has an intercept, which moves too.
    """
    rng = np.random.default_rng(random_state)
    side = np.repeat([-1.0, 1.0], 12)
    along = rng.uniform(-1.0, 1.0, 24)
    away = side * rng.uniform(0.12, 0.9, 24)
    X = np.column_stack([0.8 * away - 0.6 * along, 0.6 * away + 0.8 * along])
    order = rng.permutation(24)
    X, y = X[order], np.where(side > 0, "C₂", "C₁")[order]
    model = Perceptron(trace=True).fit(X, y)
    steps = list(range(max(len(model.trace_) - 2, 0), len(model.trace_)))
    display = PerceptronDisplay.from_estimator(model, X, y, steps=steps, ax=ax)
    for axes in display.axes_:
        axes.set_xlabel(r"$\phi_1$")
    display.ax_.set_ylabel(r"$\phi_2$")
    return display
