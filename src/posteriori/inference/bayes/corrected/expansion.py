"""The first terms beyond Laplace's approximation: a series in the third and fourth derivatives at the mode."""

from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.inference.bayes.corrected.whitened import whitened_slopes
from posteriori.models.posterior.gaussian import GaussianPosterior
from posteriori.statistics.base import Joined
from posteriori.statistics.curvature import Total
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block

#: Numbers in memory at a time.
CELLS = 2**21


@dataclass(frozen=True)
class Cumulants:
    """Mean (r,), covariance (r, r) and third cumulants (r, r, r) of z, and log Z minus that of Laplace."""

    mean: Array
    covariance: Array
    third: Array
    log_normalizer: float


def expand(engine: Engine, posterior: GaussianPosterior) -> Cumulants:
    """Return the cumulants to the first order beyond the Gaussian, from one pass over the data.

    With L3 and L4 the third and fourth derivatives of the log posterior in z at the mode, summed over repeated indices:
    E z_i = L3_ijj / 2, cov_ij = 1 + (L4_ijkk + L3_ikl L3_jkl + L3_ijk L3_kll) / 2, third cumulants L3_ijk, and
    log Z - Laplace = L4_iijj / 8 + L3_iij L3_jkk / 8 + L3_ijk^2 / 12 (Tierney & Kadane, JASA 81, 1986).

    Book: [Bishop] Eq. 4.131-4.137, §4.4 (the Gaussian itself; the series is not in the book).
    """
    third, fourth = (part.values for part in engine.run(DerivativesSweep(posterior)).parts)
    lead = np.einsum("ijj->i", third)
    covariance = np.eye(len(lead)) + 0.5 * (
        fourth + np.einsum("ikl,jkl->ij", third, third, optimize=True) + np.einsum("ijk,k->ij", third, lead)
    )
    log_normalizer = np.trace(fourth) / 8.0 + lead @ lead / 8.0 + np.square(third).sum() / 12.0
    return Cumulants(0.5 * lead, (covariance + covariance.T) / 2.0, third, float(log_normalizer))


@dataclass(frozen=True)
class DerivativesSweep(Sweep):
    """Third derivatives of the log likelihood in z (r, r, r), and fourth derivatives summed over two indices (r, r).

    The derivatives of log sum exp are the cumulants of the slopes over the classes.
    """

    posterior: GaussianPosterior

    def __call__(self, block: Block) -> Joined:
        """Return the two sums over a block."""
        p, centred, totals = slopes_of(self.posterior, block)
        r = centred.shape[2]
        third, fourth = np.zeros((r, r * r)), np.zeros((r, r))
        step = max(CELLS // (len(p) * r * r), 1)
        for first in range(0, block.n_rows, step):
            rows = slice(first, first + step)
            parts = _derivatives(p[:, rows], centred[:, rows], totals[rows])
            third, fourth = third + parts[0], fourth + parts[1]
        return Joined((Total(third.reshape(r, r, r)), Total(fourth)))


def _derivatives(p: Array, centred: Array, totals: Array) -> tuple[Array, Array]:
    """Return both sums over a few rows, from probabilities (K, n) and centred slopes (K, n, r)."""
    r = centred.shape[2]
    flat, weight = centred.reshape(-1, r), (p * totals).ravel()
    third = (flat * weight[:, None]).T @ (flat[:, :, None] * flat[:, None, :]).reshape(-1, r * r)
    fourth = (flat * (weight * np.square(flat).sum(axis=1))[:, None]).T @ flat
    within = np.einsum("kn,knr,kns->nrs", p, centred, centred, optimize=True)
    fourth -= np.einsum("n,n,nrs->rs", totals, np.einsum("nrr->n", within), within, optimize=True)
    fourth -= 2.0 * np.tensordot(within * totals[:, None, None], within, axes=([0, 1], [0, 1]))
    return -third, -fourth


def slopes_of(posterior: GaussianPosterior, block: Block) -> tuple[Array, Array, Array]:
    """Return probabilities (K, n) at the mode, slopes in z minus their mean over classes (K, n, r), and totals (n,)."""
    eta, slopes = whitened_slopes(posterior, block)
    if len(eta) == 1:
        eta, slopes = (np.concatenate([np.zeros_like(each), each]) for each in (eta, slopes))
    p = softmax(eta, axis=0)
    return p, slopes - np.einsum("kn,knr->nr", p, slopes), block.counts(len(eta)).sum(axis=1)
