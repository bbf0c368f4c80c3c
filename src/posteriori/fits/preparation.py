"""What an objective stands on: its flat directions, and coordinates in which steps can be taken."""

from dataclasses import dataclass, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.engines.select import engine_for
from posteriori.fits.existence.conditioning import in_triangle, near_notes
from posteriori.fits.existence.rank import (
    alias_notes,
    clearly_full_rank,
    find_aliases,
    gauge_of,
    triangle_of,
    with_shift,
)
from posteriori.linalg.subspaces import null_space
from posteriori.messages.notes import Note
from posteriori.objectives.jeffreys import JeffreysLikelihood
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.select import DENSE_LIMIT
from posteriori.tables.memory import MemoryTable


@dataclass(frozen=True)
class Ground:
    """An objective whose flat directions are known, and the coordinates it is worked in.

    `triangle` is R where columns are nearly dependent: `working` is then the objective in R w. `first` is a point of
    `working` whose curvature was summed on the way.
    """

    objective: PenalizedLikelihood
    working: PenalizedLikelihood
    notes: tuple[Note, ...] = ()
    aliased: bool = False
    first: Point | None = None
    triangle: Array | None = None


def ground_of(
    objective: PenalizedLikelihood,
    method: str,
    start: Array,
    samples: tuple[MemoryTable, ...],
    levels: bool = True,
) -> Ground:
    """Find dependent columns where the first curvature leaves a doubt, fix flat directions, choose coordinates.

    Without `levels` the solver is to find the common shift of K vectors by its own steps.
    """
    if objective.n_parameters > DENSE_LIMIT and method != "jeffreys":
        return Ground(objective, objective)
    base = replace(objective, gauge=gauge_of(objective, np.zeros((objective.units.n_coefficients, 0))))
    working = with_shift(base, levels)
    first = (working.on(engine_for(samples[0])) if samples else working).descent(working.fixed(start))
    assert first.hessian is not None
    ground = Ground(base, working, first=None if samples else first)
    if not clearly_full_rank(working.stiffened(first.hessian)):
        ground = _looked_at(base, ground, levels)
    if method != "jeffreys":
        return ground
    return replace(
        ground, objective=JeffreysLikelihood.of(ground.objective), working=JeffreysLikelihood.of(ground.working)
    )


def _looked_at(base: PenalizedLikelihood, ground: Ground, levels: bool) -> Ground:
    """Read the triangle: aliased columns are flat directions, nearly dependent ones call for other coordinates."""
    schema = base.engine.table.schema
    factor = triangle_of(base)
    aliases = find_aliases(factor, base.units)
    if not aliases:
        working = with_shift(in_triangle(base, factor), levels)
        notes = near_notes(factor, schema, base.units) if base.prior.is_flat else ()
        return Ground(base, working, notes, triangle=working.units.triangle)  # type: ignore[attr-defined]
    gauge = gauge_of(base, null_space(factor, len(aliases)))
    if gauge.shape[1] == base.gauge.shape[1]:
        return ground  # the prior tells the aliased columns apart
    fixed = replace(base, gauge=gauge)
    return Ground(fixed, with_shift(fixed, levels), alias_notes(aliases, schema, base.units), aliased=True)
