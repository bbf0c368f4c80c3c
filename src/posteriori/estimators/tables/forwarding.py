"""What a table classifier hands on of the classifier inside, in the frame's own columns: coefficients, tests, rows."""

from abc import abstractmethod
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.inference.coefficients.effects import refuse_derived
from posteriori.input.coding.choices import coded_extra
from posteriori.input.coding.coding import Coding, Frame
from posteriori.input.formula.coding import FormulaCoding
from posteriori.input.formula.target import pick_target
from posteriori.input.frames.alignment import aligned, positional
from posteriori.input.frames.native import as_frame, pick, refuse_absent
from posteriori.input.frames.row_selection import kept_rows, no_label, only

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

    missing: str
    target_: str | None

    @abstractmethod
    def _given(self, X: Any, offset: Any) -> tuple[Any, dict[str, Any]]:
        """Code new rows as the fit coded its own, picking columns by name."""

    @abstractmethod
    def _offset_in(self, frame: Frame, offset: Any) -> Any:
        """Return the offset asked for, or the column of the fit's offset."""

    @abstractmethod
    def _coded_rows(self, frame: Frame) -> Any:
        """Code rows as the fit coded its own; the columns that it used must be there."""

    @property
    def _turned(self) -> bool:
        return bool(self.order_[0] != 0)

    def _translated(self, asked: dict[str, Any], aggregate: bool = True) -> dict[str, Any]:
        """Give arguments with X coded, what goes with it picked from its columns, columns by their coefficients.

        Where an `aggregate` over rows is asked for, the rows that fit left out for missing values are left out here.
        """
        if "R" in asked:
            asked = {**asked, "R": self._coefficients(asked["R"])}
        X = asked.get("X")
        if X is None:
            return asked
        frame = as_frame(X)
        if frame is None or self.coding_ is None:
            coded, extras = self._given(X, asked.get("offset"))
            return {**asked, "X": coded, **extras}
        offset = self._offset_in(frame, asked.get("offset"))
        given = {**{name: asked.get(name) for name in ("y", "sample_weight", "groups")}, "offset": offset}
        picked = {
            name: self._in_order(X, pick_target(frame, value) if name == "y" else pick(frame, value), name)
            for name, value in given.items()
            if value is not None
        }
        if asked.get("extra") is not None:
            picked["extra"] = coded_extra(frame, aligned(X, asked["extra"], "extra"))
        if aggregate:
            whole = self._complete(frame) & self._labelled(frame, picked.get("y"))
            frame, picked = (
                kept_rows(frame, whole),
                {name: positional(only(value, whole)) for name, value in picked.items()},
            )
        return {**asked, **picked, "X": self._coded_rows(frame)}

    @staticmethod
    def _in_order(X: Any, values: Any, name: str) -> Any:
        """Return values in the order of the rows of X, without labels of rows."""
        return positional(aligned(X, values, name))

    def _complete(self, frame: Frame) -> NDArray[np.bool_]:
        """Mark the rows without missing values in the columns used; all rows, unless ``missing="drop"``."""
        whole = np.ones(len(frame), np.bool_)
        if self.missing == "drop" and self.coding_ is not None:
            refuse_absent(self.coding_.names, frame.columns)
            for cells in self.coding_.cells(frame).values():
                whole &= ~np.isnan(cells)
        return whole

    def _labelled(self, frame: Frame, y: Any) -> NDArray[np.bool_]:
        """Mark the rows whose class, y or the column of the fit, is there; all rows, unless ``missing="drop"``."""
        if y is None and self.target_ in frame.columns:
            y = frame[self.target_].to_native()
        without = no_label(y, len(frame))
        return ~without if self.missing == "drop" and not without.all() else np.ones(len(frame), np.bool_)

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
            if name == "marginal_effects" and self.coding_ is not None:
                refuse_derived(self.coding_.derived)
            taken = signature(found)
            given = taken.bind_partial(*arguments, **named).arguments
            rest = given.pop("rows", {})
            of_fit = "y" in taken.parameters or "rows" in taken.parameters or name == "marginal_effects"
            asked = self._translated({**given, **rest}, of_fit)
            if "offset" not in taken.parameters and "rows" not in taken.parameters:
                asked.pop("offset", None)  # a model with one then says that it needs one
            told = found(**asked)
            return told[:, self.order_] if name in ROWS_BY_CLASS else told

        handed_on.__doc__ = found.__doc__
        return handed_on
