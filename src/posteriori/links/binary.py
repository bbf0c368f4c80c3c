"""`BinaryLink`: likelihood terms of two classes from a distribution function."""

from abc import abstractmethod

import numpy as np

from posteriori.arrays import Array
from posteriori.links.base import LinkFunction, LossTerms, TwoClassLink
from posteriori.links.quantile import quantile_of


class BinaryLink(TwoClassLink, LinkFunction):
    """P(y = 1) = F(eta) for a distribution function F with density f, strictly between 0 and 1.

    A concrete link implements, with one column per class and without cancellation: the logs of 1 - F and F, the
    hazards f / (1 - F) and f / F, and the second derivatives of minus the logs. All else follows; if the quantile has a
    formula, it also implements `start`.

    With h_0, h_1 the hazards, c_0, c_1 the second derivatives and n_0, n_1 the class counts: loss
    -n_0 log(1 - F) - n_1 log F, score n_0 h_0 - n_1 h_1, observed curvature n_0 c_0 + n_1 c_1, expected curvature
    (n_0 + n_1) f^2 / (F (1 - F)) = (n_0 + n_1) h_0 h_1.

    Book: [Jordan] Eq. 7.93-7.94, §7.3.3; [Bishop] §4.3.5.
    """

    @property
    def boundary(self) -> float:
        """The median F^-1(1/2)."""
        return float(self.start(np.array([0.5, 0.5]))[0])

    @abstractmethod
    def logs(self, eta: Array) -> Array:
        """Return log(1 - F) and log F of eta (n,), each computed directly, (n, 2)."""

    @abstractmethod
    def hazards(self, eta: Array) -> Array:
        """Return f / (1 - F) and f / F, (n, 2): the derivatives of -log(1 - F) and of log F."""

    @abstractmethod
    def second_derivatives(self, eta: Array, hazards: Array) -> Array:
        """Return the second derivatives of -log(1 - F) and -log F, (n, 2), from the hazards."""

    def log_probabilities(self, eta: Array) -> Array:
        """Return log(1 - F) and log F."""
        return self.logs(eta[:, 0]) + 0.0  # the log of one is 0.0, not -0.0

    def parts(self, eta: Array, counts: Array, *, curvature: bool) -> LossTerms:
        """Return loss, score, curvature and odds; an unobserved class adds nothing, even if its log is infinite."""
        at = eta[:, 0]
        hazards = self.hazards(at)
        second = self.second_derivatives(at, hazards) if curvature or self.is_concave else None
        loss, slopes = times_counts(counts, self.logs(at)), times_counts(counts, hazards)
        curved = times_counts(counts, second) if curvature and second is not None else None
        return LossTerms(
            loss=0.0 - loss[:, 0] - loss[:, 1],
            score=(slopes[:, 0] - slopes[:, 1])[:, None],
            curvature=None if curved is None else (curved[:, 0] + curved[:, 1])[:, None, None],
            odds=np.zeros(len(at)) if second is None or not self.is_concave else self._odds(hazards, second, counts),
        )

    def _odds(self, hazards: Array, second: Array, counts: Array) -> Array:
        """Return the least count times h^2 / c over the observed classes; for the logit, the odds of an error.

        At w, with H the Hessian and t the decrement, a Newton step moves the eta of an observation by at most
        t sqrt(x'H^-1 x), and x'H^-1 x <= 1 / (n c) for n observations of a class whose loss has curvature c, as no
        curvature is negative. So the condition (c / h) |step in eta| < 1 of the proof of overlap holds where
        n h^2 / c > t^2. Hazards that underflow to zero prove nothing: their odds are zero.
        """
        with np.errstate(all="ignore"):  # a curvature of zero means infinite odds
            odds = np.where(hazards > 0, counts * (hazards / (second / hazards)), 0.0)
        odds = np.where(counts > 0, odds, np.inf)
        return np.minimum(odds[:, 0], odds[:, 1])

    def expected(self, eta: Array, total: Array) -> Array:
        """Return total f^2 / (F (1 - F)), (n, 1, 1): never negative, and without the derivative of the density."""
        hazards = self.hazards(eta[:, 0])
        return (total * (hazards[:, 0] * hazards[:, 1]))[:, None, None]

    def information_slope(self, eta: Array, total: Array, forms: Array) -> Array:
        """Return total (h_0 h_1)' S = total (h_1 c_0 - h_0 c_1) S, (n, 1), as h_0' = c_0 and h_1' = -c_1."""
        hazards = self.hazards(eta[:, 0])
        second = self.second_derivatives(eta[:, 0], hazards)
        slope = hazards[:, 1] * second[:, 0] - hazards[:, 0] * second[:, 1]
        return (slope * total)[:, None] * forms[:, 0]

    def class_slopes(self, eta: Array) -> tuple[Array, Array]:
        """Return 1 - F and F, and the hazards of the opposite class, (2, m), at the difference of predictors."""
        difference = eta[1] - eta[0]
        return np.exp(self.logs(difference).T), self.hazards(difference).T[::-1]

    def start(self, priors: Array) -> Array:
        """Return the quantile, by bisection on the log of the smaller probability."""
        return np.array([quantile_of(self.logs, priors)])


def times_counts(counts: Array, values: Array) -> Array:
    """Return counts times values, (n, 2), zero for a count of zero even where the value is infinite."""
    with np.errstate(invalid="ignore"):
        product = counts * values
    if np.isfinite(values).all():
        return product
    return np.where((counts > 0) | np.isnan(values), product, 0.0)


def by_sign(eta: Array) -> Array:
    """Return (-eta, eta), (n, 2), of which both columns of a symmetric link are one function.

    >>> by_sign(np.array([2.0])).tolist()
    [[-2.0, 2.0]]
    """
    return np.stack([-eta, eta], axis=1)
