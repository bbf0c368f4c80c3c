"""`Weights`: the linear scores of another model, as a start or as the mean of a prior."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.numbers import read_numbers
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.storable import storable


class Scores(Protocol):
    """How K classes share q scores: `links.base.Link`."""

    @property
    def n_classes(self) -> int:
        """K."""

    def contrast(self, rows: Array) -> Array:
        """Return coefficients of all classes, (K, m), as those of the scores, (q, m)."""


@storable
@dataclass(frozen=True, eq=False)
class Weights:
    """Scores coef'T(x) + intercept: one row where two classes have one score, else one for each class.

    Book: [Mitchell] Eq. 22, §3.1; [Jordan] Eq. 7.8 and 7.27, §7.2.1, 7.35, §7.2.2, and 7.47-7.50,
    §7.2.3.

    Parameters
    ----------
    coef : (1, p) or (K, p)
    intercept : (1,) or (K,)
    names : of the p columns, where they have names
    source : of the weights, for messages
    """

    coef: Array
    intercept: Array
    names: tuple[str, ...]
    source: str

    def contrasted(self, link: Scores) -> "Weights":
        """Return the weights as those of the scores of this link; raise for another number of classes."""
        n_classes = max(len(self.coef), 2)
        if n_classes != link.n_classes:
            raise DataError(
                f"{self.source} has weights for {n_classes} classes, but there are {link.n_classes} classes."
            )
        if len(self.coef) == 1:
            return self
        rows = link.contrast(self.rows)
        return replace(self, coef=rows[:, 1:], intercept=rows[:, 0])

    @property
    def rows(self) -> Array:
        """The coefficients of each score, the intercept first, (q, 1 + p)."""
        return np.column_stack([self.intercept, self.coef])

    def over(self, columns: Sequence[str | int] | int) -> Array:
        """Return `rows`; raise if a model over these columns (names, or their number) has another number of them."""
        d = columns if isinstance(columns, int) else len(columns)
        if self.coef.shape[1] != d:
            there = "" if isinstance(columns, int) else f" ({quote(list(columns), 3)})"
            own = f" ({quote(list(self.names), 3)})" if self.names else ""
            raise DataError(
                f"{self.source} has weights over {self.coef.shape[1]} column(s){own}, but the model to be fitted is "
                f"over {d} column(s){there}. Fit it on T(x), the output of as_linear().transform, or with the same "
                "basis."
            )
        return self.rows


def read_weights_of(model: Any, what: str) -> Weights:
    """Read linear scores: a fitted linear model, a model with ``as_linear``, a `LinearForm`, or (coef, intercept)."""
    if isinstance(model, tuple) and len(model) == 2:
        return _checked(*model, (), f"the {what} (coef, intercept)", what)
    name = type(model).__name__
    if hasattr(model, "coef_") and hasattr(model, "intercept_"):
        return _checked(model.coef_, model.intercept_, (), f"the {what}, a {name},", what)
    if not hasattr(model, "coef") and hasattr(model, "as_linear"):
        model = model.as_linear()
    if hasattr(model, "coef") and hasattr(model, "intercept"):
        names = tuple(str(title) for title in getattr(model, "feature_names", ()))
        return _checked(model.coef, model.intercept, names, f"the {what}, a {name},", what)
    raise DataError(
        f"{what} must be a fitted linear model, a model with as_linear(), the result of as_linear(), or "
        f"(coef, intercept), not {model!r}."
    )


def _checked(coef: Any, intercept: Any, names: tuple[str, ...], source: str, what: str) -> Weights:
    weights = np.atleast_2d(np.array(read_numbers(coef, f"{what}: coef")))
    lead = np.atleast_1d(np.array(read_numbers(intercept, f"{what}: intercept")))
    if weights.ndim != 2 or lead.shape not in ((1,), weights.shape[:1]):
        raise DataError(
            f"{what}: coef must have shape (1, d) for two classes or (K, d) for more, and intercept (1,) or (K,); they "
            f"have shapes {weights.shape} and {lead.shape}."
        )
    if not (np.isfinite(weights).all() and np.isfinite(lead).all()):
        raise DataError(f"{source} has weights that are not finite.")
    return Weights(weights, np.broadcast_to(lead, weights.shape[:1]).copy(), names, source)
