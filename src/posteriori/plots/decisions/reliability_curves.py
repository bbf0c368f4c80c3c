"""The curves of a reliability diagram, computed from predicted probabilities."""

from dataclasses import replace
from typing import Any

import numpy as np

from posteriori.checks.parameters import choice, is_number, is_whole
from posteriori.decisions.calibration import Reliability, calibration_error, distances, reliability
from posteriori.decisions.reject import doubt
from posteriori.messages.errors import DataError
from posteriori.plots.decisions.predicted_probabilities import PredictedProbabilities
from posteriori.plots.shared.wording import ROOM, plain

#: How rows are binned, and the event that probabilities refer to.
STRATEGIES, EVENTS = ("quantile", "uniform"), ("class", "top")
#: The name of the curve of the most probable class.
TOP = "most probable class"


def curves_of(
    predicted: PredictedProbabilities, positive: Any, of: str | None, options: dict[str, Any]
) -> tuple[dict[Any, Reliability], str, str]:
    """Return the curves of one model by class, and the labels of the x and y axes.

    Parameters
    ----------
    predicted : predicted probabilities and true classes
    positive, of : as in `ReliabilityDisplay.computed`
    options : bins, strategy and level, by `read_options`
    """
    if choice("of", "class" if of is None else of, EVENTS) == "top":
        if positive is not None:
            raise DataError("positive= names a class, but of='top' uses the most probable class: pass only one.")
        return {TOP: _top(predicted, options)}, "predicted probability of the most probable class", "accuracy"
    target, labels = plain(predicted.target, ROOM), predicted.labels
    if positive is None and len(labels) > 2:
        curves = {label: _of_class(predicted, k, options) for k, label in enumerate(labels)}
        return curves, f"predicted probability P({target} = class)", "observed frequency of the class"
    k = 1 if positive is None else predicted.index_of(positive, "positive")
    curve, name = _of_class(predicted, k, options), plain(labels[k], ROOM)
    if len(labels) == 2:  # the curve of one class determines that of the other, and the error is that of `compare`
        parts = calibration_error(predicted.logs, predicted.codes, predicted.weights)
        curve = replace(curve, error=float(np.average(parts, weights=predicted.row_weights)))
    event = f"{target} = {name}"
    return {labels[k]: curve}, f"predicted probability P({event})", f"observed frequency of {event}"


def read_options(bins: Any, strategy: str, level: Any) -> dict[str, Any]:
    """Check how rows are binned, and the level of the intervals."""
    choice("strategy", strategy, STRATEGIES)
    if not is_whole(bins, least=1):
        raise DataError(f"bins={bins!r} must be a positive integer.")
    if not is_number(level) or not 0 < level < 1:
        raise DataError(f"level={level!r} must be a number between 0 and 1.")
    return {"bins": int(bins), "strategy": strategy, "level": float(level)}


def _of_class(predicted: PredictedProbabilities, k: int, options: dict[str, Any]) -> Reliability:
    """Compute the curve of one class."""
    apart = distances(predicted.logs, predicted.codes)[:, k]
    return reliability(
        predicted.probabilities[:, k], predicted.logs[:, k], apart, predicted.codes == k, predicted.weights,
        library=predicted.library, **options,
    )  # fmt: skip


def _top(predicted: PredictedProbabilities, options: dict[str, Any]) -> Reliability:
    """Compute the curve of whichever class is most probable."""
    top = predicted.probabilities.argmax(axis=1)
    at, correct = (np.arange(len(top)), top), top == predicted.codes
    p, logs = predicted.probabilities[at], predicted.logs[at]
    apart = np.where(correct, -doubt(predicted.probabilities), p)
    return reliability(p, logs, apart, correct, predicted.weights, library=predicted.library, **options)
