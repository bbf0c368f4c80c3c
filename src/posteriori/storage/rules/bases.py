"""What must hold of a stored basis and of stored weights: shapes, positive widths, indices that stay inside."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.bases.base import Phi
from posteriori.bases.gaussian import ColumnwiseGaussianPhi, GaussianPhi
from posteriori.bases.polynomial import PolynomialPhi
from posteriori.bases.sigmoid import SigmoidPhi
from posteriori.priors.weights import Weights
from posteriori.storage.requirements import finite, instance, natural, wrong


def polynomial(value: PolynomialPhi, where: str) -> None:
    """Each monomial is one of the degree before times a column."""
    starts, p = value.starts, len(value.factors)
    if len(starts) < 2 or starts[0] != 0 or starts[-1] != p or any(np.diff(starts) < 1):
        wrong(f"{where}.starts", f"does not share out {p} monomials by degree")
    if value.parents.shape != (p,) or value.factors.shape != (p,):
        wrong(f"{where}.parents", f"is not one for each of {p} monomials")
    d = starts[1]
    if (value.parents[:d] != -1).any() or not np.array_equal(value.factors[:d], np.arange(d)):
        wrong(f"{where}.factors", "does not begin with the columns")
    for before, start, stop in zip(starts, starts[1:], starts[2:], strict=False):
        parents, factors = value.parents[start:stop], value.factors[start:stop]
        if parents.min() < before or parents.max() >= start or factors.min() < 0 or factors.max() >= d:
            wrong(f"{where}.parents", "points outside the monomials, or not at the degree before")


def columnwise(value: ColumnwiseGaussianPhi | SigmoidPhi, where: str) -> None:
    """Centres are numbers, widths positive."""
    natural(value.n_inputs, f"{where}.n_inputs", least=1)
    finite(value.centers, (value.centers.size,), f"{where}.centers")
    _positive(value.widths, value.centers.size, f"{where}.widths")


def gaussian(value: GaussianPhi, where: str) -> None:
    """Centres are points, widths positive."""
    if value.centers.ndim != 2 or not value.centers.size:
        wrong(f"{where}.centers", "is not a list of points")
    finite(value.centers, value.centers.shape, f"{where}.centers")
    _positive(value.widths, len(value.centers), f"{where}.widths")
    if value.word not in ("gauss", "kernel"):
        wrong(f"{where}.word", f"is {value.word!r}")


def weights(value: Weights, where: str) -> None:
    """There is an intercept for each row of coefficients."""
    if value.coef.ndim != 2:
        wrong(f"{where}.coef", "is not by class and column")
    finite(value.coef, value.coef.shape, f"{where}.coef")
    finite(value.intercept, value.coef.shape[:1], f"{where}.intercept")


def _positive(widths: Any, n_centers: int, where: str) -> None:
    finite(widths, (n_centers,), where)
    if n_centers < 1 or not (widths > 0).all():
        wrong(where, "holds a width that is not positive")


def coefficient_columns(model: Any, where: str) -> int:
    """Give how many columns a linear model's coefficients are over: phi's, if it has a basis, which must fit it."""
    phi = vars(model).get("phi_")
    if (phi is None) != (getattr(model, "basis", None) is None):
        wrong(f"{where}.phi_", "does not go with the model's basis")
    if phi is None:
        return int(model.n_features_in_)
    instance(phi, Phi, f"{where}.phi_")
    found = phi.starts[1] if isinstance(phi, PolynomialPhi) else phi.centers.shape[1] if phi.centers.ndim == 2 else None
    found = phi.n_inputs if found is None else found
    if found != model.n_features_in_:
        wrong(f"{where}.phi_", f"is over {found} columns, not {model.n_features_in_}")
    return int(phi.n_columns)


#: By the name of the class.
BASIS_RULES: dict[str, Callable[[Any, str], None]] = {
    "PolynomialPhi": polynomial,
    "ColumnwiseGaussianPhi": columnwise,
    "SigmoidPhi": columnwise,
    "GaussianPhi": gaussian,
    "Weights": weights,
}
