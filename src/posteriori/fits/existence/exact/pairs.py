"""Pairs (row, own class, other class) as constraints (e_own - e_other) (x) z'b >= 0, without forming their matrix."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from posteriori.arrays import Array, Indices, Mask
from posteriori.fits.existence.exact.coordinates import Coordinates
from posteriori.fits.existence.exact.integers import Integers, odd_parts, row_integers

#: Rounding of an entry z, in units in the last place.
ENTRY = 4.0
UNIT = 2.0**-53
#: Rows of a product at a time.
ROWS = 2**14


@dataclass(frozen=True)
class Pairs:
    """Constraints A b >= 0 over directions b (q, p), flat: one per pair, then the rows of `extra`.

    Parameters
    ----------
    x : (n, d) rows in the user's columns
    coordinates : exact columns z (n, p) of the rows
    row, own, other : (m,) the pairs
    blocks : (K,) the place in b of each class's coefficients, -1 for the reference class
    extra : (e, q p) further constraints
    """

    x: Array
    coordinates: Coordinates
    row: Indices
    own: Indices
    other: Indices
    blocks: Indices
    extra: Array
    z: Array = field(repr=False)

    @property
    def n_pairs(self) -> int:
        """The number of pairs."""
        return len(self.row)

    @property
    def size(self) -> int:
        """The number of constraints."""
        return len(self.row) + len(self.extra)

    @property
    def n_scores(self) -> int:
        """The number of classes with coefficients (q)."""
        return int(self.blocks.max()) + 1

    @property
    def p(self) -> int:
        """The number of columns."""
        return int(self.z.shape[1])

    @property
    def width(self) -> int:
        """The number of coefficients (q p)."""
        return self.n_scores * self.p

    @cached_property
    def groups(self) -> list[tuple[int, int, Indices]]:
        """The pairs of each two classes: places of both in b, and the numbers of the pairs."""
        K = len(self.blocks)
        low, high = np.minimum(self.own, self.other), np.maximum(self.own, self.other)
        code = low * K + high
        order = np.argsort(code, kind="stable")
        codes, starts = np.unique(code[order], return_index=True)
        parts = np.split(order, starts[1:]) if len(codes) else []
        return [(int(self.blocks[c // K]), int(self.blocks[c % K]), part) for c, part in zip(codes, parts, strict=True)]

    def by_class(self, b: Array) -> Array:
        """Return b (q p,) as (K, p), zero for the reference class."""
        shaped = b.reshape(self.n_scores, self.p)
        return np.where((self.blocks >= 0)[:, None], shaped[np.maximum(self.blocks, 0)], 0.0)

    def gains(self, b: Array) -> Array:
        """Return A b, (m + e,)."""
        scores = self.z @ self.by_class(b).T
        return np.concatenate([scores[self.row, self.own] - scores[self.row, self.other], self.extra @ b])

    def sizes(self, b: Array) -> Array:
        """Return |A| |b|, (m + e,)."""
        scores = np.abs(self.z) @ np.abs(self.by_class(b)).T
        return np.concatenate(
            [scores[self.row, self.own] + scores[self.row, self.other], np.abs(self.extra) @ np.abs(b)]
        )

    def combined(self, multipliers: Array, absolute: bool = False) -> Array:
        """Return A'l, or |A|'l, (q p,)."""
        n, K, m = len(self.z), len(self.blocks), self.n_pairs
        pairs, rest = multipliers[:m], multipliers[m:]
        gain = np.bincount(self.row * K + self.own, pairs, n * K)
        loss = np.bincount(self.row * K + self.other, pairs, n * K)
        weights = (gain + loss if absolute else gain - loss).reshape(n, K)
        whole = weights.T @ (np.abs(self.z) if absolute else self.z)
        used = np.argsort(self.blocks)[-self.n_scores :]
        total: Array = whole[used].ravel()
        return total + (np.abs(self.extra) if absolute else self.extra).T @ rest

    def gram(self, weights: Array) -> Array:
        """Return the sum of weight times a a' over constraints, (q p, q p)."""
        q, p, m = self.n_scores, self.p, self.n_pairs
        whole = np.zeros((q, p, q, p))
        for c, k, members in self.groups:
            part = self._group_gram(members, weights)
            for block in (c, k):
                if block >= 0:
                    whole[block, :, block] += part
            if c >= 0 and k >= 0:
                whole[c, :, k] -= part
                whole[k, :, c] -= part
        flat = whole.reshape(q * p, q * p)
        return flat + (self.extra.T * weights[m:]) @ self.extra if len(self.extra) else flat

    def within(self, span: Array, selected: Mask) -> Array:
        """Return the selected constraints over coordinates of a span (q p, l), each with its largest entry near one."""
        size = np.abs(self.z).max(axis=1, initial=0.0)
        z = np.ldexp(self.z, -np.frexp(size)[1][:, None])
        out = np.empty((self.size, span.shape[1]))
        shaped = span.reshape(self.n_scores, self.p, -1)
        for own, other, members in self.groups:
            first = shaped[own] if own >= 0 else 0.0
            sign = np.where(self.blocks[self.own[members]] == own, 1.0, -1.0)
            out[members] = sign[:, None] * (z[self.row[members]] @ (first - (shaped[other] if other >= 0 else 0.0)))
        out[self.n_pairs :] = self.extra @ span
        return out[selected]

    def _group_gram(self, members: Indices, weights: Array) -> Array:
        total = np.zeros((self.p, self.p))
        weighted = members[weights[members] > 0]
        for start in range(0, len(weighted), ROWS):
            some = weighted[start : start + ROWS]
            rooted = self.z[self.row[some]] * np.sqrt(weights[some])[:, None]
            total += rooted.T @ rooted
        return total

    def integers(self, selected: Indices) -> Integers:
        """Return constraints as integers, each times a positive number of its own."""
        out = np.full((len(selected), self.n_scores, self.p), 0, dtype=object)
        pairs = np.flatnonzero(selected < self.n_pairs)
        at = selected[pairs]
        rows, back = np.unique(self.row[at], return_inverse=True)
        z = self.coordinates.integers(self.x[rows])[back]
        own, other = self.blocks[self.own[at]], self.blocks[self.other[at]]
        has = own >= 0
        out[pairs[has], own[has]] = z[has]
        has = other >= 0
        out[pairs[has], other[has]] = -z[has]
        flat = out.reshape(len(selected), self.width)
        rest = np.flatnonzero(selected >= self.n_pairs)
        if len(rest):
            flat[rest] = row_integers(*odd_parts(self.extra[selected[rest] - self.n_pairs]))[0]
        return flat
