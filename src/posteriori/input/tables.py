"""Validation of rows that are a `Table` already: their columns, target, weights and offset belong to it."""

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.input.targets import Targets
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote
from posteriori.tables.table import Table


def targets_of(table: Table, classes: NDArray[Any] | None, **arguments: Any) -> Targets:
    """Return the classes of a table; raise if it has none, or for arguments that belong to the table itself."""
    passed = [name for name, value in arguments.items() if value is not None]
    if passed:
        raise DataError(f"a {table.kind} has its own target, weights and offset: do not pass {quote(passed)}.")
    if table.classes is None:
        raise DataError(f"this {table.kind} has no target: name its target column.")
    if classes is not None and not np.array_equal(table.classes, classes):
        raise DataError(f"the classes of the table are {quote(table.classes.tolist())}, not {quote(list(classes))}.")
    return Targets(table.classes)


def noted_columns(table: Table) -> dict[str, Any]:
    """Return the number and the names of the columns, as scikit-learn names these attributes."""
    noted: dict[str, Any] = {"n_features_in_": table.n_columns}
    if table.schema.named:
        noted["feature_names_in_"] = np.array(table.schema.names, dtype=object)
        noted["frame_library_"] = table.library
    return noted


def check_columns(estimator: Any, table: Table, sparse: bool, categories: bool, fitted: bool) -> None:
    """Raise if an estimator cannot read the columns of a table, or if they are not those of its fit."""
    name = type(estimator).__name__
    text = [column.name for column in table.schema.columns if column.kind == "category"]
    if text and not categories:
        raise DataTypeError(
            f"{name} needs numbers, and {len(text)} column(s) are categories: {quote(text)}. Code them as numbers, or "
            "use NaiveBayes, which takes categories."
        )
    if table.is_sparse and not sparse:
        raise DataTypeError(f"{name} does not take sparse rows: pass dense columns.")
    if fitted:
        check_is_fitted(estimator)
        _refuse_other_columns(estimator, table)


def _refuse_other_columns(estimator: Any, table: Table) -> None:
    names = getattr(estimator, "feature_names_in_", None)
    if table.n_columns != estimator.n_features_in_:
        _refuse(estimator, f"{estimator.n_features_in_} columns", f"{table.n_columns}")
    if names is not None and table.schema.named and list(names) != list(table.schema.names):
        _refuse(estimator, f"the columns {quote(list(names))} in this order", quote(list(table.schema.names)))


def _refuse(estimator: Any, expected: str, received: str) -> NoReturn:
    raise DataError(f"{type(estimator).__name__} was fitted to {expected}; the table has {received}.")
