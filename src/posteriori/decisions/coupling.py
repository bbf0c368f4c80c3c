"""Pairwise coupling: probabilities of K classes from those of every pair of classes."""

import numpy as np

from posteriori.arrays import Array

#: Values of the linear systems solved together.
_TOGETHER = 2**18


def couple(pairwise: Array) -> Array:
    """Return the class probabilities that agree best with the pairwise ones.

    With r_ij the probability of class i given that the class is i or j, p is the minimum of

        sum over i and j != i of (r_ji p_i - r_ij p_j)^2,  sum p = 1,

    the second method of Wu, Lin & Weng (2004), Eq. 21. It is one linear system per row, of full rank where
    r_ij + r_ji = 1, and its solution has no negative entry. Where r_ij = p_i / (p_i + p_j), the solution is p.

    Parameters
    ----------
    pairwise : (n, K, K) with r_ij at (i, j) and r_ji, not 1 minus a rounded r_ij, at (j, i); the diagonal is not used

    Returns
    -------
    (n, K) rows that sum to one

    Examples
    --------
    >>> p = np.array([0.5, 0.3, 0.2])
    >>> couple((p[:, None] / (p[:, None] + p))[None]).round(12).tolist()
    [[0.5, 0.3, 0.2]]
    """
    n, n_classes = pairwise.shape[:2]
    if n_classes == 2:
        return np.stack([pairwise[:, 0, 1], pairwise[:, 1, 0]], axis=1)
    rows = max(_TOGETHER // (n_classes + 1) ** 2, 1)
    parts = [_couple(pairwise[first : first + rows]) for first in range(0, n, rows)]
    return np.concatenate(parts) if parts else np.empty((0, n_classes))


def _couple(pairwise: Array) -> Array:
    """Solve [Q e; e' 0][p; b] = [0; 1], Q_ii = sum of r_ji^2 over j != i and Q_ij = -r_ij r_ji."""
    n, K = pairwise.shape[:2]
    off_diagonal = pairwise.copy()
    off_diagonal[:, np.arange(K), np.arange(K)] = 0.0
    products = off_diagonal * off_diagonal.transpose(0, 2, 1)
    diagonal = (off_diagonal**2).sum(axis=1)
    system = np.ones((n, K + 1, K + 1))
    system[:, :K, :K] = -products
    system[:, np.arange(K), np.arange(K)] = diagonal
    system[:, K, K] = 0.0
    right = np.zeros((n, K + 1, 1))
    right[:, K] = 1.0
    return _refined(np.linalg.solve(system, right)[:, :K, 0], off_diagonal, products, diagonal)


def _refined(p: Array, off_diagonal: Array, products: Array, diagonal: Array) -> Array:
    """Apply one sweep of the fixed point p_t = (sum_j r_tj r_jt p_j + p'Qp) / Q_tt, whose terms are never negative.

    The solution of the linear system has the rounding error of its largest entry, so a small entry may be negative;
    the fixed point cannot be.
    """
    p = np.abs(p)
    for t in range(p.shape[1]):
        misfit = off_diagonal.transpose(0, 2, 1) * p[:, :, None] - off_diagonal * p[:, None, :]
        value = 0.5 * (misfit**2).sum(axis=(1, 2))
        numerator = np.einsum("nj,nj->n", products[:, t], p) + value
        certain = diagonal[:, t] == 0  # class t has probability one in every pair
        p[:, t] = np.divide(numerator, diagonal[:, t], out=np.ones_like(numerator), where=~certain)
        p[certain] = np.arange(p.shape[1]) == t
        p /= p.sum(axis=1, keepdims=True)
    return p
