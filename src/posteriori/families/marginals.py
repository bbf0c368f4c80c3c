"""The density of one or two columns of a fitted joint density, the others integrated out exactly."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.families.affine import AffineParameters
from posteriori.families.base import Parameters
from posteriori.families.dirichlet import Dirichlet, DirichletParameters
from posteriori.families.gaussian.diagonal import DiagonalGaussian, DiagonalParameters
from posteriori.families.gaussian.full import FullGaussian, FullParameters
from posteriori.families.gaussian.joint import marginal
from posteriori.families.joint_density import Group, JointDensity
from posteriori.messages.errors import DataError


def group_of(density: JointDensity, column: int) -> tuple[Group, Parameters, int]:
    """Find the group of a column, its parameters, and the place of the column in it."""
    pairs = zip(density.groups, density.parameters, strict=True)
    return next((g, p, g.columns.index(column)) for g, p in pairs if column in g.columns)


def log_marginal(density: JointDensity, columns: Sequence[int], cells: Array) -> Array:
    """Give log p(x_a | k), or log p(x_a, x_b | k), (n, K); -inf outside the domain of a family.

    Groups are independent given the class, so each gives its own marginal and the logs add up.

    Book: [Jordan] Fig. 7.4(b), §7.2; [Mitchell] Eq. 1-3, §2.2.

    Parameters
    ----------
    density : fitted
    columns : numbers of the columns
    cells : (n, len(columns)) values of them

    >>> import posteriori as pt
    >>> model = pt.NaiveBayes().fit([[0.0, 1.0], [2.0, 5.0], [4.0, 1.0], [6.0, 5.0]], ["a", "a", "b", "b"])
    >>> np.exp(log_marginal(model.density_, (0,), np.array([[1.0]]))).round(4).tolist()
    [[0.3989, 0.0001]]
    """
    total: Array | None = None
    for group, parameters in zip(density.groups, density.parameters, strict=True):
        at = [i for i, column in enumerate(columns) if column in group.columns]
        if at:
            kept = np.array([group.columns.index(columns[i]) for i in at], dtype=np.intp)
            part = _of_group(group, parameters, kept, cells[:, at])
            total = part if total is None else total + part
    assert total is not None
    outside: Array = np.where(np.isnan(total), -np.inf, total)
    return outside


def gaussian_modes(density: JointDensity, columns: Sequence[int]) -> Array | None:
    """Give the modes of the columns in each class, (K, len(columns)), or None where one is not Gaussian."""
    found = [group_of(density, column) for column in columns]
    if not all(isinstance(group.family, DiagonalGaussian | FullGaussian) for group, _, _ in found):
        return None
    return np.column_stack([parameters.mean[:, at] for _, parameters, at in found])  # type: ignore[attr-defined]


def _of_group(group: Group, parameters: Parameters, kept: NDArray[np.intp], cells: Array) -> Array:
    if isinstance(parameters, FullParameters):
        return _gaussian(parameters, kept, cells)
    if isinstance(parameters, DirichletParameters):
        return _dirichlet(parameters, kept, cells)
    if group.family.is_joint:
        raise DataError(
            f"a column of family {group.family.name!r} has no density of its own: the family is over a group of "
            f"{len(group.columns)} columns at once, and says nothing of one without the others."
        )
    return sum(_alone(group, parameters, int(j), column) for j, column in zip(kept, cells.T, strict=True))  # type: ignore[return-value]


def _gaussian(parameters: FullParameters, kept: NDArray[np.intp], cells: Array) -> Array:
    """Give the density of some columns: their means, and the covariances between them."""
    part = marginal(parameters, kept)
    if (np.linalg.matrix_rank(part.whiten) < len(kept)).any():
        what = "there is no spread" if len(kept) == 1 else "rows lie on one line"
        raise DataError(f"{what} in a class, so there is no density to give.")
    return FullGaussian().log_density(part, cells, cells.size)


def _dirichlet(parameters: DirichletParameters, kept: NDArray[np.intp], cells: Array) -> Array:
    """Give the density of some parts: those left out are one part, whose alpha is the sum of theirs."""
    alpha = parameters.alpha
    rest = np.delete(alpha, kept, axis=1).sum(axis=1, keepdims=True)
    if not rest.any():
        raise DataError("the two columns are all parts of a whole: each is one less the other. Give one of them.")
    if not np.isfinite(alpha).all():
        raise DataError(
            "there is no spread in any class, so the model leaves the group out: it has no density to give."
        )
    parts = np.column_stack([cells, 1.0 - cells.sum(axis=1)])
    inside = (parts > 0).all(axis=1)
    logs = np.full((len(parts), len(alpha)), -np.inf)
    merged = DirichletParameters(np.hstack([alpha[:, kept], rest]))
    logs[inside] = Dirichlet().log_density(merged, parts[inside], parts.size)
    return logs


def _alone(group: Group, parameters: Parameters, at: int, column: Array) -> Array:
    """Give the log density of one of several independent columns: the others are gaps, which add nothing."""
    values, place = np.unique(column, return_inverse=True)  # a grid repeats each value many times
    rows = np.full((len(values), len(group.columns)), np.nan)
    rows[:, at] = values
    scores = group.family.log_density(parameters, rows, rows.size)
    if not group.family.takes_levels and _left_out(group, parameters, at, scores):
        raise DataError(
            "there is no spread in any class, so the model leaves the column out: it has no density to give."
        )
    return scores[place.ravel()]


def _left_out(group: Group, parameters: Parameters, at: int, scores: Array) -> bool:
    """Say whether the density is the same everywhere in every class, as that of a column left out is."""
    if isinstance(parameters, DiagonalParameters):
        return not parameters.root[:, at].any()
    if isinstance(parameters, AffineParameters) and group.family.name == "poisson":
        return not parameters.mean[:, at].any()
    flat: NDArray[np.bool_] = (scores == 0) | np.isnan(scores)
    return len(scores) > 1 and bool(flat.all())
