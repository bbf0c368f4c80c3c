"""`KernelScores`: fitted sums of kernels, as a function of a block."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.gaussian_kernel import GaussianKernel
from posteriori.models.linear_scores import finite_cells
from posteriori.tables.block import Block

#: Kernels computed at a time, so that they stay in the cache.
AT_ONCE = 2**17


@dataclass(frozen=True)
class KernelScores:
    """theta_y'k(x) of every class y.

    Parameters
    ----------
    kernel : with its m centres
    coef : (K, m)
    """

    kernel: GaussianKernel
    coef: Array

    def __call__(self, block: Block) -> Array:
        """Return the sums of a block, (n, K)."""
        scaled, peaks = self.scaled(block)
        with np.errstate(under="ignore"):
            sums: Array = scaled * np.exp(peaks)[:, None]
        return sums

    def scaled(self, block: Block) -> tuple[Array, Array]:
        """Return the sums divided by each row's largest kernel, (n, K), and the log of that kernel, (n,).

        Far from every centre the kernels underflow one by one, and quotients of their sums would be inaccurate.
        """
        rows = finite_cells(block)
        step = max(AT_ONCE // self.kernel.n_columns, 1)
        parts = [self._sums(rows[at : at + step]) for at in range(0, len(rows), step)]
        return np.concatenate([sums for sums, _ in parts]), np.concatenate([peaks for _, peaks in parts])

    def _sums(self, rows: Array) -> tuple[Array, Array]:
        """Sum row by row, not by a product of matrices, whose rounding would depend on the other rows."""
        off = self.kernel.exponents(rows)
        peaks = off.max(axis=1)
        with np.errstate(under="ignore", invalid="ignore"):
            off -= peaks[:, None]
            kernels = np.exp(off, out=off)
        kernels[np.isneginf(peaks)] = 0.0
        with np.errstate(under="ignore"):
            return np.stack([(kernels * own).sum(axis=1) for own in self.coef], axis=1), peaks
