"""The limit of the likelihood along a separation: each row without the classes that it is separated from."""

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array, Indices, Mask
from posteriori.engines.select import engine_for
from posteriori.fits.existence.exact.barrier import solve_stiffened
from posteriori.linalg.subspaces import orthonormalize
from posteriori.links.base import LinkFunction
from posteriori.links.softmax import Softmax
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.base import newton_decrement
from posteriori.solvers.line_search import descend
from posteriori.tables.block import Block
from posteriori.tables.memory import table_of

#: Offset of a class that a row is separated from: exp of it is zero.
NEVER = -1e4
#: Squared part of a coefficient across flat directions below which it is none.
DEPENDENT = 1e-9
#: Newton steps to the maximum: a few times those of a fit. The decrement at which it is reached, and that which
#: suffices where rounding allows no further step.
STEPS, ARRIVED, NEARLY = 40, 1e-6, 1e-5
#: The least relative stiffness of a Hessian, and the factor by which it is raised where no step goes down.
STIFFNESS, RAISED = 1e-12, 1e3


@dataclass(frozen=True)
class LimitingLikelihood:
    """A likelihood without the classes that each row is separated from, as a function of some coefficients.

    The others stay at `origin`: any values of them are reached by directions that change no probability. It has a
    maximum, and only one.

    Parameters
    ----------
    objective : over the rows that have several classes left, and over those classes
    free : (r,) the numbers of the coefficients
    origin : (q p,)
    projection : (q p, q p) on the directions that change no probability
    """

    objective: PenalizedLikelihood
    free: Indices
    origin: Array
    projection: Array

    @property
    def link(self) -> LinkFunction:
        """The link."""
        return self.objective.link

    def curvature(self, v: Array) -> Point:
        """Return value, gradient and Hessian in v."""
        point = self.objective.curvature(self.whole(v))
        assert point.hessian is not None
        hessian = point.hessian[np.ix_(self.free, self.free)]
        return replace(point, w=v, gradient=point.gradient[self.free], hessian=hessian)

    def whole(self, v: Array) -> Array:
        """Return all coefficients, (q p,)."""
        w = self.origin.copy()
        w[self.free] += v
        return w

    def determined(self) -> Array:
        """Return an orthonormal basis of the directions that change probabilities, (q p, r)."""
        across = np.eye(len(self.projection))[:, self.free] - self.projection[:, self.free]
        return orthonormalize(across)

    def value(self, v: Array) -> float:
        """Return the value."""
        return self.objective.slope(self.whole(v)).value

    def along(self, w: Array, step: Array, lengths: Array) -> Array:
        """Return the values at w + t step for all lengths t."""
        return self.objective.along(self.whole(w), self.whole(step) - self.origin, lengths)

    def maximum(self) -> tuple[Array, int, float]:
        """Return v at the maximum, the number of steps, and the decrement there, inf if they do not suffice."""
        if not len(self.free):
            return np.zeros(0), 0, 0.0
        point = self.curvature(np.zeros(len(self.free)))
        stiffness, decrement = STIFFNESS, np.inf
        for steps in range(1, STEPS + 1):
            step = _newton_step(point, stiffness)
            decrement = newton_decrement(point.gradient, step)
            if decrement <= ARRIVED:
                return point.w + step, steps, decrement
            after, _ = descend(self, self.curvature, point, step, self.value)
            if after is not None:
                point, stiffness = after, max(stiffness / RAISED, STIFFNESS)
            elif decrement <= NEARLY or stiffness >= 1.0:
                break
            else:
                stiffness *= RAISED
        return point.w, steps, decrement if decrement <= NEARLY else np.inf


def _newton_step(point: Point, stiffness: float) -> Array:
    """Return the Newton step with stiffness on the diagonal of the unit form of the Hessian."""
    assert point.hessian is not None
    stiff = point.hessian.copy()
    stiff.flat[:: len(stiff) + 1] *= 1.0 + stiffness
    return -solve_stiffened(stiff, point.gradient)


def limiting_likelihood(
    objective: PenalizedLikelihood, possible: Mask, flat: Array
) -> tuple[LimitingLikelihood, Indices] | None:
    """Return the limit of an objective, and the numbers of the coefficients that it determines; None if there are none.

    Parameters
    ----------
    objective : of K vectors where no coefficient is penalised
    possible : (n, K) the classes that each row is not separated from, its own among them
    flat : (q p, l) orthonormal basis of all directions along which the limit is constant
    """
    p, engine = objective.units.n_coefficients, objective.engine
    if objective.prior.is_flat:
        rows = np.flatnonzero(possible.sum(axis=1) > 1)
        classes = np.flatnonzero(possible[rows].any(axis=0))
        if not len(rows):
            return None
        places = (classes[:, None] * p + np.arange(p)).ravel()
        none = np.zeros(len(places))
        objective = replace(
            objective, link=Softmax(len(classes)), prior=Quadratic(none, none), gauge=none[:, None][:, :0]
        )
        block = _of_classes(engine.table.gather(rows), classes)
    else:
        rows, classes = np.arange(len(possible)), np.arange(possible.shape[1])
        block = engine.collect("The finite point of separated classes needs all rows in one place.")
        places = np.arange(objective.n_parameters)
    offset = np.asarray(objective.link.contrast_offset(np.where(possible[np.ix_(rows, classes)], 0.0, NEVER)))
    block = replace(block, offset=offset if block.offset is None else offset + block.offset, scratch=None)
    limit = replace(objective, engine=engine_for(table_of(block, engine.table.schema)))
    projection = flat[places] @ flat[places].T
    # a coefficient is free where it is no combination of flat directions and coefficients that are free already
    _, order, rank, _ = la.lapack.dpstrf(np.eye(len(places)) - projection, tol=DEPENDENT, lower=1)
    free, origin = np.sort(order[:rank] - 1), objective.fixed(np.zeros(len(places)))
    return LimitingLikelihood(limit, free, origin, projection), places


def _of_classes(block: Block, classes: Indices) -> Block:
    """Return rows with the targets and offsets of some classes only."""
    assert block.targets is not None
    targets = block.targets[:, classes] if block.targets.ndim == 2 else np.searchsorted(classes, block.targets)
    offset = None if block.offset is None else block.offset[:, classes]
    return replace(block, targets=targets, offset=offset, tallied=None)
