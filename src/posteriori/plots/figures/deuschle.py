"""Figures of [Deuschle], chapter 3, of two functions: the perceptron's loss and the logistic sigmoid."""

from typing import Any

import numpy as np

from posteriori.estimators.discriminants.perceptron import Perceptron
from posteriori.plots.curves.links import LinkDisplay
from posteriori.plots.curves.losses import LossDisplay


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


def deuschle_3_8(ax: Any = None, random_state: int | None = 0) -> LinkDisplay:
    """Draw the logistic sigmoid and its slope sigma(z) (1 - sigma(z)).

    It teaches how a discriminant function becomes a probability: the whole real line is squashed between 0 and 1,
    without changing the order, so the boundary h(x, w) = 0 stays where it was, at probability 1/2. The slope, a quarter
    there and nearly zero at both ends, says which rows tell about w: those near the boundary.

    Book: [Deuschle] Fig. 3.8 and Def. 3.5.2, §3.5.1.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : as of every figure; this one draws no rows
    """
    display = LinkDisplay.from_links("logit", density=True, ax=ax)
    display.ax_.set(title="Logistic sigmoid and its slope", xlabel="$z$")
    display.ax_.set_ylabel(r"$\sigma(z)$, and its slope $\sigma(z)(1 - \sigma(z))$ (thin)")
    return display
