"""`DecrementEstimate`: the Newton decrement at points without a Hessian, from the Hessian at a point nearby."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import newton_decrement
from posteriori.solvers.newton.truncated import diagonal_of, newton_step
from posteriori.solvers.select import DENSE_LIMIT

#: Relative residual of the equations of a decrement where no Hessian is formed.
TOLERANCE = 0.01


@dataclass(frozen=True)
class DecrementEstimate:
    """sqrt(g'H^-1 g) for gradients g near the point where H was computed.

    Parameters
    ----------
    size : (q p,) the diagonal of H, positive: the unit of a step in each coefficient
    factor : H, factored; None for too many coefficients to form a matrix
    ratio : the decrement over sqrt(g'g / size) there, which then stands for H
    decrement : the decrement there
    """

    size: Array
    factor: SymmetricFactor | None
    ratio: float
    decrement: float

    @property
    def nonsingular(self) -> bool:
        """Whether the decrement bounds every direction."""
        return self.factor is None or self.factor.nonsingular

    def of(self, gradient: Array) -> float:
        """Return the decrement of a gradient, as if H had not changed."""
        if self.factor is None:
            return self.ratio * float(np.sqrt(gradient @ (gradient / self.size)))
        return newton_decrement(gradient, -self.factor.solve(gradient))


def estimate_at(
    objective: PenalizedLikelihood, point: Point, hessian: Array | None = None
) -> tuple[DecrementEstimate, int]:
    """Return the estimate from the Hessian at a point, or from products with it, and the sweeps that took."""
    if objective.n_parameters > DENSE_LIMIT:
        return _without_matrix(objective, point)
    cost = int(hessian is None)
    if hessian is None:
        hessian = objective.descent(point.w).hessian
    assert hessian is not None
    factor = SymmetricFactor.of(objective.stiffened(hessian))
    decrement = newton_decrement(point.gradient, -factor.solve(point.gradient))
    return DecrementEstimate(_positive(np.diagonal(hessian)), factor, 1.0, decrement), cost


def _without_matrix(objective: PenalizedLikelihood, point: Point) -> tuple[DecrementEstimate, int]:
    size = diagonal_of(objective, point)
    step, products = newton_step(objective, point, TOLERANCE)
    decrement = newton_decrement(point.gradient, step)
    plain = float(np.sqrt(point.gradient @ (point.gradient / size)))
    ratio = decrement / plain if plain > 0 else 1.0
    return DecrementEstimate(size, None, ratio, decrement), products + objective.link.n_scores


def _positive(diagonal: Array) -> Array:
    """Return the diagonal with the mean of its positive entries where an entry is not positive."""
    positive = diagonal[diagonal > 0]
    return np.where(diagonal > 0, diagonal, float(positive.mean()) if positive.size else 1.0)
