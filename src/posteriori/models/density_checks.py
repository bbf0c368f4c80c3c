"""Checks of the densities of a model file: their parameters are those that the families estimate."""

from dataclasses import fields
from typing import Any

import numpy as np

from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.families.gaussian.full import FullGaussian
from posteriori.families.gaussian.low_rank import LowRankGaussian
from posteriori.families.joint_density import JointDensity
from posteriori.linalg.powers_of_two import nonzero
from posteriori.messages.errors import DataError
from posteriori.models.generative_summary import Summary
from posteriori.statistics.joint_counts import JointCounts

#: Relative and absolute differences that rounding may make, the latter in units of standard deviations, and of the
#: reciprocals of shapes, which are as uncertain as the difference of two means of logarithms.
RTOL, ATOL = 1e-6, 1e-9
SHAPES = ("shape", "alpha", "beta")


def check_density(statistics: Summary, density: JointDensity, where: str) -> None:
    """Raise unless families count the levels in the schema, and parameters follow from the statistics."""
    groups = zip(statistics.groups, statistics.statistics, density.parameters, strict=True)
    for i, (group, part, parameters) in enumerate(groups):
        if group.family.takes_levels:
            levels = statistics.levels(group)
            if not all((values[:-1] < values[1:]).all() for values in levels):
                fail(f"{where}.statistics.schema", "has levels that are not sorted")
            sizes = tuple(map(len, levels))
            if group.family.sizes != sizes:  # type: ignore[attr-defined]
                fail(f"{where}.statistics.groups[{i}].family.sizes", "are not those of the columns' levels")
            if isinstance(part, JointCounts) and (part.codes >= np.array(sizes)).any():
                fail(f"{where}.statistics.statistics[{i}].codes", "are not cells of the product of the columns")
        try:
            expected = _full(group.family, part) if isinstance(group.family, FullGaussian) else _values(group, part)
        except (DataError, ValueError, IndexError) as error:
            fail(f"{where}.statistics.statistics[{i}]", f"gives no density ({error})")
        _compare(parameters, expected, f"{where}.density.parameters[{i}]")


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
