"""`ConeSigns`: the signs of coefficients over a recession cone, by floats where they suffice, else by integers."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray
from scipy.optimize import nnls

from posteriori.arrays import Array, Indices
from posteriori.fits.existence.exact.decide import Decision
from posteriori.fits.existence.exact.directions import floats_of, signs
from posteriori.fits.existence.exact.integers import Integers, Work, WorkLimitError, common_denominator
from posteriori.fits.existence.exact.rows import RawRows
from posteriori.fits.existence.exact.simplex import exact_cone
from posteriori.models.infinite_codes import BOTH, DOWN, FINITE, UNDECIDED, UP, Codes, agreed

#: Entries of the matrix of separated rows up to which signs are decided.
ENTRIES = 2e7
#: Rows of the first projection, and rows that each further one adds.
FIRST, MORE = 300, 200
#: Entries of the matrix up to which signs are decided in integers, and the work that all of them may take: where
#: floats are useless, and where their rounding leaves the sign undecided.
EXACT_LIMIT, EXACT_WORK, DOUBT_WORK = 3000, 2e6, 3e5
#: Ratio of the least to the greatest size of a column's values below which integers are tried first, and that below
#: which signs by floats are useless.
UNEVEN, LOST = 1e-6, 1e-10
#: Length of a coefficient along the span above which it is moved, and below which that is decided in integers.
MOVED, DOUBTFUL = 1e-9, 1e-3
#: Entries of the exact basis up to which that is done.
EXACT_BASIS = 20_000
#: Length of a constraint below which it underflows.
TINY = 1e-150
#: Relative distance from the dual cone below which a coefficient counts as inside it, and that caused by rounding.
NEAR, CLOSE = 1e-9, 1e-13
#: Rounding of an entry of a constraint, per column, and the largest shift of a coefficient when testing whether it is
#: inside the dual cone by more than rounding.
ROUNDING, FARTHEST = 1e-15, 0.1
#: Directions up to which those that prove the codes are collected.
MOST_WITNESSES = 64
#: Columns from which singular values are taken from the Gram matrix, several times as fast, and the least ratio of its
#: eigenvalues at which that is accurate.
MANY, SQUARED = 128, 1e-8


class ConeSigns:
    """The signs of coefficients over the cone {u : N u >= 0}, in coordinates of its span.

    Parameters
    ----------
    rows : of the fit
    decided : the cone
    work : multiplications after which signs are left undecided; the same on every machine
    """

    def __init__(self, rows: RawRows, decided: Decision, work: float) -> None:
        self.rows, self.decided, self.work = rows, decided, work
        cone, self.pairs = decided.cone, decided.pairs
        self.coefficients = self.pairs.coordinates.coefficients()
        size = [max(map(abs, row), default=Fraction(0)) or Fraction(1) for row in self.coefficients]
        self.scaled = (self.coefficients / np.array(size, dtype=object)[:, None]).astype(np.float64)
        self.evenness, self.exact, self.doubts = _evenness(self.pairs.x), Work(EXACT_WORK), Work(DOUBT_WORK)
        self.span = la.qr(floats_of(cone.basis), mode="economic")[0]
        inside = self.span.T @ floats_of(cone.direction)
        self.directions, self.exact_directions = inside[:, None] / np.linalg.norm(inside), [cone.direction]
        width = self.span.shape[1]
        self.witnesses: list[Array] = []
        small = rows.n * (rows.link.n_classes - 1) * max(width, self.pairs.p) <= ENTRIES
        self.constraints = self._separated() if small and width > 1 else None
        self.steepness = 0.0 if self.constraints is None else _steepness(self.constraints)
        # of a ball around the direction inside, of length one, that lies in the cone
        self.radius = 0.0 if self.constraints is None else max(float((self.constraints @ self.directions).min()), 0.0)

    def _separated(self) -> Array | None:
        """Return the constraints that can gain, over the span, each of length one; None where any underflows."""
        cone = self.decided.cone
        if self.decided.whole:
            gained = cone.gained
        else:
            self.pairs = self.rows.all_pairs(self.pairs.coordinates)
            gained = signs(self.pairs, cone.direction, Work()) > 0
        N = self.pairs.within(self.span, gained)
        first = distinct(N)
        N, self.places = N[first], np.flatnonzero(gained)[first]
        size = np.linalg.norm(N, axis=1)
        if not (size > TINY).all():
            return None
        self.errors = ROUNDING * self.pairs.p / size
        unit: Array = N / size[:, None]
        return unit

    def codes(self, scores: Array, terms: Sequence[Codes] = ()) -> Codes:
        """Return the codes of the p coefficients of a combination (q,) of the scores.

        `terms` are codes of coefficients whose sum is that combination, if known.
        """
        mine = scores @ self.rows.scores(self.pairs)
        if not mine.any():  # the reference class
            return np.zeros(self.rows.units.n_coefficients, dtype=np.int8)
        F = self._floats(mine)
        free = np.flatnonzero(self._moved(F, mine))
        codes = np.zeros(self.rows.units.n_coefficients)
        known = agreed([*terms]) if terms else codes
        for j in free.tolist():
            codes[j] = known[j] if known[j] != FINITE else self._code(F[j], mine, j)
        return codes.astype(np.int8)

    def _basis(self, mine: Array) -> Integers:
        """Return the basis of the cone's span, (p, f), in a combination of scores."""
        pairs = self.decided.pairs
        shaped = self.decided.cone.basis.reshape(pairs.n_scores, pairs.p, -1)
        return np.asarray(sum(int(c) * part for c, part in zip(mine, shaped, strict=True) if c))

    def _floats(self, mine: Array) -> Array:
        """Return the coefficients of a combination of scores along the span, in the user's units up to their size."""
        shaped, used = self.span.reshape(self.pairs.n_scores, self.pairs.p, -1), np.flatnonzero(mine)
        whole: Array = self.scaled @ np.tensordot(mine[used], shaped[used], axes=1)
        return whole

    def _moved(self, F: Array, mine: Array) -> NDArray[np.bool_]:
        """Return which coefficients any direction moves: exactly, unless floats are certain."""
        norms = np.linalg.norm(F, axis=1)
        moved = norms > MOVED
        if self.decided.cone.basis.size > EXACT_BASIS:
            return np.asarray(moved)
        basis = self._basis(mine)
        for j in np.flatnonzero(norms < DOUBTFUL):
            used = np.flatnonzero(self.coefficients[j])
            moved[j] = bool(((self.coefficients[j, used] @ basis[used]) != 0).any())
        return np.asarray(moved)

    def _code(self, f: Array, mine: Array, j: int) -> int:
        """Return the code of coefficient j of a combination of scores, f (l,) along the span, that is moved."""
        length = float(np.linalg.norm(f))
        lost = self.evenness < LOST or length == 0.0  # zero where f is below the rounding of larger columns
        code = self._exactly(mine, j) if self.evenness < UNEVEN or lost else None
        if code is None:
            code = UNDECIDED if lost else self._by_floats(f / length, ROUNDING * self.pairs.p / length, mine, j)
        if code == BOTH and length > 0.0:
            self._add_witnesses(f / length)
        return code

    def known_directions(self) -> Array:
        """Return directions of the cone, in coordinates of its span: one inside it, and those that prove codes."""
        exact = [self.span.T @ floats_of(direction) for direction in self.exact_directions[1:]]
        return np.column_stack([self.directions, *exact, *self.witnesses])

    def _add_witnesses(self, f: Array) -> None:
        """Add directions that raise and that lower f, of length one, unless some are known."""
        if len(self.witnesses) >= MOST_WITNESSES:
            return
        along = f @ self.known_directions()
        for sign in (1.0, -1.0):
            if not (sign * along > NEAR).any():
                self.witnesses.append(self.directions[:, 0] + sign * self.radius * f)

    def _by_floats(self, f: Array, error: float, mine: Array, j: int) -> int:
        """Return the code by projections in floating point, or in integers where those do not decide."""
        along = f @ self.directions
        if abs(along[0]) <= self.radius - NEAR or (along.max() > NEAR and along.min() < -NEAR):
            return BOTH
        sign = UP if along[0] > 0 else DOWN
        if self.span.shape[1] == 1:
            return sign
        return UNDECIDED if self.constraints is None or self.work <= 0 else self._sign_or_both(sign, f, error, mine, j)

    def _sign_or_both(self, sign: int, f: Array, error: float, mine: Array, j: int) -> int:
        """Return the sign by which the direction inside moves a coefficient; BOTH if another has the opposite sign."""
        other, distance, used, doubt = self._opposite(sign * f)
        if other is not None:
            self.directions = np.column_stack([self.directions, other])
            return BOTH
        if distance <= CLOSE and self._is_well_inside(sign * f, doubt + error):
            return sign
        exact = self._exactly(mine, j, self.places[used])
        if exact is not None:
            return exact
        return sign if distance <= NEAR else UNDECIDED

    def _is_well_inside(self, f: Array, doubt: float) -> bool:
        """Return whether f, known up to `doubt`, lies in the dual cone whatever the rounding of the constraints.

        With c the mean of the unit constraints, f - t c lies within e of the dual cone. So f'u >= t c'u - e |u| for
        each u in the cone, and c'u >= `steepness` |u|.
        """
        assert self.constraints is not None
        t = 4.0 * doubt / self.steepness if self.steepness > 0 else np.inf
        if not t <= FARTHEST:
            return False
        other, _, _, moved = self._opposite(f - t * self.constraints.mean(axis=0))
        return other is None and 2.0 * moved < t * self.steepness

    def _opposite(self, f: Array) -> tuple[Array | None, float, Indices, float]:
        """Return a direction of the cone with f'u < 0, or None; and the position of f relative to the dual cone.

        With r what remains of f after its projection on the dual cone {N'm, m >= 0}, -r lies in the cone and
        f'(-r) = -|r|^2 (Moreau): f is in the dual cone, so that no direction lowers it, only where r is zero. Rounding
        may put -r a little outside; a direction near it and well inside must then lower f too. Also returned are the
        length of r, the constraints with m > 0, and a bound on the length of r for constraints without rounding.
        """
        N, inside = self.constraints, self.directions[:, 0]
        assert N is not None
        selected = np.argsort(N @ inside, kind="stable")[:FIRST]
        while True:
            self.work -= 3.0 * len(selected) * len(f) * min(len(selected), len(f)) + N.size
            try:
                multipliers, _ = nnls(N[selected].T, f, maxiter=30 * N.shape[1] + 100)
            except RuntimeError:  # too many steps
                return None, np.inf, selected[:0], np.inf
            r = f - N[selected].T @ multipliers
            distance = float(np.linalg.norm(r))
            used, doubt = selected[multipliers > 0], distance + float(multipliers @ self.errors[selected])
            if distance <= NEAR:
                return None, distance, used, doubt
            lost = np.flatnonzero(N @ r > CLOSE * distance)
            fresh = lost[~np.isin(lost, selected)]
            if not len(fresh) or self.work <= 0:
                break
            selected = np.union1d(selected, fresh[np.argsort(-(N[fresh] @ r), kind="stable")[:MORE]])
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            other = -r / distance + inside * np.divide(0.5 * distance, f @ inside)
        if not np.isfinite(other).all():
            return None, distance, used, doubt
        inside_cone = bool((N @ other > self.errors * np.linalg.norm(other)).all()) and float(f @ other) < 0
        return (-r / distance if inside_cone else None), distance, used, doubt

    def _exactly(self, mine: Array, j: int, first: Indices | None = None) -> int | None:
        """Return the code decided in integers, or None where that is too much work; constraints in `first` come first.

        The first known direction lies inside the cone: a coefficient that it does not move has directions of both
        signs. Otherwise some direction has the opposite sign only if the cone can gain on the coefficient's row with
        the opposite sign.
        """
        pairs = self.pairs
        if (pairs.size if first is None else len(first)) * pairs.width > EXACT_LIMIT or self.work <= 0:
            return None
        row, _ = common_denominator([int(c) * value for c in mine for value in self.coefficients[j]])
        directions = [int(np.sign(row @ direction)) for direction in self.exact_directions]
        sign = directions[0]
        if sign == 0 or -sign in directions:
            return BOTH
        if self.span.shape[1] == 1:
            return sign
        try:
            other = self._lowering(-sign * row, first)
        except WorkLimitError:
            return None
        if other is None:
            return sign
        self.exact_directions.append(other)
        return BOTH

    def _lowering(self, row: Integers, first: Indices | None) -> Integers | None:
        """Return a direction of the cone that gains on a row of integers, or None if there is none.

        The cone of a subset of the constraints is larger: where it has no such direction there is none, and a direction
        of it that loses on no constraint is in the cone. Otherwise the constraints that lose the most join the subset.
        """
        pairs, work = self.pairs, self.exact if first is None else self.doubts
        selected = np.arange(0, pairs.size, max(pairs.size // (2 * pairs.width), 1)) if first is None else first
        while True:
            direction, _, gained = exact_cone(np.vstack([pairs.integers(selected), row[None]]), work)
            if not gained[-1]:
                return None
            losing = np.flatnonzero(signs(pairs, direction, work) < 0)
            if not len(losing):
                return direction
            floats = floats_of(direction)
            loss = pairs.gains(floats)[losing] / np.maximum(pairs.sizes(floats)[losing], TINY)
            selected = np.union1d(selected, losing[np.argsort(loss, kind="stable")[: pairs.width]])


def _evenness(X: Array) -> float:
    """Return the least ratio, over columns, of the least size of a value that is not zero to the greatest."""
    sizes = np.abs(X)
    least = np.where(sizes > 0, sizes, np.inf).min(axis=0, initial=np.inf)
    greatest = sizes.max(axis=0, initial=0.0)
    return float(np.divide(least, greatest, out=np.ones_like(least), where=greatest > 0).min(initial=1.0))


def _steepness(N: Array) -> float:
    """Return s with c'u >= s |u| wherever N u >= 0, c the mean of the rows of N; 0 where rounding exceeds it.

    Of n numbers that are not negative, with a sum of squares of at least z^2 |u|^2 for the least singular value z of N,
    one is z |u| / sqrt(n) or more.
    """
    if len(N) >= N.shape[1] >= MANY:
        values = la.eigvalsh(N.T @ N, check_finite=False)
        if values[0] > SQUARED * values[-1]:  # then its root has six digits
            return float(0.999 * np.sqrt(values[0]) / len(N) ** 1.5)
    values = np.linalg.svd(N, compute_uv=False)
    least = float(values[-1]) if len(N) >= N.shape[1] else 0.0
    return least / len(N) ** 1.5 if least > CLOSE * values[0] else 0.0


def distinct(rows: Array) -> Indices:
    """Return the numbers of the distinct rows, in no particular order: rows of equal projections are compared."""
    order = np.argsort(rows @ np.random.default_rng(0).standard_normal(rows.shape[1]), kind="stable")
    again = (rows[order[1:]] == rows[order[:-1]]).all(axis=1)
    return order[np.concatenate([[True], ~again])] if len(rows) else order
