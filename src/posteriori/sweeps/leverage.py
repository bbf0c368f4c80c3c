"""The gradient of half the log determinant of the information, a sum over the leverages of the rows."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.design import DenseDesign
from posteriori.statistics.curvature import Total
from posteriori.sweeps.likelihood import LikelihoodSweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class LeverageSweep(LikelihoodSweep):
    """The gradient in w of log det I(w) / 2, I the expected information, a sum over observations.

    With S the inverse of I, it is the sum of `Link.information_slope` of the forms x'S_ab x times x / 2.

    Parameters
    ----------
    inverse : (q p, q p) the inverse information
    """

    inverse: Array

    def __call__(self, block: Block) -> Total:
        """Return the gradient of a block, (q, p)."""
        rows, total = self.design(block), self.counts(block).sum(axis=1)
        dense = rows.dense()
        slope = self.link.information_slope(self.eta(rows, block), total, self._forms(dense))
        return Total(0.5 * DenseDesign(dense).pull_back(slope))

    def _forms(self, rows: Array) -> Array:
        """Return x'S_ab x of every row and pair of scores, (n, q, q)."""
        q, p = self.w.shape
        S = self.inverse.reshape(q, p, q, p)
        forms = np.empty((len(rows), q, q))
        for a in range(q):
            for b in range(a, q):
                forms[:, a, b] = forms[:, b, a] = np.einsum("nj,nj->n", rows @ S[a, :, b, :], rows)
        return forms
