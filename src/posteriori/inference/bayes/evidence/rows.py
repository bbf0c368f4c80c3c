"""The evidence as a function of the prior's precisions: of the rows (`EvidenceRows`), and of a Gaussian likelihood."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from posteriori.arrays import Array
from posteriori.messages.errors import DataError
from posteriori.objectives.evidence import Evidence, evidence_at
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.newton.newton import Newton

#: Greatest number of coefficients for eigenvalues: with more they cost more than the sweeps they save.
MOST = 1500
#: Largest Newton decrement of a mode.
DECREMENT = 1e-4


@dataclass(frozen=True)
class EvidenceSlope:
    """The log evidence and its slope at log precisions rho, (g,) each."""

    rho: Array
    value: float
    slope: Array


@dataclass(frozen=True)
class EvidenceModel:
    """log p(D | alpha) up to a constant, the likelihood being exp(h'w - w'H w / 2) with eigenvalues l_i of H.

    sum_i [log alpha - log(alpha + l_i) + c_i^2 / (alpha + l_i)] / 2, c = Q'h. The coefficients of fixed precision are
    integrated out first. Its maximum is the first point of a search, and the second if there is one point already.

    Parameters
    ----------
    values, scores : (m,) l_i and c_i^2
    """

    values: Array
    scores: Array

    @classmethod
    def of(cls, prior: Quadratic, point: Point, groups: NDArray[np.intp]) -> "EvidenceModel":
        """Return the Gaussian approximation of the likelihood at a point, under a diagonal prior with mean zero."""
        assert point.hessian is not None
        free, fixed = np.flatnonzero(groups >= 0), np.flatnonzero(groups < 0)
        if len(free) > MOST:
            return cls(np.zeros(0), np.zeros(0))
        alpha = prior.precision
        H = point.hessian - np.diag(np.where(groups >= 0, alpha, 0.0))
        h = H @ point.w - (point.gradient - np.where(groups >= 0, alpha * point.w, 0.0))
        if len(fixed):
            solution = np.linalg.solve(H[np.ix_(fixed, fixed)], H[np.ix_(fixed, free)])
            H, h = H[np.ix_(free, free)] - H[np.ix_(free, fixed)] @ solution, h[free] - solution.T @ h[fixed]
        values, vectors = np.linalg.eigh((H + H.T) / 2.0)
        return cls(np.maximum(values, 0.0), np.square(vectors.T @ h))

    def gains(self, rho: Array) -> Array:
        """Return the log evidence at log precisions rho (k,), minus that of the model without weights."""
        with np.errstate(divide="ignore"):
            logs = np.log(expit(rho[:, None] - np.log(self.values)))  # alpha / (alpha + l), for l = 0 too
        gains: Array = 0.5 * (logs + self.scores / (np.exp(rho)[:, None] + self.values)).sum(axis=1)
        return gains

    def best(self, bounds: tuple[float, float]) -> float:
        """Return the log precision of largest evidence on a grid refined twice."""
        if not len(self.values):
            return 0.0
        low, high = bounds
        for _ in range(3):
            grid = np.linspace(low, high, 65)
            top = int(np.argmax(self.gains(grid)))
            low, high = grid[max(top - 1, 0)], grid[min(top + 1, 64)]
        return float(grid[top])


@dataclass
class EvidenceRows:
    """The rows under a diagonal prior of variable precisions; each mode is computed from the previous one.

    Parameters
    ----------
    objective : under some precisions
    groups : (m,) the number of the precision of each coefficient; -1 where it is fixed
    w : (m,) the last mode, or the start
    rho : log precisions of the last mode
    at : evidence at the last mode
    point : the last mode with its Hessian
    evaluations, sweeps : the cost so far
    """

    objective: PenalizedLikelihood
    groups: NDArray[np.intp]
    w: Array
    rho: Array | None = None
    at: Evidence | None = None
    point: Point | None = None
    evaluations: int = 0
    sweeps: int = 0

    def restarted(self, w: Array) -> "EvidenceRows":
        """Return the same rows with another start and no mode."""
        return replace(self, w=w, rho=None, at=None, point=None)

    def under(self, rho: Array) -> PenalizedLikelihood:
        """Return the objective under log precisions rho."""
        own = self.objective.prior.precision
        precision = np.where(self.groups >= 0, np.exp(rho)[self.groups], own)
        return replace(self.objective, prior=Quadratic(self.objective.prior.mean, precision))

    def __call__(self, rho: Array, tol: float) -> EvidenceSlope:
        """Compute log evidence and slope at log precisions rho, at a mode within tol standard errors."""
        objective = self.under(rho)
        start = self.w if self.at is None or self.rho is None else self.at.moved(self.w, rho - self.rho)
        state, _ = Newton(tol).solve(objective, start)
        evidence = evidence_at(objective, state.point, self.groups)
        self.evaluations, self.sweeps = self.evaluations + 1, self.sweeps + state.sweeps + 1
        if evidence is None or state.decrement > max(tol, DECREMENT):  # the formula holds at the mode only
            return EvidenceSlope(rho, -np.inf, np.ones_like(rho))
        self.w, self.rho, self.at, self.point = state.point.w, rho, evidence, state.point
        return EvidenceSlope(rho, evidence.value, evidence.slope)

    def model(self) -> EvidenceModel:
        """Return the evidence with the likelihood replaced by its Gaussian approximation at the last mode."""
        if self.point is None or self.rho is None:
            total = self.objective.rows.total
            raise DataError(
                f"the evidence cannot be computed: the solver reached no mode, or its Hessian is singular to rounding. "
                f"The weights of the rows sum to {total:.3g}; if that is far from their number, divide sample_weight "
                "by its mean, or give a number as prior."
            )
        return EvidenceModel.of(self.under(self.rho).prior, self.point, self.groups)
