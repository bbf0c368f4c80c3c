"""Prior shift: posteriors under class priors other than those of training, and estimation of the new priors."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import nnls

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.models.bayes_rule import log_posterior
from posteriori.storable import storable

#: Largest number of iterations, and the bound on the missing log likelihood at convergence.
MOST, GAP = 1_000, 1e-8


def shift(log_probabilities: Array, training: Array, new: Array) -> Array:
    """Return log P'(k | x), where P'(k | x) is proportional to P(k | x) pi'_k / pi_k.

    The densities p(x | k) are those of training; only the priors differ.

    Book: [Bishop] Eq. 4.62, §4.2; Saerens, Latinne & Decaestecker (2002), Eq. 2.4.

    Parameters
    ----------
    log_probabilities : (n, K) under the training priors
    training, new : (K,) pi and pi'; a class of either at zero is never predicted

    Returns
    -------
    (n, K); all -inf for a row whose every class of positive prior is impossible

    Examples
    --------
    >>> np.exp(shift(np.log([[0.5, 0.5]]), np.array([0.5, 0.5]), np.array([0.25, 0.75]))).round(12).tolist()
    [[0.25, 0.75]]
    """
    return log_posterior(log_probabilities + _log_ratio(training, new))


def _log_ratio(training: Array, new: Array) -> Array:
    ratio: Array = np.full(len(new), -np.inf)
    both = (training > 0) & (new > 0)
    ratio[both] = np.log(new[both]) - np.log(training[both])
    return ratio


@storable
@dataclass(frozen=True)
class Adaptation:
    """Class priors estimated from rows without labels, and the certificate of the estimate.

    Parameters
    ----------
    priors : (K,)
    log_likelihood : of the rows, relative to that under the training priors
    gap : bound on how far it is below its maximum
    iterations : steps taken
    converged : whether the gap is below the tolerance
    """

    priors: Array
    log_likelihood: float
    gap: float
    iterations: int
    converged: bool

    def check(self, where: str) -> None:
        """Raise unless the priors are a distribution."""
        require.sums_to_one(self.priors, f"{where}.priors")


def estimate_priors(log_probabilities: Array, training: Array, weights: Array | None = None) -> Adaptation:
    """Estimate class priors from rows without labels by maximum likelihood.

    With r_k(x) = P(k | x) / pi_k, proportional to p(x | k), they maximise the concave function

        L(pi') = sum_n s_n log sum_k pi'_k r_k(x_n)

    by the EM steps pi'_k <- pi'_k g_k, with g_k = (1/N) sum_n s_n r_k(x_n) / sum_j pi'_j r_j(x_n), the mean posterior
    of class k (Saerens et al. 2002, Eq. 2.7-2.9). EM is slow where classes overlap, so each EM step follows a
    Newton step where that increases L. By concavity L is at most N (max_k g_k - 1) below its maximum, and this bound
    decides convergence.

    Parameters
    ----------
    log_probabilities : (n, K) log P(k | x) under the training priors
    training : (K,) those priors; a class at zero stays there
    weights : (n,) s_n

    Examples
    --------
    >>> logs = np.log([[0.9, 0.1], [0.1, 0.9], [0.1, 0.9], [0.1, 0.9]])
    >>> estimate_priors(logs, np.array([0.5, 0.5])).priors.round(6).tolist()
    [0.1875, 0.8125]
    """
    present = np.flatnonzero(training > 0)
    logs = log_probabilities[:, present] - np.log(training[present])
    top = logs.max(axis=1)
    possible = np.isfinite(top)
    ratios = np.exp(logs[possible] - top[possible, None])
    weight = np.ones(len(ratios)) if weights is None else weights[possible]
    priors = np.zeros(len(training))
    priors[present], gap, steps = _maximize(ratios, weight, training[present] / training[present].sum())
    gain = _likelihood(ratios, weight, priors[present]) - _likelihood(ratios, weight, training[present])
    return Adaptation(priors, gain, gap, steps, gap <= _tolerance(weight))


def _maximize(ratios: Array, weight: Array, priors: Array) -> tuple[Array, float, int]:
    """Alternate Newton steps, where they increase L, and EM steps, which always do, until the bound is small enough."""
    gap, steps = _bound(ratios, weight, priors), 0
    while gap > _tolerance(weight) and steps < MOST:
        priors = _along(ratios, weight, priors, _newton(ratios, weight, priors))
        priors = priors * _gradient(ratios, weight, priors)
        priors = priors / priors.sum()
        gap, steps = _bound(ratios, weight, priors), steps + 1
    return priors, gap, steps


def _tolerance(weight: Array) -> float:
    """Return the bound at which to stop: no less than the rounding error of a sum over the rows."""
    return max(GAP, 1e-14 * float(weight.sum()))


def _likelihood(ratios: Array, weight: Array, priors: Array) -> float:
    with np.errstate(divide="ignore"):
        return float(weight @ np.log(ratios @ priors))


def _gradient(ratios: Array, weight: Array, priors: Array) -> Array:
    """Return g_k: at the maximum 1 for every class of positive prior, and at most 1 for the others."""
    gradient: Array = (weight / (ratios @ priors)) @ ratios / weight.sum()
    return gradient


def _bound(ratios: Array, weight: Array, priors: Array) -> float:
    return float(weight.sum() * max(_gradient(ratios, weight, priors).max() - 1.0, 0.0))


def _newton(ratios: Array, weight: Array, priors: Array) -> Array:
    """Return the Newton iterate for L(pi')/N - sum_k pi'_k, whose maximum over pi' >= 0 is that on the simplex.

    The quadratic model, with gradient g - 1 and curvature -H, is maximal over y >= 0 where |U y - U^-T (2 g - 1)| is
    least, U'U = H (as H pi' = g): non-negative least squares. A prior may become zero and positive again.
    """
    posterior = ratios / (ratios @ priors)[:, None]
    slope = weight @ posterior / weight.sum()
    curvature = (posterior * weight[:, None]).T @ posterior / weight.sum()
    # classes with proportional densities on these rows make H singular; the ridge selects a step
    ridge = 1e-14 * np.trace(curvature) * np.eye(len(priors))
    try:
        lower = np.linalg.cholesky(curvature + ridge)
        aim: Array = nnls(lower.T, solve_triangular(lower, 2.0 * slope - 1.0, lower=True))[0]
    except (np.linalg.LinAlgError, RuntimeError):
        return priors
    return aim


def _along(ratios: Array, weight: Array, priors: Array, aim: Array) -> Array:
    """Return a point towards `aim` with a larger L by halving the step; `priors` itself where there is none."""
    here = _likelihood(ratios, weight, priors)
    for length in 0.5 ** np.arange(12):
        ahead: Array = priors + length * (aim - priors)
        ahead = ahead / float(ahead.sum())
        if _likelihood(ratios, weight, ahead) > here:
            return ahead
    return priors
