"""The median distance between points, a rule for bandwidths; and hashes of rows."""

import numpy as np

from posteriori.arrays import Array, Hashes
from posteriori.messages.errors import DataError

#: The largest number of centres whose distances are computed; of more, those with the smallest hashes.
MOST_MEASURED = 4000


def median_distance(centers: Array) -> float:
    """Return the median distance between two different points.

    >>> median_distance(np.array([[0.0], [1.0], [4.0]]))
    3.0
    """
    from scipy.spatial.distance import pdist

    if len(centers) < 2:
        raise DataError(
            "the median rule needs two different rows, and there is one (n_samples=1 without repetitions). Pass "
            "bandwidth as a number."
        )
    if len(centers) > MOST_MEASURED:
        centers = centers[np.argsort(hash_cells(centers), kind="stable")[:MOST_MEASURED]]
    return float(np.median(pdist(centers)))


def hash_cells(rows: Array) -> Hashes:
    """Hash the cells of each row: equal rows have equal hashes, so that neither order nor repetition matters.

    >>> hashes = hash_cells(np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]]))
    >>> bool(hashes[0] == hashes[2]), bool(hashes[0] == hashes[1])
    (True, False)
    """
    hashes = np.full(len(rows), 0x9E3779B97F4A7C15, np.uint64)
    with np.errstate(over="ignore"):
        for column in np.ascontiguousarray(rows.T).view(np.uint64):
            hashes = (hashes ^ column) * np.uint64(0xBF58476D1CE4E5B9)
            hashes = (hashes ^ (hashes >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
            hashes ^= hashes >> np.uint64(32)
    return hashes


def seeded_hashes(rows: Array, seed: int | None) -> Hashes:
    """Hash the cells of each row together with a seed, if there is one."""
    if seed is None:
        return hash_cells(rows)
    return hash_cells(np.column_stack([np.full(len(rows), float(seed)), rows]))
