"""Which coefficients of separated classes go to plus infinity, to minus infinity, or are not identified.

The recession cone C holds the directions along which no row's likelihood falls. The supremum and the infimum of a
coefficient over C are 0 or infinite. Where only one of them is infinite, the coefficient goes to that infinity; where
both are, every value of it fits equally well in the limit and it is not identified.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from posteriori.inference.existence.exact import Work, odd_parts, row_integers
from posteriori.inference.existence.programme import exact_cone
from posteriori.inference.pairs import Rows, distinct
from posteriori.inference.separation import MOVED, TOLD, Separation
from posteriori.objectives.penalized import PenalizedLikelihood

Array = NDArray[np.float64]
Codes = NDArray[np.int8]

#: Codes of coefficients: a finite estimate (or limit), plus infinity, minus infinity, directions of both signs, and
#: no finite estimate whose directions were not all examined.
FINITE, UP, DOWN, BOTH, UNDECIDED = 0, 1, -1, 2, 3
#: Entries of the matrix of separated rows up to which signs are decided.
ENTRIES = 2e7
#: Multiplications that the projections of all coefficients may take together.
WORK = 1e10
#: Rows of the first projection, and rows that each further one adds.
FIRST, MORE = 300, 200
#: Entries of the matrix up to which signs are decided in integers.
EXACT_LIMIT = 3000
#: Relative distance from the dual cone below which a coefficient counts as inside it, and that of rounding alone.
NEAR, CLOSE = 1e-9, 1e-13


@dataclass(frozen=True)
class Recession:
    """The codes of all coefficients, the intercept first.

    Parameters
    ----------
    own : (C, p) by class, as ``coef_`` has them: C is 1 for one score, else K
    pairs : (K (K - 1) / 2, p) of each class b against each class a < b, in the order of `class_pairs`
    """

    own: Codes
    pairs: Codes


def class_pairs(n_classes: int) -> list[tuple[int, int]]:
    """Return all (a, b) with a < b, those of class 0 first.

    >>> class_pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return [(a, b) for a in range(n_classes) for b in range(a + 1, n_classes)]


def negated(codes: Codes) -> Codes:
    """Return the codes of minus the coefficients."""
    return np.where(np.abs(codes) == 1, -codes, codes).astype(np.int8)


def limits(values: Array, codes: Codes) -> Array:
    """Return coefficients where they are finite, their infinity where they have one, and else NaN.

    >>> limits(np.array([2.0, 30.0, -30.0, 9.0]), np.array([0, 1, -1, 2]))
    array([  2.,  inf, -inf,  nan])
    """
    return np.select([codes == FINITE, codes == UP, codes == DOWN], [values, np.inf, -np.inf], np.nan)


def against(pairs: Codes, n_classes: int, reference: int) -> Codes:
    """Return the codes of the contrasts of all other classes to a reference, (K - 1, p)."""
    place = {pair: i for i, pair in enumerate(class_pairs(n_classes))}
    rows = [
        pairs[place[reference, k]] if reference < k else negated(pairs[place[k, reference]])
        for k in range(n_classes)
        if k != reference
    ]
    return np.array(rows, dtype=np.int8)


