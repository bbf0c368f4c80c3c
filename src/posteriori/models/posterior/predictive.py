"""Predictive probabilities: the inverse link averaged over a Gaussian posterior of linear predictors, in logs.

Two classes have one linear predictor a ~ N(mu, s^2); K classes have K, of which only differences matter.
"""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from scipy.special import erfcx, log_expit, log_ndtr, logsumexp, ndtri

from posteriori.arrays import Array

#: Methods of computing a predictive probability.
PREDICTIVES = {
    "probit": "closed-form approximation of the logistic function by a probit",
    "quadrature": "the integral, to rounding (two classes)",
    "sampling": "the mean over draws from the posterior",
}
#: Terms of the accelerated series: its relative error is below 2 / (3 + sqrt 8)^TERMS = 1e-17.
TERMS = 23
#: Number of draws, half of them mirror images of the others.
DRAWS = 4096
#: Numbers in memory at a time.
CHUNK = 2**21


# --- two classes


def probit(mu: Array, s: Array) -> Array:
    """Return log P(class), (n, 2), by logistic(kappa mu) with kappa = (1 + pi s^2 / 8)^(-1/2).

    Book: [Bishop] Eq. 4.153-4.155, §4.5.2 (the notes call it "variational"; it is the Laplace approximation with the
    logistic function approximated by a probit).

    >>> np.exp(probit(np.array([2.0]), np.array([1.0]))).round(4).tolist()
    [[0.1552, 0.8448]]
    """
    shrunk = mu / np.hypot(1.0, np.sqrt(np.pi / 8.0) * s)
    return np.stack([log_expit(-shrunk), log_expit(shrunk)], axis=1) + 0.0


def integral(mu: Array, s: Array) -> Array:
    """Return log E[P(class)], (n, 2), with a ~ N(mu, s^2): the logistic function integrated, accurate in both tails.

    With N the density of a and J(mu) the integral over t > 0 of N(-t) / (1 + e^t),
    E[logistic(a)] = J(mu) + (Phi(mu / s) - J(-mu)), two positive parts. In J the fraction is e^-t - e^-2t + …, so
    J is an alternating series of integrals known in closed form, e^(-mu^2 / 2 s^2) erfcx((mu + k s^2) / (s sqrt 2)) / 2
    for k = 1, 2, …: moments of a positive measure, for which the acceleration of Cohen, Rodriguez Villegas & Zagier
    (Experimental Math. 9, 2000, Algorithm 1) has a bound on its relative error for all mu and s.

    Book: [Bishop] Eq. 4.151, §4.5.2.

    >>> np.exp(integral(np.array([2.0]), np.array([1.0]))).round(10).tolist()
    [[0.1554625185, 0.8445374815]]
    """
    mu, s = np.broadcast_arrays(np.asarray(mu, dtype=np.float64), np.asarray(s, dtype=np.float64))
    exact = s < 1e-10  # s changes the log by at most s^2 / 2
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        lesser = _lower(-np.abs(mu), np.where(exact, 1.0, s))
    lesser = np.where(exact, log_expit(-np.abs(mu)), np.minimum(lesser, -np.log(2.0)))
    greater = np.log1p(-np.exp(lesser))
    positive = mu >= 0
    return np.stack([np.where(positive, lesser, greater), np.where(positive, greater, lesser)], axis=1) + 0.0


def _lower(mu: Array, s: Array) -> Array:
    """Return log E[logistic(a)] for mu <= 0."""
    below, above, half = _log_half(mu, s), _log_half(-mu, s), log_ndtr(mu / s)
    # the part of a > 0 is at least half of Phi, so the subtraction loses one bit at most
    upper = half + np.log1p(-np.exp(np.minimum(above - half, -np.log(2.0))))
    total: Array = np.logaddexp(below, upper)
    return total


