"""A model to be fitted again to the rows of a report."""

from collections.abc import Iterator
from typing import Any

from sklearn.base import BaseEstimator, clone

from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.input.formula.parser.terms import without_target
from posteriori.input.frames.native import as_frame


def unfitted(model: Any, X: Any) -> Any:
    """Give a clone whose tables speak of the columns that the rows have: neither the target nor those left out."""
    copy, frame = clone(model), as_frame(X)
    if frame is None:
        return copy
    for table in _tables(copy):
        types = table.types if isinstance(table.types, str) else _among(table.types, frame.columns) or "auto"
        table.set_params(types=types, formula=None if table.formula is None else without_target(table.formula))
    return copy


def _tables(value: Any) -> Iterator[TableClassifier]:
    """Yield the table classifiers among the parameters of a model, those in lists too."""
    if isinstance(value, TableClassifier):
        yield value
    if isinstance(value, BaseEstimator):
        value = value.get_params(deep=False)
    if isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _tables(part)


def _among(types: dict[str, str], columns: list[str]) -> dict[str, str]:
    return {name: kind for name, kind in types.items() if name in columns}
