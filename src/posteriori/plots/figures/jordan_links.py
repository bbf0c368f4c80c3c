"""Figures of [Jordan], chapter 7: the logistic function and other links."""

from typing import Any

import numpy as np

from posteriori.plots.curves.links import LinkDisplay


def jordan_7_6(ax: Any = None, random_state: int | None = 0) -> LinkDisplay:
    """Draw the logistic function, with the predictors at which the odds are 1:9, 1:1 and 9:1.

    It teaches the form of every posterior of this chapter: z = beta'x + gamma is the log odds, a real number, and the
    logistic function maps it to a probability, 1/2 at z = 0. A prior adds log(pi / (1 - pi)) to z, which shifts the
    curve horizontally.

    Book: [Jordan] Fig. 7.6 and Eq. 7.9, §7.2.1.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : accepted for consistency; this figure has no rows
    """
    display = LinkDisplay.from_links("logit", at=np.log([1 / 9, 1.0, 9.0]), ax=ax)
    display.ax_.set_title("The logistic function")
    return display


def jordan_7_14(ax: Any = None, random_state: int | None = 0) -> LinkDisplay:
    """Draw the logistic function, the Gaussian distribution function and the complementary log-log function.

    It teaches what the choice of a link is: the choice of a distribution for the threshold of a noisy decision. Logit
    and probit differ mainly in scale and in their tails. The complementary log-log is not symmetric: it departs from 0
    slowly and approaches 1 quickly, so that exchanging the classes gives another model.

    Book: [Jordan] Fig. 7.14, §7.3.3, Eq. 7.55, §7.3.1, 7.96, §7.3.3, and 7.105, §7.3.5.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : accepted for consistency; this figure has no rows
    """
    links = {"logistic": "logit", "cumulative Gaussian (probit)": "probit", "complementary log-log": "cloglog"}
    display = LinkDisplay.from_links(links, eta=np.linspace(-5.0, 5.0, 501), ax=ax)
    display.ax_.set_title("Three link functions")
    return display
