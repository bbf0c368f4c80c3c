"""`merge`: merge models fitted to parts of the rows into the model of all rows."""

from collections.abc import Iterable
from functools import reduce
from typing import Any

from posteriori.messages.errors import DataError, DataTypeError


def merge(models: Iterable[Any]) -> Any:
    """Merge fitted models of one class into the model of one fit to all their rows.

    Parameters
    ----------
    models : fitted classifiers with the same parameters and columns; classes and categories may differ

    Returns
    -------
    A new fitted classifier

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0], [1.0], [2.0], [4.0], [6.0], [8.0]], [0, 0, 0, 1, 1, 1]
    >>> parts = [pt.GaussianClassifier().fit(X[i::2] + X[i::2], y[i::2] + y[i::2]) for i in (0, 1)]
    >>> pt.merge(parts).means_.tolist() == pt.GaussianClassifier().fit(X, y).means_.tolist()
    True
    """
    models = list(models)
    if not models:
        raise DataError("merge needs at least one model.")
    for model in models:
        if not hasattr(model, "merge"):
            raise DataTypeError(f"{type(model).__name__} cannot be merged: only models fitted from statistics can.")
    return reduce(lambda left, right: left.merge(right), models)
