"""The noisy-OR link: two classes, one predictor that is never negative."""

from dataclasses import dataclass, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.links.base import LossTerms
from posteriori.links.binary import BinaryLink
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class NoisyOrLink(BinaryLink):
    """P(y = 1) = 1 - exp(-eta), eta >= 0: y = 0 only if each of its causes fails.

    F is the exponential distribution function. At eta = 0 class 1 has probability zero.

    Book: [Jordan] Eq. 7.101, §7.3.4, and 7.104, §7.3.5.

    Examples
    --------
    >>> NoisyOrLink().log_probabilities(np.array([[np.log(2.0)], [800.0]])).round(6).tolist()
    [[-0.693147, -0.693147], [-800.0, 0.0]]
    """

    name = "noisy-or"
    scale_name = "negative log failure probability"
    domain = (0.0, np.inf)

    def logs(self, eta: Array) -> Array:
        """Return -eta and log(1 - exp(-eta)), each computed directly; the second is -inf at eta = 0."""
        return np.stack([-eta, log_one_minus_exp(eta)], axis=1)

    def hazards(self, eta: Array) -> Array:
        """Return 1 and 1 / (exp(eta) - 1)."""
        with np.errstate(over="ignore", divide="ignore"):  # exp(eta) overflows past 709, where the quotient is zero
            return np.stack([np.ones_like(eta), 1.0 / np.expm1(eta)], axis=1)

    def second_derivatives(self, eta: Array, hazards: Array) -> Array:
        """Return 0 and exp(eta) / (exp(eta) - 1)^2 = h (1 + h), h the second hazard."""
        with np.errstate(over="ignore"):
            return np.stack([np.zeros_like(eta), hazards[:, 1] * (1.0 + hazards[:, 1])], axis=1)

    def parts(self, eta: Array, counts: Array, *, curvature: bool) -> LossTerms:
        """Return loss n0 eta - n1 log(1 - e^-eta), score n0 - n1 / (e^eta - 1), curvature n1 e^eta / (e^eta - 1)^2.

        Where an observation of class 1 has eta <= 0 its loss is infinite and has no derivatives. They are returned as
        zero, so that sums over observations stay finite and the infinite loss alone rejects the point.
        """
        at = eta[:, 0]
        inside = at > 0
        impossible = (counts[:, 1] > 0) & ~inside
        possible = counts * np.column_stack([np.ones(len(at)), inside])
        parts = super().parts(np.where(inside, at, 1.0)[:, None], possible, curvature=curvature)
        return replace(
            parts,
            loss=np.where(inside, parts.loss, np.where(impossible, np.inf, counts[:, 0] * at)),
            score=np.where(impossible[:, None], 0.0, parts.score),
            odds=np.where(inside, parts.odds, 0.0),
        )

    def _odds(self, hazards: Array, second: Array, counts: Array) -> Array:
        """Return n1 exp(-eta), the odds of an error; class 0 alone has no curvature to bound it."""
        h, n1 = hazards[:, 1], counts[:, 1]
        with np.errstate(invalid="ignore"):
            least: Array = np.where(n1 > 0, n1 * np.where(np.isinf(h), 1.0, h / (1.0 + h)), np.inf)
        return least

    def start(self, priors: Array) -> Array:
        """Return -log P(y = 0)."""
        return np.array([-np.log(priors[0]) if priors[0] < 0.5 else -np.log1p(-priors[1])])


def log_one_minus_exp(eta: Array) -> Array:
    """Return log(1 - exp(-eta)) for eta >= 0: by expm1 where exp(-eta) is near one, by log1p where it is small.

    >>> log_one_minus_exp(np.array([0.0, 1e-300, 50.0])).tolist()
    [-inf, -690.77..., -1.9287498479639178e-22]
    """
    near = eta <= np.log(2.0)
    with np.errstate(divide="ignore"):
        small = np.log(-np.expm1(-np.where(near, eta, 1.0)))
    return np.where(near, small, np.log1p(-np.exp(-np.where(near, 1.0, eta))))
