"""The directions that a Gaussian prior penalises: the row space of its precision, determined exactly."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from posteriori.arrays import Array, Indices
from posteriori.priors.quadratic import Quadratic

#: Eigenvalues of a unit-diagonal precision: above the first it is certainly regular; below the second an eigenvalue may
#: be a rounded zero.
CLEAR, ROUNDING = 1e-9, 1e-12


@dataclass(frozen=True)
class PenalizedSpace:
    """The directions b that a prior penalises: all but those with rows b = 0.

    Parameters
    ----------
    rows : (r, q p) independent, over coefficients in the units of the prior; sparse for a diagonal precision
    free : coefficients whose precision is zero
    certain : False where the precision is singular to rounding, though not exactly
    """

    rows: Array | sp.csr_array
    free: Indices
    certain: bool = True

    def leaves_only(self, coefficients: Indices) -> bool:
        """Return whether only some of these coefficients are not penalised."""
        n_free = self.rows.shape[1] - self.rows.shape[0]
        return n_free == len(self.free) and bool(np.isin(self.free, coefficients).all())

    def leaves_only_common(self, n_scores: int) -> bool:
        """Return whether, to rounding, only vectors common to all scores are not penalised: they change no probability.

        This is so for the posterior of K softmax vectors under a prior that leaves intercepts free.
        """
        dense = self.rows if isinstance(self.rows, np.ndarray) else self.rows.toarray()
        null = la.null_space(dense, rcond=CLEAR).reshape(n_scores, -1)
        return n_scores > 1 and bool(np.abs(null - null.mean(axis=0)).max(initial=0.0) < CLEAR)


def penalized_space(prior: Quadratic) -> PenalizedSpace:
    """Return the row space of a precision, with its rank by exact elimination where floats do not determine it.

    >>> penalized_space(Quadratic(np.zeros(2), np.array([[0.25, -0.5], [-0.5, 1.0]]))).rows.tolist()
    [[0.25, -0.5]]
    """
    if prior.precision.ndim == 1:
        positive = prior.precision > 0
        return PenalizedSpace(sp.eye_array(len(positive), format="csr")[positive], np.flatnonzero(~positive))
    matrix, size = (prior.precision, np.ones(len(prior.precision))) if prior.unscaled is None else prior.unscaled
    diagonal = np.diagonal(matrix)
    used = np.flatnonzero(diagonal > 0)
    free, root = np.flatnonzero(diagonal <= 0), np.sqrt(diagonal[used])
    values, vectors = np.linalg.eigh(matrix[np.ix_(used, used)] / root[:, None] / root)
    pivots = used if (values > CLEAR).all() else used[_pivot_rows(matrix[np.ix_(used, used)])]
    certain = int((values <= ROUNDING).sum()) <= len(used) - len(pivots)
    if certain:
        return PenalizedSpace(matrix[pivots] * size, free)
    rows = np.zeros((int((values > ROUNDING).sum()), len(matrix)))
    rows[:, used] = vectors[:, values > ROUNDING].T * root
    return PenalizedSpace(rows * size, free, certain=False)


def _pivot_rows(matrix: Array) -> Indices:
    """Return as many independent rows of a matrix as there are, by elimination in fractions."""
    remainder = [[Fraction(value) for value in row] for row in matrix.tolist()]
    pivots: list[int] = []
    for place in range(len(remainder)):
        row = remainder[place]
        column = next((j for j, value in enumerate(row) if value), None)
        if column is None:
            continue
        pivots.append(place)
        for other in range(place + 1, len(remainder)):
            share = remainder[other][column] / row[column]
            if share:
                remainder[other] = [a - share * b for a, b in zip(remainder[other], row, strict=True)]
    return np.array(pivots, dtype=np.intp)
