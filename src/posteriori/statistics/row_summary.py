"""`RowSummary`: what fits ask about all rows besides their features: counts, weights, class counts, offsets."""

from dataclasses import dataclass, replace
from typing import Annotated, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.statistics.base import LEAST, MOST, Statistics


@dataclass(frozen=True)
class RowSummary(Statistics):
    """Counts, weights and offsets of all rows.

    Parameters
    ----------
    rows, weights : (K,) the number of rows of each class (by their largest counts), and its weight
    total : the weight of all rows
    n_copies : the sum of the user's weights; the number of rows, if there are none
    n_grouped, n_weighted : how many rows have class counts, and how many have weights of the user
    saturated, arrangements : of class counts the log likelihood of the saturated model, and the weighted sum of the
        logs of the multinomial coefficients; 0 for single labels
    trials : class counts over the user's weights, summed; the number of rows for single labels
    least, most, mean : (q,) of the offset; of length zero if there is none
    """

    rows: Array
    weights: Array
    total: float
    n_copies: float
    n_grouped: float
    n_weighted: float
    saturated: float
    arrangements: float
    trials: float
    least: Annotated[Array, LEAST]
    most: Annotated[Array, MOST]
    mean: Array

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.rows.sum())

    @property
    def is_grouped(self) -> bool:
        """Whether the targets are class counts, not one class per row."""
        return self.n_grouped > 0

    @property
    def has_weights(self) -> bool:
        """Whether the user passed weights."""
        return self.n_weighted > 0

    @property
    def has_offset(self) -> bool:
        """Whether there is an offset."""
        return len(self.mean) > 0

    @property
    def offset_size(self) -> float:
        """The largest size of the offset; 0 if there is none."""
        return float(max(np.abs(self.least).max(initial=0.0), np.abs(self.most).max(initial=0.0)))

    def merge(self, other: Self) -> Self:
        """Add counts and weights; combine the ranges and the means of the offsets."""
        share = other.n_rows / max(self.n_rows + other.n_rows, 1)
        return replace(super().merge(other), mean=self.mean * (1.0 - share) + other.mean * share)
