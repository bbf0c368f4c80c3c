"""`PositiveCells`: the number of positive cells of each column and class, and the smallest of them."""

from dataclasses import dataclass
from typing import Annotated

from posteriori.arrays import Array, Integers
from posteriori.statistics.base import LEAST, Statistics


@dataclass(frozen=True)
class PositiveCells(Statistics):
    """The positive cells of each column in the rows of each class.

    Parameters
    ----------
    rows : (K, d) their number
    least : (K, d) the smallest of them, infinite if there is none
    """

    rows: Integers
    least: Annotated[Array, LEAST]
