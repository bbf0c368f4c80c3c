"""`InverseInformation`: the inverse of an information matrix as a product B'B."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.linalg.cholesky import INVERTIBLE_PIVOT, ScaledCholesky
from posteriori.linalg.scaled_products import in_range
from posteriori.messages.errors import DataError


@dataclass(frozen=True)
class InverseInformation:
    """The inverse of an information matrix as B'B, so that products with it are symmetric and positive semidefinite.

    Directions in which the likelihood is flat have no variance here; `validity` decides what depends on them.

    Parameters
    ----------
    root : (r, m) B
    """

    root: Array

    @classmethod
    def of(cls, matrix: Array, null: Array, labels: tuple[str, ...] = ()) -> "InverseInformation":
        """Invert a symmetric matrix on the orthogonal complement of `null` (m, a); errors name one of the `labels`."""
        m = len(matrix)
        if null.shape[1] == m:
            return cls(np.zeros((0, m)))
        if null.shape[1]:
            basis = la.null_space(null.T)
            inner = cls.of(basis.T @ matrix @ basis, np.zeros((basis.shape[1], 0)))
            return cls(inner.root @ basis.T)
        factor = ScaledCholesky.of(matrix)
        if not factor.is_above(INVERTIBLE_PIVOT):
            what = f" at {labels[factor.worst]!r}" if labels else ""
            raise DataError(
                f"the information matrix is singular to rounding{what}: columns are too near a combination of others "
                "for standard errors in double precision. Leave one out, or give a prior."
            )
        return cls(factor.inverse_root())

    @property
    def matrix(self) -> Array:
        """The inverse itself, (m, m)."""
        with np.errstate(over="ignore"):
            return in_range(self.root.T @ self.root)
