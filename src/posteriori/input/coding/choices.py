"""Options of a coding, and how it is learned: kinds, levels, reference levels, imputed values."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from posteriori.arrays import Array
from posteriori.input.coding.coding import Coded, Coding, Frame
from posteriori.input.coding.faults import refuse_missing_counts
from posteriori.input.coding.survey import CellTotals, CodedCells, ColumnLevels, TypesAndIdentities
from posteriori.input.frames.batches import Batches, FrameBatches, survey
from posteriori.input.frames.identifiers import refuse_no_features
from posteriori.input.frames.kinds import CellTypes, refuse_type
from posteriori.input.frames.levels import level_text
from posteriori.input.frames.native import as_frame, no_column
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
    rows: Frame | Batches,
    *,
    types: Any,
    reference: Any,
    missing: str,
    treatment: bool,
    allows_missing: bool,
    weights: Array | None = None,
    check_missing: bool = False,
) -> Coding:
    """Learn the kinds, levels, reference levels and imputed values of the columns of a frame, or of its batches.

    Each is a survey of the rows: a summary of each batch, merged. With `check_missing` missing cells that the model
    cannot use raise here; otherwise they do when the rows are coded.
    """
    source = rows if isinstance(rows, Batches) else FrameBatches(rows, weights)
    refuse_unknown_columns("types", types, source.names)
    refuse_unknown_columns("reference", reference, source.names)
    declared: Mapping[str, Any] = {} if types == "auto" else types
    used = [name for name in source.names if declared.get(name) != IGNORE]
    kinds = learn_kinds(source, used, types, [name for name in used if name not in declared])
    levels = learn_levels(source, kinds)
    columns = tuple(Coded(name, kind, levels[name]) for name, kind in kinds.items())
    totals, frequencies = missing == "indicator" or check_missing, reference == "most-frequent"
    cells = survey(source, CodedCells(columns, totals, frequencies)).columns
    learned = []
    for column in columns:
        name = column.name
        at = find_reference(name, column.levels, reference, cells[name].levels if name in cells else None)
        fill = _fill(cells[name], at if column.levels else None) if missing == "indicator" else None
        learned.append(replace(column, reference=at, fill=fill))
    if check_missing and not allows_missing:
        counts = {column.name: cells[column.name].missing for column in learned if column.fill is None}
        refuse_missing_counts(counts, learning=True)
    return Coding(tuple(learned), treatment, allows_missing)


def learn_kinds(source: Batches, used: Sequence[str], types: Any, identified: Sequence[str]) -> dict[str, Any]:
    """Return the kinds of columns, declared or inferred; raise for those that cannot be features.

    Parameters
    ----------
    source : the rows
    used : names of the columns
    types : "auto" or {column: kind}
    identified : the columns that raise if they are dates as text or identify the rows
    """
    declared = types if isinstance(types, Mapping) else {}
    inferred = [name for name in used if name not in declared]
    summary = survey(source, TypesAndIdentities(inferred, identified)).columns
    kinds = {name: declared.get(name) or _kind(name, summary["types"].columns[name]) for name in used}
    refuse_no_features(summary["identities"].columns)
    return kinds


def _kind(name: str, types: CellTypes) -> Any:
    return types.kind() or refuse_type(name, types.unsupported)


def learn_levels(source: Batches, kinds: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the levels of columns, by name; none of a number."""
    categories = [name for name, kind in kinds.items() if kind == "category"]
    level_sets = survey(source, ColumnLevels(categories)).columns if categories else {}
    fixed: dict[str, tuple[str, ...]] = {"number": (), "boolean": ("False", "True")}
    return {name: level_sets[name].order if name in level_sets else fixed[kind] for name, kind in kinds.items()}


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


def find_reference(name: str, levels: tuple[str, ...], reference: Any, frequencies: Array | None) -> int:
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
    if reference != "most-frequent" or not levels or frequencies is None:
        return 0
    return int(frequencies.argmax())


def _fill(totals: CellTotals, at: int | None) -> float | None:
    """Return the value imputed for missing ones: the mean, or the reference level; None if no value is missing."""
    if not totals.missing:
        return None
    return totals.mean if at is None else float(at)
