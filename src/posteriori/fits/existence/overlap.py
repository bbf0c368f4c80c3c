"""A proof of existence from the multipliers of the fit itself, on all rows or some, in floating point.

The slopes of the log likelihood at the fit are multipliers l > 0 of the pairs (row, own class, other class), and at a
maximum A'l = 0. Near it one Newton step, l - V A H^-1 A'l with H = A'VA, brings A'l down to rounding, and the bounds of
`multipliers` do the rest: the multipliers themselves are any positive floats, so that only A'l and H carry an error.
Rows whose constraints leave no direction prove that all rows leave none, whatever the others are.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Indices
from posteriori.cached_property import cached_property
from posteriori.designs.design import DenseDesign
from posteriori.engines.base import Engine
from posteriori.engines.blas import single_threaded_blas
from posteriori.fits.existence.exact.barrier import solve_stiffened
from posteriori.fits.existence.exact.multipliers import Combined
from posteriori.fits.existence.exact.rows import RawRows
from posteriori.links.base import LinkFunction
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.tables.block import Block
from posteriori.tables.views import WithoutColumns

#: Rows used: a number, and a number per coefficient; all of them if there are up to twice as many.
SOME, PER_COEFFICIENT = 500, 30
#: Multiple of that number from which they are selected, evenly by class.
AMONG = 16
#: Entries of rows and of pairs above which the proof is not tried.
ENTRIES = 4_000_000
#: Size of entries and multipliers from which underflow of their products might matter.
LARGE = 1e40
#: Newton steps from the fit to the maximum over these rows.
STEPS = 4


def overlap_is_proved(objective: PenalizedLikelihood, w: Array) -> bool:
    """Return whether coefficients w (q p,) near the maximum prove, on some rows, that no direction separates."""
    every = RawRows(objective)
    free = every.free()
    n_rows = SOME + PER_COEFFICIENT * objective.n_parameters
    n, p, K = min(every.n, 2 * n_rows), every.units.n_coefficients, objective.link.n_classes
    if free is None or not len(free) or n * max(p, K * K) > ENTRIES:
        return False
    if every.units.intercept and 0 not in free:  # the rows are centred: that moves them off the user's free columns
        return False
    with single_threaded_blas(), np.errstate(all="ignore"):
        z, counts, offset = _rows(every, n_rows)
        eta = z @ w.reshape(-1, p).T
        eta = objective.link.expand(eta if offset is None else eta + offset)
        return _proved(objective.link, z if len(free) == p else np.ascontiguousarray(z[:, free]), counts, eta)


def _rows(every: RawRows, n_rows: int) -> tuple[Array, Array, Array | None]:
    """Return rows in the units of the fit (m, p), their class counts (m, K), and their offsets."""
    engine, K = every.objective.engine, every.link.n_classes
    if every.n <= 2 * n_rows:
        block = engine.collect("A proof of existence")
        return _design(every, block), block.counts(K), block.offset
    selected, factor = _evenly_by_class(engine, n_rows)
    block = engine.table.gather(selected)
    return _design(every, block), block.counts(K) * factor[:, None], block.offset


def _evenly_by_class(engine: Engine, n_rows: int) -> tuple[Indices, Array]:
    """Return about as many rows, as evenly over the classes as there are, and how many rows each stands for."""
    among = np.unique(np.linspace(0, engine.n_rows - 1, min(AMONG * n_rows, engine.n_rows)).astype(np.intp))
    codes = engine.view(WithoutColumns()).table.gather(among).codes()
    members = [part for part in np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))) if len(part)]
    steps = [max(1, len(part) * len(members) // n_rows) for part in members]
    order = np.sort(np.concatenate([part[::step] for part, step in zip(members, steps, strict=True)]))
    stands_for = np.zeros(len(codes))
    for part, step in zip(members, steps, strict=True):
        stands_for[part] = step
    return among[order], stands_for[order]


def _design(every: RawRows, block: Block) -> Array:
    """Return the rows of a block in the units of the fit: each entry within two roundings of its exact value."""
    scratch = block.scratch or {}
    design = scratch.get("design") if scratch.get("units") is every.units else None
    if not isinstance(design, DenseDesign):
        design = every.units.design(block.dense())
        assert isinstance(design, DenseDesign)
    return design.rows


@dataclass(frozen=True)
class _Constraints:
    """Pairs of a row (m, p) with its own class and each other one; values of pairs are (K, m), zero at the own class.

    A row with several classes is there several times.
    """

    rows: DenseDesign
    own: NDArray[np.bool_]
    count: Array

    def multipliers(self, link: LinkFunction, eta: Array) -> tuple[Array, Array]:
        """Return the slopes of the log likelihood at predictors eta (K, m), and weights for a Newton step."""
        p, slopes = link.class_slopes(eta)
        multipliers = np.where(self.own, 0.0, self.count * slopes)
        return multipliers, multipliers * p[self.own_places]

    @cached_property
    def own_places(self) -> tuple[Indices, Indices]:
        """The places of each row's own class in (K, m)."""
        return self.own.argmax(axis=0), np.arange(len(self.count))

    def gains(self, step: Array) -> Array:
        """Return what a step (K - 1, p) adds to the predictors of all classes but the first, (K, m)."""
        return np.concatenate([np.zeros((1, len(self.count))), step @ self.rows.rows.T])

    def combined(self, multipliers: Array) -> Array:
        """Return A'l over the coefficients of all classes but the first."""
        pulls = np.where(self.own, multipliers.sum(axis=0), -multipliers)
        return (pulls[1:] @ self.rows.rows).ravel()

    def size(self, multipliers: Array) -> Array:
        """Return |A|'l."""
        pulls = np.where(self.own, multipliers.sum(axis=0), multipliers)
        return (pulls[1:] @ np.abs(self.rows.rows)).ravel()

    def gram(self, weights: Array) -> Array:
        """Return A'VA."""
        if len(weights) == 2:
            return self.rows.gram(weights.sum(axis=0)[:, None, None])
        one = weights[:, None] * self.own
        curvature = -one - one.swapaxes(0, 1)
        curvature[range(len(weights)), range(len(weights))] = np.where(self.own, weights.sum(axis=0), weights)
        return self.rows.gram(curvature[1:, 1:].transpose(2, 0, 1))


def _proved(link: LinkFunction, z: Array, counts: Array, eta: Array) -> bool:
    """Return whether multipliers near those at predictors eta (m, K) of rows z (m, p) are proved to annihilate them."""
    row, own = np.nonzero(counts)
    if len(row) > len(z):
        z, eta = z[row], eta[row]
    K = counts.shape[1]
    constraints = _Constraints(DenseDesign(z), np.arange(K)[:, None] == own, counts[row, own])
    eta = np.ascontiguousarray(eta.T)
    if not max(z.max(), -z.min()) < LARGE:
        return False
    for _ in range(STEPS):
        multipliers, weights = constraints.multipliers(link, eta)
        hessian = constraints.gram(weights)
        moved = constraints.gains(solve_stiffened(hessian, constraints.combined(multipliers)).reshape(K - 1, -1))
        multipliers -= weights * (moved[constraints.own_places] - moved)
        if (multipliers > 0).sum() == multipliers.size - len(own) and multipliers.max() < LARGE:
            ratios = multipliers * (multipliers / weights)
            combined = Combined(
                hessian, constraints.combined(multipliers), constraints.size(multipliers), len(z) + 2 * K
            )
            return combined.proves(float(np.min(ratios, where=~constraints.own, initial=np.inf)))
        eta = eta + moved
    return False
