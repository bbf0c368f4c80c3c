"""The contract of a link."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posteriori.arrays import Array


@dataclass(frozen=True, slots=True)
class Parts:
    """What a likelihood needs of each row, as functions of its linear predictor.

    Parameters
    ----------
    loss : (n,) minus the log likelihood of the row's counts
    score : (n, q) its derivative in eta
    curvature : (n, q, q) its second derivative (observed), or None where not asked for
    odds : (n,) the least, over the row's classes y and the others k, of s p_k / (1 - p_k), s between the count of y
        and the total of the row: how far the row is from being certain, on which the proof of overlap rests; of other
        links than logit and softmax what `BinaryLink` puts in its place, and zero where there is no such proof
    """

    loss: Array
    score: Array
    curvature: Array | None
    odds: Array


class Link(ABC):
    """A map from q linear predictors to K class probabilities, right in both tails.

    Targets are class counts (n, K): one row of weight s in class k is the count s at k. So weights, soft
    labels and grouped data are one case.
    """

    name: ClassVar[str]
    #: Whether the curvature does not depend on the counts, so that observed and expected information are one.
    canonical: ClassVar[bool] = False
    #: Whether every log probability is concave in eta, so that no observed curvature is negative.
    concave: ClassVar[bool] = True
    #: Of two classes: whether F(-eta) = 1 - F(eta), so that exchanging them only turns the signs of coefficients.
    symmetric: ClassVar[bool] = False
    #: The class whose log probability falls exponentially in eta, so that ordinary predictors give it none, if any.
    steep: ClassVar[int | None] = None
    #: Between what bounds predictors may lie; beyond them some class has no probability.
    domain: ClassVar[tuple[float, float]] = (-np.inf, np.inf)

    @property
    @abstractmethod
    def n_scores(self) -> int:
        """How many linear predictors there are (q)."""

    @property
    @abstractmethod
    def n_classes(self) -> int:
        """How many classes there are (K)."""

    @property
    def boundary(self) -> float:
        """The eta of two classes at which both are equally probable."""
        return 0.0

    @abstractmethod
    def log_probabilities(self, eta: Array) -> Array:
        """Give log P(class), (n, K), from eta (n, q)."""

    @abstractmethod
    def parts(self, eta: Array, counts: Array, *, curvature: bool) -> Parts:
        """Give loss, score, curvature and odds of each row."""

    def expected(self, eta: Array, total: Array) -> Array:
        """Give the mean second derivative over `total` (n,) classes drawn from the model, (n, q, q).

        The loss is linear in the counts, so its mean is its value at the mean counts: `total` times the probabilities.
        """
        mean = total[:, None] * np.exp(self.log_probabilities(eta))
        second = self.parts(eta, mean, curvature=True).curvature
        assert second is not None
        return second

    @abstractmethod
    def spread(self, eta: Array) -> Array:
        """Give a predictor for every class, (n, K), from the q there are."""

    def narrow(self, rows: Array) -> Array:
        """Give coefficients of all classes, (K, m), as those of the q scores there are, (q, m).

        One score speaks for the second class against the first. Of K scores the part common to all, which
        changes no probability, is taken out.
        """
        narrowed: Array = rows[1:] - rows[:1] if self.n_scores == 1 else rows - rows.mean(axis=0)
        return narrowed

    @abstractmethod
    def start(self, priors: Array) -> Array:
        """Give the predictors (q,) of a model without columns whose class probabilities are `priors`."""


def least_odds(log_p: Array, log_odds: Array, counts: Array) -> Array:
    """Give the least count_y odds_k over classes y counted in a row and other classes k, (n,).

    `log_odds` holds log p_k - log(1 - p_k). With K classes the two smallest odds decide: the smallest, unless
    its class is the only one counted.
    """
    rows = np.arange(len(counts))
    lowest = log_odds.argmin(axis=1)
    without = log_odds.copy()
    without[rows, lowest] = np.inf
    second = without.min(axis=1)
    seen = counts > 0
    other = seen.copy()
    other[rows, lowest] = False
    weight = np.where(other, counts, np.inf).min(axis=1)  # least count among classes that are not the lowest
    with np.errstate(over="ignore", invalid="ignore"):
        first = np.where(np.isfinite(weight), weight * np.exp(log_odds[rows, lowest]), np.inf)
        own = counts[rows, lowest]
        return np.minimum(first, np.where(own > 0, own * np.exp(second), np.inf))
