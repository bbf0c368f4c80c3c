"""Figures of [Bishop], chapter 4: the sigmoid and the probit, and a random threshold."""

from typing import Any

import numpy as np

from posteriori.links.gaussian_mixture import GaussianMixtureLink
from posteriori.plots.curves.links import LinkDisplay


def bishop_4_9(ax: Any = None, random_state: int | None = 0) -> LinkDisplay:
    """Draw the logistic sigmoid and the probit function Phi(lambda a), lambda^2 = pi / 8.

    It teaches why the probit approximates the sigmoid: scaled to the same slope at 0 (1/4), they differ by at most
    0.018. This gives a closed form for the predictive probability of Bayesian logistic regression. Only the tails
    differ, exp(-a) and exp(-a^2), so that a probit model is more sensitive to outliers.

    Book: [Bishop] Fig. 4.9, §4.3.5 and §4.5.2.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : accepted for consistency; this figure has no rows
    """
    probit = GaussianMixtureLink(means=[0.0], sds=[np.sqrt(8.0 / np.pi)], weights=[1.0])
    links = {"logistic sigmoid": "logit", "probit Φ(λa), λ² = π/8": probit}
    display = LinkDisplay.from_links(links, eta=np.linspace(-6.0, 6.0, 601), ax=ax)
    display.ax_.set(title="Sigmoid and scaled probit", xlabel="$a$", ylabel="probability")
    return display


def bishop_4_13(ax: Any = None, random_state: int | None = 0) -> LinkDisplay:
    """Draw the density of a threshold, a mixture of two Gaussians, and its distribution function.

    It teaches the origin of activation functions: t = 1 if a exceeds a random threshold theta, so P(t = 1) = F(a) is
    the distribution function of theta. The density at a point is the slope of F there, and the area under it up to the
    point is the probability. A mixture of two thresholds gives a probability that rises in two steps.

    Book: [Bishop] Fig. 4.13, §4.3.5.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : accepted for consistency; this figure has no rows
    """
    link = GaussianMixtureLink(means=[0.8, 2.6], sds=[0.45, 0.4], weights=[0.55, 0.45])
    display = LinkDisplay.from_links({"threshold": link}, eta=np.linspace(-0.8, 4.2, 501), density=True, at=2.3, ax=ax)
    display.ax_.set(
        title="A random threshold: a mixture of two Gaussians", xlabel=r"activation $a$, threshold $\theta$"
    )
    display.ax_.set_ylabel(r"probability $P(\theta < a) = F(a)$, density $f(\theta)$ (thin)")
    return display
