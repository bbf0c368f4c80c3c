"""Validation of costs: a mapping, frame or array becomes one checked table of actions by classes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.numbers import refuse_masked
from posteriori.input.classes.class_values import (
    ClassIndex,
    array_of,
    as_objects,
    as_scalar,
    is_label,
    nearest,
    places_of,
    read_by_class,
    same,
)
from posteriori.input.classes.missing_labels import is_missing
from posteriori.input.frames.native import as_frame
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote


@dataclass(frozen=True)
class CostTable:
    """The cost of each action under each class.

    Parameters
    ----------
    actions : (A,)
    values : (A, K) non-negative numbers
    """

    actions: NDArray[Any]
    values: Array


def read_costs(costs: Any, actions: Any, classes: NDArray[Any]) -> CostTable:
    """Check costs and put them in the order of the classes.

    Parameters
    ----------
    costs : None for 0-1 | {action: {class: cost}} | a frame, actions as rows and classes as columns | (A, K) array
    actions : names of the rows; if the costs name them too, the order in which ties are resolved
    classes : (K,) of the model

    Examples
    --------
    >>> table = read_costs({"go": {"a": 0, "b": 5}, "ask": {"b": 1, "a": 1}}, None, np.array(["a", "b"]))
    >>> table.actions.tolist(), table.values.tolist()
    (['go', 'ask'], [[0.0, 5.0], [1.0, 1.0]])
    """
    if costs is None:
        names, values = None, 1.0 - np.eye(len(classes))
    elif isinstance(costs, Mapping):
        names, values = _from_mapping(costs, classes)
    elif (frame := _frame(costs)) is not None:
        names, values = _from_frame(frame, costs, classes)
    else:
        names, values = None, _from_array(costs, classes)
    requested = None if actions is None else _names(actions)
    if names is None:
        names = _unnamed(requested, values, classes)
    elif requested is not None:
        order = _order(requested, names)
        names, values = [names[at] for at in order], values[order]
    _refuse_names(names)
    _refuse_values(names, values, classes)
    as_classes = len(names) == len(classes) and all(map(same, names, as_objects(classes)))
    return CostTable(classes if as_classes else array_of(names), values)


def _from_mapping(costs: Mapping[Any, Any], classes: NDArray[Any]) -> tuple[list[Any], Array]:
    if not costs:
        raise DataError("costs is empty: expected at least one action.")
    rows = []
    for action, row in costs.items():
        if not isinstance(row, Mapping):
            raise DataTypeError(
                f"costs[{action!r}] is a {type(row).__name__}, not {{class: cost}}: expected "
                "{action: {class: cost}}."
            )
        rows.append(read_by_class(row, classes, f"the costs of action {action!r}"))
    return [as_scalar(action) for action in costs], _numbers(rows)


def _frame(costs: Any) -> Any:
    """Return costs as a frame with text as column names; None if they are not a frame."""
    if hasattr(costs, "set_axis") and hasattr(costs, "columns"):  # pandas, whose columns may be labels of any type
        costs = costs.set_axis([name if isinstance(name, str) else str(name) for name in costs.columns], axis=1)
    return as_frame(costs)


def _from_frame(frame: Any, native: Any, classes: NDArray[Any]) -> tuple[list[Any] | None, Array]:
    if len(frame) == 0:
        raise DataError("costs is a frame without rows: expected one row per action.")
    columns, names = frame.columns, None
    named_rows = hasattr(native, "index") and type(native.index).__name__ != "RangeIndex"
    head = frame[columns[0]] if len(columns) > 1 and ClassIndex.of(classes).find(columns[0]) is None else None
    if head is not None and (not named_rows or not head.dtype.is_numeric()):
        names, columns = [as_scalar(value) for value in head.to_list()], columns[1:]
        n_missing = sum(map(is_missing, names))
        if n_missing:
            raise DataError(f"{n_missing} of the actions in column {frame.columns[0]!r} of costs are missing.")
    elif named_rows:
        names = [as_scalar(value) for value in native.index.tolist()]
    order = places_of(columns, classes, "the columns of costs")
    return names, _numbers([frame[columns[at]].to_list() for at in order]).T


def _from_array(costs: Any, classes: NDArray[Any]) -> Array:
    values = _numbers(costs)
    if values.ndim != 2 or values.shape[1] != len(classes) or not len(values):
        raise DataError(
            f"costs has shape {values.shape}, expected (actions, {len(classes)}): one row per action, one column for "
            f"each of the classes {quote(classes.tolist(), most=20)}."
        )
    return values


def _numbers(values: Any) -> Array:
    refuse_masked(values, "costs")
    try:
        array = np.asarray(values)
    except ValueError:
        raise DataError("costs has rows of different lengths.") from None
    if array.dtype == object and not any(isinstance(cell, str | bytes) for cell in array.ravel()):
        try:
            return np.array(array, dtype=np.float64)  # None becomes NaN, which raises below
        except (TypeError, ValueError):
            raise DataTypeError("costs must be numbers.") from None
    if array.dtype.kind not in "fiu":
        raise DataTypeError(f"costs must be numbers, not {array.dtype}.")
    return array.astype(np.float64)


def _names(actions: Any) -> list[Any]:
    if isinstance(actions, str | bytes) or not isinstance(actions, Sequence | np.ndarray) or not len(actions):
        raise DataTypeError(f"actions must be a list of names, not {actions!r}.")
    return [as_scalar(action) for action in actions]


def _unnamed(requested: list[Any] | None, values: Array, classes: NDArray[Any]) -> list[Any]:
    """Return the names of the rows of an array: those requested, or the classes."""
    if requested is None:
        if len(values) != len(classes):
            raise DataError(
                f"costs has {len(values)} rows for {len(classes)} classes: name the actions by actions=[…]."
            )
        return list(as_objects(classes))
    if len(requested) != len(values):
        raise DataError(f"actions has {len(requested)} names for {len(values)} rows of costs.")
    return requested


def _order(requested: list[Any], names: list[Any]) -> list[int]:
    """Return the positions of the requested actions among those that the costs name."""
    for action in requested:
        if not any(same(action, name) for name in names):
            raise DataError(
                f"actions names {action!r}, which is not in costs.{nearest(action, names)} The actions of costs are "
                f"{quote(names, most=20)}."
            )
    absent = [name for name in names if not any(same(action, name) for action in requested)]
    if absent:
        raise DataError(f"actions lacks {quote(absent)} of costs: name all, or leave out actions.")
    return [next(at for at, name in enumerate(names) if same(action, name)) for action in requested]


def _refuse_names(names: list[Any]) -> None:
    for at, name in enumerate(names):
        if not is_label(name):
            raise DataTypeError(f"the name of an action must be text or a number, not {name!r}.")
        if any(same(name, other) for other in names[:at]):
            raise DataError(f"costs has more than one action called {name!r}.")


def _refuse_values(names: list[Any], values: Array, classes: NDArray[Any]) -> None:
    remedies = {
        "NaN": "Every action needs a cost under every class.",
        "not finite": "Use a large number for an action to avoid, or leave the action out.",
        "negative": "Costs must be zero or positive. To represent a gain, add the same number to all costs of "
        "that class: no decision changes.",
    }
    for bad, word in zip((np.isnan(values), np.isinf(values), values < 0), remedies, strict=True):
        if bad.any():
            a, k = np.argwhere(bad)[0]
            raise DataError(
                f"costs: {int(bad.sum())} of {values.size} are {word}, the first is that of action {names[a]!r} under "
                f"class {classes.tolist()[k]!r}. {remedies[word]}"
            )
    if values.max() > np.finfo(np.float64).max / values.size:
        raise DataError(f"costs: the largest is {values.max():g}, so large that sums overflow. Use another unit.")
