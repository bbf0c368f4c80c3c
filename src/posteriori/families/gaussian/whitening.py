"""`whiten`: the linear map that turns a covariance into the identity, on its range."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array, Mask

#: Eigenvalues of a correlation matrix below this times its order and its largest eigenvalue are rounding.
EIGENVALUE_ROUNDING = 64 * np.finfo(np.float64).eps
#: Singular values of standardised rows below this times the largest one are rounding.
SINGULAR_VALUE_ROUNDING = 1e-12


@dataclass(frozen=True)
class Whitening:
    """The square roots of a covariance and of its pseudo-inverse.

    Parameters
    ----------
    whiten, colour : (d, d) with whiten'S whiten = I and colour colour' = S on the range; zero beyond it
    rank : the number of directions with positive variance
    log_determinant : log of the product of the variances in those directions
    varies : (d,) which columns have positive variance
    involved : (d,) which columns take part in a direction of zero variance
    """

    whiten: Array
    colour: Array
    rank: int
    log_determinant: float
    varies: Mask
    involved: Mask


def whiten(covariance: Array, floor: Array) -> Whitening:
    """Whiten a covariance by the eigenvectors of its correlations.

    The rank is decided on the scale of correlations, so that the units of a column do not matter. `floor` is the
    variance of each column that rounding alone could produce.
    """
    variance = np.diagonal(covariance)
    varies, sd = _standard_deviations(variance, floor)
    correlation = np.where(np.outer(varies, varies), covariance / sd / sd[:, None], 0.0)
    eigenvalue, vector = la.eigh(correlation, check_finite=False)
    rounding = (floor[varies] / variance[varies]).max(initial=0.0)
    least = EIGENVALUE_ROUNDING * len(variance) * max(eigenvalue[-1], 1.0) + rounding
    return _whitening(eigenvalue, vector, least, varies, sd)


def whiten_triangle(factor: Array, weight: float, floor: Array, shrinkage: float = 0.0) -> Whitening:
    """Whiten S = R'R / weight by the singular vectors of R, which keeps the digits that R'R loses.

    With shrinkage a the correlations are (1 - a) R'R + a I on standardised columns, with the same eigenvectors.
    """
    d = factor.shape[1]
    size = np.linalg.norm(factor, axis=0)
    variance = size**2 / weight
    varies, sd = _standard_deviations(variance, floor)
    _, singular, rows = la.svd(factor[:, varies] / size[varies], full_matrices=True, check_finite=False)
    root = np.zeros(len(rows))
    root[: len(singular)] = singular
    rounding = np.sqrt((floor[varies] / variance[varies]).max(initial=0.0))
    positive = root > SINGULAR_VALUE_ROUNDING * max(root.max(initial=0.0), 1.0) + rounding
    eigenvalue, vector = np.zeros(d), np.zeros((d, d))
    varying, constant = np.flatnonzero(varies), np.flatnonzero(~varies)
    m = len(constant)
    eigenvalue[m:] = ((1.0 - shrinkage) * np.where(positive, root, 0.0) ** 2 + shrinkage)[::-1]
    vector[np.ix_(varying, np.arange(m, d))] = rows[::-1].T
    vector[constant, np.arange(m)] = 1.0
    return _whitening(eigenvalue, vector, 0.0, varies, sd)


def _standard_deviations(variance: Array, floor: Array) -> tuple[Mask, Array]:
    """Return which columns vary, and their standard deviations (1 for the others)."""
    varies = variance > np.where(variance > 0, floor, 0.0)
    return varies, np.sqrt(np.where(varies, variance, 1.0))


def _whitening(eigenvalue: Array, vector: Array, least: float, varies: Mask, sd: Array) -> Whitening:
    """Compute the roots from the eigenvalues, in rising order, and eigenvectors of the correlations."""
    positive = eigenvalue > least
    root = np.sqrt(np.where(positive, eigenvalue, 0.0))
    inverse_root = np.divide(1.0, root, out=np.zeros(len(root)), where=positive)
    null = ~positive & (np.abs(eigenvalue) < 0.5)
    null_vectors = vector[:, null] * varies[:, None]
    return Whitening(
        whiten=np.where(varies, 1.0 / sd, 0.0)[:, None] * vector * inverse_root,
        colour=np.where(varies, sd, 0.0)[:, None] * vector * root,
        rank=int(positive.sum()),
        log_determinant=float(np.log(eigenvalue[positive]).sum() + 2.0 * np.log(sd[varies]).sum()),
        varies=varies,
        involved=np.abs(null_vectors).max(axis=1, initial=0.0) > 1e-6,
    )
