"""Held-out rows that every model can score: no missing values it drops, no levels absent from the training part."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Indices, Mask
from posteriori.comparisons.candidates import coding_of, tables_in
from posteriori.comparisons.folds import Fold
from posteriori.comparisons.labelled_rows import LabelledRows
from posteriori.input.frames.cells import category_cells
from posteriori.input.frames.native import as_frame
from posteriori.messages.errors import DataError, UnseenCategoryWarning
from posteriori.messages.notes import quote
from posteriori.messages.user_warning import warn


@dataclass(frozen=True)
class ScorableRows:
    """Selects the held-out rows that every model can score.

    A linear model has no coefficient for a level that is absent from its training part, and raises. So that all models
    are scored on the same rows, such rows are excluded for all. So are rows with missing values in a column of a model
    that drops them (``missing="drop"``).

    Parameters
    ----------
    codes : for each categorical column that some model treatment-codes, (n,) codes of the levels; 0 is missing
    coding_models : names of the models that treatment-code categories
    missing : (n,) whether a row has a missing value in a column of a model that drops such rows
    dropping_models : names of those models
    """

    codes: tuple[Indices, ...] = ()
    coding_models: tuple[str, ...] = ()
    missing: Mask | None = None
    dropping_models: tuple[str, ...] = ()

    def complete(self, rows: Indices) -> Indices:
        """Return the rows without missing values that a model drops."""
        return rows if self.missing is None else rows[~self.missing[rows]]

    def scorable(self, train: Indices, test: Indices) -> Indices:
        """Return the complete test rows whose levels all occur in the training rows.

        >>> ScorableRows((np.array([0, 1, 1, 2]),)).scorable(np.array([0, 1]), np.array([2, 3])).tolist()
        [2]
        """
        train, test = self.complete(train), self.complete(test)
        known = np.ones(len(test), dtype=np.bool_)
        for codes in self.codes:
            known &= np.isin(codes[test], codes[train])
        return test if known.all() else test[known]


def scorable_rows(models: dict[str, Any], rows: LabelledRows) -> ScorableRows:
    """Find the categories that models of this library treatment-code, and the rows that they drop."""
    frame = None if rows.library is None else as_frame(rows.X)
    if frame is None:
        return ScorableRows()
    levels: dict[str, tuple[str, ...]] = {}
    coding_models, dropping_models = [], []
    missing = np.zeros(len(frame), np.bool_)
    for name, model in models.items():
        levels_of_model: dict[str, tuple[str, ...]] = {}
        dropped = np.zeros(len(frame), np.bool_)
        for table in tables_in(model).values():
            coding = coding_of(table, rows.X)
            if coding is None:
                continue
            levels_of_model |= treatment_levels(coding)
            for cells in coding.cells(frame).values() if table.missing == "drop" else ():
                dropped |= np.isnan(cells)
        levels |= levels_of_model
        missing |= dropped
        coding_models += [name] if levels_of_model else []
        dropping_models += [name] if dropped.any() else []
    cells = [category_cells(frame[column], names) for column, names in levels.items()]
    codes = tuple(np.where(np.isfinite(each), each + 1, 0.0).astype(np.intp) for each in cells)
    return ScorableRows(codes, tuple(coding_models), missing if dropping_models else None, tuple(dropping_models))


def restrict_folds(folds: list[Fold], rows: ScorableRows) -> list[Fold]:
    """Exclude the test rows that some model cannot score, with warnings that count them."""
    complete = [(train, rows.complete(test)) for train, test in folds]
    scorable = [(train, rows.scorable(train, test)) for train, test in folds]
    if not all(len(test) for _, test in scorable):
        raise DataError(
            "in one fold no held-out row can be scored: each has a level that is absent from the training part, or a "
            "missing value in a column of a model with missing='drop'. Use fewer folds."
        )
    n_test, n_complete, n_scorable = (sum(len(test) for _, test in each) for each in (folds, complete, scorable))
    if n_test > n_complete:
        warn(
            f"{n_test - n_complete} held-out row(s) have missing values in columns of models with "
            f"missing='drop' ({quote(rows.dropping_models)}): these rows are excluded for all models.",
            UserWarning,
        )
    if n_complete > n_scorable:
        warn(
            f"{n_complete - n_scorable} held-out row(s) have a level of a category that is absent from the training "
            f"part, so that {quote(rows.coding_models)} would have no coefficient for it: these rows are excluded for "
            "all models.",
            UnseenCategoryWarning,
        )
    return scorable


def treatment_levels(coding: Any) -> dict[str, tuple[str, ...]]:
    """Return the levels of the columns that a model treatment-codes, by column."""
    if not coding.treatment:
        return {}
    levels = {column.name: column.levels for column in coding.columns if column.kind == "category"}
    for factor in getattr(coding, "factors", ()):  # C(x) of a formula, where x is a number
        if getattr(factor, "column", None) and getattr(factor, "levels", ()):
            levels[factor.column] = factor.levels
    return levels
