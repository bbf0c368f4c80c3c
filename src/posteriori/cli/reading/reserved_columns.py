"""Target, weight and offset columns, checked while their names are known."""

from typing import Any

import click

from posteriori.cli.commands.flags import TYPES
from posteriori.messages.errors import DataError

#: The types that ``--type`` may declare for the column of each role.
ALLOWED = {"target": ("category",), "weight": ("number",), "offset": ("number",)}


def read_to_learn(
    data: str, types: dict[str, str], reserved: dict[str, str | None], options: dict[str, Any], missing: str
) -> tuple[str, Any]:
    """Read the data of a fit; return its name and the table, with the columns named by options checked.

    A target that a formula computes, such as cbind(successes, failures), is no column.
    """
    from posteriori.cli.reading.files import read_table
    from posteriori.cli.reading.sources import Source
    from posteriori.input.frames.native import no_column

    source = Source.to_learn_from(data, types, options)
    table = read_table(source)
    computed = reserved["target"] if options.get("formula") and "(" in str(reserved["target"]) else None
    for column in [*reserved.values(), *types]:
        if column not in (None, computed, *table.column_names):
            raise DataError(f"{source.name}: {no_column(str(column), table.column_names)}")
    check_reserved(source.name, table, reserved, types, missing)
    return source.name, table


def check_reserved(
    name: str, table: Any, reserved: dict[str, str | None], types: dict[str, str], missing: str = "auto"
) -> None:
    """Raise if the target has no classes, if weights or offsets are not numbers, or for types that columns cannot have.

    Parameters
    ----------
    name : of the file, for messages
    table : Arrow
    reserved : {"target", "weight", "offset": the column, or None}
    types : {column: type} of ``--type``
    missing : value of ``--missing``; with "drop" the model drops the rows with missing values
    """
    _refuse_nested(name, table, types)
    columns = [column for column in reserved.values() if column is not None]
    if len(set(columns)) < len(columns):
        return  # one column with two roles: the model raises
    for role, column in reserved.items():
        if column is None or column not in table.column_names:
            continue  # such as cbind(successes, failures) in a formula
        kind = types.get(column)
        if kind in TYPES and kind not in ALLOWED[role]:
            raise click.BadParameter(
                f"{column!r} is the {role}, whose type can only be {' or '.join(ALLOWED[role])}.", param_hint="--type"
            )
        cells = table.column(column)
        if role == "target":
            _check_labels(name, column, cells, missing)
        else:
            _check_numbers(name, role, column, cells, missing)


def _refuse_nested(name: str, table: Any, types: dict[str, str]) -> None:
    import pyarrow as pa

    for column, kind in types.items():
        arrow = table.schema.field(column).type
        if kind != "ignore" and pa.types.is_nested(arrow):
            raise DataError(
                f"{name}: column {column!r} is of type {arrow}: lists and records cannot be used as {kind}. Leave the "
                f"column out (--type {column}=ignore)."
            )


def _check_labels(name: str, column: str, cells: Any, missing: str) -> None:
    import pyarrow as pa

    kind = cells.type
    if pa.types.is_nested(kind) or pa.types.is_time(kind) or pa.types.is_duration(kind):
        raise DataError(
            f"{name}: the target {column!r} is of type {kind}; classes must be text, integers, booleans or dates."
        )
    if cells.null_count and missing != "drop":
        first = cells.is_null().to_pylist().index(True) + 1
        raise DataError(
            f"{name}: the target {column!r} has {cells.null_count} missing label(s), the first in row {first} below "
            "the header. Drop these rows (--missing drop) or fill in their classes."
        )


def _check_numbers(name: str, role: str, column: str, cells: Any, missing: str) -> None:
    import numpy as np
    import pyarrow as pa

    kind = cells.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        text = next((value for value in cells.to_pylist() if value is not None), None)
        cause = "is empty" if text is None else f"is of type {kind}, such as {text!r}"
        raise DataError(f"{name}: column {column!r} cannot be the {role}: expected numbers, but it {cause}.")
    values = np.asarray(cells.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
    bad = np.isinf(values) if missing == "drop" else ~np.isfinite(values)
    for invalid, word in ((bad, "not finite"), (values < 0, "negative")):
        if invalid.any() and (word != "negative" or role == "weight"):
            first = int(invalid.argmax())
            raise DataError(
                f"{name}: the {role} {column!r} is {word} in {int(invalid.sum())} of {len(values)} rows, the first in "
                f"row {first + 1} below the header ({values[first]:g}). Correct these cells or drop the rows."
            )
