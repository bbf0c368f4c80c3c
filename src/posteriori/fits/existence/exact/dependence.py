"""Columns that nearly depend on others, by the pivoted Cholesky factor of their Gram matrix."""

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array, Indices


def nearly_dependent(gram: Array, tolerance: float) -> tuple[Indices, Indices, Array]:
    """Split columns by their Gram matrix: independent ones, nearly dependent ones, and the latter's coefficients."""
    size = np.sqrt(np.diagonal(gram))
    alive = size > 0
    safe = np.where(alive, size, 1.0)
    unit = gram / safe[:, None] / safe
    factor, order, rank, _ = la.lapack.dpstrf(unit, tol=tolerance, lower=1)
    rank = int(min(rank, alive.sum()))
    order = order.astype(np.intp) - 1
    independent, others = order[:rank], order[rank:]
    if not len(others):
        return independent, others, np.zeros((rank, 0))
    solved = la.cho_solve((np.tril(factor[:rank, :rank]), True), unit[np.ix_(independent, others)], check_finite=False)
    return independent, others, solved * safe[others] / safe[independent][:, None]
