"""The contract of a family."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Codes
from posteriori.messages.notes import Note
from posteriori.statistics.base import Statistics


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
    names : names of the p statistics
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
    #: Whether cells are positions in a dictionary of categories, which `with_levels` sizes.
    takes_levels: ClassVar[bool] = False
    #: Whether every finite cell is in the domain: a finite sum then clears a whole block.
    takes_any_number: ClassVar[bool] = False
    #: Whether the family is over a group of columns at once, rather than column by column.
    is_joint: ClassVar[bool] = False
    #: Whether blocks may be CSR matrices, whose absent cells are zeros.
    takes_sparse: ClassVar[bool] = False
    #: Why `linear` may give None, and what to do about it.
    not_linear: ClassVar[str] = "a probability of zero has no weight. Smoothing above zero gives it one."

    @abstractmethod
    def domain(self) -> str:
        """Say in a few words what cells may be, for the message that refuses others."""

    @abstractmethod
    def invalid(self, columns: Array) -> NDArray[np.bool_]:
        """Mark the cells (n, d) outside the family's domain; missing ones are not."""

    def inside(self, n_columns: int) -> float:
        """Give a value that all cells of a row of so many columns may have."""
        return 0.0

    def surely_valid(self, cells: Array, size: int) -> bool:
        """Clear a whole block of cells, none of them missing, at little cost; False means to look at each."""
        return self.takes_any_number and bool(np.isfinite(cells.sum()))

    @abstractmethod
    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, size: int) -> Statistics:
        """Give the statistics of a block: columns (n, d), class codes (n,), weights (n,).

        `size` is rows times columns of the whole table, by which a kernel is chosen.
        """

    @abstractmethod
    def estimate(self, statistics: Any) -> Parameters:
        """Give the parameters of all classes; a class without rows is given those of all together."""

    @abstractmethod
    def log_density(self, parameters: Any, columns: Array, size: int) -> Array:
        """Give log p(x | k) of a block, (n, K)."""

    def discriminant(self, parameters: Any, columns: Array, size: int) -> Array:
        """Give log p(x | k) up to a term common to the classes, (n, K): all that Bayes' rule needs.

        Not -inf unless x is impossible under the class, however far out it lies; NaN in every class for a row
        with a cell outside the domain.
        """
        return self.log_density(parameters, columns, size)

    @abstractmethod
    def sample(self, parameters: Any, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw one row of columns for each class code, (n, d)."""

    @abstractmethod
    def n_parameters(self, parameters: Any) -> int:
        """Count the free parameters by the books' formulas."""

    @abstractmethod
    def describe(self, parameters: Any, column: int) -> dict[str, Array]:
        """Give the parameters of one column by name, the first axis being the class."""

    def notes(self, statistics: Any, names: Sequence[str | int], classes: NDArray[Any]) -> tuple[Note, ...]:
        """Say what is degenerate in the statistics, by column and class; most often nothing."""
        return ()

    # --- the linear form, for families whose discriminant is linear in T(x)

    def linear(self, parameters: Any, names: Sequence[str | int], levels: Sequence[Any]) -> LinearPart | None:
        """Give the discriminant as weights over T(x), or None where it is not linear in it."""
        return None

    def statistic(self, columns: Array) -> Array:
        """Give T(x) of a block, (n, p): the columns themselves unless the family says otherwise."""
        return columns

    # --- dictionaries of categories, for families that take them

    def with_levels(self, sizes: tuple[int, ...]) -> "Family":
        """Give the same family for columns of so many categories each."""
        return self

    def recoded(self, statistics: Any, places: Sequence[Codes], sizes: tuple[int, ...]) -> Any:
        """Carry statistics over to larger dictionaries: column j's category c becomes places[j][c]."""
        return statistics
