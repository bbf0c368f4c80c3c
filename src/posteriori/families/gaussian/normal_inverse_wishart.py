"""`NormalInverseWishart`: what may be said of a Gaussian's mean and covariance before seeing data."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.numbers import read_numbers
from posteriori.messages.errors import DataError
from posteriori.statistics.gram import Gram
from posteriori.storable import storable

#: Rows that the prior of ``estimate="map"`` is worth in the mean.
WEAK_KAPPA = 0.01
#: Degrees of freedom of that prior, beyond the number of columns: the fewest for which its mean exists.
WEAK_DF = 2.0


@storable
@dataclass(frozen=True)
class NormalInverseWishart:
    """The conjugate prior of a Gaussian: mu | S ~ N(mean, S / kappa), S ~ inverse Wishart(df, scale).

    After N_k rows of class k with mean x_k and scatter S_k the mode of mean and covariance together is
    mu_k = (kappa mean + N_k x_k) / (kappa + N_k) and

    S = (scale + S_k + kappa N_k / (kappa + N_k) (x_k - mean)(x_k - mean)') / (df + N_k + d + 2),

    or, where K classes share S, the sums over classes in the numerator and df + N + d + 1 + K below.

    Parameters
    ----------
    mean : number | (d,)
    kappa : float
        How many rows the prior mean is worth; positive.
    df : float
        How many rows the prior covariance is worth; above d - 1.
    scale : number | (d,) | (d, d)
        A number or vector is a diagonal. The prior mean of S is scale / (df - d - 1).

    Examples
    --------
    >>> import posteriori as pt
    >>> prior = pt.NormalInverseWishart(mean=0.0, kappa=1.0, df=3.0, scale=2.0)
    >>> model = pt.GaussianClassifier(estimate=prior).fit([[0.0], [2.0], [4.0], [6.0]], [0, 0, 1, 1])
    >>> model.means_.round(3).ravel().tolist(), round(model.covariance_.item(), 4)
    ([0.667, 3.333], 2.1212)
    """

    mean: Any
    kappa: float
    df: float
    scale: Any

    def __post_init__(self) -> None:
        for name in ("mean", "scale"):
            object.__setattr__(self, name, _plain(getattr(self, name), name))
        for name in ("kappa", "df"):
            value = getattr(self, name)
            number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
            if not number or not 0 < value < np.inf:
                raise DataError(f"NormalInverseWishart: {name}={value!r} must be a positive number.")
            object.__setattr__(self, name, float(value))

    def laid_out(self, unit: Array) -> "Prior":
        """Give the prior over columns in units of `unit`, (d,)."""
        d = len(unit)
        mean, scale = np.asarray(self.mean), np.asarray(self.scale)
        if mean.shape not in ((), (d,)) or scale.shape not in ((), (d,), (d, d)):
            raise DataError(
                f"NormalInverseWishart: for {d} columns the mean is a number or {(d,)} and the scale a number, {(d,)} "
                f"or {(d, d)}; they have shapes {mean.shape} and {scale.shape}."
            )
        if not self.df > d - 1:
            raise DataError(f"NormalInverseWishart: df={self.df:g} must be above {d - 1} for {d} columns.")
        matrix = scale if scale.ndim == 2 else np.diag(np.broadcast_to(scale, d))
        matrix = matrix / unit / unit[:, None]
        if not np.allclose(matrix, matrix.T, rtol=1e-10, atol=0) or np.linalg.eigvalsh(matrix).min() <= 0:
            raise DataError("NormalInverseWishart: the scale must be symmetric and positive definite.")
        return Prior(np.broadcast_to(mean, d) / unit, self.kappa, self.df, 0.5 * (matrix + matrix.T))


@dataclass(frozen=True)
class Prior:
    """A `NormalInverseWishart` laid out over the columns: mean (d,), kappa, df, scale (d, d)."""

    mean: Array
    kappa: float
    df: float
    scale: Array

    def means(self, weight: Array, mean: Array) -> Array:
        """Give the class means at the mode, (K, d)."""
        share = weight / (self.kappa + weight)
        at: Array = self.mean + share[:, None] * (mean - self.mean)
        return at

    def covariances(self, weight: Array, mean: Array, scatter: Array, shared: bool) -> Array:
        """Give the covariances at the mode, (1, d, d) or (K, d, d)."""
        n_classes, d = mean.shape
        away = (mean - self.mean) * np.sqrt(self.kappa * weight / (self.kappa + weight))[:, None]
        if shared:
            whole = self.scale + scatter.sum(axis=0) + away.T @ away
            pooled: Array = whole[None] / (self.df + weight.sum() + d + 1 + n_classes)
            return pooled
        own = self.scale + scatter + away[:, :, None] * away[:, None, :]
        each: Array = own / (self.df + weight + d + 2)[:, None, None]
        return each


def weak_prior(statistics: Gram, mean: Array, variance: Array) -> Prior:
    """Give the prior of ``estimate="map"``, in the columns' own units.

    Worth 0.01 rows at the mean of all rows, and d + 2 rows of independent columns whose variances are the
    pooled within-class ones, (d,): little beside any data, yet no covariance of columns with spread is singular.
    """
    weight = statistics.weight
    centre = (weight / weight.sum()) @ mean
    return Prior(centre, WEAK_KAPPA, len(variance) + WEAK_DF, np.diag(variance))


def _plain(values: Any, name: str) -> Any:
    """Give numbers as floats and tuples of floats, which compare and are stored as they are."""
    array = read_numbers(values, f"NormalInverseWishart: {name}")
    if not np.isfinite(array).all() or array.ndim > 2:
        raise DataError(f"NormalInverseWishart: the {name} must be finite numbers, one for all columns or one each.")
    listed = array.tolist()
    if array.ndim == 2:
        return tuple(map(tuple, listed))
    return tuple(listed) if array.ndim else listed
