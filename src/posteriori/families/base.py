"""The interface of families: distributions of a group of columns, given the class."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import numpy as np

from posteriori.arrays import AnyArray, Array, Codes, Indices, Mask
from posteriori.backends.backend import Backend, backend_for
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note
from posteriori.statistics.base import Statistics

Names = Sequence[str | int]
Levels = Sequence[Any]
Notes = tuple[Note, ...]


@dataclass(frozen=True)
class Parameters:
    """The fitted parameters of a family, for all classes; concrete families add their fields."""

    @property
    def n_columns(self) -> int:
        """The number of columns: the last axis of the first field."""
        return int(np.shape(getattr(self, fields(self)[0].name))[-1])


@dataclass(frozen=True)
class FamilySettings:
    """The parameters of a classifier that concern the families it names, under the names of the families' fields."""

    smoothing: float = 1.0
    shared: bool | str = False
    estimate_by: Any = "ml"


@dataclass(frozen=True)
class LinearPart:
    """A family's log density as coef'T(x) + intercept, up to a term common to all classes.

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
    """A distribution of a group of columns, for all classes at once.

    A family is a frozen value with settings and no data: `summarize` and `log_density` read one
    block of rows, `estimate` reads statistics only. A missing cell (NaN) adds nothing to either.

    Book: [Jordan] §7.2.3: p(x | eta) = h(x) exp{eta'T(x) - a(eta)}.
    """

    name: ClassVar[str]
    #: The classes of what `estimate` and `summarize` return, which model files are checked against.
    parameters_type: ClassVar[type[Parameters]]
    statistics_type: ClassVar[type[Statistics]]
    #: The largest statistic that a model file may contain: merging such statistics never overflows.
    largest_sum: ClassVar[float] = 2.0**300
    #: Number of statistics per column and class.
    statistics_per_column: ClassVar[int] = 1
    #: The kind of column that follows this family by default.
    default_for: ClassVar[str | None] = None
    #: Whether cells are positions in a dictionary of categories, whose size `with_levels` sets.
    takes_levels: ClassVar[bool] = False
    #: Whether every finite cell is valid: a finite sum then validates a whole block.
    takes_any_number: ClassVar[bool] = False
    #: Whether the family describes a group of columns jointly, rather than column by column.
    is_joint: ClassVar[bool] = False
    #: Whether blocks may be CSR matrices, whose absent cells are zeros.
    takes_sparse: ClassVar[bool] = False
    #: Why `linear` may return None, and what to do about it.
    not_linear: ClassVar[str] = "a probability of zero has no weight. Smoothing above zero gives it one."

    @classmethod
    def from_settings(cls, settings: FamilySettings) -> Self:
        """Return the family that a classifier with these settings means by its name, from its own settings."""
        own = {part.name for part in fields(cls)}  # type: ignore[arg-type]
        return cls(**{name: value for name, value in vars(settings).items() if name in own})

    # --- fitting

    @abstractmethod
    def domain(self) -> str:
        """Return a few words that describe valid cells, for the error about invalid ones."""

    @abstractmethod
    def invalid(self, columns: Array) -> Mask:
        """Mark the cells (n, d) outside the family's domain; missing ones are not."""

    def valid_value(self, n_columns: int) -> float:
        """Return a value that is valid in every cell of a row of `n_columns` columns."""
        return 0.0

    def passes_quick_check(self, cells: Array, backend: Backend) -> bool:
        """Return whether a cheap test shows that no cell is missing or invalid; if False, check each."""
        return self.takes_any_number and bool(np.isfinite(cells.sum()))

    @abstractmethod
    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Statistics:
        """Return the statistics of a block: columns (n, d), class codes (n,), weights (n,), and its backend."""

    @abstractmethod
    def estimate(self, statistics: Any) -> Parameters:
        """Return the parameters of all classes; a class without rows takes those of all classes together."""

    def notes(self, statistics: Any, names: Names, classes: AnyArray) -> Notes:
        """Return notes on degenerate columns and classes; usually none."""
        return ()

    def inconsistency(self, statistics: Any, n_columns: int) -> tuple[str, str] | None:
        """Return the field of statistics that cannot be those of so many columns, and why; None if all can."""
        width = statistics.width / self.statistics_per_column
        return None if width == n_columns else ("", f"is for {width:g} columns, its group has {n_columns}")

    # --- densities

    @abstractmethod
    def log_density(self, parameters: Any, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k) of a block, (n, K)."""

    def discriminant(self, parameters: Any, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k) up to a term common to the classes, (n, K): all that Bayes' rule needs.

        It is -inf only if x is impossible under the class, however far out x lies; NaN in every class for a row
        with a cell outside the domain.
        """
        return self.log_density(parameters, columns, backend)

    @property
    def is_sum_over_columns(self) -> bool:
        """Whether the discriminant is a sum of one term per column."""
        return not self.is_joint

    def column_terms(self, parameters: Any, columns: Array, backend: Backend) -> Array:
        """Return the terms of the discriminant by column, (n, K, d); zero for a missing cell."""
        terms = []
        for j in range(columns.shape[1]):
            alone = np.full_like(columns, np.nan)  # missing cells add nothing, so that one column remains
            alone[:, j] = columns[:, j]
            terms.append(self.discriminant(parameters, alone, backend))
        return np.stack(terms, axis=2)

    def log_marginal(self, parameters: Any, columns: Indices, cells: Array) -> Array:
        """Return log p(x_j, j in columns | k) of cells (n, len(columns)), the others integrated out, (n, K)."""
        if self.is_joint:
            raise DataError(
                f"a column of family {self.name!r} has no density of its own: the family is over a group of "
                f"{parameters.n_columns} columns jointly."
            )
        terms = [self._one_column(parameters, int(j), column) for j, column in zip(columns, cells.T, strict=True)]
        return np.asarray(np.sum(terms, axis=0))

    def _one_column(self, parameters: Any, j: int, column: Array) -> Array:
        """Return the log density of one of several independent columns: missing cells add nothing."""
        if self.is_left_out(parameters, j):
            raise DataError(
                "its variance is zero in every class, so the model leaves the column out and it has no density."
            )
        values, place = np.unique(column, return_inverse=True)  # a grid repeats each value many times
        rows = np.full((len(values), parameters.n_columns), np.nan)
        rows[:, j] = values
        return self.log_density(parameters, rows, backend_for(rows.size))[place.ravel()]

    def is_left_out(self, parameters: Any, column: int) -> bool:
        """Return whether the fit left the column out because it is constant in every class."""
        return False

    def modes(self, parameters: Any, columns: Indices) -> Array | None:
        """Return the mode of some columns by class, (K, len(columns)), if the density is Gaussian; else None."""
        return None

    @abstractmethod
    def sample(self, parameters: Any, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw one row of columns for each class code, (n, d)."""

    # --- reporting

    @abstractmethod
    def n_parameters(self, parameters: Any) -> int:
        """Count the free parameters by the books' formulas."""

    @abstractmethod
    def describe(self, parameters: Any, column: int) -> dict[str, Array]:
        """Return the parameters of one column by name; the first axis is the class."""

    # --- the linear form, for families whose discriminant is linear in T(x)

    def linear(self, parameters: Any, names: Names, levels: Levels) -> LinearPart | None:
        """Return the discriminant as weights of T(x), or None if it is not linear in T(x)."""
        return None

    def statistic(self, columns: Array) -> Array:
        """Return T(x) of a block, (n, p); by default the columns themselves."""
        return columns

    # --- dictionaries of categories, for families that take them

    def with_levels(self, sizes: tuple[int, ...]) -> Self:
        """Return the family for columns with these numbers of categories."""
        return replace(self, sizes=sizes) if self.takes_levels else self  # type: ignore[type-var, call-arg]

    def recoded(self, statistics: Any, places: Sequence[Codes], sizes: tuple[int, ...]) -> Any:
        """Return statistics for larger dictionaries: category c of column j becomes places[j][c]."""
        return statistics
