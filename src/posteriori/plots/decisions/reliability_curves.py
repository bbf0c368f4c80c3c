"""The curves of a reliability diagram, found from what a model said of some rows."""

from dataclasses import replace
from typing import Any

import numpy as np

from posteriori.checks.parameters import choice
from posteriori.decisions.calibration import Reliability, calibration_error, distances, reliability
from posteriori.decisions.reject import doubt
from posteriori.messages.errors import DataError
from posteriori.plots.decisions.predicted_probabilities import Forecasts
from posteriori.plots.shared.wording import ROOM, plain

#: How rows are cut into bins, and what probabilities are of.
STRATEGIES, EVENTS = ("quantile", "uniform"), ("class", "top")
#: The name of the curve of the most probable class.
TOP = "most probable class"


def curves_of(
    told: Forecasts, positive: Any, of: str | None, bins: int, strategy: str, level: float
) -> tuple[dict[Any, Reliability], str, str]:
    """Give the curves of one model by class, and what is on the two axes, in words.

    Parameters
    ----------
    told : probabilities of rows, and their classes
    positive, of, bins, strategy, level : as in `ReliabilityDisplay.from_estimator`
    """
    options = _checked(bins, strategy, level)
    if choice("of", "class" if of is None else of, EVENTS) == "top":
        if positive is not None:
            raise DataError("positive= names a class, and of='top' is about whichever is most probable: give one.")
        return {TOP: _top(told, options)}, "probability of the most probable class", "share of rows that are of it"
    target, labels = plain(told.target, ROOM), told.labels
    if positive is None and len(labels) > 2:
        curves = {label: _of_class(told, k, options) for k, label in enumerate(labels)}
        return curves, f"forecast P({target} = class)", "share of rows that are of the class"
    k = 1 if positive is None else told.place_of(positive, "positive")
    curve, name = _of_class(told, k, options), plain(labels[k], ROOM)
    if len(labels) == 2:  # then either class tells of both, and the error is that of `compare`
        error = np.average(calibration_error(told.logs, told.codes, told.weights), weights=told.mass)
        curve = replace(curve, error=float(error))
    return {labels[k]: curve}, f"forecast P({target} = {name})", f"share of rows with {target} = {name}"


def _checked(bins: Any, strategy: str, level: Any) -> dict[str, Any]:
    choice("strategy", strategy, STRATEGIES)
    if not isinstance(bins, int | np.integer) or isinstance(bins, bool) or bins < 1:
        raise DataError(f"bins={bins!r} must be a whole number from 1 up.")
    if not isinstance(level, int | float | np.floating) or not 0 < level < 1:
        raise DataError(f"level={level!r} must be a number between 0 and 1.")
    return {"bins": int(bins), "strategy": strategy, "level": float(level)}


def _of_class(told: Forecasts, k: int, options: dict[str, Any]) -> Reliability:
    apart, p = distances(told.logs, told.codes)[:, k], told.probabilities[:, k]
    return reliability(p, told.logs[:, k], apart, told.codes == k, told.weights, library=told.library, **options)


def _top(told: Forecasts, options: dict[str, Any]) -> Reliability:
    top = told.probabilities.argmax(axis=1)
    at, right = (np.arange(len(top)), top), top == told.codes
    p, logs = told.probabilities[at], told.logs[at]
    apart = np.where(right, -doubt(told.probabilities), p)
    return reliability(p, logs, apart, right, told.weights, library=told.library, **options)
