"""From an objective to its maximum, with the truth about it: rank, existence, convergence."""

from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.fits.certificate.certificate import Finished, finish
from posteriori.fits.existence.at_infinity import finite_point, separation_note
from posteriori.fits.existence.conditioning import carried_back, into
from posteriori.fits.existence.nonconcave import certified, is_better
from posteriori.fits.existence.overlap import overlap_is_proved
from posteriori.fits.existence.recession import Recession, recession_of
from posteriori.fits.existence.separation import Separation, separation_within
from posteriori.fits.preparation import Ground, ground_of
from posteriori.fits.total_weight import for_weights, reachable
from posteriori.messages.errors import ConvergenceWarning, NotIdentifiedWarning
from posteriori.messages.notes import Note
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.objectives.prepare import survey
from posteriori.priors.penalized_space import held_space
from posteriori.solvers.base import Callback, Solution, State, no_callback, solution_of
from posteriori.solvers.first_order.base import FirstOrder
from posteriori.solvers.newton.fisher_scoring import Scoring
from posteriori.solvers.newton.newton import Newton
from posteriori.solvers.newton.sampled import Sampled
from posteriori.solvers.newton.truncated import TruncatedNewton
from posteriori.solvers.select import DENSE_LIMIT
from posteriori.solvers.trace import Recorder
from posteriori.tables.memory import MemoryTable

#: Operations of exact arithmetic that a fit may spend on whether its maximum exists: about as many seconds as millions.
EXACT_WORK = 1e6
#: Newton steps after which a fit that has not converged is asked whether it has a maximum.
EARLY = 10
#: Odds of a wrong class above which rows are so far from separated that the search starts from the fit.
NEAR_ODDS = 1e-9
#: What to do when Newton's method, or a relative, has not arrived.
REMEDY = "Raise max_iter, or tol if fewer digits will do."


#: Why a fit is not called converged whose existence is not decided.
DIVERGING = (
    "existence not decided, and some rows fit with odds of a wrong class of {:.1e}, as where classes are separated"
)
#: What is said where it is not known whether the classes are separated.
UNDECIDED = Note(
    code="existence-not-decided",
    message="existence not decided: whether the classes are separated, so that some estimates are infinite, would have "
    "taken far longer to decide than the fit. coef_ holds the point where the solver stopped.",
    remedy="Give a prior, such as prior=GaussianPrior(sd=2.5, units='sd') or prior='jeffreys', use fewer columns, or "
    "call posteriori.separation(X, y), which has no limit.",
    category=NotIdentifiedWarning,
)


@dataclass(frozen=True)
class Maximum:
    """Where the maximum is, or the finite point that stands for one at infinity, and what is to be said of it.

    `status` is "ok", "separated", "aliased" or "not_converged"; the worst of them, in the order separated,
    not_converged, aliased. `triangle` is R (p, p) where columns are nearly dependent: R times the coefficients of a
    score are coordinates (`designs.units.TriangularUnits`) in which the curvature is well conditioned. `recession` says
    where each coefficient of separated classes goes. `finished` holds the coefficients that the certificate is of,
    None where there is no maximum.
    """

    point: Point
    objective: PenalizedLikelihood
    solution: Solution
    status: str
    notes: tuple[Note, ...]
    separation: Separation | None = None
    triangle: Array | None = None
    recession: Recession | None = None
    finished: Finished | None = None


