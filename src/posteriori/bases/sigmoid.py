"""`SigmoidPhi`: sigmoids about given centres."""

from dataclasses import dataclass

from scipy.special import expit

from posteriori.arrays import Array
from posteriori.bases.columnwise import ColumnwisePhi
from posteriori.storable import storable


@storable
@dataclass(frozen=True, eq=False)
class SigmoidPhi(ColumnwisePhi):
    """1 / (1 + exp(-(x_j - mu) / s)) of every column j and centre mu."""

    word = "sigmoid"

    def shape(self, off: Array) -> Array:
        """Use the form of the sigmoid in which no exponential overflows."""
        steps: Array = expit(off, out=off)
        return steps
