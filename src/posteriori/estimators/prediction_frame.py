"""Predictions as a frame: the class, the probability of each class, and intervals."""

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.input.frames.native import as_frame, frame_of
from posteriori.messages.errors import DataError


def prediction_frame(
    model: Any, X: Any, level: float | None = None, *, kind: str | None = None, covariance: Any = None, **more: Any
) -> Any:
    """Return a frame of the library of X, one row per row of X, with the index of X if it has one (pandas).

    Columns: ``prediction``; if the model has probabilities, one per class, named after it (``P(…)`` if that name is not
    free); with a `level` also ``…_lower`` and ``…_upper`` of each class. Predictions of several types, such as whole
    numbers and the label of rejections, are text in frames whose columns have one type.

    `kind` and `covariance` are those of ``predict_interval``, and need a level.
    """
    check_is_fitted(model)
    options = {name: value for name, value in (("kind", kind), ("covariance", covariance)) if value is not None}
    if level is not None:
        _refuse_without_intervals(model, level)
    elif options:
        raise DataError(f"{' and '.join(options)} are for intervals: pass level=, such as 0.95.")
    like = as_frame(X)
    columns: dict[str, Any] = {"prediction": _of_one_type(np.asarray(model.predict(X, **more)), like)}
    if hasattr(model, "predict_proba"):
        labels = model.classes_.tolist()
        names = [str(label) for label in labels]
        if "prediction" in names or len(set(names)) < len(names):
            names = [f"P({label!r})" for label in labels]
        columns |= dict(zip(names, model.predict_proba(X, **more).T, strict=True))
        if level is not None:
            bounds = model.predict_interval(X, level, **more, **options)
            for k, name in enumerate(names):
                columns |= {f"{name}_lower": bounds[:, k, 0], f"{name}_upper": bounds[:, k, 1]}
    return _indexed({name: np.asarray(values) for name, values in columns.items()}, like)


def expanded(predictions: Any, rows: NDArray[np.bool_], like: Any) -> Any:
    """Return predictions for the selected rows of a frame as a frame with all its rows; the others are missing."""
    columns: dict[str, Any] = {}
    for column in nw.from_native(predictions, eager_only=True).iter_columns():
        values = column.to_numpy()
        numbers = values.dtype.kind == "f"
        columns[column.name] = np.full(len(rows), np.nan if numbers else None, dtype=float if numbers else object)
        columns[column.name][rows] = values
    return _indexed(columns, like)


def _indexed(columns: dict[str, Any], like: Any) -> Any:
    """Return a frame of the library of another, with its index (pandas)."""
    frame = frame_of(columns, like=like)
    return frame if like is None or not like.implementation.is_pandas() else frame.set_axis(like.to_native().index)


def _of_one_type(predictions: Any, like: Any) -> Any:
    """Return predictions of several types as text for frames whose columns have one type."""
    if predictions.dtype != object or like is None or like.implementation.is_pandas():
        return predictions
    values = predictions.tolist()
    numbers = any(isinstance(value, bool | int | float | np.generic) for value in values)
    return np.array([str(value) for value in values], dtype=object) if numbers else predictions


def _refuse_without_intervals(model: Any, level: float) -> None:
    """Raise if the model has no intervals."""
    if not hasattr(model, "predict_interval"):
        name = type(model if not hasattr(model, "coding_") else vars(model).get("estimator_", model)).__name__
        raise DataError(
            f"level={level!r} requires intervals, and {name} has none (no predict_interval): omit level, or use a "
            "model that has them, such as LogisticRegression, BinaryRegression or BayesianLogisticRegression."
        )
