"""`FittedModel`: what `fit` makes, as an immutable value; the estimator holds it, and a model file stores it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from scipy.special import logsumexp

from posteriori.arrays import AnyArray, Array
from posteriori.bases.base import Phi
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.input.targets import read_targets
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note
from posteriori.storable import storable
from posteriori.tables.block import Block
from posteriori.tables.schema import Schema

#: Names under which reading X records its columns: scikit-learn's, and two of this library.
NOTED = ("n_features_in_", "feature_names_in_", "frame_library_", "phi_")

Status = Literal["ok", "separated", "aliased", "not_converged"]


@storable
@dataclass(frozen=True, eq=False)
class InputColumns:
    """The columns of X in a fit, and the basis functions of them in which the model is linear.

    Parameters
    ----------
    number : of columns
    names : (number,) text, None where they have no names
    library : of the frame, None for arrays
    phi : the basis functions, or None
    """

    number: int
    names: AnyArray | None = None
    library: str | None = None
    phi: Phi | None = None

    @classmethod
    def of(cls, noted: Mapping[str, Any]) -> Self:
        """Return what reading X recorded under scikit-learn's names."""
        return cls(*(noted.get(name) for name in NOTED))  # type: ignore[arg-type]

    @property
    def noted(self) -> dict[str, Any]:
        """The same under scikit-learn's names."""
        values = (self.number, self.names, self.library, self.phi)
        return dict(zip(NOTED, values, strict=True))

    @property
    def text(self) -> tuple[str, ...]:
        """The names of the columns, x0, x1, … where they have none."""
        return tuple(f"x{j}" for j in range(self.number)) if self.names is None else tuple(map(str, self.names))

    @property
    def coefficient_names(self) -> tuple[str, ...]:
        """The names of the columns that coefficients are of: those of the basis, if there is one."""
        return self.text if self.phi is None else self.phi.titles(self.text)

    @property
    def n_coefficients(self) -> int:
        """The number of columns that coefficients are of."""
        return self.number if self.phi is None else self.phi.n_columns

    def mapped(self, rows: Array) -> Array:
        """Return the basis functions of rows; the rows themselves without a basis."""
        return rows if self.phi is None else self.phi(rows)

    def check(self, where: str) -> None:
        """Raise unless the names are of these columns, and the basis is over them."""
        if self.names is not None:
            if self.names.ndim != 1 or not all(isinstance(name, str) for name in self.names):
                fail(f"{where}.names", "is not a list of names")
            if len(self.names) != self.number:
                fail(f"{where}.names", f"has {len(self.names)} names for {self.number} columns")
        if self.phi is not None and self.phi.width != self.number:
            fail(f"{where}.phi", f"is over {self.phi.width} columns, not {self.number}")


@dataclass(frozen=True, eq=False, kw_only=True)
class FittedModel(ABC):
    """The result of a fit.

    Its fields are primary values; what follows from them (coefficients, criteria, numbers of parameters) is computed
    when it is read, so no two of its numbers can disagree.

    Parameters
    ----------
    classes : (K,)
    columns : of X
    status : of the fit
    notes : on the fit
    """

    classes: AnyArray
    columns: InputColumns
    status: Status
    notes: tuple[Note, ...]

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.classes)

    @property
    def schema(self) -> Schema | None:
        """The columns with the levels by which those of new rows are coded; None if there are no levels."""
        return None

    @property
    def list_of_notes(self) -> list[Note]:
        """The notes as a new list."""
        return list(self.notes)

    @property
    @abstractmethod
    def n_parameters(self) -> int:
        """The number of free parameters."""

    @abstractmethod
    def scores(self, block: Block) -> Array:
        """Return the scores of a block, (n, q)."""

    @abstractmethod
    def log_probabilities(self, block: Block) -> Array:
        """Return log P(class | x) of a block, (n, K)."""

    @property
    def has_probabilities(self) -> bool:
        """Whether there are probabilities, not only scores."""
        return True

    def valid_row(self) -> Array:
        """Return a row (1, d) that the model can predict."""
        return np.zeros((1, self.columns.number))

    @abstractmethod
    def check_parts(self, where: str) -> None:
        """Raise unless the parts are for the same classes and columns; only values read from a file are checked."""

    def check(self, where: str) -> None:
        """Raise unless this is a model that a fit could have made, and it can predict."""
        check_classes(self.classes, f"{where}.classes")
        self.check_parts(where)
        self._check_prediction(where)

    def _check_prediction(self, where: str) -> None:
        """Raise unless a valid row, of zeros where they are valid, has finite scores, and a distribution."""
        try:
            block = Block(self.columns.mapped(self.valid_row()), None, None, None, 0)
            result = self.log_probabilities(block) if self.has_probabilities else self.scores(block)
            total = float(logsumexp(result))
        except Exception as error:  # parts that do not fit together fail in as many ways as there are parts
            fail(where, f"cannot predict ({type(error).__name__}: {error})")
        if not self.has_probabilities:
            require.FINITE.check(result, (1, result.shape[-1]), f"{where}.scores")
        elif result.shape != (1, self.n_classes) or not abs(total) < 1e-9:
            fail(where, "has probabilities that do not sum to 1")


def check_classes(classes: Any, where: str) -> None:
    """Raise unless there are two classes or more, of a type that labels may have, in the array that `fit` makes."""
    if classes.ndim != 1 or len(classes) < 2:
        fail(where, "is not a list of two or more classes")
    require.distinct(classes.tolist(), where)
    try:
        kind = read_targets(classes, len(classes)).classes.dtype.kind
    except DataError as error:
        fail(where, f"cannot be classes ({error})")
    if kind != classes.dtype.kind:
        fail(where, f"are of type {classes.dtype}, and fit makes classes of kind {kind!r} of such labels")
