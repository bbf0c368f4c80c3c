"""`Forwarding`: attributes and methods of the inner classifier of a table, for the columns of the frame."""

from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.inference.coefficients.effects import refuse_derived
from posteriori.input.coding.choices import coded_extra
from posteriori.input.coding.coding import Coding, Frame
from posteriori.input.formula.coding import FormulaCoding
from posteriori.input.formula.target import pick_target
from posteriori.input.frames.alignment import aligned, positional
from posteriori.input.frames.native import as_frame, pick, refuse_absent
from posteriori.input.frames.row_selection import filter_rows, filter_values, missing_labels
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.tables.features import no_columns

#: Names of the inner classifier whose values do not depend on the order of the classes.
NEUTRAL = (
    "n_parameters_", "n_iter_", "solution_", "information_", "coefficient_names_", "coefficient_labels_",
    "log_likelihood_", "null_log_likelihood_", "deviance_", "null_deviance_", "aic_", "bic_", "log_evidence_",
    "covariance", "standard_errors", "wald_test", "score_test", "pseudo_r2", "influence", "residuals",
    "classification_margins", "margins", "log_density", "table", "is_ambiguous", "_fitted", "_sketch",
    "_refuse_other_rows", "_restricted_statistic",
)  # fmt: skip
#: Names with one value per class, which are put into the order of ``classes_``.
BY_CLASS = ("class_priors_",)
#: Methods that return such values for rows, (n, K).
ROWS_BY_CLASS = ("votes",)
#: Names whose values change sign with the order of two classes. They are available unless the inner classifier, of
#: another library, has the positive class first.
SIGNED = (
    "coef_", "intercept_", "infinite_", "confidence_interval", "odds_ratios", "marginal_effects", "signed_distance",
    "linear_predictor", "mahalanobis",
)  # fmt: skip


