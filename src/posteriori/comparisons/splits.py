"""Random training parts of given sizes, with every class in them where the size allows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.comparisons.folds import Fold, generator
from posteriori.comparisons.rows import Numbers
from posteriori.messages.errors import DataError
from posteriori.messages.notes import listed

#: How many sizes there are by default, and the share of the rows that the largest has.
N_SIZES, LARGEST = 10, 0.8
#: How many class counts are drawn before a row of each class is put in by hand.
TRIES = 4096


@dataclass(frozen=True)
class Splits:
    """Training parts by size and repeat: the same for every model, and each a function of its own seed.

    A part is a uniform draw of m rows among those that have every class (at least two classes, where m is below the
    number of classes K); the other rows are held out. Where a class is so rare that 4,096 draws miss one, a row of
    each class is drawn first and the other m - K from what is left.

    Parameters
    ----------
    codes : (n,) classes of the rows
    n_classes : K
    sizes : (S,) numbers of training rows, ascending
    repeats : how many parts of each size
    seed : four words
    """

    codes: Numbers
    n_classes: int
    sizes: tuple[int, ...]
    repeats: int
    seed: tuple[int, ...]

    def __call__(self, size: int, repeat: int) -> Fold:
        """Give the training and the held-out rows of one repeat at the size of that number, in ascending order."""
        rng = np.random.default_rng([*self.seed, size, repeat])
        counts = draw_counts(np.bincount(self.codes, minlength=self.n_classes), self.sizes[size], rng)
        chosen = np.zeros(len(self.codes), dtype=np.bool_)
        for k in np.flatnonzero(counts):
            members = np.flatnonzero(self.codes == k)
            chosen[rng.choice(members, counts[k], replace=False)] = True
        return np.flatnonzero(chosen), np.flatnonzero(~chosen)


def draw_counts(members: NDArray[np.int64], m: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw how many of m rows each class has, given that every class (or, below K rows, two) has one.

    >>> draw_counts(np.array([5, 1000, 1]), 3, np.random.default_rng(0)).tolist()
    [1, 1, 1]
    """
    n_classes = len(members)
    needed = n_classes if m >= n_classes else 2
    for _ in range(TRIES // 256):
        counts = rng.multivariate_hypergeometric(members, m, size=256, method="marginals")
        fit = (counts > 0).sum(axis=1) >= needed
        if fit.any():
            drawn: NDArray[np.int64] = counts[fit.argmax()]
            return drawn
    first = np.zeros(n_classes, dtype=np.int64)
    first[rng.choice(n_classes, needed, replace=False)] = 1
    rest: NDArray[np.int64] = rng.multivariate_hypergeometric(members - first, m - needed, method="marginals")
    return first + rest


def splits_of(codes: Numbers, n_classes: int, sizes: Any, repeats: Any, random_state: Any) -> Splits:
    """Check sizes and repeats, and draw the seed."""
    if isinstance(repeats, bool) or not isinstance(repeats, int | np.integer) or repeats < 1:
        raise DataError(f"repeats must be a whole number from 1 up, not {repeats!r}.")
    read = default_sizes(len(codes), n_classes) if sizes is None else read_sizes(sizes, len(codes))
    seed = tuple(int(word) for word in generator(random_state).integers(2**32, size=4))
    return Splits(codes, n_classes, read, int(repeats), seed)


def default_sizes(n: int, n_classes: int) -> tuple[int, ...]:
    """Give up to ten sizes on a log scale, from ten rows (or two a class) to four fifths of all.

    >>> default_sizes(1000, 2)
    (10, 16, 26, 43, 70, 114, 186, 302, 492, 800)
    """
    largest = min(max(2, int(LARGEST * n)), n - 1)
    smallest = min(max(2 * n_classes, min(10, n // 4)), largest)
    if largest < 2:
        raise DataError(f"learning curves need at least 3 rows, two to learn from and one to ask about; got {n}.")
    spaced = np.geomspace(smallest, largest, N_SIZES).round().astype(int)
    return tuple(int(m) for m in np.unique(spaced))


def read_sizes(sizes: Any, n: int) -> tuple[int, ...]:
    """Check sizes given as numbers of rows, or as shares of them between 0 and 1.

    >>> read_sizes([50, 10, 0.5], 40 + 40)
    (10, 40, 50)
    """
    try:
        given = np.atleast_1d(np.asarray(sizes, dtype=np.float64))
    except (TypeError, ValueError):
        given = np.array([])
    if given.ndim != 1 or not len(given):
        raise DataError(f"sizes must be numbers of training rows or shares of the rows, not {sizes!r}.")
    rows = np.where((given > 0) & (given < 1), np.round(given * n), given)
    bad = ~((rows >= 2) & (rows <= n - 1) & (rows == np.round(rows)))
    if bad.any():
        raise DataError(
            f"sizes must be whole numbers from 2 to {n - 1} (one of the {n} rows is held out), or shares of the rows "
            f"between 0 and 1; got {listed(given[bad].tolist())}."
        )
    return tuple(int(m) for m in np.unique(rows))
