"""The models that compete, each under a name of its own."""

from collections.abc import Iterable, Mapping
from typing import Any

from sklearn.base import clone

from posteriori.classifiers.table_classifier import TableClassifier
from posteriori.comparisons.rows import Rows
from posteriori.tables.errors import DataError, DataTypeError


def line_up(models: Any, rows: Rows) -> dict[str, Any]:
    """Give every model a name; classifiers of this library sit at a table where X is a frame.

    >>> import numpy as np
    >>> from posteriori.classifiers.gaussian_classifier import GaussianClassifier
    >>> rows = Rows(np.zeros((2, 1)), np.arange(2), np.arange(2))
    >>> list(line_up([GaussianClassifier(), GaussianClassifier(shared=False)], rows))
    ['GaussianClassifier', 'GaussianClassifier 2']
    """
    named = _named(models)
    if not named:
        raise DataError("at least one model is needed; got none.")
    for name, model in named.items():
        _refuse(name, model)
    if rows.library is None:
        return named
    return {
        name: _typed(TableClassifier(model) if _needs_table(model) else model, rows.X) for name, model in named.items()
    }


def _typed(model: Any, X: Any) -> Any:
    """Fix the types of the columns by all rows: few rows may be taken for something else, such as identifiers."""
    if not isinstance(model, TableClassifier) or model.formula is not None:
        return model
    try:
        coding = model.preview(X)
    except DataError:  # its own fit will tell
        return model
    declared = {} if isinstance(model.types, str) else dict(model.types)
    types = {**{column.name: column.kind for column in coding.columns}, **declared}
    return clone(model).set_params(types=types)


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


def _refuse(name: str, model: Any) -> None:
    """Refuse what is no classifier: a class instead of an instance, a name, a regressor without classes."""
    if isinstance(model, type):
        raise DataTypeError(f"model {name!r} is a class: give an instance, {model.__name__}(...).")
    if not (hasattr(model, "fit") and hasattr(model, "predict")):
        raise DataTypeError(f"model {name!r} cannot fit and predict: it is of type {type(model).__name__}.")
