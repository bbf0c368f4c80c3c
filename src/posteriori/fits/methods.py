"""`Method`: how a maximum is reached. One class per method; `METHODS` lists them by name."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.fits.existence.existence import NEAR_ODDS
from posteriori.fits.existence.separation import Separation
from posteriori.fits.problem import Preparation, prepare
from posteriori.objectives.jeffreys import JeffreysLikelihood
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.objectives.prepare import survey
from posteriori.solvers.base import Callback, State
from posteriori.solvers.catalogue import FIRST_ORDER
from posteriori.solvers.first_order.base import FirstOrder
from posteriori.solvers.newton.fisher_scoring import Scoring
from posteriori.solvers.newton.newton import MANY, Newton, NewtonState
from posteriori.solvers.newton.sampled import Sampled
from posteriori.solvers.newton.truncated import TruncatedNewton

#: Newton steps after which the existence of the maximum is tested, if the method has not converged by then.
EARLY = 10


@dataclass(frozen=True)
class Reached:
    """Where a method ended.

    Parameters
    ----------
    state, reason : the last state of the solver, and why it is the last
    existence : True where a maximum is proved to exist, how the classes are separated, or None if neither is known
    tested : whether that was tested with the best iterate there is, so that another test would not tell more
    """

    state: State
    reason: str
    existence: Separation | bool | None = None
    tested: bool = False


@dataclass(frozen=True)
class Method(ABC):
    """How a maximum is reached: the coordinates that are prepared, and the solver.

    Parameters
    ----------
    solver : of a first-order method
    samples : parts of the rows, for a method that starts from them
    from_init : whether the start is the user's
    """

    #: Whether the method can sum the Hessian of the likelihood.
    sums_hessian: ClassVar[bool] = True
    #: Whether a proof of existence belongs to it; beside Jeffreys' prior there is always a maximum.
    proves_existence: ClassVar[bool] = True
    #: Whether units and start come from a sample of the rows.
    uses_sample: ClassVar[bool] = False
    #: Whether steps use curvature: from a start without any, such as a bad one of the user's, they lead nowhere.
    uses_curvature: ClassVar[bool] = True

    solver: FirstOrder | None = None
    samples: tuple[Engine, ...] = ()
    from_init: bool = False

    @property
    def remedy(self) -> str:
        """What to do where the method has not converged."""
        return "Raise max_iter, or tol if fewer digits will do."

    def prepare(self, objective: PenalizedLikelihood, start: Array) -> Preparation:
        """Prepare an objective for a start."""
        return prepare(objective, start)

    @abstractmethod
    def reach(self, preparation: Preparation, tol: float, max_iter: int, start: Array, callback: Callback) -> Reached:
        """Step from a start until the decrement is at most `tol`, or until no maximum exists."""


class _UntilSingular(Newton):
    """Newton's method up to the first Hessian that is nearly singular, as where classes are separated.

    Further ones cost their eigenvectors each: with many coefficients the existence of the maximum is decided sooner.
    """

    def done(self, state: NewtonState) -> str:
        """Return why the iteration stops."""
        return super().done(state) or ("" if state.nonsingular else "the Hessian is nearly singular")


class NewtonMethod(Method):
    """Newton's method; where it has not converged early, existence is tested before it continues."""

    def reach(self, preparation: Preparation, tol: float, max_iter: int, start: Array, callback: Callback) -> Reached:
        """Step by Newton's method."""
        working, newton = preparation.working, Newton(tol, max_iter)
        several = working.link.n_classes > 2 and working.n_parameters >= MANY
        early = (_UntilSingular if several else Newton)(tol, min(max_iter, EARLY))
        state, reason = early.solve_from(working, start, preparation.first, callback)
        if state.decrement <= tol or not working.link.is_concave:
            return Reached(*newton.resume(working, state, callback))
        existence = preparation.existence(state)
        if existence is None:
            state, reason = replace(newton, max_iter=min(max_iter, EARLY)).resume(working, state, callback)
        hopeless = existence is None and state.point.odds < NEAR_ODDS  # it would never be called converged
        if not (isinstance(existence, Separation) or hopeless):
            state, reason = newton.resume(working, state, callback)
        return Reached(state, reason, existence, tested=True)


class SampledMethod(Method):
    """Newton on a sample of the rows, then a few exact sweeps."""

    uses_sample = True

    def prepare(self, objective: PenalizedLikelihood, start: Array) -> Preparation:
        """Prepare by the Hessian of the smallest sample."""
        return prepare(objective, start, self.samples)

    def reach(self, preparation: Preparation, tol: float, max_iter: int, start: Array, callback: Callback) -> Reached:
        """Step on the sample, then on all rows; raise if cells outside the sample are not finite."""
        solver = Sampled(self.samples, tol, max_iter, self.from_init)
        state, reason = solver.solve(preparation.working, start, callback)
        if not np.isfinite(state.point.gradient).all():
            survey(preparation.objective.engine)
        return Reached(state, reason)


class TruncatedMethod(Method):
    """Newton by conjugate gradients, for too many coefficients to form a Hessian."""

    sums_hessian = False

    def reach(self, preparation: Preparation, tol: float, max_iter: int, start: Array, callback: Callback) -> Reached:
        """Step without a matrix."""
        return Reached(*TruncatedNewton(tol, max_iter).solve(preparation.working, start, callback))


class JeffreysMethod(Method):
    """Fisher scoring with Jeffreys' prior in place of the objective's own."""

    sums_hessian = False
    proves_existence = False

    def prepare(self, objective: PenalizedLikelihood, start: Array) -> Preparation:
        """Prepare the likelihood, and put Jeffreys' prior into it."""
        plain = super().prepare(objective, start)
        return replace(
            plain, objective=JeffreysLikelihood.of(plain.objective), working=JeffreysLikelihood.of(plain.working)
        )

    def reach(self, preparation: Preparation, tol: float, max_iter: int, start: Array, callback: Callback) -> Reached:
        """Step by Fisher scoring."""
        return Reached(*Scoring(tol, max_iter).solve(preparation.working, start, callback))


class FirstOrderMethod(Method):
    """A first-order solver. If it has not converged early, existence is tested before it continues."""

    uses_curvature = False

    @property
    def remedy(self) -> str:
        """What to do where the solver has not converged."""
        assert self.solver is not None
        return self.solver.remedy

    def prepare(self, objective: PenalizedLikelihood, start: Array) -> Preparation:
        """Prepare an objective, its common shift as the solver treats it."""
        assert self.solver is not None
        return prepare(objective, start, sets_common_shift=self.solver.sets_common_shift)

    def reach(self, preparation: Preparation, tol: float, max_iter: int, start: Array, callback: Callback) -> Reached:
        """Step by the solver, whose own limit of iterations holds."""
        assert self.solver is not None
        working, solver = preparation.working, replace(self.solver, tol=tol)
        state = solver.init(working, start, preparation.first)
        early = replace(solver, max_iter=min(solver.max_iter, solver.early))
        state, reason = early.resume(working, state, callback)
        if state.decrement <= tol:
            return Reached(state, reason)
        existence = preparation.existence(state)
        if not isinstance(existence, Separation):
            state, reason = solver.resume(working, state, callback)
        return Reached(state, reason, existence)


#: Methods by the names of `solvers.select` and `solvers.catalogue`.
METHODS: dict[str, type[Method]] = {
    "newton": NewtonMethod,
    "sampled": SampledMethod,
    "truncated": TruncatedMethod,
    "jeffreys": JeffreysMethod,
    **dict.fromkeys(FIRST_ORDER, FirstOrderMethod),
}
