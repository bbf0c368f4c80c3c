"""Decision for the most probable class."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def argmax(scores: NDArray[np.float64]) -> NDArray[Any]:
    """Return the column of the largest score of each row, the first of equal ones.

    Choosing the most probable class makes the fewest mistakes. Book: [Jordan] ch. 7, introduction.

    >>> argmax(np.array([[0.2, 0.8], [0.5, 0.5]])).tolist()
    [1, 0]
    """
    best: NDArray[Any] = scores.argmax(axis=1)
    return best
