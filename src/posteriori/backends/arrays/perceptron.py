"""One ordered pass of the perceptron in numpy: it loops over mistakes, not over rows.

Same signatures and, to the bit, same results as `perceptron_compiled`: whether a row is a mistake is decided by
the sum w_0 + w_1 x_1 + … added in that order. A faster sum decides wherever it is further from the boundary than
rounding could take it.
"""

import numpy as np

from posteriori.arrays import Array, Codes, Integers

#: Values of the rows tried together after a mistake; doubled for as long as none follows.
_TRIED = 4096
#: Places in `tally`: rows visited, rows right since the last mistake, and the longest such run.
VISITS, RUN, LONGEST = range(3)


def two_class_pass(
    X: Array, codes: Codes, w: Array, lagged: Array, best: Array, tally: Integers, rate: float, peaks: Array,
    rows: Integers, rivals: Integers,
) -> int:  # fmt: skip
    """Visit the rows in order; on a mistake, t w'phi <= 0, add rate t phi to w. Give the number of mistakes.

    Parameters
    ----------
    X : (n, d) rows; phi = (1, x)
    codes : (n,) 1 where t = 1, else 0
    w : (1, d + 1) weights, changed in place
    lagged : (1, d + 1) sum over mistakes of the rows visited before times the step; changed in place
    best : (1, d + 1) the weights of the longest run without a mistake; changed in place
    tally : (3,) visits, run, longest run; changed in place
    peaks : (d + 1,) bounds on |phi|
    rows, rivals : (n,) where the rows and wrong classes of the mistakes are written
    """
    n, found, first = len(X), 0, 0
    signs = np.where(codes == 1, 1.0, -1.0)
    lead, weights = w[:, 0], w[0, 1:]
    start = step = max(_TRIED // X.shape[1], 16)
    guard = _guard(w, peaks)
    while first < n:
        last = min(first + step, n)
        margin = (X[first:last] @ weights + lead) * signs[first:last]
        at = -1
        for near in np.flatnonzero(margin <= guard).tolist():
            if margin[near] < -guard or _score(X[first + near], w[0]) * signs[first + near] <= 0:
                at = near
                break
        if at < 0:
            _stood(tally, last - first)
            first, step = last, 2 * step
            continue
        _stood(tally, at)
        _pocket(w, best, tally)
        i = first + at
        _add(w[0], lagged[0], X[i], rate * signs[i], int(tally[VISITS]))
        tally[VISITS] += 1
        rows[found], rivals[found] = i, 1 - codes[i]
        found, first, step = found + 1, i + 1, start
        guard = _guard(w, peaks)
    return found


def many_class_pass(
    X: Array, codes: Codes, w: Array, lagged: Array, best: Array, tally: Integers, rate: float, peaks: Array,
    rows: Integers, rivals: Integers,
) -> int:  # fmt: skip
    """Do the same for K classes: w is (K, d + 1), and a row is a mistake unless its own class scores highest.

    On a mistake phi is added to the row's class and taken from the first of the best others.
    """
    n, found, first = len(X), 0, 0
    start = step = max(_TRIED // X.shape[1], 16)
    guard = 2.0 * _guard(w, peaks)
    while first < n:
        last = min(first + step, n)
        scores = X[first:last] @ w[:, 1:].T + w[:, 0]
        place = np.arange(last - first)
        own = scores[place, codes[first:last]]
        scores[place, codes[first:last]] = -np.inf
        margin = own - scores.max(axis=1)
        at = rival = -1
        for near in np.flatnonzero(margin <= guard).tolist():
            rival = _rival(X[first + near], w, int(codes[first + near]), scores[near], float(margin[near]), guard)
            if rival >= 0:
                at = near
                break
        if at < 0:
            _stood(tally, last - first)
            first, step = last, 2 * step
            continue
        _stood(tally, at)
        _pocket(w, best, tally)
        i, own_class = first + at, codes[first + at]
        _add(w[own_class], lagged[own_class], X[i], rate, int(tally[VISITS]))
        _add(w[rival], lagged[rival], X[i], -rate, int(tally[VISITS]))
        tally[VISITS] += 1
        rows[found], rivals[found] = i, rival
        found, first, step = found + 1, i + 1, start
        guard = 2.0 * _guard(w, peaks)
    return found


def _guard(w: Array, peaks: Array) -> float:
    """Bound the rounding of any two sums of the same p products: beyond it their signs agree."""
    return float((np.abs(w) @ peaks).max()) * (2.0 * len(peaks) + 8.0) * 2.0**-52


def _score(x: Array, w: Array) -> float:
    """Give w_0 + w_1 x_1 + …, added in that order."""
    terms = np.empty(len(w))
    terms[0] = w[0]
    np.multiply(w[1:], x, out=terms[1:])
    return float(np.add.accumulate(terms)[-1])


def _rival(x: Array, w: Array, own: int, others: Array, margin: float, guard: float) -> int:
    """Give the class a mistaken row is taken for, or -1 if it is no mistake."""
    if margin < -guard and (len(others) == 2 or others.max() - np.partition(others, -2)[-2] > guard):
        return int(others.argmax())
    scores = np.array([_score(x, row) for row in w])
    mine, scores[own] = scores[own], -np.inf
    rival = int(scores.argmax())
    return rival if mine <= scores[rival] else -1


def _stood(tally: Integers, rows: int) -> None:
    """Count rows the weights got right."""
    tally[VISITS] += rows
    tally[RUN] += rows


def _pocket(w: Array, best: Array, tally: Integers) -> None:
    """Keep the weights if they stood longer than any before; their run is over."""
    if tally[RUN] > tally[LONGEST]:
        tally[LONGEST] = tally[RUN]
        best[:] = w
    tally[RUN] = 0


def _add(w: Array, lagged: Array, x: Array, step: float, visits: int) -> None:
    """Move the weights by step times phi."""
    w[0] += step
    lagged[0] += visits * step
    move = step * x
    w[1:] += move
    lagged[1:] += visits * move
