"""The contract of a solver, and what it hands back."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from posteriori.arrays import Array
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Solution:
    """Where a solver stopped, and the certificate of it.

    Parameters
    ----------
    objective : minus the (penalised) log likelihood there
    decrement : a bound on the Newton decrement sqrt(g'H^-1 g) at the coefficients in the user's units, rounding
        included: no linear combination of coefficients is further from the optimum than this many standard errors;
        inf where the Hessian is too near singular to see every direction
    gap : bound on how far the objective is above its minimum, by self-concordance
    overlap : True where the existence of the maximum is proved, False where it is refuted, None where neither
    sweeps : readings of the data, whole ones
    iterations : steps taken
    converged : whether the decrement reached the tolerance, or, where `reason` says that the rounding of coefficients
        to floats allows no less, came as near as that; `decrement` is then above the tolerance
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


class State(Protocol):
    """What every solver's state shows: the point it is at, its decrement, what it has cost.

    `nonsingular` is False where the decrement was taken with a Hessian too near singular to see every direction.
    """

    @property
    def point(self) -> Point:
        """Where it is."""
        ...

    @property
    def decrement(self) -> float:
        """How far, in standard errors."""
        ...

    @property
    def sweeps(self) -> int:
        """Readings of the data so far."""
        ...

    @property
    def iterations(self) -> int:
        """Steps so far."""
        ...

    @property
    def stalled(self) -> str:
        """Why no further step can be taken, or nothing."""
        ...

    @property
    def nonsingular(self) -> bool:
        """Whether the decrement saw every direction."""
        ...


#: What is shown every state, from the start on; see `solvers.trace.Recorder`.
Watch = Callable[[Any], None]


def unwatched(state: State) -> None:
    """Look at nothing."""


class Solver(ABC):
    """A way to the minimum of a `PenalizedLikelihood`.

    `stalled` in a state is empty while steps can still be taken, else the reason why not.
    """

    max_iter: int
    tol: float

    @abstractmethod
    def init(self, objective: PenalizedLikelihood, start: Array) -> Any:
        """Give the state at the start."""

    @abstractmethod
    def step(self, objective: PenalizedLikelihood, state: Any) -> Any:
        """Give the state one step on."""

    def done(self, state: State) -> str:
        """Say why the iteration is over, or nothing while it is not."""
        if state.decrement <= self.tol and not state.nonsingular:
            return "the Hessian is singular to rounding, so some combinations of coefficients were not moved"
        if state.decrement <= self.tol:
            return arrived(state.decrement, self.tol)
        if state.stalled:
            return state.stalled
        if state.iterations >= self.max_iter:
            return f"the limit of {self.max_iter} iterations was reached at a Newton decrement of {state.decrement:.2g}"
        return ""

    def solve(self, objective: PenalizedLikelihood, start: Array, watch: Watch = unwatched) -> tuple[Any, str]:
        """Step from the start until done; give the last state and the reason."""
        return self.resume(objective, self.init(objective, start), watch)

    def resume(self, objective: PenalizedLikelihood, state: Any, watch: Watch = unwatched) -> tuple[Any, str]:
        """Step from a state until done."""
        watch(state)
        while not (reason := self.done(state)):
            state = self.step(objective, state)
            watch(state)
        return state, reason


def arrived(decrement: float, tol: float) -> str:
    """Return the reason of a solver that reached its tolerance."""
    return f"the Newton decrement {decrement:.2g} is within the tolerance {tol:.2g}"


def gap_of(decrement: float) -> float:
    """Return the bound on f - f* at a Newton decrement t by self-concordance, -t - log(1 - t).

    Boyd & Vandenberghe, Eq. 9.50.
    """
    if decrement < 1e-4:
        return 0.5 * decrement**2 * (1.0 + decrement)  # where the difference below is all rounding
    return -decrement - float(np.log1p(-decrement)) if decrement < 1 else np.inf


def solution_of(state: State, reason: str, tol: float) -> Solution:
    """Write the certificate of a state."""
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
