"""Rules for densities: their parameters are those that the families estimate from the statistics."""

from dataclasses import fields
from typing import Any

import numpy as np

from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.estimators.generative.column_parameters import ColumnTable
from posteriori.families.gaussian.full import FullGaussian, FullParameters
from posteriori.families.gaussian.low_rank import LowRankGaussian, LowRankParameters
from posteriori.families.gaussian.variances import LOG_2PI
from posteriori.families.joint_density import JointDensity
from posteriori.linalg.powers_of_two import nonzero
from posteriori.messages.errors import DataError
from posteriori.models.generative_summary import Summary
from posteriori.statistics.joint_counts import JointCounts
from posteriori.storage.registry import RULES

#: Relative and absolute differences that rounding may make, the latter in units of standard deviations, and of the
#: reciprocals of shapes, which are as uncertain as the difference of two means of logarithms.
RTOL, ATOL = 1e-6, 1e-9
SHAPES = ("shape", "alpha", "beta")
#: What rounding may make infinite.
NEARLY_INFINITE = 1e300


@RULES.of(JointDensity)
def joint(value: JointDensity, where: str) -> None:
    """Check that every group has parameters of its family."""
    if len(value.groups) != len(value.parameters):
        fail(f"{where}.parameters", f"has {len(value.parameters)} entries for {len(value.groups)} groups")
    for i, (group, parameters) in enumerate(zip(value.groups, value.parameters, strict=True)):
        require.instance(parameters, group.family.parameters_type, f"{where}.parameters[{i}]")


def check_density(statistics: Summary, density: JointDensity, where: str) -> None:
    """Raise unless families count the levels in the schema, and parameters follow from the statistics."""
    groups = zip(statistics.groups, statistics.statistics, density.parameters, strict=True)
    for i, (group, part, parameters) in enumerate(groups):
        if group.family.takes_levels:
            levels = statistics.levels(group)
            if not all((values[:-1] < values[1:]).all() for values in levels):
                fail(f"{where}.statistics_.schema", "has levels that are not sorted")
            sizes = tuple(map(len, levels))
            if group.family.sizes != sizes:  # type: ignore[attr-defined]
                fail(f"{where}.statistics_.groups[{i}].family.sizes", "are not those of the columns' levels")
            if isinstance(part, JointCounts) and (part.codes >= np.array(sizes)).any():
                fail(f"{where}.statistics_.statistics[{i}].codes", "are not cells of the product of the columns")
        try:
            expected = _full(group.family, part) if isinstance(group.family, FullGaussian) else _values(group, part)
        except (DataError, ValueError, IndexError) as error:
            fail(f"{where}.statistics_.statistics[{i}]", f"gives no density ({error})")
        _compare(parameters, expected, f"{where}.density_.parameters[{i}]")


def _values(group: Any, statistics: Any) -> dict[str, Any]:
    parameters = group.family.estimate(statistics)
    return {item.name: getattr(parameters, item.name) for item in fields(parameters)}


def _full(family: FullGaussian, statistics: Any) -> dict[str, Any]:
    """Return means and covariances; the eigenvectors of these, and factors, are not the same on all processors."""
    unit, mean = nonzero(statistics.scale), family.means(statistics)
    expected = {"mean": mean, "scale": statistics.scale, "centre": mean / unit}
    if not isinstance(family, LowRankGaussian):
        expected["covariance"] = family.covariances(statistics) * unit * unit[:, None]
    return expected


def _compare(parameters: Any, expected: dict[str, Any], where: str) -> None:
    for name, value in expected.items():
        actual, atol = getattr(parameters, name), 0.0
        if np.shape(actual) != np.shape(value):
            fail(f"{where}.{name}", f"has shape {np.shape(actual)}, not {np.shape(value)}")
        pair = (actual, value)
        if name in SHAPES:
            pair, atol = (1.0 / actual, 1.0 / value), ATOL
        elif name == "covariance":
            sd = np.sqrt(np.diagonal(value, axis1=-2, axis2=-1))
            atol = ATOL * sd[:, :, None] * sd[:, None, :]
        require.close(*pair, f"{where}.{name}", "does not follow from the statistics", rtol=RTOL, atol=atol)


