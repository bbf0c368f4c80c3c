"""What a user may choose of a coding, and how one is learned: kinds, levels, references, what fills gaps."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from posteriori.arrays import Array
from posteriori.input.coding.coding import Coded, Coding, Frame
from posteriori.input.frames.cells import infer_kind, level_order
from posteriori.input.frames.identifiers import refuse_no_features
from posteriori.input.frames.levels import word
from posteriori.input.frames.native import as_frame, no_column
from posteriori.input.frames.numeric_columns import plain_types
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.messages.options import type_option
from posteriori.tables.schema import Kind

#: What may be done about gaps.
MISSING = ("auto", "drop", "indicator")
#: The type of a column that is to be left out.
IGNORE = "ignore"
#: Which level has no column of its own.
REFERENCES = ("first", "most-frequent")


def check_choices(types: Any, reference: Any, missing: Any) -> None:
    """Refuse choices that do not exist, listing those that do."""
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
    passes_gaps: bool,
    weights: Array | None = None,
) -> Coding:
    """Learn the kinds, levels, references and fills of a frame's columns."""
    refuse_strangers("types", types, frame.columns)
    refuse_strangers("reference", reference, frame.columns)
    declared: Mapping[str, Any] = {} if types == "auto" else types
    used = [name for name in frame.columns if declared.get(name) != IGNORE]
    plain = set(plain_types(frame, used))
    kinds = {name: declared.get(name) or ("number" if name in plain else infer_kind(frame[name])) for name in used}
    refuse_no_features(frame.select(used), declared)
    found = tuple(Coded(name, kind, _levels(frame, name, kind)) for name, kind in kinds.items())
    cells = Coding(found, treatment, passes_gaps).cells(frame)
    columns = []
    for column in found:
        name, levels = column.name, column.levels
        at = find_reference(name, levels, cells[name], reference, weights)
        fill = _fill(cells[name], levels, at, weights) if missing == "indicator" else None
        columns.append(replace(column, reference=at, fill=fill))
    return Coding(tuple(columns), treatment, passes_gaps)


def _levels(frame: Frame, name: str, kind: Kind) -> tuple[str, ...]:
    if kind == "number":
        return ()
    return ("False", "True") if kind == "boolean" else level_order(frame[name])


def coded_extra(frame: Frame | None, extra: Any) -> Any:
    """Give columns that a model lacks as numbers, categories against their first level; an array as it is.

    Parameters
    ----------
    frame : the rows of the model
    extra : the name of a column of these rows, or a list of them; a frame; or an array
    """
    named = [extra] if isinstance(extra, str) else extra
    if frame is not None and isinstance(named, list | tuple) and all(isinstance(name, str) for name in named):
        for name in named:
            if name not in frame.columns:
                raise DataError(no_column(name, frame.columns))
        chosen: Frame | None = frame.select(list(named))
    else:
        chosen = as_frame(extra)
    if chosen is None or not chosen.columns:
        return extra
    coding = learn_coding(chosen, types="auto", reference="first", missing="auto", treatment=True, passes_gaps=False)
    return coding.apply(chosen, learning=True).to_numpy()


def refuse_strangers(parameter: str, given: Any, names: Sequence[str]) -> None:
    """Refuse a parameter by column that names columns which are not there."""
    strangers = [name for name in given if name not in names] if isinstance(given, Mapping) else []
    if strangers:
        raise DataError(f"{parameter} names {quote(strangers)}, not among the columns: {quote(list(names), most=20)}.")


def find_reference(name: str, levels: tuple[str, ...], cells: Array, reference: Any, weights: Array | None) -> int:
    """Find the reference level: the first, the one of most weight, or the one named."""
    wanted = reference.get(name, "first") if isinstance(reference, Mapping) else reference
    if isinstance(reference, Mapping) and name in reference:
        if not levels:
            raise DataError(
                f"column {name!r} holds numbers, which have no level to refer to; declare it a category "
                f"({type_option(name, 'category')}), or leave it out of reference."
            )
        if word(wanted) not in levels:
            raise DataError(f"column {name!r} has no level {wanted!r} to refer to; its levels: {quote(list(levels))}.")
        return levels.index(word(wanted))
    if wanted == "first" or not levels:
        return 0
    known = np.isfinite(cells)
    counts = np.bincount(cells[known].astype(np.intp), None if weights is None else weights[known], len(levels))
    return int(counts.argmax())


def _fill(cells: Array, levels: tuple[str, ...], at: int, weights: Array | None) -> float | None:
    """Choose what stands in for gaps: the mean, or the reference level; nothing where there are none."""
    gaps = np.isnan(cells)
    if not gaps.any():
        return None
    if levels:
        return float(at)
    known = cells[~gaps]
    if not len(known):
        return 0.0
    return float(np.average(known, weights=None if weights is None else weights[~gaps]))
