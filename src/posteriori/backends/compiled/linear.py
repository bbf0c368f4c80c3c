"""Linear predictors and their sums, compiled: each row is read once.

`reassoc` lets the compiler add the products of a row in vector lanes; NaN and infinity keep their meaning, so invalid
cells still show in the result.
"""

import math

import numpy as np

from posteriori.arrays import Array, Integers
from posteriori.backends.compiled.compiler import njit
from posteriori.backends.compiled.exponential import exp_of_negative
from posteriori.backends.compiled.prefetch import fetch_rows

_FAST = {"reassoc", "contract", "nsz"}
#: Rows that pass through a kernel together: few enough that memory is read during the arithmetic.
_TILE = 16
#: How many rows ahead memory is prefetched.
_AHEAD = 64


@njit(nogil=True, cache=True, fastmath=_FAST)
def _predictors(
    X: Array, centre: Array, weights: Array, intercept: float, first: int, m: int, eta: Array, ahead: int
) -> None:
    """Write eta of m rows from `first` on, four rows at a time; prefetch the rows `ahead` of them if it is not 0."""
    whole = m - m % 4
    for t in range(0, whole, 4):
        i = first + t
        if ahead > 0:
            fetch_rows(X, i + ahead, i + ahead + 4)
        e0, e1, e2, e3 = 0.0, 0.0, 0.0, 0.0
        for j in range(X.shape[1]):
            c, w = centre[j], weights[j]
            e0 += (X[i, j] - c) * w
            e1 += (X[i + 1, j] - c) * w
            e2 += (X[i + 2, j] - c) * w
            e3 += (X[i + 3, j] - c) * w
        eta[t], eta[t + 1] = intercept + e0, intercept + e1
        eta[t + 2], eta[t + 3] = intercept + e2, intercept + e3
    for t in range(whole, m):
        e = 0.0
        for j in range(X.shape[1]):
            e += (X[first + t, j] - centre[j]) * weights[j]
        eta[t] = intercept + e


@njit(nogil=True, cache=True, fastmath=_FAST)
def _add_rows(X: Array, centre: Array, score: Array, first: int, m: int, gradient: Array) -> None:
    """Add score times centred row of m rows from `first` on, four rows at a time."""
    whole = m - m % 4
    for t in range(0, whole, 4):
        i = first + t
        s0, s1, s2, s3 = score[t], score[t + 1], score[t + 2], score[t + 3]
        for j in range(X.shape[1]):
            c = centre[j]
            pair = s0 * (X[i, j] - c) + s1 * (X[i + 1, j] - c)
            gradient[j] += pair + (s2 * (X[i + 2, j] - c) + s3 * (X[i + 3, j] - c))
    for t in range(whole, m):
        for j in range(X.shape[1]):
            gradient[j] += score[t] * (X[first + t, j] - centre[j])


@njit(nogil=True, cache=True, fastmath=_FAST)
def logit_slope(
    X: Array, centre: Array, weights: Array, intercept: float, counts: Array, offset: Array
) -> tuple[float, float, Array, float]:
    """Return loss, sum of residuals, gradient over centred columns, and least odds of a wrong class.

    The logistic loss of counts (n0, n1) is n1 log(1 + exp(-eta)) + n0 log(1 + exp(eta)), its derivative
    n p - n1. A few rows at a time stay in the first-level cache from predictor to gradient, so that memory is read
    once. Book: [Jordan] Eq. 7.62-7.64, §7.3.1.
    """
    gradient = np.zeros(X.shape[1])
    value, total, overlap = 0.0, 0.0, np.inf
    eta, small, score = np.empty(_TILE), np.empty(_TILE), np.empty(_TILE)
    size, bits = np.empty(_TILE), np.empty(_TILE, np.int64)
    for first in range(0, X.shape[0], _TILE):
        m = min(_TILE, X.shape[0] - first)
        _predictors(X, centre, weights, intercept, first, m, eta, _AHEAD)
        if offset.shape[0] > 0:
            for t in range(m):
                eta[t] += offset[first + t, 0]
        for t in range(m):
            size[t] = -abs(eta[t])
        exp_of_negative(size, bits, small, m)  # exp(|eta|) overflows past 709
        product, ones = 1.0, True
        for t in range(m):
            n0, n1, e = counts[first + t, 0], counts[first + t, 1], small[t]
            up = eta[t] >= 0
            against, favoured = (n0, n1) if up else (n1, n0)
            residual = against - (n0 + n1) * (e / (1.0 + e))
            score[t] = residual if up else -residual
            value -= against * size[t]
            total += score[t]
            overlap = min(overlap, favoured * e if favoured > 0 else against / e)
            ones &= n0 + n1 == 1.0
            product *= 1.0 + e
        if ones:  # the sum of logs of a tile is the log of a product that stays below 2^16
            value += math.log(product)
        else:
            for t in range(m):
                value += (counts[first + t, 0] + counts[first + t, 1]) * math.log1p(small[t])
        _add_rows(X, centre, score, first, m, gradient)
    return value, total, gradient, overlap


