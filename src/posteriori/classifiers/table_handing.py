"""What a table classifier hands on of the classifier inside, in the frame's own columns: coefficients, tests, rows."""

from abc import abstractmethod
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.tables.coding import Coding
from posteriori.tables.coding_choices import coded_extra
from posteriori.tables.formula_coding import FormulaCoding
from posteriori.tables.frames import as_frame, pick

#: What the classifier inside knows that does not depend on the order of the classes …
NEUTRAL = (
    "n_parameters_", "n_iter_", "solution_", "information_", "coefficient_names_", "coefficient_labels_",
    "log_likelihood_", "null_log_likelihood_", "deviance_", "null_deviance_", "aic_", "bic_", "log_evidence_",
    "covariance", "standard_errors", "wald_test", "score_test", "pseudo_r2", "influence", "residuals", "margins",
    "log_density", "table", "is_ambiguous", "_fitted", "_sketch", "_restricted_statistic",
)  # fmt: skip
#: … what is a value for each class, put into the order of ``classes_`` …
BY_CLASS = ("class_priors_",)
#: … or gives such values for rows, (n, K) …
ROWS_BY_CLASS = ("votes",)
#: … and what has a sign. It is handed on unless the classifier inside, being none of this library, lists the positive
#: class first.
SIGNED = (
    "coef_", "intercept_", "infinite_", "confidence_interval", "odds_ratios", "marginal_effects", "signed_distance",
    "linear_predictor", "mahalanobis",
)  # fmt: skip


class HandedOn:
    """Attributes and methods of the classifier inside, offered where it has them; frames are coded on the way."""

    estimator: Any
    estimator_: Any
    coding_: Coding | FormulaCoding | None
    classes_: NDArray[Any]
    order_: NDArray[np.intp]

    @abstractmethod
    def _given(self, X: Any, offset: Any) -> tuple[Any, dict[str, Any]]:
        """Code new rows as the fit coded its own, picking columns by name."""

    @property
    def _turned(self) -> bool:
        return bool(self.order_[0] != 0)

    def _translated(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Give arguments with X coded, what goes with it picked from its columns, columns by their coefficients."""
        if "R" in asked:
            asked = {**asked, "R": self._coefficients(asked["R"])}
        X = asked.get("X")
        if X is None:
            return asked
        frame = as_frame(X)
        picked = {
            name: asked[name] if frame is None else pick(frame, asked[name])
            for name in ("y", "sample_weight", "groups")
            if asked.get(name) is not None
        }
        if asked.get("extra") is not None:
            picked["extra"] = coded_extra(frame, asked["extra"])
        coded, extras = self._given(X, asked.get("offset"))
        return {**asked, **picked, "X": coded, **extras}

    def _coefficients(self, names: Any) -> Any:
        """Give the coefficients of columns of the frame, or terms of the formula, by name; anything else as it is."""
        asked = [names] if isinstance(names, str) else names
        if self.coding_ is None or not isinstance(asked, list | tuple):
            return names
        parts: dict[str, list[str]] = {}
        for name, source in zip(self.coding_.names_out, self.coding_.sources, strict=True):
            parts.setdefault(source, []).append(name)
        known = {*self.coding_.names_out, *self.coefficient_labels_}
        found = [parts.get(name, [name]) if isinstance(name, str) and name not in known else [name] for name in asked]
        return [part for some in found for part in some]

    def __getattr__(self, name: str) -> Any:
        """Hand on what the classifier inside knows of its coefficients and rows; frames are coded on the way."""
        if name not in (*NEUTRAL, *BY_CLASS, *ROWS_BY_CLASS, *SIGNED) or "estimator_" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name in SIGNED and self._turned:
            raise AttributeError(f"with positive={self.classes_[1]!r} {name} is of the class turned: ask summary(), or "
                                 f"estimator_.{name}, which describes {self.classes_[0]!r}")  # fmt: skip
        found = getattr(self.estimator_, name)
        if name in BY_CLASS:
            return found[self.order_]
        if not callable(found) or name == "_fitted":
            return found

        def handed_on(*arguments: Any, **named: Any) -> Any:
            taken = signature(found)
            given = taken.bind_partial(*arguments, **named).arguments
            rest = given.pop("rows", {})
            asked = self._translated({**given, **rest})
            if "offset" not in taken.parameters and "rows" not in taken.parameters:
                asked.pop("offset", None)  # a model with one then says that it needs one
            told = found(**asked)
            return told[:, self.order_] if name in ROWS_BY_CLASS else told

        handed_on.__doc__ = found.__doc__
        return handed_on
