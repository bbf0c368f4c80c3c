"""The density of one or two columns of a fitted joint density, the others integrated out exactly."""

from collections.abc import Sequence

import numpy as np

from posteriori.arrays import Array
from posteriori.families.base import Parameters
from posteriori.families.joint_density import Group, JointDensity


def group_of(density: JointDensity, column: int) -> tuple[Group, Parameters, int]:
    """Return the group of a column, its parameters, and the position of the column in it."""
    pairs = zip(density.groups, density.parameters, strict=True)
    return next((g, p, g.columns.index(column)) for g, p in pairs if column in g.columns)


def log_marginal(density: JointDensity, columns: Sequence[int], cells: Array) -> Array:
    """Return log p(x_a | k), or log p(x_a, x_b | k), (n, K); -inf outside the domain of a family.

    Groups are independent given the class, so their log marginals add up.

    Book: [Jordan] Fig. 7.4(b), §7.2; [Mitchell] Eq. 1-3, §2.2.

    Parameters
    ----------
    density : fitted
    columns : numbers of the columns
    cells : (n, len(columns)) their values

    >>> import posteriori as pt
    >>> model = pt.NaiveBayes().fit([[0.0, 1.0], [2.0, 5.0], [4.0, 1.0], [6.0, 5.0]], ["a", "a", "b", "b"])
    >>> np.exp(log_marginal(model.density_, (0,), np.array([[1.0]]))).round(4).tolist()
    [[0.3989, 0.0001]]
    """
    terms = []
    for group, parameters in zip(density.groups, density.parameters, strict=True):
        at = [i for i, column in enumerate(columns) if column in group.columns]
        if at:
            places = np.array([group.columns.index(columns[i]) for i in at], dtype=np.intp)
            terms.append(group.family.log_marginal(parameters, places, cells[:, at]))
    total = np.sum(terms, axis=0)
    return np.where(np.isnan(total), -np.inf, total)


def gaussian_modes(density: JointDensity, columns: Sequence[int]) -> Array | None:
    """Return the modes of the columns in each class, (K, len(columns)); None if a column is not Gaussian."""
    modes = []
    for column in columns:
        group, parameters, place = group_of(density, column)
        modes.append(group.family.modes(parameters, np.array([place])))
    known = [mode for mode in modes if mode is not None]
    return np.hstack(known) if len(known) == len(modes) else None
