"""Products of matrices whose entries may be far from one: powers of two are taken out first, so nothing overflows."""

import numpy as np

from posteriori.arrays import Array
from posteriori.messages.errors import DataError

#: The largest entry of a covariance in the units of a fit: sums of products with rows of size one stay finite.
LARGEST = 1e300


def in_powers(rows: Array) -> tuple[Array, Array]:
    """Return rows (k, m) divided by powers of two (k,) near their largest entries, and those powers.

    Division by a power of two is exact, so a product of the scaled rows has the digits of the product itself.

    >>> scaled, powers = in_powers(np.array([[3e200, 1e200], [0.0, 0.0]]))
    >>> bool(np.abs(scaled).max() < 2.0), powers[1].item()
    (True, 1.0)
    """
    largest = np.abs(rows).max(axis=-1, initial=0.0)
    exponents = np.where((largest > 0) & np.isfinite(largest), np.frexp(largest)[1] - 1, 0)
    return np.ldexp(rows, -exponents[..., None]), np.ldexp(1.0, exponents)


def congruence(T: Array, C: Array) -> tuple[Array, Array]:
    """Compute T C T' (k, k) as sizes_i sizes_j times a matrix of moderate entries; return that matrix and the sizes.

    The variance T C T' of a coefficient of a column of 1e-200 is 1e400; its root, the standard error, is a float.
    """
    rows, sizes = in_powers(T)
    return rows @ C @ rows.T, sizes


def scaled_back(inner: Array, sizes: Array) -> Array:
    """Return inner_ij sizes_i sizes_j, infinite where that is beyond the range of floats."""
    with np.errstate(over="ignore"):
        whole: Array = inner * sizes[:, None] * sizes
    return whole


def deviations(inner: Array, sizes: Array) -> Array:
    """Return the roots of the diagonal of inner_ij sizes_i sizes_j, infinite where beyond the range of floats."""
    with np.errstate(over="ignore"):
        roots: Array = np.sqrt(np.diagonal(inner)) * sizes
    return roots


def sandwich(bread: Array, meat: Array, factor: float) -> Array:
    """Compute factor times bread meat bread, in units in which the bread has a unit diagonal."""
    size = np.sqrt(np.diagonal(bread))
    size = np.ldexp(1.0, np.frexp(size)[1])
    slices = bread / size[:, None] / size
    with np.errstate(over="ignore", invalid="ignore"):
        filling = meat * size[:, None] * size
        whole: Array = slices @ filling @ slices * size[:, None] * size * factor
        return in_range((whole + whole.T) / 2.0)


def in_range(covariance: Array) -> Array:
    """Return a covariance in the units of a fit; raise where it is beyond the range of floats."""
    if not (np.abs(covariance) <= LARGEST).all():
        raise DataError(
            "the covariance of the coefficients is beyond the range of double precision: the sums that it is made of "
            "differ too much in size. Divide sample_weight by its mean, or fit with a prior."
        )
    return covariance
