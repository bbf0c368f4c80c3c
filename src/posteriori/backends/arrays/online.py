"""On-line gradient steps, one per row, in numpy.

The results equal those of `backends.compiled.online` to the bit: every sum is added in the order of its terms, and the
caller computes every power of a step. Each step needs the weights after the one before, so this is a loop over rows;
`backends.backend.backend_for` chooses the compiled loop for all but short work.
"""

import math
from collections.abc import Callable

import numpy as np

from posteriori.arrays import Array

#: Links with a compiled loop, by number.
LOGIT, SOFTMAX = range(2)


def visit(
    link: int, reference: int, rows: Array, counts: Array, offset: Array, anchors: Array, mean: Array, steps: Array,
    blend: Array, gain: Array, cap: float, precision: Array, centre: Array, shares: Array, limit: float, w: Array,
    average: Array,
) -> None:  # fmt: skip
    """Take one gradient step for each row, in order; w and average are changed in place.

    With phi a row, s its score minus the one in `anchors`, and P the prior precision, the step of length rho is

        w <- w - rho gain (s phi' + mean) - rho gain share P (w - centre),

    and average <- average + blend (w - average). With a diagonal precision no step goes beyond the centre.

    Parameters
    ----------
    link : LOGIT or SOFTMAX; reference : the class without a score, or -1
    rows : (n, p) phi; counts : (n, K); offset : (n, q), or (0, q) for none
    anchors : (n, q), or (0, q) for none; mean : (q, p)
    steps, blend, shares : (n,) rho, the weights of the average, and the share of the prior in each row
    gain : (q, p); cap : bound on rho times weight times phi'phi
    precision : (0, q p) for none, (1, q p) for a diagonal, or (q p, q p); centre : (q p,)
    limit : bound on rho gain share with a full precision
    w, average : (q, p)
    """
    score = _logit if link == LOGIT else _softmax_of(reference)
    visit_with(
        score, rows, counts, offset, anchors, mean, steps, blend, gain, cap, precision, centre, shares, limit, w,
        average,
    )  # fmt: skip


def visit_with(
    score_of: Callable[[Array, Array], Array], rows: Array, counts: Array, offset: Array, anchors: Array, mean: Array,
    steps: Array, blend: Array, gain: Array, cap: float, precision: Array, centre: Array, shares: Array, limit: float,
    w: Array, average: Array,
) -> None:  # fmt: skip
    """Take the same steps for any link; `score_of` returns the score (q,) of predictors (q,) and counts (K,)."""
    terms = np.empty((len(w), rows.shape[1] + 1))
    for i, phi in enumerate(rows):
        step = _capped(float(steps[i]), cap, float(np.add.accumulate(counts[i])[-1]), phi)
        terms[:, 0] = offset[i] if len(offset) else 0.0
        np.multiply(w, phi, out=terms[:, 1:])
        score = score_of(np.add.accumulate(terms, axis=1)[:, -1], counts[i])
        if len(anchors):
            score = score - anchors[i]
        length = step * gain
        move = length * (score[:, None] * phi + mean)
        if len(precision):
            move += _pull(length, float(shares[i]), precision, centre, limit, w)
        w -= move
        average += blend[i] * (w - average)


def _capped(step: float, cap: float, weight: float, phi: Array) -> float:
    """Return the step, at most as long as the cap allows."""
    if cap == np.inf:
        return step
    reach = weight * float(np.add.accumulate(phi * phi)[-1])
    return min(step, cap / reach) if reach > 0.0 else step


def _pull(length: Array, share: float, precision: Array, centre: Array, limit: float, w: Array) -> Array:
    """Return the part of a step that comes from the prior, (q, p)."""
    off = w.ravel() - centre
    if len(precision) == 1:
        pull: Array = np.minimum(length.ravel() * share * precision[0], 1.0) * off
    else:
        pull = np.minimum(length.ravel() * share, limit) * np.add.accumulate(precision * off, axis=1)[:, -1]
    return pull.reshape(w.shape)


def _logit(eta: Array, counts: Array) -> Array:
    """Return n p - n1, computed from the smaller of p and 1 - p."""
    score = float(eta[0])
    small = math.exp(-abs(score))  # the C library's, as in the compiled loop
    minor = small * (1.0 / (1.0 + small))
    n0, n1 = float(counts[0]), float(counts[1])
    total = n0 + n1
    return np.array([n0 - total * minor if score >= 0 else -(n1 - total * minor)])


def _softmax_of(reference: int) -> Callable[[Array, Array], Array]:
    def score(eta: Array, counts: Array) -> Array:
        full = eta.tolist()
        if reference >= 0:
            full.insert(reference, 0.0)
        top = max(full)
        odds = np.array([math.exp(value - top) for value in full])
        total = float(np.add.accumulate(counts)[-1]) / float(np.add.accumulate(odds)[-1])
        scores: Array = total * odds - counts
        return np.delete(scores, reference) if reference >= 0 else scores

    return score
