"""The bandwidth of Gaussian kernels: a number, the median rule, or a grid around it."""

from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.distances import median_distance
from posteriori.checks.parameters import choice
from posteriori.messages.errors import DataError, DegenerateVarianceWarning
from posteriori.messages.notes import Note

#: What cross-validation tries, as multiples of the median rule's bandwidth.
BANDWIDTH_FACTORS = tuple(float(factor) for factor in 2.0 ** np.array([-3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0]))

#: The largest quotient of centres and bandwidth at which kernels differ.
MOST_APART = 2.0**1000


def read_bandwidth(value: Any) -> float | str:
    """Check the parameter: a positive number, "median" or "cv"."""
    if isinstance(value, str):
        word: str = choice("bandwidth", value, ("median", "cv"))
        return word
    return positive("bandwidth", value, "'median' or 'cv'")


def positive(parameter: str, value: Any, words: str) -> float:
    """Return the value as a float; raise if it is not a positive finite number, naming the words allowed."""
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not number or not np.isfinite(value) or value <= 0:
        raise DataError(f"{parameter}={value!r} must be a positive number, {words}.")
    return float(value)


def median_bandwidth(rows: Array) -> tuple[float, tuple[Note, ...]]:
    """Return the median distance between two of the distinct rows, and a note if there is none.

    Of more than 4,000 rows those of smallest hash are used. Rows are scaled by a power of two, so that squares neither
    overflow nor underflow.

    >>> median_bandwidth(np.array([[0.0], [1.0], [4.0]]) * 1e200)[0] / 1e200
    3.0
    """
    if len(rows) < 2:
        return 1.0, (_no_distance(),)
    with np.errstate(over="ignore"):
        off = rows - rows[0]
    wide = not np.isfinite(off).all()
    power = int(np.frexp(np.abs(np.ldexp(rows, -2) if wide else off).max())[1])
    off = np.ldexp(rows, -power) - np.ldexp(rows[0], -power) if wide else np.ldexp(off, -power)
    with np.errstate(over="ignore"):
        median = float(np.ldexp(median_distance(off), power))
    return check_apart(min(median, float(np.finfo(np.float64).max)), rows), ()


def bandwidth_grid(median: float) -> Array:
    """Return the bandwidths that cross-validation tries.

    >>> bandwidth_grid(1.0)[[0, 4, 7]].tolist()
    [0.125, 1.0, 4.0]
    """
    with np.errstate(over="ignore"):
        return np.minimum(median * np.array(BANDWIDTH_FACTORS), np.finfo(np.float64).max)


def check_apart(bandwidth: float, centers: Array) -> float:
    """Return the bandwidth; raise if it is so small relative to the centres that their quotient overflows."""
    peak = float(np.abs(centers).max())
    if peak / MOST_APART > bandwidth:
        raise DataError(
            f"bandwidth={bandwidth:.3g} is so small beside values of X up to {peak:.3g} that distances leave the range "
            "of floats. Give X in other units."
        )
    return bandwidth


def _no_distance() -> Note:
    return Note(
        "no-distance",
        "all rows are equal, so that the median rule finds no distance: bandwidth_ is 1, in the units of X. It matters "
        "only for rows elsewhere.",
        remedy="Give bandwidth as a number.",
        category=DegenerateVarianceWarning,
    )
