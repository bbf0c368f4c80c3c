"""The contract of a family."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from posteriori.statistics.base import Statistics
from posteriori.tables.notes import Note

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Parameters:
    """The fitted parameters of a family, for all classes; concrete families add their fields."""


@dataclass(frozen=True)
class LinearPart:
    """A family's log density as coef'T(x) + intercept, up to a term that is the same for every class.

    Book: [Jordan] Eq. 7.45-7.50, §7.2.3; [Mitchell] Eq. 22, §3.1.

    Parameters
    ----------
    coef : (K, p) over the p sufficient statistics T(x)
    intercept : (K,)
    names : names of the p statistics, given the names of the columns
    """

    coef: Array
    intercept: Array
    names: tuple[str, ...]


class Family(ABC):
    """A kind of density over a group of columns, for all classes at once.

    A family is a frozen value that holds its settings and no data: `summarize` and `log_density` see one
    block of rows, `estimate` sees statistics only. A missing cell (NaN) adds nothing to either.

    Book: [Jordan] §7.2.3: p(x | eta) = h(x) exp{eta'T(x) - a(eta)}.
    """

    name: ClassVar[str]

    @abstractmethod
    def invalid(self, columns: Array) -> NDArray[np.bool_]:
        """Mark the cells (n, d) outside the family's domain; missing ones are not."""

    @abstractmethod
    def domain(self) -> str:
        """Say in a few words what cells may be, for the message that refuses others."""

    @abstractmethod
    def summarize(self, columns: Array, codes: NDArray[np.intp], weights: Array, n_classes: int, size: int) -> Statistics:
        """Give the statistics of a block: columns (n, d), class codes (n,), weights (n,).

        `size` is rows times columns of the whole table, by which a kernel is chosen.
        """

    @abstractmethod
    def estimate(self, statistics: Any) -> Parameters:
        """Give the parameters of all classes."""

    @abstractmethod
    def log_density(self, parameters: Any, columns: Array, size: int) -> Array:
        """Give log p(x | k) of a block, (n, K)."""

    @abstractmethod
    def sample(self, parameters: Any, codes: NDArray[np.intp], rng: np.random.Generator) -> Array:
        """Draw one row of columns for each class code, (n, d)."""

    @abstractmethod
    def n_parameters(self, parameters: Any) -> int:
        """Count the free parameters by the books' formulas."""

    def notes(self, statistics: Any, names: tuple[str | int, ...], classes: NDArray[Any]) -> tuple[Note, ...]:
        """Say what is degenerate in the statistics, by column and class; most often nothing."""
        return ()
