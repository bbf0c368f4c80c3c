"""Whether rows are those a model was fitted to: told by how many there are and by the objective the fit saw."""

from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.estimators.log_probabilities import log_probabilities_of
from posteriori.estimators.wrappers.decision_wrapper import DecisionWrapper
from posteriori.estimators.wrappers.layers import innermost, is_frozen, layers, table_in
from posteriori.input.classes.class_values import as_objects, same
from posteriori.messages.recording import recorded_warnings
from posteriori.reports.refit import unfitted
from posteriori.reports.rows import Scored

#: How far, relatively, a sum over the same rows may be from the fit's.
SAME = 1e-6
#: How far log probabilities of a model fitted again may be from its own: sums are in another order.
SAME_LOGS = 1e-5
#: The most numbers (rows times columns) for which a model is fitted again to find out.
QUICK = 2_000_000
#: What is told of rows.
TRAINING, LIKELY, OTHER, UNKNOWN = "training", "probably training", "other", "unknown"
WORDS = {
    TRAINING: "These are the rows the model was fitted to, so the scores flatter it: it has seen every answer.",
    LIKELY: "These are probably the rows the model was fitted to: there are as many of them. If they are, the scores "
    "flatter it: it has seen every answer.",
    OTHER: "These are not exactly the rows, with the weights, that the model was fitted to. Whether some of them are "
    "among those cannot be told: as far as they are, the scores flatter it.",
    UNKNOWN: "Whether the model was fitted to these rows cannot be told. If it was, the scores flatter it.",
}


def origin_of(model: Any, rows: Scored, logs: Array | None) -> str:
    """Tell whether rows are those of the fit: "training", "probably training", "other" or "unknown".

    A fit by maximum likelihood keeps the log likelihood of its rows; one through statistics keeps the weight of each
    class, and is quickly done again; a table keeps how many rows it had.
    """
    inner, table = innermost(model), table_in(model)
    n_rows = len(rows.numbers)
    sums: Array = np.bincount(rows.codes, rows.weights, len(model.classes_)).astype(np.float64)
    totals = _by_class(model, inner, sums)
    logs = logs if not isinstance(model, DecisionWrapper) else _before_decisions(model, rows)
    seen = getattr(inner, "information_", None)
    known = _size(seen, table)
    if known is not None and known[0] != n_rows:
        return OTHER
    if known is not None and not np.isclose(known[1], sums.sum(), rtol=SAME):
        return UNKNOWN  # as many rows, with other weights
    if seen is not None:
        return _by_objective(seen.loss, rows, logs)
    objective = getattr(getattr(inner, "solution_", None), "objective", None)
    if objective is not None and logs is not None and _by_objective(objective, rows, logs) == TRAINING:
        return TRAINING
    weights = getattr(getattr(inner, "statistics_", None), "weight", None)
    if weights is not None and totals is not None:
        return _by_refit(model, rows) if np.allclose(weights.values, totals, rtol=SAME, atol=0) else OTHER
    return UNKNOWN if table is None else LIKELY


def _size(seen: Any, table: Any) -> tuple[int, float] | None:
    """Give how many rows the fit had, and their weight, where it is known."""
    if seen is not None:
        return seen.n_rows, float(seen.totals.sum())
    return None if table is None else (table.n_rows_, float(table.weight_))


def _by_objective(seen: float, rows: Scored, logs: Array | None) -> str:
    if logs is None:
        return UNKNOWN
    loss = -float(rows.weights @ logs[np.arange(rows.n_cases), rows.codes])
    if abs(loss - seen) <= SAME * abs(seen):
        return TRAINING
    return LIKELY if abs(loss - seen) <= SAME else OTHER  # both nothing: any rows that are all told right would do


def _by_refit(model: Any, rows: Scored) -> str:
    """Fit a clone to the rows, where that is one quick pass: statistics of other rows are others.

    Rows can be as many of each class as those of the fit and yet be others, such as half of a stratified split.
    """
    asked = next(layer.model for layer in layers(model) if not layer.decision)
    if rows.n_cases * getattr(asked, "n_features_in_", 1) > QUICK or is_frozen(asked):
        return LIKELY
    if len(rows.places) != len(rows.numbers) or not hasattr(asked, "predict_proba"):
        return LIKELY
    given = {"sample_weight": rows.weights} if rows.weighted else {}
    try:
        with recorded_warnings():
            again = unfitted(asked, rows.X).fit(rows.X, np.asarray(model.classes_)[rows.codes], **given)
            mine, anew = (log_probabilities_of(each, rows.X, {}) for each in (asked, again))
    except (TypeError, ValueError):
        return LIKELY
    return TRAINING if np.allclose(mine, anew, rtol=SAME_LOGS, atol=SAME_LOGS) else OTHER


def _before_decisions(model: Any, rows: Scored) -> Array | None:
    """Give the log probabilities of the cases as the fit knew them, without new priors around it."""
    asked = next(layer.model for layer in layers(model) if not layer.decision)
    return log_probabilities_of(asked, rows.X, rows.given)[rows.places] if hasattr(asked, "predict_proba") else None


def _by_class(model: Any, inner: Any, totals: Array) -> Array | None:
    """Put sums by class into the order of the classifier inside."""
    mine, theirs = (as_objects(np.asarray(each.classes_)).tolist() for each in (model, inner))
    places = [next((at for at, label in enumerate(mine) if same(label, other)), -1) for other in theirs]
    return None if -1 in places or len(mine) != len(theirs) else totals[places]
