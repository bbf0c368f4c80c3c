"""A noisy-OR from a table to its maximum."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from posteriori.arrays import Array, Mask
from posteriori.designs.units import Units
from posteriori.engines.progress import job
from posteriori.engines.select import engine_for
from posteriori.fits.existence.rank import alias_notes, clearly_full_rank, find_aliases, triangle_of
from posteriori.fits.likelihoods import likelihoods_of
from posteriori.fits.noisy_or.active_set import solve_by_working_set
from posteriori.fits.noisy_or.notes import certain_note, unidentified_notes
from posteriori.fits.noisy_or.rounding import with_rounding
from posteriori.fits.weight_tolerances import for_weights, reachable
from posteriori.input.faults import refuse_causeless, refuse_cells
from posteriori.linalg.cholesky import diagonal_roots
from posteriori.linalg.nonnegative import least_norm, undetermined
from posteriori.linalg.subspaces import flat_directions, orthonormalize
from posteriori.links.noisy_or import NoisyOrLink
from posteriori.messages.notes import Note
from posteriori.models.base import Status
from posteriori.models.likelihoods import Likelihoods
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.objectives.prepare import Surveyed, survey, units_of
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.base import unconverged_note
from posteriori.solvers.newton.bounded import (
    BoundedNewton,
    BoundedSolution,
    BoundedState,
    bounded_solution,
)
from posteriori.solvers.select import DENSE_LIMIT
from posteriori.statistics.positive_cells import PositiveCells
from posteriori.sweeps.noisy_or import TriggerSweep, unexplained
from posteriori.sweeps.reductions import MarkedSweep
from posteriori.tables.table import Table
from posteriori.tables.views import Counted

#: Misfit of all rows with a trigger that never fails at which a finite theta replaces its infinite one: too small to
#: change any other estimate by a rounding.
CERTAIN_MISFIT = 1e-16
#: The largest such theta times scale, however small the cells of its column.
FARTHEST = 1e150
#: What to do where Newton has not converged.
REMEDY = "Raise max_iter, or tol if fewer digits will do; or leave columns out."
#: How the reason begins where there are such triggers.
AT_INFINITY = "some triggers never fail: the maximum is at infinity, this is a finite point near it"


@dataclass(frozen=True)
class NoisyOrFit:
    """The maximum of a noisy-OR likelihood: theta in the units of the fit, the leak first where there is one."""

    w: Array
    units: Units
    solution: BoundedSolution
    status: Status
    notes: tuple[Note, ...]
    certain: Mask
    likelihoods: Likelihoods
    totals: Array


def fit_noisy_or(table: Table, leak: bool, tol: float, max_iter: int | None, labels: tuple[Any, ...]) -> NoisyOrFit:
    """Maximise sum n1 log(1 - exp(-eta)) - n0 eta over theta >= 0.

    A column that is positive in rows of class 1 and in none of class 0 has no finite estimate: the likelihood grows
    with its theta without end. A column that is positive in no row of class 1 has theta zero. All others have a
    maximum.
    """
    with job("noisy-OR"):
        engine = engine_for(table).numbered().view(Counted(2))
        rows, surveyed = engine.rows(2), survey(engine)
        presence = _positive_cells(surveyed, leak, labels)
        totals = rows.weights
        objective = _objective(surveyed, leak)
        certain = _with_leak((presence.rows[0] == 0) & (presence.rows[1] > 0), leak)
        fixed = certain | _with_leak(presence.rows[1] == 0, leak)
        reach = reachable(rows, min(tol, for_weights(rows, tol)))
        solver = BoundedNewton(fixed, reach, 100 if max_iter is None else max_iter)
        start = _start(objective, surveyed, presence, totals, fixed, certain)
        notes: tuple[Note, ...] = ()
        wide = len(start) > DENSE_LIMIT
        if wide:
            order = np.argsort(-presence.rows[1], kind="stable")
            state, reason = solve_by_working_set(objective, solver, start, order, DENSE_LIMIT)
        else:
            state, reason = solver.solve(objective, start)
            state, unidentified = _least_norm(objective, state, fixed, solver.tol)
            notes = _aliases(objective, surveyed, state) or unidentified_notes(objective, unidentified, labels)
        likelihoods = likelihoods_of(engine, objective.link, state.point.loss, totals, leak)
        solution = bounded_solution(state, reason, solver.tol)
        w = solver.polished(state)
        raised = np.flatnonzero((w == 0) & (state.step > 0) & (state.decrement > solver.tol))
        solution = with_rounding(objective, w, raised, solution, tol)
        certificate = _certificate(objective, solution, certain, notes, labels)
    return NoisyOrFit(w, objective.units, *certificate, certain, likelihoods, totals)


def _certificate(
    objective: PenalizedLikelihood,
    solution: BoundedSolution,
    certain: Mask,
    notes: tuple[Note, ...],
    labels: tuple[Any, ...],
) -> tuple[BoundedSolution, Status, tuple[Note, ...]]:
    """Return the certificate, the status and the notes, the most severe first."""
    status: Status = "aliased" if notes else "ok"
    if not solution.converged:
        notes, status = (*notes, unconverged_note(solution, REMEDY)), "not_converged"
    if not certain.any():
        return replace(solution, overlap=True), status, notes
    reason = f"{AT_INFINITY}; over the other coefficients, {solution.reason}"
    final = replace(solution, decrement=np.inf, gap=np.inf, overlap=False, converged=False, reason=reason)
    return final, "separated", (certain_note(objective, certain, labels), *notes)


def _positive_cells(surveyed: Surveyed, leak: bool, labels: tuple[Any, ...]) -> PositiveCells:
    """Return which columns are positive in which class; raise for negative cells and for rows that nothing explains."""
    table = surveyed.engine.table
    negative, causeless, presence = surveyed.engine.run(TriggerSweep()).parts
    refuse_cells(table, negative, "zero or positive", remedy="Leave out the column(s), or turn or shift them.")
    if causeless.count.any() and not leak:
        rows = surveyed.engine.run(MarkedSweep(unexplained)).rows
        refuse_causeless([table.row_number(int(row)) for row in rows], labels[1])
    cells: PositiveCells = presence
    return cells


def _objective(surveyed: Surveyed, leak: bool) -> PenalizedLikelihood:
    """Return the objective in columns that are scaled, not centred, so that theta >= 0 stays the same condition."""
    units = units_of(surveyed.moments, leak, centred=False)
    flat = np.zeros(units.n_coefficients)
    return PenalizedLikelihood(surveyed.engine, NoisyOrLink(), units, Quadratic(flat, flat), np.zeros((len(flat), 0)))


def _start(
    objective: PenalizedLikelihood,
    surveyed: Surveyed,
    presence: PositiveCells,
    totals: Array,
    fixed: Mask,
    certain: Mask,
) -> Array:
    """Return the start: for a mean row, the triggers contribute equally to the log failure of a model of only a leak.

    Triggers that never fail begin so large that each of their rows is explained; those that never occur at zero.
    """
    units = objective.units
    share = _with_leak(surveyed.moments.mean[0] / units.scale, units.intercept, lead=1.0)
    moved = np.where(fixed, 0.0, share)
    level = float(objective.link.start(totals / totals.sum())[0])
    start: Array = moved * (level / max(float(moved @ share), 1e-300))
    far = np.log(max(totals[1], 1.0) / CERTAIN_MISFIT)
    least = _with_leak(presence.least[1] / units.scale, units.intercept, lead=1.0)
    start[certain] = np.minimum(far / least[certain], FARTHEST)
    return start


def _with_leak(columns: Any, leak: bool, lead: Any = False) -> Any:
    """Return values of the columns, preceded by that of the leak where there is one."""
    return np.concatenate([[lead], columns]) if leak else np.asarray(columns)


def _least_norm(
    objective: PenalizedLikelihood, state: BoundedState, fixed: Mask, tol: float
) -> tuple[BoundedState, Mask]:
    """Return the equally likely point of least norm on scaled columns, and which coefficients are not identified.

    Equally likely are the w >= 0 with the same predictor in every row of class 1 that do not move a coefficient whose
    gradient keeps it at zero.
    """
    point, unidentified = state.point, np.zeros_like(fixed)
    assert point.hessian is not None
    if state.decrement > tol:
        return state, unidentified
    size = diagonal_roots(point.hessian)
    idle = np.flatnonzero(~fixed & ((point.w > 0) | (point.gradient <= tol * size)))
    scaled = point.hessian[np.ix_(idle, idle)] / size[idle][:, None] / size[idle]
    flat = flat_directions(scaled)
    if not flat.shape[1]:
        return state, unidentified
    null = orthonormalize(flat / size[idle][:, None])
    w = point.w.copy()
    w[idle] = least_norm(point.w[idle], null)
    unidentified[idle] = undetermined(w[idle], null)
    after = objective.curvature(w)
    same = after.value <= point.value + 1e-10 * (1.0 + abs(point.value))
    return replace(state, point=after if same else point, flat=True, sweeps=state.sweeps + 1), unidentified


def _aliases(objective: PenalizedLikelihood, surveyed: Surveyed, state: BoundedState) -> tuple[Note, ...]:
    """Return a note on columns that are combinations of others, if the Hessian suggests any."""
    hessian = state.point.hessian
    assert hessian is not None
    if np.isfinite(hessian).all() and clearly_full_rank(hessian):
        return ()
    centred = units_of(surveyed.moments, objective.units.intercept)  # of the same rank, and easier to describe
    aliases = find_aliases(triangle_of(replace(objective, units=centred)), centred)
    identified = "probabilities are. theta_ holds the solution of least norm on scaled columns, as theta >= 0 allows"
    schema = objective.engine.table.schema
    return alias_notes(aliases, schema, centred, identified, "take only probabilities from this fit")
