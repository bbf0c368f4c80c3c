"""Rules for densities: numbers that follow from others, and how groups of columns go together."""

from typing import Any

import numpy as np

from posteriori.estimators.generative.column_parameters import ColumnTable
from posteriori.families.categorical import TableParameters
from posteriori.families.gaussian.diagonal import DiagonalParameters
from posteriori.families.gaussian.full import FullParameters
from posteriori.families.gaussian.low_rank import LowRankParameters
from posteriori.families.joint_density import JointDensity
from posteriori.families.joint_table import JointTableParameters
from posteriori.families.multinomial import MultinomialParameters
from posteriori.models.generative_summary import Summary
from posteriori.statistics.joint_counts import JointCounts, cell_keys
from posteriori.storage.registry import RULES
from posteriori.storage.requirements import (
    check_close,
    check_covariances,
    check_instance,
    check_integer,
    check_sums_to_one,
    fail,
)


@RULES.of(DiagonalParameters, FullParameters)
def centre(value: DiagonalParameters | FullParameters, where: str) -> None:
    """Check that the centre is the mean in units of the scale."""
    check_close(value.centre, value.mean / _unit(value), f"{where}.centre", "does not follow from the means",
                rtol=1e-9)  # fmt: skip


def _unit(value: DiagonalParameters | FullParameters) -> Any:
    return np.where(value.scale > 0, value.scale, 1.0)


@RULES.of(DiagonalParameters)
def diagonal(value: DiagonalParameters, where: str) -> None:
    """Check that the log density at the mean follows from the variances; these may leave the range of numbers."""
    check_integer(value.free, f"{where}.free")
    root, scale = value.root, np.broadcast_to(_unit(value), value.root.shape)
    log_norm = np.where(root > 0, np.log(root) - np.log(scale) - 0.5 * np.log(2 * np.pi), 0.0)
    check_close(value.log_norm, log_norm, f"{where}.log_norm", "does not follow from the variances",
                rtol=1e-9, atol=1e-9)  # fmt: skip


@RULES.of(FullParameters)
def full(value: FullParameters, where: str) -> None:
    """Check that covariances are positive semidefinite, and those that densities are computed from."""
    d, m = value.mean.shape[1], len(value.covariance)
    if m not in (1, len(value.mean)):
        fail(f"{where}.covariance", f"has {m} matrices for {len(value.mean)} classes")
    check_covariances(value.covariance, f"{where}.covariance")
    if np.isfinite(value.covariance).all():  # an infinite one is only shown
        sd = np.sqrt(np.diagonal(value.covariance, axis1=-2, axis2=-1))
        sd = np.where(sd > 0, sd, 1.0)
        root = value.colour * (_unit(value) / sd)[..., None]
        check_close(root @ np.swapaxes(root, -1, -2), value.covariance / sd[:, :, None] / sd[:, None, :],
                    f"{where}.covariance", "does not follow from the colour", atol=1e-7)  # fmt: skip
    product = np.swapaxes(value.whiten, -1, -2) @ value.colour  # 1 for each direction with spread, else 0
    identity = np.eye(d) * (np.diagonal(product, axis1=-2, axis2=-1) > 0.5)[:, None, :]
    check_close(product, identity, f"{where}.whiten", "is not the inverse of the colour", rtol=1e-5, atol=1e-6)


@RULES.of(LowRankParameters)
def low_rank(value: LowRankParameters, where: str) -> None:
    """Check that the parts make up the inverse covariance."""
    if (value.sizes < 1.0 - 1e-9).any():
        fail(f"{where}.sizes", "contains an eigenvalue below 1")
    precision = value.whiten @ np.swapaxes(value.whiten, -1, -2)
    shrunk = value.directions * (1.0 / value.sizes - 1.0)[:, None, :]
    inner = np.eye(precision.shape[-1]) + shrunk @ np.swapaxes(value.directions, -1, -2)
    check_close(value.precision_root[:, :, None] * inner * value.precision_root[:, None, :], precision,
                f"{where}.directions", "do not follow from the covariance", rtol=1e-6, atol=1e-9)  # fmt: skip


