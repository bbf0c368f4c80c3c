"""The models to compare, each with a unique name."""

from collections.abc import Iterable, Mapping
from typing import Any

from sklearn.base import clone

from posteriori.comparisons.labelled_rows import LabelledRows
from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.estimators.wrappers.checks import require_classifier
from posteriori.messages.errors import DataError, DataTypeError


def candidates_of(models: Any, rows: LabelledRows) -> dict[str, Any]:
    """Return the models by name; if X is a frame, classifiers of this library are wrapped in a `TableClassifier`.

    >>> import numpy as np
    >>> from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
    >>> rows = LabelledRows(np.zeros((2, 1)), np.arange(2), np.arange(2))
    >>> list(candidates_of([GaussianClassifier(), GaussianClassifier(shared=False)], rows))
    ['GaussianClassifier', 'GaussianClassifier 2']
    """
    candidates = _by_name(models)
    if not candidates:
        raise DataError("at least one model is needed; got none.")
    for name, model in candidates.items():
        require_classifier(model, f"model {name!r}")
    if rows.library is None:
        return candidates
    return {
        name: _with_types(TableClassifier(model) if _needs_table(model) else model, rows.X)
        for name, model in candidates.items()
    }


def _with_types(model: Any, X: Any) -> Any:
    """Infer the column types from all rows: in a small training part a column may look like an identifier."""
    types = {path: _types(table, X) for path, table in tables_in(model).items() if table.formula is None}
    parameters = {f"{path}__types" if path else "types": kinds for path, kinds in types.items() if kinds is not None}
    return clone(model).set_params(**parameters) if parameters else model


def _types(table: TableClassifier, X: Any) -> dict[str, Any] | None:
    """Return the column types; None if the frame is invalid."""
    coding = coding_of(table, X)
    declared = {} if isinstance(table.types, str) else dict(table.types)
    return None if coding is None else {**{column.name: column.kind for column in coding.columns}, **declared}


def coding_of(table: TableClassifier, X: Any) -> Any:
    """Return how a model would code a frame; None if the frame is invalid, in which case the fit raises."""
    try:
        return table.preview(X)
    except DataError:
        return None


def tables_in(model: Any) -> dict[str, TableClassifier]:
    """Return the `TableClassifier`s in a model by parameter name; that of the model itself is "".

    >>> from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
    >>> from posteriori.estimators.wrappers.one_vs_rest import OneVsRest
    >>> list(tables_in(OneVsRest(TableClassifier(GaussianClassifier()))))
    ['estimator']
    """
    parts = {"": model} | (model.get_params() if hasattr(model, "get_params") else {})
    return {name: part for name, part in parts.items() if isinstance(part, TableClassifier)}


def _needs_table(model: Any) -> bool:
    """Return whether a model is of this library and contains no `TableClassifier`."""
    if isinstance(model, TableClassifier) or not hasattr(model, "_takes_categories"):
        return False
    values = model.get_params(deep=True).values()
    parts = (part for value in values for part in (value if isinstance(value, list | tuple) else [value]))
    return not any(isinstance(part, TableClassifier) for part in parts)


def _by_name(models: Any) -> dict[str, Any]:
    if isinstance(models, Mapping):
        candidates = {str(name): model for name, model in models.items()}
        if len(candidates) < len(models):
            raise DataError("the names of the models must differ as text.")
        return candidates
    if isinstance(models, str | bytes) or not (isinstance(models, Iterable) or hasattr(models, "fit")):
        raise DataTypeError(f"models must be a list of classifiers or {{name: classifier}}, not {models!r}.")
    candidates = {}
    for model in [models] if hasattr(models, "fit") else list(models):
        inner = model.estimator if isinstance(model, TableClassifier) else model
        name, number = type(inner).__name__, 2
        while name in candidates:
            name, number = f"{type(inner).__name__} {number}", number + 1
        candidates[name] = model
    return candidates
