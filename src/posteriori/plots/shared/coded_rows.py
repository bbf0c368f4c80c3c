"""The classifier inside a `TableClassifier`, and rows coded for it."""

from typing import Any

from sklearn.utils.validation import check_is_fitted

from posteriori.input.frames.native import as_frame
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


def model_inside(estimator: Any, X: Any, y: Any = None) -> tuple[Any, Any]:
    """Return the fitted classifier in a `TableClassifier` and X coded for it; for other models the model and X.

    If y is the name of a column of X, that column is dropped.

    >>> import numpy as np
    >>> import posteriori as pt
    >>> X = np.array([[0.0], [1.0], [4.0], [5.0]])
    >>> model, rows = model_inside(pt.TableClassifier(pt.NaiveBayes()).fit(X, [0, 0, 1, 1]), X)
    >>> type(model).__name__, rows is X
    ('NaiveBayes', True)
    """
    check_is_fitted(estimator)
    if not hasattr(estimator, "coding_"):
        return estimator, without(X, y)
    coding = estimator.coding_
    if coding is None:
        return estimator.estimator_, X
    frame = as_frame(X)
    if frame is None:
        raise DataError(
            f"this model was fitted to a frame: X must be a frame with the columns {quote(list(coding.names))}."
        )
    return estimator.estimator_, coding.apply(frame).to_native()


def without(X: Any, y: Any) -> Any:
    """Return rows without the column that y names, if it is the name of one."""
    frame = as_frame(X) if isinstance(y, str) else None
    return X if frame is None or y not in frame.columns else frame.drop([y]).to_native()
