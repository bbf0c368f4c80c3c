"""Folds over the full class list: every class is in every training part."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from posteriori.comparisons.rows import Numbers, Rows
from posteriori.messages.errors import DataError

Fold = tuple[Numbers, Numbers]


def generator(random_state: Any) -> np.random.Generator:
    """Give a random generator of a seed, a Generator, a RandomState, or nothing.

    >>> int(generator(0).integers(100)) == int(np.random.default_rng(0).integers(100))
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(check_random_state(random_state).randint(2**31, size=4))
    if random_state is None or (isinstance(random_state, int | np.integer) and random_state >= 0):
        return np.random.default_rng(random_state)
    raise DataError(f"random_state must be None, a whole number from 0 up or a generator, not {random_state!r}.")


def stratified(codes: Numbers, n_folds: int, random_state: Any) -> list[Fold]:
    """Deal the rows of each class, shuffled, to the folds in turn: (training, held out) rows of each fold.

    A class of one row is always in training and never held out, since no model could know it otherwise. A class of
    fewer rows than folds is in every training part and absent from some held-out ones.

    >>> folds = stratified(np.array([0, 0, 0, 0, 1, 1, 2]), 2, random_state=0)
    >>> [len(held) for _, held in folds], [6 in held for _, held in folds]
    ([3, 3], [False, False])
    """
    sizes = np.bincount(codes)
    shared = sizes[codes] > 1
    most = int(shared.sum())
    if not 2 <= n_folds <= most:
        raise DataError(
            f"cv must be from 2 to {most}, the number of rows that can be held out; got {n_folds}."
            if most >= 2
            else f"each of the {len(sizes)} classes has one row only: a class needs two, one to learn and one to ask."
        )
    order = generator(random_state).permutation(np.flatnonzero(shared))
    order = order[np.argsort(codes[order], kind="stable")]
    fold = np.full(len(codes), -1, dtype=np.intp)
    fold[order] = np.arange(most) % n_folds
    return [(np.flatnonzero(fold != number), np.flatnonzero(fold == number)) for number in range(n_folds)]


def folds_of(cv: Any, rows: Rows, random_state: Any) -> list[Fold]:
    """Give the folds of a number, of a scikit-learn splitter, or of a list of (training, held out) rows."""
    if isinstance(cv, int | np.integer) and not isinstance(cv, bool):
        return stratified(rows.codes, int(cv), random_state)
    if hasattr(cv, "split") and not isinstance(cv, str):
        try:
            pairs = list(cv.split(rows.X, rows.codes))
        except (TypeError, ValueError) as error:
            raise DataError(
                f"cv={cv!r} cannot split these rows: {error} Where it needs more than X and y, give its folds: "
                "cv=list(cv.split(X, y, groups))."
            ) from error
    elif isinstance(cv, Iterable) and not isinstance(cv, str | bytes):
        pairs = list(cv)
    else:
        raise DataError(f"cv must be a number of folds, a splitter or a list of (training, held out) rows, not {cv!r}.")
    if not pairs:
        raise DataError("cv gives no folds.")
    return [_checked(pair, number, rows.n_rows) for number, pair in enumerate(pairs)]


def _checked(pair: Any, number: int, n_rows: int) -> Fold:
    """Check one fold: two parts, not empty, that share no row."""
    parts = tuple(pair) if isinstance(pair, Iterable) and not isinstance(pair, str | bytes) else ()
    if len(parts) != 2:
        raise DataError(f"fold {number} of cv must be a pair (training, held out) of row numbers, not {pair!r}.")
    train, held = (_numbers(part, number, n_rows) for part in parts)
    both = np.intersect1d(train, held)
    if len(both):
        raise DataError(
            f"fold {number} of cv holds out {len(both)} row(s) that it also trains on, the first is row {both[0]}."
        )
    return train, held


def _numbers(part: Any, number: int, n_rows: int) -> Numbers:
    rows: NDArray[Any] = np.asarray(part)
    if rows.dtype == np.bool_ and rows.shape == (n_rows,):
        rows = np.flatnonzero(rows)
    if rows.ndim != 1 or not len(rows) or rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= n_rows:
        raise DataError(f"fold {number} of cv must name rows from 0 to {n_rows - 1}, at least one in each part.")
    return rows.astype(np.intp)
