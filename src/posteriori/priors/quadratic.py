"""`Quadratic`: minus the log density of a Gaussian over all coefficients, up to a constant."""

from dataclasses import dataclass, field, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.cached_property import cached_property
from posteriori.checks import requirements as require
from posteriori.designs.units import Units
from posteriori.messages.errors import DataError
from posteriori.storable import storable

#: The largest precision in units of the rows: a weight is then at its mean to every digit, and sums do not overflow,
#: as those with the precision of a weight for a column of 1e-160 would.
LARGEST = 1e250


@storable
@dataclass(frozen=True)
class Quadratic:
    """(w - mean)' precision (w - mean) / 2 over the flattened coefficients, score by score.

    Book: [Mitchell] Eq. 26, §3.3; [Bishop] Eq. 4.140-4.142, §4.5.1.

    Parameters
    ----------
    mean : (q p,)
    precision : (q p,) when diagonal, else (q p, q p); zero where the prior is flat
    unscaled : (matrix, size) where the precision is matrix times size size', rounded
    """

    mean: Array
    precision: Array
    unscaled: tuple[Array, Array] | None = field(default=None, kw_only=True)

    @cached_property
    def is_flat(self) -> bool:
        """Whether there is no prior at all."""
        return not self.precision.any()

    def times(self, vector: Array) -> Array:
        """Return precision times a vector."""
        if self.precision.ndim == 1:
            return self.precision * vector
        with np.errstate(over="ignore", invalid="ignore"):
            product: Array = self.precision @ vector
        return product

    def value(self, w: Array) -> float:
        """Return the penalty at w."""
        off = w - self.mean
        with np.errstate(over="ignore", invalid="ignore"):  # iterates of separated classes have no limit
            return 0.5 * float(off @ self.times(off))

    def gradient(self, w: Array) -> Array:
        """Return its gradient at w."""
        return self.times(w - self.mean)

    def add_to(self, hessian: Array) -> Array:
        """Return the Hessian with the prior's precision added."""
        if self.precision.ndim == 2:
            return hessian + self.precision
        total = hessian.copy()
        total.flat[:: len(total) + 1] += self.precision  # the diagonal
        return total

    def common_shift(self, w: Array, n_scores: int) -> Array:
        """Return what, added to K vectors w, puts their mean at that of the means; zero where the precision is."""
        off = (self.mean - w).reshape(n_scores, -1).mean(axis=0)
        p = len(off)
        penalized = self.precision[:p] != 0 if self.precision.ndim == 1 else self.precision[:p, :p].any(axis=1)
        return np.where(penalized, off, 0.0)

    def matrix(self) -> Array:
        """Return the precision as a full matrix."""
        return np.diag(self.precision) if self.precision.ndim == 1 else self.precision

    def reparameterise(self, triangle: Array, n_scores: int) -> "Quadratic":
        """Return the same prior for R w, R (p, p) a triangle: R^-T precision R^-1 about R mean, for every score."""
        mean = (self.mean.reshape(n_scores, -1) @ triangle.T).ravel()
        if self.is_flat:
            return Quadratic(mean, np.zeros_like(self.precision))
        back = np.kron(np.eye(n_scores), np.linalg.inv(triangle))
        return Quadratic(mean, back.T @ self.matrix() @ back)

    def in_units(self, units: Units, n_scores: int) -> "Quadratic":
        """Return the same prior for coefficients in other units: T'precision T about T^-1 mean."""
        p = units.n_coefficients
        own = self.mean.reshape(n_scores, p)
        lead, weights = (own[:, 0], own[:, 1:]) if units.intercept else (np.zeros(n_scores), own)
        mean = units.from_data(lead, weights).ravel()
        diagonal = self.precision.ndim == 1
        if not self.is_in_range:
            return Quadratic(mean, self._beyond_range(units, n_scores))
        if diagonal and (not units.intercept or not self.precision.reshape(n_scores, p)[:, 0].any()):
            size = np.concatenate([[1.0], units.scale]) if units.intercept else units.scale
            sizes = np.tile(size, n_scores)
            with np.errstate(over="ignore"):
                return Quadratic(mean, np.minimum(self.precision / sizes / sizes, LARGEST))
        T = np.kron(np.eye(n_scores), units.jacobian())
        with np.errstate(over="ignore", invalid="ignore"):
            precision = T.T @ self.matrix() @ T
        if not np.abs(precision).max() <= 2.0 * LARGEST:
            raise DataError(_overflow(units))
        return Quadratic(mean, precision)

    @property
    def is_in_range(self) -> bool:
        """Whether precisions per standard deviation are floats per unit of a column, too, and no zeros."""
        if self.unscaled is None:
            return True
        matrix, size = self.unscaled
        counted = (matrix != 0) & (size > 0 if matrix.ndim == 1 else np.outer(size > 0, size > 0))
        values = np.abs(self.precision[counted])
        return bool(((values >= 1.0 / LARGEST) & (values <= LARGEST)).all())

    def _beyond_range(self, units: Units, n_scores: int) -> Array:
        """Return the precision in other units, from that per standard deviation of columns of 1e-150 or 1e150."""
        assert self.unscaled is not None
        matrix, size = self.unscaled
        T = size[:, None] * np.kron(np.eye(n_scores), units.jacobian())
        if matrix.ndim == 2:
            return np.asarray(T.T @ matrix @ T)
        whole = T.T @ (matrix[:, None] * T)
        return np.asarray(np.diagonal(whole) if not np.any(whole - np.diag(np.diagonal(whole))) else whole)

    def capped(self, units: Units, n_scores: int) -> "Quadratic":
        """Return the same prior with diagonal precisions that are at most `LARGEST` in other units."""
        size = np.concatenate([[1.0], units.scale]) if units.intercept else units.scale
        with np.errstate(over="ignore", under="ignore"):
            most = np.maximum(LARGEST * size * size, np.finfo(np.float64).tiny)
        excess = self.precision.ndim == 1 and (self.precision > np.tile(most, n_scores)).any()
        return replace(self, precision=np.minimum(self.precision, np.tile(most, n_scores))) if excess else self

    def check(self, where: str) -> None:
        """Raise unless precisions, by coefficient or a matrix, are not negative, and as they are before scaling."""
        shape = (len(self.mean),) * (1 if self.precision.ndim == 1 else 2)
        require.bounded(LARGEST).check(self.precision, shape, f"{where}.precision")
        require.covariances(self.matrix(), f"{where}.precision")
        if self.unscaled is not None:
            matrix, size = self.unscaled
            require.FINITE.check(matrix, shape, f"{where}.unscaled[0]")
            require.FINITE.check(size, shape[:1], f"{where}.unscaled[1]")
            require.close(matrix * size[:, None] * size, self.precision, f"{where}.unscaled", "is not the precision",
                        rtol=1e-9)  # fmt: skip


def _overflow(units: Units) -> str:
    """Return the message on a precision matrix whose entries are no floats once columns are standardised."""
    least, most = float(units.scale.min()), float(units.scale.max())
    return (
        "the prior's precision matrix overflows in units of the columns' standard deviations, which go from "
        f"{least:.3g} to {most:.3g}: rescale the columns, or give a vector of precisions instead of a matrix."
    )
