"""Predictions as a frame: the class, the probability of each class, and intervals if asked."""

from typing import Any

import numpy as np

from posteriori.tables.frames import as_frame, frame_of


def prediction_frame(model: Any, X: Any, level: float | None = None, **more: Any) -> Any:
    """Give a frame of the library X came from, one row a row.

    Columns: ``prediction``; where the model has probabilities one for each class, called by it (``P(…)`` if that
    name is taken); with a `level` also ``…_lower`` and ``…_upper`` of each class.
    """
    columns: dict[str, Any] = {"prediction": model.predict(X, **more)}
    if hasattr(model, "predict_proba"):
        labels = model.classes_.tolist()
        names = [str(label) for label in labels]
        if "prediction" in names or len(set(names)) < len(names):
            names = [f"P({label!r})" for label in labels]
        columns |= dict(zip(names, model.predict_proba(X, **more).T, strict=True))
        if level is not None:
            bounds = model.predict_interval(X, level, **more)
            for k, name in enumerate(names):
                columns |= {f"{name}_lower": bounds[:, k, 0], f"{name}_upper": bounds[:, k, 1]}
    return frame_of({name: np.asarray(values) for name, values in columns.items()}, like=as_frame(X))
