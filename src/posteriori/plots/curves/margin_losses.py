"""The losses that classifiers minimise, as functions of the margin m = t y(x), t = ±1."""

from collections.abc import Callable

import numpy as np

from posteriori.arrays import Array


def zero_one(margins: Array) -> Array:
    """Return 1 for an error, else 0; a row on the boundary is an error, as for the perceptron.

    Book: [Deuschle] §3.4.3.

    >>> zero_one(np.array([-2.0, 0.0, 2.0])).tolist()
    [1.0, 1.0, 0.0]
    """
    return (np.asarray(margins) <= 0).astype(np.float64)


def squared(margins: Array) -> Array:
    """Return (1 - m)^2, the loss of least squares with targets ±1, which also penalises rows far on the correct side.

    Book: [Bishop] §4.1.3; [Jordan] §7.1.

    >>> squared(np.array([-1.0, 1.0, 3.0])).tolist()
    [4.0, 0.0, 4.0]
    >>> squared(np.array([1e160])).tolist()
    [inf]
    """
    with np.errstate(over="ignore"):  # the square of a margin of 1e160 is infinite
        loss: Array = (1.0 - np.asarray(margins)) ** 2
    return loss


def perceptron(margins: Array) -> Array:
    """Return max(0, -m): zero for rows on the correct side, however near the boundary.

    Book: [Deuschle] Eq. 3.6-3.7, §3.4.3; [Bishop] Eq. 4.54, §4.1.7.

    >>> perceptron(np.array([-2.0, 0.5])).tolist()
    [2.0, 0.0]
    """
    return np.maximum(-np.asarray(margins, dtype=np.float64), 0.0)


def logistic(margins: Array) -> Array:
    """Return log(1 + exp(-m)), the negative log likelihood of logistic regression, accurate in both tails.

    Book: [Sugiyama] Eq. 28.2, §28.1.2.

    >>> logistic(np.array([-1000.0, 0.0, 50.0])).tolist()
    [1000.0, 0.6931471805599453, 1.9287498479639178e-22]
    """
    m = np.asarray(margins, dtype=np.float64)
    loss: Array = np.maximum(-m, 0.0) + np.log1p(np.exp(-np.abs(m)))  # exp(-m) overflows below -709
    return loss


#: The losses by name.
LOSSES: dict[str, Callable[[Array], Array]] = {
    "zero-one": zero_one,
    "squared": squared,
    "perceptron": perceptron,
    "logistic": logistic,
}
