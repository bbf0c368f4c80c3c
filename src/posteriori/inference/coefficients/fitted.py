"""`Fitted`: a fitted regression as a value for inference, and the names of its coefficients."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.cached_property import cached_property
from posteriori.designs.units import Units
from posteriori.input.classes.class_values import as_objects
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note, quote
from posteriori.models.information import Information, contrasts, in_triangle
from posteriori.models.regression import RegressionModel

INTERCEPT = "(Intercept)"


@dataclass(frozen=True)
class Fitted:
    """The coefficients of a fit as contrasts to its reference class, with the information that fit summed.

    Two classes have one contrast, of the second class to the first. Flat arrays are over m = (K - 1) p coefficients:
    class by class, without the reference, the intercept first.

    Parameters
    ----------
    link : of the contrasts (of K softmax vectors: with ``classes_[0]`` as reference)
    own : the link of the fit
    units, w : units of the fit, and the contrasts (K - 1, p) in them
    information : the sums that fit computed
    names : of the d columns
    classes : all K
    status, notes : of the fit
    prior : "none" | "gaussian" | "jeffreys"
    weights : "frequency" | "sampling"
    """

    link: LinkFunction
    own: LinkFunction
    units: Units
    w: Array
    information: Information
    names: tuple[str, ...]
    classes: tuple[Any, ...]
    status: str
    notes: tuple[Note, ...]
    prior: str
    weights: str

    @classmethod
    def of(cls, model: RegressionModel) -> Self:
        """Return the contrasts of a fitted regression."""
        known, linear, link = model.information, model.linear, model.link
        units, w = in_triangle(linear.units, contrasts(link, linear.w), known.triangle)
        return cls(
            link=link.as_contrasts(),
            own=link,
            units=units,
            w=w,
            information=known.reparameterised(link.n_scores),
            names=model.columns.coefficient_names,
            classes=tuple(as_objects(model.classes).tolist()),
            status=model.status,
            notes=model.notes,
            prior="jeffreys" if known.jeffreys else "none" if known.prior is None else "gaussian",
            weights=model.weights,
        )

    @property
    def size(self) -> int:
        """The number m of coefficients."""
        return self.w.size

    @property
    def default_kind(self) -> str:
        """The default kind of covariance: robust under sampling weights, which have no likelihood."""
        return "robust" if self.weights == "sampling" else "observed"

    @property
    def reference(self) -> int:
        """The number of the reference class."""
        return self.link.reference or 0

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """Names of the p coefficients of each contrast."""
        return ((INTERCEPT,) if self.units.intercept else ()) + self.names

    @cached_property
    def compared(self) -> tuple[Any, ...]:
        """The classes that have coefficients: all but the reference."""
        return tuple(label for k, label in enumerate(self.classes) if k != self.reference)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Names of the m coefficients: the term, or "class:term" where there are several contrasts."""
        if len(self.compared) == 1:
            return self.terms
        return tuple(f"{label}:{term}" for label in self.compared for term in self.terms)

    @cached_property
    def coefficients(self) -> Array:
        """The m coefficients in the user's units."""
        lead, weights = self.units.to_data(self.w)
        return (np.column_stack([lead, weights]) if self.units.intercept else weights).ravel()

    @cached_property
    def jacobian(self) -> Array:
        """T (m, m): coefficients in the user's units are T times those in the units of the fit."""
        return np.kron(np.eye(len(self.w)), self.units.jacobian()).astype(np.float64, copy=False)

    def restrictions(self, R: Any) -> Array:
        """Read linear combinations of coefficients: a matrix (k, m), a vector (m,), or names.

        A name is a label, or a term, which stands for its coefficients in all contrasts.
        """
        names = [R] if isinstance(R, str) else R
        if isinstance(names, list | tuple) and names and all(isinstance(name, str) for name in names):
            return np.eye(self.size)[[j for name in names for j in self._indices(name)]]
        try:
            matrix = np.atleast_2d(np.asarray(R, dtype=np.float64))
        except (TypeError, ValueError):
            raise DataError(f"R must be a matrix of {self.size} columns or a list of names, not {R!r}.") from None
        if matrix.ndim != 2 or matrix.shape[1] != self.size or not np.isfinite(matrix).all() or not len(matrix):
            raise DataError(
                f"R has shape {np.shape(R)}; it needs one column for each of the {self.size} coefficients "
                f"{quote(self.labels)}, in that order, all finite."
            )
        return matrix

    def _indices(self, name: str) -> list[int]:
        if name in self.labels:
            return [self.labels.index(name)]
        if name in self.terms:
            p = len(self.terms)
            return [k * p + self.terms.index(name) for k in range(len(self.compared))]
        known = dict.fromkeys((*self.terms, *self.labels))
        raise DataError(f"there is no coefficient {name!r}: the names are {quote(list(known), most=20)}.")
