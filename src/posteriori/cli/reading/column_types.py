"""The types of a file's columns, printed before the fit."""

from typing import Any

from posteriori.cli.failures import print_stderr
from posteriori.messages.escape import escape_controls


def print_types(path: str, table: Any, model: Any, reserved: dict[str, str]) -> None:
    """Print on standard error how each column is used: number, category with its levels, target, weight."""
    from posteriori.input.frames.native import as_frame

    print_stderr(f"Read {table.num_rows} rows and {table.num_columns} columns from {path}.")
    frame = as_frame(table)
    assert frame is not None
    others = [name for name in table.column_names if name not in reserved]
    coding = model.preview(frame.select(others).to_native()) if others else None
    columns = {} if coding is None else {column.name: column for column in coding.columns}
    width = max(len(escape_controls(name)) for name in table.column_names)
    for name in table.column_names:
        n_missing = table.column(name).null_count
        use = reserved.get(name) or (_description(columns[name], coding) if name in columns else "not used")
        missing = f", {n_missing} missing value{'s' * (n_missing > 1)}" if n_missing else ""
        print_stderr(f"  {escape_controls(name):<{width}}  {use}{missing}")


def _description(column: Any, coding: Any) -> str:
    if column.kind == "number":
        return "number"
    levels = [escape_controls(level) for level in column.levels]
    more = f" and {len(levels) - 6} more" if len(levels) > 6 else ""
    reference = f"; reference: {levels[column.reference]}" if coding.treatment and levels else ""
    return f"{column.kind} ({', '.join(levels[:6])}{more}{reference})"
