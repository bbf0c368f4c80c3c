"""Validation of training data: X, y, weights and offsets become one checked table."""

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from scipy.special import gammaln

from posteriori.arrays import Array
from posteriori.checks.memory import shortage, shown_bytes
from posteriori.input.features import read_features
from posteriori.input.frames.alignment import aligned
from posteriori.input.tables import check_columns, noted_columns, targets_of
from posteriori.input.targets import Targets, read_targets
from posteriori.input.weights import in_range, read_offset, read_weights
from posteriori.messages.errors import DataError
from posteriori.tables.memory import MemoryTable
from posteriori.tables.schema import Schema
from posteriori.tables.table import Table

COUNTS = "y: the class counts"
#: Bytes of a matrix over the classes below which the available memory is not checked.
SMALL = 2**28


class Ledger:
    """The object on which scikit-learn's checks record the names and number of columns until the fit succeeds."""


@dataclass(frozen=True)
class Reading:
    """Checked training data: the table, the classes, and the names and number of the columns (`noted`)."""

    table: Table
    targets: Targets
    noted: dict[str, Any]


def read_training(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    offset: Any = None,
    sparse: bool = False,
    categories: bool = False,
    allow_counts: bool = False,
    classes: Any = None,
    schema: Schema | None = None,
    known_names: bool = False,
    by_pairs: bool = True,
) -> Reading:
    """Check the arguments of fit and return them as a table without rows of weight zero.

    Pandas series are put into the order of the index of X (`aligned`).

    Parameters
    ----------
    sparse, categories, schema : as of `read_features`
    allow_counts, classes : as of `read_targets`
    known_names : whether the columns must be those of the estimator (`partial_fit`); otherwise they are recorded in the
        result, so that an estimator whose fit fails keeps its old ones
    by_pairs : whether the model needs K x K matrices
    """
    if isinstance(X, Table):
        check_columns(estimator, X, sparse, categories, fitted=known_names)
        targets = targets_of(X, classes, y=y, sample_weight=sample_weight, offset=offset)
        if by_pairs:
            _refuse_many_classes(targets.n_classes)
        return Reading(X, targets, {} if known_names else noted_columns(X))
    y, sample_weight = aligned(X, y, "y"), aligned(X, sample_weight, "sample_weight")
    offset = aligned(X, offset, "offset")
    ledger = None if known_names else Ledger()
    features = read_features(estimator, X, ledger=ledger, sparse=sparse, categories=categories, schema=schema)
    weights = read_weights(sample_weight, features.n_rows)
    targets = read_targets(y, features.n_rows, weights, allow_counts=allow_counts, classes=classes)
    if by_pairs:
        _refuse_many_classes(targets.n_classes)
    scores = 1 if targets.n_classes == 2 else targets.n_classes
    values, user_weights = targets.values, weights
    rows = _counted_rows(values, weights)
    logs = None
    if targets.counts is not None:
        logs = _log_coefficients(in_range(targets.counts, COUNTS))
        values = in_range(values if weights is None else in_range(values, COUNTS) * weights[:, None], COUNTS)
        totals = values.sum(axis=1)
        weights = None if (totals == 1.0).all() else totals
    table = MemoryTable(
        features=features,
        targets=values,
        weights=weights,
        offset=read_offset(offset, features.n_rows, scores),
        positive_rows=rows,
        given_weights=user_weights,
        log_coefficients=logs,
    )
    return Reading(table, targets, {} if ledger is None else {**vars(ledger), **_library(X, table.schema)})


def _refuse_many_classes(n_classes: int) -> None:
    """Raise if a matrix over the classes does not fit into memory."""
    needed = 8 * n_classes**2
    available = shortage(needed, SMALL)
    if available is not None:
        raise DataError(
            f"target 'y' has {n_classes} classes: this model needs matrices of {shown_bytes(needed)} for them, but "
            f"only {shown_bytes(available)} of memory are available. Is y an identifier or a continuous outcome? Merge "
            "rare classes, or use NaiveBayes, which needs a few numbers per class."
        )


def _library(X: Any, schema: Schema) -> dict[str, str]:
    """Return the library of X, in which frames of results are built; nothing if X is not a frame."""
    frame = nw.from_native(X, eager_only=True, pass_through=True) if schema.named else None
    return {"frame_library_": str(frame.implementation.value)} if isinstance(frame, nw.DataFrame) else {}


def _counted_rows(values: Any, weights: Any) -> Any:
    """Return the rows of positive weight; None if all rows are."""
    counts = values.ndim == 2
    positive = values.any(axis=1) if counts else None
    if weights is not None:
        positive = weights > 0 if positive is None else positive & (weights > 0)
    return None if positive is None or positive.all() else np.flatnonzero(positive)


def _log_coefficients(counts: Array) -> Array | None:
    """Return the logs of the rows' multinomial coefficients; None for soft labels."""
    if (counts != np.floor(counts)).any():
        return None
    logs: Array = gammaln(counts.sum(axis=1) + 1.0) - gammaln(counts + 1.0).sum(axis=1)
    return logs
