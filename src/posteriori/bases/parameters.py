"""Checks of the parameters of bases: centres and widths."""

from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.numbers import read_numbers
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.tables.table import Table


def read_centers(centers: Any, *, vectors: bool) -> Array:
    """Return centres, (m,) or, with `vectors`, also (m, d); raise unless they are finite and distinct."""
    shapes = "(m,) or (m, d)" if vectors else "(m,)"
    array = read_numbers(centers, "centers")
    if array.ndim not in ((1, 2) if vectors else (1,)) or not array.size:
        raise DataError(f"centers must have shape {shapes}, with at least one centre; they have shape {array.shape}.")
    if not np.isfinite(array).all():
        raise DataError(f"centers must be finite; {int((~np.isfinite(array)).sum())} number(s) are not.")
    if len(np.unique(array, axis=0)) < len(array):
        raise DataError(f"centers must differ: of {len(array)} only {len(np.unique(array, axis=0))} are different.")
    return array + 0.0


def read_width(name: str, width: Any, n_centers: int) -> Array:
    """Return a width for each centre, (m,), from one positive number or m of them; else raise."""
    array = np.array(read_numbers(width, name))
    if array.shape not in ((), (n_centers,)) or not (np.isfinite(array) & (array > 0)).all():
        raise DataError(
            f"{name} must be a positive number, or one for each of the {n_centers} centre(s), not {width!r}."
        )
    return np.full(n_centers, array) if array.ndim == 0 else array


def columns_named(table: Table) -> str:
    """Return the columns of a table as messages name them."""
    return f"{table.n_columns} column(s) ({quote(list(table.schema.names), 3)})"


def check_dimension(centers: Array, table: Table) -> None:
    """Raise if the centres have another dimension than the rows."""
    if centers.shape[1] != table.n_columns:
        raise DataError(
            f"centers have {centers.shape[1]} coordinate(s) each, but X has {columns_named(table)}; a centre needs "
            "one for each."
        )
