"""The complementary log-log link: proportional hazards in grouped time."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.links.binary import BinaryLink
from posteriori.storable import storable

#: Bound on exp(eta) = -log(1 - F), against overflow; 1 - F is zero long before.
LARGEST_HAZARD = 1e300
#: Below this z / (1 - exp(-z)) - 1 is summed as a series.
SMALL = 0.5
#: Coefficients (-1)^k / k!, k = 2 to 15, of the series of z + exp(-z) - 1.
SERIES = np.array([(-1.0) ** k / float(np.prod(np.arange(1.0, k + 1))) for k in range(2, 16)])


@storable
@dataclass(frozen=True)
class CLogLog(BinaryLink):
    """P(y = 1) = 1 - exp(-exp(eta)); the exponential of a coefficient is a hazard ratio.

    Book: [Jordan] Eq. 7.105, §7.3.5.

    Examples
    --------
    >>> CLogLog().log_probabilities(np.array([[-40.0], [6.0]]))[:, 1].tolist()
    [-40.0, -6.21013648656...e-176]
    >>> round(CLogLog().boundary, 6)
    -0.366513
    """

    name = "cloglog"
    scale_name = "log hazards"
    ratio_name = "hazard ratio"
    steep_class = 0

    def logs(self, eta: Array) -> Array:
        """Return -z and log(1 - exp(-z)), z = exp(eta); for small z, which may underflow, from eta itself."""
        z = hazard(eta)
        small = z <= np.log(2.0)
        ratio = np.divide(-np.expm1(-z), z, out=np.ones_like(z), where=z > 0)
        log_f = np.where(small, eta + np.log(ratio), np.log1p(-np.exp(-np.where(small, 1.0, z))))
        return np.stack([-z, log_f], axis=1)

    def hazards(self, eta: Array) -> Array:
        """Return z and z / (exp(z) - 1)."""
        z = hazard(eta)
        with np.errstate(over="ignore"):  # of z past 709, where the quotient is zero
            return np.stack([z, np.divide(z, np.expm1(z), out=np.ones_like(z), where=z > 0)], axis=1)

    def second_derivatives(self, eta: Array, hazards: Array) -> Array:
        """Return z and z / (exp(z) - 1) times z / (1 - exp(-z)) - 1."""
        z = hazard(eta)
        return np.stack([z, hazards[:, 1] * _log_slope(z)], axis=1)

    def start(self, priors: Array) -> Array:
        """Return log(-log(1 - F)), from the smaller probability."""
        return np.array([np.log(-np.log(priors[0]) if priors[0] < priors[1] else -np.log1p(-priors[1]))])


def hazard(eta: Array) -> Array:
    """Return exp(eta), at most `LARGEST_HAZARD`."""
    return np.exp(np.minimum(eta, np.log(LARGEST_HAZARD)))


def _log_slope(z: Array) -> Array:
    """Return z / (1 - exp(-z)) - 1, about z / 2 for small z, where the two terms cancel."""
    near = z < SMALL
    x = np.where(near, z, 0.0)
    series = x * np.polynomial.polynomial.polyval(x, SERIES)  # (z + exp(-z) - 1) / z
    safe = np.where(near, 1.0, z)
    ratio = np.divide(-np.expm1(-x), x, out=np.ones_like(x), where=x > 0)
    return np.where(near, series / ratio, (safe + np.expm1(-safe)) / -np.expm1(-safe))
