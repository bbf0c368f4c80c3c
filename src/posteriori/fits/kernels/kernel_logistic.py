"""Kernel logistic regression: from a design to its certified optimum, and where the book's run ends."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.gaussian_kernel import GaussianKernel
from posteriori.bases.kernel_centers import Distinct
from posteriori.designs.units import Units
from posteriori.engines.select import engine_for
from posteriori.links.base import LinkFunction
from posteriori.links.softmax import Softmax
from posteriori.messages.errors import ConvergenceWarning
from posteriori.messages.notes import Note
from posteriori.objectives.kernel_classwise import Classwise, LaidOutClasswise, SweptClasswise
from posteriori.objectives.kernel_design import KernelDesign
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.base import Solution, solution_of
from posteriori.solvers.newton.kernel_newton import ClasswiseNewton
from posteriori.solvers.newton.newton import Newton
from posteriori.solvers.ordered.kernel_online import OnlineRun
from posteriori.tables.memory import MemoryTable

Inverse = Callable[[Array], Array]

#: The Newton decrement to reach.
TOLERANCE = 1e-8
MOST_STEPS = 200
#: Coefficients up to which the whole Hessian is factored.
DENSE = 1500
#: Work (rows times squared coefficients) up to which that is done for more than one score.
DENSE_WORK = 2e9
#: How often the optimum over a few columns is corrected by the kernels themselves.
REFINEMENTS = 4


@dataclass(frozen=True)
class KernelMaximum:
    """The coefficients of the scores over the kernels, (q, m), and what is to be said of them."""

    theta: Array
    solution: Solution
    notes: tuple[Note, ...] = ()


def maximize_kernel(design: KernelDesign, link: LinkFunction, precision: float) -> KernelMaximum:
    """Minimise -log likelihood + precision |theta|^2 / 2 over the K vectors theta.

    Two classes have theta_0 = -theta_1 at the optimum, so one vector of differences, theta_1 - theta_0, under half the
    precision, is the same problem.

    Book: [Sugiyama] Eq. 28.1, §28.1.1, with a penalty.
    """
    held, tol = held_for(link, precision), _reachable(design.table)
    state, reason, inverse = solve_columns(design.table, design.matrix, link, held, tol)
    solution = replace(solution_of(state, reason, tol), overlap=True)
    if design.vectors is not None:
        theta, solution = _refined(design, link, state, inverse, held, solution)
    else:  # the last step is solved for already: with it, what was within tol is within tol^2
        theta = (state.point.w + (state.step if solution.converged else 0.0)).reshape(link.n_scores, -1)
    return KernelMaximum(theta, solution, () if solution.converged else (_unconverged(solution),))


def by_class(link: LinkFunction, theta: Array) -> Array:
    """Give a vector for every class, (K, m), summing to zero: of one vector of differences minus and plus its half."""
    return np.concatenate([-0.5 * theta, 0.5 * theta]) if link.n_scores == 1 else theta


def held_for(link: LinkFunction, precision: float) -> float:
    """Give the precision of the scores' own vectors: half of it for one vector of differences."""
    return 0.5 * precision if link.n_scores == 1 else precision


def solve_columns(
    table: MemoryTable, matrix: Array | None, link: LinkFunction, held: float, tol: float
) -> tuple[Any, str, Inverse]:
    """Go to the optimum over the columns of a table; give the last state, the reason, and the inverse of its Hessian.

    `matrix` holds the rows where they are laid out and no more than columns.
    """
    q, p = link.n_scores, table.n_columns
    prior = Quadratic(np.zeros(q * p), np.full(q * p, held))
    units = Units(np.zeros(p), np.ones(p), intercept=False)
    objective = PenalizedLikelihood(engine_for(table), link, units, prior, np.zeros((q * p, 0)))
    if q * p <= DENSE and (q == 1 or table.n_rows * float(q * p) ** 2 <= DENSE_WORK):
        state, reason = Newton(tol, MOST_STEPS).solve(objective, np.zeros(q * p))
        assert state.factor is not None
        return state, reason, state.factor.solve
    classwise: Classwise = SweptClasswise(objective, held)
    if matrix is not None:
        assert table.targets is not None
        classwise = LaidOutClasswise(link, held, matrix, matrix @ matrix.T, table.targets)
    solver = ClasswiseNewton(tol, MOST_STEPS)
    end, reason = solver.solve(classwise, np.zeros(classwise.n_parameters))
    return end, reason, lambda vector: solver.inverse(classwise, end, vector)


