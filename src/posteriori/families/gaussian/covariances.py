"""Covariance structures by name: what `GaussianClassifier` is told becomes one family."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.checks.parameters import choice
from posteriori.families.base import Family
from posteriori.families.gaussian.diagonal import DiagonalGaussian
from posteriori.families.gaussian.full import FullGaussian
from posteriori.families.gaussian.low_rank import LowRankGaussian
from posteriori.families.gaussian.normal_inverse_gamma import NormalInverseGamma
from posteriori.families.gaussian.normal_inverse_wishart import NormalInverseWishart
from posteriori.families.gaussian.shrinkage import AMOUNTS, ShrunkGaussian
from posteriori.families.gaussian.spherical import SphericalGaussian
from posteriori.messages.errors import DataError


@dataclass(frozen=True)
class Structure:
    """What may be said of a covariance besides its name, checked."""

    shared: bool
    estimate: Any
    shrinkage: float | str | None
    rank: int | None


#: Covariance structures, by the names that `GaussianClassifier` takes.
COVARIANCES: dict[str, Callable[[Structure], Family]] = {
    "full": lambda told: (
        FullGaussian(told.shared, told.estimate)
        if told.shrinkage is None
        else ShrunkGaussian(told.shared, told.estimate, told.shrinkage)
    ),
    "diagonal": lambda told: DiagonalGaussian(told.shared, told.estimate),
    "spherical": lambda told: SphericalGaussian(told.shared, told.estimate),
    "low-rank": lambda told: LowRankGaussian(told.shared, told.estimate, told.rank or 1),
}

#: Estimates, by the structures that have them.
ESTIMATES: dict[str, tuple[str, ...]] = {
    "full": ("ml", "unbiased", "map"),
    "diagonal": ("ml", "unbiased", "map"),
    "spherical": ("ml", "unbiased", "map"),
    "low-rank": ("ml", "unbiased"),
}

#: The structures that take sparse matrices.
SPARSE = ("diagonal", "spherical")

#: The conjugate priors of the structures that have one.
PRIORS: dict[str, type] = {
    "full": NormalInverseWishart,
    "diagonal": NormalInverseGamma,
    "spherical": NormalInverseGamma,
}


def covariance_family(covariance: Any, shared: Any, estimate: Any, shrinkage: Any, rank: Any) -> Family:
    """Give the family that the parameters of `GaussianClassifier` describe, or refuse them in a sentence."""
    name = choice("covariance", covariance, COVARIANCES)
    if rank is not None and name != "low-rank":
        raise DataError(f"rank={rank!r} belongs to covariance='low-rank', not to {name!r}.")
    amount = read_shrinkage(shrinkage)
    if amount is not None and name != "full":
        raise DataError(
            f"shrinkage={shrinkage!r} belongs to covariance='full', not to {name!r}: its target has no more."
        )
    told = Structure(choice("shared", shared, (True, False)), _estimate(name, estimate), amount, _rank(rank))
    if amount is not None and told.estimate not in ("ml", "unbiased"):
        raise DataError("a prior shrinks already: give shrinkage= with estimate 'ml' or 'unbiased', not with a prior.")
    return COVARIANCES[name](told)


def read_shrinkage(shrinkage: Any) -> float | str | None:
    """Check an amount: None, a number from 0 to 1, or the name of a way to find one."""
    if shrinkage is None:
        return None
    if isinstance(shrinkage, str):
        named: str = choice("shrinkage", shrinkage, AMOUNTS)
        return named
    number = isinstance(shrinkage, int | float | np.integer | np.floating) and not isinstance(shrinkage, bool)
    if not number or not 0 <= shrinkage <= 1:
        raise DataError(f"shrinkage={shrinkage!r} must be None, a number from 0 to 1, or one of {', '.join(AMOUNTS)}.")
    return float(shrinkage)


def _estimate(covariance: str, estimate: Any) -> Any:
    kind = PRIORS.get(covariance)
    if kind is not None and isinstance(estimate, kind):
        return estimate
    if isinstance(estimate, NormalInverseWishart | NormalInverseGamma):
        fitting = f"takes a {kind.__name__}" if kind is not None else "takes none"
        raise DataError(f"{type(estimate).__name__} is no prior of covariance={covariance!r}, which {fitting}.")
    return choice("estimate", estimate, ESTIMATES[covariance])


def _rank(rank: Any) -> int | None:
    if rank is None:
        return None
    if isinstance(rank, bool) or not isinstance(rank, int | np.integer) or rank < 1:
        raise DataError(f"rank={rank!r} must be a whole number from 1 up.")
    return int(rank)
