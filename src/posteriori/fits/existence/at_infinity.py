"""The finite point that stands for a maximum at infinity, and what is said of it."""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.engines.select import engine_for
from posteriori.fits.existence.conditioning import carried_back, into
from posteriori.fits.existence.recession import BOTH, DOWN, UNDECIDED, UP, Recession
from posteriori.fits.existence.separation import TOLD, Separation
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.linalg.subspaces import orthonormalize
from posteriori.links.softmax import Softmax
from posteriori.messages.errors import SeparationWarning
from posteriori.messages.notes import Note, quote, select
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.newton.newton import Newton, NewtonState
from posteriori.tables.block import Block
from posteriori.tables.memory import MemoryTable

#: Rows that a note lists; `fits.existence.separation` lists them all.
LISTED = 1000
#: Misfit of the separated rows at which the finite point that stands for an infinite one is taken.
SEPARATED_MISFIT = 1e-8
#: Newton steps without a tenth less misfit after which that direction is followed instead.
PATIENCE = 5
#: Misfit of the separated rows of several classes below which the rest of the way is tried as one step, the
#: part of it that must be left at the first length tried, and how many lengths are tried.
NEARLY_SEPARATED, GAINS, LENGTHS = 0.01, 1e-3, 8
#: What a class that a row is separated from adds to its predictor among the others: exp of it is zero.
NEVER = -1e4
#: Newton steps to the maximum over the pairs not separated, the decrement at which it is reached, and that above which
#: steps are damped.
POLISHED, ARRIVED, DAMPED = 20, 1e-6, 0.25
#: What is said of the point reached.
HELD = "coef_ holds the last iterate, not an estimate."
KINDS = {"complete": "Complete", "quasi": "Quasi-complete"}
#: How far, in its own lengths, a separating direction is followed.
LONGEST = 2.0**60


def finite_point(objective: PenalizedLikelihood, found: Separation, tol: float) -> NewtonState:
    """Go from zero by Newton until the separated rows fit to 1e-8: a function of the data, not of the path.

    Newton's steps do not depend on coordinates, but their rounding does. K softmax vectors are worked as contrasts to
    a class that most others stay near: the curvature of those that leave it is then apart from that of the rest, and
    can be small without being lost. Of more than two classes, the last part of the way is one long step (`_completed`).
    """
    working = _contrasted(objective, found)
    newton = Newton(tol, 100)
    state = newton.init(working, np.zeros(working.n_parameters))
    gain, least, waited = _least_gain(working, found), np.inf, 0
    binary, tried = not working.link.is_canonical, NEARLY_SEPARATED if working.link.n_classes > 2 else 0.0
    face = _face(working, found, gain) if tried and found.kind != "complete" else None
    while (misfit := _misfit(working, state.point, found, gain)) > SEPARATED_MISFIT and waited < PATIENCE:
        if state.stalled or state.iterations >= 100:
            break
        if misfit < tried:
            tried = 0.1 * misfit
            if (far := _completed(working, face, state, found, gain)) is not None:
                state = far
                break
        waited = 0 if misfit < 0.9 * least or not binary else waited + 1
        least = min(least, misfit)
        state = newton.step(working, state)
    if binary:
        return _farther(working, state, found, gain)
    if working is objective:
        return state
    w = working.link.expand(state.point.w.reshape(working.link.n_scores, -1).T).T
    return replace(state, point=objective.slope((w - w.mean(axis=0)).ravel()))


def _completed(
    objective: PenalizedLikelihood,
    face: PenalizedLikelihood | None,
    state: NewtonState,
    found: Separation,
    gain: float,
) -> NewtonState | None:
    """Return the end of the way: the maximum over the pairs not separated, then one step along separating directions.

    That step is the part of Newton's own within the span of the separating directions, along which those pairs do not
    move. None where some separated pair hardly gains along it.
    """
    way = state.step if face is None else face.gauge @ (face.gauge.T @ state.step)

    def misfit(w: Array) -> float:
        return _misfit(objective, replace(state.point, w=w), found, gain)

    before, w, sweeps = misfit(state.point.w), state.point.w, 0
    length = float(np.log(before / SEPARATED_MISFIT))
    if not misfit(w + length * way) < GAINS * before:
        return None
    if face is not None:
        w, sweeps = _face_maximum(face, w)
    for _ in range(LENGTHS):
        after = misfit(w + length * way)
        if after <= SEPARATED_MISFIT:
            return replace(state, point=objective.slope(w + length * way), sweeps=state.sweeps + sweeps + 1)
        length *= 1.1 * np.log(before / SEPARATED_MISFIT) / np.log(before / after)
    return None


