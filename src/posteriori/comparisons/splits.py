"""Random training parts of several sizes, with every class in them if the size allows."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Indices, Integers
from posteriori.checks.parameters import is_whole
from posteriori.comparisons.folds import Fold, generator
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote

#: Default number of sizes, and the proportion of the rows in the largest.
N_SIZES, LARGEST = 10, 0.8
#: Number of class counts drawn before one row per class is included by construction.
TRIES = 4096


@dataclass(frozen=True)
class Splits:
    """Training and test rows by size and repeat: the same for every model, each from its own seed.

    A training part is a uniform draw of m rows among those that have every class (at least two classes, if m is below
    the number of classes K); the other rows are test rows. If a class is so rare that 4,096 draws miss one, one row
    per class is drawn first and the other m - K from the remaining rows.

    Parameters
    ----------
    codes : (n,) classes of the rows
    n_classes : K
    sizes : (S,) numbers of training rows, ascending
    repeats : number of parts of each size
    seed : four words
    """

    codes: Indices
    n_classes: int
    sizes: tuple[int, ...]
    repeats: int
    seed: tuple[int, ...]

    def __call__(self, size: int, repeat: int) -> Fold:
        """Return the training and the test rows of one repeat at `sizes[size]`, in ascending order."""
        rng = np.random.default_rng([*self.seed, size, repeat])
        counts = draw_counts(np.bincount(self.codes, minlength=self.n_classes), self.sizes[size], rng)
        chosen = np.zeros(len(self.codes), dtype=np.bool_)
        for k in np.flatnonzero(counts):
            members = np.flatnonzero(self.codes == k)
            chosen[rng.choice(members, counts[k], replace=False)] = True
        return np.flatnonzero(chosen), np.flatnonzero(~chosen)


def draw_counts(members: Integers, m: int, rng: np.random.Generator) -> Integers:
    """Draw the class counts of m rows, on condition that every class (or, below K rows, two classes) has a row.

    >>> draw_counts(np.array([5, 1000, 1]), 3, np.random.default_rng(0)).tolist()
    [1, 1, 1]
    """
    n_classes = len(members)
    needed = n_classes if m >= n_classes else 2
    for _ in range(TRIES // 256):
        counts = rng.multivariate_hypergeometric(members, m, size=256, method="marginals")
        fit = (counts > 0).sum(axis=1) >= needed
        if fit.any():
            accepted: Integers = counts[fit.argmax()]
            return accepted
    first = np.zeros(n_classes, dtype=np.int64)
    first[rng.choice(n_classes, needed, replace=False)] = 1
    rest: Integers = rng.multivariate_hypergeometric(members - first, m - needed, method="marginals")
    return first + rest


def splits_of(codes: Indices, n_classes: int, sizes: Any, repeats: Any, random_state: Any) -> Splits:
    """Check sizes and repeats, and draw the seed."""
    if not is_whole(repeats, least=1):
        raise DataError(f"repeats must be a whole number of at least 1, not {repeats!r}.")
    checked = default_sizes(len(codes), n_classes) if sizes is None else read_sizes(sizes, len(codes))
    seed = tuple(int(word) for word in generator(random_state).integers(2**32, size=4))
    return Splits(codes, n_classes, checked, int(repeats), seed)


def default_sizes(n: int, n_classes: int) -> tuple[int, ...]:
    """Return up to ten sizes on a log scale, from ten rows (or two per class) to 80 % of all.

    >>> default_sizes(1000, 2)
    (10, 16, 26, 43, 70, 114, 186, 302, 492, 800)
    """
    largest = min(max(2, int(LARGEST * n)), n - 1)
    smallest = min(max(2 * n_classes, min(10, n // 4)), largest)
    if largest < 2:
        raise DataError(f"learning curves need at least 3 rows, two to train and one to test; got {n}.")
    spaced = np.geomspace(smallest, largest, N_SIZES).round().astype(int)
    return tuple(int(m) for m in np.unique(spaced))


def read_sizes(sizes: Any, n: int) -> tuple[int, ...]:
    """Check sizes: numbers of rows, or proportions of them between 0 and 1.

    >>> read_sizes([50, 10, 0.5], 40 + 40)
    (10, 40, 50)
    """
    try:
        values = np.atleast_1d(np.asarray(sizes, dtype=np.float64))
    except (TypeError, ValueError):
        values = np.array([])
    if values.ndim != 1 or not len(values):
        raise DataError(f"sizes must be numbers of training rows or proportions of the rows, not {sizes!r}.")
    rows = np.where((values > 0) & (values < 1), np.round(values * n), values)
    bad = ~((rows >= 2) & (rows <= n - 1) & (rows == np.round(rows)))
    if bad.any():
        raise DataError(
            f"sizes must be whole numbers from 2 to {n - 1} (at least one of the {n} rows is a test row), or "
            f"proportions between 0 and 1; got {quote(values[bad].tolist())}."
        )
    return tuple(int(m) for m in np.unique(rows))
