"""Exact coordinates for the columns of a design, well conditioned and free of exactly dependent columns.

A column x becomes z = (x - c) 2^-e with c a float: an exact rational map, so that separation in z is separation in x.
A column that is nearly a combination of others is replaced by its exact remainder, scaled: where that is zero in all
rows, the column is dependent and is dropped.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Indices
from posteriori.fits.existence.exact.dependence import nearly_dependent
from posteriori.fits.existence.exact.integers import (
    Integers,
    bit_length,
    common_denominator,
    nearest_floats,
    odd_parts,
    row_integers,
)

#: Mean over standard deviation above which a column is centred.
FAR = 64.0
#: Squared part of a column, of its own size, below which it counts as nearly dependent.
NEARLY = 1e-8
#: Part of its terms that a sum of floats must exceed to be certainly not zero.
CLEAR = 1e-6
#: Denominators tried when a coefficient is rounded to a fraction.
DENOMINATOR = 4096


@dataclass(frozen=True)
class Remainder:
    """The remainder of column j: (z_j - sum of c_k z_k) 2^-exponent."""

    column: int
    combination: dict[int, Fraction]
    exponent: int = 0


@dataclass(frozen=True)
class Coordinates:
    """How rows x (n, d) become exact columns.

    Parameters
    ----------
    centre, exponent : (d,) of the map z = (x - centre) 2^-exponent
    intercept : whether column 0 of the design is 1; the columns of x then follow
    plain : columns of the design that are not changed
    remainders : columns less a combination of plain ones; they follow the plain ones
    dependent : columns that equal a combination of plain ones exactly, and are dropped
    """

    centre: Array
    exponent: NDArray[np.int64]
    intercept: bool
    plain: tuple[int, ...]
    remainders: tuple[Remainder, ...] = ()
    dependent: tuple[Remainder, ...] = ()

    @property
    def n_design(self) -> int:
        """The number of columns of the design, the intercept included."""
        return len(self.centre) + self.intercept

    @property
    def width(self) -> int:
        """The number of columns here."""
        return len(self.plain) + len(self.remainders)

    def floats(self, x: Array) -> Array:
        """Return rows in these columns, (n, width): each entry within two roundings of its exact value."""
        with np.errstate(under="ignore"):
            z = np.ldexp(x - self.centre, -self.exponent)
        design = np.column_stack([np.ones(len(x)), z]) if self.intercept else z
        rest = [self._remainder(x, r)[0] for r in self.remainders]
        return np.column_stack([design[:, self.plain], *rest]) if rest else np.ascontiguousarray(design[:, self.plain])

    def integers(self, x: Array, columns: Indices | None = None) -> Integers:
        """Return rows in these columns exactly, each row times a positive number of its own, as integers."""
        selected = np.arange(self.width) if columns is None else columns
        design, _ = self._design(x, np.arange(self.n_design))
        out = np.full((len(x), len(selected)), 0, dtype=object)
        factor = math.lcm(*(share.denominator for r in self.remainders for share in r.combination.values()))
        low = min((-r.exponent for r in self.remainders), default=0)
        low = min(low, 0)
        for place, c in enumerate(selected.tolist()):
            if c < len(self.plain):
                out[:, place] = design[:, self.plain[c]] * factor << -low
                continue
            r = self.remainders[c - len(self.plain)]
            total = design[:, r.column] * factor
            for k, share in r.combination.items():
                total = total - design[:, k] * int(share * factor)
            out[:, place] = total << (-r.exponent - low)
        return out

    def _design(self, x: Array, columns: Indices) -> tuple[Integers, NDArray[np.int64]]:
        """Return columns of the design in z as integers, each row with an exponent of its own."""
        inner = columns - self.intercept
        lead = inner < 0
        at = np.where(lead, 0, inner)
        if not len(self.centre):
            return np.full((len(x), len(columns)), 1, dtype=object), np.zeros(len(x), dtype=np.int64)
        mantissa, exponent = odd_parts(np.where(lead, 1.0, x[:, at]))
        exponent = exponent - np.where(lead, 0, self.exponent[at]) * (mantissa != 0)
        shift_m, shift_e = odd_parts(np.where(lead, 0.0, self.centre[at]))
        shift_e = shift_e - np.where(lead, 0, self.exponent[at]) * (shift_m != 0)
        if not shift_m.any():
            return row_integers(mantissa, exponent)
        both, low = row_integers(
            np.concatenate([mantissa, np.broadcast_to(shift_m, mantissa.shape)], axis=1),
            np.concatenate([exponent, np.broadcast_to(shift_e, exponent.shape)], axis=1),
        )
        return both[:, : len(columns)] - both[:, len(columns) :], low

    def _remainder(self, x: Array, r: Remainder) -> tuple[Array, bool]:
        """Return a remainder as floats, and whether it is zero throughout."""
        columns = np.array([r.column, *r.combination], dtype=np.intp)
        design, low = self._design(x, columns)
        shares, denominator = common_denominator([Fraction(-1), *r.combination.values()])
        rest = -(design @ shares)
        nonzero = bool((rest != 0).any())
        bits = denominator.bit_length()
        values = nearest_floats(rest, low - r.exponent - bits) / float(Fraction(denominator, 2**bits))
        return values, not nonzero

    def to_design(self, b: Array) -> Array:
        """Return directions over these columns, (..., width), as directions over the design in z, (..., n_design)."""
        whole = np.zeros((*b.shape[:-1], self.n_design))
        whole[..., self.plain] = b[..., : len(self.plain)]
        for place, r in enumerate(self.remainders, len(self.plain)):
            moved = np.ldexp(b[..., place], -r.exponent)
            whole[..., r.column] += moved
            for k, share in r.combination.items():
                whole[..., k] -= moved * float(share)
        return whole

    def coefficients(self) -> Integers:
        """Return the coefficients in the user's units over these columns, each up to its size, as fractions."""
        rows = np.full((self.n_design, self.width), Fraction(0), dtype=object)
        for place, j in enumerate(self.plain):
            rows[j, place] = Fraction(1)
        for place, r in enumerate(self.remainders, len(self.plain)):
            scale = Fraction(2) ** -r.exponent
            rows[r.column, place] += scale
            for k, share in r.combination.items():
                rows[k, place] -= scale * share
        if self.intercept:
            for j in np.flatnonzero(self.centre).tolist():
                rows[0] -= Fraction(float(self.centre[j])) / Fraction(2) ** int(self.exponent[j]) * rows[j + 1]
        return rows

    def moved(self, basis: Integers) -> NDArray[np.bool_]:
        """Return which columns of the design any of the directions (width, f) over these columns moves.

        Floats decide where a product is far above their rounding, integers elsewhere.
        """
        whole = np.full((self.n_design, self.width), Fraction(0), dtype=object)
        lead = int(self.intercept)
        whole[lead:] = self.coefficients()[lead:]
        if lead:
            whole[0] = replace(self, centre=np.zeros_like(self.centre)).coefficients()[0]
        size = np.array([max(map(abs, row), default=Fraction(0)) or Fraction(1) for row in whole], dtype=object)
        scaled = (whole / size[:, None]).astype(np.float64)
        over = nearest_floats(basis, np.full(basis.shape, -bit_length(basis), dtype=np.int64))
        moved = (np.abs(scaled @ over) > CLEAR * (np.abs(scaled) @ np.abs(over))).any(axis=1)
        for j in np.flatnonzero(~moved):
            used = np.flatnonzero(whole[j])
            moved[j] = bool(((whole[j, used] @ basis[used]) != 0).any())
        for r in self.dependent:
            moved[r.column] = any(moved[k] for k in r.combination)
        return np.asarray(moved)


