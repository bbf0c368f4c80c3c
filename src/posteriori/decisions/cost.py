"""Decisions by cost: the action of least expected cost, and for two classes the threshold equivalent to it."""

from typing import Any

from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.decisions.argmax import argmax


def expected_cost(probabilities: Array, costs: Array) -> Array:
    """Return the expected cost of each action, sum_k P(k | x) L_ak.

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
    """Return the expected saving of each action over the most expensive one of each class, (n, A).

    It is sum_k P(k | x) (max_b L_bk - L_ak): minus the expected cost, plus a term common to all actions.
    Under 0-1 costs it is P(k | x) itself, without rounding.
    """
    saved: Array = probabilities @ (costs.max(axis=0) - costs).T
    return saved


def least_cost(probabilities: Array, costs: Array) -> NDArray[Any]:
    """Return the action of least expected cost, argmin_a sum_k P(k | x) L_ak, the first of equal ones.

    Book: [Jordan] ch. 7, introduction.

    Notes
    -----
    It is computed as the largest `saving`: a number added to all costs of a class cancels before anything is summed,
    and 0-1 costs give exactly the most probable class.

    Examples
    --------
    >>> import numpy as np
    >>> least_cost(np.array([[0.75, 0.25], [0.95, 0.05]]), np.array([[0.0, 8.0], [1.0, 0.0]])).tolist()
    [1, 0]
    """
    return argmax(saving(probabilities, costs))


# --- two classes, two actions


def suited(costs: Array) -> int:
    """Return the action for class 1: the one, 0 or 1, of lower cost under it (if equal, of higher cost under 0).

    >>> import numpy as np
    >>> suited(np.array([[0.0, 9.0], [1.0, 0.0]]))
    1
    """
    return 1 if costs[1, 1] < costs[0, 1] or (costs[1, 1] == costs[0, 1] and costs[1, 0] >= costs[0, 0]) else 0


def threshold_of(costs: Array) -> float:
    """Return the threshold on P(class 1 | x) above which the action for class 1 has the lower expected cost.

    With b the action that costs less under class 1, and a the other,

        t = (L_b0 - L_a0) / ((L_b0 - L_a0) + (L_a1 - L_b1)),

    which is f / (f + m) for false positives of cost f and false negatives of cost m. It is 0 where b costs less under
    both classes, and 1 where b costs no less under either.

    Book: [Jordan] ch. 7, introduction.

    Parameters
    ----------
    costs : (2, 2), actions by classes

    Examples
    --------
    >>> import numpy as np
    >>> threshold_of(np.array([[0.0, 9.0], [1.0, 0.0]]))
    0.1
    """
    b = suited(costs)
    loss, gain = float(costs[b, 0] - costs[1 - b, 0]), float(costs[1 - b, 1] - costs[b, 1])
    if loss <= 0:
        return 0.0 if gain > 0 or loss < 0 else 1.0
    return loss / (loss + gain)
