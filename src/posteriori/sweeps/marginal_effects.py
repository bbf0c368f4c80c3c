"""The sweep of marginal effects: how probabilities change with the predictors, and how that changes."""

from dataclasses import dataclass

import numpy as np

from posteriori.statistics.base import Joined
from posteriori.statistics.curvature import Total
from posteriori.sweeps.likelihood import LikelihoodSweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class EffectsSweep(LikelihoodSweep):
    """Sums over rows of dp_k/deta and of d(dp_k/deta)/dw, for every class k, with the rows' weights.

    From the link's score s_k and curvature c_k of one unit of class k, the derivatives of -log p_k:
    dp_k/deta = -p_k s_k, and its derivative in eta is p_k (s_k s_k' - c_k).
    """

    def __call__(self, block: Block) -> Joined:
        """Give the weight (1,), the slopes (K, q) and the bends (K, q, q, p) of a block."""
        rows, weights = self.design(block), block.row_weights()
        eta, K = self.eta(rows, block), self.link.n_classes
        p = np.exp(self.link.log_probabilities(eta)) * weights[:, None]
        slopes, bends = [], []
        for k in range(K):
            one = self.link.parts(eta, np.broadcast_to(np.eye(K)[k], (len(eta), K)), curvature=True)
            assert one.curvature is not None
            slopes.append(-(p[:, k] @ one.score))
            bend = p[:, k, None, None] * (one.score[:, :, None] * one.score[:, None, :] - one.curvature)
            q = bend.shape[1]
            bends.append(rows.pull_back(bend.reshape(-1, q * q)).reshape(q, q, -1))
        return Joined((Total(np.array([weights.sum()])), Total(np.stack(slopes)), Total(np.stack(bends))))
