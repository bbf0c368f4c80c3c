"""The types of a file's columns, printed before the fit."""

from typing import Any

from posteriori.cli.failures import print_stderr
from posteriori.messages.escape import escape_controls


def print_types(
    path: str, n_rows: int, missing: dict[str, int], others: Any, model: Any, reserved: dict[str, str]
) -> None:
    """Print on standard error how each column is used: number, category with its levels, target, weight.

    Parameters
    ----------
    path : of the file
    n_rows : number of rows
    missing : number of missing cells of each column
    others : the frame, or the batches, of the columns that are not reserved; None without any
    model : the unfitted table classifier
    reserved : {column: "target" | "weight" | "offset"}
    """
    print_stderr(f"Read {n_rows} rows and {len(missing)} columns from {path}.")
    coding = None if others is None else model.preview(others)
    columns = {} if coding is None else {column.name: column for column in coding.columns}
    width = max(len(escape_controls(name)) for name in missing)
    for name, n_missing in missing.items():
        use = reserved.get(name) or (_description(columns[name], coding) if name in columns else "not used")
        marks = f", {n_missing} missing value{'s' * (n_missing > 1)}" if n_missing else ""
        print_stderr(f"  {escape_controls(name):<{width}}  {use}{marks}")


def _description(column: Any, coding: Any) -> str:
    if column.kind == "number":
        return "number"
    levels = [escape_controls(level) for level in column.levels]
    more = f" and {len(levels) - 6} more" if len(levels) > 6 else ""
    reference = f"; reference: {levels[column.reference]}" if coding.treatment and levels else ""
    return f"{column.kind} ({', '.join(levels[:6])}{more}{reference})"
