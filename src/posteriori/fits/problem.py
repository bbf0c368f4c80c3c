"""`Problem`, what is maximised, and its `Preparation`: flat directions and well-conditioned coordinates."""

from dataclasses import dataclass, replace
from typing import Any

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.fits.existence.conditioning import collinearity_notes, in_triangle, to_plain
from posteriori.fits.existence.existence import NEAR_ODDS, existence_of
from posteriori.fits.existence.rank import (
    alias_notes,
    clearly_full_rank,
    find_aliases,
    gauge_of,
    triangle_of,
    with_shift,
)
from posteriori.fits.existence.separation import Separation
from posteriori.linalg.subspaces import null_space
from posteriori.messages.notes import Note
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import State
from posteriori.solvers.select import DENSE_LIMIT


@dataclass(frozen=True)
class Problem:
    """What is maximised, and how accurately.

    Parameters
    ----------
    objective : in units column by column
    tol : the Newton decrement to reach
    max_iter : steps allowed
    labels : of the classes, for notes
    """

    objective: PenalizedLikelihood
    tol: float
    max_iter: int = 100
    labels: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Preparation:
    """An objective with its flat directions, and in well-conditioned coordinates.

    Parameters
    ----------
    objective : in units column by column, its flat directions known
    working : the same for the solver; where columns are nearly dependent it is a function of R w
    notes : on columns that are dependent, or nearly so
    aliased : whether some columns are combinations of others
    first : the point of `working` at the start, where its Hessian was summed over all rows
    triangle : R (p, p), or None
    """

    objective: PenalizedLikelihood
    working: PenalizedLikelihood
    notes: tuple[Note, ...] = ()
    aliased: bool = False
    first: Point | None = None
    triangle: Array | None = None

    def existence(self, state: State) -> Separation | bool | None:
        """Test whether the maximum exists, from a state of a solver; see `existence_of`."""
        near = state.point.odds > NEAR_ODDS
        return existence_of(self.objective, to_plain(self.working, state.point.w) if near else None)


def prepare(
    objective: PenalizedLikelihood,
    start: Array,
    samples: tuple[Engine, ...] = (),
    sets_common_shift: bool = True,
) -> Preparation:
    """Find dependent columns if the first Hessian suggests them, fix flat directions, choose coordinates.

    The first Hessian is that of the smallest sample, if there are samples. Without `sets_common_shift` the solver
    finds the common shift of K vectors by its own steps.
    """
    if objective.n_parameters > DENSE_LIMIT:
        return Preparation(objective, objective)
    base = replace(objective, gauge=gauge_of(objective))
    working = with_shift(base, sets_common_shift)
    first = (working.on(samples[0]) if samples else working).descent(working.fixed(start))
    assert first.hessian is not None
    if clearly_full_rank(working.stiffened(first.hessian)):
        return Preparation(base, working, first=None if samples else first)
    return _with_rank(base, sets_common_shift) or Preparation(base, working, first=None if samples else first)


def _with_rank(base: PenalizedLikelihood, sets_common_shift: bool) -> Preparation | None:
    """Find aliased and nearly dependent columns from the triangle; None where the prior identifies the aliases."""
    schema, factor = base.engine.table.schema, triangle_of(base)
    aliases = find_aliases(factor, base.units)
    if not aliases:
        working = with_shift(in_triangle(base, factor), sets_common_shift)
        notes = collinearity_notes(factor, schema, base.units) if base.prior.is_flat else ()
        return Preparation(base, working, notes, triangle=working.units.triangle)  # type: ignore[attr-defined]
    gauge = gauge_of(base, null_space(factor, len(aliases)))
    if gauge.shape[1] == base.gauge.shape[1]:
        return None
    fixed = replace(base, gauge=gauge)
    notes = alias_notes(aliases, schema, base.units)
    return Preparation(fixed, with_shift(fixed, sets_common_shift), notes, aliased=True)
