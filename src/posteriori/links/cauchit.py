"""The cauchit link: heavy tails, robust to single observations far on the wrong side."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.links.binary import BinaryLink, by_sign
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Cauchit(BinaryLink):
    """P(y = 1) = 1/2 + arctan(eta) / pi, the distribution function of the Cauchy distribution.

    The likelihood need not be concave: the loss of an observation far on the wrong side grows like the log of its
    distance.

    Book: [Jordan] §7.3.3.

    Examples
    --------
    >>> Cauchit().log_probabilities(np.array([[-40.0]])).round(6).tolist()
    [[-0.007988, -4.833818]]
    """

    name = "cauchit"
    scale_name = "cauchit scale"
    is_symmetric = True
    is_concave = False

    def logs(self, eta: Array) -> Array:
        """Return log F of -eta and eta, the larger by log1p of the smaller."""
        p = _angle(by_sign(eta)) / np.pi
        other = p[:, ::-1]
        return np.where(p < 0.5, np.log(p), np.log1p(-np.where(p < 0.5, 0.5, other)))

    def hazards(self, eta: Array) -> Array:
        """Return 1 / ((1 + eta^2) arctan2(1, -z)), z = -eta and eta."""
        return _density(eta)[:, None] / _angle(by_sign(eta))

    def second_derivatives(self, eta: Array, hazards: Array) -> Array:
        """Return h (1 / arctan2(1, -z) + 2 z) / (1 + eta^2): negative where z is below -0.43."""
        z = by_sign(eta)
        return hazards * ((1.0 / _angle(z) + 2.0 * z) * _density(eta)[:, None])

    def start(self, priors: Array) -> Array:
        """Return tan(pi (F - 1/2)), from the smaller probability."""
        distance = 1.0 / np.tan(np.pi * priors.min()) if priors[0] != priors[1] else 0.0
        return np.array([-distance if priors[1] < priors[0] else distance])


def _angle(z: Array) -> Array:
    """Return pi F(z), the angle of (-z, 1), which is accurate where it is small."""
    return np.arctan2(1.0, -z)


def _density(eta: Array) -> Array:
    """Return 1 / (1 + eta^2), pi times the density; zero where it underflows."""
    with np.errstate(over="ignore"):
        return 1.0 / (1.0 + eta * eta)