def recession_of(objective: PenalizedLikelihood, found: Separation, work: float = WORK) -> Recession:
    """Return the codes of all coefficients of separated classes.

    Parameters
    ----------
    objective : of the fit
    found : how its rows are separated
    work : multiplications after which coefficients are left undecided; the same on every machine
    """
    assert found.direction is not None
    assert found.space is not None
    rows = Rows(objective)
    carry, link, units = rows.to_units(), objective.link, rows.units
    S = np.linalg.qr(np.linalg.solve(carry, found.space))[0]
    inside = S.T @ np.linalg.solve(carry, found.direction.ravel())
    cone = _Cone(rows, S, inside, work)
    K, q = link.n_classes, link.n_scores
    if q == 1:
        codes = cone.codes(np.ones(1))[None]
        return Recession(codes, codes)
    each = link.spread(np.eye(q)).T  # (K, q): the predictor of each class in the q scores
    pairs = np.zeros((K * (K - 1) // 2, units.n_coefficients), dtype=np.int8)
    for i, (a, b) in enumerate(class_pairs(K)):
        # b - a is (b - 0) + (0 - a), both of which are known by then
        pairs[i] = cone.codes(each[b] - each[a], [pairs[b - 1], negated(pairs[a - 1])] if a else [])
    if q < K:
        own = [cone.codes(row) for row in each]
    else:
        own = [cone.codes(K * row - 1.0, [*negated(against(pairs, K, k))]) for k, row in enumerate(each)]
    return Recession(np.array(own, dtype=np.int8), pairs)


def _agreed(known: list[Codes]) -> Codes:
    """Return the codes of sums of coefficients of which none goes another way; FINITE where that is unknown."""
    least, most = np.min(known, axis=0), np.max(known, axis=0)
    up, down = (least == FINITE) | (least == UP), (most == FINITE) | (most == DOWN)
    return np.where(up & (most == UP), UP, np.where(down & (least == DOWN), DOWN, FINITE)).astype(np.int8)


@dataclass
class _Cone:
    """The cone {u : N u >= 0} in coordinates of its span, with the directions found in it so far."""

    rows: Rows
    span: Array
    inside: Array
    work: float
    constraints: Array | None = field(init=False)
    directions: Array = field(init=False)
    radius: float = field(init=False)

    def __post_init__(self) -> None:
        n, K = self.rows.n, self.rows.objective.link.n_classes
        width = self.span.shape[1]
        small = n * (K - 1) * width <= ENTRIES
        self.constraints = _normalized(self._separated()) if small and width > 1 else None
        self.directions = self.inside[:, None] / np.linalg.norm(self.inside)
        # of a ball around the direction inside, of length one, that lies in the cone
        self.radius = 0.0 if self.constraints is None else max(float((self.constraints @ self.directions).min()), 0.0)

    def _blocks(self) -> Iterator[Array]:
        """Lay out the constraints of a few rows at a time."""
        width = len(self.span) * (self.rows.objective.link.n_classes - 1)
        step = max(int(2**22 // max(width, 1)), 1)
        for first in range(0, self.rows.n, step):
            yield self.rows.constraints(np.arange(first, min(first + step, self.rows.n)))

    def _separated(self) -> Array:
        """Return the constraints that the direction inside gains on, in coordinates of the span."""
        lead = self.span @ self.inside
        told = [A[A @ lead > TOLD] for A in self._blocks()]
        return distinct(np.concatenate(told)) @ self.span

    def codes(self, scores: Array, terms: Sequence[Codes] = ()) -> Codes:
        """Return the codes of the p coefficients of a combination (q,) of the scores.

        `terms` are codes of coefficients whose sum that combination is, where they are known.
        """
        units, q = self.rows.units, len(scores)
        users = self._in_users_units(np.eye(units.n_coefficients))
        F = self._in_users_units(np.tensordot(scores, self.span.reshape(q, units.n_coefficients, -1), axes=1))
        moved = np.linalg.norm(F, axis=1) > MOVED * np.linalg.norm(scores) * np.linalg.norm(users, axis=1)
        codes = np.where(moved, _agreed([*terms]), FINITE) if terms else np.zeros(len(F))
        for j in np.flatnonzero(moved & (codes == FINITE)):
            own = np.kron(scores, users[j])
            codes[j] = self._code(F[j] / np.linalg.norm(F[j]), own)
        return codes.astype(np.int8)

    def _in_users_units(self, rows: Array) -> Array:
        """Return the coefficients in the user's units, up to their size: only the intercept mixes columns."""
        units = self.rows.units
        if not units.intercept:
            return rows
        mix = np.concatenate([[1.0], -units.centre / units.scale])
        return np.vstack([mix @ rows, rows[1:]])

    def _code(self, f: Array, own: Array) -> int:
        """Return the code of a coefficient that some direction moves: f (l,) along the span, own (q p,) in all."""
        along = f @ self.directions
        if abs(along[0]) <= (1.0 - NEAR) * self.radius or (along.max() > NEAR and along.min() < -NEAR):
            return BOTH
        sign = UP if along[0] > 0 else DOWN
        if self.span.shape[1] == 1:
            return sign
        if self.constraints is None or self.work <= 0:
            return UNDECIDED
        other, distance = self._other_way(sign * f)
        if other is not None:
            self.directions = np.column_stack([self.directions, other])
            return BOTH
        exact = self._exactly(sign * own) if distance > CLOSE else None
        if exact is not None:
            return BOTH if exact else sign
        return sign if distance <= NEAR else UNDECIDED

    def _other_way(self, f: Array) -> tuple[Array | None, float]:
        """Return a direction of the cone with f'u < 0, or None; and how far f is from the dual cone.

        With r what remains of f after its projection on the dual cone {N'm, m >= 0}, -r lies in the cone and
        f'(-r) = -|r|^2 (Moreau): f is in the dual cone, so that no direction lowers it, only where r is zero. Rounding
        may put -r a little outside; a direction near it and well inside must then lower f too.
        """
        N, inside = self.constraints, self.directions[:, 0]
        assert N is not None
        chosen = np.argsort(N @ inside, kind="stable")[:FIRST]
        while True:
            self.work -= 3.0 * len(chosen) * len(f) * min(len(chosen), len(f)) + N.size
            try:
                multipliers, _ = nnls(N[chosen].T, f, maxiter=30 * N.shape[1] + 100)
            except RuntimeError:  # too many steps
                return None, np.inf
            r = f - N[chosen].T @ multipliers
            distance = float(np.linalg.norm(r))
            if distance <= NEAR:
                return None, distance
            lost = np.flatnonzero(N @ r > CLOSE * distance)
            fresh = lost[~np.isin(lost, chosen)]
            if not len(fresh) or self.work <= 0:
                break
            chosen = np.union1d(chosen, fresh[np.argsort(-(N[fresh] @ r), kind="stable")[:MORE]])
        other = -r / distance + inside * (0.5 * distance / float(f @ inside))
        held = bool((N @ other > 0).all()) and float(f @ other) < 0
        return (-r / distance if held else None), distance

    def _exactly(self, f: Array) -> bool | None:
        """Decide in integers whether a direction lowers f (q p,): it does where the cone can gain on -f as a row."""
        entries = self.rows.n * (self.rows.objective.link.n_classes - 1) * len(f)
        if len(self.rows.held()) or entries > EXACT_LIMIT:
            return None
        A = np.concatenate(list(self._blocks()))
        rows, _ = row_integers(*odd_parts(np.vstack([A, -f])))
        return bool(exact_cone(rows, Work())[2][-1])


def _normalized(N: Array) -> Array:
    """Return the rows with length one."""
    level: Array = N / np.linalg.norm(N, axis=1, keepdims=True)
    return level
