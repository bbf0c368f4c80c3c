"""What a table classifier answers, in the frame's own columns: predictions, summaries, explanations, inference."""

from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from posteriori.classifiers.explanation import Explanation
from posteriori.classifiers.prediction_frame import prediction_frame
from posteriori.tables.coding import Coding
from posteriori.tables.errors import DataError
from posteriori.tables.formula_coding import FormulaCoding
from posteriori.tables.frames import as_frame, pick, refuse_absent
from posteriori.tables.notes import listed

#: What the classifier inside knows that does not depend on the order of the classes …
NEUTRAL = (
    "n_parameters_", "solution_", "information_", "coefficient_names_", "coefficient_labels_",
    "log_likelihood_", "null_log_likelihood_", "deviance_", "null_deviance_", "aic_", "bic_", "log_evidence_",
    "covariance", "standard_errors", "wald_test", "score_test", "pseudo_r2", "influence", "residuals", "margins",
    "log_density", "_fitted",
)  # fmt: skip
#: … what is a value for each class, put into the order of ``classes_`` …
BY_CLASS = ("class_priors_",)
#: … and what has a sign. It is handed on unless the classifier inside, being none of this library, lists the positive
#: class first.
SIGNED = (
    "coef_", "intercept_", "infinite_", "confidence_interval", "odds_ratios", "marginal_effects", "signed_distance",
    "linear_predictor", "mahalanobis",
)  # fmt: skip


def inner_has(name: str) -> Any:
    """Offer a method only where the classifier inside has it."""

    def there(self: "TableAnswers") -> bool:
        getattr(vars(self).get("estimator_", self.estimator), name)
        return True

    return available_if(there)


class TableAnswers:
    """The answers of a fitted `TableClassifier`; its attributes are documented there."""

    estimator: Any
    estimator_: Any
    coding_: Coding | FormulaCoding | None
    classes_: NDArray[Any]
    order_: NDArray[np.intp]
    target_: str | None
    offset_: str | None

    def _given(self, X: Any, offset: Any) -> tuple[Any, dict[str, Any]]:
        """Code new rows as the fit coded its own, picking columns by name."""
        check_is_fitted(self)
        frame = as_frame(X)
        if self.coding_ is None or frame is None:
            if self.coding_ is not None:
                raise DataError("this model was fitted on a frame: give a frame with the columns "
                                f"{listed(list(self.coding_.names), most=20)}.")  # fmt: skip
            return X, {} if offset is None else {"offset": offset}
        refuse_absent(self.coding_.names, frame.columns)
        if offset is None and self.offset_ is not None:
            offset = self.offset_
        extras = {} if offset is None else {"offset": pick(frame, offset)}
        return self.coding_.apply(frame).to_native(), extras

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

    def predict_frame(self, X: Any, level: float | None = None, offset: Any = None) -> Any:
        """Give a frame of the library X came from: the prediction, the probability of each class, intervals if asked.

        Parameters
        ----------
        X : (n, d) frame
        level : of the intervals, such as 0.95; None for none
        offset : as in `predict`
        """
        return prediction_frame(self, X, level, **({} if offset is None else {"offset": offset}))

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
        return found if self.target_ is None or not hasattr(found, "target") else replace(found, target=self.target_)

    @inner_has("explain")
    def explain(self, X: Any, offset: Any = None) -> Explanation:
        """Take the log odds (two classes) or scores (more) of each row apart into what each column contributes.

        The columns are those of the frame: what the columns of zeros and ones of a category contribute is summed. With
        a formula they are its terms.

        Book: [Mitchell] §3.1, Eq. 22; [Bishop] §4.1.1.

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
        """Name the columns that the classifier inside takes."""
        check_is_fitted(self)
        names = self.coding_.names_out if self.coding_ is not None else self.estimator_.feature_names_in_
        return np.array(names, dtype=object)

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

    # --- what the classifier inside knows besides

    @property
    def _turned(self) -> bool:
        return bool(self.order_[0] != 0)

    def _translated(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Give arguments with X coded, and what goes with it picked from its columns."""
        X = asked.get("X")
        if X is None:
            return asked
        frame = as_frame(X)
        picked = {
            name: asked[name] if frame is None else pick(frame, asked[name])
            for name in ("y", "sample_weight", "groups", "extra")
            if asked.get(name) is not None
        }
        coded, extras = self._given(X, asked.get("offset"))
        return {**asked, **picked, "X": coded, **extras}

    def __getattr__(self, name: str) -> Any:
        """Hand on what the classifier inside knows of its coefficients and rows; frames are coded on the way."""
        if name not in (*NEUTRAL, *BY_CLASS, *SIGNED) or "estimator_" not in vars(self):
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
            given = signature(found).bind_partial(*arguments, **named).arguments
            rest = given.pop("rows", {})
            return found(**self._translated({**given, **rest}))

        handed_on.__doc__ = found.__doc__
        return handed_on
