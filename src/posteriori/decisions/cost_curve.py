"""Costs of decisions on rows of known class: at every threshold, and by each rule."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array, Codes
from posteriori.decisions.cost import least_cost, suited, threshold_of
from posteriori.input.frames.native import frame_of


@dataclass(frozen=True)
class CostCurve:
    """Mean cost per row against the threshold on P(class 1 | x) above which the action for class 1 is taken.

    Parameters
    ----------
    threshold : (m,) zero and every distinct probability, increasing; a cost holds from its threshold to the next
    cost : (m,) mean cost per row
    bayes : the threshold that follows from the costs, optimal if the probabilities are correct
    bayes_cost : mean cost of the actions of least expected cost
    library : the frame library of the data, or None
    """

    threshold: Array
    cost: Array
    bayes: float
    bayes_cost: float
    library: str | None = None

    @property
    def best_interval(self) -> tuple[float, float]:
        """The thresholds of least cost on these rows, from the first (included) to the second.

        If there are several such intervals, the one nearest to `bayes`.
        """
        starts = np.flatnonzero(self.cost == self.cost.min())
        ends = np.append(self.threshold, 1.0)
        distance = np.maximum(self.threshold[starts] - self.bayes, self.bayes - ends[starts + 1])
        at = starts[np.maximum(distance, 0.0).argmin()]
        return float(self.threshold[at]), float(ends[at + 1])

    @property
    def best(self) -> float:
        """A threshold of least cost on these rows: the middle of `best_interval`."""
        low, high = self.best_interval
        middle = 0.5 * (low + high)
        return middle if middle < high else low

    @property
    def best_cost(self) -> float:
        """The least mean cost over all thresholds on these rows."""
        return float(self.cost.min())

    def to_frame(self, native: str | None = None) -> Any:
        """Return a frame with one row per threshold, by default of the data's library (pandas, polars, pyarrow)."""
        return frame_of({"threshold": self.threshold, "cost": self.cost}, native=native or self.library)


def cost_curve(
    probabilities: Array, codes: Codes, costs: Array, weights: Array | None = None, library: str | None = None
) -> CostCurve:
    """Return the exact mean cost of rows of two classes at every threshold: a step function of the threshold.

    With b the action for class 1 (`suited`) and a the other, action b is taken where P(1 | x) > t, so

        cost(t) = (1/N) sum_k (A_k(t) L_bk + B_k(t) L_ak),

    A_k(t) being the weight of the rows of class k above t, and B_k(t) the weight of its other rows.

    Book: [Jordan] ch. 7, introduction.

    Parameters
    ----------
    probabilities : (n, 2)
    codes : (n,) true classes
    costs : (2, 2), actions by classes
    weights : (n,) positive
    library : the frame library of the data, for `CostCurve.to_frame`

    Examples
    --------
    >>> p = np.array([0.2, 0.4, 0.8])
    >>> curve = cost_curve(np.c_[1 - p, p], np.array([0, 1, 1]), np.array([[0.0, 9.0], [3.0, 0.0]]))
    >>> curve.threshold.tolist(), curve.cost.tolist()
    ([0.0, 0.2, 0.4, 0.8], [1.0, 0.0, 3.0, 6.0])
    >>> curve.bayes, curve.best_interval
    (0.25, (0.2, 0.4))
    """
    weight = np.ones(len(codes)) if weights is None else weights
    p = probabilities[:, 1]
    order = np.argsort(p, kind="stable")
    threshold = np.unique(np.append(0.0, p))
    upto = np.searchsorted(p[order], threshold, side="right")
    b = suited(costs)
    total = np.zeros(len(threshold))
    for k in range(2):
        below = np.append(0.0, np.cumsum((weight * (codes == k))[order]))
        total += below[upto] * costs[1 - b, k] + (below[-1] - below[upto]) * costs[b, k]
    rule = rule_costs(probabilities, codes, costs, weights).least
    return CostCurve(threshold, total / weight.sum(), threshold_of(costs), rule, library)


@dataclass(frozen=True)
class RuleCosts:
    """Mean cost per row of rules without a threshold.

    Parameters
    ----------
    least : of the actions of least expected cost
    argmax : of the action of the most probable class; None where classes have no action of their own
    always : (A,) of each action, taken for all rows
    """

    least: float
    argmax: float | None
    always: Array


def rule_costs(
    probabilities: Array, codes: Codes, costs: Array, weights: Array | None = None, own: Codes | None = None
) -> RuleCosts:
    """Return the mean costs of the action of least expected cost, of argmax, and of each action for all rows.

    Book: [Jordan] ch. 7, introduction.

    Parameters
    ----------
    probabilities : (n, K)
    codes : (n,) true classes
    costs : (A, K)
    weights : (n,) positive
    own : (K,) the action of each class; None where a class has none

    Examples
    --------
    >>> p = np.array([0.2, 0.4, 0.8])
    >>> rules = rule_costs(np.c_[1 - p, p], np.array([0, 1, 1]), np.array([[0.0, 9.0], [3.0, 0.0], [1.0, 1.0]]))
    >>> round(rules.least, 4), rules.argmax, rules.always.tolist()
    (0.6667, None, [6.0, 1.0, 1.0])
    """
    weight = np.ones(len(codes)) if weights is None else weights
    frequencies = np.bincount(codes, weight, costs.shape[1]) / weight.sum()

    def mean(actions: Codes) -> float:
        return float(weight @ costs[actions, codes] / weight.sum())

    named = None if own is None else mean(own[probabilities.argmax(axis=1)])
    return RuleCosts(mean(least_cost(probabilities, costs)), named, costs @ frequencies)
