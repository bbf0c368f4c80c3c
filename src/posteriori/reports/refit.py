"""Unfitted clones of a model, which can be fitted to the rows of a report."""

from collections.abc import Iterator
from typing import Any

from sklearn.base import BaseEstimator, clone

from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.input.formula.parser.terms import without_target
from posteriori.input.frames.native import as_frame


def unfitted(model: Any, X: Any) -> Any:
    """Return a clone whose tables refer only to columns of X: not to the target or to columns that were left out."""
    copy, frame = clone(model), as_frame(X)
    for table in () if frame is None else _tables(copy):
        types: Any = table.types
        if not isinstance(types, str):
            types = {
                name: kind for name, kind in types.items() if frame is not None and name in frame.columns
            } or "auto"
        table.set_params(types=types, formula=None if table.formula is None else without_target(table.formula))
    return copy


def _tables(value: Any) -> Iterator[TableClassifier]:
    """Yield the table classifiers among the parameters of a model, including those in lists."""
    if isinstance(value, TableClassifier):
        yield value
    if isinstance(value, BaseEstimator):
        value = value.get_params(deep=False)
    if isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _tables(part)
