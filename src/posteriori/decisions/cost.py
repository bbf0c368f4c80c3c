"""Decisions by cost: the action of least expected cost."""

from typing import Any

from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.decisions.argmax import argmax


def expected_cost(probabilities: Array, costs: Array) -> Array:
    """Give what each action is expected to cost, sum_k P(k | x) L_ak.

    Book: [Jordan] ch. 7, introduction.

    Parameters
    ----------
    probabilities : (n, K)
    costs : (A, K) finite, L_ak the cost of action a under class k

    Returns
    -------
    (n, A)

    Examples
    --------
    >>> import numpy as np
    >>> expected_cost(np.array([[0.75, 0.25]]), np.array([[0.0, 8.0], [1.0, 0.0]])).tolist()
    [[2.0, 0.75]]
    """
    cost: Array = probabilities @ costs.T
    return cost


def saving(probabilities: Array, costs: Array) -> Array:
    """Give what each action is expected to save over the dearest for each class, (n, A).

    It is sum_k P(k | x) (max_b L_bk - L_ak): the expected cost turned round, up to a term common to the actions.
    Under 0-1 costs it is P(k | x) itself, without rounding.
    """
    saved: Array = probabilities @ (costs.max(axis=0) - costs).T
    return saved


def least_cost(probabilities: Array, costs: Array) -> NDArray[Any]:
    """Give the action of least expected cost, argmin_a sum_k P(k | x) L_ak; of equal ones the first.

    Book: [Jordan] ch. 7, introduction.

    Notes
    -----
    It is found as the largest `saving`: a number added to all costs of a class cancels before anything is summed,
    and 0-1 costs give exactly the most probable class.

    Examples
    --------
    >>> import numpy as np
    >>> least_cost(np.array([[0.75, 0.25], [0.95, 0.05]]), np.array([[0.0, 8.0], [1.0, 0.0]])).tolist()
    [1, 0]
    """
    return argmax(saving(probabilities, costs))
