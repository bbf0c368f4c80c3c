"""What all solvers share: `Solver`, its `State`, and the `Solution` that certifies where it stopped."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, Self, TypeVar

import numpy as np

from posteriori.arrays import Array
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.messages.errors import ConvergenceWarning
from posteriori.messages.notes import Note
from posteriori.objectives.penalized import Point
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Solution:
    """Where a solver stopped, and the certificate of that point.

    Parameters
    ----------
    objective : minus the (penalised) log likelihood there
    decrement : a bound on the Newton decrement sqrt(g'H^-1 g) at the coefficients in the user's units, including
        rounding: no linear combination of coefficients is further from the optimum than this many standard errors;
        inf where the Hessian is nearly singular and does not bound every direction, and where the classes are
        separated, so that the optimum is at infinity
    gap : bound on how far the objective is above its minimum, by self-concordance; inf where the decrement is 1 or more
    overlap : True where the maximum is proved to exist (no separation), False where it is proved not to exist
        (separation), None where neither is proved
    sweeps : passes over the data
    iterations : steps taken
    converged : whether the decrement reached the tolerance, or came as near as the rounding of the coefficients
        allows; in that case `reason` says so and `decrement` is above the tolerance
    reason : why it stopped, in a sentence
    """

    objective: float
    decrement: float
    gap: float
    overlap: bool | None
    sweeps: int
    iterations: int
    converged: bool
    reason: str


#: Steps by rounding alone without a lower decrement after which no further one is taken.
IDLE = 30


@dataclass(frozen=True, kw_only=True)
class State:
    """The state of a solver after some iterations.

    Parameters
    ----------
    point : the current point
    decrement : its Newton decrement: its distance from the optimum in standard errors
    sweeps : passes over the data so far
    iterations : steps so far
    stalled : why no further step can be taken; empty while steps can be taken
    nonsingular : False where the Hessian behind the decrement is nearly singular and does not bound every direction
    rate : length of the last step; 1 is a full Newton step
    factor : the last Hessian, factored, where there is one
    least, idle : the least decrement since steps change the value by no more than its rounding, and the number of steps
        since then that did not reach a lower one
    """

    point: Point
    decrement: float
    sweeps: int
    iterations: int = 0
    stalled: str = ""
    nonsingular: bool = True
    rate: float = 1.0
    factor: SymmetricFactor | None = None
    least: float = np.inf
    idle: int = 0

    def after_failure(self, sweeps: int, **changes: Any) -> Self:
        """Return the state after an iteration that found no lower point: stalled, or with other changes."""
        if not changes:
            changes = {
                "stalled": f"no step goes down at a Newton decrement of {self.decrement:.2g}: the limit of rounding"
            }
        return replace(self, sweeps=self.sweeps + sweeps, iterations=self.iterations + 1, **changes)

    def after_rounding(self, before: "State") -> Self:
        """Return the state after a step that changed the value by rounding: stalled if the decrement falls no more."""
        least = min(before.least, before.decrement)
        if self.decrement < least:
            return replace(self, least=self.decrement)
        state = replace(self, least=least, idle=before.idle + 1)
        if state.idle < IDLE:
            return state
        return replace(
            state, stalled=f"no step lowers the Newton decrement of {self.decrement:.2g}: the limit of rounding"
        )


Objective = TypeVar("Objective")
Iterate = TypeVar("Iterate", bound=State)

#: Called with every state, from the start on; see `solvers.trace.Recorder`.
Callback = Callable[[Any], None]


def no_callback(state: State) -> None:
    """Ignore the state."""


class Solver(ABC, Generic[Objective, Iterate]):
    """An iterative minimiser of an objective, such as `PenalizedLikelihood`."""

    max_iter: int
    tol: float

    @abstractmethod
    def init(self, objective: Objective, start: Array) -> Iterate:
        """Return the state at the start."""

    @abstractmethod
    def step(self, objective: Objective, state: Iterate) -> Iterate:
        """Return the state after one more step."""

    def done(self, state: Iterate) -> str:
        """Return why the iteration stops here, or an empty string if it continues."""
        if state.decrement <= self.tol and not state.nonsingular:
            return "the Hessian is singular to rounding, so some combinations of coefficients were not moved"
        if state.decrement <= self.tol:
            return convergence_reason(state.decrement, self.tol)
        if state.stalled:
            return state.stalled
        if state.iterations >= self.max_iter:
            return f"the limit of {self.max_iter} iterations was reached at a Newton decrement of {state.decrement:.2g}"
        return ""

    def solve(self, objective: Objective, start: Array, callback: Callback = no_callback) -> tuple[Iterate, str]:
        """Step from the start until done; return the last state and the reason."""
        return self.resume(objective, self.init(objective, start), callback)

    def resume(self, objective: Objective, state: Iterate, callback: Callback = no_callback) -> tuple[Iterate, str]:
        """Step from a state until done; return the last state and the reason."""
        callback(state)
        while not (reason := self.done(state)):
            state = self.step(objective, state)
            callback(state)
        return state, reason


def convergence_reason(decrement: float, tol: float) -> str:
    """Return the reason of a solver that reached its tolerance."""
    return f"the Newton decrement {decrement:.2g} is within the tolerance {tol:.2g}"


def newton_decrement(gradient: Array, step: Array) -> float:
    """Return sqrt(-g's) of a Newton step s; 0 where rounding makes -g's negative."""
    return float(np.sqrt(max(-float(gradient @ step), 0.0)))


def gap_of(decrement: float) -> float:
    """Return the bound on f - f* at a Newton decrement t by self-concordance, -t - log(1 - t).

    Boyd & Vandenberghe, Eq. 9.50.
    """
    if decrement < 1e-4:
        return 0.5 * decrement**2 * (1.0 + decrement)  # where the difference below is all rounding
    return -decrement - float(np.log1p(-decrement)) if decrement < 1 else np.inf


def unconverged_note(solution: Solution, remedy: str) -> Note:
    """Return the note on a fit that ended before the tolerance."""
    message = f"the fit did not converge: {solution.reason}."
    return Note("not-converged", message, remedy=remedy, category=ConvergenceWarning)


def solution_of(state: State, reason: str, tol: float) -> Solution:
    """Return the certificate of a state."""
    decrement = state.decrement
    return Solution(
        objective=state.point.value,
        decrement=decrement,
        gap=gap_of(decrement),
        overlap=None,
        sweeps=state.sweeps,
        iterations=state.iterations,
        converged=decrement <= tol and state.nonsingular,
        reason=reason,
    )
