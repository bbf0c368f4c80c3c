"""`whiten`: a covariance turned into the identity, on its range."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Eigenvalues of a correlation matrix below this times its order and the largest of them are rounding.
RELATIVE = 64 * np.finfo(np.float64).eps


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
    d = len(covariance)
    variance = np.diagonal(covariance)
    spread = variance > np.where(variance > 0, floor, 0.0)
    sd = np.sqrt(np.where(spread, variance, 1.0))
    correlation = np.where(np.outer(spread, spread), covariance / sd / sd[:, None], 0.0)
    eigenvalue, vector = la.eigh(correlation, check_finite=False)
    feigned = (floor[spread] / variance[spread]).max(initial=0.0)
    kept = eigenvalue > RELATIVE * d * max(eigenvalue[-1], 1.0) + feigned
    root = np.sqrt(np.where(kept, eigenvalue, 0.0))
    inverse_root = np.divide(1.0, root, out=np.zeros(d), where=kept)
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
