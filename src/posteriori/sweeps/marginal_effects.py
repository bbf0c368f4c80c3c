"""The sweep of marginal effects: first and second derivatives of probabilities in the predictors."""

from dataclasses import dataclass

import numpy as np

from posteriori.statistics.base import Joined
from posteriori.statistics.curvature import Total
from posteriori.sweeps.likelihood import LikelihoodSweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class EffectsSweep(LikelihoodSweep):
    """Weighted sums over rows of dp_k/deta and of d(dp_k/deta)/dw, for every class k.

    With s_k and c_k the first and second derivatives of -log p_k in eta, dp_k/deta = -p_k s_k, and its derivative in
    eta is p_k (s_k s_k' - c_k).
    """

    def __call__(self, block: Block) -> Joined:
        """Return the weight (1,), the first derivatives (K, q) and the second ones (K, q, q, p) of a block."""
        rows, weights = self.design(block), block.row_weights()
        eta, K = self.eta(rows, block), self.link.n_classes
        p = np.exp(self.link.log_probabilities(eta)) * weights[:, None]
        first, second = [], []
        for k in range(K):
            one = self.link.parts(eta, np.broadcast_to(np.eye(K)[k], (len(eta), K)), curvature=True)
            first.append(-(p[:, k] @ one.score))
            each = p[:, k, None, None] * (one.score[:, :, None] * one.score[:, None, :] - one.second)
            q = each.shape[1]
            second.append(rows.pull_back(each.reshape(-1, q * q)).reshape(q, q, -1))
        return Joined((Total(np.array([weights.sum()])), Total(np.stack(first)), Total(np.stack(second))))
