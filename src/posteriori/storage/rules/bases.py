"""Rules for bases and for objects that their constructors check."""

from typing import Any

import numpy as np

from posteriori.bases.columnwise import ColumnwisePhi
from posteriori.bases.gaussian import GaussianPhi
from posteriori.bases.polynomial import PolynomialPhi
from posteriori.checks.requirements import fail
from posteriori.families.binomial import Binomial
from posteriori.families.gaussian.normal_inverse_gamma import NormalInverseGamma
from posteriori.families.gaussian.normal_inverse_wishart import NormalInverseWishart
from posteriori.links.gaussian_mixture import GaussianMixtureLink
from posteriori.storage.registry import RULES


@RULES.of(PolynomialPhi)
def polynomial(value: PolynomialPhi, where: str) -> None:
    """Check that each monomial is one of the degree before times a column."""
    starts, p = value.starts, len(value.factors)
    if len(starts) < 2 or starts[0] != 0 or starts[-1] != p or any(np.diff(starts) < 1):
        fail(f"{where}.starts", f"does not partition {p} monomials by degree")
    d = starts[1]
    if (value.parents[:d] != -1).any() or not np.array_equal(value.factors[:d], np.arange(d)):
        fail(f"{where}.factors", "does not begin with the columns")
    for before, start, stop in zip(starts, starts[1:], starts[2:], strict=False):
        parents, factors = value.parents[start:stop], value.factors[start:stop]
        if parents.min() < before or parents.max() >= start or factors.min() < 0 or factors.max() >= d:
            fail(f"{where}.parents", "points outside the monomials of the degree before")


@RULES.of(ColumnwisePhi, GaussianPhi)
def centers(value: ColumnwisePhi | GaussianPhi, where: str) -> None:
    """Check that there are centres."""
    if not value.centers.size:
        fail(f"{where}.centers", "is empty")
    if isinstance(value, GaussianPhi) and value.word not in ("gauss", "kernel"):
        fail(f"{where}.word", f"is {value.word!r}")


#: Values with a checking constructor, and the fields that it takes.
CONSTRUCTED: dict[type, tuple[str, ...]] = {
    Binomial: ("trials",),
    GaussianMixtureLink: ("means", "sds", "weights"),
    NormalInverseGamma: ("mean", "kappa", "shape", "scale"),
    NormalInverseWishart: ("mean", "kappa", "df", "scale"),
}


@RULES.of(*CONSTRUCTED)
def constructed(value: Any, where: str) -> None:
    """Check that the constructor accepts the fields; of a mixture, that its weights are divided by their sum."""
    names = CONSTRUCTED[type(value)]
    try:
        again = type(value)(*(getattr(value, name) for name in names))
    except (TypeError, ValueError) as error:
        fail(where, f"has parameters that cannot be used ({error})")
    if isinstance(value, GaussianMixtureLink) and any(getattr(again, n) != getattr(value, n) for n in names):
        fail(where, "has components that are not normalized")
