"""The log-log link: the mirror image of the complementary log-log."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.links.binary import BinaryLink
from posteriori.links.cloglog import CLogLog
from posteriori.storable import storable

_MIRROR = CLogLog()


@storable
@dataclass(frozen=True)
class LogLog(BinaryLink):
    """P(y = 1) = exp(-exp(-eta)): the complementary log-log at -eta with the classes exchanged.

    Book: [Jordan] §7.3.3 and Eq. 7.105, §7.3.5.

    Examples
    --------
    >>> LogLog().log_probabilities(np.array([[-6.0], [40.0]]))[:, 0].tolist()
    [-6.21013648656...e-176, -40.0]
    """

    name = "loglog"
    scale_name = "log-log scale"
    steep_class = 1

    def logs(self, eta: Array) -> Array:
        """Return log(1 - exp(-z)) and -z, z = exp(-eta)."""
        return _MIRROR.logs(-eta)[:, ::-1]

    def hazards(self, eta: Array) -> Array:
        """Return z / (exp(z) - 1) and z."""
        return _MIRROR.hazards(-eta)[:, ::-1]

    def second_derivatives(self, eta: Array, hazards: Array) -> Array:
        """Return those of the mirror image."""
        return _MIRROR.second_derivatives(-eta, hazards[:, ::-1])[:, ::-1]

    def start(self, priors: Array) -> Array:
        """Return -log(-log F), from the smaller probability."""
        return -_MIRROR.start(np.asarray(priors)[::-1])
