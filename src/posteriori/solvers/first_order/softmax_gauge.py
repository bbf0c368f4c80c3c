"""`CommonPart`: the part of K softmax vectors common to all, which only a prior decides."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.objectives.penalized import PenalizedLikelihood


@dataclass(frozen=True)
class CommonPart:
    """w_k <- w_k + u for all k, u where the prior is least: B'P (w + B u - mean) = 0, B the common shifts.

    The likelihood does not see u, and the prior may hold it a million times less firmly than the data hold the rest:
    steps by gradients would find it last of all, though it is known at once.

    Parameters
    ----------
    mean : (q p,) of the prior
    share : (q, p) the weight of each class in u, column by column; or (p, q p) where precisions mix columns; or None
        where there is nothing to decide
    """

    mean: Array
    share: Array | None
    mixed: bool = False

    @classmethod
    def of(cls, objective: PenalizedLikelihood) -> "CommonPart":
        """Look at the prior of an objective."""
        q, p, prior = objective.link.n_scores, objective.units.n_coefficients, objective.prior
        if q < objective.link.n_classes or prior.is_flat:
            return cls(prior.mean, None)
        if prior.precision.ndim == 1:
            held = prior.precision.reshape(q, p)
            total = held.sum(axis=0)
            return cls(prior.mean, np.divide(held, total, out=np.zeros_like(held), where=total > 0))
        shifts = np.kron(np.ones((q, 1)), np.eye(p))
        pulled = shifts.T @ prior.precision
        return cls(prior.mean, np.linalg.pinv(pulled @ shifts, hermitian=True) @ pulled, mixed=True)

    def leave(self, step: Array) -> Array:
        """Give a step (q p,) that leaves u where the prior has it."""
        if self.share is None:
            return step
        if self.mixed:
            u = self.share @ step
            return step - np.tile(u, len(step) // len(u))
        by_class = step.reshape(self.share.shape)
        moved: Array = (by_class - (self.share * by_class).sum(axis=0)).ravel()
        return moved

    def set(self, w: Array) -> Array:
        """Give weights (q p,) whose common part is where the prior is least."""
        return w if self.share is None else self.mean + self.leave(w - self.mean)
