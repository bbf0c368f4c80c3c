"""The finite point that stands for a maximum at infinity."""

from dataclasses import replace

import numpy as np
from scipy.sparse.csgraph import connected_components

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.engines.select import engine_for
from posteriori.fits.existence.conditioning import to_plain, to_working
from posteriori.fits.existence.separation import SEPARATED_GAIN, Separation
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.linalg.subspaces import orthonormalize
from posteriori.links.base import LinkFunction
from posteriori.links.softmax import Softmax
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.newton.newton import Newton, NewtonState
from posteriori.tables.block import Block
from posteriori.tables.memory import MemoryTable

#: Misfit of the separated rows at which the finite point that stands for an infinite one is taken.
SEPARATED_MISFIT = 1e-8
#: Newton steps that reduce the misfit by less than a tenth, after which the separating direction is followed instead.
PATIENCE = 5
#: Misfit of the separated rows of several classes below which a single long step is tried, the factor by which its
#: first length must reduce the misfit, and how many lengths are tried.
NEARLY_SEPARATED, GAINS, LENGTHS = 0.01, 1e-3, 8
#: Newton steps of several classes after which the direction of the separation is followed instead: each costs a Hessian
#: that is nearly singular.
SLOW = 20
#: Offset of a class that a row is separated from: exp of it is zero.
NEVER = -1e4
#: Newton steps to the maximum over the pairs not separated, the decrement at which it is reached, and that above which
#: steps are damped.
POLISHED, ARRIVED, DAMPED = 20, 1e-6, 0.25
#: The largest multiple of a separating direction that is tried.
LONGEST = 2.0**60


def finite_point(objective: PenalizedLikelihood, separation: Separation, tol: float) -> NewtonState:
    """Step from zero by Newton until the misfit of separated rows is 1e-8: a function of the data, not of the path.

    Newton's steps do not depend on coordinates, but their rounding does. K softmax vectors are contrasts to a class
    that most others are not separated from: the small curvature of separated classes is then not lost in rounding. With
    more than two classes, the last part is one long step (`_completed`): the part of Newton's along which pairs that
    are not separated do not move or, where Newton's steps are many or end too soon, the direction of the separation.
    """
    working = _contrasted(objective, separation)
    newton = Newton(tol, 100)
    state = newton.init(working, np.zeros(working.n_parameters))
    gain, least, waited = _least_gain(working, separation), np.inf, 0
    binary, tried = not working.link.is_canonical, NEARLY_SEPARATED if working.link.n_classes > 2 else 0.0
    face = _face(working, separation, gain) if tried and separation.kind != "complete" else None
    while (misfit := _misfit(working, state.point, separation, gain)) > SEPARATED_MISFIT and waited < PATIENCE:
        ends = bool(state.stalled) or state.iterations >= 100
        far = None
        if tried and (ends or (state.iterations > 0 and state.iterations % SLOW == 0)):
            far = _completed(working, face, state, separation, gain, _separating_direction(working, separation))
        elif misfit < tried:
            tried = 0.1 * misfit
            far = _completed(working, face, state, separation, gain, _newton_direction(face, state))
        if far is not None or ends:
            state = state if far is None else far
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


def _completed(
    objective: PenalizedLikelihood,
    face: PenalizedLikelihood | None,
    state: NewtonState,
    separation: Separation,
    gain: float,
    direction: Array,
) -> NewtonState | None:
    """Return the finite point: the maximum over the pairs not separated, then one step along a separating direction.

    None where some separated pair hardly gains along it.
    """

    def misfit(w: Array) -> float:
        return _misfit(objective, replace(state.point, w=w), separation, gain)

    before, w, sweeps = misfit(state.point.w), state.point.w, 0
    length = float(np.log(before / SEPARATED_MISFIT))
    if not misfit(w + length * direction) < GAINS * before:
        return None
    if face is not None:
        w, sweeps = _face_maximum(face, w)
    for _ in range(LENGTHS):
        after = misfit(w + length * direction)
        if after <= SEPARATED_MISFIT:
            return replace(state, point=objective.slope(w + length * direction), sweeps=state.sweeps + sweeps + 1)
        length *= 1.1 * np.log(before / SEPARATED_MISFIT) / np.log(before / after)
    return None


def _newton_direction(face: PenalizedLikelihood | None, state: NewtonState) -> Array:
    """Return the part of Newton's step along which pairs that are not separated do not move."""
    return state.step if face is None else face.gauge @ (face.gauge.T @ state.step)


def _separating_direction(objective: PenalizedLikelihood, separation: Separation) -> Array:
    """Return the direction along which every separated row gains at least 1 and no other moves."""
    return to_working(objective, _scores_of(separation, objective.link).ravel())


def _scores_of(separation: Separation, link: LinkFunction) -> Array:
    """Return the direction of the separation in the scores of a link, (q, p)."""
    direction = separation.direction
    assert direction is not None
    return direction if len(direction) == link.n_scores else link.contrast(direction)


