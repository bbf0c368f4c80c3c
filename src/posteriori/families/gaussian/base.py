"""`GaussianFamily`: what the Gaussian families share, whatever the structure of their covariance."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from posteriori.arrays import Array, Indices
from posteriori.backends.backend import Backend
from posteriori.families.base import Family
from posteriori.families.class_sums import fill_empty_classes
from posteriori.linalg.powers_of_two import nonzero


@dataclass(frozen=True)
class GaussianFamily(Family):
    """A Gaussian distribution of the columns in each class, estimated from class means and scatters about them.

    Parameters
    ----------
    shared : whether the classes have a covariance in common
    estimate_by : one of `estimates`, or a prior of class `conjugate_prior`
    """

    shared: Any = False
    estimate_by: Any = "ml"

    takes_any_number = True
    #: The values of `estimate_by` besides a prior, and the class of that.
    estimates: ClassVar[tuple[str, ...]] = ("ml", "unbiased", "map")
    conjugate_prior: ClassVar[type | None] = None

    def domain(self) -> str:
        """Return the domain of numbers."""
        return "finite numbers"

    @abstractmethod
    def prior(self, statistics: Any) -> Any:
        """Return the conjugate prior in units of scale, or None if the estimate has none."""

    @abstractmethod
    def distances(self, parameters: Any, columns: Array, backend: Backend) -> Array:
        """Return the squared Mahalanobis distance of each row to each class mean, (n, K)."""

    def means(self, statistics: Any) -> Array:
        """Return the class means, (K, d); a class without rows takes that of all rows, or that of the prior."""
        unit, prior = nonzero(statistics.scale), self.prior(statistics)
        weight = statistics.weight.reshape(len(statistics.weight), -1)
        if prior is None:
            return fill_empty_classes(weight, statistics.mean)
        means: Array = prior.mode_of_means(weight, statistics.mean / unit) * unit
        return means

    def modes(self, parameters: Any, columns: Indices) -> Array:
        """Return the means."""
        means: Array = parameters.mean[:, columns]
        return means
