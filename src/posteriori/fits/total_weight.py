"""The weight of all rows, and the tolerances that follow from it."""

import numpy as np

from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.tables.memory import MemoryTable


def total_weight(objective: PenalizedLikelihood) -> float:
    """Return the sum of the weights of all rows."""
    table = objective.engine.table
    assert isinstance(table, MemoryTable)
    if table.targets is not None and table.targets.ndim == 2:
        return float(table.targets.sum())
    return float(table.n_rows if table.weights is None else table.weights.sum())


def for_weights(objective: PenalizedLikelihood, tol: float) -> float:
    """Return the tolerance that light weights call for.

    Weights far below one make standard errors large and the same decrement mean less: the tolerance shrinks with them.
    """
    return float(tol * np.sqrt(min(1.0, total_weight(objective) / objective.engine.table.n_rows)))


def reachable(objective: PenalizedLikelihood, tol: float) -> float:
    """Return the tolerance to give a solver: rounding of a sum of weights W moves its decrements by eps sqrt(W)."""
    return float(max(tol, 64 * np.finfo(np.float64).eps * np.sqrt(total_weight(objective))))
