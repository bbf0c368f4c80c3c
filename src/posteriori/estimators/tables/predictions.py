"""`TablePredictions`: predictions, summaries and explanations of a table classifier, for the columns of the frame."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from posteriori.estimators.prediction_frame import expanded, prediction_frame
from posteriori.input.frames.alignment import positional
from posteriori.input.frames.native import as_frame, native_of, pick
from posteriori.input.frames.row_selection import filter_rows, filter_values
from posteriori.models.explanation import Explanation


def inner_has(name: str) -> Any:
    """Return a decorator: a method is available if the inner classifier has the one of this name."""

    def check(self: "TablePredictions") -> bool:
        getattr(vars(self).get("estimator_", self.estimator), name)
        return True

    return available_if(check)


if TYPE_CHECKING:
    from posteriori.estimators.tables.forwarding import Forwarding as Methods  # whose methods the mixin uses
else:
    Methods = object


class TablePredictions(Methods):
    """A mixin: the predictions of a fitted `TableClassifier`, where its attributes are documented."""

    n_rows_: int
    n_dropped_: int

    def _call_inner(self, method: str, X: Any, offset: Any, *arguments: Any, **named: Any) -> Any:
        """Call a method of the inner classifier with coded rows."""
        rows, extras = self._inner_input(X, offset)
        return getattr(self.estimator_, method)(rows, *arguments, **extras, **named)

    def predict(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Return the class of each row."""
        labels: NDArray[Any] = self._call_inner("predict", X, offset)
        return labels

    @inner_has("predict_proba")
    def predict_proba(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Return P(class | row), (n, K) in the order of ``classes_``."""
        probabilities: NDArray[Any] = self._call_inner("predict_proba", X, offset)[:, self.order_]
        return probabilities

    @inner_has("predict_log_proba")
    def predict_log_proba(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Return log P(class | row), (n, K) in the order of ``classes_``."""
        logs: NDArray[Any] = self._call_inner("predict_log_proba", X, offset)[:, self.order_]
        return logs

    @inner_has("decision_function")
    def decision_function(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Return scores whose sign, or argmax, is the prediction."""
        scores: NDArray[Any] = self._call_inner("decision_function", X, offset)
        return scores[:, self.order_] if scores.ndim == 2 else -scores if self._reversed else scores

    @inner_has("predict_interval")
    def predict_interval(self, X: Any, level: float = 0.95, offset: Any = None, **more: Any) -> NDArray[Any]:
        """Return the inner classifier's intervals for the probability of each class, (n, K, 2)."""
        bounds: NDArray[Any] = self._call_inner("predict_interval", X, offset, level, **more)[:, self.order_]
        return bounds

    def predict_frame(self, X: Any, level: float | None = None, offset: Any = None, **more: Any) -> Any:
        """Return a frame of the library of X: the prediction, the probability of each class, and intervals for a level.

        With ``missing="drop"`` a row with a missing value in a column used has neither prediction nor probabilities.

        Parameters
        ----------
        X : (n, d) frame
        level : level of the intervals, such as 0.95; None for no intervals
        offset : as in `predict`
        more : kind and covariance, as in the ``predict_interval`` of the inner classifier
        """
        frame = as_frame(X)
        if frame is None or self.coding_ is None or (complete := self._complete(frame)).all():
            return prediction_frame(self, X, level, **({} if offset is None else {"offset": offset}), **more)
        offset = self.offset_ if offset is None else offset
        if offset is not None:
            more["offset"] = positional(filter_values(self._in_order(X, pick(frame, offset), "offset"), complete))
        rows = positional(filter_rows(frame, complete).to_native())
        return expanded(prediction_frame(self, rows, level, **more), complete, frame)

    @inner_has("summary")
    def summary(self, *, reference: Any = None, **options: Any) -> Any:
        """Return the table of coefficients of the inner classifier, for the columns of the frame.

        Parameters
        ----------
        reference : the class that the others are compared with; with ``positive`` by default the other class
        options : level, exponentiate, covariance, interval as for `LogisticRegression.summary`; X, y, sample_weight,
            offset, groups of the fit if they are needed: X a frame, the others values or names of its columns
        """
        check_is_fitted(self)
        options = self._inner_arguments(options)
        if reference is None and self._reversed:
            reference = self.classes_[0]
        table = self.estimator_.summary(**({} if reference is None else {"reference": reference}), **options)
        if self.n_dropped_ and hasattr(table, "excluding"):
            table = table.excluding(self.n_dropped_, self.n_rows_)
        return table if self.target_ is None or not hasattr(table, "target") else replace(table, target=self.target_)

    @inner_has("explain")
    def explain(self, X: Any, offset: Any = None) -> Explanation:
        """Return the contribution of each column to the log odds (two classes) or scores (more) of each row.

        The columns are those of the frame: the contributions of the indicator columns of a category are summed. With a
        formula they are its terms.

        Book: [Mitchell] Eq. 22, §3.1; [Bishop] §4.1.1.

        Returns
        -------
        Explanation : ``contributions`` (n, d) for two classes and (n, K, d) for more, ``baseline``, ``names``
        """
        explanation: Explanation = self._call_inner("explain", X, offset)
        if self.coding_ is not None:
            explanation = explanation.gathered(dict(zip(self.coding_.names_out, self.coding_.sources, strict=True)))
        explanation = explanation.ordered(self.order_)
        return replace(explanation, native=native_of(X) or explanation.native)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns of the inner classifier; for an array x0, x1 and so on.

        Parameters
        ----------
        input_features : the columns of the frame, as in scikit-learn; raises for others
        """
        check_is_fitted(self)
        known = _check_feature_names_in(self, input_features)
        return np.array(known if self.coding_ is None else self.coding_.names_out, dtype=object)

    @property
    def fit_status_(self) -> str:
        """The status of the inner fit."""
        status: str = self.estimator_.fit_status_
        return status

    @property
    def fit_notes_(self) -> list[Any]:
        """The notes of the inner fit."""
        notes: list[Any] = self.estimator_.fit_notes_
        return notes
