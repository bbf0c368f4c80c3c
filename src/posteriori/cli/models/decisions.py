"""Decisions of the command: a file of costs, a level of rejection, and the model that decides by them."""

import csv
import io
from pathlib import Path
from typing import Any

import click

from posteriori.messages.errors import DataError

Costs = dict[Any, dict[Any, float]]


def read_costs(path: str, classes: Any) -> Costs:
    """Read a file of costs: CSV, the first column the action, the header of the others the classes.

    Parameters
    ----------
    path : the file, in UTF-8 with commas between cells and points in numbers
    classes : (K,) of the model

    Returns
    -------
    {action: {class: cost}}; where all actions are classes, the classes themselves, else text
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
            raise DataError(f"{path}, line {line}: {len(cells)} cell(s) where the header has {len(header)}.")
        action = cells[0].strip()
        if not action or action in costs:
            what = f"the action {action!r} for the second time" if action else "no action in its first cell"
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
    """Give a model that decides by costs and rejects rows below a level; the model itself where neither is given.

    Rejected rows are "rejected", and -1 where the classes are numbers and -1 is none of them. A column holds answers
    of one type, so truth values beside "rejected" become text.
    """
    from posteriori.estimators.wrappers.cost_sensitive import CostSensitive
    from posteriori.estimators.wrappers.reject_option import RejectOption
    from posteriori.input.classes.class_values import as_objects, texts_of

    if costs is not None:
        model = CostSensitive(model, costs)
    if reject is None:
        return model
    if not 0 <= reject <= 1:  # NaN passes click's own check
        raise click.BadParameter(f"{reject} is no level between 0 and 1.", param_hint="--reject")
    as_numbers = model.classes_.dtype.kind in "iuf" and -1 not in model.classes_.tolist()
    if costs is None and not as_numbers and model.classes_.dtype.kind not in "US":
        model = CostSensitive(model, actions=[texts_of(label)[-1] for label in as_objects(model.classes_)])
    return RejectOption(model, threshold=reject)


def _rows(path: str) -> list[tuple[int, list[str]]]:
    """Give the rows of a CSV file that are not empty, each with the number of its line; a header and one more."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not in UTF-8: byte {error.start} cannot be read.") from None
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num}: {error}.") from None
    if len(rows) < 2:
        raise DataError(f"{path} holds no costs: a header with the classes and a row for each action are needed.")
    return rows


def _refuse_header(path: str, header: list[str], labels: list[Any]) -> None:
    if len(header) < 2:
        raise DataError(
            f"{path}: one column found. The first column is the action, the others are the classes, with commas "
            "between them."
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
    what = f"{text!r}, which is no number" if text else "nothing"
    raise DataError(f"{path}, line {line}: the cost of {action!r} under class {name.strip()!r} is {what}.")
