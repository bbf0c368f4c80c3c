"""On-line gradient steps, one per row, compiled; the results equal those of `backends.arrays.online` to the bit."""

import math
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.backends.compiled.compiler import njit


@njit(nogil=True, cache=True)
def visit(
    link: int, reference: int, rows: Array, counts: Array, offset: Array, anchors: Array, mean: Array, steps: Array,
    blend: Array, gain: Array, cap: float, precision: Array, centre: Array, shares: Array, limit: float, w: Array,
    average: Array,
) -> None:  # fmt: skip
    """Take one gradient step for each row, in order; w and average are changed in place."""
    q, p = w.shape
    score, pull = np.empty(q), np.zeros((q, p))
    odds = np.empty(counts.shape[1])
    for i in range(rows.shape[0]):
        step = _capped(steps[i], cap, counts, rows, i)
        for k in range(q):
            total = offset[i, k] if offset.shape[0] else 0.0
            for j in range(p):
                total += w[k, j] * rows[i, j]
            score[k] = total
        if link == 0:
            score[0] = _logit(score[0], counts[i, 0], counts[i, 1])
        else:
            _softmax(score, counts, i, reference, odds)
        if anchors.shape[0]:
            for k in range(q):
                score[k] -= anchors[i, k]
        if precision.shape[0]:
            _pull(pull, step, gain, shares[i], precision, centre, limit, w)
        for k in range(q):
            for j in range(p):
                move = step * gain[k, j] * (score[k] * rows[i, j] + mean[k, j])
                if precision.shape[0]:
                    move += pull[k, j]
                w[k, j] -= move
                average[k, j] += blend[i] * (w[k, j] - average[k, j])


@njit(nogil=True, cache=True)
def _capped(step: float, cap: float, counts: Array, rows: Array, i: int) -> Any:
    """Return the step, at most as long as the cap allows."""
    if cap == np.inf:
        return step
    weight, reach = 0.0, 0.0
    for k in range(counts.shape[1]):
        weight += counts[i, k]
    for j in range(rows.shape[1]):
        reach += rows[i, j] * rows[i, j]
    reach = weight * reach
    return min(step, cap / reach) if reach > 0.0 else step


@njit(nogil=True, cache=True)
def _pull(
    pull: Array, step: float, gain: Array, share: float, precision: Array, centre: Array, limit: float, w: Array
) -> None:
    """Write the part of a step that comes from the prior."""
    q, p = w.shape
    for k in range(q):
        for j in range(p):
            a = k * p + j
            length = step * gain[k, j] * share
            if precision.shape[0] == 1:
                pull[k, j] = min(length * precision[0, a], 1.0) * (w[k, j] - centre[a])
                continue
            total = precision[a, 0] * (w[0, 0] - centre[0])
            for b in range(1, q * p):
                total += precision[a, b] * (w[b // p, b % p] - centre[b])
            pull[k, j] = min(length, limit) * total


@njit(nogil=True, cache=True)
def _logit(eta: float, n0: float, n1: float) -> Any:
    """Return n p - n1, computed from the smaller of p and 1 - p."""
    small = math.exp(-abs(eta))
    minor = small * (1.0 / (1.0 + small))
    total = n0 + n1
    return n0 - total * minor if eta >= 0 else -(n1 - total * minor)


@njit(nogil=True, cache=True)
def _softmax(score: Array, counts: Array, i: int, reference: int, odds: Array) -> None:
    """Replace predictors by scores n p_k - n_k in place."""
    K = counts.shape[1]
    at = 0
    for k in range(K):
        if k == reference:
            odds[k] = 0.0
        else:
            odds[k] = score[at]
            at += 1
    top = odds[0]
    for k in range(1, K):
        top = max(top, odds[k])
    size, weight = 0.0, 0.0
    for k in range(K):
        odds[k] = math.exp(odds[k] - top)
        size += odds[k]
        weight += counts[i, k]
    total = weight / size
    at = 0
    for k in range(K):
        if k != reference:
            score[at] = total * odds[k] - counts[i, k]
            at += 1
