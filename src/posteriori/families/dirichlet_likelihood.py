"""`concentrations`: maximum likelihood in Dirichlet densities, from mean logarithms alone."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import polygamma

from posteriori.arrays import Array
from posteriori.families.gamma_function import log_less_digamma, stirling

#: A spread below so many roundings of the mean logarithms is none.
NO_SPREAD = 64.0 * np.finfo(np.float64).eps


def spreads(logs: Array) -> Array:
    """Give -log sum_j exp(mean log x_j), (...,): zero where all rows are equal, else above.

    >>> spreads(np.log(np.array([[0.25, 0.75], [0.2, 0.4]]))).round(3).tolist()
    [0.0, 0.511]
    """
    top = logs.max(axis=-1)
    lag: Array = -(top + np.log(np.exp(logs - top[..., None]).sum(axis=-1)))
    return np.where(lag > NO_SPREAD * (1.0 - logs.min(axis=-1)), lag, 0.0)


def concentrations(weight: Array, logs: Array) -> Array:
    """Give the Dirichlet parameters alpha (K, ..., J) of every class.

    A class without rows is given those of all rows; a class without spread keeps its mean and takes the
    precision sum_j alpha_j of the variances pooled over the classes; without any it is infinite.

    Parameters
    ----------
    weight : (K, ...) of each class
    logs : (K, ..., J) mean logarithms of the parts
    """
    total = weight.sum(axis=0)
    share = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
    logs = np.where(weight[..., None] > 0, logs, (share[..., None] * logs).sum(axis=0))
    spread = spreads(logs) > 0
    alpha = np.ones_like(logs)
    if spread.any():
        alpha[spread] = most_likely(logs[spread])
    tightness = np.where(spread, 1.0 / alpha.sum(axis=-1), 0.0)
    pooled = (share * tightness).sum(axis=0)
    precision = np.divide(1.0, pooled, out=np.full(pooled.shape, np.inf), where=pooled > 0)
    parts = np.exp(logs - np.log(np.exp(logs).sum(axis=-1, keepdims=True)))
    return np.where(spread[..., None], alpha, precision[..., None] * parts)


def most_likely(logs: Array) -> Array:
    """Solve psi(alpha_j) - psi(sum alpha) = mean log x_j by Newton's method, for each row of logs (m, J).

    The Hessian is diagonal plus a constant, so that a step costs J (Minka 2000, Estimating a Dirichlet
    distribution). Steps that leave the domain or lower the likelihood are halved; the likelihood is concave.

    >>> most_likely(np.array([[-1.0, -1.0]])).round(12).tolist()
    [[1.0, 1.0]]
    """
    parts: Array = np.exp(logs - logs.max(axis=1, keepdims=True))
    whole = (logs.shape[1] - 1) / (2.0 * spreads(logs))[:, None]  # right where alpha is large
    alpha: Array = np.maximum(parts / parts.sum(axis=1, keepdims=True) * whole, 0.5 / (1.0 - logs))
    height = _height(alpha, logs)
    for _ in range(200):
        step = _newton_step(alpha, logs)
        rounding = 4.0 * np.finfo(np.float64).eps * (1.0 + alpha.sum(axis=1))  # of the logs, as it moves alpha
        if (np.abs(step / alpha).max(axis=1) < rounding).all():
            break
        alpha, height = _climbed(alpha, step, logs, height)
    return alpha


def _newton_step(alpha: Array, logs: Array) -> Array:
    whole = alpha.sum(axis=1, keepdims=True)
    share = np.log(alpha / whole)
    gradient = logs - share + log_less_digamma(alpha) - log_less_digamma(whole)
    bend, common = polygamma(1, alpha), polygamma(1, whole)
    shift = (gradient / bend).sum(axis=1, keepdims=True) / (1.0 / common - (1.0 / bend).sum(axis=1, keepdims=True))
    step: Array = (gradient + shift) / bend
    return step


def _climbed(alpha: Array, step: Array, logs: Array, height: Array) -> tuple[Array, Array]:
    """Take the longest of the steps 1, 1/2, 1/4, … that stays positive and climbs, to rounding."""
    length = np.ones(len(alpha))
    for _ in range(60):
        new = alpha + length[:, None] * step
        inside: NDArray[np.bool_] = np.all(new > 0, axis=1)
        reached = np.where(inside, _height(np.where(inside[:, None], new, alpha), logs), -np.inf)
        short = reached < height - 1e-12 * (1.0 + np.abs(height))
        if not short.any():
            break
        length = np.where(short, 0.5 * length, length)
    return np.where(short[:, None], alpha, new), np.where(short, height, reached)


def _height(alpha: Array, logs: Array) -> Array:
    """Give the mean log likelihood of each row, about alpha / sum alpha, where its large terms cancel exactly."""
    whole = alpha.sum(axis=1, keepdims=True)
    away = alpha * (logs - np.log(alpha / whole)) - stirling(alpha)
    height: Array = away.sum(axis=1) + stirling(whole)[:, 0]
    return height
