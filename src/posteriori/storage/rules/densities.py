"""Rules for densities: the parameters of each family, and how groups of columns go together."""

from typing import Any

import numpy as np

from posteriori.estimators.generative.column_parameters import ColumnTable
from posteriori.families.categorical import TableParameters
from posteriori.families.gaussian.diagonal import DiagonalParameters
from posteriori.families.gaussian.full import FullParameters
from posteriori.families.joint_density import JointDensity
from posteriori.models.generative_summary import Summary
from posteriori.statistics.counts import Counts
from posteriori.statistics.joint_counts import JointCounts
from posteriori.storage.requirements import (
    at_most_one,
    covariances,
    finite,
    instance,
    moderate,
    natural,
    not_negative,
    numbers,
    sums_of_weights,
    sums_to_one,
    wrong,
)


def diagonal(value: DiagonalParameters, where: str) -> None:
    """All are by class and column; a variance may leave the range of numbers, its root may not."""
    shape = value.mean.shape
    if len(shape) != 2:
        wrong(f"{where}.mean", "is not by class and column")
    not_negative(value.scale, shape[1:], f"{where}.scale")
    not_negative(value.variance, shape, f"{where}.variance")
    for name in ("mean", "centre", "root", "log_norm"):
        finite(getattr(value, name), shape, f"{where}.{name}")
    not_negative(value.root, shape, f"{where}.root")
    natural(value.free, f"{where}.free")
    unit = np.where(value.scale > 0, value.scale, 1.0)
    if not np.allclose(value.centre, value.mean / unit, rtol=1e-9, atol=0):
        wrong(f"{where}.centre", "does not belong to the means")
    used, scale = value.root > 0, np.broadcast_to(unit, shape)
    wanted = np.log(value.root[used]) - np.log(scale[used]) - 0.5 * np.log(2 * np.pi)
    if not np.allclose(value.log_norm[used], wanted, rtol=1e-9, atol=1e-9) or value.log_norm[~used].any():
        wrong(f"{where}.log_norm", "does not belong to the variances")


def full(value: FullParameters, where: str) -> None:
    """Covariances are symmetric and positive semidefinite."""
    if value.mean.ndim != 2 or value.covariance.ndim != 3:
        wrong(f"{where}.mean", "is not by class and column")
    (n_classes, d), m = value.mean.shape, len(value.covariance)
    if m not in (1, n_classes):
        wrong(f"{where}.covariance", f"has {m} matrices for {n_classes} classes")
    for name, shape in (("mean", (n_classes, d)), ("centre", (n_classes, d)), ("whiten", (m, d, d)),
                        ("colour", (m, d, d)), ("log_norm", (m,)), ("scale", (d,))):  # fmt: skip
        finite(getattr(value, name), shape, f"{where}.{name}")
    numbers(value.covariance, (m, d, d), f"{where}.covariance")
    covariances(value.covariance, f"{where}.covariance")
    unit = np.where(value.scale > 0, value.scale, 1.0)
    if not np.allclose(value.centre, value.mean / unit, rtol=1e-9, atol=0):
        wrong(f"{where}.centre", "does not belong to the means")
    _coloured(value, unit, where)
    whole = np.swapaxes(value.whiten, -1, -2) @ value.colour  # 1 for each direction with spread, else 0
    if not np.allclose(whole, np.eye(d) * (np.diagonal(whole, axis1=-2, axis2=-1) > 0.5)[:, None, :], atol=1e-6):
        wrong(f"{where}.whiten", "does not undo the colour")


def _coloured(value: FullParameters, unit: Any, where: str) -> None:
    """Ask that the covariances shown are those that densities are computed with; infinite ones are only shown."""
    if not np.isfinite(value.covariance).all():
        return
    spread = np.sqrt(np.diagonal(value.covariance, axis1=-2, axis2=-1))
    size = np.where(spread > 0, spread, 1.0)
    with np.errstate(all="ignore"):
        root = value.colour * (unit / size)[..., None]
        shown = value.covariance / size[:, :, None] / size[:, None, :]
        if not np.allclose(root @ np.swapaxes(root, -1, -2), shown, rtol=0, atol=1e-7):
            wrong(f"{where}.covariance", "does not belong to the colour")


