"""Figures of [Bishop], chapter 4, of links: the sigmoid beside the probit, and a threshold of two Gaussians."""

from typing import Any

import numpy as np

from posteriori.links.gaussian_mixture import GaussianMixtureLink
from posteriori.plots.curves.links import LinkDisplay


def bishop_4_9(ax: Any = None, random_state: int | None = 0) -> LinkDisplay:
    """Draw the logistic sigmoid and the probit function Phi(lambda a), lambda^2 = pi / 8.

    It teaches why one may stand in for the other: scaled so that their slopes at 0 agree (both 1/4), they are nowhere
    further apart than 0.018. That is how the predictive probability of a Bayesian logistic regression gets a closed
    form. Only in the tails they part: exp(-a) against exp(-a^2), so a probit is moved further by outliers.

    Book: [Bishop] Fig. 4.9, §4.3.5 and §4.5.2.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : as of every figure; this one draws no rows
    """
    probit = GaussianMixtureLink(means=[0.0], sds=[np.sqrt(8.0 / np.pi)], weights=[1.0])
    links = {r"logistic sigmoid $\sigma(a)$": "logit", r"probit $\Phi(\lambda a)$, $\lambda^2 = \pi/8$": probit}
    display = LinkDisplay.from_links(links, eta=np.linspace(-6.0, 6.0, 601), ax=ax)
    display.ax_.set(title="Sigmoid and scaled probit", xlabel="$a$", ylabel="probability")
    return display


def bishop_4_13(ax: Any = None, random_state: int | None = 0) -> LinkDisplay:
    """Draw the density of a threshold, a mixture of two Gaussians, and its distribution function.

    It teaches where activation functions come from: t = 1 where a exceeds a random threshold theta, so P(t = 1) = F(a)
    is the distribution function of theta, whatever it is. The density at a point is the slope there, and the area
    under it up to the point is the probability. Two kinds of thresholds make a probability that rises in two steps.

    Book: [Bishop] Fig. 4.13, §4.3.5.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : as of every figure; this one draws no rows
    """
    link = GaussianMixtureLink(means=[0.8, 2.6], sds=[0.45, 0.4], weights=[0.55, 0.45])
    display = LinkDisplay.from_links({"threshold": link}, eta=np.linspace(-0.8, 4.2, 501), density=True, at=2.3, ax=ax)
    display.ax_.set(title="A threshold of two Gaussians", xlabel=r"activation $a$, threshold $\theta$")
    display.ax_.set_ylabel(r"probability $P(\theta < a) = F(a)$, density $f(\theta)$ (thin)")
    return display
