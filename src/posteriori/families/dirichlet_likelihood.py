"""`concentrations`: maximum likelihood for Dirichlet densities, from mean logarithms alone."""

import numpy as np
from scipy.special import polygamma

from posteriori.arrays import Array, Mask
from posteriori.families.gamma_function import log_less_digamma, stirling
from posteriori.linalg.quotients import proportions
from posteriori.statistics.means import Means

#: A deficit below this many roundings of the mean logarithms is zero.
ROUNDINGS = 64.0 * np.finfo(np.float64).eps


def log_deficit(logs: Array) -> Array:
    """Return -log sum_j exp(mean log x_j), (...,): zero if all rows are equal, else positive.

    >>> log_deficit(np.log(np.array([[0.25, 0.75], [0.2, 0.4]]))).round(3).tolist()
    [0.0, 0.511]
    """
    top = logs.max(axis=-1)
    deficit: Array = -(top + np.log(np.exp(logs - top[..., None]).sum(axis=-1)))
    return np.where(deficit > ROUNDINGS * (1.0 - logs.min(axis=-1)), deficit, 0.0)


def concentrations(weight: Array, logs: Array) -> Array:
    """Return the Dirichlet parameters alpha (K, ..., J) of every class.

    A class without rows takes those of all rows. A class whose rows are equal keeps its mean and takes the
    precision sum_j alpha_j that belongs to the pooled variance; if that is zero too, the precision is infinite.

    Parameters
    ----------
    weight : (K, ...) of each class
    logs : (K, ..., J) mean logarithms of the parts
    """
    proportion = proportions(weight)
    logs = np.where(weight[..., None] > 0, logs, (proportion[..., None] * logs).sum(axis=0))
    varies = log_deficit(logs) > 0
    alpha = np.ones_like(logs)
    if varies.any():
        alpha[varies] = maximize_likelihood(logs[varies])
    variance = np.where(varies, 1.0 / alpha.sum(axis=-1), 0.0)
    pooled = (proportion * variance).sum(axis=0)
    precision = np.divide(1.0, pooled, out=np.full(pooled.shape, np.inf), where=pooled > 0)
    parts = np.exp(logs - np.log(np.exp(logs).sum(axis=-1, keepdims=True)))
    return np.where(varies[..., None], alpha, precision[..., None] * parts)


def maximize_likelihood(logs: Array) -> Array:
    """Solve psi(alpha_j) - psi(sum alpha) = mean log x_j by Newton's method, for each row of logs (m, J).

    The Hessian is diagonal plus a constant, so that a step costs J (Minka 2000, Estimating a Dirichlet
    distribution). Steps that leave the domain or lower the likelihood are halved; the likelihood is concave.

    >>> maximize_likelihood(np.array([[-1.0, -1.0]])).round(12).tolist()
    [[1.0, 1.0]]
    """
    parts: Array = np.exp(logs - logs.max(axis=1, keepdims=True))
    whole = (logs.shape[1] - 1) / (2.0 * log_deficit(logs))[:, None]  # asymptotically right for large alpha
    alpha: Array = np.maximum(parts / parts.sum(axis=1, keepdims=True) * whole, 0.5 / (1.0 - logs))
    value = _log_likelihood(alpha, logs)
    for _ in range(200):
        step = _newton_step(alpha, logs)
        rounding = 4.0 * np.finfo(np.float64).eps * (1.0 + alpha.sum(axis=1))  # of the logs, as it moves alpha
        if (np.abs(step / alpha).max(axis=1) < rounding).all():
            break
        alpha, value = _line_search(alpha, step, logs, value)
    return alpha


def _newton_step(alpha: Array, logs: Array) -> Array:
    whole = alpha.sum(axis=1, keepdims=True)
    log_mean = np.log(alpha / whole)
    gradient = logs - log_mean + log_less_digamma(alpha) - log_less_digamma(whole)
    curvature, common = polygamma(1, alpha), polygamma(1, whole)
    inverse = (1.0 / curvature).sum(axis=1, keepdims=True)
    shift = (gradient / curvature).sum(axis=1, keepdims=True) / (1.0 / common - inverse)
    return np.asarray((gradient + shift) / curvature)


def _line_search(alpha: Array, step: Array, logs: Array, value: Array) -> tuple[Array, Array]:
    """Take the longest of the steps 1, 1/2, 1/4, … that keeps alpha positive and raises the likelihood, to rounding."""
    length = np.ones(len(alpha))
    for _ in range(60):
        new = alpha + length[:, None] * step
        positive: Mask = np.all(new > 0, axis=1)
        reached = np.where(positive, _log_likelihood(np.where(positive[:, None], new, alpha), logs), -np.inf)
        lower = reached < value - 1e-12 * (1.0 + np.abs(value))
        if not lower.any():
            break
        length = np.where(lower, 0.5 * length, length)
    return np.where(lower[:, None], alpha, new), np.where(lower, value, reached)


def _log_likelihood(alpha: Array, logs: Array) -> Array:
    """Return the mean log likelihood of each row, about alpha / sum alpha, where its large terms cancel exactly."""
    whole = alpha.sum(axis=1, keepdims=True)
    terms = alpha * (logs - np.log(alpha / whole)) - stirling(alpha)
    return np.asarray(terms.sum(axis=1) + stirling(whole)[:, 0])


def log_means_inconsistency(statistics: Means) -> tuple[str, str] | None:
    """Return why statistics cannot be means of logarithms of proportions; None if they can."""
    return (".mean", "has logarithms of proportions above 1") if (statistics.mean > 0).any() else None
