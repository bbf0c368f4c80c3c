"""`fits`: whether a value is of the type of a hint, the first check of everything read from a file."""

import types
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np


@cache
def hints_of(kind: type) -> dict[str, Any]:
    """Return the type hints of a class's fields."""
    return get_type_hints(kind)


def fits(value: Any, hint: Any) -> bool:  # noqa: PLR0911  one line a kind of hint
    """Return whether a value, and each item of a tuple, list or mapping, is of the type of a hint.

    >>> fits((1, 2), tuple[int, ...]), fits(("a",), tuple[int, ...]), fits(None, float | None)
    (True, False, True)
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any or isinstance(hint, TypeVar):
        return True
    if hint is None or hint is type(None):
        return value is None
    if origin in (Union, types.UnionType):
        return any(fits(value, option) for option in arguments)
    if origin is Literal:
        return any(type(value) is type(option) and value == option for option in arguments)
    if origin is tuple:
        return _fits_tuple(value, arguments)
    if origin in (list, Sequence):
        return isinstance(value, list | tuple) and all(fits(item, arguments[0]) for item in value)
    if origin in (dict, Mapping):
        return isinstance(value, dict) and all(
            fits(key, arguments[0]) and fits(item, arguments[1]) for key, item in value.items()
        )
    if origin is np.ndarray:
        return isinstance(value, np.ndarray) and _fits_dtype(value.dtype, arguments)
    if origin is type:
        return isinstance(value, type) and issubclass(value, arguments[0])
    return _fits_plain(value, hint)


def _fits_tuple(value: Any, arguments: tuple[Any, ...]) -> bool:
    if not isinstance(value, tuple):
        return False
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return all(fits(item, arguments[0]) for item in value)
    return len(value) == len(arguments) and all(map(fits, value, arguments))


def _fits_dtype(dtype: np.dtype[Any], arguments: tuple[Any, ...]) -> bool:
    wanted = get_args(arguments[1]) if len(arguments) == 2 else ()
    return not wanted or wanted[0] is Any or np.issubdtype(dtype, wanted[0])


def _fits_plain(value: Any, hint: Any) -> bool:
    if hint is float:
        return isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int | np.integer) and not isinstance(value, bool)
    if hint is bool:
        return isinstance(value, bool | np.bool_)
    return isinstance(value, hint) if isinstance(hint, type) else True
