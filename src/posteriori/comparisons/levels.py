"""Held-out rows that a coded model can be asked about: those whose levels its training part has."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.classifiers.table_classifier import TableClassifier
from posteriori.comparisons.lineup import tables_in
from posteriori.comparisons.rows import Numbers, Rows
from posteriori.tables.cells import category_cells
from posteriori.tables.errors import DataError
from posteriori.tables.frames import as_frame


@dataclass(frozen=True)
class Levels:
    """Codes of the categories that some model has a coefficient a level for.

    A linear model has no coefficient for a level that is not in its training part, and refuses it. So that all models
    are asked about the same rows, such rows are held out for none.

    Parameters
    ----------
    codes : (columns, n) places of the rows' levels; a gap is a level of its own
    models : names of the models that code levels
    """

    codes: tuple[Numbers, ...] = ()
    models: tuple[str, ...] = ()

    def asked(self, train: Numbers, held: Numbers) -> Numbers:
        """Leave out the held-out rows with a level that no training row has.

        >>> Levels((np.array([0, 1, 1, 2]),)).asked(np.array([0, 1]), np.array([2, 3])).tolist()
        [2]
        """
        known = np.ones(len(held), dtype=np.bool_)
        for codes in self.codes:
            there = np.zeros(codes.max(initial=0) + 1, dtype=np.bool_)
            there[codes[train]] = True
            known &= there[codes[held]]
        return held if known.all() else held[known]


def levels_of(models: dict[str, Any], rows: Rows) -> Levels:
    """Find the categories of a frame that models of this library code level by level."""
    frame = None if rows.library is None else as_frame(rows.X)
    if frame is None:
        return Levels()
    wanted: dict[str, tuple[str, ...]] = {}
    coders = []
    for name, model in models.items():
        found: dict[str, tuple[str, ...]] = {}
        for table in tables_in(model).values():
            found |= _categories(table, rows.X)
        wanted |= found
        coders += [name] if found else []
    codes = [_codes(category_cells(frame[column], levels)) for column, levels in wanted.items()]
    return Levels(tuple(codes), tuple(coders))


def _codes(cells: NDArray[np.float64]) -> Numbers:
    """Give numbers to the levels from 1 up; 0 is a gap."""
    codes: Numbers = np.where(np.isfinite(cells), cells + 1, 0.0).astype(np.intp)
    return codes


def _categories(model: TableClassifier, X: Any) -> dict[str, tuple[str, ...]]:
    """Give columns and levels that a model codes; none where the frame's faults will be told by its fit."""
    try:
        coding = model.preview(X)
    except DataError:
        return {}
    if not coding.treatment:
        return {}
    found = {column.name: column.levels for column in coding.columns if column.kind == "category"}
    for factor in getattr(coding, "factors", ()):  # C(x) of a formula, where x is a number
        if getattr(factor, "column", None) and getattr(factor, "levels", ()):
            found[factor.column] = factor.levels
    return found
