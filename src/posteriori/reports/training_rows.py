"""Whether rows are the training rows of a model, by their number and by the objective of the fit."""

from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.estimators.log_probabilities import log_probabilities_of
from posteriori.estimators.wrappers.decision_wrapper import DecisionWrapper
from posteriori.estimators.wrappers.layers import innermost, is_frozen, layers, table_in
from posteriori.input.classes.class_values import as_objects, same
from posteriori.messages.recording import recorded_warnings
from posteriori.reports.refit import unfitted
from posteriori.reports.rows import ScoredRows

#: Relative tolerance for a sum over the same rows.
SAME = 1e-6
#: Tolerance for log probabilities of a refitted model, which sums in another order.
SAME_LOGS = 1e-5
#: Largest number of cells (rows times columns) for which a model is refitted to compare.
QUICK = 2_000_000
#: Whether rows are those of the fit.
TRAINING, LIKELY, OTHER, UNKNOWN = "training", "probably training", "other", "unknown"
DESCRIPTIONS = {
    TRAINING: "The model was fitted to these rows.",
    LIKELY: "The model was probably fitted to these rows: it was fitted to the same number of rows.",
    OTHER: "These are not exactly the rows, with the weights, that the model was fitted to. The scores of any that are "
    "training rows are optimistic.",
    UNKNOWN: "It is unknown whether the model was fitted to these rows. If it was, the scores are optimistic.",
}


def origin_of(model: Any, rows: ScoredRows, logs: Array | None) -> str:
    """Return whether rows are those of the fit: "training", "probably training", "other" or "unknown".

    A maximum likelihood fit stores the log likelihood of its rows, a fit through statistics the weight of each class (a
    refit is then quick), and a table the number of rows.
    """
    inner, table = innermost(model), table_in(model)
    information = getattr(inner, "information_", None)
    size = None if table is None else (table.n_rows_, float(table.weight_))
    size = size if information is None else (information.n_rows, float(information.totals.sum()))
    if size is not None and size[0] != len(rows.numbers):
        return OTHER
    if size is not None and not np.isclose(size[1], rows.weights.sum(), rtol=SAME):
        return UNKNOWN  # the same number of rows, with other weights
    if isinstance(model, DecisionWrapper):  # the fit had the probabilities before decisions and changes of priors
        core = _core(model)
        has_logs = hasattr(core, "predict_proba")
        logs = log_probabilities_of(core, rows.X, rows.options)[rows.places] if has_logs else None
    if information is not None:
        return _by_objective(information.loss, rows, logs)
    objective = getattr(getattr(inner, "solution_", None), "objective", None)
    if objective is not None and logs is not None and _by_objective(objective, rows, logs) == TRAINING:
        return TRAINING
    weights, totals = getattr(getattr(inner, "statistics_", None), "weight", None), _by_class(inner, rows)
    if weights is not None and totals is not None:
        return _by_refit(model, rows) if np.allclose(weights.values, totals, rtol=SAME, atol=0) else OTHER
    return UNKNOWN if table is None else LIKELY


def _core(model: Any) -> Any:
    """Return the outermost layer that is not a decision wrapper."""
    return next(layer.model for layer in layers(model) if not layer.decision)


def _by_objective(objective: float, rows: ScoredRows, logs: Array | None) -> str:
    if logs is None:
        return UNKNOWN
    difference = abs(-float(rows.weights @ rows.of_true_class(logs)) - objective)
    if difference <= SAME * abs(objective):
        return TRAINING
    return LIKELY if difference <= SAME else OTHER  # if both are zero, any rows that are classified correctly agree


def _by_refit(model: Any, rows: ScoredRows) -> str:
    """Refit a clone if that is quick: other rows have other statistics.

    Other rows may have as many rows of each class as those of the fit, such as half of a stratified split.
    """
    core = _core(model)
    large = rows.n_cases * getattr(core, "n_features_in_", 1) > QUICK
    if large or is_frozen(core) or rows.are_counts or not hasattr(core, "predict_proba"):
        return LIKELY
    options = {"sample_weight": rows.weights} if rows.weighted else {}
    try:
        with recorded_warnings():
            refitted = unfitted(core, rows.X).fit(rows.X, rows.labels, **options)
            own, new = (log_probabilities_of(each, rows.X, {}) for each in (core, refitted))
    except (TypeError, ValueError):
        return LIKELY
    return TRAINING if np.allclose(own, new, rtol=SAME_LOGS, atol=SAME_LOGS) else OTHER


def _by_class(inner: Any, rows: ScoredRows) -> Array | None:
    """Return the total weight of each class in the order of the innermost classifier; None if its classes differ."""
    totals: Array = np.bincount(rows.codes, rows.weights, len(rows.classes)).astype(np.float64)
    known, own = (as_objects(np.asarray(classes)).tolist() for classes in (rows.classes, inner.classes_))
    places = [at for label in own for at, other in enumerate(known) if same(other, label)]
    return totals[places] if len(places) == len(known) == len(own) else None
