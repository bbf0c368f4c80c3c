"""From a problem to its maximum: rank, existence, convergence."""

from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.fits.certificate.certificate import Finished, finish
from posteriori.fits.existence.at_infinity import finite_point
from posteriori.fits.existence.conditioning import point_in_plain_units, to_working
from posteriori.fits.existence.existence import doubted, undecided_note
from posteriori.fits.existence.nonconcave import certified
from posteriori.fits.existence.recession import Recession, recession_of
from posteriori.fits.existence.separation import Separation
from posteriori.fits.existence.separation_note import LIMIT_NOT_REACHED, separation_note
from posteriori.fits.methods import Method, Reached
from posteriori.fits.problem import Preparation, Problem
from posteriori.fits.weight_tolerances import for_weights, reachable
from posteriori.messages.notes import Note
from posteriori.models.base import Status
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Solution, no_callback, solution_of, unconverged_note
from posteriori.solvers.newton.newton import Newton
from posteriori.solvers.trace import Recorder


@dataclass(frozen=True)
class Maximum:
    """The maximum, or the finite point that stands for one at infinity.

    Parameters
    ----------
    point : in units column by column
    objective : what was maximised, in those units
    solution : the certificate
    status : "ok", "separated", "aliased" or "not_converged"; the worst of them, in the order separated, not_converged,
        aliased
    notes : what the user should know
    separation : how the classes are separated
    triangle : R (p, p) where columns are nearly dependent: R times the coefficients of a score are coordinates
        (`designs.units.TriangularUnits`) in which the curvature is well conditioned
    recession : to which infinity each coefficient of separated classes goes
    finished : the coefficients that the certificate is of, None where there is no maximum
    """

    point: Point
    objective: PenalizedLikelihood
    solution: Solution
    status: Status
    notes: tuple[Note, ...]
    separation: Separation | None = None
    triangle: Array | None = None
    recession: Recession | None = None
    finished: Finished | None = None


def maximize(
    problem: Problem,
    method: Method,
    starts: tuple[Array, ...],
    init: Array | None = None,
    recorder: Recorder | None = None,
) -> Maximum:
    """Reach the maximum, and determine whether it exists and is unique.

    Parameters
    ----------
    problem, method : what is maximised, and how
    starts : one, or several for likelihoods that may have several maxima: the best is returned
    init : a start from the user, tried first; where no step leads back from it, the usual start takes its place
    recorder : of the iterates that lead to what is returned
    """
    if len(starts) > 1:
        return _best(problem, method, starts if init is None else (init, *starts), recorder)
    if init is None or not method.uses_curvature:
        return _maximize(problem, method, starts[0] if init is None else init, recorder)
    first = _maximize(problem, replace(method, from_init=True), init, recorder)
    if first.status != "not_converged":
        return first
    if recorder is not None:
        recorder.forget()
    second = _maximize(problem, method, starts[0], recorder)
    return replace(second, solution=replace(second.solution, sweeps=second.solution.sweeps + first.solution.sweeps))


def _best(problem: Problem, method: Method, starts: tuple[Array, ...], recorder: Recorder | None) -> Maximum:
    """Maximise from several starts; return the best maximum, with the iterates that lead to it."""
    tried: list[tuple[Maximum, Recorder | None]] = []
    for start in starts:
        own = None if recorder is None else Recorder(problem.objective)
        tried.append((_maximize(problem, method, start, own), own))
        if tried[-1][0].status == "separated":
            break  # which depends on the rows alone
    best, steps = reduce(lambda a, b: b if is_better(b[0], a[0]) else a, tried)
    if recorder is not None and steps is not None:
        recorder.steps.extend(steps.steps)
    return replace(best, solution=replace(best.solution, sweeps=sum(each.solution.sweeps for each, _ in tried)))


