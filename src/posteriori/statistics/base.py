"""The contract of statistics."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Self


class Statistics(ABC):
    """A small immutable summary of some rows."""

    @abstractmethod
    def merge(self, other: Self) -> Self:
        """Give the statistics of both sets of rows together; associative to rounding."""

    @abstractmethod
    def zero(self) -> Self:
        """Give the statistics of no rows, of the same shape: merging it changes nothing."""


@dataclass(frozen=True)
class Joined(Statistics):
    """Several statistics of the same rows, from one reading of them."""

    parts: tuple[Statistics, ...]

    def merge(self, other: "Joined") -> "Joined":
        """Merge part by part."""
        return Joined(tuple(mine.merge(yours) for mine, yours in zip(self.parts, other.parts, strict=True)))

    def zero(self) -> "Joined":
        """Give the zero of every part."""
        return Joined(tuple(part.zero() for part in self.parts))
