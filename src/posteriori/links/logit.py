"""The logit link: two classes, one predictor."""

from dataclasses import dataclass

import numpy as np
from scipy.special import log_expit

from posteriori.arrays import Array
from posteriori.links.base import LinkFunction, LossTerms, TwoClassLink
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Logit(TwoClassLink, LinkFunction):
    """P(y = 1) = 1 / (1 + exp(-eta)).

    Book: [Jordan] Eq. 7.54-7.55, §7.3.1; [Bishop] Eq. 4.87, §4.3.2; [Mitchell] Eq. 24-25, §3.2.

    Examples
    --------
    >>> Logit().log_probabilities(np.array([[1000.0]])).tolist()
    [[-1000.0, 0.0]]
    """

    name = "logit"
    scale_name = "log odds"
    ratio_name = "odds ratio"
    is_symmetric = True
    is_canonical = True
    inverse_curvature = 4.0

    def log_probabilities(self, eta: Array) -> Array:
        """Return log(1 - p) and log p, each computed directly."""
        return np.concatenate([log_expit(-eta), log_expit(eta)], axis=1) + 0.0  # the log of one is 0.0, not -0.0

    def parts(self, eta: Array, counts: Array, *, curvature: bool) -> LossTerms:
        """Return loss n1 log(1+e^-eta) + n0 log(1+e^eta), score n p - n1, curvature n p (1-p).

        Book: [Jordan] Eq. 7.62-7.64 and 7.72-7.74, §7.3.1, of the log likelihood; the signs here are those of the loss.
        """
        eta = eta[:, 0]
        n0, n1 = counts[:, 0], counts[:, 1]
        small = np.exp(-np.abs(eta))  # exp(|eta|) overflows past 709
        major = 1.0 / (1.0 + small)
        minor = small * major  # the smaller of p and 1 - p, without subtraction
        positive = eta >= 0
        tail = np.log1p(small)
        total = n0 + n1
        against = np.where(positive, n0, n1)  # counts of the less probable class
        loss = total * tail + against * np.abs(eta)
        residual = against - total * minor
        score = np.where(positive, residual, -residual)[:, None]
        favoured = np.where(positive, n1, n0)
        with np.errstate(all="ignore"):  # odds past the largest float are infinite
            odds = np.where(favoured > 0, favoured * small, np.where(against > 0, against / small, np.inf))
        second = (total * minor * major)[:, None, None] if curvature else None
        return LossTerms(loss, score, second, odds)

    def start(self, priors: Array) -> Array:
        """Return the log odds."""
        return np.array([np.log(priors[1]) - np.log(priors[0])])
