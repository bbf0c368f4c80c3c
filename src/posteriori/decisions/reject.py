"""Decisions that may be refused: when a row is too doubtful, and what refusing buys."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.input.frames.native import frame_of


def doubt(probabilities: Array) -> Array:
    """Give 1 - max_k P(k | x), the chance that the most probable class is wrong, (n,).

    It is the sum of the other probabilities: where the largest rounds to one, the difference would be zero.

    >>> doubt(np.array([[1.0, 1e-30], [0.25, 0.75]])).tolist()
    [1e-30, 0.25]
    """
    others = probabilities.copy()
    np.put_along_axis(others, others.argmax(axis=1)[:, None], 0.0, axis=1)
    summed: Array = others.sum(axis=1)
    return summed


def below_threshold(probabilities: Array, threshold: float) -> NDArray[np.bool_]:
    """Mark the rows whose largest probability is below a level.

    Book: [Sugiyama] ch. 28, introduction.
    """
    marked: NDArray[np.bool_] = probabilities.max(axis=1) < threshold
    return marked


def dearer_than_rejecting(probabilities: Array, cost: float) -> NDArray[np.bool_]:
    """Mark the rows on which a guess is expected to cost as much as rejecting, or more: 1 - max_k P(k | x) >= cost.

    Chow's rule (1970), with a mistake as the unit: a cost of 0 rejects every row, a cost of 1 none.
    """
    marked: NDArray[np.bool_] = doubt(probabilities) >= cost
    return marked


@dataclass(frozen=True)
class RiskCoverage:
    """What refusing the most doubtful rows buys: the risk on the others, for every level of refusal.

    Parameters
    ----------
    coverage : (m,) share of the rows answered, rising to 1
    risk : (m,) mean loss on the rows answered; without costs the share of wrong answers
    threshold : (m,) level of the largest probability at and above which rows are answered, falling
    library : the frame library of the data, or None
    """

    coverage: Array
    risk: Array
    threshold: Array
    library: str | None = None

    @property
    def area(self) -> float:
        """The area under the steps of risk against coverage: the mean risk over all levels."""
        return float(self.risk @ np.diff(self.coverage, prepend=0.0))

    def to_frame(self, native: str | None = None) -> Any:
        """Give a frame, one row a level: of the library named (pandas, polars, pyarrow), else the data's."""
        columns = {"coverage": self.coverage, "risk": self.risk, "threshold": self.threshold}
        return frame_of(columns, native=native or self.library)


def risk_coverage(
    probabilities: Array, losses: Array, weights: Array | None = None, library: str | None = None
) -> RiskCoverage:
    """Order rows from the surest to the most doubtful and give the mean loss of the first ones, level by level.

    Parameters
    ----------
    probabilities : (n, K)
    losses : (n,) of the answer to each row
    weights : (n,) of the rows
    library : the frame library of the data, kept for `RiskCoverage.to_frame`

    Examples
    --------
    >>> p = np.array([[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.4, 0.6]])
    >>> curve = risk_coverage(p, np.array([0.0, 1.0, 0.0, 0.0]))
    >>> curve.coverage.tolist(), curve.risk.tolist(), curve.threshold.tolist()
    ([0.25, 0.5, 1.0], [0.0, 0.0, 0.25], [0.9, 0.7, 0.6])
    >>> curve.area
    0.125
    """
    weight = np.ones(len(losses)) if weights is None else weights
    order = np.argsort(-probabilities.max(axis=1), kind="stable")
    order = order[weight[order] > 0]
    top = probabilities.max(axis=1)[order]
    ends = np.append(top[1:] < top[:-1], True)  # rows of one probability are answered or refused together
    answered, lost = np.cumsum(weight[order]), np.cumsum(weight[order] * losses[order])
    coverage = answered[ends] / answered[-1]
    return RiskCoverage(coverage, lost[ends] / answered[ends], top[ends], library)
