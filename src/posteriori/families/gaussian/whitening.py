"""`whiten`: a covariance turned into the identity, on its range."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from posteriori.arrays import Array

#: Eigenvalues of a correlation matrix below this times its order and the largest of them are rounding.
RELATIVE = 64 * np.finfo(np.float64).eps
#: Singular values of standardised rows below this times the largest of them are rounding.
INDEPENDENT = 1e-12


@dataclass(frozen=True)
class Whitening:
    """The square roots of a covariance and of its pseudo-inverse.

    Parameters
    ----------
    whiten, colour : (d, d) with whiten'S whiten = I and colour colour' = S on the range; zero beyond it
    rank : how many directions have spread
    log_determinant : log of the product of the variances in those directions
    spread : (d,) which columns have any
    involved : (d,) which columns take part in a direction without spread
    """

    whiten: Array
    colour: Array
    rank: int
    log_determinant: float
    spread: NDArray[np.bool_]
    involved: NDArray[np.bool_]


def whiten(covariance: Array, floor: Array) -> Whitening:
    """Whiten a covariance by the eigenvectors of its correlations.

    Ranked on the scale of correlations, so that the units of a column decide nothing. `floor` is the
    variance that rounding alone could feign in each column.
    """
    variance = np.diagonal(covariance)
    spread, sd = _spread(variance, floor)
    correlation = np.where(np.outer(spread, spread), covariance / sd / sd[:, None], 0.0)
    eigenvalue, vector = la.eigh(correlation, check_finite=False)
    feigned = (floor[spread] / variance[spread]).max(initial=0.0)
    return _assembled(eigenvalue, vector, RELATIVE * len(variance) * max(eigenvalue[-1], 1.0) + feigned, spread, sd)


def whiten_triangle(factor: Array, weight: float, floor: Array, shrinkage: float = 0.0) -> Whitening:
    """Whiten S = R'R / weight by the singular vectors of R, which has the digits that R'R loses.

    Shrunk, the correlations are (1 - a) R'R + a I on standardised columns, with the same eigenvectors.
    """
    d = factor.shape[1]
    size = np.linalg.norm(factor, axis=0)
    variance = size**2 / weight
    spread, sd = _spread(variance, floor)
    _, found, rows = la.svd(factor[:, spread] / size[spread], full_matrices=True, check_finite=False)
    root = np.zeros(len(rows))
    root[: len(found)] = found
    feigned = np.sqrt((floor[spread] / variance[spread]).max(initial=0.0))
    seen = root > INDEPENDENT * max(root.max(initial=0.0), 1.0) + feigned
    eigenvalue, vector = np.zeros(d), np.zeros((d, d))
    alive, dead = np.flatnonzero(spread), np.flatnonzero(~spread)
    eigenvalue[len(dead) :] = ((1.0 - shrinkage) * np.where(seen, root, 0.0) ** 2 + shrinkage)[::-1]
    vector[np.ix_(alive, np.arange(len(dead), d))] = rows[::-1].T
    vector[dead, np.arange(len(dead))] = 1.0
    return _assembled(eigenvalue, vector, 0.0, spread, sd)


def _spread(variance: Array, floor: Array) -> tuple[NDArray[np.bool_], Array]:
    """Tell which columns have spread, and give their standard deviations (1 for the others)."""
    spread = variance > np.where(variance > 0, floor, 0.0)
    return spread, np.sqrt(np.where(spread, variance, 1.0))


def _assembled(eigenvalue: Array, vector: Array, least: float, spread: NDArray[np.bool_], sd: Array) -> Whitening:
    """Put the roots together from the eigenvalues, in rising order, and eigenvectors of the correlations."""
    kept = eigenvalue > least
    root = np.sqrt(np.where(kept, eigenvalue, 0.0))
    inverse_root = np.divide(1.0, root, out=np.zeros(len(root)), where=kept)
    flat = ~kept & (np.abs(eigenvalue) < 0.5)
    idle = vector[:, flat] * spread[:, None]
    return Whitening(
        whiten=np.where(spread, 1.0 / sd, 0.0)[:, None] * vector * inverse_root,
        colour=np.where(spread, sd, 0.0)[:, None] * vector * root,
        rank=int(kept.sum()),
        log_determinant=float(np.log(eigenvalue[kept]).sum() + 2.0 * np.log(sd[spread]).sum()),
        spread=spread,
        involved=np.abs(idle).max(axis=1, initial=0.0) > 1e-6,
    )
