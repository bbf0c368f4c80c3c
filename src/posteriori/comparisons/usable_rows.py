"""Held-out rows that every model can be asked about: whole ones, whose levels the training part has."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.comparisons.contestants import tables_in
from posteriori.comparisons.folds import Fold
from posteriori.comparisons.rows import Numbers, Rows
from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.input.frames.cells import category_cells
from posteriori.input.frames.native import as_frame
from posteriori.messages.errors import DataError, UnseenCategoryWarning
from posteriori.messages.notes import listed


@dataclass(frozen=True)
class Levels:
    """Codes of the categories that some model has a coefficient a level for.

    A linear model has no coefficient for a level that is not in its training part, and refuses it. So that all models
    are asked about the same rows, such rows are held out for none. Nor are rows with a gap where a model leaves gaps
    out (``missing="drop"``): it does not learn from them, and so knows no level of theirs.

    Parameters
    ----------
    codes : (columns, n) places of the rows' levels; a gap is a level of its own
    models : names of the models that code levels
    gaps : (n,) whether a row has a gap in a column of a model that leaves gaps out
    droppers : names of those models
    """

    codes: tuple[Numbers, ...] = ()
    models: tuple[str, ...] = ()
    gaps: NDArray[np.bool_] | None = None
    droppers: tuple[str, ...] = ()

    def whole(self, rows: Numbers) -> Numbers:
        """Leave out rows with a gap that some model cannot be asked about."""
        return rows if self.gaps is None else rows[~self.gaps[rows]]

    def asked(self, train: Numbers, held: Numbers) -> Numbers:
        """Leave out the held-out rows with a gap, or with a level that no training row has.

        >>> Levels((np.array([0, 1, 1, 2]),)).asked(np.array([0, 1]), np.array([2, 3])).tolist()
        [2]
        """
        train, held = self.whole(train), self.whole(held)
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
    coders, droppers = [], []
    gaps = np.zeros(len(frame), np.bool_)
    for name, model in models.items():
        found: dict[str, tuple[str, ...]] = {}
        marked = np.zeros(len(frame), np.bool_)
        for table in tables_in(model).values():
            coding = _coding(table, rows.X)
            found |= _categories(coding)
            marked |= _gaps(coding, frame, drop=table.missing == "drop")
        wanted |= found
        gaps |= marked
        coders += [name] if found else []
        droppers += [name] if marked.any() else []
    codes = [_codes(category_cells(frame[column], levels)) for column, levels in wanted.items()]
    return Levels(tuple(codes), tuple(coders), gaps if droppers else None, tuple(droppers))


def ask_about(folds: list[Fold], levels: Levels) -> list[Fold]:
    """Leave out held-out rows with gaps, or levels that their training part lacks, for all models; say how many."""
    whole = [(train, levels.whole(held)) for train, held in folds]
    asked = [(train, levels.asked(train, held)) for train, held in folds]
    if not all(len(held) for _, held in asked):
        raise DataError(
            "in a fold every held-out row has a level that its training part lacks, or a gap that a model leaves out; "
            "use fewer folds."
        )
    held_out, without_gaps, known = (sum(len(held) for _, held in each) for each in (folds, whole, asked))
    if held_out > without_gaps:
        warnings.warn(
            f"{held_out - without_gaps} held-out row(s) have a gap in a column of {listed(levels.droppers)}, and "
            "such rows are left out there (missing='drop'): no model is asked about them.",
            UserWarning,
            stacklevel=3,
        )
    if without_gaps > known:
        warnings.warn(
            f"{without_gaps - known} held-out row(s) have a level of a category that their training part lacks, for "
            f"which {listed(levels.models)} would have no coefficient: no model is asked about them.",
            UnseenCategoryWarning,
            stacklevel=3,
        )
    return asked


def _codes(cells: NDArray[np.float64]) -> Numbers:
    """Give numbers to the levels from 1 up; 0 is a gap."""
    codes: Numbers = np.where(np.isfinite(cells), cells + 1, 0.0).astype(np.intp)
    return codes


def _coding(model: TableClassifier, X: Any) -> Any:
    """Give how a model codes a frame; None where the frame's faults will be told by its fit."""
    try:
        return model.preview(X)
    except DataError:
        return None


def _gaps(coding: Any, frame: Any, *, drop: bool) -> NDArray[np.bool_]:
    """Mark the rows with a gap in a column that is used, where such rows are to be left out."""
    marked = np.zeros(len(frame), np.bool_)
    for cells in coding.cells(frame).values() if drop and coding is not None else ():
        marked |= np.isnan(cells)
    return marked


def _categories(coding: Any) -> dict[str, tuple[str, ...]]:
    """Give the columns and levels that a model codes."""
    if coding is None or not coding.treatment:
        return {}
    found = {column.name: column.levels for column in coding.columns if column.kind == "category"}
    for factor in getattr(coding, "factors", ()):  # C(x) of a formula, where x is a number
        if getattr(factor, "column", None) and getattr(factor, "levels", ()):
            found[factor.column] = factor.levels
    return found
