"""The gradient of half the log determinant of the information: each row, by its leverage."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.design import DenseDesign
from posteriori.links.binary import BinaryLink
from posteriori.statistics.curvature import Total
from posteriori.sweeps.likelihood import LikelihoodSweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class LeverageSweep(LikelihoodSweep):
    """The gradient in w of log det I(w) / 2, I the sum over rows of n (diag p - p p') times x x'.

    With S the inverse of I and M_ab = x'S_ab x for a pair of classes, the trace of S dI is, for a row of weight n,
    the derivative in eta of n (sum_b p_b M_bb - p'M p). With u_a = M_aa - 2 (M p)_a that is
    n p_a sum_b p_b (u_a - u_b): differences of classes, so that no 1 - p is ever subtracted. For two classes it is
    n p (1 - p) (1 - 2 p) x'S x, the leverage times (1 - 2 p) of Firth's adjusted score. Of any other link of two
    classes, whose expected information is n W(eta) x x', it is n W'(eta) x'S x.

    Parameters
    ----------
    inverse : (q p, q p) the inverse information
    """

    inverse: Array

    def __call__(self, block: Block) -> Total:
        """Give the gradient of a block, (q, p)."""
        rows = self.design(block)
        dense = rows if isinstance(rows, DenseDesign) else self.units.design(block.features.toarray())
        assert isinstance(dense, DenseDesign)
        if isinstance(self.link, BinaryLink):
            slope = self.link.expected_slope(self.eta(rows, block)) * self.counts(block).sum(axis=1)
            return Total(0.5 * dense.pull_back(slope[:, None] * self._forms(dense.rows)[:, 0]))
        p = np.exp(self.link.log_probabilities(self.eta(rows, block)))
        each = self.link.spread(np.eye(self.link.n_scores)).T  # (K, q)
        M = np.einsum("aq,nqr,br->nab", each, self._forms(dense.rows), each, optimize=True)
        u = np.einsum("naa->na", M) - 2.0 * np.einsum("nab,nb->na", M, p)
        pull = p * np.einsum("nb,nab->na", p, u[:, :, None] - u[:, None, :])
        total = self.counts(block).sum(axis=1, keepdims=True)
        return Total(0.5 * dense.pull_back((total * pull) @ each))

    def _forms(self, rows: Array) -> Array:
        """Give x'S_ab x of every row and pair of scores, (n, q, q)."""
        q, p = self.w.shape
        S = self.inverse.reshape(q, p, q, p)
        forms = np.empty((len(rows), q, q))
        for a in range(q):
            for b in range(a, q):
                forms[:, a, b] = forms[:, b, a] = np.einsum("nj,nj->n", rows @ S[a, :, b, :], rows)
        return forms
