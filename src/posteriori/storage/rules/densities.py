"""Rules for densities: their parameters are those that the families estimate from the statistics."""

from typing import Any

import numpy as np

from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.estimators.generative.column_parameters import ColumnTable
from posteriori.families.gaussian.full import FullParameters
from posteriori.families.gaussian.low_rank import LowRankParameters
from posteriori.families.gaussian.variances import LOG_2PI
from posteriori.families.joint_density import JointDensity
from posteriori.linalg.powers_of_two import nonzero
from posteriori.storage.registry import RULES

#: Relative and absolute differences that rounding may make, the latter in units of standard deviations, and of the
#: reciprocals of shapes, which are as uncertain as the difference of two means of logarithms.
RTOL, ATOL = 1e-6, 1e-9
#: What rounding may make infinite.
NEARLY_INFINITE = 1e300


@RULES.of(JointDensity)
def joint(value: JointDensity, where: str) -> None:
    """Check that every group has parameters of its family."""
    if len(value.groups) != len(value.parameters):
        fail(f"{where}.parameters", f"has {len(value.parameters)} entries for {len(value.groups)} groups")
    for i, (group, parameters) in enumerate(zip(value.groups, value.parameters, strict=True)):
        require.instance(parameters, group.family.parameters_type, f"{where}.parameters[{i}]")


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
