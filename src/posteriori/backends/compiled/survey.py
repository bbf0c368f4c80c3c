"""One look at all rows, compiled: the moments of the columns, and the rows of a sample.

`reassoc` lets the compiler add in vector lanes; NaN and infinity keep their meaning, so invalid cells still show in the
result.
"""

from typing import Any

import numpy as np

from posteriori.arrays import Array, Codes, Hashes
from posteriori.backends.compiled.compiler import njit

_FAST = {"reassoc", "contract", "nsz"}
#: Rows that two-pass sums read twice: they stay in the second-level cache.
_STRIP = 256


@njit(nogil=True, cache=True, fastmath=_FAST)
def _strip_sums(X: Array, first: int, last: int, inverse: Array, origin: Array, sums: Array, peaks: Array) -> None:
    """Sum x times `inverse` minus origin over some rows and update the peaks |x|, four rows at a time."""
    whole = last - (last - first) % 4
    for i in range(first, whole, 4):
        for j in range(X.shape[1]):
            a, b, c, d = X[i, j], X[i + 1, j], X[i + 2, j], X[i + 3, j]
            sums[j] += ((a + b) + (c + d)) * inverse[j] - 4.0 * origin[j]
            peaks[j] = max(peaks[j], abs(a), abs(b), abs(c), abs(d))
    for i in range(whole, last):
        for j in range(X.shape[1]):
            sums[j] += X[i, j] * inverse[j] - origin[j]
            peaks[j] = max(peaks[j], abs(X[i, j]))


@njit(nogil=True, cache=True, fastmath=_FAST)
def _strip_squares(X: Array, first: int, last: int, inverse: Array, mean: Array, squares: Array) -> None:
    """Sum (x times `inverse` minus mean)^2 over some rows, four rows at a time."""
    whole = last - (last - first) % 4
    for i in range(first, whole, 4):
        for j in range(X.shape[1]):
            v, m = inverse[j], mean[j]
            a, b = X[i, j] * v - m, X[i + 1, j] * v - m
            c, d = X[i + 2, j] * v - m, X[i + 3, j] * v - m
            squares[j] += (a * a + b * b) + (c * c + d * d)
    for i in range(whole, last):
        for j in range(X.shape[1]):
            a = X[i, j] * inverse[j] - mean[j]
            squares[j] += a * a


@njit(nogil=True, cache=True, fastmath=_FAST)
def _strip_weighted(
    X: Array, weights: Array, first: int, last: int, inverse: Array, origin: Array, sums: Array, peaks: Array
) -> float:
    """Compute what `_strip_sums` does for weighted rows; return the sum of their weights."""
    total = 0.0
    for i in range(first, last):
        total += weights[i]
        for j in range(X.shape[1]):
            sums[j] += weights[i] * (X[i, j] * inverse[j] - origin[j])
            peaks[j] = max(peaks[j], abs(X[i, j]))
    return total


@njit(nogil=True, cache=True, fastmath=_FAST)
def column_survey(X: Array, weights: Array, inverse: Array) -> tuple[Array, float, Array, Array]:
    """Return the largest |x|, the sum of weights, and weighted mean and scatter of x times `inverse`, by column.

    Empty `weights` stand for ones. A strip of rows is read twice while it is in the second-level cache: once for its
    mean, once for the scatter about it. Strips are merged as in `statistics.moments`. If a cell is not finite, or a sum
    overflows, the mean is not finite either (the peaks ignore NaN).
    """
    n, d = X.shape
    plain = weights.shape[0] == 0
    total, mean, scatter, peaks = 0.0, X[0] * inverse, np.zeros(d), np.zeros(d)
    for first in range(0, n, _STRIP):
        last = min(first + _STRIP, n)
        sums, squares = np.zeros(d), np.zeros(d)
        if plain:
            part = float(last - first)
            _strip_sums(X, first, last, inverse, mean, sums, peaks)
        else:
            part = _strip_weighted(X, weights, first, last, inverse, mean, sums, peaks)
        centre = mean + sums / part
        if plain:
            _strip_squares(X, first, last, inverse, centre, squares)
        else:
            for i in range(first, last):
                for j in range(d):
                    off = X[i, j] * inverse[j] - centre[j]
                    squares[j] += weights[i] * off * off
        share = part / (total + part)
        for j in range(d):
            shift = centre[j] - mean[j]
            scatter[j] += squares[j] + total * share * shift * shift
            mean[j] += share * shift
        total += part
    return peaks, total, mean, scatter


@njit(nogil=True, cache=True)
def pick_rows(first_row: int, codes: Codes, threshold: Hashes) -> tuple[Any, Any]:
    """Return the rows whose hash is at most the threshold of their class, and their hashes."""
    n = codes.shape[0]
    picked, hashes = np.empty(n, np.int64), np.empty(n, np.uint64)
    count = 0
    for i in range(n):
        row = np.uint64(first_row + i)
        h = (row >> np.uint64(3)) + np.uint64(0x9E3779B97F4A7C15)
        h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        h = ((h ^ (h >> np.uint64(31))) & ~np.uint64(7)) | (row & np.uint64(7))
        if h <= threshold[codes[i]]:
            picked[count], hashes[count] = i, h
            count += 1
    return picked[:count], hashes[:count]
