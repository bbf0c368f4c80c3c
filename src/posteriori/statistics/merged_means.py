"""The means of two sets of rows together, by the update of Chan, Golub and LeVeque (1983)."""

from typing import NamedTuple

import numpy as np

from posteriori.arrays import Array
from posteriori.linalg.quotients import quotient


class MergedMeans(NamedTuple):
    """Weight and mean of two sets of rows a and b, class by class, and by how much their means differ.

    Parameters
    ----------
    weight : w = w_a + w_b
    proportion : w_b / w, with a column axis
    shift : m_b - m_a in units of the columns; 0 where one set has no rows
    mean : m_a + (w_b / w) (m_b - m_a)
    """

    weight: Array
    proportion: Array
    shift: Array
    mean: Array


def merge_means(weights: tuple[Array, Array], means: tuple[Array, Array], unit: Array | float = 1.0) -> MergedMeans:
    """Return weight and mean of two sets of rows together.

    Parameters
    ----------
    weights : (K,) or (K, d) of each set
    means : (K, d) of each set
    unit : (d,) powers of two in which the shift is measured, so that its square stays in the range of floats

    >>> merge_means((np.array([1.0]), np.array([3.0])), (np.array([[0.0]]), np.array([[4.0]]))).mean
    array([[3.]])
    """
    first, second = weights
    weight = first + second
    proportion = quotient(second, weight)
    shift = means[1] / unit - means[0] / unit
    shift[(first == 0) | (second == 0)] = 0.0
    if weight.ndim < means[0].ndim:
        first, proportion = first[:, None], proportion[:, None]
    mean = np.where(first == 0, means[1], means[0] + proportion * shift * unit)
    return MergedMeans(weight, proportion, shift, mean)
