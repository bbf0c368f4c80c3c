"""A precision at which the posterior is close to Gaussian: the maximum of a lower bound of the evidence."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from posteriori.arrays import Array
from posteriori.inference.bayes.evidence.rows import EvidenceRows, EvidenceSlope
from posteriori.inference.bayes.evidence.search import Bounds
from posteriori.inference.bayes.laplace_error import Excess, excess_of
from posteriori.models.posterior.gaussian import GaussianPosterior

#: Half-width of the search about a guess, in log precision, and the typical excess per coefficient at the maximum.
REACH, TYPICAL = 1.0, 0.25
#: Decimals of the increase of the log precision: one per cent. The bound is flat at its maximum, so the rounded value
#: does not depend on the order of the rows.
DIGITS = 2


@dataclass(frozen=True)
class Choice:
    """Log precisions chosen by the Laplace evidence, or by the lower bound if the posterior is far from Gaussian.

    Parameters
    ----------
    best : log precisions, the Laplace evidence there, and the slope of the function that was maximised
    reason : why the search ended, in a sentence
    first : log precisions of largest Laplace evidence
    excess : of the Gaussian at `first`; None if it was not computed
    """

    best: EvidenceSlope
    reason: str
    first: Array
    excess: Excess | None


def checked(rows: EvidenceRows, best: EvidenceSlope, reason: str, bounds: Bounds) -> Choice:
    """Return the precisions of largest Laplace evidence if the posterior there is close to Gaussian, else larger ones.

    They are multiplied by the factor that maximises E_q[log p(D, w) - log q(w)], q the Gaussian at the mode: a lower
    bound of the true log evidence. Where the posterior is close to Gaussian the bound is close to Laplace's evidence;
    where q has mass at coefficients that do not fit the rows it is much smaller. Under separation the Laplace evidence
    itself is no guide: the true evidence increases towards precision zero.
    """
    if rows.rho is None or not np.array_equal(rows.rho, best.rho):
        rows(best.rho, 1e-10)
    excess = _excess(rows)
    free = best.rho < bounds[1]
    if not excess.large or not free.any():
        return Choice(best, reason, best.rho, excess)
    room = bounds[1] - float(best.rho[free].max())
    points: list[tuple[float, float]] = []
    typical = TYPICAL * excess.n_coefficients

    def at(step: float) -> Array:
        return np.where(free, best.rho + step, best.rho)

    def evaluate(step: float) -> tuple[float, float]:
        """Return the bound after a step, and the log of the excess in units of the typical one."""
        value = rows(at(step), 1e-6).value
        there = _excess(rows).excess if np.isfinite(value) else np.inf
        points.append((step, value - there))
        return points[-1][1], float(np.log(max(there, 1e-3 * typical) / typical))

    guess = _guess(lambda step: evaluate(step)[1], float(np.log(excess.excess / typical)), room)
    step = round(_minimum(lambda step: min(-evaluate(step)[0], 1e12), guess, room), DIGITS)
    slope = np.full(best.rho.shape, _slope(points, step))
    point = rows(at(step), 1e-10)
    why = "it maximises, to one per cent, the lower bound on the log evidence that the Gaussian approximation gives"
    return Choice(EvidenceSlope(point.rho, point.value, slope), why, best.rho, excess)


def _excess(rows: EvidenceRows) -> Excess:
    """Compute the excess of the Gaussian at the last mode."""
    assert rows.at is not None
    objective = rows.objective
    root = np.linalg.cholesky(rows.at.inverse).T.astype(np.float64, copy=False)
    w = rows.w.reshape(objective.link.n_scores, -1)
    rows.sweeps += 1
    return excess_of(objective.engine, GaussianPosterior(objective.units, w, root, objective.prior, None))


def _guess(height: Callable[[float], float], first: float, room: float) -> float:
    """Return an approximate zero of a decreasing, nearly linear or convex function of the step, `first` at step 0."""
    low, high = (0.0, first), (0.0, first)
    step = min(first, room)  # if the excess were proportional to 1 / precision
    for _ in range(4):
        value = height(step)
        low, high = high, (step, value)
        if abs(value) < REACH / 2 or value == low[1]:
            break
        step = float(np.clip(high[0] - value * (high[0] - low[0]) / (value - low[1]), 0.0, room))
    return step


def _minimum(loss: Callable[[float], float], guess: float, room: float) -> float:
    """Return the step of least loss between 0 and `room`, by Brent's method about a guess."""
    for _ in range(8):
        low, high = max(guess - REACH, 0.0), min(guess + REACH, room)
        step = float(minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 3e-3}).x)
        if (step > low + 0.01 or low == 0.0) and (step < high - 0.01 or high == room):
            break
        guess = step
    return step


def _slope(points: list[tuple[float, float]], step: float) -> float:
    """Return the slope at a step of the parabola through the three nearest points."""
    near = sorted({round(t, 9): value for t, value in points}.items(), key=lambda each: abs(each[0] - step))[:3]
    if len(near) < 3:
        return 0.0
    (a, fa), (b, fb), (c, fc) = near
    first, second = (fb - fa) / (b - a), (fc - fb) / (c - b)
    return float(first + (second - first) / (c - a) * (2.0 * step - a - b))
