"""The posterior of the linear predictors of rows, and intervals of their probabilities."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np
from scipy.special import expit

from posteriori.arrays import Array
from posteriori.checks.levels import quantile, tail
from posteriori.designs.design import DenseDesign
from posteriori.designs.units import Units
from posteriori.models.linear_scores import FAR, LinearScores
from posteriori.models.posterior import pearson, predictive
from posteriori.models.posterior.corrected import CorrectedPosterior
from posteriori.models.posterior.gaussian import GaussianPosterior
from posteriori.tables.block import Block

#: Cells, in units of the fit, beyond which squares may overflow.
LARGE = 2.0**400


def row_posterior(posterior: GaussianPosterior, block: Block) -> tuple[Array, Array]:
    """Return the means (n, q) of the linear predictors of a block, and their standard deviations or variances.

    Two classes: standard deviations s (n,), s^2 = x'S_N x. More: variances (n, K, K) of the differences of predictors.
    Rows of very large cells are scaled down to a size without overflow, which leaves the ratio of mean and deviation.

    Book: [Bishop] Eq. 4.149-4.150, §4.5.2 (the variance there is the mean of a^2 less that of the squared mean).
    """
    mu = LinearScores(posterior.units, posterior.w)(block)  # raises if cells are not finite
    with np.errstate(over="ignore", invalid="ignore"):
        rows = design_rows(posterior.units, block)
        far = ~(np.abs(rows).max(axis=1, initial=0.0) < LARGE)
    if not far.any():
        return mu, _variance(posterior, rows)
    units = replace(posterior.units, centre=np.ldexp(posterior.units.centre, -2 * FAR))
    small = design_rows(units, replace(block, features=np.ldexp(block.dense(), -2 * FAR)))
    if posterior.units.intercept:
        small[:, 0] = np.ldexp(1.0, -2 * FAR)
    peak = np.maximum(np.abs(small).max(axis=1, keepdims=True), 1e-300)
    rows = np.where(far[:, None], small / peak * LARGE, rows)
    mu = np.where(far[:, None], rows @ posterior.w.T, mu)
    return mu, _variance(posterior, rows)


def averaging(how: str, n_scores: int, seed: int) -> Callable[[Array, Array], Array]:
    """Return the function from the posterior of linear predictors to log predictive probabilities, (n, K)."""
    if how == "sampling":
        draws = predictive.normal_draws(n_scores, seed)
        if n_scores == 1:
            return lambda mu, s: predictive.drawn_pair(mu[:, 0], s, draws)
        return lambda mu, variance: predictive.drawn(mu, variance, draws)
    if n_scores > 1:
        return predictive.pairwise
    average = predictive.probit if how == "probit" else predictive.integral
    return lambda mu, s: average(mu[:, 0], s)


def intervals(level: float, n_scores: int, seed: int) -> Callable[[Array, Array], Array]:
    """Return the function from the posterior of linear predictors to credible intervals of probabilities, (n, K, 2).

    Two classes: the interval of the predictor through the logistic function, which is increasing. More: by draws.
    """
    z = quantile(level)
    if n_scores > 1:
        draws = predictive.normal_draws(n_scores, seed)
        return lambda mu, variance: predictive.drawn_intervals(mu, variance, draws, level)
    return lambda mu, s: _logistic_bounds(mu[:, 0] - z * s, mu[:, 0] + z * s)


def skewed_intervals(corrected: CorrectedPosterior, block: Block, level: float, seed: int) -> Array:
    """Return credible intervals of the probabilities of the classes, (n, K, 2).

    Two classes: by mean, sd and skewness of the linear predictor. More: by draws with the mean, covariance and third
    cumulants of the linear predictors. A row of very large cells has the skewness of the row scaled down.
    """
    gaussian, below = corrected.gaussian, tail(level)
    mu, deviations = row_posterior(gaussian, block)
    with np.errstate(over="ignore", invalid="ignore"):
        rows = design_rows(gaussian.units, block)
        rows = np.nan_to_num(rows / np.maximum(np.abs(rows).max(axis=1, initial=1.0, keepdims=True), 1.0))
    q = len(gaussian.w)
    if q > 1:
        directions = np.einsum("np,rqp->nqr", rows, gaussian.root.reshape(-1, *gaussian.w.shape), optimize=True)
        third = corrected.standard_cumulants(directions - directions.mean(axis=1, keepdims=True))
        return predictive.drawn_intervals(mu, deviations, predictive.normal_draws(q, seed), level, third)
    skewness = corrected.skewness_along(rows @ gaussian.root.T)
    low, high = (mu[:, 0] + deviations * pearson.quantile(p, skewness) for p in (below, 1.0 - below))
    return _logistic_bounds(low, high)


def _logistic_bounds(low: Array, high: Array) -> Array:
    """Return the bounds of both classes' probabilities from those of the linear predictor, (n, 2, 2)."""
    return np.stack([expit([-high, -low]).T, expit([low, high]).T], axis=1)


def design_rows(units: Units, block: Block) -> Array:
    """Return the rows of a block in the units of the fit, the intercept first, (n, p)."""
    design = units.design(block.dense())
    assert isinstance(design, DenseDesign)
    return design.rows


def _variance(posterior: GaussianPosterior, rows: Array) -> Array:
    if len(posterior.w) == 1:
        s: Array = np.linalg.norm(rows @ posterior.root.T, axis=1)
        return s
    K = len(posterior.w)
    variances = np.zeros((len(rows), K, K))
    for k, j in combinations(range(K), 2):
        form = np.einsum("np,np->n", rows @ posterior.contrasts[k, j], rows)
        variances[:, k, j] = variances[:, j, k] = np.maximum(form, 0.0)
    return variances