class Forwarding:
    """A mixin: attributes and methods of the inner classifier, if it has them, with frames coded for it."""

    estimator: Any
    estimator_: Any
    coding_: Coding | FormulaCoding | None
    classes_: NDArray[Any]
    order_: NDArray[np.intp]

    missing: str
    target_: str | None
    offset_: str | None

    def _inner_input(self, X: Any, offset: Any) -> tuple[Any, dict[str, Any]]:
        """Return rows coded as in the fit, and the offset, if any, by name; columns are selected by name."""
        check_is_fitted(self)
        frame = as_frame(X)
        if self.coding_ is None:
            return X, {} if offset is None else {"offset": offset}
        if frame is None:
            raise DataError("this model was fitted to a frame: pass a frame with the columns "
                            f"{quote(list(self.coding_.names), most=20)}.")  # fmt: skip
        offset = self.offset_ if offset is None else offset
        extras = {} if offset is None else {"offset": self._in_order(X, pick(frame, offset), "offset")}
        return self._coded_rows(frame), extras

    def _coded_rows(self, frame: Frame) -> Any:
        """Code rows as in the fit; raise if columns of the fit are absent."""
        assert self.coding_ is not None
        refuse_absent(self.coding_.names, frame.columns)
        return coded_by(self.coding_, frame)

    @property
    def _reversed(self) -> bool:
        """Whether the inner classifier has two classes in the other order."""
        return bool(self.order_[0] != 0)

    def _inner_arguments(self, arguments: dict[str, Any], aggregate: bool = True) -> dict[str, Any]:
        """Return arguments for the inner classifier: X coded, columns named in y, weights and so on by their values.

        For an `aggregate` over rows, rows that the fit drops for missing values are dropped.
        """
        if "R" in arguments:
            arguments = {**arguments, "R": self._coefficients(arguments["R"])}
        X = arguments.get("X")
        if X is None:
            return arguments
        frame = as_frame(X)
        if frame is None or self.coding_ is None:
            rows, extras = self._inner_input(X, arguments.get("offset"))
            return {**arguments, "X": rows, **extras}
        columns = {name: arguments.get(name) for name in ("y", "sample_weight", "groups", "offset")}
        columns["offset"] = self.offset_ if columns["offset"] is None else columns["offset"]
        values = {
            name: self._in_order(X, pick_target(frame, value) if name == "y" else pick(frame, value), name)
            for name, value in columns.items()
            if value is not None
        }
        if arguments.get("extra") is not None:
            values["extra"] = coded_extra(frame, aligned(X, arguments["extra"], "extra"))
        if aggregate:
            complete = self._complete(frame) & self._labelled(frame, values.get("y"))
            frame = filter_rows(frame, complete)
            values = {name: positional(filter_values(value, complete)) for name, value in values.items()}
        return {**arguments, **values, "X": self._coded_rows(frame)}

    @staticmethod
    def _in_order(X: Any, values: Any, name: str) -> Any:
        """Return values in the order of the rows of X, without their index."""
        return positional(aligned(X, values, name))

    def _complete(self, frame: Frame) -> NDArray[np.bool_]:
        """Return which rows have no missing values in the columns used; all rows, unless ``missing="drop"``."""
        complete = np.ones(len(frame), np.bool_)
        if self.missing == "drop" and self.coding_ is not None:
            refuse_absent(self.coding_.names, frame.columns)
            for cells in self.coding_.cells(frame).values():
                complete &= ~np.isnan(cells)
        return complete

    def _labelled(self, frame: Frame, y: Any) -> NDArray[np.bool_]:
        """Return which rows have a class, y or the target column of the fit; all rows, unless ``missing="drop"``."""
        if y is None and self.target_ in frame.columns:
            y = frame[self.target_].to_native()
        without = missing_labels(y, len(frame))
        return ~without if self.missing == "drop" and not without.all() else np.ones(len(frame), np.bool_)

    def _coefficients(self, names: Any) -> Any:
        """Return the coefficients of columns of the frame, or of terms of the formula; other values are unchanged."""
        labels = [names] if isinstance(names, str) else names
        if self.coding_ is None or not isinstance(labels, list | tuple):
            return names
        coefficients: dict[str, list[str]] = {}
        for name, source in zip(self.coding_.names_out, self.coding_.sources, strict=True):
            coefficients.setdefault(source, []).append(name)
        own = {*self.coding_.names_out, *self.coefficient_labels_}
        return [
            coefficient
            for name in labels
            for coefficient in (coefficients.get(name, [name]) if isinstance(name, str) and name not in own else [name])
        ]

    def __getattr__(self, name: str) -> Any:
        """Return an attribute or method of the inner classifier; methods take frames."""
        if name not in (*NEUTRAL, *BY_CLASS, *ROWS_BY_CLASS, *SIGNED) or "estimator_" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name in SIGNED and self._reversed:
            raise AttributeError(
                f"with positive={self.classes_[1]!r} {name} would have the opposite sign: use summary(), or "
                f"estimator_.{name}, which is for {self.classes_[0]!r}"
            )
        value = getattr(self.estimator_, name)
        if name in BY_CLASS:
            return value[self.order_]
        return self._forwarded(name, value) if callable(value) and name != "_fitted" else value

    def _forwarded(self, name: str, method: Any) -> Any:
        """Return a method of the inner classifier as one that takes frames."""
        parameters = signature(method).parameters
        more = next((each.name for each in parameters.values() if each.kind is each.VAR_KEYWORD), None)
        aggregate = "y" in parameters or more is not None or name == "marginal_effects"

        def forwarded(*arguments: Any, **named: Any) -> Any:
            if name == "marginal_effects" and self.coding_ is not None:
                refuse_derived(self.coding_.derived)
            bound = signature(method).bind_partial(*arguments, **named).arguments
            further = {} if more is None else bound.pop(more, {})
            bound = self._inner_arguments({**bound, **further}, aggregate)
            if "offset" not in parameters and more is None:
                bound.pop("offset", None)  # a model that needs one then raises its own error
            result = method(**bound)
            return result[:, self.order_] if name in ROWS_BY_CLASS else result

        forwarded.__doc__ = method.__doc__
        return forwarded


def coded_by(coding: Coding | FormulaCoding, rows: Frame, *, learning: bool = False) -> Any:
    """Code the rows of a frame for the inner classifier; for a null model, return rows without columns."""
    if not coding.names_out:
        return no_columns(len(rows))
    return positional(coding.apply(rows, learning=learning).to_native())
