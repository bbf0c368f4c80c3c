"""`LevelSet`: the levels of a category, collected batch by batch, and their order."""

from dataclasses import dataclass
from decimal import Decimal

from posteriori.input.frames.cells import Series, text_cells
from posteriori.input.frames.levels import declared_levels, level_text


@dataclass(frozen=True)
class LevelSet:
    """The levels of a category.

    Parameters
    ----------
    present : the levels of the rows
    declared : the levels in the order that the type of the column declares, or None
    numeric : whether the column has a numeric type
    """

    present: frozenset[str]
    declared: tuple[str, ...] | None
    numeric: bool

    @classmethod
    def of(cls, series: Series) -> "LevelSet":
        """Return the levels of a column."""
        present = frozenset(text_cells(series).drop_nulls().unique().to_list())
        declared = declared_levels(series)
        texts = None if declared is None else tuple(dict.fromkeys(map(level_text, declared)))
        return cls(present, texts, series.dtype.is_numeric())

    def merge(self, other: "LevelSet") -> "LevelSet":
        """Return the levels of both batches; an order must be declared for both."""
        both = self.declared is not None and other.declared is not None
        declared = tuple(dict.fromkeys([*(self.declared or ()), *(other.declared or ())])) if both else None
        return LevelSet(self.present | other.present, declared, self.numeric and other.numeric)

    @property
    def order(self) -> tuple[str, ...]:
        """The levels, in the order declared by the type, otherwise sorted."""
        if self.declared is not None:
            return tuple(level for level in self.declared if level in self.present)
        if self.numeric:
            return tuple(sorted(self.present, key=Decimal))  # float64 does not distinguish integers beyond 2^53
        return tuple(sorted(self.present))


def level_order(series: Series) -> tuple[str, ...]:
    """Return the levels of a category, in the order declared by its type, otherwise sorted."""
    return LevelSet.of(series).order
