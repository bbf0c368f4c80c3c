"""Sampling a log-concave posterior by Hamiltonian Monte Carlo, and its normaliser by bridge sampling."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logsumexp

from posteriori.arrays import Array
from posteriori.inference.bayes.corrected.whitened import WhitenedPosterior

#: Number of chains, and the least and greatest number of draws of each.
CHAINS, FEWEST, MOST = 128, 200, 800
#: Draws times cost of an evaluation that take a second or two.
WORK = 2**20
#: Steps of each of the two rounds of adaptation of step size and covariance.
WARM_UP = 30
#: Target acceptance rate.
ACCEPTED = 0.85
#: Least effective sample size of each coordinate.
ENOUGH = 3000
#: Largest difference between the means of both halves, in standard deviations, at convergence.
DRIFT = 0.1
#: Draws of the posterior, and of the Gaussian, in bridge sampling.
BRIDGE = 4096


@dataclass
class Chains:
    """Chains of points z = centre + u R, with standard normal momenta of u."""

    target: WhitenedPosterior
    rng: np.random.Generator
    centre: Array
    R: Array
    u: Array
    step: float
    accepted: float = 0.0

    def __post_init__(self) -> None:
        self._evaluate()

    def _evaluate(self) -> None:
        self.value = self.target.value(self.points)
        self.slope = self.target.gradient(self.points) @ self.R.T

    @property
    def points(self) -> Array:
        """The points z of all chains, (CHAINS, r)."""
        return self.centre + self.u @ self.R

    def move(self) -> None:
        """Propose by leapfrog steps over a quarter of the period of a standard normal; accept by Metropolis' rule."""
        step = self.step * self.rng.uniform(0.8, 1.2)
        n_steps = int(np.clip(np.round(0.5 * np.pi / step), 1, 64))
        before = self.rng.standard_normal(self.u.shape)
        u, slope = self.u, self.slope
        momentum = before + 0.5 * step * slope
        for k in range(n_steps):
            u = u + step * momentum
            z = self.centre + u @ self.R
            slope = self.target.gradient(z) @ self.R.T
            momentum = momentum + (step if k < n_steps - 1 else 0.5 * step) * slope
        value = self.target.value(z)
        kinetic = 0.5 * (np.square(momentum) - np.square(before)).sum(axis=1)
        with np.errstate(invalid="ignore", over="ignore"):
            probability = np.nan_to_num(np.exp(np.minimum(value - self.value - kinetic, 0.0)))
        accept = self.rng.random(len(u)) < probability
        self.accepted = float(probability.mean())
        self.u = np.where(accept[:, None], u, self.u)
        self.slope = np.where(accept[:, None], slope, self.slope)
        self.value = np.where(accept, value, self.value)

    def warm_up(self) -> None:
        """Adapt the step size, then centre and covariance to the points of the second half."""
        draws = []
        for k in range(WARM_UP):
            self.move()
            self.step = float(np.clip(self.step * np.exp(0.5 * (self.accepted - ACCEPTED)), 0.02, 1.5))
            if 2 * k >= WARM_UP:
                draws.append(self.points)
        z, whole = self.points, np.concatenate(draws)
        self.centre = whole.mean(axis=0)
        self.R = np.linalg.cholesky(np.atleast_2d(np.cov(whole.T))).T.astype(np.float64, copy=False)
        self.u = np.linalg.solve(self.R.T, (z - self.centre).T).T.astype(np.float64, copy=False)
        self._evaluate()


def sample(target: WhitenedPosterior) -> Array | None:
    """Return draws of z, (draws, CHAINS, r); None where the chains do not converge.

    The same rows give the same draws, as the seed is fixed. With fewer rows there are more draws.
    """
    rng, r = np.random.default_rng(0), target.size
    chains = Chains(target, rng, np.zeros(r), np.eye(r), 0.5 * rng.standard_normal((CHAINS, r)), 1.0 / r**0.25)
    try:
        for _ in range(2):
            chains.warm_up()
    except np.linalg.LinAlgError:
        return None
    draws = np.empty((int(np.clip(WORK // target.cost, FEWEST, MOST)), CHAINS, r))
    for k in range(len(draws)):
        chains.move()
        draws[k] = chains.points
    return draws if _converged(draws) else None


def _converged(draws: Array) -> bool:
    """Return whether the effective sample size is large enough and the means of both halves agree."""
    variance = draws.reshape(-1, draws.shape[2]).var(axis=0)
    sample_size = draws.shape[1] * variance / np.maximum(draws.mean(axis=0).var(axis=0), 1e-300)
    half = len(draws) // 2
    difference = np.abs(draws[:half].mean(axis=(0, 1)) - draws[half:].mean(axis=(0, 1))) / np.sqrt(variance)
    return bool((sample_size > ENOUGH).all() and (difference < DRIFT).all())


def log_normalizer(target: WhitenedPosterior, draws: Array) -> float:
    """Return the log of the integral of the posterior density divided by that of its Gaussian, both 1 at the mode.

    With l the log density minus that of a Gaussian with the mean and covariance of the draws, the estimate solves
    sum over draws of the posterior of logistic(log Z - l) = sum over draws of the Gaussian of logistic(l - log Z)
    (Meng & Wong, Statistica Sinica 6, 1996).
    """
    r = target.size
    whole = draws.reshape(-1, r)
    mean, factor = whole.mean(axis=0), np.linalg.cholesky(np.atleast_2d(np.cov(whole.T)))
    sample = whole[:: max(len(whole) // BRIDGE, 1)][:BRIDGE]
    normal = np.random.default_rng(1).standard_normal((len(sample), r))
    scaled = np.linalg.solve(factor, (sample - mean).T).T
    log_det = float(np.log(np.diagonal(factor)).sum())
    log_draws = target.value(sample) + 0.5 * np.square(scaled).sum(axis=1) + log_det
    log_normal = target.value(mean + normal @ factor.T) + 0.5 * np.square(normal).sum(axis=1) + log_det
    log_z = float(logsumexp(log_normal) - np.log(len(normal)))
    for _ in range(50):
        upper, lower = expit(log_normal - log_z).mean(), expit(log_z - log_draws).mean()
        log_z += float(np.log(upper) - np.log(lower))
    return log_z
