"""`WhitenedPosterior`: the log posterior in coordinates in which Laplace's Gaussian is standard normal."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from posteriori.arrays import Array
from posteriori.inference.bayes.posterior import GaussianPosterior
from posteriori.inference.bayes.row_posterior import design_rows
from posteriori.tables.block import Block


def whitened_slopes(posterior: GaussianPosterior, block: Block) -> tuple[Array, Array]:
    """Return the predictors (q, n) of a block at the mode, and their derivatives in z, (q, n, r)."""
    q, p = posterior.w.shape
    rows, root = design_rows(posterior.units, block), posterior.root.reshape(-1, q, p)
    return posterior.w @ rows.T, np.stack([rows @ root[:, k].T for k in range(q)])


@dataclass(frozen=True)
class WhitenedPosterior:
    """log p(w | rows) less its value at the mode, as a function of z: w = w_MAP + B'z with S_N = B'B.

    Parameters
    ----------
    eta : (q, n) predictors at the mode
    slopes : (q, n, r) their derivatives in z
    counts : (n, K) class counts, weights included
    slope, curvature : (r,) and (r, r), of minus the log prior at z = 0
    """

    eta: Array
    slopes: Array
    counts: Array
    slope: Array
    curvature: Array

    @classmethod
    def of(cls, block: Block, posterior: GaussianPosterior) -> "WhitenedPosterior":
        """Lay out the rows of a block."""
        eta, slopes = whitened_slopes(posterior, block)
        held = posterior.root @ posterior.prior.matrix()
        return cls(
            eta=eta,
            slopes=slopes,
            counts=block.counts(max(len(eta), 2)),
            slope=held @ (posterior.w.ravel() - posterior.prior.mean),
            curvature=held @ posterior.root.T,
        )

    @property
    def size(self) -> int:
        """The number r of coordinates."""
        return int(self.slopes.shape[2])

    @property
    def cost(self) -> int:
        """The size of the work of one evaluation: numbers in the predictors, each with its slopes."""
        return self.eta.size * (self.size + 10)

    def value(self, z: Array) -> Array:
        """Return the log density at points (c, r) less that at the mode, (c,)."""
        gained = self._log_likelihood(self._predictors(z)) - self._log_likelihood(self.eta[:, None])
        found: Array = gained - z @ self.slope - 0.5 * ((z @ self.curvature) * z).sum(axis=1)
        return found

    def gradient(self, z: Array) -> Array:
        """Return the gradient at points (c, r), (c, r)."""
        eta, totals = self._predictors(z), self.counts.sum(axis=1)
        found: Array = -self.slope - z @ self.curvature
        if len(eta) == 1:
            found += (self.counts[:, 1] - totals * expit(eta[0])) @ self.slopes[0]
            return found
        odds = np.exp(eta - eta.max(axis=0))
        share = totals / odds.sum(axis=0)
        for k in range(len(eta)):
            found += (self.counts[:, k] - share * odds[k]) @ self.slopes[k]
        return found

    def _predictors(self, z: Array) -> Array:
        """Return the predictors at points (c, r), (q, c, n): sums over classes are then sums of arrays."""
        return np.stack([z @ slopes.T for slopes in self.slopes]) + self.eta[:, None]

    def _log_likelihood(self, eta: Array) -> Array:
        totals = self.counts.sum(axis=1)
        if len(eta) == 1:
            of_two: Array = eta[0] @ self.counts[:, 1] - np.logaddexp(0.0, eta[0]) @ totals
            return of_two
        peak = eta.max(axis=0)
        shared = (peak + np.log(np.exp(eta - peak).sum(axis=0))) @ totals
        found: Array = np.einsum("kcn,nk->c", eta, self.counts) - shared
        return found
