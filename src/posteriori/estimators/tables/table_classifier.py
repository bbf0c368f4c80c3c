"""`TableClassifier`: any classifier, given a frame with columns of all kinds."""

from dataclasses import field
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from posteriori.estimators.parameters import parameters
from posteriori.estimators.scoring import ScoreMixin
from posteriori.estimators.tables.learning import TableLearning
from posteriori.estimators.tables.predictions import TableAnswers
from posteriori.estimators.wrappers.checks import require_classifier
from posteriori.input.coding.choices import check_choices
from posteriori.input.coding.coding import Coding
from posteriori.input.formula.coding import FormulaCoding
from posteriori.input.formula.learning import gaps_of
from posteriori.input.formula.parser.terms import read_formula
from posteriori.input.formula.target import pick_target
from posteriori.input.frames.alignment import positional
from posteriori.input.frames.native import as_frame, pick, refuse_two_uses
from posteriori.input.frames.row_selection import kept_rows, only
from posteriori.messages.errors import DataError
from posteriori.storable import storable


@storable
@parameters()
class TableClassifier(TableLearning, TableAnswers, ScoreMixin, BaseEstimator):
    """A classifier over the columns of a DataFrame: numbers, text, categories and truth values, with gaps.

    Numbers stay. Text, categories and booleans become columns of zeros and ones against a reference level,
    or go as they are to models that take categories (`NaiveBayes`). Dates, and columns with another value in every
    row, are refused with a sentence: they are no features. With a formula the columns are those it names.

    Parameters
    ----------
    estimator : a classifier, of this library or of scikit-learn
    formula : str, optional
        Such as ``"low ~ age * smoke + C(race, Treatment('white')) + bs(lwt, df=4) - 1"``: the target, and the terms
        whose columns the model takes, as in R. Factors are columns, arithmetic inside ``I(...)``, ``C(...)``, log,
        exp, sqrt and their like, center, scale, poly and the splines bs and cr; what they learn (levels, means, knots)
        is that of the fit. Nothing in a formula is run as code.
    types : "auto" | {column: "number" | "category" | "boolean" | "ignore"}
        "auto" tells a column's kind from its type in the frame; "ignore" leaves the column out.
    reference : "first" | "most-frequent" | {column: level}
        The level of a category that has no column of its own. The first is that of the order its type declares (the
        categories that pandas lists, an Enum of polars, an ordered dictionary of Arrow), else of the sorted levels.
    missing : "auto" | "drop" | "indicator"
        What to do about gaps: leave them to a model that can use them and refuse them otherwise; leave their
        rows out of the fit; or fill them (mean, reference level) and add a column that marks them (not with a formula).
    positive : label, optional
        Of two classes, the one coded y = 1: it is last in ``classes_``, the coefficients are those of its log odds,
        and through a link F its probability is F(eta). Without it that is the class sorted last.

    Attributes
    ----------
    classes_ : (K,) the classes
    estimator_ : the fitted classifier
    coding_ : how the columns of the frame are coded; None when fitted on an array
    feature_names_in_, n_features_in_ : the columns of the frame that are used
    n_rows_, weight_, n_dropped_ : rows learned from, their total weight, rows left out because of gaps
    target_, offset_ : names of the columns of the frame that hold the classes and the offset, or None
    coef_, covariance(), confidence_interval(), log_likelihood_, … : what the classifier inside has of these

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
        require_classifier(self.estimator, "estimator")
        check_choices(self.types, self.reference, self.missing)
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
        coding, given, n_dropped = self._code(rows, y, sample_weight, offset, written)
        inner = self._unfitted(written)
        try:
            inner.fit(given["X"], self._coded(given), **self._extras(inner, given))
        except DataError as error:
            if columns[0] is None:
                raise
            raise type(error)(str(error).replace("target 'y'", f"target {columns[0]!r}")) from error
        return self._adopt(inner, coding, given, n_dropped_=n_dropped, target_=columns[0], offset_=columns[2])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows, by weight, whose class is predicted.

        With ``missing="drop"`` rows with missing values in the columns used, or without a label, are left out.

        Parameters
        ----------
        X : (n, d) rows
        y : (n,) labels, or the name of a column of the frame
        sample_weight : (n,) weights, zero or positive, or the name of a column of the frame
        """
        check_is_fitted(self)
        frame = as_frame(X)
        if frame is None or self.coding_ is None:
            return super().score(X, y, sample_weight)
        y = self._in_order(X, pick_target(frame, y), "y")
        weights = self._in_order(X, pick(frame, sample_weight), "sample_weight")
        whole = self._complete(frame) & self._labelled(frame, y)
        rows = X if whole.all() else positional(kept_rows(frame, whole).to_native())
        return super().score(positional(rows), positional(only(y, whole)), positional(only(weights, whole)))

    def preview(self, X: Any) -> Coding | FormulaCoding:
        """Tell how the columns of a frame (without target and weights) would be coded."""
        check_choices(self.types, self.reference, self.missing)
        frame = as_frame(X)
        if frame is None:
            raise DataError("only the columns of a frame are coded; arrays are taken as numbers.")
        written = None if self.formula is None else read_formula(self.formula, frame.columns)
        counted = np.ones(len(frame), np.bool_)
        if written is not None and self.missing == "drop":
            counted &= ~gaps_of(written, frame)
        return self._learn(frame, None, counted, written)
