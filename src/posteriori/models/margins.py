"""Margins and distances: how far scores put each row on the side of a class."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.input.targets import read_targets
from posteriori.messages.errors import DataError


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


def distances_of(scores: Array, coef: Array) -> Array:
    """Give y(x) / |w| for scores (n,); for scores (n, K), (n, K, K): entry (j, k) positive on the side of k.

    Classes without a boundary between them, of equal coefficients, are 0 apart. Book: [Bishop] Eq. 4.7, §4.1.1, and
    4.10, §4.1.2.

    >>> distances_of(np.array([5.0]), np.array([[3.0, 4.0]])).tolist()
    [1.0]
    """
    if scores.ndim == 1:
        length = _length(coef[:1])[0]
        return scores / length if length > 0 else np.zeros_like(scores)
    apart = scores[:, None, :] - scores[:, :, None]
    size = _length(coef[None, :, :] - coef[:, None, :])
    pairs: Array = np.divide(apart, size, out=np.zeros_like(apart), where=size > 0)
    return pairs


def _length(vectors: Array) -> Array:
    """Give |w| along the last axis; squares of weights for columns of 1e200 would underflow."""
    largest = np.abs(vectors).max(axis=-1, keepdims=True, initial=0.0)
    unit = np.divide(vectors, largest, out=np.zeros_like(vectors), where=largest > 0)
    length: Array = largest[..., 0] * np.linalg.norm(unit, axis=-1)
    return length