def _face(objective: PenalizedLikelihood, found: Separation, gain: float) -> PenalizedLikelihood:
    """Return the objective without the classes that each row is separated from; flat are the separating directions."""
    assert found.space is not None
    link, p = objective.link, objective.units.n_coefficients
    shaped = found.space.reshape(-1, p, found.space.shape[1])
    if len(shaped) > link.n_scores:
        shaped = np.stack([link.contrast(part) for part in np.moveaxis(shaped, 1, 0)], axis=1)
    columns = [into(objective, column) for column in shaped.reshape(-1, shaped.shape[2]).T]
    flat = orthonormalize(np.column_stack([*columns, objective.gauge]))
    table = objective.engine.table
    assert isinstance(table, MemoryTable)

    def without(block: Block) -> Array:
        separated = _gains(objective, found, block) > gain
        own = (block.counts(link.n_classes) > 0)[:, :, None]
        classes = np.where((separated & own).any(axis=1), NEVER, 0.0)
        return classes if block.offset is None else classes + link.expand(block.offset)

    offset = np.zeros((table.features.n_rows, link.n_scores))
    offset[slice(None) if table.kept is None else table.kept] = link.contrast_offset(objective.engine.map(without))
    return replace(objective, engine=engine_for(replace(table, offset=offset)), gauge=flat)


def _face_maximum(face: PenalizedLikelihood, w: Array) -> tuple[Array, int]:
    """Take Newton steps across the flat directions; return where they end, and how many there were."""
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


def _farther(objective: PenalizedLikelihood, state: NewtonState, found: Separation, gain: float) -> NewtonState:
    """Go on along the separating direction where Newton's steps end too soon: heavy tails flatten out before rows fit.

    Along it every separated row gains and no other moves, so each doubling of the way raises the likelihood.
    """
    assert found.direction is not None
    way = into(objective, found.direction.ravel())
    point, length = state.point, 1.0
    while _misfit(objective, point, found, gain) > SEPARATED_MISFIT and length < LONGEST:
        point = objective.slope(objective.fixed(state.point.w + length * way))
        length *= 2.0
    return state if point is state.point else replace(state, point=point)


def _contrasted(objective: PenalizedLikelihood, found: Separation) -> PenalizedLikelihood:
    """Give the objective of K softmax vectors as one of K - 1, where nothing but their common part is flat."""
    K, p = objective.link.n_classes, objective.units.n_coefficients
    if objective.link.n_scores < K or not objective.prior.is_flat or objective.gauge.shape[1] != p:
        return objective
    flat = np.zeros((K - 1) * p)
    link, table = Softmax(K, reference=_centre(K, found)), objective.engine.table
    engine = objective.engine
    if isinstance(table, MemoryTable) and table.offset is not None:
        engine = engine_for(replace(table, offset=link.contrast_offset(table.offset)))
    return replace(objective, engine=engine, link=link, prior=Quadratic(flat, flat), gauge=np.zeros((len(flat), 0)))


def _centre(K: int, found: Separation) -> int:
    """Give a class of the largest group whose members no row tells apart."""
    near = np.ones((K, K), dtype=bool)
    for a, b in found.classes:
        near[a, b] = near[b, a] = False
    _, group = connected_components(near, directed=False)
    return int(np.argmax(np.bincount(group)[group]))


def _misfit(objective: PenalizedLikelihood, point: Point, found: Separation, least: float) -> float:
    """Return the sum, over rows and the classes they are separated from, of weight times probability of those."""
    link, units = objective.link, _plain_units(objective)
    w = carried_back(objective, point).w.reshape(link.n_scores, units.n_coefficients)

    def miss(block: Block) -> Array:
        eta = units.design(block.features).scores(w)
        p = np.exp(link.log_probabilities(eta if block.offset is None else eta + block.offset))
        separated = _gains(objective, found, block) > least
        missed: Array = np.einsum("na,nk,nak->n", block.counts(link.n_classes), p, separated)
        return missed

    return float(objective.engine.map(miss).sum())


