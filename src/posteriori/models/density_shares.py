"""Contributions of columns to a product of densities: log p(x_j | k), column by column."""

import numpy as np

from posteriori.arrays import Array
from posteriori.backends.csr import to_dense
from posteriori.families.joint_density import Group, JointDensity
from posteriori.tables.block import Block


def share_names(density: JointDensity, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the parts: the columns, and one name per group of columns with a joint density."""
    parts: dict[int, str] = {}
    for group in density.groups:
        if splits(group):
            parts |= {column: names[column] for column in group.columns}
        else:
            parts[group.columns[0]] = ", ".join(names[column] for column in group.columns)
    return tuple(parts[column] for column in sorted(parts))


def splits(group: Group) -> bool:
    """Return whether a group's log density is a sum over its columns."""
    return group.family.is_sum_over_columns or len(group.columns) == 1


def shares(density: JointDensity, block: Block) -> Array:
    """Return log p(x_j | k) of each part, up to a term common to the classes, (n, K, parts); 0 if x_j is missing."""
    parts: dict[int, Array] = {}
    for group, parameters in zip(density.groups, density.parameters, strict=True):
        cells = to_dense(group.pick(block.features))
        if splits(group):
            terms = group.family.column_terms(parameters, cells, block.backend)
            parts |= {column: terms[:, :, j] for j, column in enumerate(group.columns)}
        else:
            parts[group.columns[0]] = group.family.discriminant(parameters, cells, block.backend)
    return np.stack([parts[column] for column in sorted(parts)], axis=2)


def log_odds(parts: Array) -> Array:
    """Return the log odds of the second class in each part, from (n, 2, parts); 0 if both are impossible."""
    with np.errstate(invalid="ignore"):
        odds: Array = parts[:, 1] - parts[:, 0]
    return np.where(np.isneginf(parts).all(axis=1), 0.0, odds)


def centred(parts: Array) -> Array:
    """Subtract from parts (n, K, parts) their mean over the classes for which the cell is possible."""
    possible = np.isfinite(parts)
    count = np.maximum(possible.sum(axis=1, keepdims=True), 1)
    whole: Array = parts - np.where(possible, parts, 0.0).sum(axis=1, keepdims=True) / count
    return whole