@RULES.of(TableParameters)
def tables(value: TableParameters, where: str) -> None:
    """Check that cells lie end to end, since kernels follow these indices unchecked, and sum to one by column."""
    n_cells = value.probability.shape[1]
    if value.sizes.sum() != n_cells or not np.array_equal(value.starts, np.cumsum(value.sizes) - value.sizes):
        fail(f"{where}.starts", f"points outside the {n_cells} cells, or not at the columns' own")
    filled = value.sizes > 0
    if filled.any():
        sums = np.add.reduceat(value.probability, value.starts[filled], axis=1)
        check_sums_to_one(sums[..., None], f"{where}.probability")
    check_close(np.exp(value.log_probability.T), value.probability, f"{where}.log_probability",
                "is not the logarithm of the probabilities", rtol=1e-9, atol=1e-300)  # fmt: skip


@RULES.of(JointTableParameters)
def joint_table(value: JointTableParameters, where: str) -> None:
    """Check that cells are in the dictionaries and in order, since rows are looked up among them."""
    for j, size in enumerate(value.sizes):
        check_integer(size, f"{where}.sizes[{j}]")
    if value.codes.shape[1] != len(value.sizes) or (value.codes >= np.array(value.sizes)).any():
        fail(f"{where}.codes", "are not cells of the product of the columns")
    check_sorted_cells(value.codes, value.sizes, f"{where}.codes")
    check_sums_to_one(value.frequency[value.observed_weight > 0], f"{where}.frequency")
    if (np.exp(value.log_probability).sum(axis=0) > 1.0 + 1e-9).any() or (value.log_unseen > 0).any():
        fail(f"{where}.log_probability", "sums to more than one")


def check_sorted_cells(codes: Any, sizes: Any, where: str) -> None:
    """Raise unless cells are in lexicographic order, each once."""
    keys = cell_keys(codes, [int(size) for size in sizes])
    if not (keys[:-1] < keys[1:]).all():
        fail(where, "are not in order, each once")


@RULES.of(MultinomialParameters)
def multinomial(value: MultinomialParameters, where: str) -> None:
    """Check that probabilities sum to one over the columns, and that the weights are their logarithms."""
    check_sums_to_one(value.mean, f"{where}.mean")
    some = value.mean > 0
    if not np.array_equal(value.bar, ~some):
        fail(f"{where}.bar", "does not mark the probabilities of zero")
    check_close(np.exp(value.coef[some]), value.mean[some], f"{where}.coef",
                "is not the logarithm of the probabilities", rtol=1e-9)  # fmt: skip
    check_integer(value.total, f"{where}.total")


@RULES.of(JointDensity)
def joint(value: JointDensity, where: str) -> None:
    """Check that every group has parameters of its family, for its columns."""
    if len(value.groups) != len(value.parameters):
        fail(f"{where}.parameters", f"has {len(value.parameters)} entries for {len(value.groups)} groups")
    for i, (group, parameters) in enumerate(zip(value.groups, value.parameters, strict=True)):
        check_instance(parameters, group.family.parameters_type, f"{where}.parameters[{i}]")
        if parameters.n_columns != len(group.columns):
            fail(f"{where}.parameters[{i}]", f"is for {parameters.n_columns} columns, its group has "
                 f"{len(group.columns)}")  # fmt: skip


@RULES.of(ColumnTable)
def column_table(value: ColumnTable, where: str) -> None:
    """Check that parameters are by class."""
    for name, array in value.parameters.items():
        if len(array) != len(value.classes):
            fail(f"{where}.{name}", f"is for {len(array)} classes, not {len(value.classes)}")


def check_levels(statistics: Summary, density: JointDensity, where: str) -> None:
    """Raise unless families, statistics and parameters of categories count the levels in the schema."""
    groups = zip(statistics.groups, statistics.statistics, density.parameters, strict=True)
    for i, (group, part, parameters) in enumerate(groups):
        if not group.family.takes_levels:
            continue
        levels = statistics.levels(group)
        if not all((values[:-1] < values[1:]).all() for values in levels):
            fail(f"{where}.statistics_.schema", "has levels that are not sorted")
        sizes = tuple(map(len, levels))
        if group.family.sizes != sizes:  # type: ignore[attr-defined]
            fail(f"{where}.statistics_.groups[{i}].family.sizes", "are not those of the columns' levels")
        if isinstance(part, JointCounts) and (part.codes >= np.array(sizes)).any():
            fail(f"{where}.statistics_.statistics[{i}].codes", "are not cells of the product of the columns")
        if isinstance(parameters, TableParameters):
            known = np.array(sizes) > 0
            if (parameters.sizes[known] != np.array(sizes)[known]).any():
                fail(f"{where}.density_.parameters[{i}].sizes", "are not those of the columns' levels")
            if part.width != parameters.probability.shape[1]:
                fail(f"{where}.statistics_.statistics[{i}].values", "do not count the levels of the columns")
