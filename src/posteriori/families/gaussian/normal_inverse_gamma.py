"""`NormalInverseGamma`: what may be said of a Gaussian column's mean and variance before seeing data."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.numbers import refuse_masked
from posteriori.families.gaussian.variances import ratios
from posteriori.messages.errors import DataError
from posteriori.storable import storable

#: Rows that the prior of ``estimate="map"`` is worth in the mean.
WEAK_KAPPA = 0.01
#: Shape of that prior: three rows' worth, the fewest whole ones for which its mean exists.
WEAK_SHAPE = 1.5


@storable
@dataclass(frozen=True)
class NormalInverseGamma:
    """The conjugate prior of Gaussian columns: mu | v ~ N(mean, v / kappa), v ~ inverse gamma(shape, scale).

    After N_k rows of class k with mean x_k and sum of squares S_k about it, the mode of mean and variance
    together is mu_k = (kappa mean + N_k x_k) / (kappa + N_k) and

    v = (2 scale + S_k + kappa N_k / (kappa + N_k) (x_k - mean)^2) / (2 shape + N_k + 3),

    or, where a variance is shared by K classes (or by K d means of d columns), the sums over them in the
    numerator and 2 shape + N + K + 2 below.

    Book: [Mitchell] §2.4 estimates by maximum likelihood; MAP is its §2.3 with this prior.

    Parameters
    ----------
    mean : number | (d,) one for all Gaussian columns, or one each
    kappa : how many rows the prior mean is worth; positive
    shape : half as many rows as the prior variance is worth; positive
    scale : number | (d,) positive; the prior mean of v is scale / (shape - 1)

    Examples
    --------
    >>> import posteriori as pt
    >>> prior = pt.NormalInverseGamma(mean=0.0, kappa=1.0, shape=1.5, scale=1.0)
    >>> model = pt.NaiveBayes(estimate=prior).fit([[0.0], [2.0], [4.0], [6.0]], [0, 0, 1, 1])
    >>> model.table(0)["mean"].round(3).tolist(), model.table(0)["variance"].round(3).tolist()
    ([0.667, 3.333], [0.583, 2.583])
    """

    mean: Any
    kappa: float
    shape: float
    scale: Any

    def __post_init__(self) -> None:
        for name in ("mean", "scale"):
            object.__setattr__(self, name, _plain(getattr(self, name), name))
        for name in ("kappa", "shape"):
            value = getattr(self, name)
            number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
            if not number or not 0 < value < np.inf:
                raise DataError(f"NormalInverseGamma: {name}={value!r} must be a positive number.")
            object.__setattr__(self, name, float(value))
        if not (np.asarray(self.scale) > 0).all():
            raise DataError(f"NormalInverseGamma: scale={self.scale!r} must be positive.")

    def laid_out(self, unit: Array) -> "ColumnPrior":
        """Give the prior over columns in units of `unit`, (d,)."""
        d = len(unit)
        mean, scale = np.asarray(self.mean), np.asarray(self.scale)
        if mean.shape not in ((), (d,)) or scale.shape not in ((), (d,)):
            raise DataError(
                f"NormalInverseGamma: for {d} Gaussian columns mean and scale are a number or {d} of them; they have "
                f"shapes {mean.shape} and {scale.shape}."
            )
        # dividing twice: the square of a unit beyond 1e154 leaves the floats
        return ColumnPrior(np.broadcast_to(mean, d) / unit, self.kappa, self.shape, scale / unit / unit)


@dataclass(frozen=True)
class ColumnPrior:
    """A `NormalInverseGamma` laid out over the columns: mean (d,), kappa, shape, scale (d,)."""

    mean: Array
    kappa: float
    shape: float
    scale: Array

    def means(self, weight: Array, mean: Array) -> Array:
        """Give the class means at the mode, (K, d)."""
        at: Array = self.mean + weight / (self.kappa + weight) * (mean - self.mean)
        return at

    def squares(self, weight: Array, mean: Array, scatter: Array) -> Array:
        """Give S_k + kappa N_k / (kappa + N_k) (x_k - mean)^2, (K, d)."""
        pull = self.kappa * weight / (self.kappa + weight)
        squares: Array = scatter + pull * np.where(weight > 0, mean - self.mean, 0.0) ** 2
        return squares

    def own(self, weight: Array, squares: Array) -> Array:
        """Give a variance for each class and column, (K, d)."""
        variance: Array = (2 * self.scale + squares) / (2 * self.shape + weight + 3)
        return variance

    def by_column(self, weight: Array, squares: Array) -> Array:
        """Give a variance for each column, shared by the classes, (d,)."""
        variance: Array = (2 * self.scale + squares.sum(axis=0)) / (
            2 * self.shape + weight.sum(axis=0) + len(weight) + 2
        )
        return variance

    def by_class(self, weight: Array, squares: Array, unit: Array) -> Array:
        """Give a variance for each class (row), shared by the columns, in each column's own units, (K, d).

        The scale of the prior is the mean of the columns'.
        """
        ratio = ratios(unit)
        whole = 2 * (self.scale * ratio**2).mean() + (squares * ratio**2).sum(axis=1)
        variance: Array = whole / (2 * self.shape + weight.sum(axis=1) + weight.shape[1] + 2)
        laid_out: Array = variance[:, None] / ratio / ratio
        return laid_out

    def single(self, weight: Array, squares: Array, unit: Array) -> Array:
        """Give one variance for all classes and columns, in each column's own units, (d,)."""
        ratio = ratios(unit)
        whole = 2 * (self.scale * ratio**2).mean() + (squares * ratio**2).sum()
        variance: Array = whole / (2 * self.shape + weight.sum() + weight.size + 2) / ratio / ratio
        return variance


def weak_column_prior(weight: Array, mean: Array, variance: Array) -> ColumnPrior:
    """Give the prior of ``estimate="map"``: kappa 0.01, shape 3/2, all else from the columns themselves.

    Its mean is the mean of all rows, its scale half the pooled within-class variance (d,): it is worth 0.01
    rows in the mean and 3 in the variance, and changes with the units of a column as the column does.
    """
    total = weight.sum(axis=0)
    share = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
    return ColumnPrior((share * mean).sum(axis=0), WEAK_KAPPA, WEAK_SHAPE, 0.5 * variance)


def _plain(values: Any, name: str) -> Any:
    """Give numbers as floats and tuples of floats, which compare and are stored as they are."""
    refuse_masked(values, f"NormalInverseGamma: {name}")
    array = np.asarray(values)
    if array.dtype.kind not in "fiu" or array.ndim > 1 or not np.isfinite(array).all():
        raise DataError(f"NormalInverseGamma: {name}={values!r} must be a finite number, or one for each column.")
    plain = array.astype(np.float64).tolist()
    return tuple(plain) if array.ndim else plain
