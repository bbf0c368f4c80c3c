"""`TableClassifier`: any classifier, given a frame with columns of all kinds."""

from dataclasses import replace
from typing import Any, Self

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from posteriori.tables.coding import Coding, Frame, check_choices, learn_coding
from posteriori.tables.errors import DataError
from posteriori.tables.frames import as_frame, frame_of, pick, refuse_absent
from posteriori.tables.notes import listed
from posteriori.tables.rows import kept_rows, no_label, only, size_of
from posteriori.tables.weights import read_weights


def _inner_has(name: str) -> Any:
    def there(self: "TableClassifier") -> bool:
        getattr(vars(self).get("estimator_", self.estimator), name)
        return True

    return available_if(there)


class TableClassifier(ClassifierMixin, BaseEstimator):
    """A classifier over the columns of a DataFrame: numbers, text, categories and truth values, with gaps.

    Numbers stay. Text, categories and booleans become columns of zeros and ones against a reference level,
    or go as they are to models that take categories (`NaiveBayes`).

    Parameters
    ----------
    estimator : a classifier, of this library or of scikit-learn
    types : "auto" | {column: "number" | "category" | "boolean"}
        "auto" tells a column's kind from its type in the frame.
    reference : "first" | "most-frequent" | {column: level}
        The level of a category that has no column of its own.
    missing : "auto" | "drop" | "indicator"
        What to do about gaps: leave them to a model that can use them and refuse them otherwise; leave their
        rows out of the fit; or fill them (mean, reference level) and add a column that marks them.
    positive : label, optional
        Of two classes, the one listed last in ``classes_``, whose log odds the model describes.

    Attributes
    ----------
    classes_ : (K,) the classes
    estimator_ : the fitted classifier
    coding_ : how the columns of the frame are coded; None when fitted on an array
    feature_names_in_, n_features_in_ : the columns of the frame that are used
    n_rows_, weight_, n_dropped_ : rows learned from, their total weight, rows left out because of gaps
    target_, offset_ : names of the columns of the frame that hold the classes and the offset, or None

    Examples
    --------
    >>> import pandas as pd
    >>> import posteriori as pt
    >>> frame = pd.DataFrame({"color": ["red", "blue", "red", "blue"], "size": [1.0, 2.0, 3.0, 4.0]})
    >>> model = pt.TableClassifier(pt.LogisticRegression(prior=1.0)).fit(frame, ["no", "no", "yes", "yes"])
    >>> model.get_feature_names_out().tolist()
    ['color=red', 'size']
    >>> model.predict(frame).tolist()
    ['no', 'no', 'yes', 'yes']
    """

    def __init__(
        self,
        estimator: Any,
        *,
        types: Any = "auto",
        reference: Any = "first",
        missing: str = "auto",
        positive: Any = None,
    ) -> None:
        self.estimator = estimator
        self.types = types
        self.reference = reference
        self.missing = missing
        self.positive = positive

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.classifier_tags = inner.classifier_tags
        return tags

    # --- learning

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, offset: Any = None) -> Self:
        """Learn from the rows of a frame.

        Parameters
        ----------
        X : (n, d) frame (pandas, polars, Arrow), or an array of numbers
        y : (n,) classes, or the name of a column of the frame
        sample_weight : (n,) weights, or the name of a column of the frame
        offset : added to the linear predictor, for models that take one; values or the name of a column

        Returns
        -------
        The fitted classifier itself
        """
        check_choices(self.types, self.reference, self.missing)
        frame = as_frame(X)
        rows: Any = X
        columns = [value if isinstance(value, str) else None for value in (y, sample_weight, offset)]
        if frame is not None:
            y, sample_weight, offset = (pick(frame, value) for value in (y, sample_weight, offset))
            rows = frame.drop([name for name in columns if name is not None])
        coding, given, n_dropped = self._code(rows, y, sample_weight, offset)
        inner = clone(self.estimator)
        try:
            inner.fit(given["X"], given["y"], **self._extras(inner, given))
        except DataError as error:
            if columns[0] is None:
                raise
            raise type(error)(str(error).replace("target 'y'", f"target {columns[0]!r}")) from error
        return self._adopt(inner, coding, given, n_dropped_=n_dropped, target_=columns[0], offset_=columns[2])

    def preview(self, X: Any) -> Coding:
        """Tell how the columns of a frame (without target and weights) would be coded."""
        check_choices(self.types, self.reference, self.missing)
        frame = as_frame(X)
        if frame is None:
            raise DataError("only the columns of a frame are coded; arrays are taken as numbers.")
        return self._learn(frame, None, np.ones(len(frame), np.bool_))

    def _code(self, rows: Any, y: Any, weight: Any, offset: Any) -> tuple[Coding | None, dict[str, Any], int]:
        """Leave out the rows that do not count, learn the coding from the others, and code them."""
        if not isinstance(rows, nw.DataFrame):
            return None, {"X": rows, "y": y, "sample_weight": weight, "offset": offset}, 0
        weights = read_weights(weight, len(rows))
        counted = np.ones(len(rows), np.bool_) if weights is None else weights > 0
        coding = self._learn(rows, weights, counted)
        n_dropped = 0
        if self.missing == "drop":
            gaps = [np.isnan(column.cells(rows[column.name])) for column in coding.columns]
            whole = ~np.any([*gaps, no_label(y, len(rows))], axis=0)
            n_dropped = int((counted & ~whole).sum())
            counted &= whole
            if not counted.any():
                raise DataError(f"every row has a gap: all {n_dropped} would be left out. Use missing: indicator.")
            coding = self._learn(rows, weights, counted)
        kept = kept_rows(rows, counted)
        given = {
            name: only(value, counted) for name, value in (("y", y), ("sample_weight", weights), ("offset", offset))
        }
        return coding, {"X": coding.apply(kept, learning=True).to_native(), **given}, n_dropped

    def _learn(self, rows: Frame, weights: Any, counted: NDArray[np.bool_]) -> Coding:
        takes_categories = bool(getattr(self.estimator, "_takes_categories", False))
        coding = learn_coding(
            kept_rows(rows, counted),
            types=self.types,
            reference=self.reference,
            missing=self.missing,
            treatment=not takes_categories,
            passes_gaps=bool(get_tags(self.estimator).input_tags.allow_nan) and self.missing != "drop",
            weights=None if weights is None else weights[counted],
        )
        names = coding.names_out
        if not names:
            raise DataError(
                f"no column is left to learn from: of {listed(list(coding.names))} each has one level only."
            )
        if len(set(names)) < len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise DataError(f"coding gives two columns the name {listed(twice)}; rename a column of the frame.")
        return coding

    def _extras(self, inner: Any, given: dict[str, Any]) -> dict[str, Any]:
        extras = {name: given[name] for name in ("sample_weight", "offset") if given[name] is not None}
        for name in extras:
            if not has_fit_parameter(inner, name):
                raise DataError(f"{type(inner).__name__} takes no {name}.")
        return extras

    def _adopt(self, inner: Any, coding: Coding | None, given: dict[str, Any], **learned: Any) -> Self:
        """Replace whatever an earlier fit learned by this."""
        order = self._class_order(inner.classes_)
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("__")]:
            delattr(self, name)
        for name, value in learned.items():
            setattr(self, name, value)
        self.estimator_, self.coding_ = inner, coding
        self.order_, self.classes_ = order, inner.classes_[order]
        self.n_rows_, self.weight_ = size_of(given)
        if coding is None:
            self.n_features_in_ = inner.n_features_in_
            if hasattr(inner, "feature_names_in_"):
                self.feature_names_in_ = inner.feature_names_in_
        else:
            self.feature_names_in_ = np.array(coding.names, dtype=object)
            self.n_features_in_ = len(coding.names)
        return self

    def _class_order(self, classes: NDArray[Any]) -> NDArray[np.intp]:
        if self.positive is None:
            return np.arange(len(classes))
        at = np.flatnonzero(classes == self.positive)
        if len(classes) != 2 or len(at) != 1:
            raise DataError(
                f"positive={self.positive!r} must be one of two classes; the classes are {listed(classes.tolist())}."
            )
        return np.array([1 - at[0], at[0]])

    # --- predicting

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

    @_inner_has("predict_proba")
    def predict_proba(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Give P(class | row), (n, K) in the order of ``classes_``."""
        rows, extras = self._given(X, offset)
        probabilities: NDArray[Any] = self.estimator_.predict_proba(rows, **extras)[:, self.order_]
        return probabilities

    @_inner_has("predict_log_proba")
    def predict_log_proba(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Give log P(class | row), (n, K) in the order of ``classes_``."""
        rows, extras = self._given(X, offset)
        logs: NDArray[Any] = self.estimator_.predict_log_proba(rows, **extras)[:, self.order_]
        return logs

    @_inner_has("decision_function")
    def decision_function(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Give scores whose sign, or argmax, is the prediction."""
        rows, extras = self._given(X, offset)
        scores: NDArray[Any] = self.estimator_.decision_function(rows, **extras)
        return scores[:, self.order_] if scores.ndim == 2 else scores if self.order_[0] == 0 else -scores

    def predict_frame(self, X: Any, offset: Any = None) -> Any:
        """Give a frame of the library X came from: the prediction, then the probability of each class."""
        predicted, probabilities = self.predict(X, offset), self.predict_proba(X, offset)
        names = [str(label) for label in self.classes_.tolist()]
        if "prediction" in names or len(set(names)) < len(names):
            names = [f"P({label!r})" for label in self.classes_.tolist()]
        columns = {"prediction": predicted, **dict(zip(names, probabilities.T, strict=True))}
        return frame_of(columns, like=as_frame(X))

    @_inner_has("summary")
    def summary(self, *, reference: Any = None, **asked: Any) -> Any:
        """Give the table of coefficients over the frame's own columns, as the classifier inside does.

        Parameters
        ----------
        reference : the class that the others are compared with; with ``positive`` by default the other class
        asked : level, exponentiate, covariance, interval as for `LogisticRegression.summary`; X, y, sample_weight,
            offset, groups of the fit where they are needed, X a frame, the others values or names of its columns
        """
        check_is_fitted(self)
        rows = [name for name in ("y", "sample_weight", "offset", "groups") if asked.get(name) is not None]
        if asked.get("X") is not None:
            X, frame = asked["X"], as_frame(asked["X"])
            asked |= {name: asked[name] if frame is None else pick(frame, asked[name]) for name in rows}
            coded, extras = self._given(X, asked.get("offset"))
            asked |= {"X": coded, **extras}
        if reference is None and self.order_[0] != 0:
            reference = self.classes_[0]
        found = self.estimator_.summary(reference=reference, **asked)
        return found if self.target_ is None else replace(found, target=self.target_)

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
