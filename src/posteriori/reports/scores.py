"""Scores of a model on rows, with intervals, beside those of a baseline that predicts the class frequencies."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from posteriori.arrays import Array, Codes
from posteriori.comparisons.metrics import METRICS
from posteriori.comparisons.uncertainty import LEVEL, bounds
from posteriori.decisions.calibration import calibration_error
from posteriori.estimators.log_probabilities import log_probabilities_of
from posteriori.estimators.wrappers.decision_rules import cost_table, outcomes, rejected
from posteriori.estimators.wrappers.layers import layers
from posteriori.input.classes.class_values import as_objects, same
from posteriori.messages.errors import DataError
from posteriori.reports.rows import ScoredRows

#: Half the width of an interval of level 0.95, in standard errors.
NORMAL = float(norm.ppf(0.5 + LEVEL / 2))


@dataclass(frozen=True)
class Score:
    """A score, its standard error and interval of level 0.95, and the score of the baseline."""

    value: float
    se: float
    low: float
    high: float
    baseline: float


@dataclass(frozen=True)
class Assessment:
    """Predictions of a model on rows, and their scores.

    Parameters
    ----------
    scores : by metric; accuracy alone for a model without probabilities
    frequencies : (K,) weighted class frequencies of the rows
    outcomes : the possible predictions: classes, actions, a reject label
    confusion : (K, A) weight of the cases of each class with each prediction
    logs : (m, K) log probabilities of the cases, or None
    predicted : (m,) the prediction of each case, as an index into `outcomes`
    correct : (m,) whether it is the true class
    gain : how much better than the baseline the model is in log loss (in accuracy without probabilities), with the
        bounds of an interval of level 0.95
    decisions : results of decisions by costs or with rejection: mean cost, fraction rejected, accuracy of the others
    """

    scores: dict[str, Score]
    frequencies: Array
    outcomes: tuple[Any, ...]
    confusion: Array
    logs: Array | None
    predicted: Codes
    correct: NDArray[np.bool_]
    gain: tuple[float, float, float]
    decisions: dict[str, float]


def assess(model: Any, rows: ScoredRows) -> Assessment:
    """Score a model on rows."""
    frequencies = np.bincount(rows.codes, rows.weights, len(rows.classes)) / rows.weights.sum()
    possible, by_row = index_predictions(model, np.asarray(model.predict(rows.X, **rows.options)))
    predicted = by_row[rows.places]
    logs = _log_probabilities(model, rows) if hasattr(model, "predict_proba") else None
    own = np.array([_index_of(label, possible) for label in as_objects(rows.classes).tolist()], dtype=np.intp)
    correct = own[rows.codes] == predicted
    confusion = np.zeros((len(rows.classes), len(possible)))
    np.add.at(confusion, (rows.codes, predicted), rows.weights)
    return Assessment(
        _scores(logs, correct, rows, frequencies),
        frequencies,
        possible,
        confusion,
        logs,
        predicted,
        correct,
        _gain(logs, correct, rows, frequencies),
        _decisions(model, rows, by_row, correct),
    )


def _gain(
    logs: Array | None, correct: NDArray[np.bool_], rows: ScoredRows, frequencies: Array
) -> tuple[float, float, float]:
    """Return how much better than the baseline the model is, with an interval; paired by case."""
    if logs is None:
        gains = correct.astype(np.float64) - (rows.codes == frequencies.argmax())
    else:
        gains = rows.of_true_class(logs) - np.log(frequencies[rows.codes])
    value, error = mean_of(gains, rows.weights, rows.copies)
    margin = NORMAL * error
    return value, value - margin, value + margin if np.isfinite(value) else value


def _log_probabilities(model: Any, rows: ScoredRows) -> Array:
    logs = log_probabilities_of(model, rows.X, rows.options)
    invalid = np.isnan(logs).any(axis=1) | (logs > 1e-6).any(axis=1)
    if invalid.any():
        raise DataError(
            f"the probabilities of {int(invalid.sum())} of {len(logs)} rows are NaN or above one; the first is row "
            f"{int(rows.numbers[invalid.argmax()])}."
        )
    of_cases: Array = logs[rows.places]
    return of_cases


def index_predictions(model: Any, predictions: NDArray[Any]) -> tuple[tuple[Any, ...], Codes]:
    """Return the possible predictions of a model, then any others that occur, and each prediction's index."""
    possible = as_objects(np.asarray(outcomes(model))).tolist()
    try:
        _, first, inverse = np.unique(predictions, return_index=True, return_inverse=True)
    except TypeError:  # booleans and "rejected" cannot be sorted
        texts = np.array([f"{type(label).__name__} {label}" for label in predictions.tolist()])
        _, first, inverse = np.unique(texts, return_index=True, return_inverse=True)
    distinct = as_objects(predictions[first]).tolist()
    possible += [label for label in distinct if _index_of(label, possible) < 0]
    indices = np.array([_index_of(label, possible) for label in distinct], dtype=np.intp)
    return tuple(possible), indices[inverse.ravel()]


