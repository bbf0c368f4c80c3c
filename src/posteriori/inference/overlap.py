"""The proof, from quantities at hand, that a maximum exists.

At w let g be the gradient of the log likelihood, H its negative Hessian, d = H^-1 g the Newton step, and a the
change it makes in a row's predictors. If p'a - a_k < 1 for every class k that the row is not (for two classes:
(1 - r) s x'd < 1, r the probability of the wrong class), then g - H d = 0 writes zero as a combination of the rows
with positive multipliers; by Stiemke's lemma no direction separates the classes, and the maximum exists. Since
x'H^-1x <= 1/(s r (1 - r)) for a row of weight s, the condition holds for every row whose odds of being wrong, times
its weight, exceed the squared decrement.

Of another link of two classes g is the sum of s u x, u = n h the count times the hazard of a row's class. With the
expected information I in the place of H, whose weights are n h_0 h_1, the condition is h s x'd < 1, h the hazard of the
class that the row is not. `BinaryLink` says what stands for the odds.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.links.binary import BinaryLink
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.solvers.base import State
from posteriori.solvers.newton import Factor
from posteriori.statistics.curvature import Total
from posteriori.sweeps.likelihood import LikelihoodSweep
from posteriori.tables.block import Block

Array = NDArray[np.float64]

#: Gain below which a row counts as short of 1; where the classes are separated the largest is 1, up to rounding.
GAIN = 0.9
#: How many times the squared decrement the least odds must be: the decrement may come from a sample's Hessian.
MARGIN = 4.0


def proved_by_odds(state: State) -> bool:
    """Say whether the least odds of the last sweep prove overlap: nothing is read again."""
    return state.whole and state.point.odds > MARGIN * state.decrement**2


@dataclass(frozen=True)
class GainSweep(LikelihoodSweep):
    """The most that a step takes from a wrong class on any row: p'a - a_k, a the step in eta."""

    step: Array

    def __call__(self, block: Block) -> "Most":
        """Give the largest of a block."""
        rows, counts = self.design(block), self.counts(block)
        if isinstance(self.link, BinaryLink):
            return self._binary(self.link.hazards(self.eta(rows, block)[:, 0]), rows.scores(self.step)[:, 0], counts)
        log_p = self.link.log_probabilities(self.eta(rows, block))
        a = self.link.spread(rows.scores(self.step))
        gain = (np.exp(log_p) * a).sum(axis=1, keepdims=True) - a
        only = (counts > 0) & ((counts > 0).sum(axis=1, keepdims=True) == 1)
        wrong = np.where(only, -np.inf, gain)
        sound = bool(np.isfinite(log_p).all())
        return Most(np.array([wrong.max() if sound else np.inf]))

    def _binary(self, hazards: Array, moved: Array, counts: Array) -> "Most":
        """Give the most that a step takes of the multiplier of a class counted, whose hazard must be positive."""
        seen = counts > 0
        gain = np.where(seen, hazards[:, ::-1] * np.stack([-moved, moved], axis=1), -np.inf)
        sound = bool((np.isfinite(hazards) & (hazards > 0))[seen].all())
        return Most(np.array([gain.max() if sound else np.inf]))


@dataclass(frozen=True)
class Most(Total):
    """The largest of values over rows."""

    def merge(self, other: "Total") -> "Most":
        """Keep the larger."""
        return Most(np.maximum(self.values, other.values))

    def zero(self) -> "Most":
        """Give less than anything."""
        return Most(np.full_like(self.values, -np.inf))


def proved_by_rows(objective: PenalizedLikelihood, w: Array) -> bool:
    """Try the exact condition with the exact Hessian: two sweeps, for the few fits the odds leave open."""
    if not objective.prior.is_flat:
        return False
    binary = isinstance(objective.link, BinaryLink)
    point = objective.expected(w) if binary else objective.curvature(w)
    assert point.hessian is not None
    diagonal = np.diagonal(point.hessian)
    if diagonal.min() <= 0 or not np.isfinite(diagonal).all() or (point.odds == 0.0 and not binary):
        return False
    factor = Factor.of(objective.stiffened(point.hessian))
    step = -factor.solve(point.gradient)
    left = point.gradient + point.hessian @ step
    if not factor.whole or np.abs(left).max() > 1e-3 * max(np.abs(point.gradient).max(), 1e-300):
        return False  # the Hessian is too near singular for its solution to prove anything
    q, p = objective.link.n_scores, objective.units.n_coefficients
    sweep = GainSweep(objective.link, objective.units, w.reshape(q, p), objective.engine.table.size, step.reshape(q, p))
    return bool(objective.engine.run(sweep).values[0] < GAIN)
