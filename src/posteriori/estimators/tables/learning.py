"""How a table classifier learns: which rows count, how their columns are coded, what the classifier inside is given."""

from collections import Counter
from typing import Any, Self

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import _num_samples, has_fit_parameter

from posteriori.estimators.scoring import equal_labels
from posteriori.input.classes.order import in_order
from posteriori.input.coding.choices import learn_coding
from posteriori.input.coding.coding import Coding, Frame
from posteriori.input.formula.coding import FormulaCoding
from posteriori.input.formula.learning import gaps_of, learn_formula, target_columns, target_of
from posteriori.input.formula.parser.terms import Written, read_formula
from posteriori.input.formula.parser.tokens import shortened
from posteriori.input.frames.alignment import positional
from posteriori.input.frames.row_selection import kept_rows, no_label, only, size_of
from posteriori.input.targets import ClassCounts, read_targets
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.messages.options import missing_option
from posteriori.tables.features import no_columns


class TableLearning:
    """The steps of a `TableClassifier`'s fit; its parameters and attributes are documented there."""

    estimator: Any
    formula: str | None
    types: Any
    reference: Any
    missing: str
    positive: Any

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
        apart = y is not None and columns[0] is None  # as in cross-validation, where frame and classes go apart
        (name, *more) = target_columns(written.target)
        if apart and name not in frame.columns and not more:
            return written, name, y
        name, target = target_of(written.target, frame)
        same = apart and name in frame.columns and bool(equal_labels(frame[name].to_numpy(), y).all())
        if y is not None and columns[0] != name and not same:
            raise DataError(
                f"the formula {shortened(str(self.formula))} has the target {name!r}, and y is another: leave out y."
            )
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
                raise DataError(
                    f"every one of the {n_dropped} rows has a missing value, so all would be dropped. Use "
                    f"{missing_option('indicator')}."
                )
        coding = self._learn(rows, weights, counted, written)
        kept = kept_rows(rows, counted)
        given = {
            name: positional(only(value, counted))
            for name, value in (("y", y), ("sample_weight", weights), ("offset", offset))
        }
        return coding, {"X": coded_by(coding, kept, learning=True), **given}, n_dropped

    def _gaps(
        self, rows: Frame, weights: Any, counted: NDArray[np.bool_], written: Written | None
    ) -> NDArray[np.bool_]:
        """Mark the rows with a gap in a column that is used."""
        if written is not None:
            return gaps_of(written, rows)
        coding = self._learn(rows, weights, counted)
        found = np.zeros(len(rows), np.bool_)
        for column in coding.cells(rows).values():
            found |= np.isnan(column)
        return found

    def _learn(
        self, rows: Frame, weights: Any, counted: NDArray[np.bool_], written: Written | None = None
    ) -> Coding | FormulaCoding:
        some = None if weights is None else weights[counted]
        if written is not None:
            if not written.terms and not getattr(self.estimator, "_fits_null_model", False):
                raise DataError(
                    f"the formula {self.formula!r} has no term but the intercept, and {type(self.estimator).__name__} "
                    "needs columns: LogisticRegression and BinaryRegression fit such a null model."
                )
            if self.missing == "indicator":
                raise DataError(
                    f"{missing_option('indicator')} cannot be used with a formula; use {missing_option('drop')}."
                )
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
        _refuse_names(coding)
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
                f"positive={self.positive!r} must be one of two classes; the classes are {quote(classes.tolist())}."
            )
        return np.array([1 - at[0], at[0]])


def coded_by(coding: Coding | FormulaCoding, rows: Frame, *, learning: bool = False) -> Any:
    """Code the rows of a frame for the classifier inside; rows without columns for the null model."""
    if not coding.names_out:
        return no_columns(len(rows))
    return positional(coding.apply(rows, learning=learning).to_native())


def _refuse_names(coding: Coding) -> None:
    """Refuse a coding that gives no column, or two of one name."""
    names = coding.names_out
    if not names:
        raise DataError(
            f"no column is left to learn from: of {quote(list(coding.names))} each has one level only."
            if coding.names
            else "no column is left to learn from: the frame has none besides target, weights and those ignored."
        )
    if len(set(names)) < len(names):
        twice = sorted(name for name, count in Counter(names).items() if count > 1)
        raise DataError(f"coding gives two columns the name {quote(twice)}; rename a column of the frame.")
