"""The kind of a column, inferred from the types of its cells, which may be counted batch by batch."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn, get_args

import narwhals as nw
import numpy as np

from posteriori.input.frames.cells import TEXT, Series, distinct
from posteriori.messages.errors import DataTypeError
from posteriori.messages.options import type_option
from posteriori.tables.schema import Kind


@dataclass(frozen=True)
class CellTypes:
    """The types of the cells of a column: its kind follows from them, by one rule for a frame and for its batches.

    Parameters
    ----------
    storage : types of the column itself, also where it has no value: "number", "boolean", "text", "other"
    cells : types of the values: "number", "boolean", "text", "decimal", "object", "other"
    unsupported : the type of a column whose kind cannot be inferred, or None
    """

    storage: frozenset[str]
    cells: frozenset[str]
    unsupported: Any = None

    @classmethod
    def of(cls, series: Series) -> "CellTypes":
        """Return the types of the cells of a column."""
        dtype = series.dtype
        if dtype.is_numeric():
            return NUMBERS
        storage = "boolean" if dtype == nw.Boolean else "text" if dtype in (*TEXT, nw.Object) else "other"
        if series.null_count() == len(series):
            return cls(frozenset([storage]), frozenset())
        if dtype == nw.Object:
            return cls(frozenset([storage]), frozenset(map(_type, distinct(series))))
        return cls(frozenset([storage]), frozenset([storage]), dtype if storage == "other" else None)

    def merge(self, other: "CellTypes") -> "CellTypes":
        """Return the types of the cells of both batches."""
        unsupported = self.unsupported or other.unsupported
        return CellTypes(self.storage | other.storage, self.cells | other.cells, unsupported)

    def kind(self, empty: Kind = "number") -> Kind | None:
        """Return the kind: boolean, number or category; None for other types.

        Python objects are booleans if all of them are, numbers if all are `Decimal`, otherwise a category; so are
        values of several types. Columns of text or objects without any value are of the kind `empty`.
        """
        if not self.cells:
            if self.storage == {"boolean"}:
                return "boolean"
            return empty if self.storage <= {"text"} else "number"
        if "other" in self.cells:
            return None
        if self.cells == {"boolean"}:
            return "boolean"
        return "number" if self.cells <= {"number", "decimal"} else "category"


#: The types of a column of numbers.
NUMBERS = CellTypes(frozenset(["number"]), frozenset(["number"]))


def _type(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "boolean"
    return "decimal" if isinstance(value, Decimal) else "object"


def infer_kind(series: Series, empty: Kind = "number") -> Kind | None:
    """Return the kind of a column from the types of its cells (`CellTypes`); None for other types."""
    return CellTypes.of(series).kind(empty)


def refuse_type(name: str, dtype: Any) -> NoReturn:
    """Raise the error for a column whose kind cannot be inferred."""
    ignore = type_option(name, "ignore")
    if dtype.is_temporal():
        raise DataTypeError(
            f"column {name!r} is of type {dtype}: dates and times cannot be used as features directly. "
            f"Convert them to numbers (days since the first, for example), leave the column out ({ignore}), or declare "
            f"it a category ({type_option(name, 'category')})."
        )
    raise DataTypeError(
        f"column {name!r} is of type {dtype}, which is neither number, boolean nor category. Declare its "
        f"type ({', '.join(get_args(Kind))}), convert it to numbers, or leave it out ({ignore})."
    )
