"""Draws from a log concave posterior by Hamiltonian Monte Carlo: many short chains side by side."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.inference.bayes.corrected.whitened import WhitenedPosterior

#: Chains, and how many points each draws at least and at most.
CHAINS, FEWEST, MOST = 128, 200, 800
#: Draws times numbers in the predictors and their slopes that are affordable: a second or two.
WORK = 2**20
#: Steps of each of the two rounds in which the step size and the covariance are learned.
WARM_UP = 30
#: Share of proposals that the step size aims to have accepted.
ACCEPTED = 0.85
#: Independent draws, in each direction, fewer than which are no sample.
ENOUGH = 3000
#: Difference between the means of the first and the second half, in standard deviations, above which chains still move.
MOVING = 0.1


@dataclass
class Chains:
    """Chains with points z = centre + u R, the momenta of u standard normal."""

    target: WhitenedPosterior
    rng: np.random.Generator
    centre: Array
    R: Array
    u: Array
    step: float
    accepted: float = 0.0

    def __post_init__(self) -> None:
        self._read()

    def _read(self) -> None:
        self.value = self.target.value(self.points)
        self.slope = self.target.gradient(self.points) @ self.R.T

    @property
    def points(self) -> Array:
        """Z of each chain, (CHAINS, r)."""
        return self.centre + self.u @ self.R

    def move(self) -> None:
        """Go a quarter of a period of a standard normal, by leapfrog steps, and accept or not (Metropolis)."""
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
            chance = np.nan_to_num(np.exp(np.minimum(value - self.value - kinetic, 0.0)))
        taken = self.rng.random(len(u)) < chance
        self.accepted = float(chance.mean())
        self.u = np.where(taken[:, None], u, self.u)
        self.slope = np.where(taken[:, None], slope, self.slope)
        self.value = np.where(taken, value, self.value)

    def warm_up(self) -> None:
        """Learn the step size, then centre and covariance from the points of the second half."""
        seen = []
        for k in range(WARM_UP):
            self.move()
            self.step = float(np.clip(self.step * np.exp(0.5 * (self.accepted - ACCEPTED)), 0.02, 1.5))
            if 2 * k >= WARM_UP:
                seen.append(self.points)
        z, whole = self.points, np.concatenate(seen)
        self.centre = whole.mean(axis=0)
        self.R = np.linalg.cholesky(np.atleast_2d(np.cov(whole.T))).T.astype(np.float64, copy=False)
        self.u = np.linalg.solve(self.R.T, (z - self.centre).T).T.astype(np.float64, copy=False)
        self._read()


def sample(target: WhitenedPosterior) -> Array | None:
    """Return draws of z, (draws, CHAINS, r); None where the chains do not agree on what they draw from.

    The same rows give the same draws: the generator's seed is fixed. Few rows are drawn from more often.
    """
    rng, r = np.random.default_rng(0), target.size
    chains = Chains(target, rng, np.zeros(r), np.eye(r), 0.5 * rng.standard_normal((CHAINS, r)), 1.0 / r**0.25)
    try:
        for _ in range(2):
            chains.warm_up()
    except np.linalg.LinAlgError:
        return None
    drawn = np.empty((int(np.clip(WORK // target.cost, FEWEST, MOST)), CHAINS, r))
    for k in range(len(drawn)):
        chains.move()
        drawn[k] = chains.points
    return drawn if _settled(drawn) else None


def _settled(drawn: Array) -> bool:
    """Return whether the chains agree: enough independent draws, and the same means in both halves."""
    variance = drawn.reshape(-1, drawn.shape[2]).var(axis=0)
    independent = drawn.shape[1] * variance / np.maximum(drawn.mean(axis=0).var(axis=0), 1e-300)
    half = len(drawn) // 2
    moved = np.abs(drawn[:half].mean(axis=(0, 1)) - drawn[half:].mean(axis=(0, 1))) / np.sqrt(variance)
    return bool((independent > ENOUGH).all() and (moved < MOVING).all())
