"""`TableClassifier`: any classifier, given a frame with columns of all kinds."""

from typing import Any, Self

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import _num_samples, has_fit_parameter

from posteriori.classifiers.table_answers import TableAnswers
from posteriori.tables.coding import Coding, Frame, check_choices, learn_coding
from posteriori.tables.errors import DataError
from posteriori.tables.formula_coding import FormulaCoding, gaps_of, learn_formula, target_of
from posteriori.tables.formula_terms import Written, read_formula
from posteriori.tables.frames import as_frame, pick, refuse_two_uses
from posteriori.tables.label_order import in_order
from posteriori.tables.notes import listed
from posteriori.tables.rows import kept_rows, no_label, only, size_of
from posteriori.tables.targets import ClassCounts, read_targets
from posteriori.tables.weights import read_weights


class TableClassifier(TableAnswers, ClassifierMixin, BaseEstimator):
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
        is that of the fit. Nothing in a formula is run as code. Needs the extra ``formula`` in fit, not after.
    types : "auto" | {column: "number" | "category" | "boolean" | "ignore"}
        "auto" tells a column's kind from its type in the frame; "ignore" leaves the column out.
    reference : "first" | "most-frequent" | {column: level}
        The level of a category that has no column of its own.
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

    def __init__(
        self,
        estimator: Any,
        *,
        formula: str | None = None,
        types: Any = "auto",
        reference: Any = "first",
        missing: str = "auto",
        positive: Any = None,
    ) -> None:
        self.estimator = estimator
        self.formula = formula
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
        written = None
        if self.formula is not None:
            written, columns[0], y = self._read_formula(frame, columns, y)
        if frame is not None:
            refuse_two_uses(columns)
            y, sample_weight, offset = (pick(frame, value) for value in (y, sample_weight, offset))
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

    def _coded(self, given: dict[str, Any]) -> Any:
        """Give y with the order of its two classes, the positive one last; as it is where none is named."""
        if self.positive is None:
            return given["y"]
        n_rows = int(_num_samples(given["X"]))
        weights = read_weights(given["sample_weight"], n_rows)
        targets = read_targets(given["y"], n_rows, weights, allow_counts=True)
        order = self._class_order(targets.classes)
        if targets.counts is not None:
            return ClassCounts(targets.counts, tuple(order.tolist()))
        assert targets.codes is not None
        return in_order(targets.classes[targets.codes], targets.classes[order])

    def _read_formula(self, frame: Frame | None, columns: list[str | None], y: Any) -> tuple[Written, str | None, Any]:
        """Read the formula; give its terms, the name of its target, and the target itself."""
        if frame is None:
            raise DataError("a formula speaks of columns by name: give a frame, not an array.")
        written = read_formula(self.formula, [name for name in frame.columns if name not in columns])
        if written.target is None:
            return written, columns[0], y
        name, target = target_of(written.target, frame)
        if y is not None and columns[0] != name:
            raise DataError(f"the formula {self.formula!r} has the target {name!r}: leave out y.")
        return written, name, target

    def _unfitted(self, written: Written | None) -> Any:
        """Give a classifier to fit, with an intercept if the formula has one."""
        inner = clone(self.estimator)
        if written is None:
            return inner
        known = "fit_intercept" in inner.get_params(deep=False)
        if known and not inner.fit_intercept and written.intercept:
            raise DataError("fit_intercept=False and a formula with an intercept: end the formula with '- 1'.")
        if not written.intercept and not known:
            raise DataError(f"{type(inner).__name__} cannot do without an intercept: leave '- 1' out of the formula.")
        return inner.set_params(fit_intercept=written.intercept) if known else inner

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

    def _code(
        self, rows: Any, y: Any, weight: Any, offset: Any, written: Written | None
    ) -> tuple[Coding | FormulaCoding | None, dict[str, Any], int]:
        """Leave out the rows that do not count, learn the coding from the others, and code them."""
        if not isinstance(rows, nw.DataFrame):
            return None, {"X": rows, "y": y, "sample_weight": weight, "offset": offset}, 0
        weights = read_weights(weight, len(rows))
        counted = np.ones(len(rows), np.bool_) if weights is None else weights > 0
        n_dropped = 0
        if self.missing == "drop":
            whole = ~(self._gaps(rows, weights, counted, written) | no_label(y, len(rows)))
            n_dropped = int((counted & ~whole).sum())
            counted &= whole
            if not counted.any():
                raise DataError(f"every row has a gap: all {n_dropped} would be left out. Use missing: indicator.")
        coding = self._learn(rows, weights, counted, written)
        kept = kept_rows(rows, counted)
        given = {
            name: only(value, counted) for name, value in (("y", y), ("sample_weight", weights), ("offset", offset))
        }
        return coding, {"X": coding.apply(kept, learning=True).to_native(), **given}, n_dropped

    def _gaps(
        self, rows: Frame, weights: Any, counted: NDArray[np.bool_], written: Written | None
    ) -> NDArray[np.bool_]:
        """Mark the rows with a gap in a column that is used."""
        if written is not None:
            return gaps_of(written, rows)
        columns = self._learn(rows, weights, counted).columns
        found: NDArray[np.bool_] = np.any([np.isnan(column.cells(rows[column.name])) for column in columns], axis=0)
        return found

    def _learn(
        self, rows: Frame, weights: Any, counted: NDArray[np.bool_], written: Written | None = None
    ) -> Coding | FormulaCoding:
        some = None if weights is None else weights[counted]
        if written is not None:
            if self.missing == "indicator":
                raise DataError("missing: indicator does not go with a formula; leave the rows out (missing: drop).")
            return learn_formula(
                str(self.formula), written, kept_rows(rows, counted),
                types=self.types, reference=self.reference, weights=some,
            )  # fmt: skip
        takes_categories = bool(getattr(self.estimator, "_takes_categories", False))
        coding = learn_coding(
            kept_rows(rows, counted),
            types=self.types,
            reference=self.reference,
            missing=self.missing,
            treatment=not takes_categories,
            passes_gaps=bool(get_tags(self.estimator).input_tags.allow_nan) and self.missing != "drop",
            weights=some,
        )
        names = coding.names_out
        if not names:
            raise DataError(
                f"no column is left to learn from: of {listed(list(coding.names))} each has one level only."
                if coding.names
                else "no column is left to learn from: the frame has none besides target, weights and those ignored."
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

    def _adopt(self, inner: Any, coding: Coding | FormulaCoding | None, given: dict[str, Any], **learned: Any) -> Self:
        """Replace whatever an earlier fit learned by this."""
        found = np.asarray(inner.classes_)  # sorted by classifiers that are not of this library
        order = self._class_order(found)
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("__")]:
            delattr(self, name)
        for name, value in learned.items():
            setattr(self, name, value)
        self.estimator_, self.coding_ = inner, coding
        self.order_, self.classes_ = order, found[order]
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
