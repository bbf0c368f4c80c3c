"""The softmax link: K classes, with K predictors or with K - 1 and a reference class."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.links.base import LinkFunction, LossTerms, least_odds
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Softmax(LinkFunction):
    """P(y = k) = exp(eta_k) / sum_j exp(eta_j).

    With a `reference`, that class has no predictor of its own (its eta is 0) and q = K - 1
    ([Mitchell] Eq. 27-28, §3.4); without, q = K ([Jordan] Eq. 7.81-7.82, §7.3.2; [Bishop] Eq. 4.104, §4.3.4;
    [Sugiyama] Eq. 28.1).

    Examples
    --------
    [Deuschle] example 3.1:

    >>> np.exp(Softmax(3).log_probabilities(np.array([[4.0, 1.0, 7.0]]))).round(3).tolist()
    [[0.047, 0.002, 0.95]]
    """

    name = "softmax"
    scale_name = "log odds"
    ratio_name = "relative-risk ratio"
    is_canonical = True
    inverse_curvature = 2.0
    classes: int
    reference: int | None = None

    @property
    def n_scores(self) -> int:
        """K, or K - 1 with a reference class."""
        return self.classes - (self.reference is not None)

    @property
    def n_classes(self) -> int:
        """K."""
        return self.classes

    def log_probabilities(self, eta: Array) -> Array:
        """Return eta minus its log-sum-exp, the largest eta plus log(1 + the sum of the others)."""
        full = self.expand(eta)
        rows, top = np.arange(len(full)), full.argmax(axis=1)
        relative: Array = full - full[rows, top][:, None]
        others = np.exp(relative)
        others[rows, top] = 0.0  # log1p keeps what 1 + 1e-18 would lose
        return np.asarray(relative - np.log1p(others.sum(axis=1, keepdims=True)))

    def parts(self, eta: Array, counts: Array, *, curvature: bool) -> LossTerms:
        """Return loss -sum_k n_k log p_k, score n p - n_k, curvature n (diag p - p p').

        Book: [Bishop] Eq. 4.108-4.110, §4.3.4; [Jordan] Eq. 7.86 and 7.88-7.92, §7.3.2.
        """
        log_p = self.log_probabilities(eta)
        p = np.exp(log_p)
        total = counts.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            loss = -np.where(counts > 0, counts * log_p, 0.0).sum(axis=1)
        # 1 - p of the most probable class is the sum of the others: the difference would lose its digits
        score = total * p - counts
        top = log_p.argmax(axis=1)
        rows = np.arange(len(p))
        others = p.copy()
        others[rows, top] = 0.0
        rest = others.sum(axis=1)
        score[rows, top] = (total[:, 0] - counts[rows, top]) - total[:, 0] * rest
        log_not = np.log1p(-others)  # p is at most 1/2 for every class but the most probable
        with np.errstate(divide="ignore"):
            log_not[rows, top] = np.log(rest)
        odds = least_odds(log_p, log_p - log_not, counts)
        complement = 1.0 - others
        complement[rows, top] = rest
        own = self._with_predictor()
        second = self._curvature(p, complement, total)[:, own][:, :, own] if curvature else None
        return LossTerms(loss, score[:, own], second, odds)

    def _curvature(self, p: Array, complement: Array, total: Array) -> Array:
        K = p.shape[1]
        second = -(total * p)[:, :, None] * p[:, None, :]
        second[:, np.arange(K), np.arange(K)] = total * p * complement
        return second

    def _with_predictor(self) -> list[int]:
        return [k for k in range(self.classes) if k != self.reference]

    def start(self, priors: Array) -> Array:
        """Return the log priors, summing to zero or relative to the reference class."""
        return self.contrast(np.log(priors))

    def contrast(self, rows: Array) -> Array:
        """Return the rows minus that of the reference class, or minus their mean without one."""
        if self.reference is None:
            return super().contrast(rows)
        return np.asarray((rows - rows[self.reference])[self._with_predictor()])

    def as_contrasts(self) -> LinkFunction:
        """Return the softmax with the first class as the reference, unless there is one."""
        return Softmax(self.classes, reference=0) if self.reference is None else self

    def expand(self, eta: Array) -> Array:
        """Return eta with a zero for the reference class, if there is one."""
        return eta if self.reference is None else np.insert(eta, self.reference, 0.0, axis=1)
