"""How good a model is on rows: scores with intervals, beside those of a forecast that knows only the class shares."""

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
from posteriori.reports.rows import Scored

#: Standard errors to either side in an interval.
NORMAL = float(norm.ppf(0.5 + LEVEL / 2))


@dataclass(frozen=True)
class Score:
    """A score, its standard error and interval of level 0.95, and that of the class shares."""

    value: float
    se: float
    low: float
    high: float
    baseline: float


@dataclass(frozen=True)
class Assessment:
    """What a model did on rows.

    Parameters
    ----------
    scores : by name: log_loss, brier, accuracy, calibration_error; of a model without probabilities accuracy alone
    shares : (K,) of the classes among the rows, by weight
    answers : what the model may answer: classes, actions, a label of rejection
    confusion : (K, A) weight of the rows of each class that got each answer
    logs : (m, K) log probabilities of the cases, or None
    answered : (m,) the answer to each case, as a place in `answers`
    right : (m,) whether it is the class of the case
    gain : how much better than the class shares it is, in log loss (without probabilities: in accuracy), with the
        bounds of an interval of level 0.95
    decided : facts of a decision by costs or with rejection: mean cost, share rejected, accuracy of the others
    """

    scores: dict[str, Score]
    shares: Array
    answers: tuple[Any, ...]
    confusion: Array
    logs: Array | None
    answered: Codes
    right: NDArray[np.bool_]
    gain: tuple[float, float, float]
    decided: dict[str, float]


def assess(model: Any, rows: Scored) -> Assessment:
    """Score a model on rows."""
    classes = np.asarray(model.classes_)
    weights = rows.weights
    shares = np.bincount(rows.codes, weights, len(classes)) / weights.sum()
    labels = np.asarray(model.predict(rows.X, **rows.given))
    answers, answered = _answers(model, labels)
    answered = answered[rows.places]
    confusion = np.zeros((len(classes), len(answers)))
    np.add.at(confusion, (rows.codes, answered), weights)
    logs = _logs(model, rows) if hasattr(model, "predict_proba") else None
    own = _places_of_classes(answers, classes)
    right = (own[rows.codes] == answered).astype(np.float64)
    scores = _scores(logs, right, rows, shares)
    with np.errstate(divide="ignore"):  # of classes that are not among the rows
        gain = _gain(logs, right, rows, shares)
    return Assessment(
        scores, shares, answers, confusion, logs, answered, right > 0, gain, _decisions(model, rows, labels, right)
    )


def _gain(logs: Array | None, right: Array, rows: Scored, shares: Array) -> tuple[float, float, float]:
    """Compare the model with the class shares, case by case: in log loss, or else in right answers."""
    if logs is None:
        cases = right - (rows.codes == shares.argmax())
    else:
        cases = logs[np.arange(rows.n_cases), rows.codes] - np.log(shares)[rows.codes]
    value, error = mean_of(cases, rows.weights, rows.copies)
    margin = NORMAL * error
    return value, value - margin, value + margin if np.isfinite(value) else value


def _logs(model: Any, rows: Scored) -> Array:
    logs = log_probabilities_of(model, rows.X, rows.given)
    strange = np.isnan(logs).any(axis=1) | (logs > 1e-6).any(axis=1)
    if strange.any():
        raise DataError(
            f"the probabilities of {int(strange.sum())} of {len(logs)} rows are NaN or above one, the first that of "
            f"row {int(rows.numbers[strange.argmax()])}."
        )
    found: Array = logs[rows.places]
    return found


def _answers(model: Any, labels: NDArray[Any]) -> tuple[tuple[Any, ...], Codes]:
    """List what the model may answer, then what it did answer besides, and code its answers."""
    listed = as_objects(np.asarray(outcomes(model))).tolist()
    first, inverse = _distinct(labels)
    places = []
    for answer in as_objects(labels[first]).tolist():
        at = next((at for at, known in enumerate(listed) if same(known, answer)), len(listed))
        places.append(at)
        listed += [answer] if at == len(listed) else []
    return tuple(listed), np.array(places, dtype=np.intp)[inverse]


