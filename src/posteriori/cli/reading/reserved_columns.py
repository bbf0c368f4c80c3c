"""The columns with a part of their own, checked where the user can still be told their names."""

from typing import Any

import click

from posteriori.cli.commands.flags import TYPES
from posteriori.messages.errors import DataError

#: The types that ``--type`` may give to the column of each part; to others they would change nothing.
MEANINGFUL = {"target": ("category",), "weight": ("number",), "offset": ("number",)}


def read_to_learn(
    data: str, types: dict[str, str], special: dict[str, str | None], options: dict[str, Any], missing: str
) -> tuple[str, Any]:
    """Read the data of a fit; give their name and the table, in which every column that was named is there and fits.

    A target that a formula computes, such as cbind(successes, failures), need not be a column.
    """
    from posteriori.cli.reading.files import read_table
    from posteriori.cli.reading.sources import Source
    from posteriori.input.frames.native import no_column

    source = Source.to_learn_from(data, types, options)
    table = read_table(source)
    computed = special["target"] if options.get("formula") and "(" in str(special["target"]) else None
    for column in [*special.values(), *types]:
        if column not in (None, computed, *table.column_names):
            raise DataError(f"{source.name}: {no_column(str(column), table.column_names)}")
    check_special(source.name, table, special, types, missing)
    return source.name, table


def check_special(
    name: str, table: Any, special: dict[str, str | None], types: dict[str, str], missing: str = "auto"
) -> None:
    """Refuse a target that holds no classes, weights and offsets that are no numbers, and types columns cannot have.

    Parameters
    ----------
    name : of the file, for messages
    table : Arrow
    special : {"target", "weight", "offset": the column, or None}
    types : what ``--type`` says, by column
    missing : what ``--missing`` says; with "drop" gaps are left to the model
    """
    _refuse_nested(name, table, types)
    columns = [column for column in special.values() if column is not None]
    if len(set(columns)) < len(columns):
        return  # one column for two parts: the model refuses it
    for part, column in special.items():
        if column is None or column not in table.column_names:
            continue  # such as cbind(successes, failures) of a formula
        kind = types.get(column)
        if kind in TYPES and kind not in MEANINGFUL[part]:
            raise click.BadParameter(
                f"{column!r} is the {part}, which can only be {' or '.join(MEANINGFUL[part])}.", param_hint="--type"
            )
        cells = table.column(column)
        if part == "target":
            _check_labels(name, column, cells, missing)
        else:
            _check_numbers(name, part, column, cells, missing)


def _refuse_nested(name: str, table: Any, types: dict[str, str]) -> None:
    import pyarrow as pa

    for column, kind in types.items():
        found = table.schema.field(column).type
        if kind != "ignore" and pa.types.is_nested(found):
            raise DataError(
                f"{name}: column {column!r} is of type {found}: cells that hold lists or records cannot be taken as "
                f"{kind}. Leave the column out (--type {column}=ignore)."
            )


def _check_labels(name: str, column: str, cells: Any, missing: str) -> None:
    import pyarrow as pa

    kind = cells.type
    if pa.types.is_nested(kind) or pa.types.is_time(kind) or pa.types.is_duration(kind):
        raise DataError(
            f"{name}: the target {column!r} is of type {kind}; classes are text, whole numbers, truth values or dates."
        )
    if cells.null_count and missing != "drop":
        first = cells.is_null().to_pylist().index(True) + 1
        raise DataError(
            f"{name}: of the target {column!r} {cells.null_count} label(s) are missing, the first in row {first} below "
            "the header. Leave those rows out (--missing drop) or give them a class."
        )


def _check_numbers(name: str, part: str, column: str, cells: Any, missing: str) -> None:
    import numpy as np
    import pyarrow as pa

    kind = cells.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        text = next((value for value in cells.to_pylist() if value is not None), None)
        such = "nothing" if text is None else f"{kind}, such as {text!r}"
        raise DataError(f"{name}: column {column!r} was to be the {part}, which takes numbers, and holds {such}.")
    values = np.asarray(cells.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
    bad = np.isinf(values) if missing == "drop" else ~np.isfinite(values)
    for strange, word in ((bad, "not finite"), (values < 0, "negative")):
        if strange.any() and (word != "negative" or part == "weight"):
            first = int(strange.argmax())
            raise DataError(
                f"{name}: the {part} {column!r} is {word} in {int(strange.sum())} of {len(values)} rows, the first in "
                f"row {first + 1} below the header ({values[first]:g}). Correct those cells or leave the rows out."
            )
