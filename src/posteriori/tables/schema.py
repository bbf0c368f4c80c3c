"""`Schema`: the names and kinds of the columns, and the dictionaries of categories."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np

from posteriori.arrays import AnyArray
from posteriori.cached_property import cached_property
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.storable import storable

Kind = Literal["number", "boolean", "category"]


@storable
@dataclass(frozen=True)
class Column:
    """One column: its name (or its index, if it has none), its kind, and its categories in the order of their codes."""

    name: str | int
    kind: Kind = "number"
    levels: AnyArray | None = field(default=None, compare=False)

    def check(self, where: str) -> None:
        """Raise unless a category has levels, and no other column."""
        if (self.kind == "category") != (self.levels is not None):
            fail(f"{where}.levels", f"does not go with a column of kind {self.kind!r}")
        if self.levels is not None:
            if self.levels.ndim != 1:
                fail(f"{where}.levels", "is not a list")
            require.distinct(self.levels.tolist(), f"{where}.levels")


@storable
@dataclass(frozen=True)
class Schema:
    """The columns of a table, in order; the same for all partitions."""

    columns: tuple[Column, ...]
    named: bool = False

    @property
    def names(self) -> tuple[str | int, ...]:
        """The names of the columns, or their indices if they have no names."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def text(self) -> frozenset[int]:
        """The numbers of the columns that are categories."""
        return frozenset(i for i, column in enumerate(self.columns) if column.kind == "category")

    def describe(self, index: int) -> str:
        """Return a column as messages name it: ``column 'age'`` or ``column 3``."""
        name = self.columns[index].name
        return f"column {name!r}" if self.named else f"column {name}"

    def index(self, key: str | int) -> int:
        """Return the index of a column from its name, or from its position."""
        if key in self.names:
            return self.names.index(key)
        if isinstance(key, int | np.integer) and -len(self.columns) <= key < len(self.columns):
            return int(key) % len(self.columns)
        raise KeyError(key)

    def check(self, where: str) -> None:
        """Raise if two columns have one name."""
        require.distinct(self.names, f"{where}.columns")


@lru_cache(maxsize=8)
def numbered(n_columns: int, kind: Kind = "number") -> Schema:
    """Return the schema of an array without names: columns 0, 1, 2, … of one kind."""
    return Schema(tuple(Column(index, kind) for index in range(n_columns)))
