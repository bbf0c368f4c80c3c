"""The interface of statistics."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, NamedTuple, Self, get_args, get_origin

import numpy as np

from posteriori.arrays import Array, Indices
from posteriori.checks.requirements import fail


class Rule(NamedTuple):
    """How a field of statistics is merged, and its value for no rows, computed from any of its values."""

    merge: Callable[[Any, Any], Any]
    zero: Callable[[Any], Any]


def _full(value: Any, constant: float) -> Any:
    return np.full_like(value, constant) if isinstance(value, np.ndarray) else constant


SUM = Rule(lambda a, b: a + b, lambda value: _full(value, 0.0))
LEAST = Rule(lambda a, b: np.minimum(a, b) if isinstance(a, np.ndarray) else min(a, b), lambda a: _full(a, np.inf))
MOST = Rule(lambda a, b: np.maximum(a, b) if isinstance(a, np.ndarray) else max(a, b), lambda a: _full(a, -np.inf))
#: The largest of sizes, which are not negative.
PEAK = Rule(max, lambda value: 0.0)
#: Rows one after another, those of later blocks last.
APPENDED = Rule(lambda a, b: np.concatenate([a, b]), lambda rows: rows[:0])
#: Statistics.
PART = Rule(lambda a, b: a.merge(b), lambda part: part.zero())
#: A setting, the same in all parts.
SAME = Rule(lambda a, b: a, lambda value: value)


class Statistics:
    """A small immutable summary of some rows: a frozen dataclass, merged field by field.

    Fields are summed, unless their type has another rule: ``Annotated[Array, LEAST]``.
    """

    def merge(self, other: Self) -> Self:
        """Return the statistics of both sets of rows together; associative up to rounding."""
        mine, yours = vars(self), vars(other)
        return type(self)(*(rule.merge(mine[name], yours[name]) for name, rule in self._rules()))

    def zero(self) -> Self:
        """Return the statistics of no rows, of the same shape: merging them changes nothing."""
        return type(self)(*(rule.zero(vars(self)[name]) for name, rule in self._rules()))

    def _rules(self) -> list[tuple[str, Rule]]:
        types: list[tuple[str, Any]] = [(part.name, part.type) for part in fields(self)]  # type: ignore[arg-type]
        return [(name, get_args(kind)[1] if get_origin(kind) is Annotated else SUM) for name, kind in types]


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
