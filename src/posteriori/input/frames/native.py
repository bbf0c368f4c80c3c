"""Frames of any library, converted by narwhals."""

import difflib
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from posteriori.input.frames import arrow_types, pandas_types
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote

#: Libraries of frames, in order of preference.
LIBRARIES = ("pandas", "polars", "pyarrow")


def as_frame(X: Any) -> "nw.DataFrame[Any] | None":
    """Return X as a frame of narwhals; None if it is an array or a list."""
    if isinstance(X, np.ndarray | list | tuple) or sp.issparse(X):
        return None
    frame = through_narwhals(X)
    if isinstance(frame, nw.LazyFrame):
        raise DataTypeError("X is a lazy frame: call collect() first.")
    if not isinstance(frame, nw.DataFrame):
        return None
    others = [name for name in frame.columns if not isinstance(name, str)]
    if others and len(others) == len(frame.columns):  # numbered columns of pandas
        named: nw.DataFrame[Any] = nw.from_native(X.set_axis([str(name) for name in X.columns], axis=1))
        return named
    if others:
        raise DataTypeError(f"column names must be strings; {len(others)} are not: {quote(others)}.")
    if len(set(frame.columns)) < len(frame.columns):
        raise _duplicates(frame.columns)
    return frame


def _converted(X: Any) -> Any:
    """Convert an Arrow table or batch, or a pandas frame, to the supported types; return other values unchanged."""
    library, _, _ = type(X).__module__.partition(".")
    if library == "pandas" and type(X).__name__ == "DataFrame":
        return pandas_types.supported_types(X)
    if library != "pyarrow" or type(X).__name__ not in ("RecordBatch", "Table"):
        return X
    import pyarrow as pa

    return arrow_types.supported_types(X if isinstance(X, pa.Table) else pa.Table.from_batches([X]))


def through_narwhals(X: Any, **options: Any) -> Any:
    """Wrap X by narwhals; return it unchanged if it is not a frame, and raise if two columns have one name."""
    try:
        return nw.from_native(_converted(X), pass_through=True, **options)
    except nw.exceptions.DuplicateError:
        raise _duplicates([str(name) for name in getattr(X, "column_names", X.columns)]) from None


def _duplicates(names: list[str]) -> DataError:
    duplicates = sorted(name for name, count in Counter(names).items() if count > 1)
    return DataError(f"column names must be unique; more than one column is called {quote(duplicates)}.")


def pick(frame: "nw.DataFrame[Any]", value: Any) -> Any:
    """Return a column of a frame by name, in the frame's library; return other values unchanged."""
    if not isinstance(value, str):
        return value
    if value not in frame.columns:
        raise DataError(no_column(value, frame.columns))
    return frame[value].to_native()


def no_column(name: str, columns: list[str]) -> str:
    """Return the error message for an unknown column, with the most similar names."""
    near = difflib.get_close_matches(name, columns, 3, 0.5)
    hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    return f"there is no column {name!r}.{hint} The columns are {quote(columns, most=20)}."


def frame_of(
    columns: dict[str, NDArray[Any]], like: "nw.DataFrame[Any] | None" = None, native: str | None = None
) -> Any:
    """Build a frame in a library: the one named, that of another frame, or the first installed."""
    library: Any = native or (None if like is None else like.implementation)
    if isinstance(library, str) and library not in LIBRARIES:
        raise DataError(f"native must be one of {quote(list(LIBRARIES))}, not {library!r}.")
    library = library or next(filter(installed, LIBRARIES), None)
    if library is None:
        raise DataError(f"a frame needs one of {quote(list(LIBRARIES))}; install one of them.")
    lists: dict[str, Any] = {
        name: values if values.dtype.kind in "fiu" else values.tolist() for name, values in columns.items()
    }
    if str(getattr(library, "value", library)) != "pandas":
        lists = {name: _of_one_type(values) for name, values in lists.items()}
    return nw.from_dict(lists, backend=library).to_native()


def _of_one_type(values: Any) -> Any:
    """Convert labels of several types to text, for frames whose columns have one type; None stays None."""
    types = {type(value) for value in values if value is not None} if isinstance(values, list) else set()
    if len(types) < 2 or types == {int, float}:
        return values
    return [None if value is None else str(value) for value in values]


def native_of(X: Any) -> str | None:
    """Return the name of a frame's library; None if X is not a frame."""
    frame = None if X is None else as_frame(X)
    return None if frame is None else str(frame.implementation.value)


def installed(library: str | None) -> str | None:
    """Return the name of a library of frames if it is supported and installed, otherwise None.

    >>> installed("pandas"), installed("modin")
    ('pandas', None)
    """
    return library if library in LIBRARIES and find_spec(library) is not None else None


def refuse_two_uses(columns: Sequence[str | None]) -> None:
    """Raise if a column is named for more than one of target, weight and offset."""
    twice = [name for name, count in Counter(columns).items() if name is not None and count > 1]
    if twice:
        raise DataError(f"column {twice[0]!r} has two roles; it can be only one of target, weight and offset.")


def refuse_absent(required: tuple[str, ...], columns: list[str]) -> None:
    """Raise if columns that a model was fitted on are absent."""
    known = set(columns)
    absent = [name for name in required if name not in known]
    if absent:
        near = difflib.get_close_matches(absent[0], columns, 1)
        hint = f" Did you mean {near[0]!r} for {absent[0]!r}?" if near else ""
        raise DataError(
            f"{len(absent)} column(s) of the fit are absent: {quote(absent)}.{hint} The columns are "
            f"{quote(columns, most=20)}."
        )
