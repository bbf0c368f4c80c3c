"""`merge`: models fitted on parts of the rows, joined into the model of all of them."""

from collections.abc import Iterable
from functools import reduce
from typing import Any

from posteriori.messages.errors import DataError, DataTypeError


def merge(models: Iterable[Any]) -> Any:
    """Join fitted models of one kind into the model that a fit on all their rows would have given.

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
    without = [type(model).__name__ for model in models if not hasattr(model, "merge")]
    if without:
        raise DataTypeError(f"{without[0]} cannot be merged: only models fitted through statistics can.")
    return reduce(lambda left, right: left.merge(right), models)
