"""Rows to try the laws on: random ones of every awkward sort, whole and cut into parts."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import scipy.sparse as sp
from hypothesis import strategies as st

from posteriori.backends.backend import ARRAYS, COMPILED
from posteriori.designs.units import Units
from posteriori.tables.block import PER_ROW, Block


@dataclass(frozen=True)
class Rows:
    """Some rows as one block, and where to cut it."""

    block: Block
    cuts: tuple[int, ...]
    n_classes: int
    offset: float = 0.0
    scale: float = 1.0

    @property
    def n_columns(self):
        return self.block.features.shape[1]

    @property
    def units(self):
        """Units in which the columns are of order one."""
        d = self.n_columns
        return Units(np.full(d, self.offset * self.scale), np.full(d, self.scale), True)

    def parts(self):
        """Cut the block; every part has a row."""
        edges = [0, *self.cuts, self.block.n_rows]
        return [piece(self.block, a, b) for a, b in pairwise(edges)]


def piece(block, start, stop):
    """Give rows start to stop of a block."""
    pick = {
        name: None if (values := getattr(block, name)) is None else values[start:stop]
        for name in ("features", *PER_ROW)
    }
    return Block(first_row=block.first_row + start, backend=block.backend, **pick)


@st.composite
def any_rows(draw, *, gaps=False, extreme=True, sparse=False, counts=False, cells="number"):
    """Draw rows: weights or none, shifted by 1e6 and scaled by 1e150 or 1e-150 where `extreme`."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d, K = draw(st.integers(4, 60)), draw(st.integers(1, 4)), draw(st.integers(2, 4))
    shift = draw(st.sampled_from([0.0, 0.0, 1e6])) if extreme else 0.0
    scale = draw(st.sampled_from([1.0, 1e150, 1e-150])) if extreme else 1.0
    if cells == "number":
        X = (rng.standard_normal((n, d)) + shift) * scale
    else:
        X = rng.integers(0, cells, (n, d)).astype(float)
    if gaps and draw(st.booleans()):
        X[rng.random((n, d)) < 0.2] = np.nan
    if sparse and draw(st.booleans()):
        X[rng.random((n, d)) < 0.6] = 0.0
        X = sp.csr_array(X)
    y = rng.integers(0, K, n)
    weights = rng.uniform(0.1, 5.0, n) if draw(st.booleans()) else None
    if counts and draw(st.booleans()):
        y = rng.integers(0, 4, (n, K)).astype(float)
        y[np.arange(n), rng.integers(0, K, n)] += 1.0
        weights = y.sum(axis=1)
    cuts = sorted(set(rng.integers(1, n, draw(st.integers(1, 4))).tolist()))
    backend = draw(st.sampled_from([ARRAYS, COMPILED]))
    block = Block(X, y, weights, None, draw(st.sampled_from([0, 1000])), backend=backend)
    return Rows(block, tuple(cuts), K, shift, scale)


def with_offset(rows, n_scores, rng):
    """Give the same rows with a known part of the predictor."""
    offset = rng.standard_normal((rows.block.n_rows, n_scores))
    return replace(rows, block=replace(rows.block, offset=offset))
