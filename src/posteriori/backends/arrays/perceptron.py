"""One ordered pass of the perceptron in numpy: a loop over mistakes, not over rows.

The results equal those of `backends.compiled.perceptron` to the bit: the sum w_0 + w_1 x_1 + …, added in that order,
determines whether a row is a mistake. A faster sum is used where it is further from zero than rounding could move it.
"""

from collections.abc import Callable

import numpy as np

from posteriori.arrays import Array, Codes, Integers

#: Number of values of the rows tested together after a mistake; doubled while none follows.
_TRIED = 4096
#: Places in `tally`: rows visited, correct rows since the last mistake, and the longest such run.
VISITS, RUN, LONGEST = range(3)


def two_class_pass(
    X: Array, codes: Codes, w: Array, lagged: Array, best: Array, tally: Integers, rate: float, peaks: Array,
    rows: Integers, rivals: Integers,
) -> int:  # fmt: skip
    """Visit the rows in order; on a mistake, t w'phi <= 0, add rate t phi to w. Return the number of mistakes.

    Parameters
    ----------
    X : (n, d) rows; phi = (1, x)
    codes : (n,) 1 where t = 1, else 0
    w : (1, d + 1) weights, changed in place
    lagged : (1, d + 1) sum over mistakes of the number of rows visited before times the step; changed in place
    best : (1, d + 1) the weights of the longest run without a mistake; changed in place
    tally : (3,) visits, current run, longest run; changed in place
    peaks : (d + 1,) bounds on |phi|
    rows, rivals : (n,) where the rows and wrong classes of the mistakes are written
    """
    signs = np.where(codes == 1, 1.0, -1.0)
    lead, weights = w[:, 0], w[0, 1:]

    def first_mistake(first: int, last: int, guard: float) -> tuple[int, int]:
        margin = (X[first:last] @ weights + lead) * signs[first:last]
        for near in np.flatnonzero(margin <= guard).tolist():
            i = first + near
            if margin[near] < -guard or _score(X[i], w[0]) * signs[i] <= 0:
                return i, int(1 - codes[i])
        return -1, -1

    def update(i: int, rival: int, visits: int) -> None:
        _add(w[0], lagged[0], X[i], rate * signs[i], visits)

    return _visit(X, w, best, tally, peaks, rows, rivals, first_mistake, update)


def many_class_pass(
    X: Array, codes: Codes, w: Array, lagged: Array, best: Array, tally: Integers, rate: float, peaks: Array,
    rows: Integers, rivals: Integers,
) -> int:  # fmt: skip
    """Visit the rows for K classes: w is (K, d + 1), and a row is a mistake unless its own class scores highest.

    On a mistake phi is added to the weights of the row's class and subtracted from those of the first of the best other
    classes.
    """

    def first_mistake(first: int, last: int, guard: float) -> tuple[int, int]:
        scores = X[first:last] @ w[:, 1:].T + w[:, 0]
        place, own = np.arange(last - first), codes[first:last]
        mine = scores[place, own]
        scores[place, own] = -np.inf
        margin = mine - scores.max(axis=1)
        for near in np.flatnonzero(margin <= 2.0 * guard).tolist():
            rival = _rival(X[first + near], w, int(own[near]), scores[near], float(margin[near]), 2.0 * guard)
            if rival >= 0:
                return first + near, rival
        return -1, -1

    def update(i: int, rival: int, visits: int) -> None:
        _add(w[codes[i]], lagged[codes[i]], X[i], rate, visits)
        _add(w[rival], lagged[rival], X[i], -rate, visits)

    return _visit(X, w, best, tally, peaks, rows, rivals, first_mistake, update)


def _visit(
    X: Array, w: Array, best: Array, tally: Integers, peaks: Array, rows: Integers, rivals: Integers,
    first_mistake: Callable[[int, int, float], tuple[int, int]], update: Callable[[int, int, int], None],
) -> int:  # fmt: skip
    """Test runs of rows until one has a mistake, update the weights there, and continue after it."""
    mistakes, first, shortest = 0, 0, max(_TRIED // X.shape[1], 16)
    length, guard = shortest, _guard(w, peaks)
    while first < len(X):
        last = min(first + length, len(X))
        i, rival = first_mistake(first, last, guard)
        correct = (i if i >= 0 else last) - first
        tally[VISITS] += correct
        tally[RUN] += correct
        if i < 0:
            first, length = last, 2 * length
            continue
        _pocket(w, best, tally)
        update(i, rival, int(tally[VISITS]))
        tally[VISITS] += 1
        rows[mistakes], rivals[mistakes] = i, rival
        mistakes, first, length, guard = mistakes + 1, i + 1, shortest, _guard(w, peaks)
    return mistakes


def _guard(w: Array, peaks: Array) -> float:
    """Return a bound on the rounding of any two sums of the same p products: beyond it their signs agree."""
    return float((np.abs(w) @ peaks).max()) * (2.0 * len(peaks) + 8.0) * 2.0**-52


def _score(x: Array, w: Array) -> float:
    """Return w_0 + w_1 x_1 + …, added in that order."""
    terms = np.empty(len(w))
    terms[0] = w[0]
    np.multiply(w[1:], x, out=terms[1:])
    return float(np.add.accumulate(terms)[-1])


def _rival(x: Array, w: Array, own: int, others: Array, margin: float, guard: float) -> int:
    """Return the class with the highest score but the row's own, or -1 if the row is no mistake."""
    if margin < -guard and (len(others) == 2 or others.max() - np.partition(others, -2)[-2] > guard):
        return int(others.argmax())
    scores = np.array([_score(x, row) for row in w])
    mine, scores[own] = scores[own], -np.inf
    rival = int(scores.argmax())
    return rival if mine <= scores[rival] else -1


def _pocket(w: Array, best: Array, tally: Integers) -> None:
    """Store the weights if their run without a mistake is the longest so far; end the run."""
    if tally[RUN] > tally[LONGEST]:
        tally[LONGEST] = tally[RUN]
        best[:] = w
    tally[RUN] = 0


def _add(w: Array, lagged: Array, x: Array, step: float, visits: int) -> None:
    """Add step times phi to the weights."""
    w[0] += step
    lagged[0] += visits * step
    move = step * x
    w[1:] += move
    lagged[1:] += visits * move
