"""Sweeps of a likelihood: value and gradient, Hessian, values along a direction, products with the Hessian."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array, Indices, Integers
from posteriori.designs.design import Design
from posteriori.designs.units import Units
from posteriori.links.base import LinkFunction, LossTerms
from posteriori.statistics.curvature import Curvature, Slope, Total
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block

_NO_OFFSET = np.empty((0, 1))


@dataclass(frozen=True)
class LikelihoodSweep(Sweep):
    """The base of all sweeps of a likelihood: link, units and coefficients w (q, p)."""

    link: LinkFunction
    units: Units
    w: Array

    def design(self, block: Block) -> Design:
        """Return the design of a block in these units; the only block of a small table keeps it for the next sweep."""
        if block.scratch is not None and block.scratch.get("units") is self.units:
            stored: Design = block.scratch["design"]
            return stored
        rows = self.units.design(block.features)
        if block.scratch is not None:
            block.scratch.update(units=self.units, design=rows)
        return rows

    def eta(self, rows: Design, block: Block) -> Array:
        """Return the linear predictors, including the offset."""
        eta = rows.scores(self.w)
        return eta if block.offset is None else eta + block.offset

    def counts(self, block: Block) -> Array:
        """Return the targets of a block as class counts."""
        return block.counts(self.link.n_classes)

    def terms(self, block: Block, *, curvature: bool = False) -> tuple[Design, Array, Array, LossTerms]:
        """Return the design of a block, its linear predictors, its class counts, and the terms of its loss."""
        rows, counts = self.design(block), self.counts(block)
        eta = self.eta(rows, block)
        return rows, eta, counts, self.link.parts(eta, counts, curvature=curvature)

    def kernel(self, kernels: dict[str, Any], block: Block) -> Any:
        """Return the kernel of the link; None without one, or if it cannot read the block: CSR, or mixed columns."""
        is_plain = self.units.by_column and not block.is_sparse
        return kernels.get(self.link.name) if is_plain else None

    def fused(self, kernel: Any, block: Block) -> Slope:
        """Return the slope from a kernel that computes it in one pass over the rows."""
        lead, weights, offset = self._plain_coefficients(block)
        counts = self.counts(block)
        value, total, gradient, odds = kernel(block.features, self.units.centre, weights, lead, counts, offset)
        gradient = gradient / self.units.scale
        whole = np.concatenate([[total], gradient]) if self.units.intercept else gradient
        return Slope(value, whole[None], odds)

    def rooted(self, kernel: Any, block: Block, runs: Integers) -> Array:
        """Return runs of rows (first row, row after the last) times the root of their curvature, from a kernel."""
        lead, weights, offset = self._plain_coefficients(block)
        centre, inverse, intercept = self.units.centre, 1.0 / self.units.scale, int(self.units.intercept)
        counts = self.counts(block)
        return np.asarray(kernel(block.features, centre, inverse, weights, lead, counts, offset, intercept, runs))

    def _plain_coefficients(self, block: Block) -> tuple[float, Array, Array]:
        """Return the coefficients of x itself and the offset, in the form that kernels take."""
        w = self.w[0]
        lead, weights = (float(w[0]), w[1:]) if self.units.intercept else (0.0, w)
        offset = _NO_OFFSET if block.offset is None else np.ascontiguousarray(block.offset)
        return lead, weights / self.units.scale, offset


@dataclass(frozen=True)
class SlopeSweep(LikelihoodSweep):
    """Loss, gradient and least odds at w: in one pass where the link has a fused kernel."""

    def __call__(self, block: Block) -> Slope:
        """Return the `Slope` of a block."""
        kernels = block.backend.linear
        fused = self.kernel(kernels.SLOPES, block)
        if fused is not None:
            return self.fused(fused, block)
        middle = kernels.MIDDLES.get(self.link.name)
        if middle is not None:
            rows = self.design(block)
            value, score, odds = middle(self.link.expand(self.eta(rows, block)), self.counts(block))
            return Slope(value, self._by_score(rows.pull_back(score)), odds)
        rows, _, _, parts = self.terms(block)
        return slope_of(rows, parts)

    def _by_score(self, gradient: Array) -> Array:
        """Return the gradient over all classes as one over the q scores: the transpose of `expand`."""
        q = self.link.n_scores
        return gradient if q == self.link.n_classes else self.link.expand(np.eye(q)) @ gradient


def slope_of(rows: Design, parts: LossTerms) -> Slope:
    """Return the slope of a block from its design and the terms of its loss."""
    return Slope(float(parts.loss.sum()), rows.pull_back(parts.score), float(parts.odds.min()))


@dataclass(frozen=True)
class CurvatureSweep(LikelihoodSweep):
    """Slope and Hessian at w; with `expected`, the expected information instead of the Hessian.

    Book: [Jordan] Eq. 7.72-7.74, §7.3.1; [Bishop] Eq. 4.97 and 4.110, §4.3.3-4.3.4.
    """

    expected: bool = False

    def __call__(self, block: Block) -> Curvature:
        """Return the `Curvature` of a block."""
        kernels = block.backend.linear
        kernel = self.kernel(kernels.ROOTED, block)
        if kernel is not None:
            rooted = self.rooted(kernel, block, np.array([[0, block.n_rows]]))
            return Curvature(self.fused(kernels.SLOPES[self.link.name], block), rooted.T @ rooted)
        rows, eta, counts, parts = self.terms(block, curvature=not self.expected)
        second = self.link.expected(eta, counts.sum(axis=1)) if self.expected else parts.second
        return Curvature(slope_of(rows, parts), rows.gram(second))


@dataclass(frozen=True)
class ThinnedSweep(LikelihoodSweep):
    """Slope over all rows, and an estimate of the Hessian from the fraction of rows with the smallest hashes."""

    fraction: float

    def __call__(self, block: Block) -> Curvature:
        """Return the `Curvature` of a block, with an estimated Hessian."""
        slope = SlopeSweep(self.link, self.units, self.w)(block)
        threshold = np.array([int(self.fraction * (2.0**64 - 4096))], dtype=np.uint64)
        rows, _ = block.backend.survey.pick_rows(block.first_row, np.zeros(block.n_rows, dtype=np.intp), threshold)
        if not len(rows):
            return Curvature(slope, np.zeros((self.w.size, self.w.size)))
        return Curvature(slope, self._hessian(block, rows) / self.fraction)

    def _hessian(self, block: Block, rows: Indices) -> Array:
        kernel = self.kernel(block.backend.linear.ROOTED, block)
        if kernel is None:
            sweep = CurvatureSweep(self.link, self.units, self.w, expected=not self.link.is_concave)
            return sweep(block.picked(rows)).hessian
        breaks = np.flatnonzero(np.diff(rows) > 1)
        runs = np.column_stack([rows[np.append(0, breaks + 1)], rows[np.append(breaks, len(rows) - 1)] + 1])
        rooted = self.rooted(kernel, block, runs)
        return rooted.T @ rooted


@dataclass(frozen=True)
class LadderSweep(LikelihoodSweep):
    """The losses at w + t step for several t from one pass, since eta is affine in t."""

    step: Array
    lengths: Array

    def __call__(self, block: Block) -> Total:
        """Return the losses of a block, one per length."""
        rows, counts = self.design(block), self.counts(block)
        eta, delta = self.eta(rows, block), rows.scores(self.step)
        losses = [self.link.parts(eta + t * delta, counts, curvature=False).loss.sum() for t in self.lengths]
        return Total(np.array(losses))


@dataclass(frozen=True)
class ProductSweep(LikelihoodSweep):
    """The Hessian at w times a vector, without the Hessian, whose matrix may be too large for memory.

    With `expected`, the expected information instead of the Hessian; it is never indefinite.
    """

    vector: Array
    expected: bool = False

    def __call__(self, block: Block) -> Total:
        """Return the sum of x C x'v over the rows, (q, p)."""
        rows, counts = self.design(block), self.counts(block)
        eta = self.eta(rows, block)
        if self.expected:
            second = self.link.expected(eta, counts.sum(axis=1))
        else:
            second = self.link.parts(eta, counts, curvature=True).second
        return Total(rows.pull_back(np.einsum("nab,nb->na", second, rows.scores(self.vector))))
