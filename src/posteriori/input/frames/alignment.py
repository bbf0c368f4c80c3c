"""Alignment of values with the index of a pandas frame."""

from typing import Any

from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


def aligned(X: Any, values: Any, name: str) -> Any:
    """Return values in the order of the rows of X: by label if both have a pandas index, otherwise unchanged.

    Equal indexes and permutations are accepted. Other indexes raise, since values matched by position would silently
    go to other rows.

    Parameters
    ----------
    X : rows, of any kind
    values : one per row: an array, a series, a frame or a number
    name : of the values, for messages

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0]}, index=["a", "b", "c"])
    >>> aligned(frame, pd.Series([30, 10, 20], index=["c", "a", "b"]), "y").tolist()
    [10, 20, 30]
    """
    rows, own = _index_of(X), _index_of(values)
    if rows is None or own is None or len(rows) != len(own) or rows.equals(own):
        return values
    if not (rows.is_unique and own.is_unique):
        raise DataError(_mismatch(name, rows, own, "labels occur more than once, in a different order"))
    places = own.get_indexer(rows)
    absent = places < 0
    if absent.any():
        first = rows[int(absent.argmax())]
        cause = f"{int(absent.sum())} of {len(rows)} labels of X are not in it (the first is {first!r})"
        raise DataError(_mismatch(name, rows, own, cause))
    return values.iloc[places]


def positional(values: Any) -> Any:
    """Return values without the labels of their rows."""
    return values if _index_of(values) is None else values.reset_index(drop=True)


def _index_of(values: Any) -> Any:
    """Return the index of a pandas series or frame; None for other values."""
    return values.index if type(values).__module__.partition(".")[0] == "pandas" and hasattr(values, "iloc") else None


def _mismatch(name: str, rows: Any, own: Any, cause: str) -> str:
    return (
        f"{name} has another index than X: {cause}; X begins with {quote(rows[:3].tolist())}, {name} with "
        f"{quote(own[:3].tolist())}. If the rows of both are in the same order, pass {name}.to_numpy(), which is "
        f"matched by position; otherwise give {name} the index of X."
    )
