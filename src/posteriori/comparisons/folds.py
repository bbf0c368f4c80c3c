"""Cross-validation folds: every class is in every training part."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from posteriori.arrays import Indices
from posteriori.checks.parameters import is_whole
from posteriori.comparisons.labelled_rows import LabelledRows
from posteriori.messages.errors import DataError

Fold = tuple[Indices, Indices]


def generator(random_state: Any) -> np.random.Generator:
    """Return a random generator from a seed, a Generator, a RandomState, or None.

    >>> int(generator(0).integers(100)) == int(np.random.default_rng(0).integers(100))
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(check_random_state(random_state).randint(2**31, size=4))
    if random_state is None or (isinstance(random_state, int | np.integer) and random_state >= 0):
        return np.random.default_rng(random_state)
    raise DataError(f"random_state must be None, a whole number of at least 0 or a generator, not {random_state!r}.")


def stratified(codes: Indices, n_folds: int, random_state: Any) -> list[Fold]:
    """Assign the shuffled rows of each class to the folds in turn; return (training, test) rows of each fold.

    The row of a class with one row is always a training row. A class with fewer rows than folds is in every training
    part and absent from some test parts.

    >>> folds = stratified(np.array([0, 0, 0, 0, 1, 1, 2]), 2, random_state=0)
    >>> [len(test) for _, test in folds], [6 in test for _, test in folds]
    ([3, 3], [False, False])
    """
    sizes = np.bincount(codes)
    shared = sizes[codes] > 1
    n_shared = int(shared.sum())
    if not 2 <= n_folds <= n_shared:
        raise DataError(
            f"cv must be from 2 to {n_shared}, the number of rows in classes of two or more rows; got {n_folds}."
            if n_shared >= 2
            else f"each of the {len(sizes)} classes has only one row; at least two are needed, to train and to test."
        )
    order = generator(random_state).permutation(np.flatnonzero(shared))
    order = order[np.argsort(codes[order], kind="stable")]
    fold = np.full(len(codes), -1, dtype=np.intp)
    fold[order] = np.arange(n_shared) % n_folds
    return [(np.flatnonzero(fold != number), np.flatnonzero(fold == number)) for number in range(n_folds)]


def folds_of(cv: Any, rows: LabelledRows, random_state: Any) -> list[Fold]:
    """Return the folds of a number, of a scikit-learn splitter, or of a list of (training, test) rows."""
    if is_whole(cv):
        return stratified(rows.codes, int(cv), random_state)
    if hasattr(cv, "split") and not isinstance(cv, str):
        try:
            pairs = list(cv.split(rows.X, rows.codes))
        except (TypeError, ValueError) as error:
            raise DataError(
                f"cv={cv!r} cannot split these rows: {error} If it needs more than X and y, pass its folds: "
                "cv=list(cv.split(X, y, groups))."
            ) from error
    elif isinstance(cv, Iterable) and not isinstance(cv, str | bytes):
        pairs = list(cv)
    else:
        raise DataError(f"cv must be a number of folds, a splitter or a list of (training, test) rows, not {cv!r}.")
    if not pairs:
        raise DataError("cv has no folds.")
    return [_checked(pair, number, rows.n_rows) for number, pair in enumerate(pairs)]


def _checked(pair: Any, number: int, n_rows: int) -> Fold:
    """Check one fold: two non-empty parts without a common row."""
    parts = tuple(pair) if isinstance(pair, Iterable) and not isinstance(pair, str | bytes) else ()
    if len(parts) != 2:
        raise DataError(f"fold {number} of cv must be a pair (training, test) of row numbers, not {pair!r}.")
    train, test = (_row_numbers(part, number, n_rows) for part in parts)
    both = np.intersect1d(train, test)
    if len(both):
        raise DataError(
            f"fold {number} of cv has {len(both)} row(s) in both the training and the test part, first row {both[0]}."
        )
    return train, test


def _row_numbers(part: Any, number: int, n_rows: int) -> Indices:
    rows: NDArray[Any] = np.asarray(part)
    if rows.dtype == np.bool_ and rows.shape == (n_rows,):
        rows = np.flatnonzero(rows)
    if rows.ndim != 1 or not len(rows) or rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= n_rows:
        raise DataError(f"fold {number} of cv must have row numbers from 0 to {n_rows - 1}, at least one in each part.")
    return rows.astype(np.intp)
