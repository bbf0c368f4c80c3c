"""`Largest` and `Marked`: the largest values over rows, and the numbers of marked rows."""

from dataclasses import dataclass
from typing import Annotated

from posteriori.arrays import Array, Integers
from posteriori.statistics.base import APPENDED, MOST, Statistics


@dataclass(frozen=True)
class Largest(Statistics):
    """The largest value over rows, of one or several quantities."""

    values: Annotated[Array, MOST]


@dataclass(frozen=True)
class Marked(Statistics):
    """The numbers of some rows, in order."""

    rows: Annotated[Integers, APPENDED]
