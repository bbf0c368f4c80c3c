"""Thresholds: the level of a probability at which the decision turns."""

from posteriori.arrays import Array


def suited(costs: Array) -> int:
    """Give the action, 0 or 1, that suits class 1: the one that costs less under it; of equals the dearer under 0.

    >>> import numpy as np
    >>> suited(np.array([[0.0, 9.0], [1.0, 0.0]]))
    1
    """
    return 1 if costs[1, 1] < costs[0, 1] or (costs[1, 1] == costs[0, 1] and costs[1, 0] >= costs[0, 0]) else 0


def threshold_of(costs: Array) -> float:
    """Give the level of P(class 1 | x) above which the action that suits class 1 is the cheaper.

    With b the action that costs less under class 1, and a the other,

        t = (L_b0 - L_a0) / ((L_b0 - L_a0) + (L_a1 - L_b1)),

    for false alarms of cost f and misses of cost m the well-known f / (f + m). It is 0 where b is the cheaper
    under both classes, and 1 where nothing is gained by b under either.

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
    suits = suited(costs)
    loss = float(costs[suits, 0] - costs[1 - suits, 0])
    gain = float(costs[1 - suits, 1] - costs[suits, 1])
    if loss <= 0:
        return 0.0 if gain > 0 or loss < 0 else 1.0
    return loss / (loss + gain)
