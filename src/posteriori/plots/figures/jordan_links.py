"""Figures of [Jordan], chapter 7, of links: the logistic function, and others beside it."""

from typing import Any

import numpy as np

from posteriori.plots.curves.links import LinkDisplay


def jordan_7_6(ax: Any = None, random_state: int | None = 0) -> LinkDisplay:
    """Draw the logistic function, with the predictors at which the odds are 1 to 9, even, and 9 to 1.

    It teaches the form of every posterior of this chapter: z = beta'x + gamma is the log odds, any real number, and the
    logistic function makes it a probability, 1/2 at z = 0. Other priors add log(pi / (1 - pi)) to z, which
    moves the curve sideways and changes nothing else.

    Book: [Jordan] Fig. 7.6 and Eq. 7.9, §7.2.1.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : as of every figure; this one draws no rows
    """
    display = LinkDisplay.from_links("logit", at=np.log([1 / 9, 1.0, 9.0]), ax=ax)
    display.ax_.set_title("The logistic function")
    return display


def jordan_7_14(ax: Any = None, random_state: int | None = 0) -> LinkDisplay:
    """Draw the logistic function, the Gaussian distribution function and the complementary log-log beside each other.

    It teaches what a choice of link is: a choice of how the threshold in a noisy decision is distributed. Logit and
    probit differ in little but scale and in their tails; the complementary log-log is not symmetric, it leaves 0
    slowly and reaches 1 fast, so that exchanging the classes gives another model.

    Book: [Jordan] Fig. 7.14, §7.3.3, Eq. 7.55, §7.3.1, 7.96, §7.3.3, and 7.105, §7.3.5.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : as of every figure; this one draws no rows
    """
    links = {"logistic": "logit", "cumulative Gaussian (probit)": "probit", "complementary log-log": "cloglog"}
    display = LinkDisplay.from_links(links, eta=np.linspace(-5.0, 5.0, 501), ax=ax)
    display.ax_.set_title("Links of two classes")
    return display
