"""Covariance structures by name: the parameters of `GaussianClassifier` as one family."""

from typing import Any

from posteriori.checks.parameters import choice, is_number, is_whole
from posteriori.families.gaussian.base import GaussianFamily
from posteriori.families.gaussian.diagonal import DiagonalGaussian
from posteriori.families.gaussian.full import FullGaussian
from posteriori.families.gaussian.low_rank import LowRankGaussian
from posteriori.families.gaussian.normal_inverse_gamma import NormalInverseGamma
from posteriori.families.gaussian.normal_inverse_wishart import NormalInverseWishart
from posteriori.families.gaussian.shrinkage import AMOUNTS, ShrunkGaussian
from posteriori.families.gaussian.spherical import SphericalGaussian
from posteriori.messages.errors import DataError

#: Covariance structures, by the names that `GaussianClassifier` takes.
COVARIANCES: dict[str, type[GaussianFamily]] = {
    "full": FullGaussian,
    "diagonal": DiagonalGaussian,
    "spherical": SphericalGaussian,
    "low-rank": LowRankGaussian,
}


def covariance_family(covariance: Any, shared: Any, estimate: Any, shrinkage: Any, rank: Any) -> GaussianFamily:
    """Return the family that the parameters of `GaussianClassifier` describe; raise if they do not go together."""
    name = choice("covariance", covariance, COVARIANCES)
    if rank is not None and name != "low-rank":
        raise DataError(f"rank={rank!r} belongs to covariance='low-rank', not to {name!r}.")
    amount = read_shrinkage(shrinkage)
    if amount is not None and name != "full":
        raise DataError(
            f"shrinkage={shrinkage!r} belongs to covariance='full', not to {name!r}, which has none to shrink."
        )
    settings = choice("shared", shared, (True, False)), _estimate(name, estimate)
    n_factors = _rank(rank)
    if amount is None:
        return LowRankGaussian(*settings, n_factors) if name == "low-rank" else COVARIANCES[name](*settings)
    if settings[1] not in ("ml", "unbiased"):
        raise DataError("a prior shrinks already: use shrinkage= with estimate 'ml' or 'unbiased', not with a prior.")
    return ShrunkGaussian(*settings, amount)


def read_shrinkage(shrinkage: Any) -> float | str | None:
    """Check an amount: None, a number from 0 to 1, or the name of an estimate."""
    if shrinkage is None:
        return None
    if isinstance(shrinkage, str):
        named: str = choice("shrinkage", shrinkage, AMOUNTS)
        return named
    if not is_number(shrinkage) or not 0 <= shrinkage <= 1:
        raise DataError(f"shrinkage={shrinkage!r} must be None, a number from 0 to 1, or one of {', '.join(AMOUNTS)}.")
    return float(shrinkage)


def _estimate(covariance: str, estimate: Any) -> Any:
    family = COVARIANCES[covariance]
    kind = family.conjugate_prior
    if kind is not None and isinstance(estimate, kind):
        return estimate
    if isinstance(estimate, NormalInverseWishart | NormalInverseGamma):
        expected = f"takes a {kind.__name__}" if kind is not None else "takes no prior"
        raise DataError(f"{type(estimate).__name__} is not a prior of covariance={covariance!r}, which {expected}.")
    return choice("estimate", estimate, family.estimates)


def _rank(rank: Any) -> int:
    if rank is not None and not is_whole(rank, least=1):
        raise DataError(f"rank={rank!r} must be a whole number from 1 up.")
    return 1 if rank is None else int(rank)
