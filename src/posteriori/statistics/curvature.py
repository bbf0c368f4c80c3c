"""`Curvature`: value, gradient and Hessian of a sum over rows; and parts of it."""

from dataclasses import dataclass
from typing import Annotated

from posteriori.arrays import Array
from posteriori.statistics.base import LEAST, PART, Statistics


@dataclass(frozen=True)
class Slope(Statistics):
    """The loss at w, its gradient, and the least odds of a wrong class.

    Parameters
    ----------
    value : sum over rows of the loss
    gradient : (q, p) by score and coefficient
    overlap : the smallest weight times odds of a wrong class over all rows; see `fits.existence.overlap`
    """

    value: float
    gradient: Array
    overlap: Annotated[float, LEAST]


@dataclass(frozen=True)
class Curvature(Statistics):
    """A `Slope` with its Hessian.

    Book: [Jordan] Eq. 7.64 and 7.72-7.74, §7.3.1; [Bishop] Eq. 4.96-4.97 and 4.109-4.110, §4.3.3-4.3.4.

    Parameters
    ----------
    slope : value, gradient, overlap
    hessian : (q p, q p), score by score
    """

    slope: Annotated[Slope, PART]
    hessian: Array


@dataclass(frozen=True)
class Total(Statistics):
    """A sum of arrays over rows, such as losses at several steps or a Hessian times a vector."""

    values: Array
