"""The reject option: which rows to leave undecided, and the risk on the others."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.input.frames.native import frame_of


def doubt(probabilities: Array) -> Array:
    """Return 1 - max_k P(k | x), the probability that the most probable class is wrong, (n,).

    It is computed as the sum of the other probabilities: where the largest rounds to one, the difference would be zero.

    >>> doubt(np.array([[1.0, 1e-30], [0.25, 0.75]])).tolist()
    [1e-30, 0.25]
    """
    others = probabilities.copy()
    np.put_along_axis(others, others.argmax(axis=1)[:, None], 0.0, axis=1)
    summed: Array = others.sum(axis=1)
    return summed


def below_threshold(probabilities: Array, threshold: float) -> NDArray[np.bool_]:
    """Return whether the largest probability of each row is below a threshold.

    Book: [Sugiyama] ch. 28, introduction.
    """
    marked: NDArray[np.bool_] = probabilities.max(axis=1) < threshold
    return marked


def dearer_than_rejecting(probabilities: Array, cost: float) -> NDArray[np.bool_]:
    """Return whether deciding costs at least as much as rejecting, for each row: 1 - max_k P(k | x) >= cost.

    Chow's rule (1970), with an error of cost 1: a rejection cost of 0 rejects every row, a cost of 1 none.
    """
    marked: NDArray[np.bool_] = doubt(probabilities) >= cost
    return marked


@dataclass(frozen=True)
class RiskCoverage:
    """Risk-coverage curve: the mean loss on accepted rows against the fraction accepted.

    Parameters
    ----------
    coverage : (m,) fraction of the rows accepted, increasing to 1
    risk : (m,) mean loss on the rows accepted; without costs the error rate
    threshold : (m,) largest class probability at and above which rows are accepted, decreasing
    library : the frame library of the data, or None
    """

    coverage: Array
    risk: Array
    threshold: Array
    library: str | None = None

    def to_frame(self, native: str | None = None) -> Any:
        """Return a frame with one row per threshold, by default of the data's library (pandas, polars, pyarrow)."""
        columns = {"coverage": self.coverage, "risk": self.risk, "threshold": self.threshold}
        return frame_of(columns, native=native or self.library)

    @property
    def area(self) -> float:
        """The area under the risk-coverage curve: the mean risk over all coverages."""
        return float(self.risk @ np.diff(self.coverage, prepend=0.0))


def risk_coverage(
    probabilities: Array, losses: Array, weights: Array | None = None, library: str | None = None
) -> RiskCoverage:
    """Compute the risk-coverage curve: rows are accepted in decreasing order of their largest probability.

    Parameters
    ----------
    probabilities : (n, K)
    losses : (n,) of the decision for each row
    weights : (n,) of the rows
    library : the frame library of the data, for `RiskCoverage.to_frame`

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
    ends = np.append(top[1:] < top[:-1], True)  # rows of equal probability are accepted or rejected together
    accepted, lost = np.cumsum(weight[order]), np.cumsum(weight[order] * losses[order])
    coverage = accepted[ends] / accepted[-1]
    return RiskCoverage(coverage, lost[ends] / accepted[ends], top[ends], library)
