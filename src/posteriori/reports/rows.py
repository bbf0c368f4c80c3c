"""The rows on which a report evaluates a model, and the rows that are excluded, with the reasons."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Codes, Mask
from posteriori.estimators.wrappers.layers import table_in
from posteriori.input.frames.native import as_frame, refuse_absent
from posteriori.input.labelled_data import LabelledData, read_labelled_data
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.reports.true_classes import class_weights
from posteriori.reports.usable_rows import missing_by_column, unusable


@dataclass(frozen=True)
class ScoredRows:
    """Rows that a model scores, and their true classes.

    A row with a label is one case; a row of class counts is one case for each class with a positive count.

    Parameters
    ----------
    X : (n, d) the rows, as the model takes them
    options : arguments of the model's methods besides X: the offset, by name
    numbers : (n,) indices of the rows in the data
    places : (m,) index of the row of each case
    codes : (m,) the true class of each case, as an index into `classes`
    weights : (m,)
    copies : (m,) the number of observations that each case stands for: above one for class counts
    classes : (K,) of the model
    n_given : number of rows of the data
    left_out : number of excluded rows, by reason
    unknown : number of rows by label unknown to the model
    missing : number of missing values by column, if the columns are known
    weighted : whether the rows have weights
    """

    X: Any
    options: dict[str, Any]
    numbers: Codes
    places: Codes
    codes: Codes
    weights: Array
    copies: Array
    classes: NDArray[Any]
    n_given: int
    left_out: dict[str, int]
    unknown: dict[str, int]
    missing: dict[str, int] | None = None
    weighted: bool = False

    @property
    def n_cases(self) -> int:
        """Number of cases."""
        return len(self.codes)

    @property
    def are_counts(self) -> bool:
        """Whether rows are class counts, so that a row may be several cases."""
        return len(self.places) != len(self.numbers)

    @property
    def labels(self) -> NDArray[Any]:
        """The true class of each case, (m,)."""
        labels: NDArray[Any] = self.classes[self.codes]
        return labels

    @property
    def class_names(self) -> list[Any]:
        """The classes of the model as Python values."""
        names: list[Any] = self.classes.tolist()
        return names

    def of_true_class(self, values: Array) -> Array:
        """Return the value of each case's true class, (m,), from values (m, K)."""
        own: Array = values[np.arange(self.n_cases), self.codes]
        return own


def read_scored_rows(model: Any, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> ScoredRows:
    """Read the rows that a model can score, with their true classes.

    Parameters
    ----------
    model : fitted
    X : (n, d) frame, array or sparse matrix
    y : (n,) labels, class counts, or the name of a column of X; None for the target column of a `TableClassifier`
    sample_weight, offset : values, or names of columns of X
    """
    data = _read(model, X, y, sample_weight, offset)
    classes = np.asarray(model.classes_)
    weights = read_weights(data.sample_weight, data.n_rows)
    counts, masks, unknown = class_weights(data.y, data.n_rows, classes)
    by_class = counts if weights is None else counts * weights[:, None]
    masks |= unusable(model, data.X, data.offset)
    masks["of weight zero"] = np.asarray(~(by_class > 0).any(axis=1))
    scored, left_out = _exclude(masks, data.n_rows)
    if not scored.any():
        reasons = "; ".join(f"{count} {reason}" for reason, count in left_out.items())
        hint = f" Their classes are {quote(list(unknown))}; the model knows {quote(classes.tolist())}."
        raise DataError(f"no rows to score: of {data.n_rows} rows, {reasons}.{hint if unknown else ''}")
    numbers = np.flatnonzero(scored)
    places, codes = np.nonzero(by_class[numbers] > 0)
    usable = replace(data, y=None).select(scored)
    return ScoredRows(
        X=usable.X,
        options={} if data.offset is None else {"offset": usable.offset},
        numbers=numbers,
        places=places,
        codes=codes,
        weights=by_class[numbers][places, codes],
        copies=counts[numbers][places, codes],
        classes=classes,
        n_given=data.n_rows,
        left_out=left_out,
        unknown=unknown,
        missing=missing_by_column(model, data.X),
        weighted=weights is not None or bool((by_class[by_class > 0] != 1).any()),
    )


def _exclude(masks: dict[str, Mask], n_rows: int) -> tuple[Mask, dict[str, int]]:
    """Return which rows no mask excludes, and the number of rows that each mask excludes and no earlier one does."""
    scored, left_out = np.ones(n_rows, np.bool_), dict[str, int]()
    for reason, mask in masks.items():
        excluded = int((scored & mask).sum())
        scored &= ~mask
        left_out |= {reason: excluded} if excluded else {}
    return scored, left_out


def _read(model: Any, X: Any, y: Any, sample_weight: Any, offset: Any) -> LabelledData:
    """Read rows, labels, weights and offset; select the columns of a frame that the model takes."""
    frame, table = as_frame(X), table_in(model)
    names: tuple[str, ...] = ()
    if frame is not None:
        coding = None if table is None else table.coding_
        columns = getattr(model, "feature_names_in_", ()) if coding is None else coding.names
        names = tuple(str(name) for name in columns)
        for use, column in (("target", y), ("weight", sample_weight), ("offset", offset)):
            if isinstance(column, str) and column in names:
                raise DataError(f"column {column!r} is a feature of the model, so it cannot be its {use}.")
        if table is not None:
            y, offset = table.target_ if y is None else y, table.offset_ if offset is None else offset
    if y is None:
        raise DataError(
            "requires y to be passed, but the target y is None: pass the classes of the rows or their column."
        )
    data = read_labelled_data(X, y, sample_weight, offset)
    rest = as_frame(data.X)
    if rest is None or not names:  # a frame without columns would have no rows
        return data
    refuse_absent(names, rest.columns)
    return replace(data, X=rest.select(*names).to_native())
