"""What a table classifier answers, in the frame's own columns: predictions, summaries, explanations, inference."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from posteriori.estimators.prediction_frame import prediction_frame, spread_over
from posteriori.estimators.tables.forwarding import HandedOn
from posteriori.estimators.tables.learning import coded_by
from posteriori.input.coding.coding import Frame
from posteriori.input.frames.alignment import positional
from posteriori.input.frames.native import as_frame, pick, refuse_absent
from posteriori.input.frames.row_selection import kept_rows, only
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.models.explanation import Explanation


def inner_has(name: str) -> Any:
    """Offer a method only where the classifier inside has it."""

    def there(self: "TableAnswers") -> bool:
        getattr(vars(self).get("estimator_", self.estimator), name)
        return True

    return available_if(there)


class TableAnswers(HandedOn):
    """The answers of a fitted `TableClassifier`; its attributes are documented there."""

    target_: str | None
    offset_: str | None
    n_rows_: int
    n_dropped_: int

    def _given(self, X: Any, offset: Any) -> tuple[Any, dict[str, Any]]:
        """Code new rows as the fit coded its own, picking columns by name."""
        check_is_fitted(self)
        frame = as_frame(X)
        if self.coding_ is None or frame is None:
            if self.coding_ is not None:
                raise DataError("this model was fitted on a frame: give a frame with the columns "
                                f"{quote(list(self.coding_.names), most=20)}.")  # fmt: skip
            return X, {} if offset is None else {"offset": offset}
        offset = self._offset_in(frame, offset)
        extras = {} if offset is None else {"offset": self._in_order(X, pick(frame, offset), "offset")}
        return self._coded_rows(frame), extras

    def _offset_in(self, frame: Frame, offset: Any) -> Any:
        """Return the offset asked for, or the name of the column of the fit's offset."""
        return self.offset_ if offset is None else offset

    def _coded_rows(self, frame: Frame) -> Any:
        """Code rows as the fit coded its own; the columns that it used must be there."""
        assert self.coding_ is not None
        refuse_absent(self.coding_.names, frame.columns)
        return coded_by(self.coding_, frame)

    def predict(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Give the class of each row."""
        rows, extras = self._given(X, offset)
        predicted: NDArray[Any] = self.estimator_.predict(rows, **extras)
        return predicted

    @inner_has("predict_proba")
    def predict_proba(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Give P(class | row), (n, K) in the order of ``classes_``."""
        rows, extras = self._given(X, offset)
        probabilities: NDArray[Any] = self.estimator_.predict_proba(rows, **extras)[:, self.order_]
        return probabilities

    @inner_has("predict_log_proba")
    def predict_log_proba(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Give log P(class | row), (n, K) in the order of ``classes_``."""
        rows, extras = self._given(X, offset)
        logs: NDArray[Any] = self.estimator_.predict_log_proba(rows, **extras)[:, self.order_]
        return logs

    @inner_has("decision_function")
    def decision_function(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Give scores whose sign, or argmax, is the prediction."""
        rows, extras = self._given(X, offset)
        scores: NDArray[Any] = self.estimator_.decision_function(rows, **extras)
        return scores[:, self.order_] if scores.ndim == 2 else -scores if self._turned else scores

    @inner_has("predict_interval")
    def predict_interval(self, X: Any, level: float = 0.95, offset: Any = None, **more: Any) -> NDArray[Any]:
        """Give intervals for the probability of each class, (n, K, 2), as the classifier inside does."""
        rows, extras = self._given(X, offset)
        bounds: NDArray[Any] = self.estimator_.predict_interval(rows, level, **extras, **more)
        return bounds[:, self.order_]

    def predict_frame(self, X: Any, level: float | None = None, offset: Any = None, **more: Any) -> Any:
        """Return a frame of the library X came from: the prediction, the probability of each class, intervals if asked.

        With ``missing="drop"`` a row with a missing value in a column used has neither prediction nor probabilities.

        Parameters
        ----------
        X : (n, d) frame
        level : of the intervals, such as 0.95; None for none
        offset : as in `predict`
        more : kind and covariance, as the ``predict_interval`` of the classifier inside takes them
        """
        frame = as_frame(X)
        if frame is None or self.coding_ is None or (whole := self._complete(frame)).all():
            return prediction_frame(self, X, level, **({} if offset is None else {"offset": offset}), **more)
        extras = dict(more)
        if (offset := self._offset_in(frame, offset)) is not None:
            extras["offset"] = positional(only(self._in_order(X, pick(frame, offset), "offset"), whole))
        rows = positional(kept_rows(frame, whole).to_native())
        return spread_over(prediction_frame(self, rows, level, **extras), whole, frame)

    @inner_has("summary")
    def summary(self, *, reference: Any = None, **asked: Any) -> Any:
        """Give the table of coefficients over the frame's own columns, as the classifier inside does.

        Parameters
        ----------
        reference : the class that the others are compared with; with ``positive`` by default the other class
        asked : level, exponentiate, covariance, interval as for `LogisticRegression.summary`; X, y, sample_weight,
            offset, groups of the fit where they are needed, X a frame, the others values or names of its columns
        """
        check_is_fitted(self)
        asked = self._translated(asked)
        if reference is None and self._turned:
            reference = self.classes_[0]
        extra = {} if reference is None else {"reference": reference}
        found = self.estimator_.summary(**extra, **asked)
        if self.n_dropped_ and hasattr(found, "excluding"):
            found = found.excluding(self.n_dropped_, self.n_rows_)
        return found if self.target_ is None or not hasattr(found, "target") else replace(found, target=self.target_)

    @inner_has("explain")
    def explain(self, X: Any, offset: Any = None) -> Explanation:
        """Take the log odds (two classes) or scores (more) of each row apart into what each column contributes.

        The columns are those of the frame: what the columns of zeros and ones of a category contribute is summed. With
        a formula they are its terms.

        Book: [Mitchell] Eq. 22, §3.1; [Bishop] §4.1.1.

        Returns
        -------
        Explanation : ``contributions`` (n, d) for two classes and (n, K, d) for more, ``baseline``, ``names``
        """
        rows, extras = self._given(X, offset)
        told: Explanation = self.estimator_.explain(rows, **extras)
        if self.coding_ is not None:
            told = told.gathered(dict(zip(self.coding_.names_out, self.coding_.sources, strict=True)))
        frame = as_frame(X)
        told = told.ordered(self.order_)
        return told if frame is None else replace(told, native=str(frame.implementation.value))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Name the columns that the classifier inside takes; of an array x0, x1 and so on.

        Parameters
        ----------
        input_features : the columns of the frame once more, as scikit-learn asks; others are refused
        """
        check_is_fitted(self)
        known = _check_feature_names_in(self, input_features)
        return np.array(known if self.coding_ is None else self.coding_.names_out, dtype=object)

    @property
    def fit_status_(self) -> str:
        """How the fit went, as the classifier inside says."""
        status: str = self.estimator_.fit_status_
        return status

    @property
    def fit_notes_(self) -> list[Any]:
        """What the fit has to say about itself."""
        notes: list[Any] = self.estimator_.fit_notes_
        return notes
