"""`GaussianMixtureLink`: the distribution function of a mixture of Gaussians."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr, logsumexp

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.checks.numbers import read_numbers
from posteriori.checks.requirements import fail
from posteriori.links.binary import BinaryLink
from posteriori.links.probit import gaussian_excess, gaussian_hazard
from posteriori.messages.errors import DataError
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class GaussianMixtureLink(BinaryLink):
    """P(y = 1) = sum_j pi_j Phi((eta - m_j) / s_j): the distribution function of a mixture of Gaussians.

    A flexible link: with two means the probability rises in two steps, with two standard deviations its tails are
    heavier. The likelihood need not be concave.

    Book: [Jordan] §7.3.3.

    Parameters
    ----------
    means, sds : (m,) of the components; sds positive
    weights : (m,) positive, divided by their sum

    Examples
    --------
    One component is the probit:

    >>> import posteriori as pt
    >>> one = pt.GaussianMixtureLink(means=[0.0], sds=[1.0], weights=[1.0])
    >>> one.log_probabilities(np.array([[-40.0]]))[:, 1].round(6).tolist()
    [-804.608442]
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0, 1, 0, 1, 0, 1]
    >>> link = pt.GaussianMixtureLink(means=[0.0, 0.0], sds=[1.0, 3.0], weights=[0.9, 0.1])
    >>> pt.BinaryRegression(link=link).fit(X, y).coef_.round(4).tolist()
    [[0.244]]
    """

    name = "gaussian-mixture"
    is_concave = False
    means: Sequence[float]
    sds: Sequence[float]
    weights: Sequence[float]

    def __post_init__(self) -> None:
        """Check the components and store them as tuples."""
        read = {name: _numbers(name, getattr(self, name)) for name in ("means", "sds", "weights")}
        sizes = {name: len(values) for name, values in read.items()}
        if len(set(sizes.values())) != 1 or not read["means"]:
            raise DataError(f"means, sds and weights need one number for each component; they have {sizes}.")
        for name in ("sds", "weights"):
            if min(read[name]) <= 0:
                raise DataError(f"{name}={list(read[name])!r} must be positive.")
        total = float(np.sum(read["weights"]))
        if abs(total - 1.0) > 1e-12:  # else they were divided before; dividing again would change bits
            read["weights"] = tuple(weight / total for weight in read["weights"])
        for name, values in read.items():
            object.__setattr__(self, name, values)

    def logs(self, eta: Array) -> Array:
        """Return the log-sum-exp of the components' logs; for the more probable class, log1p of the other."""
        logs = np.stack([logsumexp(self._log_components(sign, eta), axis=1) for sign in (-1.0, 1.0)], axis=1)
        large = logs > np.log(0.5)
        return np.where(large, np.log1p(-np.exp(np.where(large, logs[:, ::-1], -1.0))), logs)

    def hazards(self, eta: Array) -> Array:
        """Return the mean of the components' hazards, weighted by their parts of the class's probability."""
        return np.stack([self._moments(sign, eta)[0] for sign in (-1.0, 1.0)], axis=1)

    def second_derivatives(self, eta: Array, hazards: Array) -> Array:
        """Return the mean of the components' second derivatives minus the variance of their hazards."""
        return np.stack([self._moments(sign, eta)[1] for sign in (-1.0, 1.0)], axis=1)

    def _standard(self, sign: float, eta: Array) -> Array:
        return np.asarray(sign * (eta[:, None] - np.array(self.means)) / np.array(self.sds))

    def _log_components(self, sign: float, eta: Array) -> Array:
        """Return log pi_j + log Phi(z_j) of one class, (n, m)."""
        return np.asarray(np.log(self.weights) + log_ndtr(self._standard(sign, eta)))

    def _moments(self, sign: float, eta: Array) -> tuple[Array, Array]:
        """Return the hazard of one class and its second derivative.

        With a_j the responsibility of component j for F and h_j, c_j its own hazard and second derivative in eta, the
        hazard of the mixture is h = sum a_j h_j and its second derivative sum a_j c_j - sum a_j (h_j - h)^2.
        """
        logs, z = self._log_components(sign, eta), self._standard(sign, eta)
        responsibility = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
        own = gaussian_hazard(z)
        second = own * gaussian_excess(z, own) / np.square(self.sds)
        own = own / np.array(self.sds)
        hazard = (responsibility * own).sum(axis=1)
        variance = (responsibility * np.square(own - hazard[:, None])).sum(axis=1)
        return hazard, (responsibility * second).sum(axis=1) - variance

    def check(self, where: str) -> None:
        """Raise unless the constructor accepts the fields, and the weights are divided by their sum."""
        again = require.constructed(self, ("means", "sds", "weights"), where)
        if again != self:
            fail(where, "has components that are not normalized")


def _numbers(name: str, values: Sequence[float]) -> tuple[float, ...]:
    read = read_numbers(values, name)
    if read.ndim != 1 or not np.isfinite(read).all():
        raise DataError(f"{name}={values!r} must be a list of finite numbers, one for each component.")
    return tuple(read.tolist())
