"""Sweeps of the information in a likelihood: observed, expected, and the scatter of the scores."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.design import DenseDesign
from posteriori.links.base import LinkFunction
from posteriori.statistics.base import Joined
from posteriori.statistics.curvature import Total
from posteriori.statistics.group_sums import GroupSums
from posteriori.sweeps.likelihood import LikelihoodSweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class InformationSweep(LikelihoodSweep):
    """Loss, observed information, expected information and the two meats of the sandwich at w, in one pass.

    Observed: sum of x x' times the second derivative of the loss. Expected: its mean over classes drawn from the
    model, which for logit and softmax is the same. Meat by trials: sum over rows i and classes k of n_ik s_ik s_ik',
    s_ik the score of one trial of class k in row i, so that grouped rows equal expanded ones. Meat by rows: sum of
    s_i s_i', s_i the score of the whole row. For rows with one class each the two are the same.

    Book: [Jordan] Eq. 7.72-7.74, §7.3.1; [Bishop] Eq. 4.97 and 4.110, §4.3.3-4.3.4.

    Parameters
    ----------
    sampling : whether the user's weights are sampling weights, so that the meat has the weight squared, and not the
        numbers of copies of the rows
    """

    sampling: bool = False

    def __call__(self, block: Block) -> Joined:
        """Return (loss, observed, expected, meat by trials, meat by rows) of a block, matrices over (q p, q p)."""
        rows, eta, counts, parts = self.terms(block, curvature=True)
        expected = observed = Total(rows.gram(parts.second))
        if not self.link.is_canonical:
            expected = Total(rows.gram(self.link.expected(eta, counts.sum(axis=1))))
        by_trials = by_rows = Total(rows.gram(self._row_scatter(parts.score, block)))
        if block.is_grouped:
            scatter = score_scatter(self.link, eta, counts)
            importance = block.given_weights if self.sampling else None
            by_trials = Total(rows.gram(scatter if importance is None else scatter * importance[:, None, None]))
        loss = Total(np.array([parts.loss.sum()]))
        return Joined((loss, observed, expected, by_trials, by_rows))

    def _row_scatter(self, score: Array, block: Block) -> Array:
        """Return s s' of each row, (n, q, q); divided by its frequency, since s is the sum over that many copies."""
        scatter = score[:, :, None] * score[:, None, :]
        if self.sampling:
            return scatter
        weights = block.given_weights if block.is_grouped else block.weights
        return scatter if weights is None else scatter / np.where(weights > 0, weights, 1.0)[:, None, None]


@dataclass(frozen=True)
class GroupScoreSweep(LikelihoodSweep):
    """The gradient summed by group (`Block.groups`), for a covariance that allows dependent rows within a group."""

    def __call__(self, block: Block) -> GroupSums:
        """Return the sums of a block by group, (g, q p)."""
        assert block.groups is not None
        rows, _, _, parts = self.terms(block)
        vectors = (parts.score[:, :, None] * rows.dense()[:, None, :]).reshape(block.n_rows, -1)
        return GroupSums.of(block.groups, vectors)


@dataclass(frozen=True)
class ScoreTestSweep(LikelihoodSweep):
    """Gradient and expected information at w of a design with further columns (`Block.extra`) of coefficients zero."""

    def __call__(self, block: Block) -> Joined:
        """Return the gradient (q, p + e) and the information over (q (p + e)) of a block."""
        own, counts = self.design(block).dense(), self.counts(block)
        eta = self.eta(DenseDesign(own), block)
        assert block.extra is not None
        wide = DenseDesign(np.column_stack([own, block.extra]))
        score = self.link.parts(eta, counts, curvature=False).score
        information = wide.gram(self.link.expected(eta, counts.sum(axis=1)))
        return Joined((Total(wide.pull_back(score)), Total(information)))


def unit_scores(link: LinkFunction, eta: Array) -> Array:
    """Return the derivative in eta of -log P(class k) for every class, (n, K, q)."""
    K = link.n_classes
    each = [link.parts(eta, np.broadcast_to(np.eye(K)[k], (len(eta), K)), curvature=False).score for k in range(K)]
    return np.stack(each, axis=1)


def score_scatter(link: LinkFunction, eta: Array, counts: Array) -> Array:
    """Return the sum over classes k of n_k s_k s_k' of each row, (n, q, q), s_k the score of one trial of class k."""
    each = unit_scores(link, eta)
    return np.asarray(np.einsum("nk,nka,nkb->nab", counts, each, each))
