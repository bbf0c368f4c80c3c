"""Which rows a model cannot be asked about: gaps it has no use for, levels it never saw."""

from typing import Any

import numpy as np
from sklearn.utils import get_tags

from posteriori.arrays import Mask
from posteriori.estimators.wrappers.layers import innermost, table_in
from posteriori.input.coding.coding import Coding
from posteriori.input.formula.coding import FormulaCoding
from posteriori.input.frames.cells import category_cells
from posteriori.input.frames.native import as_frame

GAPS, LEVELS = "with gaps the model cannot use", "with a level of a category that the model never saw"


def unusable(model: Any, X: Any, offset: Any = None) -> dict[str, Mask]:
    """Mark the rows that a model cannot be asked about, by reason."""
    table, frame = table_in(model), as_frame(X)
    if table is not None and table.coding_ is not None and frame is not None:
        found = _of_coding(table.coding_, frame)
    else:
        found = {GAPS: _of_cells(model, X)}
    if offset is not None and np.ndim(offset):
        found[GAPS] = found[GAPS] | np.isnan(np.asarray(offset, dtype=np.float64))
    return found


def _of_coding(coding: Coding | FormulaCoding, frame: Any) -> dict[str, Mask]:
    gaps, strange = np.zeros(len(frame), np.bool_), np.zeros(len(frame), np.bool_)
    for column in coding.columns:
        cells = column.cells(frame[column.name])
        if not coding.passes_gaps and column.fill is None:
            gaps |= np.isnan(cells)
        if coding.treatment and column.kind == "category":
            strange |= np.isinf(cells)
    if isinstance(coding, FormulaCoding):
        for factor in coding._categories():
            if factor.column:
                strange |= np.isinf(category_cells(frame[factor.column], factor.levels))
    return {GAPS: gaps, LEVELS: strange}


def _of_cells(model: Any, X: Any) -> Mask:
    """Mark rows with gaps where the model cannot take them: one of this library says so, others are tried."""
    gaps = _gaps(X)
    if not gaps.any():
        return gaps
    if type(innermost(model)).__module__.startswith("posteriori."):
        return np.zeros_like(gaps) if get_tags(model).input_tags.allow_nan else gaps
    try:
        model.predict(X)
    except (TypeError, ValueError):
        return gaps
    return np.zeros_like(gaps)


def _gaps(X: Any) -> Mask:
    frame = as_frame(X)
    if frame is not None:
        marks = [_null(frame[name]) for name in frame.columns]
        return np.any(marks, axis=0) if marks else np.zeros(len(frame), np.bool_)
    if hasattr(X, "tocsr"):
        return np.zeros(X.shape[0], np.bool_)
    cells = np.asarray(X)
    if cells.dtype.kind != "f" or cells.ndim != 2:
        return np.zeros(len(cells), np.bool_)
    found: Mask = np.isnan(cells).any(axis=1)
    return found


def _null(series: Any) -> Mask:
    missing: Mask = series.is_null().to_numpy().astype(np.bool_)
    if series.dtype.is_float():
        missing = missing | np.isnan(series.to_numpy().astype(np.float64))
    return missing


def gaps_by_column(model: Any, X: Any) -> dict[str, int] | None:
    """Count the gaps of each column that the model takes, where it knows its columns."""
    table, frame = table_in(model), as_frame(X)
    if table is None or table.coding_ is None or frame is None:
        return None
    return {name: int(_null(frame[name]).sum()) for name in table.coding_.names}