def _log_half(mu: Array, s: Array) -> Array:
    """Return log J(mu), the log of the alternating series."""
    k = np.arange(1, TERMS + 1)[:, None]
    m, r = (mu / s)[None], s[None]
    x = (m + k * r) / np.sqrt(2.0)
    # erfcx overflows below -26: there log_ndtr(-sqrt(2) x) is near 0, and the exponent is k mu + k^2 s^2 / 2
    far = k * (mu[None] + k * r * r / 2.0) + log_ndtr(-np.sqrt(2.0) * np.minimum(x, 0.0))
    near = -0.5 * m * m + np.log(erfcx(np.maximum(x, 0.0)) / 2.0)
    logs = np.where(x < 0, far, near)
    top = logs[0]
    series = np.einsum("k,kn->n", _coefficients(), np.exp(np.minimum(logs - top, 0.0)))
    log_sum: Array = top + np.log(series)
    return log_sum


@lru_cache(maxsize=1)
def _coefficients() -> Array:
    """Return the weights of the accelerated alternating series, with signs (their Algorithm 1)."""
    n = TERMS
    d = (3.0 + np.sqrt(8.0)) ** n
    d = (d + 1.0 / d) / 2.0
    b, c, weights = -1.0, -d, []
    for k in range(n):
        c = b - c
        weights.append(c / d)
        b *= (k + n) * (k - n) / ((k + 0.5) * (k + 1.0))
    return np.array(weights)


# --- several classes


def pairwise(mu: Array, variances: Array) -> Array:
    """Return log P(class), (n, K), by a probit for each pair of classes.

    p_k is proportional to 1 / sum_j exp(-(mu_k - mu_j) / sqrt(1 + pi v_kj / 8)), v_kj the variance of eta_k - eta_j:
    [Bishop]'s kappa on every log odds. Only differences of linear predictors matter, so a term common to all K has no
    effect. For two classes it is `probit`; with zero variances it is the softmax.

    Parameters
    ----------
    mu : (n, K) means of the linear predictors
    variances : (n, K, K) of their differences
    """
    shrunk = (mu[:, :, None] - mu[:, None, :]) / np.hypot(1.0, np.sqrt(np.pi / 8.0 * variances))
    return normalized(-logsumexp(-shrunk, axis=2))


def normalized(logs: Array) -> Array:
    """Return logs (n, K) minus their log-sum-exp, which is the largest plus log(1 + the sum of the others)."""
    rows, top = np.arange(len(logs)), logs.argmax(axis=1)
    relative: Array = logs - logs[rows, top][:, None]
    others = np.exp(relative)
    others[rows, top] = 0.0
    normalized: Array = relative - np.log1p(others.sum(axis=1, keepdims=True))
    return normalized


# --- draws