def _distinct(labels: NDArray[Any]) -> tuple[Codes, Codes]:
    """Give the first place of each distinct label, and each row's number among those."""
    try:
        _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    except TypeError:  # truth values and "rejected", which have no order
        words = np.array([f"{type(label).__name__} {label}" for label in labels.tolist()])
        _, first, inverse = np.unique(words, return_index=True, return_inverse=True)
    return first, inverse.ravel()


def _places_of_classes(answers: tuple[Any, ...], classes: NDArray[Any]) -> Codes:
    """Give each class's place among the answers; -1 where it is none of them."""
    places = [
        next((at for at, answer in enumerate(answers) if same(answer, label)), -1)
        for label in as_objects(classes).tolist()
    ]
    return np.array(places, dtype=np.intp)


def _scores(logs: Array | None, right: Array, rows: Scored, shares: Array) -> dict[str, Score]:
    names = ["accuracy"] if logs is None else list(METRICS)
    with np.errstate(divide="ignore"):
        constant = np.broadcast_to(np.log(shares), (rows.n_cases, len(shares)))
    found = {}
    for name in names:
        metric = METRICS[name]
        values = right if logs is None else _values(name, logs, rows)
        usual = _values(name, constant, rows)
        value, error = mean_of(values, rows.weights, rows.copies)
        low, high = bounds(metric, value, error, effective(rows.weights, rows.copies), len(shares))
        found[name] = Score(value, error, low, high, mean_of(usual, rows.weights)[0])
    return found


def _values(name: str, logs: Array, rows: Scored) -> Array:
    """Score each case; the bins of a calibration error hold equal weights."""
    if name == "calibration_error" and rows.weighted:
        return calibration_error(logs, rows.codes, rows.weights)
    return METRICS[name].score(logs, rows.codes)


def mean_of(values: Array, weights: Array, copies: Array | None = None) -> tuple[float, float]:
    """Give a weighted mean and its standard error, infinite where a value is.

    With weights w_i it is sqrt(n/(n-1) sum w_i^2 (v_i - v)^2) / sum w_i: for equal weights s / sqrt(n). A value that
    stands for c_i cases, of weight w_i / c_i each, counts as so many.

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
    spread = (np.square(weights * (values - mean)) / copies).sum() * n / (n - 1)
    return mean, float(np.sqrt(spread) / weights.sum())


def effective(weights: Array, copies: Array | None = None) -> int:
    """Give the number of equal rows that tell as much as weighted ones: (sum w)^2 / sum w^2 (Kish 1965).

    >>> effective(np.ones(10)), effective(np.array([1.0, 1.0, 0.0001])), effective(np.array([6.0]), np.array([6.0]))
    (10, 2, 6)
    """
    squares = np.square(weights) if copies is None else np.square(weights) / copies
    return max(1, round(float(weights.sum() ** 2 / squares.sum())))


def _decisions(model: Any, rows: Scored, labels: NDArray[Any], right: Array) -> dict[str, float]:
    """Give what a decision by costs or with rejection came to on these rows."""
    if not hasattr(model, "predict_proba") or not any(layer.decision for layer in layers(model)):
        return {}
    told: dict[str, float] = {}
    p = np.asarray(model.predict_proba(rows.X, **rows.given), dtype=np.float64)
    refused = rejected(model, p)[rows.places]
    if refused.any():
        told["rejected"] = float(np.average(refused, weights=rows.weights))
        if not refused.all():
            told["accuracy_of_the_others"] = float(np.average(right[~refused], weights=rows.weights[~refused]))
    costs = cost_table(model)
    if costs is not None and not refused.any():
        _, acted = _answers(model, labels)
        by_case = costs.values[acted[rows.places], rows.codes]
        told["mean_cost"] = float(np.average(by_case, weights=rows.weights))
        constant = costs.values[:, rows.codes] @ rows.weights / rows.weights.sum()
        told["mean_cost_of_the_best_single_action"] = float(constant.min())
    return told