def maximize(
    objective: PenalizedLikelihood,
    method: str,
    start: Array,
    *,
    tol: float,
    max_iter: int | None,
    samples: tuple[MemoryTable, ...] = (),
    given: Array | None = None,
    labels: tuple[Any, ...] = (),
    others: tuple[Array, ...] = (),
    solver: FirstOrder | None = None,
    recorder: Recorder | None = None,
) -> Maximum:
    """Reach the maximum by a method of `solvers.select`, then ask whether it exists and is unique.

    A start `given` by the user is tried first; where no step leads back from it, the usual start takes its place.
    The method "jeffreys" puts Jeffreys' prior in place of the objective's own. `labels` name the classes in notes.
    `others` are further starts, for likelihoods that may have several maxima: the best is kept. A method that goes by
    gradients comes with its `solver`. The `recorder` writes down the way to what is kept.
    """
    if others:
        tried: list[Maximum] = []
        ways: list[Recorder | None] = []
        for begin in (start, *others) if given is None else (given, start, *others):
            own = None if recorder is None else Recorder(objective)
            tried.append(
                maximize(objective, method, begin, tol=tol, max_iter=max_iter, samples=samples, labels=labels,
                         solver=solver, recorder=own)
            )  # fmt: skip
            ways.append(own)
            if tried[-1].status == "separated":
                break  # which depends on the rows alone
        best = reduce(lambda a, b: b if is_better((b.solution, b.status), (a.solution, a.status)) else a, tried)
        way = next(own for found, own in zip(tried, ways, strict=True) if found is best)
        if recorder is not None and way is not None:
            recorder.steps.extend(way.steps)
        return replace(best, solution=replace(best.solution, sweeps=sum(each.solution.sweeps for each in tried)))
    if method != "jeffreys":  # beside that prior light weights need not count
        tol = min(tol, for_weights(objective, tol))
    limit = 100 if max_iter is None else max_iter
    wasted = 0
    if solver is not None:
        reach = reachable(objective, tol)
        solver, start, given = replace(solver, tol=reach), start if given is None else given, None
    if given is not None:
        ground = ground_of(objective, method, given, samples)
        found = _maximize(ground, method, given, tol, limit, samples, labels, given=True, recorder=recorder)
        if found.status != "not_converged":
            return found
        wasted = found.solution.sweeps
        if recorder is not None:
            recorder.forget()
    ground = ground_of(objective, method, start, samples, levels=solver is None or solver.sets_common_shift)
    found = _maximize(ground, method, start, tol, limit, samples, labels, solver=solver, recorder=recorder)
    return replace(found, solution=replace(found.solution, sweeps=found.solution.sweeps + wasted))


def _maximize(
    ground: Ground,
    method: str,
    start: Array,
    tol: float,
    limit: int,
    samples: tuple[MemoryTable, ...],
    labels: tuple[Any, ...],
    given: bool = False,
    solver: FirstOrder | None = None,
    recorder: Recorder | None = None,
) -> Maximum:
    objective, working = ground.objective, ground.working
    reach = reachable(objective, tol)
    begin = working.fixed(into(working, start))
    watch = no_callback if recorder is None else recorder.on(working)
    state: State
    exists: Separation | bool | None = None
    asked = False
    if solver is not None:
        state, reason, exists = _by_gradients(ground, solver, begin, watch)
    elif method == "truncated":
        state, reason = TruncatedNewton(reach, limit).solve(working, begin, watch)
    elif method == "jeffreys":
        state, reason = Scoring(reach, limit).solve(working, begin, watch)
    elif method == "sampled":
        state, reason = Sampled(samples, reach, limit, given).solve(working, begin, watch)
        if not np.isfinite(state.point.gradient).all():
            survey(_memory(objective))  # which refuses the cells by name
    else:
        state, reason, exists = _by_newton(ground, Newton(reach, limit), begin, watch)
        asked = (state.iterations > EARLY or not state.decrement <= reach) and working.link.is_concave
    if not working.link.is_concave:
        summed = method not in ("truncated", "jeffreys")
        state, reason = certified(working, state, reason, Newton(reach, limit), summed=summed)
    solution = solution_of(state, reason, reach)
    if given and not solution.converged and not isinstance(exists, Separation):
        return Maximum(carried_back(working, state.point), objective, solution, "not_converged", ())
    if exists is None and not asked and method != "jeffreys":
        exists = _existence(ground, state)
    if isinstance(exists, Separation):
        return _separated(ground, exists, solution, reach, labels, recorder)
    finished = finish(ground, state, reason, tol, reach)
    solution = replace(finished.solution, overlap=exists)
    remedy = REMEDY if solver is None else solver.remedy
    notes = ground.notes if solution.converged else (*ground.notes, _unconverged(solution, remedy))
    if exists is None and method != "jeffreys":
        notes, solution = (*notes, _undecided(objective)), _doubted(solution, state.point.odds)
    status = "not_converged" if not solution.converged else "aliased" if ground.aliased else "ok"
    point = carried_back(working, state.point)
    if recorder is not None and recorder.last is not None and recorder.last[1] is not state.point:
        recorder.write(objective, point, 1.0)  # what made sure that a stationary point is a maximum went on from it
    return Maximum(point, objective, solution, status, notes, triangle=ground.triangle, finished=finished)


