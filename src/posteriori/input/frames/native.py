"""Frames of any library, in and out, through narwhals."""

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

#: Libraries a frame may be made with, in the order they are tried.
LIBRARIES = ("pandas", "polars", "pyarrow")


def as_frame(X: Any) -> "nw.DataFrame[Any] | None":
    """See X as a frame; None where it is an array or a list."""
    if isinstance(X, np.ndarray | list | tuple) or sp.issparse(X):
        return None
    frame = through_narwhals(X)
    if isinstance(frame, nw.LazyFrame):
        raise DataTypeError("this is a lazy frame: collect() it first.")
    if not isinstance(frame, nw.DataFrame):
        return None
    strange = [name for name in frame.columns if not isinstance(name, str)]
    if strange and len(strange) == len(frame.columns):  # columns that pandas has only numbered
        named: nw.DataFrame[Any] = nw.from_native(X.set_axis([str(name) for name in X.columns], axis=1))
        return named
    if strange:
        raise DataTypeError(f"column names must be text; {len(strange)} are not: {quote(strange)}.")
    if len(set(frame.columns)) < len(frame.columns):
        raise _twice(frame.columns)
    return frame


def _whole(X: Any) -> Any:
    """Give a table or a batch of Arrow's, or a frame of pandas, with usual types; anything else as it is."""
    library, _, _ = type(X).__module__.partition(".")
    if library == "pandas" and type(X).__name__ == "DataFrame":
        return pandas_types.usual(X)
    if library != "pyarrow" or type(X).__name__ not in ("RecordBatch", "Table"):
        return X
    import pyarrow as pa

    return arrow_types.usual(X if isinstance(X, pa.Table) else pa.Table.from_batches([X]))


def through_narwhals(X: Any, **options: Any) -> Any:
    """See X through narwhals; anything but a frame is given back, one with two columns of a name is refused."""
    try:
        return nw.from_native(_whole(X), pass_through=True, **options)
    except nw.exceptions.DuplicateError:
        raise _twice([str(name) for name in getattr(X, "column_names", X.columns)]) from None


def _twice(names: list[str]) -> DataError:
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    return DataError(f"column names must differ; more than one column is called {quote(twice)}.")


def pick(frame: "nw.DataFrame[Any]", value: Any) -> Any:
    """Give a column of a frame by its name, as its own library has it; anything but a name is given back."""
    if not isinstance(value, str):
        return value
    if value not in frame.columns:
        raise DataError(no_column(value, frame.columns))
    return frame[value].to_native()


def no_column(name: str, there: list[str]) -> str:
    """Word the error for a column that is not there, with the nearest names."""
    near = difflib.get_close_matches(name, there, 3, 0.5)
    hint = f" Did you mean {' or '.join(repr(word) for word in near)}?" if near else ""
    return f"there is no column {name!r}.{hint} The columns are {quote(there, most=20)}."


def frame_of(
    columns: dict[str, NDArray[Any]], like: "nw.DataFrame[Any] | None" = None, native: str | None = None
) -> Any:
    """Make a frame of the library of another, of the one named, or of the first that is installed."""
    backend: Any = native or (None if like is None else like.implementation)
    lists = {name: values if values.dtype.kind in "fiu" else values.tolist() for name, values in columns.items()}
    if backend is not None:
        if isinstance(backend, str) and backend not in LIBRARIES:
            raise DataError(f"native must be one of {quote(list(LIBRARIES))}, not {backend!r}.")
        return _made(lists, backend)
    library: Any
    for library in LIBRARIES:
        try:
            return _made(lists, library)
        except ModuleNotFoundError:
            continue
    raise DataError(f"a frame needs one of {quote(list(LIBRARIES))}; install one of them.")


def _made(columns: dict[str, Any], library: Any) -> Any:
    if str(getattr(library, "value", library)) != "pandas":
        columns = {name: _of_one_type(values) for name, values in columns.items()}
    return nw.from_dict(columns, backend=library).to_native()


def _of_one_type(values: Any) -> Any:
    """Give labels of several types as text, for frames whose columns have one type; gaps stay gaps."""
    kinds = {type(value) for value in values if value is not None} if isinstance(values, list) else set()
    if len(kinds) < 2 or kinds == {int, float}:
        return values
    return [None if value is None else str(value) for value in values]


def native_of(X: Any) -> str | None:
    """Name the library of a frame; None where X is none."""
    frame = None if X is None else as_frame(X)
    return None if frame is None else str(frame.implementation.value)


def installed(library: str | None) -> str | None:
    """Give the name of a library that a frame can be made with here; a stored model may come from where others are.

    >>> installed("pandas"), installed("modin")
    ('pandas', None)
    """
    return library if library in LIBRARIES and find_spec(library) is not None else None


def refuse_two_uses(columns: Sequence[str | None]) -> None:
    """Refuse a column named for more than one of target, weight and offset."""
    named = [name for name in columns if name is not None]
    twice = [name for name in dict.fromkeys(named) if named.count(name) > 1]
    if twice:
        raise DataError(f"column {twice[0]!r} is named for two of target, weight and offset; it can be one of them.")


def refuse_absent(wanted: tuple[str, ...], there: list[str]) -> None:
    """Refuse a frame without all the columns that a model was fitted on."""
    known = set(there)
    absent = [name for name in wanted if name not in known]
    if absent:
        near = difflib.get_close_matches(absent[0], there, 1)
        hint = f" Did you mean {near[0]!r} for {absent[0]!r}?" if near else ""
        raise DataError(
            f"{len(absent)} column(s) that the model was fitted on are not there: {quote(absent)}.{hint} "
            "The frame has "
            f"{quote(there, most=20)}."
        )
