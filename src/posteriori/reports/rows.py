"""The rows a report scores a model on: those it can use, of classes it knows, and how many were left out and why."""

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from posteriori.arrays import Array, Codes, Mask
from posteriori.checks.sparse import checked_indices
from posteriori.estimators.wrappers.layers import table_in
from posteriori.input.formula.target import pick_target
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame, pick, refuse_absent, refuse_two_uses
from posteriori.input.frames.row_selection import kept_rows
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote
from posteriori.reports.labels import read_truth
from posteriori.reports.usable_rows import gaps_by_column, unusable


@dataclass(frozen=True)
class Scored:
    """Rows to ask a model about, and what they are in truth.

    A row of labels is one case; a row of class counts is a case for each class that it counts.

    Parameters
    ----------
    X : (n, d) the rows that are asked, as the model takes them
    given : what the model is given besides: the offset, by name
    numbers : (n,) their numbers in the data, from 0
    places : (m,) the row of each case among those asked
    codes : (m,) the class of each case, as its place in the model's classes
    weights : (m,)
    copies : (m,) how many cases each stands for: above one where rows are class counts
    n_given : how many rows the data have
    left_out : how many rows were left out, by reason
    unknown : labels that the model does not know, and how many rows have each
    gaps : cells without a value by column, where the columns are known
    weighted : whether weights were given
    """

    X: Any
    given: dict[str, Any]
    numbers: Codes
    places: Codes
    codes: Codes
    weights: Array
    copies: Array
    n_given: int
    left_out: dict[str, int]
    unknown: dict[str, int]
    gaps: dict[str, int] | None = None
    weighted: bool = False

    @property
    def n_cases(self) -> int:
        """How many cases are scored."""
        return len(self.codes)


def read_scored(model: Any, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Scored:
    """Take the rows that a model can be asked about, with their classes.

    Parameters
    ----------
    model : fitted
    X : (n, d) frame, array or sparse matrix
    y : (n,) classes, class counts, or the name of a column of X; None for the column that the model was fitted to
    sample_weight, offset : values, or names of columns of X
    """
    X, y, weights, offset = _picked(model, X, y, sample_weight, offset)
    n = int(_num_samples(X))
    if n == 0:
        raise DataError("Found array with 0 sample(s) while a minimum of 1 is required: X has no rows.")
    weights = read_weights(weights, n)
    case_weights, unknown, without = read_truth(y, n, np.asarray(model.classes_))
    copies = case_weights
    if weights is not None:
        case_weights = case_weights * weights[:, None]
    reasons = {"without a class": without, "of a class the model does not know": unknown[0]}
    reasons |= unusable(model, X, offset)
    reasons["of weight zero"] = np.asarray(~(case_weights > 0).any(axis=1))
    kept, left_out = np.ones(n, np.bool_), dict[str, int]()
    for reason, marked in reasons.items():
        lost = int((kept & marked).sum())
        kept &= ~marked
        left_out |= {reason: lost} if lost else {}
    if not kept.any():
        told = "; ".join(f"{count} {reason}" for reason, count in left_out.items())
        known = np.asarray(model.classes_).tolist()
        hint = f" They have {quote(list(unknown[1]))}; the model knows {quote(known)}." if unknown[1] else ""
        raise DataError(f"no row is left to score the model on: of {n} rows, {told}.{hint}")
    numbers = np.flatnonzero(kept)
    places, codes = np.nonzero(case_weights[numbers] > 0)
    return Scored(
        X=_only(X, kept),
        given={} if offset is None else {"offset": _only_values(offset, kept)},
        numbers=numbers,
        places=places,
        codes=codes,
        weights=case_weights[numbers][places, codes],
        copies=copies[numbers][places, codes],
        n_given=n,
        left_out=left_out,
        unknown=unknown[1],
        gaps=gaps_by_column(model, X),
        weighted=weights is not None or bool((case_weights[case_weights > 0] != 1).any()),
    )


def _picked(model: Any, X: Any, y: Any, weight: Any, offset: Any) -> tuple[Any, Any, Any, Any]:
    """Take labels, weights and offset out of a frame where they are named, and leave the columns the model takes."""
    frame, table = as_frame(X), table_in(model)
    if frame is None:
        for name, value in (("y", y), ("sample_weight", weight), ("offset", offset)):
            if isinstance(value, str):
                raise DataTypeError(f"{name}={value!r} names a column, but X is not a frame: give the values.")
        if y is None:
            raise DataError("requires y to be passed, but the target y is None: give the classes of the rows.")
        return X if not sp.issparse(X) else checked_indices(X).tocsr(), y, weight, offset
    if y is None:
        y = None if table is None else table.target_
        if y is None:
            raise DataError("the model does not know the name of its target: give y, the classes or their column.")
    columns = [value if isinstance(value, str) else None for value in (y, weight, offset)]
    refuse_two_uses(columns)
    y, weight, offset = pick_target(frame, y), pick(frame, weight), pick(frame, offset)
    given = ("y", "sample_weight", "offset")
    y, weight, offset = (aligned(X, value, name) for value, name in zip((y, weight, offset), given, strict=True))
    rest = frame.drop([name for name in columns if name in frame.columns])
    if offset is None and table is not None and table.offset_ is not None:
        offset = pick(frame, table.offset_)
    names = getattr(model, "feature_names_in_", None) if table is None or table.coding_ is None else table.coding_.names
    if names is not None:
        wanted = tuple(str(name) for name in names)
        _refuse_features(columns, wanted)
        refuse_absent(wanted, rest.columns)
        rest = rest.select(*wanted) if wanted else rest  # a frame without columns has no rows
    return rest.to_native(), y, weight, offset


def _refuse_features(columns: list[str | None], wanted: tuple[str, ...]) -> None:
    """Refuse a target, weight or offset that is one of the columns the model takes."""
    for what, name in zip(("target", "weight", "offset"), columns, strict=True):
        if name in wanted:
            raise DataError(f"column {name!r} is one of those the model takes, so it is not its {what}.")


def _only(X: Any, kept: Mask) -> Any:
    frame = as_frame(X)
    if frame is not None:
        return kept_rows(frame, kept).to_native()
    return X if kept.all() else _safe_indexing(X, np.flatnonzero(kept))


def _only_values(values: Any, kept: Mask) -> Any:
    if np.ndim(values) == 0:
        return values
    series = None if isinstance(values, np.ndarray) else nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return series.filter(kept.tolist()).to_native()
    return np.asarray(values)[kept]