def coordinates_of(x: Array, columns: Indices, intercept: bool, centred: bool, whole: bool) -> Coordinates:
    """Choose coordinates for rows x (n, d), of whose design only some columns are free.

    Columns that depend on others are dropped only where the rows are the `whole` of them.
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        size = np.abs(x).max(axis=0, initial=0.0)
        exponent = np.where(size > 0, np.frexp(size)[1] - 1, 0).astype(np.int64)
        centre = np.zeros(x.shape[1])
        if centred:
            unit = np.ldexp(x, -exponent)
            mean, sd = unit.mean(axis=0), unit.std(axis=0)
            far = np.abs(mean) > FAR * sd
            same = unit.max(axis=0) == unit.min(axis=0)
            step = np.frexp(np.maximum(sd, np.abs(mean) * 2.0**-40))[1]
            rounded = np.ldexp(np.round(np.ldexp(mean, -step)), step)
            centre = np.where(far, np.ldexp(np.where(same, unit[0], rounded), exponent), 0.0)
            rest = np.abs(x - centre).max(axis=0, initial=0.0)
            exponent = np.where(far & (rest > 0), np.frexp(rest)[1] - 1, exponent).astype(np.int64)
    plain = Coordinates(centre, exponent, intercept, tuple(columns.tolist()))
    return _without_dependence(plain, x, whole)


def _without_dependence(plain: Coordinates, x: Array, whole: bool) -> Coordinates:
    """Replace columns that nearly depend on others by exact remainders; drop those whose remainder is zero."""
    z = plain.floats(x)
    independent, others, shares = nearly_dependent(z.T @ z, NEARLY)
    if not len(others):
        return plain
    names = np.array(plain.plain)
    base = replace(plain, plain=tuple(names[np.sort(independent)].tolist()))
    order = np.argsort(independent)
    dependent, remainders = [], []
    for place, j in enumerate(others):
        combination = {
            int(names[k]): share
            for k, value in zip(independent[order], shares[order, place], strict=True)
            if (share := _fraction(float(value)))
        }
        remainder = Remainder(int(names[j]), combination)
        values, zero = base._remainder(x, remainder)
        if zero and whole:
            dependent.append(remainder)
            continue
        peak = float(np.abs(values).max())
        remainders.append(replace(remainder, exponent=0 if zero else int(np.frexp(peak)[1]) - 1))
    return replace(base, remainders=tuple(remainders), dependent=tuple(dependent))


def _fraction(value: float) -> Fraction:
    """Return a simple fraction near a float where there is one, else the float."""
    if abs(value) < 1e-10:
        return Fraction(0)
    near = Fraction(value).limit_denominator(DENOMINATOR)
    return near if near and abs(near - Fraction(value)) < 1e-8 * abs(value) else Fraction(value)