def tables(value: TableParameters, where: str) -> None:
    """Cells lie end to end, and those of a column sum to one: kernels follow these indices unasked."""
    n_columns, (n_classes, n_cells) = len(value.sizes), value.probability.shape
    not_negative(value.sizes, (n_columns,), f"{where}.sizes")
    if value.sizes.sum() != n_cells or not np.array_equal(value.starts, np.cumsum(value.sizes) - value.sizes):
        wrong(f"{where}.starts", f"points outside the {n_cells} cells, or not at the columns' own")
    at_most_one(value.probability, (n_classes, n_cells), f"{where}.probability")
    seen = value.sizes > 0
    if seen.any():
        sums = np.add.reduceat(value.probability, value.starts[seen], axis=1)
        sums_to_one(sums[..., None], f"{where}.probability")
    numbers(value.log_probability, (n_cells, n_classes), f"{where}.log_probability")
    if not np.allclose(np.exp(value.log_probability.T), value.probability, rtol=1e-9, atol=1e-300):
        wrong(f"{where}.log_probability", "is not the logarithm of the probabilities")


def joint(value: JointDensity, where: str) -> None:
    """Every group has parameters of its family, for its columns."""
    if len(value.groups) != len(value.parameters):
        wrong(f"{where}.parameters", f"has {len(value.parameters)} entries for {len(value.groups)} groups")
    for i, (group, parameters) in enumerate(zip(value.groups, value.parameters, strict=True)):
        instance(parameters, group.family.parameters_type, f"{where}.parameters[{i}]")
        wide = parameters.n_columns
        if wide != len(group.columns):
            wrong(f"{where}.parameters[{i}]", f"is for {wide:g} columns, its group has {len(group.columns)}")


def summary(value: Summary, where: str) -> None:
    """Every group has statistics of its family, for all classes."""
    n_classes = len(value.classes)
    sums_of_weights(value.weight.values, (n_classes,), f"{where}.weight")
    if not value.weight.values.any():
        wrong(f"{where}.weight", "is zero for every class")
    if len(value.groups) != len(value.statistics):
        wrong(f"{where}.statistics", f"has {len(value.statistics)} entries for {len(value.groups)} groups")
    for i, (group, part) in enumerate(zip(value.groups, value.statistics, strict=True)):
        instance(part, group.family.statistics_type, f"{where}.statistics[{i}]")
        if part.n_classes != n_classes:
            wrong(f"{where}.statistics[{i}]", f"is for {part.n_classes} classes, not {n_classes}")
        if isinstance(part, JointCounts) and not np.allclose(
            part.counts.sum(axis=1), value.weight.values, rtol=1e-6, atol=0
        ):
            wrong(f"{where}.statistics[{i}].counts", "do not sum to the weights of the classes")
        if isinstance(part, Counts):
            moderate(part.values, part.values.shape, f"{where}.statistics[{i}].values", group.family.largest_sum)
            not_negative(part.values, part.values.shape, f"{where}.statistics[{i}].values")
        fault = group.family.inconsistency(part, len(group.columns))
        if fault is not None:
            wrong(f"{where}.statistics[{i}]{fault[0]}", fault[1])


def levels_of_groups(statistics: Summary, density: JointDensity, where: str) -> None:
    """Ask that families, statistics and parameters of categories count the levels that the schema has."""
    for i, (group, part, parameters) in enumerate(
        zip(statistics.groups, statistics.statistics, density.parameters, strict=True)
    ):
        if not group.family.takes_levels:
            continue
        levels = statistics.levels(group)
        if not all((values[:-1] < values[1:]).all() for values in levels):
            wrong(f"{where}.statistics_.schema", "has levels that are not sorted")
        sizes = tuple(map(len, levels))
        if group.family.sizes != sizes:  # type: ignore[attr-defined]
            wrong(f"{where}.statistics_.groups[{i}].family.sizes", "are not those of the columns' levels")
        if isinstance(part, JointCounts) and (part.codes >= np.array(sizes)).any():
            wrong(f"{where}.statistics_.statistics[{i}].codes", "are not cells of the product of the columns")
        if isinstance(parameters, TableParameters):
            known = np.array(sizes) > 0
            if (parameters.sizes[known] != np.array(sizes)[known]).any():
                wrong(f"{where}.density_.parameters[{i}].sizes", "are not those of the columns' levels")
            if part.values.shape[1] != parameters.probability.shape[1]:  # type: ignore[attr-defined]
                wrong(f"{where}.statistics_.statistics[{i}].values", "do not count the levels of the columns")


def column_table(value: ColumnTable, where: str) -> None:
    """Parameters are by class."""
    for name, array in value.parameters.items():
        if len(array) != len(value.classes):
            wrong(f"{where}.{name}", f"is for {len(array)} classes, not {len(value.classes)}")
