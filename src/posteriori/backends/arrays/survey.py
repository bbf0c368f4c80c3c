"""One look at all rows in numpy: the moments of the columns, and the rows of a sample."""

import numpy as np

from posteriori.arrays import Array, Codes, Hashes, Indices


def column_survey(X: Array, weights: Array, inverse: Array) -> tuple[Array, float, Array, Array]:
    """Return the largest |x|, the sum of weights, and weighted mean and scatter of x times `inverse`, by column.

    Empty `weights` stand for ones. If a cell is not finite, or a sum overflows, the mean is not finite either.
    """
    weights = weights if len(weights) else np.ones(len(X))
    peaks = np.maximum(X.max(axis=0), -X.min(axis=0))
    Z = X * inverse
    total = float(weights.sum())
    origin = Z[0]
    mean = origin + weights @ (Z - origin) / total
    Z -= mean
    return peaks, total, mean, weights @ (Z * Z)


def pick_rows(first_row: int, codes: Codes, threshold: Hashes) -> tuple[Indices, Hashes]:
    """Return the rows whose hash is at most the threshold of their class, and their hashes."""
    hashes = hash_rows(first_row, len(codes))
    picked = np.flatnonzero(hashes <= threshold[codes])
    return picked, hashes[picked]


def hash_rows(first_row: int, n_rows: int) -> Hashes:
    """Hash row numbers (splitmix64), so that a sample needs no random state.

    Eight neighbouring rows have neighbouring hashes: a sample of runs is read from memory several times as fast as one
    of single rows.

    >>> hash_rows(6, 3).tolist()
    [16294208416658607534, 16294208416658607535, 10451216379200822464]
    """
    with np.errstate(over="ignore"):
        row = np.arange(first_row, first_row + n_rows, dtype=np.uint64)
        h = (row >> np.uint64(3)) + np.uint64(0x9E3779B97F4A7C15)
        h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return ((h ^ (h >> np.uint64(31))) & ~np.uint64(7)) | (row & np.uint64(7))
