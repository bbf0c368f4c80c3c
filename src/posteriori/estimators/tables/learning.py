"""`TableLearning`: the steps of a fit of a table classifier: formula, selection of rows, coding of columns."""

from collections import Counter
from typing import Any, Self

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import _num_samples, has_fit_parameter

from posteriori.estimators.learned import replace_learned
from posteriori.estimators.scoring import equal_labels
from posteriori.estimators.tables.forwarding import coded_by
from posteriori.input.classes.order import in_order
from posteriori.input.coding.choices import learn_coding
from posteriori.input.coding.coding import Coding, Frame
from posteriori.input.coding.sizes import refuse_slow
from posteriori.input.formula.coding import FormulaCoding
from posteriori.input.formula.learning import learn_formula, missing_rows
from posteriori.input.formula.parser.terms import ParsedFormula, read_formula
from posteriori.input.formula.parser.tokens import shortened
from posteriori.input.formula.target import target_columns, target_of
from posteriori.input.frames.alignment import positional
from posteriori.input.frames.batches import Batches, FrameBatches
from posteriori.input.frames.row_selection import filter_rows, filter_values, missing_labels
from posteriori.input.targets import ClassCounts, read_targets
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.messages.options import missing_option


class TableLearning:
    """A mixin: the steps of the fit of a `TableClassifier`, where its parameters and attributes are documented."""

    estimator: Any
    formula: str | None
    types: Any
    reference: Any
    missing: str
    positive: Any

    def _ordered(self, data: dict[str, Any]) -> Any:
        """Return y with the positive class as the last of two; unchanged without a positive class."""
        if self.positive is None:
            return data["y"]
        n_rows = int(_num_samples(data["X"]))
        targets = read_targets(data["y"], n_rows, read_weights(data["sample_weight"], n_rows), allow_counts=True)
        order = self._class_order(targets.classes)
        if targets.counts is not None:
            return ClassCounts(targets.counts, tuple(order.tolist()))
        assert targets.codes is not None
        return in_order(targets.classes[targets.codes], targets.classes[order])

    def _read_formula(
        self, frame: Frame | None, columns: list[str | None], y: Any
    ) -> tuple[ParsedFormula, str | None, Any]:
        """Return the terms of the formula, the name of its target, and the target itself."""
        if frame is None:
            raise DataError("a formula refers to columns by name: pass a frame, not an array.")
        written = read_formula(self.formula, [name for name in frame.columns if name not in columns])
        if written.target is None:
            return written, columns[0], y
        separate = y is not None and columns[0] is None  # as in cross-validation, which splits frame and classes
        (name, *more) = target_columns(written.target)
        if separate and name not in frame.columns and not more:
            return written, name, y
        name, target = target_of(written.target, frame)
        same = separate and name in frame.columns and bool(equal_labels(frame[name].to_numpy(), y).all())
        if y is not None and columns[0] != name and not same:
            raise DataError(
                f"the formula {shortened(str(self.formula))} has the target {name!r}, and y is a different one: omit y."
            )
        return written, name, target

    def _unfitted(self, written: ParsedFormula | None) -> Any:
        """Return a clone of the classifier, with an intercept if the formula has one."""
        inner = clone(self.estimator)
        if written is None:
            return inner
        known = "fit_intercept" in inner.get_params(deep=False)
        if known and not inner.fit_intercept and written.intercept:
            raise DataError("fit_intercept=False, but the formula has an intercept: end the formula with '- 1'.")
        if not written.intercept and not known:
            raise DataError(f"{type(inner).__name__} always has an intercept: remove '- 1' from the formula.")
        return inner.set_params(fit_intercept=written.intercept) if known else inner

    def _code(
        self, rows: Any, y: Any, weight: Any, offset: Any, written: ParsedFormula | None
    ) -> tuple[Coding | FormulaCoding | None, dict[str, Any], int]:
        """Select the rows with weight and, for "drop", without missing values; learn their coding and code them."""
        if not isinstance(rows, nw.DataFrame):
            return None, {"X": rows, "y": y, "sample_weight": weight, "offset": offset}, 0
        weights = read_weights(weight, len(rows))
        counted = np.ones(len(rows), np.bool_) if weights is None else weights > 0
        n_dropped = 0
        if self.missing == "drop":
            complete = ~(self._incomplete(rows, weights, counted, written) | missing_labels(y, len(rows)))
            n_dropped = int((counted & ~complete).sum())
            counted &= complete
            if not counted.any():
                raise all_dropped(n_dropped)
        own = None if weights is None else weights[counted]
        coding = self._learn(FrameBatches(filter_rows(rows, counted), own), written)
        if coding.treatment and coding.columns:
            refuse_slow(coding.columns, int(counted.sum()), coding.size_out[0], self.types)
        values = {"y": y, "sample_weight": weights, "offset": offset}
        selected = {name: positional(filter_values(value, counted)) for name, value in values.items()}
        return coding, {"X": coded_by(coding, filter_rows(rows, counted), learning=True), **selected}, n_dropped

    def _incomplete(
        self, rows: Frame, weights: Any, counted: NDArray[np.bool_], written: ParsedFormula | None
    ) -> NDArray[np.bool_]:
        """Return which rows have a missing value in a column that is used."""
        if written is not None:
            return missing_rows(written, rows)
        own = None if weights is None else weights[counted]
        cells = self._learn(FrameBatches(filter_rows(rows, counted), own)).cells(rows)
        missing: NDArray[np.bool_] = np.any([np.isnan(column) for column in cells.values()], axis=0)
        return missing

    def _learn(
        self, rows: Batches, written: ParsedFormula | None = None, check_missing: bool = False
    ) -> Coding | FormulaCoding:
        """Learn the coding of the columns; `check_missing` as of `learn_coding`."""
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
            return learn_formula(str(self.formula), written, rows, types=self.types, reference=self.reference)
        coding = learn_coding(
            rows,
            types=self.types,
            reference=self.reference,
            missing=self.missing,
            treatment=not getattr(self.estimator, "_takes_categories", False),
            allows_missing=bool(get_tags(self.estimator).input_tags.allow_nan) and self.missing != "drop",
            check_missing=check_missing,
        )
        _refuse_names(coding)
        return coding

    def _extras(self, inner: Any, data: dict[str, Any]) -> dict[str, Any]:
        """Return weights and offset, if any; raise if the inner classifier does not take them."""
        extras = {name: data[name] for name in ("sample_weight", "offset") if data[name] is not None}
        for name in extras:
            self._refuse_extra(inner, name, data[name])
        return extras

    @staticmethod
    def _refuse_extra(inner: Any, name: str, value: Any) -> None:
        if value is not None and not has_fit_parameter(inner, name):
            raise DataError(f"{type(inner).__name__} takes no {name}.")

    def _adopt(
        self, inner: Any, coding: Coding | FormulaCoding | None, size: tuple[int, float], **learned: Any
    ) -> Self:
        """Replace all learned attributes."""
        classes = np.asarray(inner.classes_)  # classifiers of other libraries sort them
        order = self._class_order(classes)
        n_rows, weight = size
        if coding is not None:
            learned |= {"feature_names_in_": np.array(coding.names, dtype=object), "n_features_in_": len(coding.names)}
        else:
            names = ("n_features_in_", "feature_names_in_")
            learned |= {name: getattr(inner, name) for name in names if hasattr(inner, name)}
        replace_learned(
            self, **learned, estimator_=inner, coding_=coding, order_=order, classes_=classes[order], n_rows_=n_rows,
            weight_=weight,
        )  # fmt: skip
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


def all_dropped(n_rows: int) -> DataError:
    """Return the error for a fit without a complete row."""
    return DataError(
        f"all {n_rows} rows have a missing value, so all would be dropped. Use {missing_option('indicator')}."
    )


def _refuse_names(coding: Coding) -> None:
    """Raise for a coding without columns, or with two columns of one name."""
    names = coding.names_out
    if not names:
        raise DataError(
            f"there are no columns to fit: {quote(list(coding.names))} have one level each."
            if coding.names
            else "there are no columns to fit: the frame has none besides target, weights and ignored columns."
        )
    if len(set(names)) < len(names):
        twice = sorted(name for name, count in Counter(names).items() if count > 1)
        raise DataError(f"two coded columns have the name {quote(twice)}: rename a column of the frame.")
