"""From an objective to its maximum, with the truth about it: rank, existence, convergence."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posteriori.engines.select import engine_for
from posteriori.inference.overlap import proved_by_odds, proved_by_rows
from posteriori.inference.rank import (
    Alias,
    alias_notes,
    clearly_full_rank,
    find_aliases,
    gauge_of,
    null_space,
    triangle_of,
)
from posteriori.inference.separation import TOLD, Separation, separation_of
from posteriori.kernels.design import design
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.objectives.prepare import survey
from posteriori.solvers.base import Solution, solution_of
from posteriori.solvers.newton import Newton, NewtonState
from posteriori.solvers.sampled import Sampled
from posteriori.solvers.truncated_newton import TruncatedNewton
from posteriori.tables.block import Block
from posteriori.tables.errors import ConvergenceWarning, SeparationWarning
from posteriori.tables.notes import Note, listed
from posteriori.tables.table import MemoryTable

Array = NDArray[np.float64]

#: Rows that a note lists; `inference.separation` lists them all.
LISTED = 1000
#: Misfit of the separated rows at which the finite point that stands for an infinite one is taken.
SEPARATED_MISFIT = 1e-9


@dataclass(frozen=True)
class Maximum:
    """Where the maximum is, or the finite point that stands for one at infinity, and what is to be said of it.

    `status` is "ok", "separated", "aliased" or "not_converged"; the worst of them, in the order separated,
    not_converged, aliased.
    """

    point: Point
    objective: PenalizedLikelihood
    solution: Solution
    status: str
    notes: tuple[Note, ...]
    separation: Separation | None = None


def maximize(
    objective: PenalizedLikelihood,
    method: str,
    start: Array,
    *,
    tol: float,
    max_iter: int | None,
    samples: tuple[MemoryTable, ...] = (),
    given: Array | None = None,
) -> Maximum:
    """Reach the maximum by a method of `solvers.select`, then ask whether it exists and is unique.

    A start `given` by the user is tried first; where no step leads back from it, the usual start takes its place.
    """
    if given is None:
        return _maximize(objective, method, start, tol, max_iter, samples)
    found = _maximize(objective, method, given, tol, max_iter, samples, given=True)
    if found.status != "not_converged":
        return found
    again = _maximize(objective, method, start, tol, max_iter, samples)
    return replace(again, solution=replace(again.solution, sweeps=again.solution.sweeps + found.solution.sweeps))


def _maximize(
    objective: PenalizedLikelihood,
    method: str,
    start: Array,
    tol: float,
    max_iter: int | None,
    samples: tuple[MemoryTable, ...],
    given: bool = False,
) -> Maximum:
    objective, aliases, first = _with_gauge(objective, method, start, samples)
    tol = _reachable(objective, tol)
    limit = 100 if max_iter is None else max_iter
    if method == "truncated":
        state, reason = TruncatedNewton(tol, limit).solve(objective, start)
    elif method == "sampled":
        state, reason = Sampled(samples, tol, limit, given).solve(objective, start)
        if not np.isfinite(state.point.gradient).all():
            survey(_memory(objective))  # which refuses the cells by name
    else:
        state, reason = Newton(tol, limit).solve_from(objective, start, first)
    solution = solution_of(state, reason, tol)
    if given and not solution.converged:
        return Maximum(state.point, objective, solution, "not_converged", ())
    notes = alias_notes(aliases, objective.engine.table.schema, objective.units)
    if (
        not _may_be_separated(objective)
        or proved_by_odds(state)
        or (method != "truncated" and proved_by_rows(objective, state.point.w))
    ):
        solution = replace(solution, overlap=True)
    elif method != "truncated":
        found = separation_of(objective)
        if found.kind != "none":
            return _separated(objective, found, solution, notes, tol)
        solution = replace(solution, overlap=True)
    if not solution.converged:
        notes = (*notes, _unconverged(solution))
    status = "not_converged" if not solution.converged else "aliased" if aliases else "ok"
    return Maximum(state.point, objective, solution, status, notes)


def _reachable(objective: PenalizedLikelihood, tol: float) -> float:
    """Give the tolerance in decrements of this objective: what rounding allows, per row of weight one.

    The rounding of a sum of weights W moves the decrement by about eps sqrt(W); weights far below one make
    standard errors large and the same decrement mean less, so there the tolerance shrinks with them.
    """
    totals = _total_weight(objective)
    floor = 64 * np.finfo(np.float64).eps * np.sqrt(totals)
    light = min(1.0, totals / objective.engine.table.n_rows)
    return float(max(tol * np.sqrt(light), floor))


def _total_weight(objective: PenalizedLikelihood) -> float:
    table = _memory(objective)
    return float(table.n_rows if table.weights is None else table.weights.sum())


def _memory(objective: PenalizedLikelihood) -> MemoryTable:
    table = objective.engine.table
    assert isinstance(table, MemoryTable)
    return table


def _with_gauge(
    objective: PenalizedLikelihood, method: str, start: Array, samples: tuple[MemoryTable, ...]
) -> tuple[PenalizedLikelihood, list[Alias], Point | None]:
    """Find aliased columns where the first curvature leaves a doubt, and fix the flat directions."""
    empty = np.zeros((objective.units.n_coefficients, 0))
    if method == "truncated":
        return objective, [], None
    base = replace(objective, gauge=gauge_of(objective, empty))
    first = (base.on(engine_for(samples[0])) if samples else base).curvature(start)
    assert first.hessian is not None
    point = None if samples else first
    if clearly_full_rank(base.stiffened(first.hessian)):
        return base, [], point
    factor = triangle_of(objective)
    aliases = find_aliases(factor, objective.units)
    if not aliases:
        return base, [], point
    gauge = gauge_of(objective, null_space(factor, len(aliases)))
    if gauge.shape[1] == base.gauge.shape[1]:
        return base, [], point  # the prior tells the aliased columns apart
    return replace(objective, gauge=gauge), aliases, None


def _may_be_separated(objective: PenalizedLikelihood) -> bool:
    """Say whether the prior leaves any column free, along which a maximum could fail to exist."""
    q, p = objective.link.n_scores, objective.units.n_coefficients
    if objective.prior.is_flat:
        return True
    if objective.prior.precision.ndim == 1:
        weights = objective.prior.precision.reshape(q, p)[:, int(objective.units.intercept) :]
        return bool((weights <= 0).any())
    kept = np.arange(q * p).reshape(q, p)[:, int(objective.units.intercept) :].ravel()
    held = objective.prior.precision[np.ix_(kept, kept)]
    return bool(np.linalg.eigvalsh(held)[0] <= 1e-12 * np.abs(held).max())


def _separated(
    objective: PenalizedLikelihood, found: Separation, solution: Solution, notes: tuple[Note, ...], tol: float
) -> Maximum:
    """Go from zero by Newton until the separated rows fit to 1e-9: a function of the data, not of the path."""
    newton = Newton(tol, 100)
    state = newton.init(objective, np.zeros(objective.n_parameters))
    while _misfit(objective, state, found) > SEPARATED_MISFIT and not state.stalled and state.iterations < 100:
        state = newton.step(objective, state)
    note = _separation_note(objective, found)
    reason = f"the classes are separated ({found.kind}): the maximum is at infinity, this is a finite point near it"
    final = replace(
        solution_of(state, reason, tol), overlap=False, converged=False, sweeps=solution.sweeps + state.sweeps
    )
    return Maximum(state.point, objective, final, "separated", (note, *notes), found)


def _misfit(objective: PenalizedLikelihood, state: NewtonState, found: Separation) -> float:
    """Sum, over rows and the classes that the direction tells them from, weight times probability of those."""
    assert found.direction is not None
    units, link, direction = objective.units, objective.link, found.direction
    w = state.point.w.reshape(link.n_scores, units.n_coefficients)

    def miss(block: Block) -> Array:
        rows = design(block.features, units.centre, units.scale, units.intercept)
        eta = rows.scores(w)
        p = np.exp(link.log_probabilities(eta if block.offset is None else eta + block.offset))
        counts, lead = block.counts(link.n_classes), link.spread(rows.scores(direction))
        told = lead[:, :, None] - lead[:, None, :] > TOLD  # (n, own, other)
        missed: Array = np.einsum("na,nk,nak->n", counts, p, told)
        return missed

    return float(objective.engine.map(miss).sum())


def _separation_note(objective: PenalizedLikelihood, found: Separation) -> Note:
    n = objective.engine.table.n_rows
    kind = "completely" if found.kind == "complete" else "in part (quasi-completely)"
    names = listed(list(found.columns))
    return Note(
        code="separation",
        message=f"the classes are separated {kind}: along the column(s) {names} the likelihood of {len(found.rows)} of "
        f"{n} rows grows without end, so no finite maximum exists. coef_ holds a finite point far out.",
        columns=found.columns,
        rows=found.rows[:LISTED],
        cure="Give a prior, such as prior=1.0, or leave the separating column(s) out.",
        category=SeparationWarning,
    )


def _unconverged(solution: Solution) -> Note:
    return Note(
        code="not-converged",
        message=f"the fit did not converge: {solution.reason}.",
        cure="Raise max_iter, or tol if fewer digits will do.",
        category=ConvergenceWarning,
    )
