"""When a result counts: one accurate function for everybody's objective, or equal probabilities."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_expit, logsumexp

from benchmarks.data import Rows
from benchmarks.job import Verdict

Array = NDArray[np.float64]

#: How much higher than a peer's our objective per row may be.
OBJECTIVE_SLACK = 1e-9
#: How far our probabilities may be from a peer's where both define the same model.
PROBABILITY_SLACK = 1e-8
#: Rows at a time, so that judging needs little memory.
CHUNK = 100_000


@dataclass(frozen=True)
class Coefficients:
    """A fitted linear model: coef (1, d) or (K, d), intercept (1,) or (K,)."""

    coef: Array
    intercept: Array


def coefficients(model: Any) -> Coefficients:
    """Read the coefficients of a model with scikit-learn's attributes."""
    return Coefficients(np.atleast_2d(model.coef_), np.atleast_1d(model.intercept_))


def objective(rows: Rows, w: Coefficients, precision: float) -> float:
    """Give (minus the log likelihood + precision |coef|^2 / 2) / n, computed alike for everybody."""
    total = 0.5 * precision * float((w.coef**2).sum())
    for start in range(0, len(rows.y), CHUNK):
        part = slice(start, start + CHUNK)
        total += _loss(rows.X[part] @ w.coef.T + w.intercept, rows.y[part])
    return total / len(rows.y)


def _loss(eta: Array, y: NDArray[np.intp]) -> float:
    if eta.shape[1] == 1:
        return -float(log_expit(np.where(y == 1, eta[:, 0], -eta[:, 0])).sum())
    return float((logsumexp(eta, axis=1) - eta[np.arange(len(y)), y]).sum())


def no_worse(precision: float) -> Callable[[Rows, Any, Any], Verdict]:
    """Judge two linear models by their penalised objectives: ours may not be higher."""

    def judge(rows: Rows, ours: Any, theirs: Any) -> Verdict:
        mine = objective(rows, coefficients(ours), precision)
        excess = mine - objective(rows, coefficients(theirs), precision)
        where = "above" if excess > 0 else "below"
        return Verdict(excess <= OBJECTIVE_SLACK, f"objective {mine:.10f}, {abs(excess):.1e} {where} the peer's")

    return judge


def same_model(rows: Rows, ours: Any, theirs: Any) -> Verdict:
    """Judge two fitted models by their probabilities on the first rows."""
    some = rows.X[:10_000]
    return same_probabilities(rows, ours.predict_proba(some), theirs.predict_proba(some))


def same_probabilities(rows: Rows, ours: Array, theirs: Array) -> Verdict:
    """Judge two arrays of probabilities."""
    apart = float(np.abs(ours - theirs).max())
    return Verdict(apart <= PROBABILITY_SLACK, f"probabilities within {apart:.1e} of the peer's")
