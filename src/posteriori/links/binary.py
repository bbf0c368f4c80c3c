"""What links of two classes share: a distribution function, from which all parts of a likelihood follow."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from posteriori.arrays import Array
from posteriori.links.base import Link, Parts


class BinaryLink(Link):
    """P(y = 1) = F(eta) for a distribution function F with density f, strictly between 0 and 1.

    A concrete link gives, for both classes in columns, what is to be computed without cancellation: the logs of 1 - F
    and F, the hazards f / (1 - F) and f / F, and the second derivatives of the minus logs. The rest is written here.

    With h_0, h_1 the hazards and c_0, c_1 the second derivatives, n_0 and n_1 the counts of a row: loss
    -n_0 log(1 - F) - n_1 log F, score n_0 h_0 - n_1 h_1, observed curvature n_0 c_0 + n_1 c_1, and the expected one
    (n_0 + n_1) f^2 / (F (1 - F)) = (n_0 + n_1) h_0 h_1.

    Book: [Jordan] Eq. 7.93-7.94, §7.3.3; [Bishop] §4.3.5.
    """

    concave: ClassVar[bool] = True

    @property
    def n_scores(self) -> int:
        """One."""
        return 1

    @property
    def n_classes(self) -> int:
        """Two."""
        return 2

    @property
    def boundary(self) -> float:
        """The eta at which both classes are equally probable, F^-1(1/2)."""
        return float(self.start(np.array([0.5, 0.5]))[0])

    @abstractmethod
    def logs(self, eta: Array) -> Array:
        """Give log(1 - F) and log F of eta (n,), each computed, (n, 2)."""

    @abstractmethod
    def hazards(self, eta: Array) -> Array:
        """Give f / (1 - F) and f / F, (n, 2): the slopes of -log(1 - F) and of log F."""

    @abstractmethod
    def bends(self, eta: Array, hazards: Array) -> Array:
        """Give the second derivatives of -log(1 - F) and -log F, (n, 2), where the hazards are known."""

    def log_probabilities(self, eta: Array) -> Array:
        """Give log(1 - F) and log F."""
        return self.logs(eta[:, 0]) + 0.0  # the log of one is 0.0, not -0.0

    def parts(self, eta: Array, counts: Array, *, curvature: bool) -> Parts:
        """Give loss, score, curvature and odds; classes that were not counted add nothing, however impossible."""
        at = eta[:, 0]
        hazards = self.hazards(at)
        bends = self.bends(at, hazards) if curvature or self.concave else None
        loss, pull = counted(counts, self.logs(at)), counted(counts, hazards)
        second = counted(counts, bends) if curvature and bends is not None else None
        return Parts(
            loss=0.0 - loss[:, 0] - loss[:, 1],
            score=(pull[:, 0] - pull[:, 1])[:, None],
            curvature=None if second is None else (second[:, 0] + second[:, 1])[:, None, None],
            odds=np.zeros(len(at)) if bends is None or not self.concave else self._odds(hazards, bends, counts),
        )

    def _odds(self, hazards: Array, bends: Array, counts: Array) -> Array:
        """Give the least count times h^2 / c over the classes counted: of the logit, the odds of being wrong.

        At w, with H the Hessian and t the decrement, a Newton step moves a row's eta by at most t sqrt(x'H^-1 x),
        and x'H^-1 x <= 1 / (n c) for a row that counts n in a class whose loss has curvature c, as no curvature is
        negative. So the condition (c / h) |step in eta| < 1 of the proof of overlap holds where n h^2 / c > t^2.
        Hazards that have underflown to zero prove nothing: their odds are zero.
        """
        with np.errstate(all="ignore"):  # a curvature of zero bends nothing: infinite odds
            odds = np.where(hazards > 0, counts * (hazards / (bends / hazards)), 0.0)
        odds = np.where(counts > 0, odds, np.inf)
        return np.minimum(odds[:, 0], odds[:, 1])

    def expected(self, eta: Array, total: Array) -> Array:
        """Give total f^2 / (F (1 - F)), (n, 1, 1): never negative, and without the derivative of the density."""
        hazards = self.hazards(eta[:, 0])
        return (total * (hazards[:, 0] * hazards[:, 1]))[:, None, None]

    def expected_slope(self, eta: Array) -> Array:
        """Give the derivative in eta of h_0 h_1, (n,): h_1 c_0 - h_0 c_1, as h_0' = c_0 and h_1' = -c_1."""
        hazards = self.hazards(eta[:, 0])
        bends = self.bends(eta[:, 0], hazards)
        slope: Array = hazards[:, 1] * bends[:, 0] - hazards[:, 0] * bends[:, 1]
        return slope

    def spread(self, eta: Array) -> Array:
        """Give (0, eta)."""
        return np.concatenate([np.zeros_like(eta), eta], axis=1)


def counted(counts: Array, values: Array) -> Array:
    """Give counts times values, (n, 2): nothing where nothing was counted, even of an infinite value."""
    with np.errstate(invalid="ignore"):
        product = counts * values
    if np.isfinite(values).all():
        return product
    return np.where((counts > 0) | np.isnan(values), product, 0.0)


def by_sign(eta: Array) -> Array:
    """Give (-eta, eta), (n, 2): of a symmetric F, both classes are one function of these.

    >>> by_sign(np.array([2.0])).tolist()
    [[-2.0, 2.0]]
    """
    return np.stack([-eta, eta], axis=1)
