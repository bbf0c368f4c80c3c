"""The sizes of the terms of a gradient, which bound its rounding error."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.links.base import LinkFunction
from posteriori.statistics.curvature import Total
from posteriori.sweeps.likelihood import LikelihoodSweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class ScoreSizes(LikelihoodSweep):
    """The sum over rows of the bound on a score's error, in units of eps, times the sizes |z| of the row, (q, p)."""

    def __call__(self, block: Block) -> Total:
        """Return the sums of a block."""
        rows, counts = self.design(block), self.counts(block)
        eta = self.eta(rows, block)
        _, _, error = class_scores(self.link, eta, counts)
        return Total(rows.magnitudes().pull_back(error))


def class_scores(link: LinkFunction, eta: Array, counts: Array) -> tuple[Array, Array, Array]:
    """Return the scores (n, q), those of each class counted (m, n, q), and their errors in units of eps, (n, q).

    The relative error of a score from a link is at most (4 + |log P|) eps for every class counted, |log P| the largest
    of the row, since probabilities are exponentials.
    """
    log_p = link.log_probabilities(eta)
    relative = 4.0 + np.where(np.isfinite(log_p), np.abs(log_p), 750.0).max(axis=1, keepdims=True)
    parts = []
    for k in np.flatnonzero((counts > 0).any(axis=0)):
        own = np.zeros_like(counts)
        own[:, k] = counts[:, k]
        parts.append(link.parts(eta, own, curvature=False).score)
    each = np.stack(parts)
    return each.sum(axis=0), each, relative * np.abs(each).sum(axis=0)
