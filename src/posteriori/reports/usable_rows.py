"""Rows that a model cannot score: missing values it does not accept, unseen levels of categories."""

from typing import Any

import numpy as np
from sklearn.utils import get_tags

from posteriori.arrays import Mask
from posteriori.comparisons.scorable_rows import treatment_levels
from posteriori.estimators.wrappers.layers import innermost, table_in
from posteriori.input.coding.coding import Coding
from posteriori.input.formula.coding import FormulaCoding
from posteriori.input.frames.cells import category_cells
from posteriori.input.frames.native import as_frame

MISSING = "with missing values that the model does not accept"
UNSEEN = "with an unseen level of a category"


def unusable(model: Any, X: Any, offset: Any = None) -> dict[str, Mask]:
    """Return the rows that a model cannot score, as a mask per reason."""
    table, frame = table_in(model), as_frame(X)
    if table is not None and table.coding_ is not None and frame is not None:
        masks = _by_coding(table.coding_, frame)
    else:
        masks = {MISSING: _rejected(model, X)}
    if offset is not None and np.ndim(offset):
        masks[MISSING] = masks[MISSING] | np.isnan(np.asarray(offset, dtype=np.float64))
    return masks


def _by_coding(coding: Coding | FormulaCoding, frame: Any) -> dict[str, Mask]:
    missing, unseen = np.zeros(len(frame), np.bool_), np.zeros(len(frame), np.bool_)
    for column in coding.columns:
        if not coding.allows_missing and column.fill is None:
            missing |= np.isnan(column.cells(frame[column.name]))
    for name, levels in treatment_levels(coding).items():
        unseen |= np.isinf(category_cells(frame[name], levels))
    return {MISSING: missing, UNSEEN: unseen}


def _rejected(model: Any, X: Any) -> Mask:
    """Return the rows with missing values if the model rejects them; other libraries' models are tried."""
    missing = _missing_rows(X)
    if not missing.any():
        return missing
    if type(innermost(model)).__module__.startswith("posteriori."):
        accepted = get_tags(model).input_tags.allow_nan
    else:
        try:
            model.predict(X)
            accepted = True
        except (TypeError, ValueError):
            accepted = False
    return np.zeros_like(missing) if accepted else missing


def _missing_rows(X: Any) -> Mask:
    frame = as_frame(X)
    if frame is not None:
        masks = [np.zeros(len(frame), np.bool_), *(_missing_cells(frame[name]) for name in frame.columns)]
        return np.asarray(np.any(masks, axis=0))
    cells = np.empty(X.shape[0]) if hasattr(X, "tocsr") else np.asarray(X)
    if cells.dtype.kind != "f" or cells.ndim != 2:
        return np.zeros(len(cells), np.bool_)
    return np.asarray(np.isnan(cells).any(axis=1))


def _missing_cells(series: Any) -> Mask:
    missing: Mask = series.is_null().to_numpy().astype(np.bool_)
    if series.dtype.is_float():
        missing = np.asarray(missing | np.isnan(series.to_numpy().astype(np.float64)))
    return missing


def missing_by_column(model: Any, X: Any) -> dict[str, int] | None:
    """Count the missing values of each column of a model; None if it does not know its columns."""
    table, frame = table_in(model), as_frame(X)
    if table is None or table.coding_ is None or frame is None:
        return None
    return {name: int(_missing_cells(frame[name]).sum()) for name in table.coding_.names}
