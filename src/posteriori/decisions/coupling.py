"""Pairwise coupling: the probabilities of K classes from those of every pair of them."""

import numpy as np

from posteriori.arrays import Array

#: Values of the linear systems solved together.
_TOGETHER = 2**18


def couple(pairwise: Array) -> Array:
    """Give the class probabilities that agree best with the pairwise ones.

    Of r_ij, the probability of class i given that it is i or j, p is the minimum of

        sum over i and j != i of (r_ji p_i - r_ij p_j)^2,  sum p = 1,

    the second method of Wu, Lin & Weng (2004), Eq. 21. It is one linear system a row, always of full rank where
    r_ij + r_ji = 1, and its solution has no negative entry. Where r_ij = p_i / (p_i + p_j), p comes back.

    Parameters
    ----------
    pairwise : (n, K, K) with r_ij at (i, j) and r_ji, not 1 less a rounded r_ij, at (j, i); the diagonal is not read

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
    between = pairwise.copy()
    between[:, np.arange(K), np.arange(K)] = 0.0
    crossed = between * between.transpose(0, 2, 1)
    diagonal = (between**2).sum(axis=1)
    system = np.ones((n, K + 1, K + 1))
    system[:, :K, :K] = -crossed
    system[:, np.arange(K), np.arange(K)] = diagonal
    system[:, K, K] = 0.0
    wanted = np.zeros((n, K + 1, 1))
    wanted[:, K] = 1.0
    return _polished(np.linalg.solve(system, wanted)[:, :K, 0], between, crossed, diagonal)


def _polished(p: Array, between: Array, crossed: Array, diagonal: Array) -> Array:
    """Go once over the fixed point p_t = (sum_j r_tj r_jt p_j + p'Qp) / Q_tt, whose terms are never negative.

    The linear system knows p to a rounding of its largest entry, which may leave a small one below zero; this
    cannot.
    """
    p = np.abs(p)
    for t in range(p.shape[1]):
        misfit = between.transpose(0, 2, 1) * p[:, :, None] - between * p[:, None, :]
        value = 0.5 * (misfit**2).sum(axis=(1, 2))
        share = np.einsum("nj,nj->n", crossed[:, t], p) + value
        sure = diagonal[:, t] == 0  # class t wins every duel for certain
        p[:, t] = np.divide(share, diagonal[:, t], out=np.ones_like(share), where=~sure)
        p[sure] = np.arange(p.shape[1]) == t
        p /= p.sum(axis=1, keepdims=True)
    return p
