"""Kernel logistic regression: from a design to its certified optimum, and the end of the book's stochastic run."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.gaussian_kernel import GaussianKernel
from posteriori.bases.kernel_centers import Distinct
from posteriori.designs.units import Units
from posteriori.engines.base import Engine
from posteriori.engines.select import engine_for
from posteriori.fits.kernels.certificate import Inverse, KernelCertificate
from posteriori.fits.weight_tolerances import reachable
from posteriori.links.base import LinkFunction
from posteriori.links.softmax import Softmax
from posteriori.messages.errors import ConvergenceWarning
from posteriori.messages.notes import Note
from posteriori.objectives.kernel_classwise import Classwise, DenseClasswise, SweptClasswise
from posteriori.objectives.kernel_design import KernelDesign
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.base import Solution, convergence_reason, solution_of, unconverged_note
from posteriori.solvers.newton.kernel_newton import ClasswiseNewton
from posteriori.solvers.newton.newton import Newton
from posteriori.solvers.ordered.kernel_online import OnlineRun
from posteriori.sweeps.row_functions import Products
from posteriori.tables.views import Mapped

#: The Newton decrement to reach.
TOLERANCE = 1e-8
MOST_STEPS = 200
#: Coefficients up to which the whole Hessian is factored.
DENSE = 1500
#: Work (rows times squared coefficients) up to which that is done for more than one score.
DENSE_WORK = 2e9
#: Corrections of the optimum over a few columns by the gradient over the kernels.
REFINEMENTS = 4
#: What to do where that has not converged.
REMEDY = "Raise precision, or give fewer centers."


@dataclass(frozen=True)
class KernelMaximum:
    """The coefficients of the scores over the kernels, (q, m), their certificate and notes."""

    theta: Array
    solution: Solution
    notes: tuple[Note, ...] = ()


def maximize_kernel(design: KernelDesign, link: LinkFunction, precision: float) -> KernelMaximum:
    """Minimise -log likelihood + precision |theta|^2 / 2 over the K vectors theta.

    Two classes have theta_0 = -theta_1 at the optimum, so one vector of differences, theta_1 - theta_0, under half the
    precision, is the same problem.

    Book: [Sugiyama] Eq. 28.1, §28.1.1, with a penalty.
    """
    engine = engine_for(design.table).numbered()
    own, tol = score_precision(link, precision), reachable(engine.rows(link.n_classes), TOLERANCE)
    state, reason, over_columns = solve_columns(engine, design, link, own, tol)
    solution = replace(solution_of(state, reason, tol), overlap=True)

    def inverse(vector: Array) -> Array:
        columns = design.over_columns(vector)
        rest = vector - design.over_kernels(columns)  # along which the kernels are zero to rounding
        return design.over_kernels(over_columns(columns.ravel()).reshape(columns.shape)) + rest / own

    if design.vectors is not None:
        theta, solution = _refined(design, link, state, over_columns, own, solution, tol)
    else:  # the last step is known already: it takes a decrement within tol to one within tol^2
        theta = (state.point.w + (state.step if solution.converged else 0.0)).reshape(link.n_scores, -1)
    solution = KernelCertificate.of(design, link, own).certified(solution, theta, inverse, tol)
    return KernelMaximum(theta, solution, () if solution.converged else (unconverged_note(solution, REMEDY),))


def by_class(link: LinkFunction, theta: Array) -> Array:
    """Return a vector per class, (K, m), summing to zero: minus and plus half of a single vector of differences."""
    return np.concatenate([-0.5 * theta, 0.5 * theta]) if link.n_scores == 1 else theta


def score_precision(link: LinkFunction, precision: float) -> float:
    """Return the precision of the score vectors: half of it for a single vector of differences."""
    return 0.5 * precision if link.n_scores == 1 else precision


def solve_columns(
    engine: Engine, design: KernelDesign | None, link: LinkFunction, precision: float, tol: float
) -> tuple[Any, str, Inverse]:
    """Reach the optimum over the columns of a table; return the last state, the reason, and the inverse of its Hessian.

    `design` is that of the table: if it has a matrix, there are no more rows than columns.
    """
    q, p = link.n_scores, engine.table.n_columns
    prior = Quadratic(np.zeros(q * p), np.full(q * p, precision))
    units = Units(np.zeros(p), np.ones(p), intercept=False)
    objective = PenalizedLikelihood(engine, link, units, prior, np.zeros((q * p, 0)))
    if q * p <= DENSE and (q == 1 or engine.n_rows * float(q * p) ** 2 <= DENSE_WORK):
        state, reason = Newton(tol, MOST_STEPS).solve(objective, np.zeros(q * p))
        assert state.factor is not None
        return state, reason, state.factor.solve
    classwise: Classwise = SweptClasswise(objective, precision)
    if design is not None and design.matrix is not None and design.counts is not None:
        classwise = DenseClasswise(link, precision, design.matrix, design.matrix @ design.matrix.T, design.counts)
    solver = ClasswiseNewton(tol, MOST_STEPS)
    end, reason = solver.solve(classwise, np.zeros(classwise.n_parameters))
    return end, reason, lambda vector: solver.inverse(classwise, end, vector)


def _refined(
    design: KernelDesign,
    link: LinkFunction,
    state: Any,
    inverse: Inverse,
    precision: float,
    solution: Solution,
    tol: float,
) -> tuple[Array, Solution]:
    """Correct the optimum over a few columns by the gradient over the kernels, and certify the result.

    Over the columns U the Hessian is H_U; along all other directions the kernels are zero to rounding and it is the
    precision. So the decrement is sqrt(g_U'H_U^-1 g_U + |g - U g_U|^2 / precision).
    """
    start = state.point.w + (state.step if solution.converged else 0.0)
    theta = design.over_kernels(start.reshape(link.n_scores, -1))
    best, least = theta, np.inf
    for _ in range(REFINEMENTS):
        gradient = _gradient(design, link, theta, precision)
        over_columns = design.over_columns(gradient)
        step = inverse(over_columns.ravel()).reshape(over_columns.shape)
        rest = gradient - design.over_kernels(over_columns)
        decrement = float(np.sqrt(max(float(np.sum(over_columns * step)), 0.0) + float(np.sum(rest**2)) / precision))
        best, least = (theta, decrement) if decrement < least else (best, least)
        theta = theta - design.over_kernels(step) - rest / precision
        if decrement <= tol:
            best = theta  # within tol^2
            break
    reason = convergence_reason(least, tol)
    if least > tol:
        reason = f"the Newton decrement over all kernels stays at {least:.2g}: the limit of rounding"
    gap = 0.5 * least**2 if least < 1e-4 else np.inf
    return best, replace(solution, decrement=least, gap=gap, converged=least <= tol, reason=reason)


def _gradient(design: KernelDesign, link: LinkFunction, theta: Array, precision: float) -> Array:
    """Return the gradient over the kernels, K score + precision theta, (q, m)."""
    assert design.counts is not None
    score = link.parts(design.times(theta), design.counts, curvature=False).score
    return design.times(score.T).T + precision * theta


# --- the book's run


def online_solution(
    kernel: GaussianKernel, distinct: Distinct, run: OnlineRun, precision: float
) -> tuple[Solution, Note]:
    """Return the certificate of a run (with a penalty, a bound on its Newton decrement) and a note."""
    link = Softmax(len(run.theta))
    engine = engine_for(distinct.table().view(Mapped(kernel)))
    eta = engine.map(Products(run.theta))
    parts = link.parts(eta, distinct.counts, curvature=False)
    objective = float(parts.loss.sum()) + 0.5 * precision * float(np.sum(run.theta**2))
    decrement = np.inf
    if precision > 0:
        decrement = KernelCertificate(engine, kernel, link, precision).bound(run.theta)
    how = "a step was shorter than 1e-6" if run.stopped else "1,000 steps for each row had been taken"
    reason = f"the on-line run ended after {run.steps} steps, when {how}"
    solution = Solution(objective, decrement, np.inf, None, 1, run.steps, False, reason)
    message = f"{reason}. That is where this run of random steps happened to end, not an optimum."
    remedy = "solver='auto', with a precision above zero, reaches the optimum."
    return solution, Note("online", message, remedy=remedy, category=ConvergenceWarning)
