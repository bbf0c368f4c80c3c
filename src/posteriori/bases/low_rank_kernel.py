"""The kernel matrix of many points by its few eigenvectors: near points see nearly the same kernels."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.bases.gaussian_kernel import GaussianKernel

#: What the kernel matrix may differ by, entry by entry, from the one of lower rank.
LEFT_OVER = 1e-13
#: The rank, as a share of the points, beyond which lower rank saves nothing.
LOW = 0.25


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
        """What stands for the kernels of each centre, (m, r): K U = U diag(D)."""
        return self.vectors * self.values


def low_rank(kernel: GaussianKernel) -> KernelMatrix | None:
    """Find the kernel matrix of the centres at lower rank, without ever forming it; None where its rank is high.

    Cholesky's factorisation, the point that is explained worst coming next, until what is left is rounding: K = L'L
    and no entry of the difference exceeds the largest of its diagonal. Then L' = Q R and R R' is small.
    """
    m = kernel.n_columns
    most = int(LOW * m)
    factor, left = np.empty((most, m)), np.ones(m)
    for rank in range(most):
        worst = int(left.argmax())
        if left[worst] <= LEFT_OVER:
            return _eigen(factor[:rank])
        row = kernel(kernel.centers[worst : worst + 1])[0]
        row -= factor[:rank, worst] @ factor[:rank]
        row /= np.sqrt(left[worst])
        factor[rank] = row
        left -= row * row
        left[worst] = 0.0
    return None


def _eigen(factor: Array) -> KernelMatrix:
    Q, R = la.qr(factor.T, mode="economic", check_finite=False)
    values, vectors = la.eigh(R @ R.T, check_finite=False)
    return KernelMatrix(Q @ vectors, np.maximum(values, 0.0))
