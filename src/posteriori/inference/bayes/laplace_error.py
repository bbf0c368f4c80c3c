"""`Excess`: a measure of the error of Laplace's approximation of a posterior."""

from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray
from scipy.special import expit, log_softmax

from posteriori.arrays import Array
from posteriori.backends.arrays.survey import hash_rows
from posteriori.engines.base import Engine
from posteriori.models.linear_scores import LinearScores
from posteriori.models.posterior.gaussian import GaussianPosterior
from posteriori.models.posterior.predictive import normal_draws, softmax_draws
from posteriori.models.posterior.rows import row_posterior
from posteriori.sweeps.reductions import SumSweep
from posteriori.tables.block import Block

#: Nodes of the Gauss-Hermite rule for two classes, and draws for more.
NODES, DRAWS = 32, 128
#: Number of rows above which about this many are sampled.
SAMPLE = 2**14


@dataclass(frozen=True)
class Excess:
    """The mean of the log posterior minus its quadratic approximation, over the Gaussian q = N(w_MAP, S_N), negated.

    A quadratic log posterior falls on average by M/2 from its mode to a draw of q; this one falls by M/2 + excess. The
    excess is also Laplace's log evidence minus E_q[log p(D, w) - log q(w)], a lower bound of the true log evidence. A
    small or negative excess is harmless. Where the classes are (nearly) separated under a weak prior it is large: the
    mode is at the edge of a wide cone of coefficients that fit, and half of q is outside of it.

    Book: [Bishop] Eq. 4.125-4.137, §4.4 (the approximation; the bound is not in the book).

    Parameters
    ----------
    excess : in nats
    n_coefficients : M
    separated : whether the mode classifies every row correctly, so that the classes are separated

    Examples
    --------
    >>> Excess(excess=0.3, n_coefficients=6, separated=False).large
    False
    """

    excess: float
    n_coefficients: int
    separated: bool

    @property
    def large(self) -> bool:
        """Whether the fall to draws of the Gaussian is more than twice that of a quadratic."""
        return not self.excess <= 0.5 * self.n_coefficients


def _excess_by_row(posterior: GaussianPosterior, n_classes: int, fraction: float, block: Block) -> Array:
    """Return the excess of each row of a sample, its classification error, and one: (n, 3), zero outside the sample."""
    values = np.zeros((block.n_rows, 3))
    rows = _sample(block, fraction)
    part = block if len(rows) == block.n_rows else block.picked(rows)
    mu, variance = row_posterior(posterior, part)
    counts = part.counts(n_classes)
    values[rows, 0] = beyond_quadratic(mu, variance) * counts.sum(axis=1)
    values[rows, 1], values[rows, 2] = _errors(mu, counts), 1.0
    return values


def _error_by_row(scores: LinearScores, n_classes: int, block: Block) -> Array:
    """Return 1 for each row whose linear predictors are in error, else 0, (n,)."""
    return _errors(scores(block), block.counts(n_classes))


def excess_of(engine: Engine, posterior: GaussianPosterior) -> Excess:
    """Compute the excess of a posterior in one pass over the data, or over a sample of many rows."""
    n_classes, fraction = max(len(posterior.w), 2), min(SAMPLE / engine.n_rows, 1.0)
    total, errors, n_sampled = engine.run(SumSweep(partial(_excess_by_row, posterior, n_classes, fraction))).values
    mean = float(total / max(n_sampled, 1.0))
    excess = Excess(mean * engine.n_rows, posterior.w.size, bool(errors == 0))
    if fraction == 1.0 or not (excess.large and excess.separated):
        return excess
    by_row = partial(_error_by_row, LinearScores(posterior.units, posterior.w), n_classes)
    errors = engine.run(SumSweep(by_row)).values
    return replace(excess, separated=not errors.any())


def _sample(block: Block, fraction: float) -> NDArray[np.intp]:
    """Return the rows of a block whose numbers have small hashes: about this fraction of them."""
    if fraction == 1.0:
        return np.arange(block.n_rows)
    return np.flatnonzero(hash_rows(block.first_row, block.n_rows) < np.uint64(fraction * 2.0**64))


def beyond_quadratic(mu: Array, variance: Array) -> Array:
    """Return E[f(eta)] - f(mu) - tr(f'' V) / 2 for f = log sum exp, (n,): the loss minus its quadratic approximation.

    The class of the row does not matter: its loss is f minus a linear function. `mu` and `variance` are those of
    `row_posterior`.
    """
    if mu.shape[1] == 1:
        return _beyond_pair(mu[:, 0], variance)
    mean = np.empty(len(mu))
    for rows, log_draws in softmax_draws(mu, variance, _draws(mu.shape[1])):
        mean[rows] = log_draws[:, :, 0].mean(axis=1)
    log_p = log_softmax(mu, axis=1)
    p = np.exp(log_p)
    trace = np.einsum("nk,nkj,nj->n", p, variance, p) / 2.0  # tr((diag p - pp') V), by variances of differences
    excess: Array = log_p[:, 0] - mean - trace / 2.0
    return excess


def _beyond_pair(mu: Array, s: Array) -> Array:
    nodes, weights = _nodes()
    mean = np.zeros(len(mu))
    for node, weight in zip(nodes, weights, strict=True):  # the loop is over nodes, which needs less memory
        mean += weight * np.logaddexp(0.0, mu + s * node)
    excess: Array = mean - np.logaddexp(0.0, mu) - 0.5 * expit(mu) * expit(-mu) * s * s
    return excess


def _errors(mu: Array, counts: Array) -> Array:
    """Return 1 for rows with counts outside the single class of largest linear predictor, else 0, (n,)."""
    eta = np.column_stack([np.zeros(len(mu)), mu[:, 0]]) if mu.shape[1] == 1 else mu
    top = eta.max(axis=1, keepdims=True)
    own = np.where(counts > 0, eta, np.inf).min(axis=1, keepdims=True)
    ties = (eta >= top).sum(axis=1) > 1
    return np.asarray((own < top)[:, 0] | ties, dtype=np.float64)


@lru_cache(maxsize=1)
def _nodes() -> tuple[Array, Array]:
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return nodes, weights / weights.sum()


@lru_cache(maxsize=8)
def _draws(n_scores: int) -> Array:
    """Return draws of mean 0 and covariance 1 exactly, so that means of quadratics are exact."""
    whole = normal_draws(n_scores, 0)
    half = len(whole) // 2
    draws = np.concatenate([whole[: DRAWS // 2], whole[half : half + DRAWS // 2]])
    factor = np.linalg.cholesky(draws.T @ draws / len(draws))
    exact: Array = la.solve_triangular(factor, draws.T, lower=True).T
    return exact
