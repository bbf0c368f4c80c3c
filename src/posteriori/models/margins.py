"""Classification margins, and distances to decision boundaries, from scores."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.input.targets import read_targets
from posteriori.messages.errors import DataError


def margins_of(scores: Array, y: Any, classes: NDArray[Any]) -> Array:
    """Return t f(x) for scores (n,), t = ±1; for scores (n, K) that of the own class minus the largest other; (n,).

    Book: [Sugiyama] §28.1.2; [Deuschle] §3.4.3.

    >>> margins_of(np.array([[4.0, 1.0, 7.0]]), ["a"], np.array(["a", "b", "c"])).tolist()
    [-3.0]
    """
    codes = read_targets(y, len(scores), classes=classes).codes
    if codes is None:
        raise DataError("margins need one label per row, not class counts.")
    if scores.ndim == 1:
        return np.where(codes == 1, scores, -scores)
    rows = np.arange(len(scores))
    others = scores.copy()
    others[rows, codes] = -np.inf
    margins: Array = scores[rows, codes] - others.max(axis=1)
    return margins


def distances_of(scores: Array, coef: Array) -> Array:
    """Return y(x) / |w| for scores (n,); for scores (n, K), (n, K, K): entry (j, k) positive on the side of k.

    Between classes of equal coefficients, which have no boundary, distances are 0. A class that no row can belong to
    has scores of -inf: its boundary is infinitely far away, on the side of the other class, and two such classes have
    none. Book: [Bishop] Eq. 4.7, §4.1.1, and 4.10, §4.1.2.

    >>> distances_of(np.array([5.0]), np.array([[3.0, 4.0]])).tolist()
    [1.0]
    """
    if scores.ndim == 1:
        return _over_length(scores, _length(coef[:1])[0])
    impossible = np.isneginf(scores)
    both = impossible[:, None, :] & impossible[:, :, None]
    differences = np.subtract(scores[:, None, :], scores[:, :, None], out=np.zeros(both.shape), where=~both)
    return _over_length(differences, _length(coef[None, :, :] - coef[:, None, :]))


def _over_length(differences: Array, length: Array) -> Array:
    """Return differences of scores over lengths of weights; where the length is 0, 0 or the infinite difference."""
    return np.divide(differences, length, out=np.where(np.isinf(differences), differences, 0.0), where=length > 0)


def _length(vectors: Array) -> Array:
    """Return |w| along the last axis, scaled, since squares of weights for columns of 1e200 would underflow."""
    largest = np.abs(vectors).max(axis=-1, keepdims=True, initial=0.0)
    unit = np.divide(vectors, largest, out=np.zeros_like(vectors), where=largest > 0)
    length: Array = largest[..., 0] * np.linalg.norm(unit, axis=-1)
    return length
