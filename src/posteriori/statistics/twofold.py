"""`Twofold`: a gradient summed in twice the working precision, with bounds on its rounding error."""

from dataclasses import dataclass, replace
from typing import Annotated, Self

from posteriori.arrays import Array
from posteriori.linalg.twofold import two_sum
from posteriori.statistics.base import PEAK, Statistics


@dataclass(frozen=True)
class Twofold(Statistics):
    """A gradient high + low, and sums over rows that bound it.

    Parameters
    ----------
    high, low : (q, p) by score and coefficient
    doubt : bound on the Newton decrement of the rounding errors of the rows' scores
    turning : the sum of s l^(3/2), s the curvature of a row and l = x'H^-1 x
    reach : the largest sqrt(l): no predictor moves by more than this per unit of the Newton decrement
    terms : the sum of s t^2, t the sum of the sizes of the terms of a row's predictor
    """

    high: Array
    low: Array
    doubt: float
    turning: float
    reach: Annotated[float, PEAK]
    terms: float

    def merge(self, other: Self) -> Self:
        """Add; the rounding error of the sum of the high parts is added to the low one."""
        merged = super().merge(other)
        return replace(merged, low=merged.low + two_sum(self.high, other.high)[1])