def _index_of(label: Any, labels: Any) -> int:
    """Return the index of a label; -1 if it is absent."""
    return next((at for at, other in enumerate(labels) if same(label, other)), -1)


def _scores(logs: Array | None, correct: NDArray[np.bool_], rows: ScoredRows, frequencies: Array) -> dict[str, Score]:
    with np.errstate(divide="ignore"):  # some class may not be among the rows
        baseline = np.broadcast_to(np.log(frequencies), (rows.n_cases, len(frequencies)))
    effective = effective_size(rows.weights, rows.copies)
    scores = {}
    for name in ("accuracy",) if logs is None else METRICS:
        values = correct.astype(np.float64) if logs is None else _values(name, logs, rows)
        value, error = mean_of(values, rows.weights, rows.copies)
        interval = bounds(METRICS[name], value, error, effective, len(frequencies))
        scores[name] = Score(value, error, *interval, mean_of(_values(name, baseline, rows), rows.weights)[0])
    return scores


def _values(name: str, logs: Array, rows: ScoredRows) -> Array:
    """Score each case; the bins of a calibration error have equal weights."""
    if name == "calibration_error" and rows.weighted:
        return calibration_error(logs, rows.codes, rows.weights)
    return METRICS[name].score(logs, rows.codes)


def mean_of(values: Array, weights: Array, copies: Array | None = None) -> tuple[float, float]:
    """Return a weighted mean and its standard error, infinite if a value is.

    With weights w_i the error is sqrt(n/(n-1) sum w_i^2 (v_i - v)^2) / sum w_i: for equal weights s / sqrt(n). A value
    that stands for c_i observations, of weight w_i / c_i each, counts as c_i values.

    >>> [round(x, 4) for x in mean_of(np.array([1.0, 2.0, 3.0, 4.0]), np.ones(4))]       # sqrt(5/3) / 2
    [2.5, 0.6455]
    >>> [round(x, 4) for x in mean_of(np.array([0.0, 1.0]), np.array([60.0, 40.0]), np.array([60.0, 40.0]))]
    [0.4, 0.0492]
    """
    mean = float(np.average(values, weights=weights))
    copies = np.ones(len(values)) if copies is None else copies
    n = float(copies.sum())
    if n <= 1 or not np.isfinite(mean):
        return mean, float("inf")
    variance = (np.square(weights * (values - mean)) / copies).sum() * n / (n - 1)
    return mean, float(np.sqrt(variance) / weights.sum())


def effective_size(weights: Array, copies: Array) -> int:
    """Return the effective number of observations, (sum w)^2 / sum w^2 (Kish 1965).

    >>> effective_size(np.array([1.0, 1.0, 0.0001]), np.ones(3)), effective_size(np.array([6.0]), np.array([6.0]))
    (2, 6)
    """
    return max(1, round(float(weights.sum() ** 2 / (np.square(weights) / copies).sum())))


def _decisions(model: Any, rows: ScoredRows, by_row: Codes, correct: NDArray[np.bool_]) -> dict[str, float]:
    """Return the results of decisions by costs or with rejection on these rows."""
    if not hasattr(model, "predict_proba") or not any(layer.decision for layer in layers(model)):
        return {}
    weights = rows.weights
    results: dict[str, float] = {}
    p = np.asarray(model.predict_proba(rows.X, **rows.options), dtype=np.float64)
    rejections = rejected(model, p)[rows.places]
    if rejections.any():
        results["rejected"] = float(np.average(rejections, weights=weights))
        if not rejections.all():
            accepted = ~rejections
            results["accuracy_of_the_others"] = float(np.average(correct[accepted], weights=weights[accepted]))
        return results
    costs = cost_table(model)
    if costs is not None:
        by_case = costs.values[by_row[rows.places], rows.codes]
        results["mean_cost"] = float(np.average(by_case, weights=weights))
        by_action = costs.values[:, rows.codes] @ weights / weights.sum()
        results["mean_cost_of_the_best_single_action"] = float(by_action.min())
    return results