def _by_newton(
    ground: Ground, newton: Newton, begin: Array, watch: Callback
) -> tuple[State, str, Separation | bool | None]:
    """Step by Newton's method; where that has not converged early, decide whether a maximum exists before going on."""
    working = ground.working
    early = replace(newton, max_iter=min(newton.max_iter, EARLY))
    state, reason = early.solve_from(working, begin, ground.first, watch)
    if state.decrement <= newton.tol or not working.link.is_concave:
        state, reason = newton.resume(working, state, watch)
        return state, reason, None
    exists = _existence(ground, state)
    if isinstance(exists, Separation):
        return state, reason, exists
    if exists is None and state.point.odds < NEAR_ODDS:  # however long it went on, it would not be called converged
        return state, reason, exists
    state, reason = newton.resume(working, state, watch)
    return state, reason, exists


def _by_gradients(
    ground: Ground, solver: FirstOrder, begin: Array, watch: Callback
) -> tuple[State, str, Separation | bool | None]:
    """Go by gradients; what has not arrived early is asked whether there is anywhere to arrive, before it goes on."""
    working = ground.working
    state = solver.init(working, begin, ground.first)
    early = replace(solver, max_iter=min(solver.max_iter, solver.early))
    state, reason = early.resume(working, state, watch)
    if state.decrement <= solver.tol:
        return state, reason, None
    exists = _existence(ground, state)
    if not isinstance(exists, Separation):
        state, reason = solver.resume(working, state, watch)
    return state, reason, exists


def _existence(ground: Ground, state: State) -> Separation | bool | None:
    """Say whether the maximum exists: True where that is proved, how the classes are separated, None if unknown."""
    objective, working = ground.objective, ground.working
    if not _may_be_separated(objective):
        return True
    if objective.n_parameters > DENSE_LIMIT:
        return None
    near = carried_back(working, state.point).w if state.point.odds > NEAR_ODDS else None
    if near is not None and overlap_is_proved(objective, near):
        return True
    found = separation_within(objective, EXACT_WORK, near)
    if found is None or found.kind == "none":
        return None if found is None else True
    return found if objective.prior.is_flat or held_space(objective.stated or objective.prior).certain else None


def _memory(objective: PenalizedLikelihood) -> MemoryTable:
    table = objective.engine.table
    assert isinstance(table, MemoryTable)
    return table


def _may_be_separated(objective: PenalizedLikelihood) -> bool:
    """Return whether the prior leaves directions free, other than intercepts, in which there could be no maximum."""
    q, p = objective.link.n_scores, objective.units.n_coefficients
    intercepts = np.arange(0, q * p, p) if objective.units.intercept else np.zeros(0, dtype=np.intp)
    if objective.prior.is_flat:
        return True
    held = held_space(objective.stated or objective.prior)
    if held.leaves_only(intercepts):
        return False
    # a posterior that is the prior of further rows is known to rounding, and so are the directions it leaves free
    return objective.stated is not None or q < objective.link.n_classes or not held.leaves_only_common(q)


def _doubted(solution: Solution, odds: float) -> Solution:
    """Return the solution of a fit whose existence is not decided: not converged where rows fit as if separated."""
    if odds >= NEAR_ODDS:
        return solution
    return replace(solution, converged=False, reason=DIVERGING.format(odds))


def _undecided(objective: PenalizedLikelihood) -> Note:
    if objective.prior.is_flat or held_space(objective.stated or objective.prior).certain:
        return UNDECIDED
    return replace(
        UNDECIDED,
        message="existence not decided: the prior's precision matrix is singular to rounding, and along directions "
        "that it hardly holds the classes are separated. coef_ holds the point where the solver stopped.",
        remedy="Give a precision matrix that holds every direction, or one that is exactly singular.",
    )


def _separated(
    ground: Ground,
    found: Separation,
    solution: Solution,
    tol: float,
    labels: tuple[Any, ...],
    recorder: Recorder | None,
) -> Maximum:
    """Take the finite point that stands for the maximum at infinity."""
    state = finite_point(ground.working, found, tol)
    recession = recession_of(ground.objective, found)
    note = separation_note(ground.objective, found, recession, labels)
    reason = f"the classes are separated ({found.kind}): the maximum is at infinity, this is a finite point near it"
    final = replace(
        solution_of(state, reason, tol), overlap=False, converged=False, sweeps=solution.sweeps + state.sweeps
    )
    point = carried_back(ground.working, state.point)
    if recorder is not None:
        recorder.write(ground.objective, point)
    notes = (note, *ground.notes)
    return Maximum(point, ground.objective, final, "separated", notes, found, ground.triangle, recession)


def _unconverged(solution: Solution, remedy: str = REMEDY) -> Note:
    return Note(
        code="not-converged",
        message=f"the fit did not converge: {solution.reason}.",
        remedy=remedy,
        category=ConvergenceWarning,
    )
