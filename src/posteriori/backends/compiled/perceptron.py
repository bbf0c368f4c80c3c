"""One ordered pass of the perceptron, compiled; the results equal those of `backends.arrays.perceptron` to the bit."""

from typing import Any

import numpy as np

from posteriori.arrays import Array, Codes, Integers
from posteriori.backends.compiled.compiler import njit

_FAST = {"reassoc", "contract", "nsz"}


@njit(nogil=True, cache=True)
def two_class_pass(
    X: Array, codes: Codes, w: Array, lagged: Array, best: Array, tally: Integers, rate: float, peaks: Array,
    rows: Integers, rivals: Integers,
) -> int:  # fmt: skip
    """Visit the rows in order; on a mistake, t w'phi <= 0, add rate t phi to w. Return the number of mistakes."""
    mistakes = 0
    guard = _guard(w, peaks)
    for i in range(X.shape[0]):
        sign = 1.0 if codes[i] == 1 else -1.0
        margin = _fast_score(X, i, w, 0) * sign
        if margin > guard or (margin >= -guard and _score(X, i, w, 0) * sign > 0):
            tally[0] += 1
            tally[1] += 1
            continue
        _pocket(w, best, tally)
        _add(w, lagged, 0, X, i, rate * sign, tally[0])
        tally[0] += 1
        rows[mistakes], rivals[mistakes] = i, 1 - codes[i]
        mistakes += 1
        guard = _guard(w, peaks)
    return mistakes


@njit(nogil=True, cache=True)
def many_class_pass(
    X: Array, codes: Codes, w: Array, lagged: Array, best: Array, tally: Integers, rate: float, peaks: Array,
    rows: Integers, rivals: Integers,
) -> int:  # fmt: skip
    """Visit the rows for K classes: w is (K, d + 1), and a row is a mistake unless its own class scores highest."""
    mistakes = 0
    scores = np.empty(w.shape[0])
    guard = 2.0 * _guard(w, peaks)
    for i in range(X.shape[0]):
        own = codes[i]
        for k in range(w.shape[0]):
            scores[k] = _fast_score(X, i, w, k)
        rival, second = _best_others(scores, own)
        margin = scores[own] - scores[rival]
        if margin <= guard and not (margin < -guard and scores[rival] - second > guard):
            for k in range(w.shape[0]):
                scores[k] = _score(X, i, w, k)
            rival, second = _best_others(scores, own)
            margin = scores[own] - scores[rival]
        if margin > 0:
            tally[0] += 1
            tally[1] += 1
            continue
        _pocket(w, best, tally)
        _add(w, lagged, own, X, i, rate, tally[0])
        _add(w, lagged, rival, X, i, -rate, tally[0])
        tally[0] += 1
        rows[mistakes], rivals[mistakes] = i, rival
        mistakes += 1
        guard = 2.0 * _guard(w, peaks)
    return mistakes


@njit(nogil=True, cache=True, fastmath=_FAST)
def _fast_score(X: Array, i: int, w: Array, k: int) -> Any:
    """Return w'phi, with its products added in vector lanes."""
    total = 0.0
    for j in range(X.shape[1]):
        total += w[k, j + 1] * X[i, j]
    return total + w[k, 0]


@njit(nogil=True, cache=True)
def _score(X: Array, i: int, w: Array, k: int) -> Any:
    """Return w_0 + w_1 x_1 + …, added in that order."""
    total = w[k, 0]
    for j in range(X.shape[1]):
        total += w[k, j + 1] * X[i, j]
    return total


@njit(nogil=True, cache=True, fastmath=_FAST)
def _guard(w: Array, peaks: Array) -> Any:
    """Return a bound on the rounding of any two sums of the same p products: beyond it their signs agree."""
    largest = 0.0
    for k in range(w.shape[0]):
        total = 0.0
        for j in range(w.shape[1]):
            total += abs(w[k, j]) * peaks[j]
        largest = max(largest, total)
    return largest * (2.0 * w.shape[1] + 8.0) * 2.0**-52


@njit(nogil=True, cache=True)
def _best_others(scores: Array, own: int) -> tuple[int, float]:
    """Return the first of the best classes but the row's own, and the score of the next best."""
    rival, second = -1, -np.inf
    for k in range(scores.shape[0]):
        if k == own:
            continue
        if rival < 0 or scores[k] > scores[rival]:
            if rival >= 0:
                second = scores[rival]
            rival = k
        elif scores[k] > second:
            second = scores[k]
    return rival, second


@njit(nogil=True, cache=True)
def _pocket(w: Array, best: Array, tally: Integers) -> None:
    """Store the weights if their run without a mistake is the longest so far; end the run."""
    if tally[1] > tally[2]:
        tally[2] = tally[1]
        best[:] = w
    tally[1] = 0


@njit(nogil=True, cache=True)
def _add(w: Array, lagged: Array, k: int, X: Array, i: int, step: float, visits: int) -> None:
    """Add step times phi to the weights of class k."""
    w[k, 0] += step
    lagged[k, 0] += visits * step
    for j in range(X.shape[1]):
        move = step * X[i, j]
        w[k, j + 1] += move
        lagged[k, j + 1] += visits * move
