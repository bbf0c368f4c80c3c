"""`TableClassifier`: any classifier on data frames with columns of all types."""

from dataclasses import field
from typing import Any, Self, cast

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from posteriori.estimators import scoring
from posteriori.estimators.parameters import parameters
from posteriori.estimators.tables.batches import MissingInFormula, fit_batches
from posteriori.estimators.tables.forwarding import Forwarding
from posteriori.estimators.tables.learning import TableLearning
from posteriori.estimators.tables.predictions import TablePredictions
from posteriori.estimators.wrappers.checks import require_classifier
from posteriori.input.coding.choices import check_choices
from posteriori.input.coding.coding import Coding
from posteriori.input.formula.coding import FormulaCoding
from posteriori.input.formula.parser.terms import read_formula
from posteriori.input.formula.target import pick_target
from posteriori.input.frames.alignment import positional
from posteriori.input.frames.batches import Batches, FrameBatches
from posteriori.input.frames.native import as_frame, pick, refuse_two_uses
from posteriori.input.frames.row_selection import filter_rows, filter_values, size_of
from posteriori.input.frames.training_rows import TrainingRows
from posteriori.messages.errors import DataError
from posteriori.storable import storable


@storable
@parameters()
class TableClassifier(TableLearning, TablePredictions, Forwarding, ClassifierMixin, BaseEstimator):
    """A classifier on the columns of a data frame: numbers, text, categories and booleans, with missing values.

    Numbers are unchanged. Text, categories and booleans are treatment-coded (indicator columns against a reference
    level), or passed unchanged to models that accept categories (`NaiveBayes`). Dates, and columns with a different
    value in every row, raise an error, since they are not features. With a formula the columns are those it names.

    Parameters
    ----------
    estimator : a classifier, of this library or of scikit-learn
    formula : str, optional
        Such as ``"low ~ age * smoke + C(race, Treatment('white')) + bs(lwt, df=4) - 1"``: the target and the terms,
        as in R. Factors of terms are columns, arithmetic inside ``I(...)``, ``C(...)``, functions such as log, exp and
        sqrt, center, scale, poly and the splines bs and cr; their levels, means and knots are those of the fit. A
        formula is never executed as code.
    types : "auto" | {column: "number" | "category" | "boolean" | "ignore"}
        "auto" uses the type of the column in the frame; "ignore" omits the column.
    reference : "first" | "most-frequent" | {column: level}
        The level without an indicator column. "first" is the first in the order of the type (the categories of pandas,
        an Enum of polars, an ordered dictionary of Arrow), else the first of the sorted levels.
    missing : "auto" | "drop" | "indicator"
        How to treat missing values: "auto" passes them to a model that accepts them and raises otherwise; "drop" omits
        their rows from the fit; "indicator" imputes them (mean, reference level) and adds an indicator column (not with
        a formula).
    positive : label, optional
        For two classes, the one coded as y = 1: it is last in ``classes_``, the coefficients are for its log odds, and
        with a link F its probability is F(eta). By default the class sorted last.

    Attributes
    ----------
    classes_ : (K,) the classes
    estimator_ : the fitted classifier
    coding_ : how the columns of the frame are coded; None when fitted on an array
    feature_names_in_, n_features_in_ : the columns of the frame that are used
    n_rows_, weight_, n_dropped_ : number of rows used, their total weight, number of rows dropped for missing values
    target_, offset_ : names of the columns of the classes and of the offset, or None
    coef_, covariance(), confidence_interval(), log_likelihood_, … : those of the inner classifier, if it has them

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

    estimator: Any = field(kw_only=False)
    formula: str | None = None
    types: Any = "auto"
    reference: Any = "first"
    missing: str = "auto"
    positive: Any = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.classifier_tags = inner.classifier_tags
        return tags

    # --- fitting

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, offset: Any = None) -> Self:
        """Fit to the rows of a frame.

        Parameters
        ----------
        X : (n, d) frame (pandas, polars, Arrow), or an array of numbers
        y : (n,) classes, or the name of a column of the frame
        sample_weight : (n,) weights, or the name of a column of the frame
        offset : added to the linear predictor, for models with an offset; values, or the name of a column

        Returns
        -------
        The fitted classifier itself
        """
        require_classifier(self.estimator, "estimator")
        check_choices(self.types, self.reference, self.missing)
        if isinstance(X, Batches):
            return cast("Self", fit_batches(self, X, [y, sample_weight, offset]))
        frame = as_frame(X)
        rows: Any = X
        columns = [value if isinstance(value, str) else None for value in (y, sample_weight, offset)]
        written = None
        if self.formula is not None:
            written, columns[0], y = self._read_formula(frame, columns, y)
        if frame is not None:
            refuse_two_uses(columns)
            y, sample_weight, offset = (
                self._in_order(X, pick(frame, value), name)
                for value, name in ((y, "y"), (sample_weight, "sample_weight"), (offset, "offset"))
            )
            rows = frame.drop([name for name in columns if name in frame.columns])
        coding, data, n_dropped = self._code(rows, y, sample_weight, offset, written)
        inner = self._unfitted(written)
        try:
            inner.fit(data["X"], self._ordered(data), **self._extras(inner, data))
        except DataError as error:
            if columns[0] is None:
                raise
            raise type(error)(str(error).replace("target 'y'", f"target {columns[0]!r}")) from error
        return self._adopt(inner, coding, size_of(data), n_dropped_=n_dropped, target_=columns[0], offset_=columns[2])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy: the fraction of rows, by weight, whose class is predicted.

        With ``missing="drop"`` rows with missing values in the columns used, or without a label, are omitted.

        Parameters
        ----------
        X : (n, d) rows
        y : (n,) labels, or the name of a column of the frame
        sample_weight : (n,) weights, zero or positive, or the name of a column of the frame
        """
        check_is_fitted(self)
        frame = as_frame(X)
        if frame is None or self.coding_ is None:
            return scoring.score(self, X, y, sample_weight)
        y = self._in_order(X, pick_target(frame, y), "y")
        weights = self._in_order(X, pick(frame, sample_weight), "sample_weight")
        complete = self._complete(frame) & self._labelled(frame, y)
        rows = X if complete.all() else positional(filter_rows(frame, complete).to_native())
        return scoring.score(
            self, positional(rows), positional(filter_values(y, complete)), positional(filter_values(weights, complete))
        )

    def preview(self, X: Any) -> Coding | FormulaCoding:
        """Return how the columns of a frame (without target and weights) would be coded."""
        check_choices(self.types, self.reference, self.missing)
        frame = None if isinstance(X, Batches) else as_frame(X)
        if not isinstance(X, Batches) and frame is None:
            raise DataError("only the columns of a frame are coded; arrays contain numbers.")
        rows: Batches = X if frame is None else FrameBatches(frame)
        written = None if self.formula is None else read_formula(self.formula, rows.names)
        if written is not None and self.missing == "drop":
            rows = TrainingRows(rows, target=None, incomplete=MissingInFormula(written))
        return self._learn(rows, written)
