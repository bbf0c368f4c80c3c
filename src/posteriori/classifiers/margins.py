"""Margins: how far scores put each row on the side of its own class."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.tables.errors import DataError
from posteriori.tables.targets import read_targets

Array = NDArray[np.float64]


def margins_of(scores: Array, y: Any, classes: NDArray[Any]) -> Array:
    """Give t f(x) for scores (n,), t = ±1; for scores (n, K) that of the own class less the best other's; (n,).

    Book: [Sugiyama] §28.1.2; [Deuschle] §3.4.3.

    >>> margins_of(np.array([[4.0, 1.0, 7.0]]), ["a"], np.array(["a", "b", "c"])).tolist()
    [-3.0]
    """
    codes = read_targets(y, len(scores), classes=classes).codes
    if codes is None:
        raise DataError("margins need one label for each row, not class counts.")
    if scores.ndim == 1:
        return np.where(codes == 1, scores, -scores)
    rows = np.arange(len(scores))
    others = scores.copy()
    others[rows, codes] = -np.inf
    apart: Array = scores[rows, codes] - others.max(axis=1)
    return apart