def _face(objective: PenalizedLikelihood, separation: Separation, gain: float) -> PenalizedLikelihood:
    """Return the objective without the classes that each row is separated from; flat are the separating directions."""
    assert separation.space is not None
    link, p = objective.link, objective.units.n_coefficients
    shaped = separation.space.reshape(-1, p, separation.space.shape[1])
    if len(shaped) > link.n_scores:
        shaped = np.stack([link.contrast(part) for part in np.moveaxis(shaped, 1, 0)], axis=1)
    columns = [to_working(objective, column) for column in shaped.reshape(-1, shaped.shape[2]).T]
    flat = orthonormalize(np.column_stack([*columns, objective.gauge]))
    table = objective.memory_table

    def without(block: Block) -> Array:
        separated = _gains(objective, separation, block) > gain
        own = (block.counts(link.n_classes) > 0)[:, :, None]
        classes = np.where((separated & own).any(axis=1), NEVER, 0.0)
        return classes if block.offset is None else classes + link.expand(block.offset)

    offset = np.zeros((table.features.n_rows, link.n_scores))
    offset[slice(None) if table.positive_rows is None else table.positive_rows] = link.contrast_offset(
        objective.engine.map(without)
    )
    return replace(objective, engine=engine_for(replace(table, offset=offset)), gauge=flat)


def _face_maximum(face: PenalizedLikelihood, w: Array) -> tuple[Array, int]:
    """Take Newton steps orthogonal to the flat directions; return the end point and the number of steps."""
    steps, decrement = 0, np.inf
    while steps < POLISHED and decrement > ARRIVED:
        point = face.curvature(w)
        assert point.hessian is not None
        step = face.across(-SymmetricFactor.of(face.stiffened(point.hessian)).solve(point.gradient))
        with np.errstate(over="ignore", invalid="ignore"):
            decrement = float(np.sqrt(max(-float(point.gradient @ step), 0.0)))
        if not np.isfinite(decrement):  # weights so uneven that the curvature is singular to rounding
            break
        w, steps = w + step / (1.0 + decrement if decrement > DAMPED else 1.0), steps + 1
    return w, steps


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


def _contrasted(objective: PenalizedLikelihood, separation: Separation) -> PenalizedLikelihood:
    """Return the objective of K softmax vectors as one of K - 1, where only their common part is flat."""
    K, p = objective.link.n_classes, objective.units.n_coefficients
    if objective.link.n_scores < K or not objective.prior.is_flat or objective.gauge.shape[1] != p:
        return objective
    flat = np.zeros((K - 1) * p)
    link, table = Softmax(K, reference=_centre(K, separation)), objective.engine.table
    engine = objective.engine
    if isinstance(table, MemoryTable) and table.offset is not None:
        engine = engine_for(replace(table, offset=link.contrast_offset(table.offset)))
    return replace(objective, engine=engine, link=link, prior=Quadratic(flat, flat), gauge=np.zeros((len(flat), 0)))


def _centre(K: int, separation: Separation) -> int:
    """Return a class of the largest group within which no row is separated from another class."""
    near = np.ones((K, K), dtype=bool)
    for a, b in separation.classes:
        near[a, b] = near[b, a] = False
    _, group = connected_components(near, directed=False)
    return int(np.argmax(np.bincount(group)[group]))


def _misfit(objective: PenalizedLikelihood, point: Point, separation: Separation, least: float) -> float:
    """Return the sum, over rows and the classes they are separated from, of weight times probability of those."""
    link, units = objective.link, _plain_units(objective)
    w = to_plain(objective, point.w).reshape(link.n_scores, units.n_coefficients)

    def miss(block: Block) -> Array:
        eta = units.design(block.features).scores(w)
        p = np.exp(link.log_probabilities(eta if block.offset is None else eta + block.offset))
        separated = _gains(objective, separation, block) > least
        missed: Array = np.einsum("na,nk,nak->n", block.counts(link.n_classes), p, separated)
        return missed

    return float(objective.engine.map(miss).sum())


def _least_gain(objective: PenalizedLikelihood, separation: Separation) -> float:
    """Return the gain along the direction above which a row counts as separated from a class.

    Which rows are separated is known exactly; their gains are floats, and those of a long direction lose digits.
    """
    if separation.kind == "complete":
        return -np.inf  # every row from every other class
    assert separation.decided is not None

    def largest(block: Block) -> Array:
        own = block.counts(objective.link.n_classes) > 0
        most: Array = np.where(own[:, :, None], _gains(objective, separation, block), -np.inf).max(axis=(1, 2))
        return most

    gains = objective.engine.map(largest)[separation.decided.effect.rows]
    return SEPARATED_GAIN * min(1.0, float(gains.min(initial=1.0)))


def _gains(objective: PenalizedLikelihood, separation: Separation, block: Block) -> Array:
    """Return what each row gains along the direction on each other class, (n, own, other); -inf on its own."""
    link = objective.link
    direction = _scores_of(separation, link)
    lead = link.expand(_plain_units(objective).design(block.features).scores(direction))
    gains: Array = lead[:, :, None] - lead[:, None, :]
    gains[:, np.arange(link.n_classes), np.arange(link.n_classes)] = -np.inf
    return gains


def _plain_units(objective: PenalizedLikelihood) -> Units:
    units: Units = objective.units if objective.units.by_column else objective.units.plain()  # type: ignore[attr-defined]
    return units
