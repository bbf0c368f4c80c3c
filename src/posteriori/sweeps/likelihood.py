"""Sweeps of a likelihood through a link: slope, curvature, steps along a line, products with the Hessian."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array, Indices, Integers
from posteriori.backends.select import linear
from posteriori.designs.design import Design
from posteriori.designs.units import Units
from posteriori.links.base import LinkFunction
from posteriori.statistics.curvature import Curvature, Slope, Total
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block

_NO_OFFSET = np.empty((0, 1))


@dataclass(frozen=True)
class LikelihoodSweep(Sweep):
    """What all sweeps of one likelihood share: link, units, coefficients w (q, p), and the table's size."""

    link: LinkFunction
    units: Units
    w: Array
    size: int

    def design(self, block: Block) -> Design:
        """Put the block into units; the only block of a small table stays so from sweep to sweep."""
        if block.scratch is not None and block.scratch.get("units") is self.units:
            kept: Design = block.scratch["design"]
            return kept
        rows = self.units.design(block.features)
        if block.scratch is not None:
            block.scratch.update(units=self.units, design=rows)
        return rows

    def eta(self, rows: Design, block: Block) -> Array:
        """Give the linear predictors, offset included."""
        eta = rows.scores(self.w)
        return eta if block.offset is None else eta + block.offset

    def counts(self, block: Block) -> Array:
        """Give the block's targets as class counts."""
        return block.counts(self.link.n_classes)

    def is_plain(self, block: Block) -> bool:
        """Say whether fused kernels can read the block: an array, in units column by column."""
        return self.units.by_column and isinstance(block.features, np.ndarray)

    def fused(self, kernel: Any, block: Block) -> Slope:
        """Give the slope by a kernel that goes from rows to gradient in one reading."""
        lead, weights, offset = self._plainly(block)
        value, total, gradient, odds = kernel(
            block.features, self.units.centre, weights, lead, self.counts(block), offset
        )
        gradient = gradient / self.units.scale
        whole = np.concatenate([[total], gradient]) if self.units.intercept else gradient
        return Slope(value, whole[None], odds)

    def rooted(self, kernel: Any, block: Block, runs: Integers) -> Array:
        """Give runs of rows, first row and row after the last, times the root of their curvature, by a kernel."""
        lead, weights, offset = self._plainly(block)
        units = self.units
        rows: Array = kernel(
            block.features,
            units.centre,
            1.0 / units.scale,
            weights,
            lead,
            self.counts(block),
            offset,
            int(units.intercept),
            runs,
        )
        return rows

    def _plainly(self, block: Block) -> tuple[float, Array, Array]:
        """Give the coefficients over x itself and the offset, as kernels take them."""
        w = self.w[0]
        lead, weights = (float(w[0]), w[1:]) if self.units.intercept else (0.0, w)
        offset = _NO_OFFSET if block.offset is None else np.ascontiguousarray(block.offset)
        return lead, weights / self.units.scale, offset


@dataclass(frozen=True)
class SlopeSweep(LikelihoodSweep):
    """Loss, gradient and least odds at w: fused into one reading where a kernel for the link exists."""

    def __call__(self, block: Block) -> Slope:
        """Give the `Slope` of a block."""
        fused = linear(self.size).slope_of(self.link.name) if self.is_plain(block) else None
        if fused is not None:
            return self.fused(fused, block)
        rows = self.design(block)
        middle = linear(self.size).middle_of(self.link.name)
        if middle is not None:
            value, score, odds = middle(self.link.expand(self.eta(rows, block)), self.counts(block))
            return Slope(value, self._scores_only(rows.pull_back(score)), odds)
        parts = self.link.parts(self.eta(rows, block), self.counts(block), curvature=False)
        return Slope(float(parts.loss.sum()), rows.pull_back(parts.score), float(parts.odds.min()))

    def _scores_only(self, gradient: Array) -> Array:
        """Give the gradient over all classes as one over the q scores: the transpose of `spread`."""
        q = self.link.n_scores
        return gradient if q == self.link.n_classes else self.link.expand(np.eye(q)) @ gradient


