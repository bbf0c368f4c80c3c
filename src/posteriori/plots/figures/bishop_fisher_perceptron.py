"""Figures of [Bishop], chapter 4: Fisher's discriminant and the perceptron."""

from typing import Any

import numpy as np

from posteriori.estimators.discriminants.fisher_discriminant import FisherDiscriminant
from posteriori.estimators.discriminants.perceptron import Perceptron
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.plots.figures.axis_labels import label_features
from posteriori.plots.planes.perceptron import PerceptronDisplay
from posteriori.plots.planes.plane_projection import PlaneProjectionDisplay


def bishop_4_6(ax: Any = None, random_state: int | None = 0) -> PlaneProjectionDisplay:
    """Draw two classes with their histograms along the line that joins their means, and along Fisher's direction.

    It teaches that distant means are not enough: projected onto the line that joins them the classes overlap, since
    both are elongated in an oblique direction. Fisher's w = S_W^-1 (m_2 - m_1) maximises J(w): it reduces the distance
    of the means slightly and the within-class variance a lot. The line of means is Fisher's direction for spherical
    classes, and is drawn from such a model.

    Book: [Bishop] Fig. 4.6 and Eq. 4.20-4.30, §4.1.4.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : seed of the rows, 100 of each class
    """
    rng = np.random.default_rng(random_state)
    code = np.repeat([0, 1], 100)
    root = np.linalg.cholesky([[2.2, 1.35], [1.35, 1.0]])
    X = rng.standard_normal((200, 2)) @ root.T + np.array([[0.0, 1.2], [3.0, 1.5]])[code]
    y = np.array(["C₁", "C₂"])[code]
    models = {
        "line between the means": GaussianClassifier(covariance="spherical").fit(X, y),
        "Fisher's discriminant": FisherDiscriminant().fit(X, y),
    }
    display = PlaneProjectionDisplay.from_estimators(models, X, y, ax=ax)
    return label_features(display)


def bishop_4_7(ax: Any = None, random_state: int | None = 0) -> PerceptronDisplay:
    """Draw the last two updates of a perceptron, before and after each.

    It teaches the whole algorithm: a misclassified row (circled) is added to the weights, or subtracted if it is of the
    first class, and the boundary moves towards classifying it correctly. The update ignores all other rows, so it may
    cause new errors; but if a line separates the classes, the number of updates is finite. The dashed line is the
    boundary before the update.

    Book: [Bishop] Fig. 4.7 and Eq. 4.54-4.55, §4.1.7.

    Parameters
    ----------
    ax : matplotlib axes to divide, or four; default new ones
    random_state : seed of the rows, 12 of each class, linearly separable

    Notes
    -----
    The book's boundary goes through the origin of the feature space; this one has an intercept, which is updated too.
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
