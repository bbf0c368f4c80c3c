"""The cauchit link: a threshold with heavy tails, which forgives single rows far on the wrong side."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posteriori.arrays import Array
from posteriori.links.binary import BinaryLink, by_sign
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Cauchit(BinaryLink):
    """P(y = 1) = 1/2 + arctan(eta) / pi, the distribution function of Cauchy's density.

    Its likelihood need not be concave: the loss of a row far on the wrong side grows like the log of its distance.

    Book: [Jordan] §7.3.3.

    Examples
    --------
    >>> Cauchit().log_probabilities(np.array([[-40.0]])).round(6).tolist()
    [[-0.007988, -4.833818]]
    """

    name: ClassVar[str] = "cauchit"
    symmetric: ClassVar[bool] = True
    concave: ClassVar[bool] = False

    def logs(self, eta: Array) -> Array:
        """Give log F of -eta and eta: of the larger from the smaller, by log1p."""
        share = _angle(by_sign(eta)) / np.pi
        other = share[:, ::-1]
        logs: Array = np.where(share < 0.5, np.log(share), np.log1p(-np.where(share < 0.5, 0.5, other)))
        return logs

    def hazards(self, eta: Array) -> Array:
        """Give 1 / ((1 + eta^2) arctan2(1, -z)), z = -eta and eta."""
        return _height(eta)[:, None] / _angle(by_sign(eta))

    def bends(self, eta: Array, hazards: Array) -> Array:
        """Give h (1 / arctan2(1, -z) + 2 z) / (1 + eta^2): negative where z is below -0.43."""
        z = by_sign(eta)
        return hazards * ((1.0 / _angle(z) + 2.0 * z) * _height(eta)[:, None])

    def start(self, priors: Array) -> Array:
        """Give tan(pi (F - 1/2)), from the smaller probability."""
        away = 1.0 / np.tan(np.pi * priors.min()) if priors[0] != priors[1] else 0.0
        return np.array([-away if priors[1] < priors[0] else away])


def _angle(z: Array) -> Array:
    """Give pi F(z), between 0 and pi: the angle of (-z, 1), which keeps its digits where it is small."""
    return np.arctan2(1.0, -z)


def _height(eta: Array) -> Array:
    """Give 1 / (1 + eta^2), zero where that underflows."""
    with np.errstate(over="ignore"):
        return 1.0 / (1.0 + eta * eta)
