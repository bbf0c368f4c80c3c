"""Figures of [Deuschle], chapter 3: the perceptron loss and the logistic sigmoid."""

from typing import Any

import numpy as np

from posteriori.estimators.discriminants.perceptron import Perceptron
from posteriori.plots.curves.links import LinkDisplay
from posteriori.plots.curves.losses import LossDisplay


def deuschle_3_7(ax: Any = None, random_state: int | None = 0) -> LossDisplay:
    """Draw the rectified linear unit as the loss of the perceptron: max(0, -m) as a function of the margin m.

    It teaches how the 0-1 loss becomes a loss with a slope: an error costs in proportion to the distance of the row
    from the boundary, and a row on the correct side costs nothing, however near it is. So the perceptron stops at the
    first plane without errors: the ticks, the margins of its rows, are all to the right of zero, some of them barely.

    Book: [Deuschle] Fig. 3.7 and Eq. 3.6-3.7, §3.4.3.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : seed of the rows, linearly separable

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

    It teaches how a discriminant function becomes a probability: the sigmoid maps the real line to (0, 1) and
    preserves the order, so the boundary h(x, w) = 0 is unchanged, at probability 1/2. The slope is a quarter there and
    nearly zero at both ends: the rows near the boundary are informative about w.

    Book: [Deuschle] Fig. 3.8 and Def. 3.5.2, §3.5.1.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : accepted for consistency; this figure has no rows
    """
    display = LinkDisplay.from_links("logit", density=True, ax=ax)
    display.ax_.set(title="Logistic sigmoid and its slope", xlabel="$z$")
    display.ax_.set_ylabel(r"$\sigma(z)$, and its slope $\sigma(z)(1 - \sigma(z))$ (thin)")
    return display
