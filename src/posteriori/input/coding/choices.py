"""Options of a coding, and how it is learned: kinds, levels, reference levels, imputed values."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from posteriori.arrays import Array
from posteriori.input.coding.coding import Coded, Coding, Frame
from posteriori.input.frames.cells import infer_kind, level_order, refuse_type
from posteriori.input.frames.identifiers import refuse_no_features
from posteriori.input.frames.levels import level_text
from posteriori.input.frames.native import as_frame, no_column
from posteriori.input.frames.numeric_columns import plain_types
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.messages.options import type_option
from posteriori.tables.schema import Kind

#: Treatments of missing values.
MISSING = ("auto", "drop", "indicator")
#: The type of columns to leave out.
IGNORE = "ignore"
#: Rules for the reference level.
REFERENCES = ("first", "most-frequent")


def check_choices(types: Any, reference: Any, missing: Any) -> None:
    """Raise for unknown options."""
    if not (isinstance(missing, str) and missing in MISSING):
        raise DataError(f"missing must be one of {quote(list(MISSING))}, not {missing!r}.")
    if not (isinstance(reference, Mapping) or (isinstance(reference, str) and reference in REFERENCES)):
        raise DataError(f"reference must be one of {quote(list(REFERENCES))} or {{column: level}}, not {reference!r}.")
    kinds = (*get_args(Kind), IGNORE)
    declared = isinstance(types, Mapping) and all(kind in kinds for kind in types.values())
    if not declared and not (isinstance(types, str) and types == "auto"):
        raise DataError(f"types must be 'auto' or {{column: kind}} with kinds {quote(list(kinds))}, not {types!r}.")


def learn_coding(
    frame: Frame,
    *,
    types: Any,
    reference: Any,
    missing: str,
    treatment: bool,
    allows_missing: bool,
    weights: Array | None = None,
) -> Coding:
    """Learn the kinds, levels, reference levels and imputed values of a frame's columns."""
    refuse_unknown_columns("types", types, frame.columns)
    refuse_unknown_columns("reference", reference, frame.columns)
    declared: Mapping[str, Any] = {} if types == "auto" else types
    used = [name for name in frame.columns if declared.get(name) != IGNORE]
    plain = set(plain_types(frame, used))
    kinds: dict[str, Any] = {
        name: "number" if name in plain and name not in declared else kind_of(frame[name], types) for name in used
    }
    refuse_no_features(frame.select(used), declared)
    coding = Coding(
        tuple(Coded(name, kind, levels_of(frame[name], kind)) for name, kind in kinds.items()),
        treatment,
        allows_missing,
    )
    cells = coding.cells(frame)
    columns = []
    for column in coding.columns:
        name, levels = column.name, column.levels
        at = find_reference(name, levels, cells[name], reference, weights)
        fill = _fill(cells[name], levels, at, weights) if missing == "indicator" else None
        columns.append(replace(column, reference=at, fill=fill))
    return Coding(tuple(columns), treatment, allows_missing)


def kind_of(series: Any, types: Any) -> Any:
    """Return the declared kind of a column, otherwise the inferred one; raise if it has none."""
    declared = types.get(series.name) if isinstance(types, Mapping) else None
    return declared or infer_kind(series) or refuse_type(series)


def levels_of(series: Any, kind: Kind) -> tuple[str, ...]:
    """Return the levels of a column; none of a number."""
    if kind == "number":
        return ()
    return ("False", "True") if kind == "boolean" else level_order(series)


def coded_extra(frame: Frame | None, extra: Any) -> Any:
    """Return additional columns as numbers, with indicators for categories; return an array unchanged.

    Parameters
    ----------
    frame : the rows of the model
    extra : the name of a column of these rows, or a list of names; a frame; or an array
    """
    named = [extra] if isinstance(extra, str) else extra
    if frame is not None and isinstance(named, list | tuple) and all(isinstance(name, str) for name in named):
        for name in named:
            if name not in frame.columns:
                raise DataError(no_column(name, frame.columns))
        columns: Frame | None = frame.select(list(named))
    else:
        columns = as_frame(extra)
    if columns is None or not columns.columns:
        return extra
    coding = learn_coding(
        columns, types="auto", reference="first", missing="auto", treatment=True, allows_missing=False
    )
    return coding.apply(columns, learning=True).to_numpy()


def refuse_unknown_columns(parameter: str, by_column: Any, names: Sequence[str]) -> None:
    """Raise if a parameter by column names unknown columns."""
    unknown = [name for name in by_column if name not in names] if isinstance(by_column, Mapping) else []
    if unknown:
        raise DataError(
            f"{parameter} names {quote(unknown)}, not among the columns, which are {quote(list(names), most=20)}."
        )


def find_reference(name: str, levels: tuple[str, ...], cells: Array, reference: Any, weights: Array | None) -> int:
    """Return the position of the reference level: the first, the one of most weight, or the one named."""
    named = isinstance(reference, Mapping) and name in reference
    if named and not levels:
        raise DataError(
            f"column {name!r} is numeric and has no reference level; declare it a category "
            f"({type_option(name, 'category')}), or leave it out of reference."
        )
    if named:
        level = level_text(reference[name])
        if level not in levels:
            raise DataError(f"column {name!r} has no level {reference[name]!r}; its levels are {quote(list(levels))}.")
        return levels.index(level)
    if reference != "most-frequent" or not levels:
        return 0
    known = np.isfinite(cells)
    counts = np.bincount(cells[known].astype(np.intp), None if weights is None else weights[known], len(levels))
    return int(counts.argmax())


def _fill(cells: Array, levels: tuple[str, ...], at: int, weights: Array | None) -> float | None:
    """Return the value imputed for missing ones: the mean, or the reference level; None if no value is missing."""
    missing = np.isnan(cells)
    if not missing.any():
        return None
    if levels:
        return float(at)
    if missing.all():
        return 0.0
    return float(np.average(cells[~missing], weights=None if weights is None else weights[~missing]))
