"""Checks of the infinite estimates of a model file: by class, by contrast and by pair of classes, of one cone."""

from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.designs.units import Units
from posteriori.links.base import LinkFunction
from posteriori.models.infinite_codes import Codes, against, are_consistent, are_proved, of_classes
from posteriori.models.information import Information, distance_from

#: Relative size of a coefficient along a direction that is not rounding, and relative distance of such a direction
#: from the space of directions without finite estimates.
SHOWN, NEAR = 1e-9, 1e-5


def check_separated(model: Any, where: str) -> None:
    """Raise unless there are infinite estimates where the classes are separated, and nowhere else."""
    if model.infinite.any() != (model.status == "separated"):
        what = "marks" if model.infinite.any() else "does not mark"
        fail(f"{where}.infinite", f"{what} infinite estimates, and the fit is {model.status!r}")
    if (model.solution.overlap is False) != (model.status == "separated"):
        fail(f"{where}.solution.overlap", f"is {model.solution.overlap}, and the fit is {model.status!r}")


def check_infinite(marks: Codes, known: Information, units: Units, link: LinkFunction, where: str) -> None:
    """Raise unless codes by class, of contrasts and of pairs of classes are of coefficients that exist, and agree."""
    K, reference, lead = link.n_classes, link.reference, 1 - int(units.intercept)
    require.CODE.check(marks, (1 if K == 2 else K, len(units.scale) + 1), f"{where}.infinite")
    if marks[:, :lead].any() or (reference is not None and K > 2 and marks[reference].any()):
        fail(f"{where}.infinite", "marks coefficients that the model does not have")
    own = marks[:, lead:]
    if K == 2 and not np.array_equal(own[0], known.infinite):
        fail(f"{where}.infinite", "is not that of the information")
    symmetric, pairs, first = link.n_scores == K, known.pairs, reference or 0
    if pairs is not None:
        require.CODE.check(pairs, (K * (K - 1) // 2, units.n_coefficients), f"{where}.information.pairs")
        if not np.array_equal(known.infinite, against(pairs, K, first).ravel()):
            fail(f"{where}.information.infinite", "does not follow from the pairs of classes")
        if K > 2 and not are_consistent(own, pairs, first, symmetric=symmetric):
            fail(f"{where}.infinite", "does not follow from the pairs of classes")
    if known.directions is not None:
        combinations = of_classes(K, first, symmetric=symmetric)
        _check_directions(own, known, units.jacobian(), combinations, f"{where}.information.directions")


def _check_directions(own: Codes, known: Information, T: Array, combinations: tuple[Array, Array], where: str) -> None:
    """Raise unless stored directions show the codes of infinite estimates, and are those without finite estimates."""
    directions = known.directions
    if known.pairs is None or directions is None or not directions.shape[1]:
        fail(where, "are there without codes, or are none")
    for codes, each in zip((own, known.pairs), combinations, strict=True):
        if not are_proved(codes, each, T, directions, SHOWN):
            fail(f"{where}", "have other signs than the infinite estimates")
    if not np.abs(directions).max(axis=0).all() or distance_from(known.null, directions) > NEAR:
        fail(where, "are not among those without finite estimates")
