"""Figures of [Deuschle], chapter 3."""

from typing import Any

import numpy as np

from posteriori.classifiers.perceptron import Perceptron
from posteriori.plots.losses import LossDisplay


def deuschle_3_7(ax: Any = None, random_state: int | None = 0) -> LossDisplay:
    """Draw the rectified linear unit as the loss that it is to the perceptron: max(0, -m) against the margin m.

    It teaches how the 0-1 loss becomes one with a slope: a mistake costs in proportion to how far the row is on the
    wrong side, a row on the right side costs nothing, however near it is. So the perceptron is satisfied with the
    first plane without mistakes: the ticks, the margins of its rows, are all to the right of zero, some of them barely.

    Book: [Deuschle] Fig. 3.7 and Eq. 3.6-3.7, §3.4.3.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : of the rows, whose classes a plane separates

    Notes
    -----
    The book calls the perceptron loss differentiable. It has a kink at zero, and w = 0 makes it zero for every row.
    """
    rng = np.random.default_rng(random_state)
    y = np.repeat([-1, 1], 20)
    X = np.column_stack([y * rng.uniform(0.3, 1.5, 40), rng.uniform(-1.0, 1.0, 40)])
    model = Perceptron().fit(X, y)
    return LossDisplay.from_estimator(model, X, y, losses=("zero-one", "perceptron"), ax=ax)
