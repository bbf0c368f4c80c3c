"""Stratified folds over the full class list: every class is in every training part."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.tables.errors import DataError

Rows = NDArray[np.intp]


def stratified(codes: Rows, n_folds: int, random_state: Any) -> list[tuple[Rows, Rows]]:
    """Deal the rows of each class, shuffled, to the folds in turn: (training, held out) rows of each fold.

    A class of one row is always in training and never held out, since no model could know it otherwise.

    >>> folds = stratified(np.array([0, 0, 0, 0, 1, 1, 2]), 2, random_state=0)
    >>> [len(held) for _, held in folds], [6 in held for _, held in folds]
    ([3, 3], [False, False])
    """
    sizes = np.bincount(codes)
    most = int(np.sort(sizes)[-2:].min())
    if not 2 <= n_folds <= most:
        raise DataError(
            f"cv must be from 2 to {most}, the number of rows of the second largest class; got {n_folds}."
            if most >= 2
            else "two classes with at least two rows each are needed to compare models."
        )
    rng = np.random.default_rng(random_state)
    order = rng.permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    fold = np.empty(len(codes), dtype=np.intp)
    fold[order] = np.arange(len(codes)) % n_folds
    fold[sizes[codes] == 1] = -1
    return [(np.flatnonzero(fold != number), np.flatnonzero(fold == number)) for number in range(n_folds)]


def folds_of(cv: Any, X: Any, codes: Rows, random_state: Any) -> list[tuple[Rows, Rows]]:
    """Give the folds of a number, of a scikit-learn splitter, or of a list of (training, held out) rows."""
    if isinstance(cv, int | np.integer) and not isinstance(cv, bool):
        return stratified(codes, int(cv), random_state)
    if hasattr(cv, "split") and not isinstance(cv, str):
        return list(cv.split(np.zeros((len(codes), 1)), codes))
    if isinstance(cv, Iterable) and not isinstance(cv, str):
        return [(np.asarray(train), np.asarray(held)) for train, held in cv]
    raise DataError(f"cv must be a number of folds, a splitter or a list of (training, held out) rows, not {cv!r}.")
