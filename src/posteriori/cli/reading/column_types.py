"""The kinds of columns a file was found to have, shown before they are used."""

from typing import Any

from posteriori.cli.failures import say
from posteriori.messages.escape import escape_controls


def say_types(path: str, table: Any, model: Any, special: dict[str, str]) -> None:
    """Show on standard error how each column is taken: number, category with its levels, target, weight."""
    from posteriori.input.frames.native import as_frame

    say(f"Read {table.num_rows} rows and {table.num_columns} columns from {path}.")
    frame = as_frame(table)
    assert frame is not None
    there = [name for name in special if name in table.column_names]
    coding = model.preview(frame.drop(there).to_native()) if len(there) < table.num_columns else None
    columns = {} if coding is None else {column.name: column for column in coding.columns}
    width = max(len(escape_controls(name)) for name in table.column_names)
    for name in table.column_names:
        gaps = table.column(name).null_count
        words = special.get(name) or (_words(columns[name], coding) if name in columns else "not used")
        say(f"  {escape_controls(name):<{width}}  {words}{f', {gaps} gaps' if gaps else ''}")


def _words(column: Any, coding: Any) -> str:
    if column.kind == "number":
        return "number"
    more = "" if len(column.levels) <= 6 else f" and {len(column.levels) - 6} more"
    against = (
        f"; against {escape_controls(column.levels[column.reference])}" if coding.treatment and column.levels else ""
    )
    return f"{column.kind} ({', '.join(map(escape_controls, column.levels[:6]))}{more}{against})"
