"""Validation of the arguments of transforms in formulas."""

import math
from collections.abc import Callable
from typing import Any

#: The largest number of degrees of freedom, degrees and knots of one transform, also in model files.
MOST = 1000
#: Options for cells outside the range that a spline was fitted on.
OUTSIDE = ("raise", "clip", "extend", "zero")


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number, and not a boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_count(value: Any) -> bool:
    """Return whether a value is an integer from 0 to `MOST`."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST


def _is_knots(value: Any) -> bool:
    knots = value if isinstance(value, list | tuple) else [value]
    return len(knots) <= MOST and all(map(is_number, knots))


_COUNT = (is_count, f"a whole number up to {MOST}")
_BOUND = (lambda value: value is None or is_number(value), "a number")
_SWITCH = (lambda value: isinstance(value, bool), "True or False")
_SHIFT = (lambda value: isinstance(value, bool) or is_number(value), "True, False or a number")
#: By name of the argument: a test of its value, and the description of valid values.
_RULES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "df": (lambda value: value is None or is_count(value), _COUNT[1]),
    "degree": _COUNT,
    "ddof": _COUNT,
    "knots": (lambda value: value is None or _is_knots(value), f"a number or a list of up to {MOST} numbers"),
    "lower_bound": _BOUND,
    "upper_bound": _BOUND,
    "raw": _SWITCH,
    "include_intercept": _SWITCH,
    "center": _SHIFT,
    "scale": _SHIFT,
    "rescale": _SHIFT,
    "extrapolation": (
        lambda value: isinstance(value, str) and value in OUTSIDE,
        f"one of {', '.join(map(repr, OUTSIDE))}",
    ),
    "constraints": (lambda value: value is None or value == "center", "'center'"),
}


def refuse_arguments(name: str, value: Any) -> str:
    """Return why the value of an argument is invalid; an empty string if it is valid.

    >>> refuse_arguments("knots", "abc"), refuse_arguments("df", 4)
    ("knots='abc' is not a number or a list of up to 1000 numbers", '')
    """
    is_valid, description = _RULES[name]
    return "" if is_valid(value) else f"{name}={value!r:.80} is not {description}"
