"""`Trace`: the iterates of a solver."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import norm as norm_of

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.input.frames.native import frame_of
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Callback, State
from posteriori.solvers.user_units import gradient_in_data
from posteriori.storable import storable


class Step(NamedTuple):
    """One entry of a trace."""

    step: int
    objective: float
    gradient_norm: float
    rate: float
    weights: Array


@storable
@dataclass(frozen=True)
class Trace:
    """The iterates of a fit, from its start on: a sequence of `Step`.

    Book: [Mitchell] §3.2; [Jordan] Eq. 7.65, §7.3.1.

    Parameters
    ----------
    objective : (m,) minus the log likelihood, plus the prior's penalty
    gradient_norm : (m,) the length of its gradient in the weights, in the user's units
    rate : (m,) the length of the step to this iterate, 0 where none was taken. For Newton's method 1 is a full step;
        for gradient methods it is the user's rate, or the rate the solver chose in its own units (the inverse of its
        bound on the curvature)
    weights : (m, d + 1) for two classes, (m, K, d + 1) for more; intercept first, in the user's units

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    >>> trace = pt.LogisticRegression(solver="gradient", rate=0.1, max_iter=500, tol=1e-3, trace=True).fit(X, y).trace_
    >>> trace.weights[:2].round(3).tolist()
    [[0.0, 0.0], [0.0, 0.1]]
    >>> trace.objective[[0, 1, -1]].round(4).tolist()
    [2.7726, 2.69, 2.3475]
    """

    objective: Array
    gradient_norm: Array
    rate: Array
    weights: Array

    @property
    def step(self) -> NDArray[np.int64]:
        """The numbers of the steps, from zero, (m,)."""
        return np.arange(len(self.objective))

    def __len__(self) -> int:
        return len(self.objective)

    def __getitem__(self, step: int) -> Step:
        at = range(len(self.objective))[step]
        return Step(
            at, float(self.objective[at]), float(self.gradient_norm[at]), float(self.rate[at]), self.weights[at]
        )

    def __iter__(self) -> Iterator[Step]:
        return (self[step] for step in range(len(self)))

    def to_frame(self, native: str | None = None) -> Any:
        """Return a data frame: step, objective, gradient_norm, rate, and one column per weight."""
        columns: dict[str, Any] = {"step": self.step}
        columns |= {name: getattr(self, name) for name in ("objective", "gradient_norm", "rate")}
        for place in np.ndindex(self.weights.shape[1:]):
            columns[f"weights[{','.join(map(str, place))}]"] = self.weights[(slice(None), *place)]
        return frame_of(columns, native=native)

    def joined(self, other: "Trace") -> "Trace":
        """Return this trace followed by another."""
        names = ("objective", "gradient_norm", "rate", "weights")
        return Trace(*(np.concatenate([getattr(part, name) for part in (self, other)]) for name in names))

    def check(self, where: str) -> None:
        """Raise unless there is one set of weights per step."""
        n = len(self.objective)
        if self.weights.ndim not in (2, 3) or not n:
            fail(f"{where}.weights", "is not by step and weight, or empty")
        require.ANY.check(self.weights, (n, *self.weights.shape[1:]), f"{where}.weights")


@dataclass
class Recorder:
    """Records the states of a solver; `plain` is the objective in units column by column."""

    plain: PenalizedLikelihood
    steps: list[tuple[float, float, float, Array]] = field(default_factory=list)
    last: tuple[int, Point] | None = None

    def on(self, objective: PenalizedLikelihood) -> Callback:
        """Return the callback for a solver of this objective, which is the plain one in some coordinates."""

        def record(state: State) -> None:
            if self.last is not None and self.last[0] == state.iterations and self.last[1] is state.point:
                return  # a solver that resumes
            self.last = (state.iterations, state.point)
            self.write(objective, state.point, state.rate if state.iterations else 0.0)

        return record

    def write(self, objective: PenalizedLikelihood, point: Point, rate: float = 0.0) -> None:
        """Add a point."""
        shape = (objective.link.n_scores, objective.units.n_coefficients)
        gradient = gradient_in_data(objective.units, point.gradient.reshape(shape))
        norm = float(norm_of(gradient.ravel(), check_finite=False))  # by BLAS, whose squares never overflow
        self.steps.append((point.value, norm, rate, self._weights(objective, point.w.reshape(shape))))

    def forget(self) -> None:
        """Discard all points."""
        self.steps.clear()
        self.last = None

    def trace(self) -> Trace:
        """Return the points as a trace."""
        value, norm, rate, weights = zip(*self.steps, strict=True)
        return Trace(np.array(value), np.array(norm), np.array(rate), np.array(weights))

    def _weights(self, objective: PenalizedLikelihood, w: Array) -> Array:
        """Return the weights of all classes in the user's units, as in ``coef_`` and ``intercept_``."""
        lead, weights = objective.units.to_data(w)
        if self._has_free_level:
            lead = lead - lead.mean()
        whole = np.column_stack([lead, weights])
        return whole[0] if len(whole) == 1 else objective.link.expand(whole.T).T

    @property
    def _has_free_level(self) -> bool:
        """Whether the sum of the intercepts is not identified, and is set to zero."""
        plain = self.plain
        far = np.ones(plain.n_parameters)
        return bool((plain.settled(far) != far).any())
