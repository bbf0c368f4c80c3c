"""`RowSummary`: what fits ask about all rows besides their features: counts, weights, class counts, offsets."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.statistics.base import Statistics


@dataclass(frozen=True)
class RowSummary(Statistics):
    """Counts, weights and offsets of all rows.

    Parameters
    ----------
    rows, weights : (K,) the number of rows of each class (by their largest counts), and its weight
    sums : (6,) the weight of all rows; the sum of the user's weights (the number of rows, if there are none); how many
        rows have class counts; of class counts the log likelihood of the saturated model, and the weighted sum of the
        logs of the multinomial coefficients; how many rows have weights of the user
    trials : class counts over the user's weights, summed; the number of rows for single labels
    least, most, mean : (q,) of the offset; of length zero if there is none
    """

    rows: Array
    weights: Array
    sums: Array
    trials: float
    least: Array
    most: Array
    mean: Array

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.rows.sum())

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(self.sums[0])

    @property
    def n_copies(self) -> float:
        """The sum of the user's weights; the number of rows, if there are none."""
        return float(self.sums[1])

    @property
    def is_grouped(self) -> bool:
        """Whether the targets are class counts, not one class per row."""
        return bool(self.sums[2])

    @property
    def saturated(self) -> float:
        """The log likelihood of the saturated model: 0 for single labels."""
        return float(self.sums[3])

    @property
    def arrangements(self) -> float:
        """The weighted sum of the logs of the multinomial coefficients: 0 for single labels."""
        return float(self.sums[4])

    @property
    def has_weights(self) -> bool:
        """Whether the user passed weights."""
        return bool(self.sums[5])

    @property
    def has_offset(self) -> bool:
        """Whether there is an offset."""
        return len(self.mean) > 0

    @property
    def offset_size(self) -> float:
        """The largest size of the offset; 0 if there is none."""
        return float(max(np.abs(self.least).max(initial=0.0), np.abs(self.most).max(initial=0.0)))

    def merge(self, other: "RowSummary") -> "RowSummary":
        """Add counts and weights; combine the ranges and the means of the offsets."""
        share = other.n_rows / max(self.n_rows + other.n_rows, 1)
        return RowSummary(
            self.rows + other.rows,
            self.weights + other.weights,
            self.sums + other.sums,
            self.trials + other.trials,
            np.minimum(self.least, other.least),
            np.maximum(self.most, other.most),
            self.mean * (1.0 - share) + other.mean * share,
        )

    def zero(self) -> "RowSummary":
        """Return the summary of no rows."""
        nothing, endless = np.zeros_like(self.rows), np.full_like(self.mean, np.inf)
        return RowSummary(nothing, nothing, np.zeros_like(self.sums), 0.0, endless, -endless, np.zeros_like(self.mean))
