"""Whether rows are those a model was fitted to: told by how many there are and by the objective the fit saw."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.classifiers.logs import log_probabilities_of
from posteriori.classifiers.wrapper import Wrapper
from posteriori.reports.layers import layers, table_in
from posteriori.reports.rows import Scored
from posteriori.tables.by_class import as_objects, same

Array = NDArray[np.float64]

#: How far, relatively, a sum over the same rows may be from the fit's.
SAME = 1e-6
#: What is told of rows.
TRAINING, LIKELY, OTHER, UNKNOWN = "training", "probably training", "other", "unknown"
WORDS = {
    TRAINING: "These are the rows the model was fitted to, so the scores flatter it: it has seen every answer.",
    LIKELY: "These are probably the rows the model was fitted to: there are as many of them. If they are, the scores "
    "flatter it: it has seen every answer.",
    OTHER: "These are not exactly the rows the model was fitted to. Whether some of them are among those cannot be "
    "told: as far as they are, the scores flatter it.",
    UNKNOWN: "Whether the model was fitted to these rows cannot be told. If it was, the scores flatter it.",
}


def origin_of(model: Any, rows: Scored, logs: Array | None) -> str:
    """Tell whether rows are those of the fit: "training", "probably training", "other" or "unknown".

    A fit by maximum likelihood keeps the log likelihood of its rows, one through statistics the weight of each class,
    a table how many rows it had.
    """
    inner, table = layers(model)[-1], table_in(model)
    n_rows = len(rows.numbers)
    sums: Array = np.bincount(rows.codes, rows.weights, len(model.classes_)).astype(np.float64)
    totals = _by_class(model, inner, sums)
    logs = logs if not isinstance(model, Wrapper) else _before_decisions(model, rows)
    seen = getattr(inner, "information_", None)
    if seen is not None:
        return _by_objective(seen.loss, rows, logs) if seen.n_rows == n_rows else OTHER
    objective = getattr(getattr(inner, "solution_", None), "objective", None)
    if objective is not None and logs is not None and _by_objective(objective, rows, logs) == TRAINING:
        return TRAINING
    weights = getattr(getattr(inner, "statistics_", None), "weight", None)
    if weights is not None and totals is not None:
        return LIKELY if np.allclose(weights.values, totals, rtol=SAME, atol=0) else OTHER
    if table is not None:
        alike = table.n_rows_ == n_rows and np.isclose(table.weight_, rows.weights.sum(), rtol=SAME)
        return LIKELY if alike else OTHER
    return UNKNOWN


def _by_objective(seen: float, rows: Scored, logs: Array | None) -> str:
    if logs is None:
        return UNKNOWN
    loss = -float(rows.weights @ logs[np.arange(rows.n_cases), rows.codes])
    return TRAINING if abs(loss - seen) <= SAME * max(abs(seen), 1.0) else OTHER


def _before_decisions(model: Any, rows: Scored) -> Array | None:
    """Give the log probabilities of the cases as the fit knew them, without new priors around it."""
    asked = next(layer for layer in layers(model) if not isinstance(layer, Wrapper))
    return log_probabilities_of(asked, rows.X, rows.given)[rows.places] if hasattr(asked, "predict_proba") else None


def _by_class(model: Any, inner: Any, totals: Array) -> Array | None:
    """Put sums by class into the order of the classifier inside."""
    mine, theirs = (as_objects(np.asarray(each.classes_)).tolist() for each in (model, inner))
    places = [next((at for at, label in enumerate(mine) if same(label, other)), -1) for other in theirs]
    return None if -1 in places or len(mine) != len(theirs) else totals[places]
