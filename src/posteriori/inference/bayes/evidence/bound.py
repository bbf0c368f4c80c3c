"""A precision under which the Gaussian holds: where Laplace's evidence misleads, the top of a bound from below."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from posteriori.arrays import Array
from posteriori.inference.bayes.evidence.rows import EvidenceRows
from posteriori.inference.bayes.evidence.search import Bounds, Slope
from posteriori.inference.bayes.laplace_error import Excess, excess_of
from posteriori.inference.bayes.posterior import GaussianPosterior

#: Log precisions searched to either side of a guess.
REACH = 1.0
#: Excess for each coefficient, about which the top of the bound is to be found.
USUAL = 0.25
#: Steps of the log precision that is taken: one per cent of the precision. The bound is flat there, and rows in another
#: order find the same step.
DIGITS = 2


@dataclass(frozen=True)
class Held:
    """Where a search was led to, once the Gaussian at its end was looked at.

    Parameters
    ----------
    best : log precisions taken, the Laplace evidence there, and the slope of what was maximised
    reason : why they were taken, in a sentence
    first : log precisions of largest Laplace evidence
    excess : of the Gaussian there, if it was looked at
    """

    best: Slope
    reason: str
    first: Array
    excess: Excess | None


def held(rows: EvidenceRows, best: Slope, reason: str, bounds: Bounds) -> Held:
    """Keep the precisions of largest Laplace evidence if the posterior there is about Gaussian; else raise them.

    Raised, all by one factor, to the top of E_q[log p(D, w) - log q(w)], q the Gaussian at the mode: the true log
    evidence is nowhere below it. Where the Gaussian holds it is Laplace's, less next to nothing; where q reaches out of
    the coefficients that fit the rows it falls steeply. Of Laplace's own evidence under separation nothing of the kind
    can be said: the true one grows towards precision zero, to the share of all directions that separate.
    """
    if rows.rho is None or not np.array_equal(rows.rho, best.rho):
        rows(best.rho, 1e-10)
    measured = excess_at(rows)
    free = best.rho < bounds[1]
    if not measured.large or not free.any():
        return Held(best, reason, best.rho, measured)
    room = bounds[1] - float(best.rho[free].max())
    seen: list[tuple[float, float]] = []
    usual = USUAL * measured.n_coefficients

    def at(step: float) -> Array:
        return np.where(free, best.rho + step, best.rho)

    def look(step: float) -> tuple[float, float]:
        """Give the bound after a step, and the log of the excess there in units of the usual one."""
        found = rows(at(step), 1e-6)
        excess = excess_at(rows).excess if np.isfinite(found.value) else np.inf
        seen.append((step, found.value - excess))
        return seen[-1][1], float(np.log(max(excess, 1e-3 * usual) / usual))

    guess = _guess(lambda step: look(step)[1], float(np.log(measured.excess / usual)), room)
    step = round(_lowest(lambda step: min(-look(step)[0], 1e12), guess, room), DIGITS)
    slope = np.full(best.rho.shape, _slope(seen, step))
    found = rows(at(step), 1e-10)
    why = "it maximises, to one per cent, the lower bound on the log evidence that the Gaussian approximation gives"
    return Held(Slope(found.rho, found.value, slope), why, best.rho, measured)


def excess_at(rows: EvidenceRows) -> Excess:
    """Look at the Gaussian about the last mode found."""
    assert rows.at is not None
    objective = rows.objective
    root = np.linalg.cholesky(rows.at.inverse).T.astype(np.float64, copy=False)
    w = rows.w.reshape(objective.link.n_scores, -1)
    rows.sweeps += 1
    return excess_of(objective.engine, GaussianPosterior(objective.units, w, root, objective.prior, None))


def _guess(height: Callable[[float], float], first: float, room: float) -> float:
    """Give about the step at which a falling function, `first` at step 0 and convex or nearly straight, is zero."""
    low, high = (0.0, first), (0.0, first)
    step = min(first, room)  # as if the excess went as one over the precision
    for _ in range(4):
        found = height(step)
        low, high = high, (step, found)
        if abs(found) < REACH / 2 or found == low[1]:
            break
        step = float(np.clip(high[0] - found * (high[0] - low[0]) / (found - low[1]), 0.0, room))
    return step


def _lowest(fall: Callable[[float], float], guess: float, room: float) -> float:
    """Give the step of least `fall` between 0 and `room`: parabolas and golden sections about a guess."""
    for _ in range(8):
        low, high = max(guess - REACH, 0.0), min(guess + REACH, room)
        step = float(minimize_scalar(fall, bounds=(low, high), method="bounded", options={"xatol": 3e-3}).x)
        inside = (step > low + 0.01 or low == 0.0) and (step < high - 0.01 or high == room)
        if inside:
            break
        guess = step
    return step


def _slope(seen: list[tuple[float, float]], step: float) -> float:
    """Give the slope at a step of the parabola through the three points about it."""
    near = sorted({round(t, 9): value for t, value in seen}.items(), key=lambda each: abs(each[0] - step))[:3]
    if len(near) < 3:
        return 0.0
    (a, fa), (b, fb), (c, fc) = near
    first, second = (fb - fa) / (b - a), (fc - fb) / (c - b)
    return float(first + (second - first) / (c - a) * (2.0 * step - a - b))
