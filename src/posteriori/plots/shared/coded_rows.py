"""The classifier inside a `TableClassifier`, and rows coded for it."""

from typing import Any

from sklearn.utils.validation import check_is_fitted

from posteriori.input.frames.native import as_frame
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


def model_inside(estimator: Any, X: Any, y: Any = None) -> tuple[Any, Any]:
    """Give the fitted classifier inside a table classifier, and X coded for it; any other as it is.

    Where y names a column of a frame, that column is no feature.

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
        raise DataError(f"this model was fitted on a frame: give X as one, with {quote(list(coding.names))}.")
    return estimator.estimator_, coding.apply(frame).to_native()


def without(X: Any, y: Any) -> Any:
    """Give rows without the column that y names, if it does."""
    frame = as_frame(X) if isinstance(y, str) else None
    return X if frame is None or y not in frame.columns else frame.drop([y]).to_native()
