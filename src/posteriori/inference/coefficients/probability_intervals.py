"""Confidence intervals of predicted probabilities, computed on the scale of the linear predictor."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logsumexp

from posteriori.arrays import Array
from posteriori.checks.levels import quantile
from posteriori.designs.design import DenseDesign
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.validity import IDENTIFIED
from posteriori.linalg.scaled_products import in_powers
from posteriori.sweeps.information import unit_scores
from posteriori.tables.block import Block


def probability_intervals(fitted: Fitted, covariance: Array, block: Block, level: float) -> Array:
    """Return the bounds of each class's probability for the rows of a block, (n, K, 2).

    Two classes: the interval of eta through the link, exact if eta is normal. More: the delta method on the log odds of
    each class against the rest, whose gradient in eta_j is (1 if j = k else -p_j / (1 - p_k)), so bounds stay between 0
    and 1. Where the linear predictor of a row has no finite, unique estimate, the bounds are 0 and 1.

    Book: [Bishop] §4.5.2 (the variance of eta, x'Sx).
    """
    design = fitted.units.design(block.dense())
    assert isinstance(design, DenseDesign)
    eta = design.scores(fitted.w)
    eta = eta if block.offset is None else eta + block.offset
    bounds = _through_link(fitted, design.rows, eta, covariance, quantile(level))
    bounds[~_identified(fitted, design.rows)] = (0.0, 1.0)
    return bounds


def variances(rows: Array, covariance: Array, n_scores: int) -> Array:
    """Return the covariance of the linear predictors of each row, (n, q, q): x'S_ab x."""
    p = rows.shape[1]
    blocks = covariance.reshape(n_scores, p, n_scores, p)
    whole = np.empty((len(rows), n_scores, n_scores))
    for a in range(n_scores):
        for b in range(a, n_scores):
            whole[:, a, b] = whole[:, b, a] = np.einsum("np,np->n", rows @ blocks[a, :, b, :], rows)
    return whole


def _through_link(fitted: Fitted, rows: Array, eta: Array, covariance: Array, z: float) -> Array:
    link = fitted.link
    rows, sizes = in_powers(rows)
    variance = variances(rows, covariance, link.n_scores)
    if link.n_classes == 2:
        reach = z * sizes[:, None] * np.sqrt(np.maximum(variance[:, 0], 0.0))
        low, high = np.exp(link.log_probabilities(eta - reach)), np.exp(link.log_probabilities(eta + reach))
        return np.stack([np.minimum(low, high), np.maximum(low, high)], axis=2)
    log_p = link.log_probabilities(eta)
    gradients = -unit_scores(link, eta)  # of log p_k, (n, K, q)
    bounds = np.empty((*log_p.shape, 2))
    for k in range(link.n_classes):
        log_rest = logsumexp(np.delete(log_p, k, axis=1), axis=1)
        gradient = gradients[:, k] / np.exp(log_rest)[:, None]
        reach = z * sizes * np.sqrt(np.maximum(np.einsum("na,nab,nb->n", gradient, variance, gradient), 0.0))
        odds = log_p[:, k] - log_rest
        bounds[:, k] = np.stack([expit(odds - reach), expit(odds + reach)], axis=1)
    return bounds


def _identified(fitted: Fitted, rows: Array) -> NDArray[np.bool_]:
    """Return whether the linear predictor of each row has a finite, unique estimate, (n,)."""
    null = fitted.information.null
    along = np.einsum("np,apm->nam", rows, null.reshape(len(fitted.w), rows.shape[1], null.shape[1]))
    largest = np.abs(along).max(axis=(1, 2), initial=0.0)
    identified: NDArray[np.bool_] = largest <= IDENTIFIED * np.linalg.norm(rows, axis=1)
    return identified
