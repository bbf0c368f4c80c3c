"""The models that compete, each under a name of its own."""

from collections.abc import Iterable, Mapping
from typing import Any

from sklearn.base import clone

from posteriori.comparisons.rows import Rows
from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.estimators.wrappers.parts import refuse_no_classifier
from posteriori.messages.errors import DataError, DataTypeError


def line_up(models: Any, rows: Rows) -> dict[str, Any]:
    """Give every model a name; classifiers of this library sit at a table where X is a frame.

    >>> import numpy as np
    >>> from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
    >>> rows = Rows(np.zeros((2, 1)), np.arange(2), np.arange(2))
    >>> list(line_up([GaussianClassifier(), GaussianClassifier(shared=False)], rows))
    ['GaussianClassifier', 'GaussianClassifier 2']
    """
    named = _named(models)
    if not named:
        raise DataError("at least one model is needed; got none.")
    for name, model in named.items():
        refuse_no_classifier(model, f"model {name!r}")
    if rows.library is None:
        return named
    return {
        name: _typed(TableClassifier(model) if _needs_table(model) else model, rows.X) for name, model in named.items()
    }


def _typed(model: Any, X: Any) -> Any:
    """Fix the types of the columns by all rows: few rows may be taken for something else, such as identifiers."""
    found = {path: _types(table, X) for path, table in tables_in(model).items() if table.formula is None}
    known = {f"{path}__types" if path else "types": types for path, types in found.items() if types is not None}
    return clone(model).set_params(**known) if known else model


def _types(table: TableClassifier, X: Any) -> dict[str, Any] | None:
    """Give the types of the columns for a table; None where the frame's faults will be told by its fit."""
    try:
        coding = table.preview(X)
    except DataError:
        return None
    declared = {} if isinstance(table.types, str) else dict(table.types)
    return {**{column.name: column.kind for column in coding.columns}, **declared}


def tables_in(model: Any) -> dict[str, TableClassifier]:
    """Give the `TableClassifier`s of a model by their names among its parameters; its own name is empty.

    >>> from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
    >>> from posteriori.estimators.wrappers.one_vs_rest import OneVsRest
    >>> list(tables_in(OneVsRest(TableClassifier(GaussianClassifier()))))
    ['estimator']
    """
    found = {"": model} if isinstance(model, TableClassifier) else {}
    if hasattr(model, "get_params"):
        found |= {name: value for name, value in model.get_params().items() if isinstance(value, TableClassifier)}
    return found


def _needs_table(model: Any) -> bool:
    """Tell whether a model is of this library and has no `TableClassifier` in it already."""
    if isinstance(model, TableClassifier) or not hasattr(model, "_takes_categories"):
        return False
    inner: list[Any] = []
    for value in model.get_params(deep=True).values():
        inner += value if isinstance(value, list | tuple) else [value]
    return not any(isinstance(value, TableClassifier) for value in inner)


def _named(models: Any) -> dict[str, Any]:
    if isinstance(models, Mapping):
        named = {str(name): model for name, model in models.items()}
        if len(named) < len(models):
            raise DataError("names of models must differ as text.")
        return named
    if isinstance(models, str | bytes) or not (isinstance(models, Iterable) or hasattr(models, "fit")):
        raise DataTypeError(f"models must be a list of classifiers or {{name: classifier}}, not {models!r}.")
    given = [models] if hasattr(models, "fit") else list(models)
    named = {}
    for model in given:
        inner = model.estimator if isinstance(model, TableClassifier) else model
        name, number = type(inner).__name__, 2
        while name in named:
            name, number = f"{type(inner).__name__} {number}", number + 1
        named[name] = model
    return named
