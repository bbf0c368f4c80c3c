"""The interface of statistics."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np

from posteriori.arrays import Array, Indices
from posteriori.checks.requirements import fail


class Statistics(ABC):
    """A small immutable summary of some rows."""

    @abstractmethod
    def merge(self, other: Self) -> Self:
        """Return the statistics of both sets of rows together; associative up to rounding."""

    def zero(self) -> Self:
        """Return the statistics of no rows, of the same shape: merging them changes nothing."""
        return type(self)(*(np.zeros_like(getattr(self, part.name)) for part in fields(self)))  # type: ignore[arg-type]


class ClassStatistics(Statistics):
    """Statistics by class, in arrays whose first axis is the class."""

    @property
    def by_class(self) -> tuple[str, ...]:
        """The names of those arrays: by default all fields but the units of the columns."""
        return tuple(part.name for part in fields(self) if part.name != "scale")  # type: ignore[arg-type]

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(getattr(self, self.by_class[0]))

    @property
    def width(self) -> int:
        """The number of statistics per class: columns, or cells of their tables."""
        return int(self.mean.shape[1])  # type: ignore[attr-defined]

    def with_classes(self, places: Indices, n_classes: int) -> Self:
        """Return the statistics for `n_classes` classes, where class k so far becomes class ``places[k]``."""
        return replace(self, **{name: self._placed(getattr(self, name), places, n_classes) for name in self.by_class})  # type: ignore[type-var]

    def _placed(self, values: Array, places: Indices, n_classes: int) -> Array:
        all_classes = np.zeros((n_classes, *values.shape[1:]))
        all_classes[places] = values
        return all_classes


@dataclass(frozen=True)
class Joined(Statistics):
    """Several statistics of the same rows, from one pass over them."""

    parts: tuple[Any, ...]

    def merge(self, other: "Joined") -> "Joined":
        """Merge part by part."""
        return Joined(tuple(mine.merge(yours) for mine, yours in zip(self.parts, other.parts, strict=True)))

    def zero(self) -> "Joined":
        """Return the zero of every part."""
        return Joined(tuple(part.zero() for part in self.parts))


def check_scale(mean: Array, scale: Array, where: str) -> None:
    """Raise unless units are powers of two that no mean exceeds, so that merging never overflows."""
    mantissa, _ = np.frexp(scale)
    if not np.isin(mantissa, (0.0, 0.5)).all():
        fail(f"{where}.scale", "contains a number that is not a power of two")
    if (np.abs(mean) / 4.0 > scale).any():
        fail(f"{where}.mean", "is larger than the scale of its column")
