"""Decision rules of the command: a file of costs and a rejection threshold."""

import csv
import io
from pathlib import Path
from typing import Any

import click

from posteriori.messages.errors import DataError

Costs = dict[Any, dict[Any, float]]


def read_costs(path: str, classes: Any) -> Costs:
    """Read a CSV file of costs: the actions in the first column, the classes in the header of the others.

    Parameters
    ----------
    path : the file, in UTF-8 with commas as delimiters and decimal points
    classes : (K,) of the model

    Returns
    -------
    {action: {class: cost}}; the actions are classes if all of them name classes, otherwise text
    """
    from posteriori.input.classes.class_values import ClassIndex
    from posteriori.input.classes.costs import read_costs as check

    rows = _rows(path)
    header, index = rows[0][1], ClassIndex.of(classes)
    labels = [name if (at := index.find(name.strip())) is None else index.labels[at] for name in header[1:]]
    _refuse_header(path, header, labels)
    costs: Costs = {}
    for line, cells in rows[1:]:
        if len(cells) != len(header):
            raise DataError(f"{path}, line {line}: {len(cells)} cell(s), but the header has {len(header)}.")
        action = cells[0].strip()
        if not action or action in costs:
            what = f"the action {action!r} occurs twice" if action else "the first cell names no action"
            raise DataError(f"{path}, line {line}: {what}.")
        numbers = (_number(path, line, action, name, cell) for name, cell in zip(header[1:], cells[1:], strict=True))
        costs[action] = dict(zip(labels, numbers, strict=True))
    try:
        check(costs, None, classes)
    except DataError as error:
        raise type(error)(f"{path}: {error}") from None
    places = [index.find(action) for action in costs]
    if any(at is None for at in places):
        return costs
    return {index.labels[at]: row for at, row in zip(places, costs.values(), strict=True) if at is not None}


def wrap(model: Any, costs: Costs | None, reject: float | None) -> Any:
    """Wrap a model in the rules of ``--costs`` and ``--reject``; return it unchanged without them.

    Rejected rows are predicted as "rejected", or as -1 if the classes are numbers other than -1. A column has one type,
    so booleans become text.
    """
    from posteriori.estimators.wrappers.cost_sensitive import CostSensitive
    from posteriori.estimators.wrappers.reject_option import RejectOption
    from posteriori.input.classes.class_values import as_objects, texts_of

    if costs is not None:
        model = CostSensitive(model, costs)
    if reject is None:
        return model
    if not 0 <= reject <= 1:  # NaN passes click's own check
        raise click.BadParameter(f"{reject} is not between 0 and 1.", param_hint="--reject")
    as_numbers = model.classes_.dtype.kind in "iuf" and -1 not in model.classes_.tolist()
    if costs is None and not as_numbers and model.classes_.dtype.kind not in "US":
        model = CostSensitive(model, actions=[texts_of(label)[-1] for label in as_objects(model.classes_)])
    return RejectOption(model, threshold=reject)


def _rows(path: str) -> list[tuple[int, list[str]]]:
    """Return the rows of a CSV file that are not empty, with their line numbers; at least a header and one more."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8: byte {error.start} is invalid.") from None
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num}: {error}.") from None
    if len(rows) < 2:
        raise DataError(f"{path} has no costs: expected a header with the classes and one row per action.")
    return rows


def _refuse_header(path: str, header: list[str], labels: list[Any]) -> None:
    if len(header) < 2:
        raise DataError(
            f"{path} has one column: expected the actions in the first column and the classes in the others, with "
            "commas as delimiters."
        )
    twice = sorted({str(label) for label in labels if labels.count(label) > 1})
    if twice:
        raise DataError(f"{path}: more than one column is called {twice[0]!r}.")


def _number(path: str, line: int, action: str, name: str, cell: str) -> float:
    text = cell.strip()
    try:
        if "_" not in text:
            return float(text)
    except ValueError:
        pass
    what = f"{text!r}, which is not a number" if text else "missing"
    raise DataError(f"{path}, line {line}: the cost of {action!r} under class {name.strip()!r} is {what}.")
