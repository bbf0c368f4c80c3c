"""The finite point of more than two separated classes: the maximum of the limit, and one step along the separation."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq

from posteriori.arrays import Array, Indices, Mask
from posteriori.designs.units import TriangularUnits
from posteriori.fits.existence.conditioning import to_working
from posteriori.fits.existence.exact.decide import separated_classes
from posteriori.fits.existence.exact.rows import RawRows
from posteriori.fits.existence.limiting_likelihood import limiting_likelihood
from posteriori.fits.existence.separating_direction import Margins, Span, central_direction
from posteriori.fits.existence.separation import SEPARATED_GAIN, Separation
from posteriori.linalg.subspaces import orthonormalize
from posteriori.links.base import LinkFunction
from posteriori.links.softmax import Softmax
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.newton.newton import NewtonState
from posteriori.sweeps.row_functions import ClassPredictors, CountsByRow, DesignRows
from posteriori.tables.views import ExpandedOffset

#: Misfit of the separated rows at which the finite point that stands for an infinite one is taken.
SEPARATED_MISFIT = 1e-8
#: The misfit where predictors are beyond the range of floats.
LARGEST_MISFIT = 1e300
#: Entries of the rows and of their scores up to which the central direction is computed.
ENTRIES = 2e7
#: Relative precision below which a direction is not penalised.
UNPENALIZED = 1e-12
#: Part of a basis along another below which they are orthogonal.
ORTHOGONAL = 1e-10
#: The largest multiple of a separating direction that is tried.
LONGEST = 2.0**60


@dataclass(frozen=True)
class FinitePoint:
    """The finite point that stands for a maximum at infinity.

    Parameters
    ----------
    state : the point
    is_limit : whether what has a limit was determined; if not, probabilities of pairs that are not separated are those
        of the last iterate
    is_unique : whether the direction followed is the central one, which depends on the data alone
    """

    state: NewtonState
    is_limit: bool = True
    is_unique: bool = True

    @property
    def description(self) -> str:
        """What the point is, for the reason of a fit."""
        if not self.is_limit:
            return "the last iterate, not yet near it"
        return "a finite point near it" + ("" if self.is_unique else "; its infinite part depends on the search for it")


@dataclass(frozen=True)
class SeparatedPairs:
    """The classes from which each row is separated, for each row and class that it has.

    Parameters
    ----------
    row, own, weight : (m,) rows, the class of each, and its weight
    others : (m, K) whether it is separated from each class
    """

    row: Indices
    own: Indices
    weight: Array
    others: Mask

    @classmethod
    def of(cls, objective: PenalizedLikelihood, separation: Separation) -> "SeparatedPairs":
        """Return the pairs that gain along the direction of a separation.

        They are known exactly where all rows were decided at once. Else the rows are, but their gains are floats, and
        those of a long direction lose digits.
        """
        K = objective.link.n_classes
        counts = objective.engine.map(CountsByRow(K))
        row, own = np.nonzero(counts)
        assert separation.direction is not None
        assert separation.decided is not None
        if separation.decided.whole:
            others = separated_classes(RawRows(objective), separation.decided, row, own)
            return cls(row, own, counts[row, own], others)
        direction = to_working(objective, separation.direction.ravel())
        lead = _scores(objective, direction.reshape(separation.direction.shape))
        gains = lead[row, own][:, None] - lead[row]
        others = np.ones(gains.shape, dtype=bool)
        others[np.arange(len(row)), own] = False
        if separation.kind != "complete":
            most = np.full(len(counts), -np.inf)
            np.maximum.at(most, row, np.where(others, gains, -np.inf).max(axis=1))
            least = float(most[separation.decided.effect.rows].min(initial=1.0))
            others &= gains > SEPARATED_GAIN * min(1.0, least)
        return cls(row, own, counts[row, own], others)

    def possible(self, n_rows: int) -> Mask:
        """Return the classes that each row is not separated from, (n, K)."""
        possible = np.ones((n_rows, self.others.shape[1]), dtype=bool)
        np.logical_and.at(possible, self.row, ~self.others)
        return possible

    def misfit(self, link: LinkFunction, eta: Array) -> float:
        """Return the sum, over rows and the classes they are separated from, of weight times probability of those."""
        p = np.exp(link.log_probabilities(eta))[self.row]
        return float(self.weight @ np.where(self.others, p, 0.0).sum(axis=1))


def point_of_several(objective: PenalizedLikelihood, separation: Separation) -> FinitePoint:
    """Return the finite point: the limit where there is one, plus so much of a direction that the misfit is 1e-8.

    The limit maximises the likelihood without the classes that each row is separated from; of all such coefficients
    those of the least norm in the coordinates of the solver are taken: in standardised columns, unless those are
    nearly dependent. The direction is that of `central_direction`. So the point depends on the data alone.
    """
    vectors = _of_all_classes(objective)
    pairs = SeparatedPairs.of(objective, separation)
    assert separation.space is not None
    assert separation.direction is not None
    space, gauge = _in_vectors(objective, vectors, separation.space), _flat_gauge(vectors)
    known = _in_vectors(objective, vectors, separation.direction.reshape(-1, 1))[:, 0]
    if vectors is not objective or isinstance(vectors.units, TriangularUnits):
        space = orthonormalize(space)
    flat = np.column_stack([space, gauge])
    if np.abs(gauge.T @ space).max(initial=0.0) > ORTHOGONAL:
        flat = orthonormalize(flat)
    w, complement, steps, decrement = _limit(vectors, pairs.possible(objective.n_rows), flat)
    direction = _central(vectors, pairs, space, np.column_stack([gauge, complement]), known)
    unique = direction is not None
    if direction is None:
        direction = known
    with np.errstate(over="ignore", invalid="ignore"):  # a point that is not finite is never returned
        w = w + _length(vectors, pairs, w, direction) * direction
        own = w if vectors is objective else objective.link.contrast(w.reshape(objective.link.n_classes, -1)).ravel()
        point = objective.slope(objective.fixed(own))
    # the squared decrement is at most about the misfit: each separated pair adds its own part of it
    state = NewtonState(
        point=point, step=np.zeros_like(point.w), decrement=float(np.hypot(decrement, np.sqrt(SEPARATED_MISFIT))),
        sweeps=2 * steps + 4, iterations=steps, nonsingular=False,
    )  # fmt: skip
    return FinitePoint(state, bool(np.isfinite(decrement)), unique)


def _limit(vectors: PenalizedLikelihood, possible: Mask, flat: Array) -> tuple[Array, Array, int, float]:
    """Return the maximum of the limit, a basis of what it determines, steps and decrement."""
    w = vectors.fixed(np.zeros(vectors.n_parameters))
    limit = limiting_likelihood(vectors, possible, flat)
    if limit is None:
        return w, np.zeros((len(w), 0)), 0, 0.0
    likelihood, places = limit
    v, steps, decrement = likelihood.maximum()
    across = likelihood.determined()
    w[places] = likelihood.origin + across @ (across.T @ (likelihood.whole(v) - likelihood.origin))
    basis = np.zeros((len(w), across.shape[1]))
    basis[places] = across
    return w, basis, steps, decrement


def _central(
    vectors: PenalizedLikelihood, pairs: SeparatedPairs, space: Array, complement: Array, start: Array
) -> Array | None:
    """Return the central direction; None where that is too much work."""
    units, K, q, p = vectors.units, vectors.link.n_classes, vectors.link.n_scores, vectors.units.n_coefficients
    if len(pairs.row) * float(max(p, K)) > ENTRIES:
        return None
    rows = vectors.engine.map(DesignRows(units))
    used = np.flatnonzero(pairs.others.any(axis=1))
    margins = Margins.of(rows[pairs.row[used]], pairs.own[used], pairs.others[used])
    start = space @ (space.T @ start)
    if q == K:
        return central_direction(margins, Span(space, complement), start)
    # the reference class has no coefficients
    at = (np.array([k for k in range(K) if k != vectors.link.reference])[:, None] * p + np.arange(p)).ravel()
    wide = np.zeros((K * p, space.shape[1] + complement.shape[1] + 1))
    wide[at] = np.column_stack([space, complement, start])
    rest = np.delete(np.eye(K * p), at, axis=1)
    span = Span(wide[:, : space.shape[1]], np.column_stack([wide[:, space.shape[1] : -1], rest]))
    direction = central_direction(margins, span, wide[:, -1])
    return None if direction is None else direction[at]


def _length(vectors: PenalizedLikelihood, pairs: SeparatedPairs, w: Array, direction: Array) -> float:
    """Return how much of a direction brings the misfit to 1e-8: along it the misfit falls."""
    link, q = vectors.link, vectors.link.n_scores
    eta = _scores(vectors, w.reshape(q, -1), offset=True)
    moved = _scores(vectors, direction.reshape(q, -1))
    expanded = link if q == link.n_classes else Softmax(link.n_classes)

    def excess(length: float) -> float:
        with np.errstate(all="ignore"):
            misfit = pairs.misfit(expanded, eta + length * moved)
        if np.isnan(misfit):  # predictors beyond the range of floats
            misfit = LARGEST_MISFIT
        return float(np.log(max(misfit, 1e-300) / SEPARATED_MISFIT))

    longest = 1.0
    while excess(longest) > 0 and longest < LONGEST:
        longest *= 2.0
    if excess(0.0) <= 0 or excess(longest) > 0:
        return 0.0 if excess(0.0) <= 0 else longest
    length = float(brentq(excess, 0.0, longest, xtol=1e-12 * longest, rtol=1e-12))
    return length if excess(length) <= 0 else length * (1.0 + 1e-11)


def _scores(objective: PenalizedLikelihood, w: Array, *, offset: bool = False) -> Array:
    """Return the predictors of all classes for coefficients (q, p), (n, K)."""
    return objective.engine.map(ClassPredictors(objective.link, objective.units, w, offset))


def _of_all_classes(objective: PenalizedLikelihood) -> PenalizedLikelihood:
    """Return the objective of K - 1 vectors as one of K, where nothing is penalised: no class is special then."""
    link, K, p = objective.link, objective.link.n_classes, objective.units.n_coefficients
    if link.n_scores == K or not objective.prior.is_flat:
        return objective
    none = np.zeros(K * p)
    engine = objective.engine.view(ExpandedOffset(link)) if objective.rows.has_offset else objective.engine
    level = np.kron(np.ones((K, 1)) / np.sqrt(K), np.eye(p))
    aliased = _centred(objective, objective.gauge)
    return replace(
        objective, engine=engine, link=Softmax(K), prior=Quadratic(none, none),
        gauge=orthonormalize(np.column_stack([level, aliased])),
    )  # fmt: skip


def _centred(objective: PenalizedLikelihood, columns: Array) -> Array:
    """Return coefficients (q p, m) of contrasts as those of K vectors that sum to zero, (K p, m)."""
    link, p = objective.link, objective.units.n_coefficients
    each = link.expand(np.eye(link.n_scores)).T  # (K, q)
    each = each - each.mean(axis=0)
    shaped = columns.reshape(link.n_scores, p, -1)
    return np.tensordot(each, shaped, axes=1).reshape(link.n_classes * p, -1)


def _in_vectors(objective: PenalizedLikelihood, vectors: PenalizedLikelihood, columns: Array) -> Array:
    """Return coefficients (q p, m) in plain units as those of K vectors in the coordinates of the solver."""
    moved = columns
    if isinstance(objective.units, TriangularUnits):
        shaped = columns.reshape(-1, objective.units.n_coefficients, columns.shape[1])
        moved = np.einsum("ij,qjl->qil", objective.units.triangle, shaped).reshape(columns.shape)
    return moved if vectors is objective else _centred(objective, moved)


def _flat_gauge(objective: PenalizedLikelihood) -> Array:
    """Return the part of the gauge that no prior penalises."""
    gauge = objective.gauge
    if objective.prior.is_flat or not gauge.shape[1]:
        return gauge
    values, vectors = np.linalg.eigh(gauge.T @ objective.prior.matrix() @ gauge)
    return np.asarray(gauge @ vectors[:, values <= UNPENALIZED * float(np.abs(objective.prior.precision).max())])
