"""The figure of [Mitchell], chapter 3."""

from typing import Any

from posteriori.plots.curves.links import LinkDisplay


def mitchell_1(ax: Any = None, random_state: int | None = 0) -> LinkDisplay:
    """Draw the logistic function as the form that P(Y = 1 | X) is assumed to have.

    It teaches what logistic regression takes for granted, and all it takes for granted: the probability depends on X
    through w0 + sum w_i X_i alone, rises along this curve, and is 1/2 where that sum is zero. So the class is decided
    by the sign of a linear function.

    Book: [Mitchell] Fig. 1, §3, and Eq. 25, §3.2.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : as of every figure; this one draws no rows

    Notes
    -----
    Eq. 16-23 of the book give class 1 the minus sign, so that P(Y = 1 | X) falls as the sum rises; from Eq. 24 on, and
    here, it rises.
    """
    display = LinkDisplay.from_links("logit", at=0.0, ax=ax)
    low, high = display.eta[[0, -1]] / 2
    for place, height, word in ((low, 0.62, "$Y = 0$ is decided"), (high, 0.38, "$Y = 1$ is decided")):
        display.ax_.text(place, height, word, ha="center", va="center")
    display.ax_.set(title="The form assumed for $P(Y = 1 | X)$", xlabel=r"$w_0 + \sum_i w_i X_i$")
    display.ax_.set_ylabel("$P(Y = 1 | X)$")
    return display