@RULES.of(FullParameters)
def full(value: FullParameters, where: str) -> None:
    """Check that densities are computed from the covariances, by roots that are inverses of each other."""
    if len(value.covariance) not in (1, len(value.mean)):
        fail(f"{where}.covariance", f"has {len(value.covariance)} matrices for {len(value.mean)} classes")
    unit, sd = nonzero(value.scale), nonzero(np.linalg.norm(value.colour, axis=-1))
    root = value.colour / sd[..., None]
    correlation, finite = root @ np.swapaxes(root, -1, -2), np.isfinite(value.covariance)
    size = unit * sd
    shown = value.covariance / size[:, :, None] / size[:, None, :]
    require.close(np.where(finite, shown, correlation), correlation, f"{where}.covariance",
                "does not follow from the colour", atol=1e-7)  # fmt: skip
    if (np.abs(correlation * size[:, :, None] * size[:, None, :])[~finite] < NEARLY_INFINITE).any():
        fail(f"{where}.covariance", "is infinite, and those of the densities are not")
    product = np.swapaxes(value.whiten, -1, -2) @ value.colour  # 1 for each direction with spread, else 0
    identity = np.eye(product.shape[-1]) * (np.diagonal(product, axis1=-2, axis2=-1) > 0.5)[:, None, :]
    require.close(product, identity, f"{where}.whiten", "is not the inverse of the colour", rtol=1e-5, atol=1e-6)
    require.close(value.log_norm, _log_norm(value, unit), f"{where}.log_norm", "does not follow from the covariances",
                rtol=RTOL, atol=1e-6 * len(unit))  # fmt: skip


def _log_norm(value: FullParameters, unit: Any) -> Any:
    """Return the log density at the mean, (m,), on the range of each covariance."""
    if isinstance(value, LowRankParameters):
        used = value.precision_root > 0
        logs = np.log(np.where(used, value.precision_root / unit, 1.0)).sum(axis=1)
        return logs - 0.5 * (np.log(value.sizes).sum(axis=1) + LOG_2PI * used.sum(axis=1))
    sd = np.linalg.norm(value.colour, axis=-1)
    lengths = np.linalg.norm(value.whiten * sd[:, :, None], axis=-2)  # roots of the inverse eigenvalues
    logs = np.log(nonzero(lengths)).sum(axis=1) - np.log(np.where(sd > 0, sd * unit, 1.0)).sum(axis=1)
    return logs - 0.5 * LOG_2PI * (lengths > 0).sum(axis=1)


@RULES.of(LowRankParameters)
def low_rank(value: LowRankParameters, where: str) -> None:
    """Check that the parts make up the covariance and its inverse."""
    if (value.sizes < 1.0 - 1e-9).any():
        fail(f"{where}.sizes", "contains an eigenvalue below 1")
    precision = value.whiten @ np.swapaxes(value.whiten, -1, -2)
    shrunk = value.directions * (1.0 / value.sizes - 1.0)[:, None, :]
    inner = np.eye(precision.shape[-1]) + shrunk @ np.swapaxes(value.directions, -1, -2)
    require.close(value.precision_root[:, :, None] * inner * value.precision_root[:, None, :], precision,
                f"{where}.directions", "do not follow from the covariance", rtol=RTOL, atol=ATOL)  # fmt: skip
    if np.isfinite(value.covariance).all():
        sd = nonzero(np.sqrt(np.diagonal(value.covariance, axis1=-2, axis2=-1)))
        loadings, noise = value.loadings / sd[:, :, None], value.noise / sd / sd
        total = loadings @ np.swapaxes(loadings, -1, -2) + np.eye(sd.shape[1]) * noise[:, None, :]
        require.close(total, value.covariance / sd[:, :, None] / sd[:, None, :], f"{where}.loadings",
                    "do not follow from the covariance", atol=1e-7)  # fmt: skip


@RULES.of(ColumnTable)
def column_table(value: ColumnTable, where: str) -> None:
    """Check that parameters are by class."""
    for name, array in value.parameters.items():
        if len(array) != len(value.classes):
            fail(f"{where}.{name}", f"is for {len(array)} classes, not {len(value.classes)}")
