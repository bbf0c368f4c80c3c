"""`WhitenedPosterior`: the log posterior in coordinates in which Laplace's Gaussian is standard normal."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from posteriori.arrays import Array
from posteriori.models.posterior.gaussian import GaussianPosterior
from posteriori.models.posterior.rows import design_rows
from posteriori.tables.block import Block


def whitened_slopes(posterior: GaussianPosterior, block: Block) -> tuple[Array, Array]:
    """Return the linear predictors (q, n) of a block at the mode, and their derivatives in z, (q, n, r)."""
    q, p = posterior.w.shape
    rows, root = design_rows(posterior.units, block), posterior.root.reshape(-1, q, p)
    return posterior.w @ rows.T, np.stack([rows @ root[:, k].T for k in range(q)])


@dataclass(frozen=True)
class WhitenedPosterior:
    """log p(w | rows) minus its value at the mode, as a function of z: w = w_MAP + B'z with S_N = B'B.

    Parameters
    ----------
    eta : (q, n) linear predictors at the mode
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
        """Return the log posterior of the rows of a block."""
        eta, slopes = whitened_slopes(posterior, block)
        penalty = posterior.root @ posterior.prior.matrix()
        return cls(
            eta=eta,
            slopes=slopes,
            counts=block.counts(max(len(eta), 2)),
            slope=penalty @ (posterior.w.ravel() - posterior.prior.mean),
            curvature=penalty @ posterior.root.T,
        )

    @property
    def size(self) -> int:
        """The number r of coordinates."""
        return int(self.slopes.shape[2])

    @property
    def cost(self) -> int:
        """The cost of an evaluation: numbers in the linear predictors and their slopes."""
        return self.eta.size * (self.size + 10)

    def value(self, z: Array) -> Array:
        """Return the log density at points (c, r) minus that at the mode, (c,)."""
        difference = self._log_likelihood(self._predictors(z)) - self._log_likelihood(self.eta[:, None])
        log_density: Array = difference - z @ self.slope - 0.5 * ((z @ self.curvature) * z).sum(axis=1)
        return log_density

    def gradient(self, z: Array) -> Array:
        """Return the gradient at points (c, r), (c, r)."""
        eta, totals = self._predictors(z), self.counts.sum(axis=1)
        gradient: Array = -self.slope - z @ self.curvature
        if len(eta) == 1:
            gradient += (self.counts[:, 1] - totals * expit(eta[0])) @ self.slopes[0]
            return gradient
        odds = np.exp(eta - eta.max(axis=0))
        scale = totals / odds.sum(axis=0)
        for k in range(len(eta)):
            gradient += (self.counts[:, k] - scale * odds[k]) @ self.slopes[k]
        return gradient

    def _predictors(self, z: Array) -> Array:
        """Return the linear predictors at points (c, r), (q, c, n): class first, so that sums over classes are fast."""
        return np.stack([z @ slopes.T for slopes in self.slopes]) + self.eta[:, None]

    def _log_likelihood(self, eta: Array) -> Array:
        totals = self.counts.sum(axis=1)
        if len(eta) == 1:
            logistic: Array = eta[0] @ self.counts[:, 1] - np.logaddexp(0.0, eta[0]) @ totals
            return logistic
        peak = eta.max(axis=0)
        log_sums = (peak + np.log(np.exp(eta - peak).sum(axis=0))) @ totals
        softmax: Array = np.einsum("kcn,nk->c", eta, self.counts) - log_sums
        return softmax
