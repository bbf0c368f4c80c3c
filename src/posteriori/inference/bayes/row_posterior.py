"""The posterior of the predictors of rows: mean, spread, and the spread of differences between classes."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.special import expit

from posteriori.arrays import Array
from posteriori.designs.design import DenseDesign
from posteriori.designs.units import Units
from posteriori.inference.bayes import predictive
from posteriori.inference.bayes.corrected import pearson
from posteriori.inference.bayes.corrected.posterior import CorrectedPosterior
from posteriori.inference.bayes.posterior import GaussianPosterior
from posteriori.inference.levels import quantile, tail
from posteriori.models.linear_scores import FAR, LinearScores
from posteriori.tables.block import Block

#: Cells (in units) beyond which squares may overflow.
LARGE = 2.0**400


def row_posterior(posterior: GaussianPosterior, block: Block) -> tuple[Array, Array]:
    """Give the means (n, q) of a block's predictors, and their spread.

    Two classes: standard deviations s (n,), s^2 = x'S_N x. More: variances (n, K, K) of the differences of predictors.
    Rows beyond the range of floats are scaled down as a whole and their mean and spread up again: what is left of such
    a row is the ratio of the two.

    Book: [Bishop] Eq. 4.149-4.150, §4.5.2 (the variance there is the mean of a^2 less that of the squared mean).
    """
    mu = LinearScores(posterior.units, posterior.w)(block)  # which refuses cells that are not finite
    with np.errstate(over="ignore", invalid="ignore"):
        rows = design_rows(posterior.units, block)
        far = ~(np.abs(rows).max(axis=1, initial=0.0) < LARGE)
    if not far.any():
        return mu, _spread(posterior, rows)
    shrunk = replace(posterior.units, centre=np.ldexp(posterior.units.centre, -2 * FAR))
    small = design_rows(shrunk, replace(block, features=np.ldexp(_dense(block), -2 * FAR)))
    if posterior.units.intercept:
        small[:, 0] = np.ldexp(1.0, -2 * FAR)
    peak = np.maximum(np.abs(small).max(axis=1, keepdims=True), 1e-300)
    rows = np.where(far[:, None], small / peak * LARGE, rows)
    mu = np.where(far[:, None], rows @ posterior.w.T, mu)
    return mu, _spread(posterior, rows)


def averaging(how: str, n_scores: int, seed: int) -> Callable[[Array, Array], Array]:
    """Give the function from the posterior of rows' predictors to log predictive probabilities, (n, K)."""
    if how == "sampling":
        draws = predictive.normal_draws(n_scores, seed)
        if n_scores == 1:
            return lambda mu, s: predictive.drawn_pair(mu[:, 0], s, draws)
        return lambda mu, apart: predictive.drawn(mu, apart, draws)
    if n_scores > 1:
        return predictive.pairwise
    average = predictive.probit if how == "probit" else predictive.integral
    return lambda mu, s: average(mu[:, 0], s)


def intervals(level: float, n_scores: int, seed: int) -> Callable[[Array, Array], Array]:
    """Give the function from the posterior of rows' predictors to credible intervals of probabilities, (n, K, 2).

    Two classes: the interval of the predictor through the logistic function, which is monotone. More: by draws.
    """
    z = quantile(level)
    if n_scores > 1:
        draws = predictive.normal_draws(n_scores, seed)
        return lambda mu, apart: predictive.drawn_intervals(mu, apart, draws, level)

    def through_link(mu: Array, s: Array) -> Array:
        low, high = mu[:, 0] - z * s, mu[:, 0] + z * s
        return np.stack([expit([-high, -low]).T, expit([low, high]).T], axis=1)

    return through_link


def skewed_intervals(corrected: CorrectedPosterior, block: Block, level: float, seed: int) -> Array:
    """Return credible intervals of the probabilities of the classes, (n, K, 2).

    Two classes: by mean, sd and skewness of each predictor. More: by draws that have the mean, the covariance and the
    third cumulants of the predictors. A row beyond the range of floats has the skewness of the row scaled down.
    """
    gaussian, beyond = corrected.gaussian, tail(level)
    mu, spread = row_posterior(gaussian, block)
    with np.errstate(over="ignore", invalid="ignore"):
        rows = design_rows(gaussian.units, block)
        rows = np.nan_to_num(rows / np.maximum(np.abs(rows).max(axis=1, initial=1.0, keepdims=True), 1.0))
    q = len(gaussian.w)
    if q > 1:
        directions = np.einsum("np,rqp->nqr", rows, gaussian.root.reshape(-1, *gaussian.w.shape), optimize=True)
        third = corrected.standard_cumulants(directions - directions.mean(axis=1, keepdims=True))
        return predictive.drawn_intervals(mu, spread, predictive.normal_draws(q, seed), level, third)
    skewness = corrected.skewness_along(rows @ gaussian.root.T)
    low, high = (mu[:, 0] + spread * pearson.quantile(p, skewness) for p in (beyond, 1.0 - beyond))
    return np.stack([expit([-high, -low]).T, expit([low, high]).T], axis=1)


def _dense(block: Block) -> Array:
    return block.dense()


def design_rows(units: Units, block: Block) -> Array:
    """Return the rows of a block in the units of the fit, the intercept first, (n, p)."""
    made = units.design(_dense(block))
    assert isinstance(made, DenseDesign)
    return made.rows


def _spread(posterior: GaussianPosterior, rows: Array) -> Array:
    if len(posterior.w) == 1:
        s: Array = np.linalg.norm(rows @ posterior.root.T, axis=1)
        return s
    K = len(posterior.w)
    apart = np.zeros((len(rows), K, K))
    for k in range(K):
        for j in range(k):
            form = np.einsum("np,np->n", rows @ posterior.contrasts[k, j], rows)
            apart[:, k, j] = apart[:, j, k] = np.maximum(form, 0.0)
    return apart