def is_better(one: Maximum, other: Maximum) -> bool:
    """Return whether a maximum is better than another: one that converged, then the lower objective."""
    ended = [each.status not in ("not_converged", "separated") for each in (one, other)]
    lower = one.solution.objective < other.solution.objective - 1e-9
    return ended[0] > ended[1] or (ended[0] == ended[1] and lower)


def _maximize(problem: Problem, method: Method, start: Array, recorder: Recorder | None) -> Maximum:
    """Maximise from one start."""
    tol, rows = problem.tol, problem.objective.rows
    if method.proves_existence:  # beside Jeffreys' prior light weights need not count
        tol = min(tol, for_weights(rows, tol))
    reach = reachable(rows, tol)
    preparation = method.prepare(problem.objective, start)
    working = preparation.working
    callback = no_callback if recorder is None else recorder.on(working)
    begin = working.fixed(to_working(working, start))
    reached = method.reach(preparation, reach, problem.max_iter, begin, callback)
    if not working.link.is_concave:
        state, reason = certified(
            working, reached.state, reached.reason, Newton(reach, problem.max_iter), summed=method.sums_hessian
        )
        reached = replace(reached, state=state, reason=reason)
    solution = solution_of(reached.state, reached.reason, reach)
    if method.from_init and not solution.converged and not isinstance(reached.existence, Separation):
        point = point_in_plain_units(working, reached.state.point)
        return Maximum(point, preparation.objective, solution, "not_converged", ())
    if reached.existence is None and not reached.tested and method.proves_existence:
        reached = replace(reached, existence=preparation.existence(reached.state))
    if isinstance(reached.existence, Separation):
        last = reached.state.point
        return _separated(preparation, reached.existence, solution, reach, problem.labels, recorder, last)
    return _certified(preparation, method, reached, tol, reach, recorder)


def _certified(
    preparation: Preparation, method: Method, reached: Reached, tol: float, reach: float, recorder: Recorder | None
) -> Maximum:
    """Certify the end point of a method, where nothing refutes that it is a maximum."""
    objective, state = preparation.objective, reached.state
    finished = finish(preparation, state, reached.reason, tol, reach)
    solution = replace(finished.solution, overlap=True if reached.existence else None)
    notes = preparation.notes
    if not solution.converged:
        notes = (*notes, unconverged_note(solution, method.remedy))
    if reached.existence is None and method.proves_existence:
        notes, solution = (*notes, undecided_note(objective)), doubted(solution, state.point.odds)
    status: Status = "not_converged" if not solution.converged else "aliased" if preparation.aliased else "ok"
    point = point_in_plain_units(preparation.working, state.point)
    if recorder is not None and recorder.last is not None and recorder.last[1] is not state.point:
        recorder.write(objective, point, 1.0)  # Newton continued, to certify a stationary point as a maximum
    return Maximum(point, objective, solution, status, notes, triangle=preparation.triangle, finished=finished)


def _separated(
    preparation: Preparation,
    separation: Separation,
    solution: Solution,
    tol: float,
    labels: tuple[Any, ...],
    recorder: Recorder | None,
    last: Point,
) -> Maximum:
    """Return the finite point that stands for the maximum at infinity."""
    objective = preparation.objective
    end = finite_point(preparation.working, separation, tol, last)
    state = end.state
    recession = recession_of(objective, separation)
    note = separation_note(objective, separation, recession, labels, end.is_limit)
    reason = f"the classes are separated ({separation.kind}): the maximum is at infinity, this is {end.description}"
    final = replace(
        solution_of(state, reason, tol), decrement=np.inf, gap=np.inf, overlap=False, converged=False,
        sweeps=solution.sweeps + state.sweeps,
    )  # fmt: skip
    point = point_in_plain_units(preparation.working, state.point)
    if recorder is not None:
        recorder.write(objective, point)
    notes = (note, *(() if end.is_limit else (LIMIT_NOT_REACHED,)), *preparation.notes)
    return Maximum(point, objective, final, "separated", notes, separation, preparation.triangle, recession)
