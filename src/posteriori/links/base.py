"""`LinkFunction`: the interface of a link."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posteriori.arrays import Array


@dataclass(frozen=True, slots=True)
class LossTerms:
    """Minus the log likelihood of each observation and its derivatives in the linear predictors.

    Parameters
    ----------
    loss : (n,) minus the log likelihood of the class counts
    score : (n, q) derivative of the loss
    curvature : (n, q, q) second derivative of the loss (observed), or None where not requested
    odds : (n,) lower bound on the odds against the observed classes, used by the proof that no direction separates
        the classes: the least, over observed classes y and other classes k, of s p_k / (1 - p_k), where s lies between
        the count of y and the total of the row. `BinaryLink` documents its own; zero where there is no such proof
    """

    loss: Array
    score: Array
    curvature: Array | None
    odds: Array

    @property
    def second(self) -> Array:
        """The curvature, which the caller requested."""
        assert self.curvature is not None
        return self.curvature


class LinkFunction(ABC):
    """A map from q linear predictors to K class probabilities, accurate in both tails.

    Targets are class counts (n, K): an observation of weight s in class k is the count s at k. Weights, soft labels
    and grouped data are therefore one case.
    """

    name: ClassVar[str]
    #: Name of the scale of the linear predictor.
    scale_name: ClassVar[str] = "linear predictor"
    #: Name of the exponential of a coefficient; empty where it has none.
    ratio_name: ClassVar[str] = ""
    #: Whether the curvature does not depend on the counts, so that observed and expected information are equal.
    is_canonical: ClassVar[bool] = False
    #: Whether every log probability is concave in eta, so that no observed curvature is negative.
    is_concave: ClassVar[bool] = True
    #: For two classes: whether F(-eta) = 1 - F(eta), so that exchanging them only changes the signs of coefficients.
    is_symmetric: ClassVar[bool] = False
    #: The class whose log probability decreases exponentially in eta, if any: moderate predictors underflow it.
    steep_class: ClassVar[int | None] = None
    #: Bounds of the linear predictor; outside them some class has probability zero.
    domain: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    #: One over the largest curvature of an observation of weight one.
    inverse_curvature: ClassVar[float] = 1.0
    #: The class without a linear predictor of its own, where classes have different ones.
    reference: int | None = None

    @property
    @abstractmethod
    def n_scores(self) -> int:
        """Number of linear predictors (q)."""

    @property
    @abstractmethod
    def n_classes(self) -> int:
        """Number of classes (K)."""

    @property
    def boundary(self) -> float:
        """The eta at which two classes have equal probability."""
        return 0.0

    @abstractmethod
    def log_probabilities(self, eta: Array) -> Array:
        """Return log P(class), (n, K), from eta (n, q)."""

    @abstractmethod
    def parts(self, eta: Array, counts: Array, *, curvature: bool) -> LossTerms:
        """Return loss, score, curvature and odds of each observation."""

    @abstractmethod
    def start(self, priors: Array) -> Array:
        """Return the predictors (q,) of the intercept-only model whose class probabilities are `priors`."""

    # --- predictors of all classes

    @abstractmethod
    def expand(self, eta: Array) -> Array:
        """Return one predictor per class, (n, K), from the q predictors."""

    def contrast(self, rows: Array) -> Array:
        """Return coefficients of all classes, (K, m), as coefficients of the q predictors, (q, m).

        One predictor is that of the second class relative to the first. From K predictors their mean, which changes
        no probability, is subtracted.
        """
        return rows[1:] - rows[:1] if self.n_scores == 1 else rows - rows.mean(axis=0)

    def contrast_offset(self, offset: Array | None) -> Array | None:
        """Return an offset over all classes, (n, K), as one over the predictors, (n, q)."""
        if offset is None or offset.shape[1] == self.n_scores:
            return offset
        return np.ascontiguousarray(self.contrast(offset.T).T)

    def as_contrasts(self) -> "LinkFunction":
        """Return the link with the same probabilities whose predictors are contrasts to a reference class."""
        return self

    # --- information

    def expected(self, eta: Array, total: Array) -> Array:
        """Return the expected second derivative of the loss of `total` (n,) trials, (n, q, q).

        The loss is linear in the counts, so its expectation is its value at the expected counts.
        """
        mean = total[:, None] * np.exp(self.log_probabilities(eta))
        return self.parts(eta, mean, curvature=True).second

    def information_slope(self, eta: Array, total: Array, forms: Array) -> Array:
        """Return the derivative in eta, (n, q), of trace(expected information times S) for forms S (n, q, q).

        For the softmax, with M = S over all classes, the trace is n (sum_b p_b M_bb - p'M p) and, with
        u_a = M_aa - 2 (M p)_a, its derivative n p_a sum_b p_b (u_a - u_b): differences of classes, so that 1 - p is
        never subtracted. For the logit that is n p (1 - p) (1 - 2 p) S, the term of Firth's adjusted score.
        """
        p = np.exp(self.log_probabilities(eta))
        each = self.expand(np.eye(self.n_scores)).T  # (K, q)
        M = np.einsum("aq,nqr,br->nab", each, forms, each, optimize=True)
        u = np.einsum("naa->na", M) - 2.0 * np.einsum("nab,nb->na", M, p)
        slope = p * np.einsum("nb,nab->na", p, u[:, :, None] - u[:, None, :])
        return np.asarray((total[:, None] * slope) @ each)

    def class_slopes(self, eta: Array) -> tuple[Array, Array]:
        """Return the probabilities of all classes, and the derivative of minus the log probability of the others.

        Both are (K, m) for predictors eta (K, m) of all classes. For the softmax they are equal.
        """
        p = np.exp(eta - eta.max(axis=0))
        p /= p.sum(axis=0)
        return p, p


class TwoClassLink:
    """A mixin for links of two classes: one predictor, that of the second class relative to the first."""

    @property
    def n_scores(self) -> int:
        """One."""
        return 1

    @property
    def n_classes(self) -> int:
        """Two."""
        return 2

    def expand(self, eta: Array) -> Array:
        """Return (0, eta), (n, 2)."""
        return np.concatenate([np.zeros_like(eta), eta], axis=1)


def least_odds(log_p: Array, log_odds: Array, counts: Array) -> Array:
    """Return the least count_y odds_k over observed classes y and other classes k, (n,).

    `log_odds` is log p_k - log(1 - p_k). The two smallest odds suffice: the smallest, unless its class is the only one
    observed.
    """
    rows = np.arange(len(counts))
    lowest = log_odds.argmin(axis=1)
    without = log_odds.copy()
    without[rows, lowest] = np.inf
    second = without.min(axis=1)
    other = counts > 0
    other[rows, lowest] = False
    weight = np.where(other, counts, np.inf).min(axis=1)  # least count among the other classes
    with np.errstate(over="ignore", invalid="ignore"):
        first = np.where(np.isfinite(weight), weight * np.exp(log_odds[rows, lowest]), np.inf)
        own = counts[rows, lowest]
        return np.minimum(first, np.where(own > 0, own * np.exp(second), np.inf))