def _reachable(table: MemoryTable) -> float:
    """Give the tolerance, or what rounding allows where the weights sum to very much."""
    total = table.n_rows if table.weights is None else float(table.weights.sum())
    return float(max(TOLERANCE, 64 * np.finfo(np.float64).eps * np.sqrt(total)))


def _refined(
    design: KernelDesign, link: LinkFunction, state: Any, inverse: Inverse, held: float, solution: Solution
) -> tuple[Array, Solution]:
    """Correct the optimum over a few columns by the gradient over the kernels themselves, and certify that.

    Over the columns U the Hessian is the one known there, H_U; along all other directions the kernels have vanished
    to rounding and it is the precision. So the decrement is sqrt(g_U'H_U^-1 g_U + |g - U g_U|^2 / precision).
    """
    theta = design.over_kernels((state.point.w + state.step).reshape(link.n_scores, -1))
    tol = _reachable(design.table)
    for _ in range(REFINEMENTS):
        gradient = _gradient(design, link, theta, held)
        seen = design.over_columns(gradient)
        step = inverse(seen.ravel()).reshape(seen.shape)
        rest = gradient - design.over_kernels(seen)
        decrement = float(np.sqrt(max(float(np.sum(seen * step)), 0.0) + float(np.sum(rest**2)) / held))
        theta = theta - design.over_kernels(step) - rest / held
        if decrement <= tol:
            break
    reason = f"the Newton decrement {decrement:.2g} is within the tolerance {tol:.2g}"
    if decrement > tol:
        reason = f"the Newton decrement over all kernels stays at {decrement:.2g}: the limit of rounding"
    gap = 0.5 * decrement**2 if decrement < 1e-4 else np.inf
    return theta, replace(solution, decrement=decrement, gap=gap, converged=decrement <= tol, reason=reason)


def _gradient(design: KernelDesign, link: LinkFunction, theta: Array, held: float) -> Array:
    """Give K score + precision theta, (q, m), at the kernels themselves."""
    assert design.table.targets is not None
    score = link.parts(design.times(theta), design.table.targets, curvature=False).score
    return design.times(score.T).T + held * theta


def _unconverged(solution: Solution) -> Note:
    return Note(
        code="not-converged",
        message=f"the fit did not converge: {solution.reason}.",
        remedy="Raise precision, or give fewer centers.",
        category=ConvergenceWarning,
    )


# --- the book's run


def online_solution(
    kernel: GaussianKernel, distinct: Distinct, run: OnlineRun, precision: float
) -> tuple[Solution, Note]:
    """Say where a run ended: its objective, and, under a penalty, a bound on its Newton decrement."""
    link = Softmax(len(run.theta))
    table = distinct.table().mapped(kernel)
    eta = engine_for(table).map(lambda block: block.features @ run.theta.T)
    parts = link.parts(eta, distinct.counts, curvature=False)
    objective = float(parts.loss.sum()) + 0.5 * precision * float(np.sum(run.theta**2))
    decrement = np.inf
    if precision > 0:
        flat = Quadratic(np.zeros(run.theta.size), np.zeros(run.theta.size))
        units = Units(np.zeros(table.n_columns), np.ones(table.n_columns), intercept=False)
        likelihood = PenalizedLikelihood(engine_for(table), link, units, flat, np.zeros((run.theta.size, 0)))
        gradient = likelihood.slope(run.theta.ravel()).gradient + precision * run.theta.ravel()
        decrement = float(np.linalg.norm(gradient)) / float(np.sqrt(precision))
    how = "a step was shorter than 1e-6" if run.stopped else "1,000 steps for each row had been taken"
    reason = f"the on-line run ended after {run.steps} steps, when {how}"
    solution = Solution(objective, decrement, np.inf, None, 1, run.steps, False, reason)
    message = f"{reason}. That is where this run of random steps happened to end, not an optimum."
    remedy = "solver='auto', with a precision above zero, reaches the optimum."
    return solution, Note("online", message, remedy=remedy, category=ConvergenceWarning)
