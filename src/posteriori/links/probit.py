"""The probit link: the standard Gaussian distribution function."""

from dataclasses import dataclass

import numpy as np
from scipy.special import erfcx, log_ndtr, ndtri

from posteriori.arrays import Array
from posteriori.links.binary import BinaryLink, by_sign
from posteriori.storable import storable

#: The density at zero.
DENSITY_AT_ZERO = 1.0 / np.sqrt(2.0 * np.pi)
#: Distance below zero from which Mills' ratio is computed as a continued fraction.
FAR = 5.0
#: Number of terms of the fraction: sufficient for full precision at 5 standard deviations.
TERMS = 30


@storable
@dataclass(frozen=True)
class Probit(BinaryLink):
    """P(y = 1) = Phi(eta), the distribution function of the standard Gaussian.

    Book: [Jordan] §7.3.3; [Bishop] Eq. 4.114, §4.3.5, Fig. 4.13.

    Examples
    --------
    >>> Probit().log_probabilities(np.array([[-40.0]])).round(6).tolist()
    [[0.0, -804.608442]]
    """

    name = "probit"
    scale_name = "probit scale"
    is_symmetric = True

    def logs(self, eta: Array) -> Array:
        """Return log Phi(-eta) and log Phi(eta)."""
        return np.asarray(log_ndtr(by_sign(eta)))

    def hazards(self, eta: Array) -> Array:
        """Return the inverse of Mills' ratio at -eta and eta, one from the other: f / (1 - f / h)."""
        low = gaussian_hazard(-np.abs(eta))
        with np.errstate(over="ignore"):  # of eta^2, where f is zero
            f = np.exp(-0.5 * eta * eta) * DENSITY_AT_ZERO
        high = f / (1.0 - f / low)
        return np.where((eta < 0)[:, None], np.stack([high, low], axis=1), np.stack([low, high], axis=1))

    def second_derivatives(self, eta: Array, hazards: Array) -> Array:
        """Return h (h + z), z = -eta and eta."""
        return hazards * gaussian_excess(by_sign(eta), hazards)

    def start(self, priors: Array) -> Array:
        """Return the quantile, from the smaller probability."""
        return np.array([ndtri(priors[1]) if priors[1] < priors[0] else -ndtri(priors[0])])


def gaussian_hazard(z: Array) -> Array:
    """Return phi(z) / Phi(z) = sqrt(2 / pi) / erfcx(-z / sqrt 2), in which neither phi nor Phi can underflow."""
    with np.errstate(over="ignore"):  # of z past 38, where the quotient is zero
        hazard: Array = np.sqrt(2.0 / np.pi) / erfcx(-z / np.sqrt(2.0))
    return hazard


def gaussian_excess(z: Array, hazard: Array) -> Array:
    """Return phi(z) / Phi(z) + z, about 1 / |z| far below zero, where the two terms cancel.

    There it is 1 / (t + 2 / (t + 3 / (t + ...))), t = -z: Laplace's continued fraction of Mills' ratio.

    >>> z = np.array([-1000.0, 0.0])
    >>> gaussian_excess(z, gaussian_hazard(z)).round(9).tolist()
    [0.000999998, 0.797884561]
    """
    far = z < -FAR
    excess: Array = hazard + z
    if far.any():
        t = -z[far]
        tail = t.copy()
        for k in range(TERMS, 1, -1):
            tail = t + k / tail
        excess[far] = 1.0 / tail
    return excess
