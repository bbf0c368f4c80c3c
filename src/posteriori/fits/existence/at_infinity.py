"""The finite point that stands for a maximum at infinity."""

from dataclasses import dataclass, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.fits.existence.conditioning import to_plain, to_working
from posteriori.fits.existence.limiting_likelihood import NEARLY
from posteriori.fits.existence.separation import SEPARATED_GAIN, Separation
from posteriori.fits.existence.several_classes import LONGEST, SEPARATED_MISFIT, FinitePoint, point_of_several
from posteriori.links.base import LinkFunction
from posteriori.links.softmax import Softmax
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.newton.newton import MANY, Newton, NewtonState
from posteriori.sweeps.reductions import SumSweep
from posteriori.tables.block import Block
from posteriori.tables.views import ContrastedOffset

#: Newton steps that reduce the misfit by less than a tenth, after which the separating direction is followed instead.
PATIENCE = 5
#: Newton steps to the finite point.
NEWTON_STEPS = 100
#: Largest entry of a gradient, for rows of weight one, from which the finite point is compared with Newton's.
GRADIENT = 1e-6
#: Difference of objectives, and part of them, up to which points are equally good.
LOWER, ROUNDED = 1e-7, 1e-10


def finite_point(objective: PenalizedLikelihood, separation: Separation, tol: float, last: Point) -> FinitePoint:
    """Return the finite point, at which the misfit of separated rows is 1e-8 and what has a limit is there.

    It depends on the data alone, not on the iterates of the fit; but where rounding leaves it at a lower likelihood
    than the `last` of them, that is returned.
    """
    if objective.link.n_classes == 2:
        return FinitePoint(_by_newton(objective, separation, tol))
    point = point_of_several(objective, separation)
    doubtful = not (point.is_limit and point.is_unique) or _is_doubtful(objective, separation, point.state.point)
    lower = _is_lower(last, point.state.point)
    if not lower and (not doubtful or objective.n_parameters >= MANY):
        return point
    state = _by_newton(objective, separation, tol)
    ended = state.decrement <= NEARLY or not (state.stalled or state.iterations >= NEWTON_STEPS)
    newton = FinitePoint(state, is_limit=ended)
    first, second = (newton, point) if doubtful and ended else (point, newton)
    best = second if _is_lower(second.state.point, first.state.point) else first
    return FinitePoint(replace(state, point=last), is_limit=False) if _is_lower(last, best.state.point) else best


def _is_doubtful(objective: PenalizedLikelihood, separation: Separation, point: Point) -> bool:
    """Return whether rounding may have moved the point: its gradient is not small, or columns are aliases to rounding.

    Where the rest of a column beside others is all rounding, it separates rows in exact arithmetic, but not in a fit
    that leaves it out.
    """
    assert separation.decided is not None
    q, p = objective.link.n_scores, objective.units.n_coefficients
    aliased = objective.gauge.shape[1] > (p if q == objective.link.n_classes else 0)
    if aliased and separation.decided.pairs.coordinates.remainders:
        return True
    return not float(np.abs(point.gradient).max(initial=0.0)) <= GRADIENT * np.sqrt(
        max(1.0, objective.rows.weights.sum())
    )


def _is_lower(one: Point, other: Point) -> bool:
    """Return whether the objective is lower at one point than at another, by more than misfit and rounding."""
    if not np.isfinite(other.value):
        return bool(np.isfinite(one.value))
    return bool(one.value < other.value - LOWER - ROUNDED * abs(other.value))


def _by_newton(objective: PenalizedLikelihood, separation: Separation, tol: float) -> NewtonState:
    """Step from zero by Newton until the misfit of separated rows is 1e-8: a function of the data, not of the path.

    Newton's steps do not depend on coordinates, but their rounding does. K softmax vectors are contrasts to a class
    that most others are not separated from: the small curvature of separated classes is then not lost in rounding.
    """
    working = _contrasted(objective)
    newton = Newton(tol, NEWTON_STEPS)
    state = newton.init(working, np.zeros(working.n_parameters))
    gain, least, waited = _least_gain(working, separation), np.inf, 0
    binary = not working.link.is_canonical
    while (misfit := _misfit(working, state.point, separation, gain)) > SEPARATED_MISFIT and waited < PATIENCE:
        if state.stalled or state.iterations >= NEWTON_STEPS:
            break
        waited = 0 if misfit < 0.9 * least or not binary else waited + 1
        least = min(least, misfit)
        state = newton.step(working, state)
    if binary:
        return _along_direction(working, state, separation, gain)
    if working is objective:
        return state
    w = working.link.expand(state.point.w.reshape(working.link.n_scores, -1).T).T
    return replace(state, point=objective.slope((w - w.mean(axis=0)).ravel()))


