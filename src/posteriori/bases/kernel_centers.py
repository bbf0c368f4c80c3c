"""The centres of kernels: the distinct rows, some of them, or points of the user."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from posteriori.arrays import Array, Indices, Mask
from posteriori.bases.distances import seeded_hashes
from posteriori.bases.parameters import check_dimension, read_centers
from posteriori.checks.parameters import is_whole
from posteriori.messages.errors import DataError
from posteriori.tables.block import Block
from posteriori.tables.memory import table_of
from posteriori.tables.schema import numbered
from posteriori.tables.table import Table


@dataclass(frozen=True)
class Distinct:
    """The distinct rows of a table in the order of their first appearance, and the weight of the classes at each.

    Parameters
    ----------
    rows : (m, d)
    counts : (m, K) the weight of each class
    """

    rows: Array
    counts: Array

    def some(self, mask: Mask) -> "Distinct":
        """Return the marked rows."""
        return Distinct(self.rows[mask], self.counts[mask])

    def table(self, features: Array | None = None) -> Table:
        """Return them as a table with class counts; `features` (m, p) replace the rows."""
        values = self.rows if features is None else features
        return table_of(Block(values, self.counts, self.counts.sum(axis=1)), numbered(values.shape[1]))


def distinct_rows(block: Block, n_classes: int) -> Distinct:
    """Return the distinct rows of all rows: a repeated row, or one of weight two, is one row with larger counts."""
    rows, counts = block.dense() + 0.0, block.counts(n_classes)  # -0.0 and 0.0 are one number
    _, first, place = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    if len(first) == len(rows):
        return Distinct(rows, counts)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    place = rank[place.ravel()]
    sums = [np.bincount(place, counts[:, k], minlength=len(first)) for k in range(n_classes)]
    return Distinct(rows[first[order]], np.column_stack(sums))


def read_centers_parameter(centers: Any, words: tuple[str, ...]) -> str | int | Array:
    """Return the parameter: one of the words, a number of rows from 1 up, or points (m, d); else raise."""
    named = " | ".join(repr(word) for word in words)
    if isinstance(centers, str):
        if centers not in words:
            raise DataError(f"centers={centers!r} must be {named}, a number of rows, or points of shape (m, d).")
        return centers
    if is_whole(centers):
        if centers < 1:
            raise DataError(f"centers={centers} must be a number of rows from 1 up, or {named}.")
        return int(centers)
    points = read_centers(centers, vectors=True)
    if points.ndim != 2:
        raise DataError(f"centers must be {named}, a number of rows, or points of shape (m, d), not {points.shape}.")
    return points


def given_centers(centers: Array, table: Table) -> Array:
    """Return the points of the user; raise if they have another dimension than the rows."""
    check_dimension(centers, table)
    return centers


def seed_of(random_state: Any) -> int | None:
    """Return a seed for hashes: None for None, a number unchanged, the next number of a generator."""
    if random_state is None:
        return None
    if is_whole(random_state):
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    return int(check_random_state(random_state).randint(2**31))


def folds_of(rows: Array, n_folds: int) -> Indices:
    """Return the fold of each row: nearly equal folds by hashes, so that neither order nor repetition matters."""
    order = np.argsort(seeded_hashes(rows, n_folds), kind="stable")
    folds = np.empty(len(rows), np.intp)
    folds[order] = np.arange(len(rows)) % n_folds
    return folds
