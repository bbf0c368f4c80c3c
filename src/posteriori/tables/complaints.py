"""The wording of complaints about cells and parameters, so that every model says them alike."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from posteriori.tables.arrays.dense import refuse_masked
from posteriori.tables.errors import DataError, UnseenCategoryWarning
from posteriori.tables.notes import Note, listed
from posteriori.tables.schema import Schema
from posteriori.tables.table import MemoryTable, Table
from posteriori.tables.targets import read_classes


class Tallied(Protocol):
    """Counts of bad cells by column with the first row and value: `statistics.tally.Tally`."""

    @property
    def count(self) -> NDArray[np.int64]:
        """How many, by column."""

    @property
    def first_row(self) -> NDArray[np.int64]:
        """The number of the first."""

    @property
    def first_value(self) -> NDArray[np.float64]:
        """What it holds."""


def refuse_cells(
    table: Table, tally: Tallied, expected: str, *, columns: Sequence[int] | None = None, cure: str = ""
) -> None:
    """Raise a `DataError` if any cell was tallied as amiss: which column, how many, the first row and value.

    Parameters
    ----------
    table : the table that was read, for the names of columns and the user's row numbers
    tally : of bad cells, column by column
    expected : what cells may be, such as ``"0 or 1"``
    columns : the table's columns that the tally is about, in its order; all of them by default
    cure : a sentence that says what to do
    """
    bad = np.flatnonzero(tally.count)
    if not len(bad):
        return
    mapped = isinstance(table, MemoryTable) and table.features.phi is not None
    if mapped:  # the user's own cells come first: phi may have hidden where the fault lies
        assert isinstance(table, MemoryTable)
        refuse_not_finite(replace(table, features=table.features.unmapped()), cure)
        cure = "Give X in other units, or take a basis that grows more slowly."
    indices = range(len(tally.count)) if columns is None else columns
    first = int(bad[tally.first_row[bad].argmin()])
    value = float(tally.first_value[first])
    row = table.row_number(int(tally.first_row[first]))
    where = f"{table.schema.describe(indices[first])}: {int(tally.count[first])} cell(s), the first in row {row}"
    others = [table.schema.columns[indices[j]].name for j in bad.tolist() if j != first]
    if others:
        where += f"; {int(tally.count.sum() - tally.count[first])} more in column(s) {listed(others)}"
    lead = "The basis makes numbers that are not finite." if mapped else _lead(value, expected)
    raise DataError(f"{lead} In {where}. {cure}".strip())


@dataclass(frozen=True)
class _Cells:
    """A tally made here, where statistics cannot be used."""

    count: NDArray[np.int64]
    first_row: NDArray[np.int64]
    first_value: NDArray[np.float64]


def refuse_not_finite(table: MemoryTable, cure: str = "Fill or leave out those cells.") -> None:
    """Raise a `DataError` if a cell of the table is not finite; one reading, block by block."""
    d = table.n_columns
    cells = _Cells(np.zeros(d, np.int64), np.zeros(d, np.int64), np.zeros(d))
    for partition in range(table.n_partitions):
        for block in table.blocks(partition):
            values = block.features if isinstance(block.features, np.ndarray) else block.features.data
            if np.isfinite(values).all():
                continue
            dense = block.features if isinstance(block.features, np.ndarray) else block.features.toarray()
            bad = ~np.isfinite(dense)
            new = np.flatnonzero(bad.any(axis=0) & (cells.count == 0))
            at = bad[:, new].argmax(axis=0)
            cells.first_row[new], cells.first_value[new] = at + block.first_row, dense[at, new]
            cells.count[:] += bad.sum(axis=0)
    refuse_cells(table, cells, "finite numbers", cure=cure)


def _lead(value: float, expected: str) -> str:
    """Begin as scikit-learn does where it has a sentence for the fault."""
    if np.isnan(value):
        return "Input X contains NaN."
    if np.isinf(value):
        return "Input X contains infinity or a value too large for dtype('float64')."
    if expected == "zero or positive":
        return f"Negative values in data: cells must be zero or positive, not {value:g}."
    return f"Cells must be {expected}, not {value:g}."


def refuse_causeless(rows: Sequence[int], label: Any) -> NoReturn:
    """Raise a `DataError` for rows of a class that no trigger explains, under a noisy-OR without a leak."""
    raise DataError(
        f"{len(rows)} row(s) of class {label!r} have no trigger (every column is zero): {listed(rows)}. Without a leak "
        "nothing can have caused them, so their probability is zero. Use leak=True, or leave those rows out."
    )


def refuse_subnormal(schema: Schema, scale: NDArray[np.float64], columns: Sequence[int]) -> None:
    """Raise a `DataError` for columns whose greatest value has lost digits below the normal float range."""
    tiny = np.flatnonzero((scale > 0) & (scale < np.finfo(np.float64).tiny))
    if len(tiny):
        worst = columns[int(tiny[0])]
        raise DataError(
            f"{schema.describe(worst)} is below the normal float range: its greatest value is under "
            f"{2 * scale[tiny[0]]:.3g}, where digits are lost. Give it in other units ({len(tiny)} such)."
        )


def choice(parameter: str, value: Any, known: Collection[Any]) -> Any:
    """Give the value back if it is one of those known; otherwise raise, listing them.

    >>> choice("estimate", "ml", ("ml", "unbiased"))
    'ml'
    """
    plain = value.item() if isinstance(value, np.generic) else value  # grids of arrays hold numpy's own text and bools
    for option in known:
        if type(option) is type(plain) and option == plain:
            return option
    raise DataError(f"{parameter}={value!r} is not known: use one of {listed(list(known), most=20)}.")


def non_negative(parameter: str, value: Any) -> float:
    """Give the value back as a float if it is a finite number from zero up; otherwise raise."""
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not number or not np.isfinite(value) or value < 0:
        raise DataError(f"{parameter}={value!r} must be a number from zero up.")
    return float(value)


def check_stopping(tol: Any, max_iter: Any) -> None:
    """Refuse a tol that is no positive number, and a max_iter that is neither None nor a whole number from 1 up."""
    if not isinstance(tol, int | float | np.integer | np.floating) or isinstance(tol, bool) or not tol > 0:
        raise DataError(f"tol={tol!r} must be positive.")
    whole = isinstance(max_iter, int | np.integer) and not isinstance(max_iter, bool)
    if max_iter is not None and not (whole and max_iter >= 1):
        raise DataError(f"max_iter={max_iter!r} must be a whole number from 1 up.")


def read_priors(class_priors: Any, n_classes: int) -> NDArray[np.float64]:
    """Check class priors: one a class, none negative or NaN, summing to one."""
    refuse_masked(class_priors, "class_priors")
    priors = np.asarray(class_priors)
    if priors.dtype.kind not in "fiu" or priors.shape != (n_classes,):
        raise DataError(f"class_priors must be {n_classes} numbers, one for each class, not {class_priors!r}.")
    priors = priors.astype(np.float64)
    for bad, word in ((~np.isfinite(priors), "not finite"), (priors < 0, "negative")):
        if bad.any():
            raise DataError(f"class_priors: {int(bad.sum())} are {word}, the first is number {int(bad.argmax())}.")
    if abs(priors.sum() - 1.0) > 1e-8:
        raise DataError(f"class_priors sum to {priors.sum():g}; they must sum to 1.")
    return priors


def refuse_unknown_classes(classes: Any, known: NDArray[Any]) -> None:
    """Raise a `DataError` if a later call of partial_fit names other classes than the first."""
    if classes is not None and not np.array_equal(read_classes(classes), np.sort(known)):
        raise DataError(
            f"classes={listed(list(classes))} is not the list of the first call of partial_fit, which was "
            f"{listed(known.tolist())}. Leave it out, or begin anew with fit."
        )


def unseen_note(schema: Schema, features: Any, tally: Tallied, columns: Sequence[int]) -> Note:
    """Say which categories training never showed, how often, and up to three of them a column."""
    found = [j for j in range(len(columns)) if tally.count[j]]
    strange = {j: listed(features.strangers(columns[j]), most=3) for j in found}
    places = [f"{schema.describe(columns[j])} ({int(tally.count[j])}: {strange[j]})" for j in found]
    return Note(
        "unseen-category",
        f"{int(tally.count.sum())} cell(s) hold categories that training never showed, in "
        f"{', '.join(places[:5])}: they tell nothing about the class.",
        tuple(schema.columns[columns[j]].name for j in found),
        cure="Fit on rows that show them, or correct them.",
        category=UnseenCategoryWarning,
    )
