"""`laplace`: the Gaussian approximation of a density at its mode."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from posteriori.arrays import Array
from posteriori.cached_property import cached_property
from posteriori.inference.bayes.laplace.ascent import ascend
from posteriori.inference.bayes.laplace.log_density import LogDensity


@dataclass(frozen=True)
class LaplaceApproximation:
    """N(z | z0, A^-1), with z0 the mode of a density f and A minus the Hessian of log f there.

    Book: [Bishop] Eq. 4.131-4.135, §4.4.

    Parameters
    ----------
    mode : (M,) z0
    precision : (M, M) A
    log_density : log f(z0)
    log_normalizer : log Z = log f(z0) + (M/2) log 2 pi - (1/2) log |A|, the log of the integral of f
    root : (M, M) B with A^-1 = B'B
    evaluations : the number of evaluations of the log density
    """

    mode: Array
    precision: Array
    log_density: float
    log_normalizer: float
    root: Array
    evaluations: int

    @cached_property
    def covariance(self) -> Array:
        """A^-1, (M, M)."""
        return self.root.T @ self.root

    def sample(self, n: int, random_state: Any = None) -> Array:
        """Draw from the Gaussian, (n, M)."""
        rng = np.random.default_rng(check_random_state(random_state).randint(0, 2**31 - 1, size=4))
        return self.mode + rng.standard_normal((n, len(self.mode))) @ self.root


def laplace(
    log_density: Callable[[Any], Any],
    start: Any,
    *,
    gradient: Callable[[Any], Any] | None = None,
    hessian: Callable[[Any], Any] | None = None,
) -> LaplaceApproximation:
    """Approximate a density, known up to its normaliser, by a Gaussian at its mode.

    log Z = log f(z0) + (M/2) log 2 pi - (1/2) log |A|, A = -(second derivatives of log f at the mode z0).

    Book: [Bishop] Eq. 4.126-4.137, §4.4.

    Parameters
    ----------
    log_density : log f as a function of z, an (M,) array; it need not be normalised, and is -inf where f is zero
    start : (M,) the first point, where f must be positive. A number means M = 1; the functions are then called with a
        number too, while results have shapes (1,) and (1, 1).
    gradient, hessian : derivatives of log f, (M,) and (M, M). By default they are computed by finite differences
        extrapolated to step zero, in units of the width of the density: about nine digits if f is smooth.

    Returns
    -------
    LaplaceApproximation : ``mode``, ``precision``, ``covariance``, ``log_normalizer``, ``sample(n)``

    Raises
    ------
    DataError : if there is no maximum: the start is a saddle point or a minimum, or the density is flat along some
        direction or unbounded

    Notes
    -----
    The mode is a local maximum, which an ascent from `start` reaches.

    Examples
    --------
    A gamma density, z^4 e^-z: the mode is 4, and log Z is close to log 4! = 3.1781 (Stirling's formula).

    >>> import numpy as np
    >>> import posteriori as pt
    >>> gaussian = pt.laplace(lambda z: 4 * np.log(z) - z, 1.0)
    >>> gaussian.mode.round(6).tolist(), gaussian.precision.round(6).tolist(), round(gaussian.log_normalizer, 4)
    ([4.0], [[0.25]], 3.1573)
    """
    density, z = LogDensity.of(log_density, start, gradient, hessian)
    top = ascend(density, z)
    values, vectors = np.linalg.eigh(top.curvature)
    root = (top.directions @ (vectors / np.sqrt(values))).T
    back = np.linalg.inv(top.directions)
    _, log_volume = np.linalg.slogdet(top.directions)
    precision = back.T @ top.curvature @ back
    log_det = float(np.log(values).sum()) - 2.0 * float(log_volume)
    return LaplaceApproximation(
        mode=top.z,
        precision=(precision + precision.T) / 2.0,
        log_density=top.value,
        log_normalizer=float(top.value + 0.5 * (len(z) * np.log(2.0 * np.pi) - log_det)),
        root=root,
        evaluations=density.evaluations,
    )
