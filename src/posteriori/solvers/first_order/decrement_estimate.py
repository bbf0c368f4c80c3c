"""`Yardstick`: the Newton decrement of points whose Hessian was not summed, by that of a point nearby."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.newton.truncated import conjugate_gradients, diagonal_of
from posteriori.solvers.select import DENSE_LIMIT

#: How well the equations of a decrement are solved where no Hessian is formed.
ROUGH = 0.01


@dataclass(frozen=True)
class Yardstick:
    """sqrt(g'H^-1 g) for gradients g near the point where H was taken.

    Parameters
    ----------
    size : (q p,) the diagonal of H, positive: the unit of a step in each coefficient
    factor : H ready to be solved with; None for more coefficients than a matrix has room for
    ratio : the decrement over sqrt(g'g / size) there, which then stands for H
    seen : the decrement there
    """

    size: Array
    factor: SymmetricFactor | None
    ratio: float
    seen: float

    @property
    def nonsingular(self) -> bool:
        """Whether the decrement saw every direction."""
        return self.factor is None or self.factor.nonsingular

    def estimate(self, gradient: Array) -> float:
        """Give the decrement of a gradient, as if H had not changed."""
        if self.factor is None:
            return self.ratio * float(np.sqrt(gradient @ (gradient / self.size)))
        return float(np.sqrt(max(float(gradient @ self.factor.solve(gradient)), 0.0)))


def yardstick_at(objective: PenalizedLikelihood, point: Point, hessian: Array | None = None) -> tuple[Yardstick, int]:
    """Take the Hessian at a point, or products with it where there is no room; give what that cost in sweeps."""
    if objective.n_parameters > DENSE_LIMIT:
        return _without_matrix(objective, point)
    cost = int(hessian is None)
    if hessian is None:
        hessian = objective.descent(point.w).hessian
    assert hessian is not None
    factor = SymmetricFactor.of(objective.stiffened(hessian))
    decrement = float(np.sqrt(max(float(point.gradient @ factor.solve(point.gradient)), 0.0)))
    return Yardstick(_positive(np.diagonal(hessian)), factor, 1.0, decrement), cost


def _without_matrix(objective: PenalizedLikelihood, point: Point) -> tuple[Yardstick, int]:
    size = diagonal_of(objective, point)
    step, products = conjugate_gradients(objective, point, ROUGH)
    decrement = float(np.sqrt(max(-float(point.gradient @ step), 0.0)))
    plain = float(np.sqrt(point.gradient @ (point.gradient / size)))
    return Yardstick(size, None, decrement / plain if plain > 0 else 1.0, decrement), products + objective.link.n_scores


def _positive(diagonal: Array) -> Array:
    """Give the diagonal with something to divide by where a column has no curvature of its own."""
    seen = diagonal[diagonal > 0]
    return np.where(diagonal > 0, diagonal, float(seen.mean()) if seen.size else 1.0)
