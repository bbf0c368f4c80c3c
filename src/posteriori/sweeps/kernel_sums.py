"""Sweeps of kernel models: the normal equations of least squares, and the curvature class by class."""

from dataclasses import dataclass

import numpy as np

from posteriori.statistics.base import Joined
from posteriori.statistics.curvature import Total
from posteriori.sweeps.base import Sweep
from posteriori.sweeps.likelihood import LikelihoodSweep, slope_of
from posteriori.tables.block import Block


@dataclass(frozen=True)
class NormalSweep(Sweep):
    """Phi'S Phi and Phi'C, with S the weights of the rows and C their class counts.

    Book: [Sugiyama] §28.2: Phi'Phi and Phi'pi for every class.
    """

    n_classes: int

    def __call__(self, block: Block) -> Joined:
        """Return ``Joined((Total (m, m), Total (m, K)))``."""
        rows = block.features
        weighted = rows if block.weights is None else rows * np.sqrt(block.weights)[:, None]
        return Joined((Total(weighted.T @ weighted), Total(rows.T @ block.counts(self.n_classes))))


@dataclass(frozen=True)
class ClassCurvatureSweep(LikelihoodSweep):
    """The slope at w, and the diagonal blocks of the Hessian, one per score: sum of c_kk x x', (q, p, p).

    With `shared` their mean instead, (1, p, p), for when q matrices would not fit into memory.
    """

    shared: bool = False

    def __call__(self, block: Block) -> Joined:
        """Return ``Joined((Slope, Total))``."""
        rows, _, _, parts = self.terms(block, curvature=True)
        own = np.einsum("nkk->nk", parts.second)
        own = own.mean(axis=1, keepdims=True) if self.shared else own
        return Joined((slope_of(rows, parts), Total(np.stack([rows.gram(each[:, None, None]) for each in own.T]))))
