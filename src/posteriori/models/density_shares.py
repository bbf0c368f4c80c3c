"""What each column says of the classes in a product of densities: log p(x_j | k), column by column."""

from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.families.affine import AffineParameters
from posteriori.families.joint_density import Group, JointDensity


def share_names(density: JointDensity, names: tuple[str, ...]) -> tuple[str, ...]:
    """Name the parts: a column each, and one for all columns of a group that has a density of its own."""
    parts: dict[int, str] = {}
    for group, parameters in zip(density.groups, density.parameters, strict=True):
        if splits(group, parameters):
            parts |= {column: names[column] for column in group.columns}
        else:
            parts[group.columns[0]] = ", ".join(names[column] for column in group.columns)
    return tuple(parts[column] for column in sorted(parts))


def splits(group: Group, parameters: Any) -> bool:
    """Tell whether a group's log density is a sum over its columns."""
    return not group.family.is_joint or len(group.columns) == 1 or isinstance(parameters, AffineParameters)


def shares(density: JointDensity, rows: Any, size: int) -> Array:
    """Give log p(x_j | k) of each part, up to a term common to the classes, (n, K, parts); a gap says nothing."""
    parts: dict[int, Array] = {}
    for group, parameters in zip(density.groups, density.parameters, strict=True):
        cells = group.pick(rows)
        cells = cells if isinstance(cells, np.ndarray) else cells.toarray()
        if isinstance(parameters, AffineParameters):
            if group.family.is_joint:  # without its total nothing is known of a row with a gap
                cells = np.where(np.isnan(cells).any(axis=1, keepdims=True), np.nan, cells)
            parts |= dict(zip(group.columns, _affine(parameters, cells), strict=True))
        elif not splits(group, parameters):
            parts[group.columns[0]] = group.family.discriminant(parameters, cells, size)
        else:
            for at, column in enumerate(group.columns):
                alone = np.full_like(cells, np.nan)  # a gap adds nothing, so that one column is left
                alone[:, at] = cells[:, at]
                parts[column] = group.family.discriminant(parameters, alone, size)
    return np.stack([parts[column] for column in sorted(parts)], axis=2)


def _affine(p: AffineParameters, cells: Array) -> list[Array]:
    """Give coef_kj x_j + level_kj of each column, (n, K); -inf where the class rules the cell out, 0 in a gap."""
    parts = []
    for j in range(cells.shape[1]):
        x = cells[:, [j]]
        scores: Array = x * p.coef[:, j] + p.level[:, j]
        scores[x * p.bar[:, j] + p.bar_level[:, j] > 0] = -np.inf
        scores[np.isnan(x[:, 0])] = 0.0
        parts.append(scores)
    return parts


def log_odds(parts: Array) -> Array:
    """Give what parts (n, 2, parts) say for the second class against the first; nothing where both are ruled out."""
    with np.errstate(invalid="ignore"):
        odds: Array = parts[:, 1] - parts[:, 0]
    return np.where(np.isneginf(parts).all(axis=1), 0.0, odds)


def centred(parts: Array) -> Array:
    """Measure parts (n, K, parts) from their mean over the classes that do not rule the cell out."""
    possible = np.isfinite(parts)
    count = np.maximum(possible.sum(axis=1, keepdims=True), 1)
    whole: Array = parts - np.where(possible, parts, 0.0).sum(axis=1, keepdims=True) / count
    return whole