@dataclass(frozen=True)
class CurvatureSweep(LikelihoodSweep):
    """Slope and Hessian at w; with `expected`, the expected information in the place of the Hessian.

    Book: [Jordan] Eq. 7.72-7.74, §7.3.1; [Bishop] Eq. 4.97 and 4.110, §4.3.3-4.3.4.
    """

    expected: bool = False

    def __call__(self, block: Block) -> Curvature:
        """Give the `Curvature` of a block."""
        kernels = linear(self.size)
        if self.is_plain(block) and kernels.rooted_of(self.link.name) is not None:
            rooted = self.rooted(kernels.rooted_of(self.link.name), block, np.array([[0, block.n_rows]]))
            return Curvature(self.fused(kernels.slope_of(self.link.name), block), rooted.T @ rooted)
        rows, counts = self.design(block), self.counts(block)
        eta = self.eta(rows, block)
        parts = self.link.parts(eta, counts, curvature=not self.expected)
        second = self.link.expected(eta, counts.sum(axis=1)) if self.expected else parts.curvature
        assert second is not None
        slope = Slope(float(parts.loss.sum()), rows.pull_back(parts.score), float(parts.odds.min()))
        return Curvature(slope, rows.gram(second))


@dataclass(frozen=True)
class ThinnedSweep(LikelihoodSweep):
    """Slope over all rows, and the Hessian as a fraction of them sees it, scaled up: those of low row-number hash."""

    fraction: float

    def __call__(self, block: Block) -> Curvature:
        """Give the `Curvature` of a block, its Hessian an estimate."""
        slope = SlopeSweep(self.link, self.units, self.w, self.size)(block)
        threshold = np.array([int(self.fraction * (2.0**64 - 4096))], dtype=np.uint64)
        rows, _ = linear(self.size).pick_rows(block.first_row, np.zeros(block.n_rows, dtype=np.intp), threshold)
        if not len(rows):
            return Curvature(slope, np.zeros((self.w.size, self.w.size)))
        return Curvature(slope, self._hessian(block, rows) / self.fraction)

    def _hessian(self, block: Block, rows: Indices) -> Array:
        kernel = linear(self.size).rooted_of(self.link.name)
        if kernel is None or not self.is_plain(block):
            sweep = CurvatureSweep(self.link, self.units, self.w, self.size, expected=not self.link.is_concave)
            return sweep(block.picked(rows)).hessian
        breaks = np.flatnonzero(np.diff(rows) > 1)
        runs = np.column_stack([rows[np.append(0, breaks + 1)], rows[np.append(breaks, len(rows) - 1)] + 1])
        rooted = self.rooted(kernel, block, runs)
        return rooted.T @ rooted


@dataclass(frozen=True)
class LadderSweep(LikelihoodSweep):
    """The loss at w + t step for several t at once: eta is affine in t, so the rows are read once."""

    step: Array
    lengths: Array

    def __call__(self, block: Block) -> Total:
        """Give the losses, one for each length."""
        rows, counts = self.design(block), self.counts(block)
        eta, delta = self.eta(rows, block), rows.scores(self.step)
        losses = [self.link.parts(eta + t * delta, counts, curvature=False).loss.sum() for t in self.lengths]
        return Total(np.array(losses))


@dataclass(frozen=True)
class ProductSweep(LikelihoodSweep):
    """The Hessian at w times a vector, without the Hessian: for more coefficients than a matrix has room for.

    With `expected`, the expected information, which is never indefinite, in the place of the Hessian.
    """

    vector: Array
    expected: bool = False

    def __call__(self, block: Block) -> Total:
        """Give sum of x C x'v over rows, (q, p)."""
        rows, counts = self.design(block), self.counts(block)
        eta = self.eta(rows, block)
        if self.expected:
            second = self.link.expected(eta, counts.sum(axis=1))
        else:
            observed = self.link.parts(eta, counts, curvature=True).curvature
            assert observed is not None
            second = observed
        moved = np.einsum("nab,nb->na", second, rows.scores(self.vector))
        return Total(rows.pull_back(moved))