def _separating_direction(objective: PenalizedLikelihood, separation: Separation) -> Array:
    """Return the direction along which every separated row gains at least 1 and no other moves."""
    return to_working(objective, _scores_of(separation, objective.link).ravel())


def _scores_of(separation: Separation, link: LinkFunction) -> Array:
    """Return the direction of the separation in the scores of a link, (q, p)."""
    direction = separation.direction
    assert direction is not None
    return direction if len(direction) == link.n_scores else link.contrast(direction)


def _along_direction(
    objective: PenalizedLikelihood, state: NewtonState, separation: Separation, gain: float
) -> NewtonState:
    """Continue along the separating direction where Newton's steps end too soon, as under links with heavy tails.

    Along it every separated row gains and no other moves, so each doubling of the length raises the likelihood.
    """
    direction = _separating_direction(objective, separation)
    point, length = state.point, 1.0
    while _misfit(objective, point, separation, gain) > SEPARATED_MISFIT and length < LONGEST:
        point = objective.slope(objective.fixed(state.point.w + length * direction))
        length *= 2.0
    return state if point is state.point else replace(state, point=point)


def _contrasted(objective: PenalizedLikelihood) -> PenalizedLikelihood:
    """Return the objective of K softmax vectors as one of K - 1, where only their common part is flat."""
    K, p = objective.link.n_classes, objective.units.n_coefficients
    if objective.link.n_scores < K or not objective.prior.is_flat or objective.gauge.shape[1] != p:
        return objective
    flat = np.zeros((K - 1) * p)
    link = Softmax(K, reference=0)
    engine = objective.engine.view(ContrastedOffset(link)) if objective.rows.has_offset else objective.engine
    return replace(objective, engine=engine, link=link, prior=Quadratic(flat, flat), gauge=np.zeros((len(flat), 0)))


def _misfit(objective: PenalizedLikelihood, point: Point, separation: Separation, least: float) -> float:
    """Return the sum, over rows and the classes they are separated from, of weight times probability of those."""
    gains = _Gains.of(objective, separation)
    w = to_plain(objective, point.w).reshape(gains.link.n_scores, gains.units.n_coefficients)
    return float(objective.engine.run(SumSweep(_Missed(gains, least, w))).values)


def _least_gain(objective: PenalizedLikelihood, separation: Separation) -> float:
    """Return the gain along the direction above which a row counts as separated from a class.

    Which rows are separated is known exactly; their gains are floats, and those of a long direction lose digits.
    """
    if separation.kind == "complete":
        return -np.inf  # every row from every other class
    assert separation.decided is not None
    gains = objective.engine.map(_LargestGain(_Gains.of(objective, separation)))[separation.decided.effect.rows]
    return SEPARATED_GAIN * min(1.0, float(gains.min(initial=1.0)))


@dataclass(frozen=True)
class _Gains:
    """What each row gains along the direction of a separation on each other class, (n, own, other); -inf on its own."""

    link: LinkFunction
    units: Units
    direction: Array

    @classmethod
    def of(cls, objective: PenalizedLikelihood, separation: Separation) -> "_Gains":
        return cls(objective.link, _plain_units(objective), _scores_of(separation, objective.link))

    def __call__(self, block: Block) -> Array:
        lead = self.link.expand(self.units.design(block.features).scores(self.direction))
        gains: Array = lead[:, :, None] - lead[:, None, :]
        gains[:, np.arange(self.link.n_classes), np.arange(self.link.n_classes)] = -np.inf
        return gains


@dataclass(frozen=True)
class _Missed:
    """The weight times the probability at w of the classes that each row is separated from, (n,)."""

    gains: _Gains
    least: float
    w: Array

    def __call__(self, block: Block) -> Array:
        link = self.gains.link
        eta = self.gains.units.design(block.features).scores(self.w)
        p = np.exp(link.log_probabilities(eta if block.offset is None else eta + block.offset))
        separated = self.gains(block) > self.least
        missed: Array = np.einsum("na,nk,nak->n", block.counts(link.n_classes), p, separated)
        return missed


@dataclass(frozen=True)
class _LargestGain:
    """The largest gain of the row's own classes on any other, (n,)."""

    gains: _Gains

    def __call__(self, block: Block) -> Array:
        own = block.counts(self.gains.link.n_classes) > 0
        most: Array = np.where(own[:, :, None], self.gains(block), -np.inf).max(axis=(1, 2))
        return most


def _plain_units(objective: PenalizedLikelihood) -> Units:
    units: Units = objective.units if objective.units.by_column else objective.units.plain()  # type: ignore[attr-defined]
    return units
