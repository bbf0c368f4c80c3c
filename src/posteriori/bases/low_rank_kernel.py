"""A low-rank approximation of the kernel matrix of many points, accurate to rounding."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.bases.gaussian_kernel import GaussianKernel

#: Bound on the error of every entry of the approximation.
LARGEST_ERROR = 1e-13
#: The largest rank, as a proportion of the number of points: a larger one saves no time.
LARGEST_RANK = 0.25


@dataclass(frozen=True)
class KernelMatrix:
    """K = U diag(D) U' over the centres, to rounding; coefficients are of the form U a.

    Parameters
    ----------
    vectors : U (m, r), orthonormal
    values : D (r,)
    """

    vectors: Array
    values: Array

    @property
    def features(self) -> Array:
        """The columns that replace the kernels at the centres, (m, r): K U = U diag(D)."""
        return self.vectors * self.values


def low_rank(kernel: GaussianKernel) -> KernelMatrix | None:
    """Return the kernel matrix of the centres at low rank, without computing all of it; None if its rank is high.

    Cholesky's factorisation with complete pivoting, until the remainder is rounding: K = L'L, and no entry of the
    remainder exceeds the largest of its diagonal. Then L' = Q R, and R R' is small.
    """
    m = kernel.n_columns
    most = int(LARGEST_RANK * m)
    factor, remainder = np.empty((most, m)), np.ones(m)  # of the diagonal
    for rank in range(most):
        pivot = int(remainder.argmax())
        if remainder[pivot] <= LARGEST_ERROR:
            return _eigen(factor[:rank])
        row = kernel(kernel.centers[pivot : pivot + 1])[0]
        row -= factor[:rank, pivot] @ factor[:rank]
        row /= np.sqrt(remainder[pivot])
        factor[rank] = row
        remainder -= row * row
        remainder[pivot] = 0.0
    return None


def _eigen(factor: Array) -> KernelMatrix:
    Q, R = la.qr(factor.T, mode="economic", check_finite=False)
    values, vectors = la.eigh(R @ R.T, check_finite=False)
    return KernelMatrix(Q @ vectors, np.maximum(values, 0.0))
