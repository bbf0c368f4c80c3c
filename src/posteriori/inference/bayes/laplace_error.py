"""`Excess`: how far a posterior is from the Gaussian that Laplace's approximation puts in its place."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray
from scipy.special import expit, log_softmax

from posteriori.arrays import Array
from posteriori.backends.arrays.linear import hash_rows
from posteriori.engines.base import Engine
from posteriori.inference.bayes.posterior import GaussianPosterior
from posteriori.inference.bayes.predictive import normal_draws, softmax_draws
from posteriori.inference.bayes.row_posterior import row_posterior
from posteriori.models.linear_scores import LinearScores
from posteriori.tables.block import Block

#: Nodes of the Gauss-Hermite rule for two classes, and draws for more.
NODES, DRAWS = 32, 128
#: Rows from which on about so many of them are looked at.
SAMPLE = 2**14


@dataclass(frozen=True)
class Excess:
    """By how much the likelihood leaves its parabola, on average over the Gaussian q = N(w_MAP, S_N).

    A log posterior that is a parabola falls by M/2 from its mode to a draw of q, on average; this one falls by
    M/2 + excess. The excess is also log Z - bound: Laplace's log evidence less E_q[log p(D, w) - log q(w)], which is
    never above the true one. Small or negative it is harmless. Where the classes are (nearly) separated under a weak
    prior it is large: the mode sits at the edge of a wide cone of good coefficients, half of q outside of it.

    Book: [Bishop] Eq. 4.125-4.137, §4.4 (the approximation; the bound is not in the book).

    Parameters
    ----------
    excess : in nats
    n_coefficients : M
    separated : whether the mode puts each row in its own class, by which the classes are separated

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
        """Whether draws of the Gaussian fall more than twice as deep as they should."""
        return not self.excess <= 0.5 * self.n_coefficients


def excess_of(engine: Engine, posterior: GaussianPosterior) -> Excess:
    """Compare a posterior with the rows it came from, in one reading of them; of many rows, with a sample of them."""
    n_classes, share = max(len(posterior.w), 2), min(SAMPLE / engine.table.n_rows, 1.0)

    def by_row(block: Block) -> Array:
        told = np.zeros((block.n_rows, 3))
        rows = _sampled(block, share)
        some = block if len(rows) == block.n_rows else block.picked(rows)
        mu, spread = row_posterior(posterior, some)
        counts = some.counts(n_classes)
        told[rows, 0] = beyond_parabola(mu, spread) * counts.sum(axis=1)
        told[rows, 1], told[rows, 2] = _strays(mu, counts), 1.0
        return told

    beyond, strays, seen = engine.map(by_row).sum(axis=0)
    excess = float(beyond / max(seen, 1.0)) * engine.table.n_rows
    found = Excess(excess, posterior.w.size, bool(strays == 0))
    if share == 1.0 or not (found.large and found.separated):
        return found
    scores = LinearScores(posterior.units, posterior.w)
    return replace(found, separated=not engine.map(lambda block: _strays(scores(block), block.counts(n_classes))).any())


def _sampled(block: Block, share: float) -> NDArray[np.intp]:
    """Give the rows of a block whose numbers have small hashes: about a share of all."""
    if share == 1.0:
        return np.arange(block.n_rows)
    return np.flatnonzero(hash_rows(block.first_row, block.n_rows) < np.uint64(share * 2.0**64))


def beyond_parabola(mu: Array, spread: Array) -> Array:
    """Give E[f(eta)] - f(mu) - tr(f'' V) / 2 for f = log sum exp, (n,): what a row's loss has beyond its parabola.

    The class of the row does not enter: its loss is f less a linear function. `mu` and `spread` are as `row_posterior`
    gives them.
    """
    if mu.shape[1] == 1:
        return _beyond_pair(mu[:, 0], spread)
    mean = np.empty(len(mu))
    for rows, drawn in softmax_draws(mu, spread, _draws(mu.shape[1])):
        mean[rows] = drawn[:, :, 0].mean(axis=1)
    log_p = log_softmax(mu, axis=1)
    p = np.exp(log_p)
    curved = np.einsum("nk,nkj,nj->n", p, spread, p) / 2.0  # tr((diag p - pp') V), by variances of differences
    found: Array = log_p[:, 0] - mean - curved / 2.0
    return found


def _beyond_pair(mu: Array, s: Array) -> Array:
    nodes, weights = _nodes()
    mean = np.zeros(len(mu))
    for node, weight in zip(nodes, weights, strict=True):  # not rows: by nodes, which needs no room
        mean += weight * np.logaddexp(0.0, mu + s * node)
    found: Array = mean - np.logaddexp(0.0, mu) - 0.5 * expit(mu) * expit(-mu) * s * s
    return found


def _strays(mu: Array, counts: Array) -> Array:
    """Say of each row whether some of it is not in the one class of largest predictor, (n,)."""
    eta = np.column_stack([np.zeros(len(mu)), mu[:, 0]]) if mu.shape[1] == 1 else mu
    top = eta.max(axis=1, keepdims=True)
    own = np.where(counts > 0, eta, np.inf).min(axis=1, keepdims=True)
    rivals = (eta >= top).sum(axis=1) > 1
    strays: Array = ((own < top)[:, 0] | rivals).astype(np.float64)
    return strays


@lru_cache(maxsize=1)
def _nodes() -> tuple[Array, Array]:
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return nodes, weights / weights.sum()


@lru_cache(maxsize=8)
def _draws(n_scores: int) -> Array:
    """Give draws whose mean is 0 and whose covariance is 1 exactly, so that parabolas are averaged exactly."""
    whole = normal_draws(n_scores, 0)
    half = len(whole) // 2
    some = np.concatenate([whole[: DRAWS // 2], whole[half : half + DRAWS // 2]])
    factor = np.linalg.cholesky(some.T @ some / len(some))
    exact: Array = la.solve_triangular(factor, some.T, lower=True).T
    return exact
