"""The figure of [Mitchell]."""

from typing import Any

from posteriori.plots.curves.links import LinkDisplay


def mitchell_1(ax: Any = None, random_state: int | None = 0) -> LinkDisplay:
    """Draw the logistic function as the assumed form of P(Y = 1 | X).

    It teaches the only assumption of logistic regression: the probability depends on X through w0 + sum w_i X_i alone,
    increases along this curve, and is 1/2 where that sum is zero. So the predicted class is the sign of a linear
    function.

    Book: [Mitchell] Fig. 1, §3, and Eq. 25, §3.2.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : accepted for consistency; this figure has no rows

    Notes
    -----
    Eq. 16-23 of the book give class 1 the minus sign, so that P(Y = 1 | X) falls as the sum rises; from Eq. 24 on, and
    here, it rises.
    """
    display = LinkDisplay.from_links("logit", at=0.0, ax=ax)
    low, high = display.eta[[0, -1]] / 2
    for place, height, text in ((low, 0.62, "predict $Y = 0$"), (high, 0.38, "predict $Y = 1$")):
        display.ax_.text(place, height, text, ha="center", va="center")
    display.ax_.set(title="The assumed form of $P(Y = 1 | X)$", xlabel=r"$w_0 + \sum_i w_i X_i$")
    display.ax_.set_ylabel("$P(Y = 1 | X)$")
    return display
