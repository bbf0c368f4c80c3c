"""`NormalInverseWishart`: the conjugate prior of a Gaussian's mean and covariance."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.families.gaussian.conjugate import WEAK_KAPPA, ConjugatePrior, check_fields
from posteriori.messages.errors import DataError
from posteriori.statistics.gram import Gram
from posteriori.storable import storable

#: Degrees of freedom of the prior of ``estimate="map"``, beyond the number of columns: the fewest for which its mean
#: exists.
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
        The weight of the prior mean in rows; positive.
    df : float
        The weight of the prior covariance in rows; above d - 1.
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
        check_fields(self, ("kappa", "df"), {"mean": 1, "scale": 2})

    def for_columns(self, unit: Array) -> "MatrixPrior":
        """Return the prior of columns measured in `unit`, (d,)."""
        d = len(unit)
        mean, scale = np.asarray(self.mean), np.asarray(self.scale)
        if mean.shape not in ((), (d,)) or scale.shape not in ((), (d,), (d, d)):
            raise DataError(
                f"NormalInverseWishart: for {d} columns the mean must be a number or {(d,)} and the scale a number, "
                f"{(d,)} or {(d, d)}; they have shapes {mean.shape} and {scale.shape}."
            )
        if not self.df > d - 1:
            raise DataError(f"NormalInverseWishart: df={self.df:g} must be above {d - 1} for {d} columns.")
        matrix = scale if scale.ndim == 2 else np.diag(np.broadcast_to(scale, d))
        matrix = matrix / unit / unit[:, None]
        if not np.allclose(matrix, matrix.T, rtol=1e-10, atol=0) or np.linalg.eigvalsh(matrix).min() <= 0:
            raise DataError("NormalInverseWishart: the scale must be symmetric and positive definite.")
        return MatrixPrior(np.broadcast_to(mean, d) / unit, self.kappa, self.df, 0.5 * (matrix + matrix.T))

    def check(self, where: str) -> None:
        """Raise unless the constructor accepts the fields."""
        require.constructed(self, ("mean", "kappa", "df", "scale"), where)


@dataclass(frozen=True)
class MatrixPrior(ConjugatePrior):
    """A `NormalInverseWishart` of d columns: mean (d,), kappa, df, scale (d, d)."""

    df: float
    scale: Array

    def covariances(self, weight: Array, mean: Array, scatter: Array, shared: bool) -> Array:
        """Return the covariances at the mode, (1, d, d) or (K, d, d)."""
        n_classes, d = mean.shape
        shift = (mean - self.mean) * np.sqrt(self.kappa * weight / (self.kappa + weight))[:, None]
        if shared:
            whole = self.scale + scatter.sum(axis=0) + shift.T @ shift
            return np.asarray(whole[None] / (self.df + weight.sum() + d + 1 + n_classes))
        own = self.scale + scatter + shift[:, :, None] * shift[:, None, :]
        return np.asarray(own / (self.df + weight + d + 2)[:, None, None])


def weak_prior(statistics: Gram, mean: Array, variance: Array) -> MatrixPrior:
    """Return the prior of ``estimate="map"``, in the columns' own units.

    It has the weight of 0.01 rows at the mean of all rows, and of d + 2 rows of independent columns whose variances
    are the pooled within-class ones, (d,): little beside any data, yet no covariance of varying columns is singular.
    """
    weight = statistics.weight
    centre = (weight / weight.sum()) @ mean
    return MatrixPrior(centre, WEAK_KAPPA, len(variance) + WEAK_DF, np.diag(variance))
