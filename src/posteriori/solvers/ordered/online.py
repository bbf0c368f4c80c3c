"""On-line stochastic gradient ascent, one row at a time."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.design import DenseDesign, Design
from posteriori.designs.units import Units
from posteriori.links.base import LinkFunction
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.first_order.base import FirstOrder, FirstOrderState
from posteriori.solvers.ordered.online_pass import OnlinePass, OnlineState, backend_after, shuffled, step_lengths
from posteriori.solvers.user_units import prior_in_data, step_from_data, units_of_data, weights_in_data
from posteriori.sweeps.reductions import LargestSweep
from posteriori.tables.block import Block

#: Factor by which steps become longer, or shorter, from one pass to the next.
STEP_FACTOR = 1.4


@dataclass(frozen=True, kw_only=True)
class EpochState(FirstOrderState):
    """A state with the row-by-row state that the next pass starts from.

    `turn` multiplies the next steps; `fall` is the ratio of the decrements after and before the last pass.
    """

    online: OnlineState
    turn: float = STEP_FACTOR
    fall: float = np.inf


@dataclass(frozen=True, kw_only=True)
class Online(FirstOrder):
    """w <- w + rho_t (y_n - mu_n) phi_n, rows in a new random order each pass; the average of w is the result.

    Steps shrink from `rate` by `step_lengths`, and the columns are in the user's own units. The decrement is computed
    after each pass, at the average: it falls at best like one over the number of passes, so only a loose tolerance is
    reached.

    Book: [Jordan] Eq. 7.65, §7.3.1; [Sugiyama] Fig. 28.1.
    """

    sets_common_shift: ClassVar[bool] = False
    early: ClassVar[int] = 20
    remedy: ClassVar[str] = (
        "Use a smaller rate if the objective went up; otherwise raise tol, since noise prevents steps of a fixed "
        "schedule from converging. With rate=None the noise of the steps vanishes."
    )
    rate: float
    random: np.random.RandomState
    max_iter: int = field(default=1000)

    def begin(self, objective: PenalizedLikelihood, state: FirstOrderState) -> EpochState:
        """Start at the coefficients of the state."""
        w = weights_in_data(objective.units, _shaped(objective, state.point.w))
        return EpochState(**vars(state), online=OnlineState(w, w, 0, self.rate, units_of_data(objective.units)))

    def step(self, objective: PenalizedLikelihood, state: EpochState) -> EpochState:
        """Make one pass over all rows in random order, then one sweep for the objective and its gradient."""
        n_rows, passes = objective.n_rows, state.iterations + 1
        prior = prior_in_data(objective.prior, objective.units, objective.link.n_scores)
        backend = backend_after(passes * n_rows, state.online.w.size)
        visit = OnlinePass(objective.link, prior, 1.0 / n_rows, backend=backend)
        after = objective.engine.fold(visit, state.online, shuffled(n_rows, self.random))
        if not np.isfinite(after.w).all():
            reason = f"steps of rate {self.rate:g} left the range of floats"
            return state.after_failure(sweeps=0, stalled=reason, rises=state.rises + 1)
        point = objective.slope(objective.fixed(step_from_data(objective.units, after.average).ravel()))
        rises = state.rises + int(point.value > state.point.value)
        return self.moved(
            objective, state, point=point, sweeps=state.sweeps + 2, online=after, rises=rises,
            rate=float(step_lengths(after.rate, after.rows - 1, 1)[0]),
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class VarianceReduced(FirstOrder):
    """w <- w - rho (s_n(w) phi_n - s_n(w0) phi_n + G(w0) / n): Eq. 7.65 with less noise.

    s_n is the score of row n, G the gradient over all rows, and w0 where the pass began: the steps have the same mean
    as those of Eq. 7.65, but their noise fades as w nears w0 and w0 the optimum, so that the step need not shrink
    (SVRG, Johnson & Zhang 2013). The first pass, from the start, is Eq. 7.65 itself. Each coefficient is measured in
    units of its curvature at the start. A pass that ends higher than it began is undone and the steps are halved;
    otherwise they keep growing, or shrinking, for as long as the decrement then falls faster.

    Book: [Jordan] Eq. 7.65, §7.3.1; [Sugiyama] Fig. 28.1.
    """

    early: ClassVar[int] = 20
    random: np.random.RandomState
    max_iter: int = field(default=1000)

    def begin(self, objective: PenalizedLikelihood, state: FirstOrderState) -> EpochState:
        """Choose the first step length from the row of largest curvature."""
        w = _shaped(objective, state.point.w)
        gain = self._gain(objective, state)
        rate = 1.0 / max(_steepest(objective, w, gain), 1e-300)
        return EpochState(**vars(state), online=OnlineState(w, w, 0, rate, objective.units))

    def step(self, objective: PenalizedLikelihood, state: EpochState) -> EpochState:
        """Sum the gradient here, make one pass over all rows, then one sweep for the objective and its gradient."""
        n_rows, passes, here = objective.n_rows, state.iterations + 1, state.point
        order = shuffled(n_rows, self.random)
        visit = OnlinePass(
            objective.link, objective.prior, 1.0 / n_rows,
            backend=backend_after(passes * n_rows, state.online.w.size), gain=self._gain(objective, state),
        )  # fmt: skip
        if state.iterations:
            w = _shaped(objective, here.w)
            data = here.gradient - objective.prior.gradient(here.w)
            anchors = partial(_scores, objective.link, objective.units, w)
            visit = replace(visit, level=True, anchors=anchors, mean=_shaped(objective, data) / n_rows)
        after = objective.engine.fold(visit, state.online, order)
        end = after.w if state.iterations else after.average
        point = objective.slope(objective.fixed(state.common.apply(end.ravel())))
        sweeps = state.sweeps + 2 + int(state.iterations > 0)
        if not self._is_better(state, point):
            halved = replace(state.online, rate=0.5 * state.online.rate)
            return replace(state, online=halved, sweeps=sweeps, iterations=passes, rate=0.0, turn=1.0 / STEP_FACTOR)
        w, measure = _shaped(objective, point.w), state.estimate.of
        fall = measure(point.gradient) / max(measure(here.gradient), 1e-300)
        turn = 1.0 / state.turn if fall > state.fall else state.turn
        online = replace(after, w=w, average=w, rate=turn * after.rate)
        return self.moved(
            objective, state, point=point, sweeps=sweeps, online=online, rate=after.rate, turn=turn,
            fall=fall if state.iterations else np.inf,
        )  # fmt: skip

    def _gain(self, objective: PenalizedLikelihood, state: FirstOrderState) -> Array:
        """Return one over the mean curvature of a row, (q, p)."""
        return _shaped(objective, objective.n_rows / state.estimate.size)

    def _is_better(self, state: EpochState, point: Point) -> bool:
        """Return whether a pass lowered the objective or, where that is equal up to rounding, the decrement."""
        here = state.point
        if not np.isfinite(point.value):
            return False
        rounding = 1e-12 * (1.0 + abs(here.value))
        if abs(point.value - here.value) > rounding:
            return bool(point.value < here.value)
        return state.estimate.of(point.gradient) <= state.estimate.of(here.gradient)


def _shaped(objective: PenalizedLikelihood, w: Array) -> Array:
    return w.reshape(objective.link.n_scores, objective.units.n_coefficients)


def _scores(link: LinkFunction, units: Units, w: Array, block: Block) -> Array:
    """Return the score of every row of a block at w, (n, q)."""
    return link.parts(_eta(block, units, w), block.counts(link.n_classes), curvature=False).score


def _steepness(link: LinkFunction, units: Units, w: Array, gain: Array, block: Block) -> Array:
    """Bound the curvature of every row of a block in the units of the steps, at w, (n,)."""
    second = link.parts(_eta(block, units, w), block.counts(link.n_classes), curvature=True).curvature
    assert second is not None
    reach = _reach(units.design(block.features), gain)
    steep: Array = (np.abs(np.einsum("nkk->nk", second)) * reach).sum(axis=1)
    return steep


def _steepest(objective: PenalizedLikelihood, w: Array, gain: Array) -> float:
    """Bound the curvature of a row and its share of the prior in the units of the steps, at w."""
    steepness = partial(_steepness, objective.link, objective.units, w, gain)
    largest = objective.engine.run(LargestSweep(steepness)).values
    return float(largest) + _stiffest(objective.prior, gain) / objective.n_rows


def _eta(block: Block, units: Units, w: Array) -> Array:
    eta = units.design(block.features).scores(w)
    return eta if block.offset is None else eta + block.offset


def _reach(rows: Design, gain: Array) -> Array:
    """Return the sum of gain times squares of each row, (n, q)."""
    if isinstance(rows, DenseDesign):
        return (rows.rows * rows.rows) @ gain.T
    lead, rest = (gain[:, 0], gain[:, 1:]) if rows.intercept else (np.zeros(len(gain)), gain)
    rest = rest / rows.scale**2
    reach: Array = rows.X.power(2) @ rest.T - 2.0 * (rows.X @ (rest * rows.centre).T) + (lead + rest @ rows.centre**2)
    return reach


def _stiffest(prior: Quadratic, gain: Array) -> float:
    """Return the largest precision of the prior in the units of the steps."""
    unit = gain.ravel()
    if prior.precision.ndim == 1:
        return float((prior.precision * unit).max(initial=0.0))
    return float(np.linalg.eigvalsh(prior.precision * np.sqrt(np.outer(unit, unit)))[-1])
