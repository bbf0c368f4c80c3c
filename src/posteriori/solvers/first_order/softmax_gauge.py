"""`CommonShift`: the shift common to all K softmax vectors, which only a prior determines."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.objectives.penalized import PenalizedLikelihood


@dataclass(frozen=True)
class CommonShift:
    """w_k <- w_k + u for all k, u where the prior is least: B'P (w + B u - mean) = 0, B the common shifts.

    The likelihood does not depend on u, and the prior may be a million times weaker than the data are for the rest:
    gradient steps would need very many iterations for u, though it has a closed form.

    Parameters
    ----------
    mean : (q p,) of the prior
    share : (q, p) the weight of each class in u, column by column; or (p, q p) where precisions mix columns; or None
        where no prior determines u
    """

    mean: Array
    share: Array | None
    mixed: bool = False

    @classmethod
    def of(cls, objective: PenalizedLikelihood) -> "CommonShift":
        """Compute the weights of the classes from the prior of an objective."""
        q, p, prior = objective.link.n_scores, objective.units.n_coefficients, objective.prior
        if q < objective.link.n_classes or prior.is_flat:
            return cls(prior.mean, None)
        if prior.precision.ndim == 1:
            precision = prior.precision.reshape(q, p)
            total = precision.sum(axis=0)
            return cls(prior.mean, np.divide(precision, total, out=np.zeros_like(precision), where=total > 0))
        shifts = np.kron(np.ones((q, 1)), np.eye(p))
        pulled = shifts.T @ prior.precision
        return cls(prior.mean, np.linalg.pinv(pulled @ shifts, hermitian=True) @ pulled, mixed=True)

    def remove(self, step: Array) -> Array:
        """Return a step (q p,) without its common shift."""
        if self.share is None:
            return step
        if self.mixed:
            u = self.share @ step
            return step - np.tile(u, len(step) // len(u))
        by_class = step.reshape(self.share.shape)
        moved: Array = (by_class - (self.share * by_class).sum(axis=0)).ravel()
        return moved

    def apply(self, w: Array) -> Array:
        """Return weights (q p,) with the common shift of least penalty."""
        return w if self.share is None else self.mean + self.remove(w - self.mean)
