"""`GaussianPosterior`: the Laplace approximation of the posterior of the coefficients, and its evidence."""

from dataclasses import dataclass
from itertools import combinations as subsets
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from posteriori.arrays import Array
from posteriori.cached_property import cached_property
from posteriori.checks.requirements import fail
from posteriori.designs.units import Units
from posteriori.linalg.cholesky import INVERTIBLE_PIVOT, ScaledCholesky
from posteriori.linalg.scaled_products import in_powers, scaled_back
from posteriori.priors.quadratic import Quadratic
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class GaussianPosterior:
    """N(w_MAP, S_N): the posterior of the coefficients, m = d + 1 for two classes and K (d + 1) for more.

    The order is that of the books: the intercept first, then the columns, class by class. Two classes have one vector,
    that of ``classes_[1]``; with more classes each has one.

    Book: [Bishop] Eq. 4.142-4.144, §4.5.1.

    Parameters
    ----------
    units : of the fit
    w : (q, p) the mode, in units of the fit
    root : (r, q p) B with S_N = B'B, in units of the fit; without directions that no probability depends on
    prior : the prior, in units of the fit
    log_evidence : of the rows, by Laplace's approximation; None where the prior is flat in some direction
    """

    units: Units
    w: Array
    root: Array
    prior: Quadratic
    log_evidence: float | None

    @cached_property
    def mean(self) -> Array:
        """The mode w_MAP in the units of X, (m,)."""
        return self._in_data(self.w)

    @cached_property
    def covariance(self) -> Array:
        """S_N in the units of X, (m, m)."""
        rows, sizes = in_powers(self._jacobian)
        root = self.root @ rows.T
        return scaled_back(root.T @ root, sizes)

    @property
    def sd(self) -> Array:
        """Square roots of the diagonal of `covariance`, (m,)."""
        return self.sd_of(np.eye(self.w.size))

    def sd_of(self, combinations: Array) -> Array:
        """Return the standard deviations of combinations (k, m) of coefficients in the units of X, (k,)."""
        rows, sizes = in_powers(combinations @ self._jacobian)
        sd: Array = sizes * np.linalg.norm(rows @ self.root.T, axis=1)
        return sd

    @cached_property
    def precision(self) -> Array:
        """The inverse of S_N in the units of the fit, (q p, q p); zero along directions without variance."""
        back = np.linalg.pinv(self.root)
        return back @ back.T

    @property
    def prior_mean(self) -> Array:
        """The prior's mean in the units of X, (m,)."""
        return self._in_data(self.prior.mean.reshape(self.w.shape))

    @property
    def prior_sd(self) -> Array:
        """The standard deviations of the prior in the units of X, (m,); infinite where it is flat."""
        return self.prior_sd_of(np.eye(self.w.size))

    def prior_sd_of(self, combinations: Array) -> Array:
        """Return the prior standard deviations of combinations (k, m) of coefficients in the units of X, (k,)."""
        rows, sizes = in_powers(combinations @ self._jacobian)
        if self.prior.precision.ndim == 1:
            values, along = self.prior.precision, rows
        else:
            values, vectors = np.linalg.eigh(self.prior.precision)
            along = rows @ vectors
        flat = values <= 1e-13 * max(float(values.max()), 0.0)
        infinite = np.linalg.norm(along[:, flat], axis=1) > 1e-7 * np.linalg.norm(along, axis=1)
        with np.errstate(over="ignore"):
            sd = sizes * np.sqrt(np.square(along[:, ~flat]) @ (1.0 / values[~flat]))
        return np.where(infinite, np.inf, sd)

    def sample(self, n: int, random_state: Any = None) -> Array:
        """Draw coefficients in the units of X, (n, m)."""
        rng = np.random.default_rng(check_random_state(random_state).randint(0, 2**31 - 1, size=4))
        return self.mean + rng.standard_normal((n, len(self.root))) @ (self.root @ self._jacobian.T)

    def in_root(self, combinations: Array) -> Array:
        """Return combinations (k, m) of coefficients in the units of X as directions (k, r) of `root`, up to length."""
        return in_powers(combinations @ self._jacobian)[0] @ self.root.T

    @cached_property
    def contrasts(self) -> Array:
        """Covariances of the differences of two classes' vectors, in the units of the fit, (K, K, p, p)."""
        K, p = self.w.shape
        parts = self.root.reshape(len(self.root), K, p)
        covariances = np.zeros((K, K, p, p))
        for k, j in subsets(range(K), 2):
            difference = parts[:, j] - parts[:, k]
            covariances[k, j] = covariances[j, k] = difference.T @ difference
        return covariances

    @cached_property
    def _jacobian(self) -> Array:
        return np.kron(np.eye(len(self.w)), self.units.jacobian()).astype(np.float64, copy=False)

    def _in_data(self, w: Array) -> Array:
        lead, weights = self.units.to_data(w)
        return (np.column_stack([lead, weights]) if self.units.intercept else weights).ravel()

    def check(self, where: str) -> None:
        """Raise unless the prior is over the coefficients of the posterior."""
        if len(self.prior.mean) != self.w.size:
            fail(f"{where}.prior", "is not for the coefficients of the posterior")


def log_determinant(matrix: Array) -> float | None:
    """Return the log determinant of a positive definite matrix; None if it is singular to rounding."""
    factor = ScaledCholesky.of(matrix)
    return factor.log_determinant() if factor.is_above(INVERTIBLE_PIVOT) else None
