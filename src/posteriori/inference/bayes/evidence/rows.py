"""`EvidenceRows`: the evidence of rows under a prior whose precisions change."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.fits.total_weight import total_weight
from posteriori.inference.bayes.evidence.quadratic import EvidenceModel
from posteriori.inference.bayes.evidence.search import Slope
from posteriori.messages.errors import DataError
from posteriori.objectives.evidence import Evidence, evidence_at
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.newton.newton import Newton

#: Newton decrement above which a point is not taken for a mode.
ASTRAY = 1e-4


@dataclass
class EvidenceRows:
    """The rows under a diagonal prior whose precisions change; each mode is sought from the last one found."""

    objective: PenalizedLikelihood
    groups: NDArray[np.intp]
    w: Array
    rho: Array | None = None
    at: Evidence | None = None
    point: Point | None = None
    evaluations: int = 0
    sweeps: int = 0

    def afresh(self, w: Array) -> "EvidenceRows":
        """Give the same search at a point of which nothing is known."""
        return replace(self, w=w, rho=None, at=None, point=None)

    def under(self, rho: Array) -> PenalizedLikelihood:
        """Give the objective with these log precisions."""
        own = self.objective.prior.precision
        precision = np.where(self.groups >= 0, np.exp(rho)[self.groups], own)
        return replace(self.objective, prior=Quadratic(self.objective.prior.mean, precision))

    def __call__(self, rho: Array, tol: float) -> Slope:
        """Give log evidence and slope at log precisions rho, from a mode within tol standard errors."""
        objective = self.under(rho)
        start = self.w if self.at is None or self.rho is None else self.at.moved(self.w, rho - self.rho)
        state, _ = Newton(tol).solve(objective, start)
        found = evidence_at(objective, state.point, self.groups)
        self.evaluations, self.sweeps = self.evaluations + 1, self.sweeps + state.sweeps + 1
        if found is None or state.decrement > max(tol, ASTRAY):  # away from the mode the formula means nothing
            return Slope(rho, -np.inf, np.ones_like(rho))
        self.w, self.rho, self.at, self.point = state.point.w, rho, found, state.point
        return Slope(rho, found.value, found.slope)

    def model(self) -> EvidenceModel:
        """Give the evidence as it would be if the likelihood were Gaussian about the last mode."""
        if self.point is None or self.rho is None:
            total = total_weight(self.objective)
            raise DataError(
                f"the evidence cannot be computed: no mode was found, or its curvature is singular to rounding. The "
                f"weights of the rows sum to {total:.3g}; where that is far from their number, divide sample_weight by "
                "its mean, or give a number as prior."
            )
        return EvidenceModel.of(self.under(self.rho).prior, self.point, self.groups)
