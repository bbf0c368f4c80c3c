"""The fit of a `TableClassifier` to the batches of a frame, which need not fit into memory together."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.estimators.base import Classifier
from posteriori.estimators.tables.learning import all_dropped
from posteriori.input.class_survey import survey_classes, usable_classes
from posteriori.input.coded_table import CodedTable
from posteriori.input.coding.coding import Coding, Frame
from posteriori.input.coding.sizes import refuse_slow, warn_of_many_levels
from posteriori.input.formula.learning import missing_rows
from posteriori.input.formula.parser.terms import ParsedFormula, read_formula
from posteriori.input.formula.parser.tokens import shortened
from posteriori.input.formula.target import target_columns
from posteriori.input.frames.batches import Batches
from posteriori.input.frames.native import no_column, refuse_two_uses
from posteriori.input.frames.training_rows import TrainingRows
from posteriori.messages.errors import DataError


@dataclass(frozen=True)
class MissingCells:
    """Which rows have a missing cell in a column of a coding."""

    coding: Coding

    def __call__(self, frame: Frame) -> NDArray[np.bool_]:
        """Return a mask of the rows, (n,)."""
        missing: NDArray[np.bool_] = np.any([np.isnan(cells) for cells in self.coding.cells(frame).values()], axis=0)
        return missing


@dataclass(frozen=True)
class MissingInFormula:
    """Which rows have a missing cell in a column of a formula."""

    written: ParsedFormula

    def __call__(self, frame: Frame) -> NDArray[np.bool_]:
        """Return a mask of the rows, (n,)."""
        return missing_rows(self.written, frame)


def read_rows(source: Batches, formula: str | None, columns: list[Any]) -> tuple[TrainingRows, ParsedFormula | None]:
    """Return the rows of a fit and its formula, if any.

    Parameters
    ----------
    source : all rows and columns
    formula : its text, or None
    columns : names of the target, the weights and the offset, or None; a formula may name the target instead
    """
    if not all(column is None or isinstance(column, str) for column in columns):
        raise DataError("rows that are read in batches have their target, weights and offset in columns: pass names.")
    written = None
    if formula is not None:
        written = read_formula(formula, [name for name in source.names if name not in columns])
        columns = [_target(written, formula, columns[0], source.names), *columns[1:]]
    refuse_two_uses(columns)
    for column in columns:
        if column is not None and column not in source.names:
            raise DataError(no_column(column, source.names))
    if columns[0] is None:
        raise DataError("requires y to be passed, but the target y is None: name the column of the classes.")
    return TrainingRows(source, *columns), written


def _target(written: ParsedFormula, formula: str, y: Any, names: list[str]) -> Any:
    """Return the column of the classes: y, or the target of the formula."""
    if written.target is None:
        return y
    (name, *more) = target_columns(written.target)
    if more:
        raise DataError(f"the target {written.target.text} has two columns, which cannot be read in batches.")
    if name not in names:
        raise DataError(f"the formula's target: {no_column(name, names)}")
    if y not in (None, name):
        raise DataError(f"the formula {shortened(formula)} has the target {name!r}, and y is a different one: omit y.")
    return name


def fit_batches(model: Any, source: Batches, columns: list[Any]) -> Any:
    """Fit a `TableClassifier` to rows that are read in batches, each time the fit needs them; return the model.

    Parameters
    ----------
    model : the table classifier
    source : all rows and columns
    columns : names of the target, the weights and the offset, or None
    """
    rows, written = read_rows(source, model.formula, columns)
    if model.missing == "drop":
        incomplete = MissingCells(model._learn(rows)) if written is None else MissingInFormula(written)
        rows = replace(rows, incomplete=incomplete)
    survey, lengths = survey_classes(rows)
    if survey.n_dropped and not survey.n_rows:
        raise all_dropped(survey.n_dropped)
    coding = model._learn(rows, written, check_missing=True)
    if coding.treatment and coding.columns:
        refuse_slow(coding.columns, survey.n_rows, coding.size_out[0], model.types)
        if written is None:
            warn_of_many_levels(coding.columns)
    inner = model._unfitted(written)
    if not isinstance(inner, Classifier):
        raise DataError(f"{type(inner).__name__} needs all rows in memory: pass a frame.")
    for name, column in (("sample_weight", rows.weight), ("offset", rows.offset)):
        model._refuse_extra(inner, name, column)
    try:
        classes = usable_classes(survey)
        table = CodedTable(rows, coding, classes[model._class_order(classes)], lengths)
        inner.fit(table, None)
    except DataError as error:
        raise type(error)(str(error).replace("target 'y'", f"target {rows.target!r}")) from error
    size = survey.n_rows, survey.weight
    return model._adopt(inner, coding, size, n_dropped_=survey.n_dropped, target_=rows.target, offset_=rows.offset)