@njit(nogil=True, cache=True, fastmath=_FAST)
def logit_rooted(
    X: Array, centre: Array, inverse: Array, weights: Array, intercept: float, counts: Array, offset: Array, lead: int,
    runs: Integers,
) -> Array:  # fmt: skip
    """Return rows R of (1, z) or z, z = (x - centre) inverse, times the root of n p (1 - p): R'R is their Hessian.

    `weights` are those of x, `lead` is 1 if there is an intercept; `runs` (m, 2) has the first row and the row after
    the last of each run of rows. Book: [Jordan] Eq. 7.72-7.74, §7.3.1.
    """
    d = X.shape[1]
    rows = np.empty(((runs[:, 1] - runs[:, 0]).sum(), d + lead))
    eta, size, small, bits = np.empty(_TILE), np.empty(_TILE), np.empty(_TILE), np.empty(_TILE, np.int64)
    out = 0
    for run in range(len(runs)):
        for first in range(runs[run, 0], runs[run, 1], _TILE):
            m = min(_TILE, runs[run, 1] - first)
            _predictors(X, centre, weights, intercept, first, m, eta, 0)
            for t in range(m):
                size[t] = -abs(eta[t] + offset[first + t, 0]) if offset.shape[0] > 0 else -abs(eta[t])
            exp_of_negative(size, bits, small, m)
            for t in range(m):
                i, e = first + t, small[t]
                root = math.sqrt((counts[i, 0] + counts[i, 1]) * e) / (1.0 + e)
                if lead:
                    rows[out, 0] = root
                for j in range(d):
                    rows[out, lead + j] = (X[i, j] - centre[j]) * (inverse[j] * root)
                out += 1
    return rows


@njit(nogil=True, cache=True, fastmath={"contract"})
def softmax_middle(eta: Array, counts: Array) -> tuple[float, Array, float]:
    """Return loss, scores (n, K) and least odds of a wrong class of rows of K predictors.

    For the most probable class 1 - p is the sum of the others, so that no digit is lost.
    Book: [Bishop] Eq. 4.108-4.109, §4.3.4.
    """
    n, K = eta.shape
    score = np.empty((n, K))
    value, overlap = 0.0, np.inf
    shifted, powers = np.empty(_TILE * K), np.empty(_TILE * K)
    bits, tops = np.empty(_TILE * K, np.int64), np.empty(_TILE, np.int64)
    for first in range(0, n, _TILE):
        m = min(_TILE, n - first)
        for t in range(m):
            top = 0
            for k in range(1, K):
                top = k if eta[first + t, k] > eta[first + t, top] else top
            tops[t] = top
            for k in range(K):
                shifted[t * K + k] = eta[first + t, k] - eta[first + t, top]
        exp_of_negative(shifted, bits, powers, m * K)
        for t in range(m):
            i, top, at = first + t, tops[t], t * K
            rest, total, observed, least = 0.0, 0.0, 0, np.inf
            for k in range(K):
                rest += 0.0 if k == top else powers[at + k]
                total += counts[i, k]
                observed += counts[i, k] > 0
                least = min(least, counts[i, k]) if counts[i, k] > 0 else least
            whole = 1.0 + rest
            tail = math.log1p(rest)
            for k in range(K):
                c, e = counts[i, k], powers[at + k]
                if c > 0:
                    value += c * (tail - shifted[at + k])
                if k == top:
                    score[i, k] = (total - c) - total * (rest / whole)
                else:
                    score[i, k] = total * (e / whole) - c
                if c == 0 or observed > 1:
                    overlap = min(overlap, least * (e / rest if k == top else e / (whole - e)))
            if math.isnan(tail):
                value += tail  # a NaN among the predictors shows in the loss
    return value, score, overlap


#: Loss and gradient in one pass over the rows, by link.
SLOPES = {"logit": logit_slope}
#: Rows times the square root of their curvature, by link.
ROOTED = {"logit": logit_rooted}
#: Loss and scores from predictors that BLAS computes, by link.
MIDDLES = {"softmax": softmax_middle}
