"""Predictions as a frame: the class, the probability of each class, and intervals if asked."""

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
    """Give a frame of the library X came from, one row a row, under the index of X where that has one (pandas).

    Columns: ``prediction``; where the model has probabilities one for each class, called by it (``P(…)`` if that
    name is taken); with a `level` also ``…_lower`` and ``…_upper`` of each class. Predictions of several types, such
    as whole numbers and the word for a rejection, are text in a frame whose columns have one type.

    `kind` and `covariance` are those of ``predict_interval``, and need a level.
    """
    check_is_fitted(model)
    spread = {name: value for name, value in (("kind", kind), ("covariance", covariance)) if value is not None}
    if level is not None:
        _refuse_without_intervals(model, level)
    elif spread:
        raise DataError(f"{' and '.join(spread)} are for intervals: give level=, such as 0.95.")
    like = as_frame(X)
    columns: dict[str, Any] = {"prediction": _of_one_type(np.asarray(model.predict(X, **more)), like)}
    if hasattr(model, "predict_proba"):
        labels = model.classes_.tolist()
        names = [str(label) for label in labels]
        if "prediction" in names or len(set(names)) < len(names):
            names = [f"P({label!r})" for label in labels]
        columns |= dict(zip(names, model.predict_proba(X, **more).T, strict=True))
        if level is not None:
            bounds = model.predict_interval(X, level, **more, **spread)
            for k, name in enumerate(names):
                columns |= {f"{name}_lower": bounds[:, k, 0], f"{name}_upper": bounds[:, k, 1]}
    made = frame_of({name: np.asarray(values) for name, values in columns.items()}, like=like)
    return made if like is None or not like.implementation.is_pandas() else made.set_axis(like.to_native().index)


def spread_over(made: Any, whole: NDArray[np.bool_], like: Any) -> Any:
    """Return predictions for the rows of a frame that are marked, as rows of all; the others have none."""
    columns: dict[str, Any] = {}
    for column in nw.from_native(made, eager_only=True).iter_columns():
        values = column.to_numpy()
        numbers = values.dtype.kind == "f"
        columns[column.name] = np.full(len(whole), np.nan if numbers else None, dtype=float if numbers else object)
        columns[column.name][whole] = values
    found = frame_of(columns, like=like)
    return found.set_axis(like.to_native().index) if like.implementation.is_pandas() else found


def _of_one_type(answers: Any, like: Any) -> Any:
    """Give answers of several types as text where a column has one type: whichever of them these rows happen to get."""
    if answers.dtype != object or like is None or like.implementation.is_pandas():
        return answers
    numbers = any(isinstance(answer, bool | int | float | np.generic) for answer in answers.tolist())
    return np.array([str(answer) for answer in answers.tolist()], dtype=object) if numbers else answers


def _refuse_without_intervals(model: Any, level: float) -> None:
    """Refuse a level where there are no intervals to give it to."""
    if not hasattr(model, "predict_interval"):
        name = type(model if not hasattr(model, "coding_") else vars(model).get("estimator_", model)).__name__
        raise DataError(
            f"level={level!r} asks for intervals, and {name} has none (no predict_interval): leave level out, or take "
            "a model that has them, such as LogisticRegression, BinaryRegression or BayesianLogisticRegression."
        )
