"""`NormalInverseGamma`: the conjugate prior of a Gaussian column's mean and variance."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.families.gaussian.conjugate import WEAK_KAPPA, ConjugatePrior, check_fields
from posteriori.families.gaussian.variances import ratios
from posteriori.linalg.quotients import proportions
from posteriori.messages.errors import DataError
from posteriori.storable import storable

#: Shape of the prior of ``estimate="map"``: the weight of three rows, the smallest number for which its mean exists.
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
    mean : number | (d,) one for all Gaussian columns, or one per column
    kappa : the weight of the prior mean in rows; positive
    shape : half the weight of the prior variance in rows; positive
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
        check_fields(self, ("kappa", "shape"), {"mean": 1, "scale": 1})
        if not (np.asarray(self.scale) > 0).all():
            raise DataError(f"NormalInverseGamma: scale={self.scale!r} must be positive.")

    def for_columns(self, unit: Array) -> "ColumnPrior":
        """Return the prior of columns measured in `unit`, (d,)."""
        d = len(unit)
        mean, scale = np.asarray(self.mean), np.asarray(self.scale)
        if mean.shape not in ((), (d,)) or scale.shape not in ((), (d,)):
            raise DataError(
                f"NormalInverseGamma: for {d} Gaussian columns mean and scale must be a number or {d} of them; "
                f"they have shapes {mean.shape} and {scale.shape}."
            )
        # dividing twice: the square of a unit above 1e154 overflows
        return ColumnPrior(np.broadcast_to(mean, d) / unit, self.kappa, self.shape, scale / unit / unit)

    def check(self, where: str) -> None:
        """Raise unless the constructor accepts the fields."""
        require.constructed(self, ("mean", "kappa", "shape", "scale"), where)


@dataclass(frozen=True)
class ColumnPrior(ConjugatePrior):
    """A `NormalInverseGamma` of d columns: mean (d,), kappa, shape, scale (d,)."""

    shape: float
    scale: Array

    def squares(self, weight: Array, mean: Array, scatter: Array) -> Array:
        """Return S_k + kappa N_k / (kappa + N_k) (x_k - mean)^2, (K, d)."""
        shrunk_weight = self.kappa * weight / (self.kappa + weight)
        return np.asarray(scatter + shrunk_weight * np.where(weight > 0, mean - self.mean, 0.0) ** 2)

    def by_class_and_column(self, weight: Array, squares: Array) -> Array:
        """Return one variance per class and column, (K, d)."""
        return (2 * self.scale + squares) / (2 * self.shape + weight + 3)

    def by_column(self, weight: Array, squares: Array) -> Array:
        """Return one variance per column, shared by the classes, (d,)."""
        divisor = 2 * self.shape + weight.sum(axis=0) + len(weight) + 2
        return np.asarray((2 * self.scale + squares.sum(axis=0)) / divisor)

    def by_class(self, weight: Array, squares: Array, unit: Array) -> Array:
        """Return one variance per class, shared by the columns, in each column's own units, (K, d).

        The scale of the prior is the mean of the columns' scales.
        """
        ratio = ratios(unit)
        whole = 2 * (self.scale * ratio**2).mean() + (squares * ratio**2).sum(axis=1)
        variance: Array = whole / (2 * self.shape + weight.sum(axis=1) + weight.shape[1] + 2)
        return variance[:, None] / ratio / ratio

    def single(self, weight: Array, squares: Array, unit: Array) -> Array:
        """Return one variance for all classes and columns, in each column's own units, (d,)."""
        ratio = ratios(unit)
        whole = 2 * (self.scale * ratio**2).mean() + (squares * ratio**2).sum()
        return np.asarray(whole / (2 * self.shape + weight.sum() + weight.size + 2) / ratio / ratio)


def weak_column_prior(weight: Array, mean: Array, variance: Array) -> ColumnPrior:
    """Return the prior of ``estimate="map"``: kappa 0.01, shape 3/2, mean and scale from the columns themselves.

    Its mean is the mean of all rows, its scale half the pooled within-class variance (d,): it has the weight of 0.01
    rows in the mean and of 3 rows in the variance, and changes with the units of a column as the column does.
    """
    return ColumnPrior((proportions(weight) * mean).sum(axis=0), WEAK_KAPPA, WEAK_SHAPE, 0.5 * variance)