def normal_draws(n_scores: int, seed: int) -> Array:
    """Return standard normal draws, (DRAWS, n_scores): a shifted lattice of points, and their mirror images.

    The points i alpha + shift, modulo 1, with alpha the powers of 1/g, g^(q+1) = g + 1 (Kronecker's sequence with the
    generalised golden ratio), fill the cube more evenly than independent points; the shift is random, so means over the
    draws are unbiased. With the mirror images the draws are symmetric: of two classes the one with the larger linear
    predictor has the larger probability.
    """
    golden = 2.0
    for _ in range(64):
        golden = (1.0 + golden) ** (1.0 / (n_scores + 1))
    alpha = golden ** -np.arange(1.0, n_scores + 1)
    points = np.arange(1.0, DRAWS // 2 + 1)[:, None] * alpha + np.random.default_rng(seed).random(n_scores)
    uniform = (np.floor(points % 1.0 * 2.0**52) + 0.5) / 2.0**52  # neither 0 nor 1, whose normal scores are infinite
    first: Array = ndtri(uniform)
    return np.concatenate([first, -first])


def drawn_pair(mu: Array, s: Array, draws: Array) -> Array:
    """Return log P(class), (n, 2), as the mean over draws of a = mu + s e."""
    logs = np.empty((len(mu), 2))
    for rows in _chunks(len(mu), len(draws)):
        a = mu[rows, None] + s[rows, None] * draws[:, 0]
        logs[rows] = np.stack([logsumexp(log_expit(-a), axis=1), logsumexp(log_expit(a), axis=1)], axis=1)
    return normalized(logs)


def drawn(mu: Array, variances: Array, draws: Array) -> Array:
    """Return log P(class), (n, K), as the mean over draws of the linear predictors."""
    logs = np.empty(mu.shape)
    for rows, log_p in softmax_draws(mu, variances, draws):
        logs[rows] = logsumexp(log_p, axis=1)
    return normalized(logs)


def drawn_intervals(mu: Array, variances: Array, draws: Array, level: float, third: Array | None = None) -> Array:
    """Return equal-tailed intervals of each class's probability over draws, (n, K, 2).

    Parameters
    ----------
    mu, variances : of the linear predictors, as for `pairwise`
    draws : of standard normal scores, (draws, K)
    level : of the intervals
    third : (n, K, K, K) third cumulants of the standardised linear predictors; None for normal ones
    """
    below = (1.0 - level) / 2.0
    bounds = np.empty((*mu.shape, 2))
    for rows, log_p in softmax_draws(mu, variances, draws, third):
        low, high = np.quantile(log_p, [below, 1.0 - below], axis=1)
        bounds[rows] = np.exp(np.stack([low, high], axis=2))
    return bounds


def softmax_draws(
    mu: Array, variances: Array, draws: Array, third: Array | None = None
) -> Iterator[tuple[slice, Array]]:
    """Yield slices of rows with log p of each draw, (rows, draws, K)."""
    K = mu.shape[1]
    for rows in _chunks(len(mu), len(draws) * K):
        root = _symmetric_root(variances[rows])
        scores = draws if third is None else skewed(draws, third[rows])
        eta = (mu[rows] - mu[rows].mean(axis=1, keepdims=True))[:, None, :] + scores @ root
        peak = eta.max(axis=2, keepdims=True)
        yield rows, eta - peak - np.log(np.exp(eta - peak).sum(axis=2, keepdims=True))


def skewed(draws: Array, third: Array) -> Array:
    """Return standard normal draws (draws, K) transformed to have third cumulants (n, K, K, K), (n, draws, K).

    e_a + sum_bc t_abc (e_b e_c - [b = c]) / 6 has the third cumulants t to first order (Cornish & Fisher 1938, in
    several dimensions) and the covariance 1 + sum_bc t_abc t_dbc / 18, by whose root it is divided.
    """
    n, K = third.shape[:2]
    flat = third.reshape(n, K, K * K)
    pairs = (draws[:, :, None] * draws[:, None, :] - np.eye(K)).reshape(len(draws), K * K)
    transformed = draws + pairs @ flat.transpose(0, 2, 1) / 6.0
    values, vectors = np.linalg.eigh(np.eye(K) + flat @ flat.transpose(0, 2, 1) / 18.0)
    standardized: Array = transformed @ ((vectors / np.sqrt(values)[:, None, :]) @ vectors.transpose(0, 2, 1))
    return standardized


def _symmetric_root(variances: Array) -> Array:
    """Return the root (n, K, K) of the covariance of centred linear predictors, from variances of differences.

    With v_kj the variance of eta_k - eta_j, that covariance is -J v J / 2, J subtracting the mean.
    """
    centred = variances - variances.mean(axis=1, keepdims=True)
    gram = -0.5 * (centred - centred.mean(axis=2, keepdims=True))
    values, vectors = np.linalg.eigh((gram + gram.transpose(0, 2, 1)) / 2.0)
    root: Array = np.einsum("nka,na,nja->nkj", vectors, np.sqrt(np.maximum(values, 0.0)), vectors)
    return root


def _chunks(n_rows: int, width: int) -> Iterator[slice]:
    step = max(CHUNK // max(width, 1), 1)
    for first in range(0, n_rows, step):
        yield slice(first, first + step)