def _least_gain(objective: PenalizedLikelihood, found: Separation) -> float:
    """Return the gain along the direction above which a row counts as separated from a class.

    Which rows are separated is known exactly; their gains are floats, and those of a long direction lose digits.
    """
    if found.kind == "complete":
        return -np.inf  # every row from every other class
    assert found.decided is not None

    def largest(block: Block) -> Array:
        own = block.counts(objective.link.n_classes) > 0
        most: Array = np.where(own[:, :, None], _gains(objective, found, block), -np.inf).max(axis=(1, 2))
        return most

    gains = objective.engine.map(largest)[found.decided.effect.rows]
    return TOLD * min(1.0, float(gains.min(initial=1.0)))


def _gains(objective: PenalizedLikelihood, found: Separation, block: Block) -> Array:
    """Return what each row gains along the direction on each other class, (n, own, other); -inf on its own."""
    assert found.direction is not None
    link = objective.link
    direction = found.direction if len(found.direction) == link.n_scores else link.contrast(found.direction)
    lead = link.expand(_plain_units(objective).design(block.features).scores(direction))
    gains: Array = lead[:, :, None] - lead[:, None, :]
    gains[:, np.arange(link.n_classes), np.arange(link.n_classes)] = -np.inf
    return gains


def _plain_units(objective: PenalizedLikelihood) -> Units:
    units: Units = objective.units if objective.units.by_column else objective.units.plain()  # type: ignore[attr-defined]
    return units


def separation_note(
    objective: PenalizedLikelihood, found: Separation, recession: Recession, labels: tuple[Any, ...]
) -> Note:
    """Report which columns, rows and classes are separated, and what to do."""
    table, names = objective.engine.table, list(found.columns)
    pairs = [(labels[a], labels[b]) for a, b in found.classes] if labels else []
    shown = "; ".join(f"{a!r} from {b!r}" for a, b in pairs[:5]) + (" and more" if len(pairs) > 5 else "")
    verb = f"separates classes {shown}" if len(labels) > 2 else "predicts the outcome"
    predictor = f"a combination of the columns {quote(names)}" if len(names) > 1 else f"column {quote(names)}"
    unit = "rows" if isinstance(table, MemoryTable) and table.is_grouped else "observations"
    have = "their coefficients have" if len(names) > 1 else "its coefficient has"
    return Note(
        code="separation",
        message=f"{KINDS[found.kind]} separation: {predictor if names else 'the intercept'} {verb} "
        f"perfectly in {len(found.rows)} of {table.n_rows} {unit}, so {have} no finite maximum likelihood estimate "
        f"({_directions(objective, recession)}). {HELD}",
        columns=found.columns,
        rows=found.rows[:LISTED],
        classes=tuple(dict.fromkeys(str(label) for pair in pairs for label in pair)),
        remedy="Use prior='jeffreys' (Firth), or a weakly informative prior in standard deviations: "
        "prior=pt.GaussianPrior(sd=2.5, units='sd').",
        category=SeparationWarning,
    )


def _directions(objective: PenalizedLikelihood, recession: Recession) -> str:
    """List the columns by where their coefficients go; of more than two classes, between any two of them."""
    codes = recession.pairs[:, int(objective.units.intercept) :]
    several = len(codes) > 1
    up, down = (codes == UP).any(axis=0), (codes == DOWN).any(axis=0)
    known = {
        "to +infinity": up & ~down if not several else np.zeros_like(up),
        "to -infinity": down & ~up if not several else np.zeros_like(up),
        "to infinity between some classes": (up | down) & several,
        "not identified": (codes == BOTH).any(axis=0) & ~up & ~down,
        "direction not decided": (codes == UNDECIDED).any(axis=0) & ~up & ~down & ~(codes == BOTH).any(axis=0),
    }
    names = objective.engine.table.schema.names
    groups = [f"{quote(select(names, marks))} {what}" for what, marks in known.items() if marks.any()]
    return "; ".join(groups) or "only the intercept"
