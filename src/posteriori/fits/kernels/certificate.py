"""A bound on the Newton decrement of a kernel logistic regression at its coefficients, rounding included."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.gaussian_kernel import GaussianKernel
from posteriori.bases.kernel_centers import Distinct
from posteriori.engines.base import Engine
from posteriori.engines.select import engine_for
from posteriori.fits.certificate.certificate import HARMLESS
from posteriori.fits.weight_tolerances import for_weights
from posteriori.linalg.twofold import two_product, two_sum
from posteriori.links.base import LinkFunction
from posteriori.objectives.kernel_design import KernelDesign
from posteriori.solvers.base import Solution, convergence_reason, gap_of
from posteriori.sweeps.kernel_residual import KernelResidual
from posteriori.tables.views import Mapped

#: Corrections of the Newton step by its residual.
CORRECTIONS = 4
#: Part of the bound that a residual may be, and of the tolerance below which a bound need not be tighter.
SMALL = 0.1
#: Ratio of the bound to the decrement of a solver from which the reason has both.
NOTABLE = 2.0
#: Rounding of a predictor up to which a first-order bound on its effect holds.
FIRST_ORDER = 1e-2

Inverse = Callable[[Array], Array]


@dataclass(frozen=True)
class KernelCertificate:
    """Bounds on the Newton decrement of -log likelihood + precision |theta|^2 / 2, at coefficients over the kernels.

    Parameters
    ----------
    engine : over the rows of kernels, with class counts or codes
    kernel : the kernels
    link : logit, or softmax with a score for every class
    precision : of the scores' coefficients, above zero
    """

    engine: Engine
    kernel: GaussianKernel
    link: LinkFunction
    precision: float

    @classmethod
    def of(cls, design: KernelDesign, link: LinkFunction, precision: float) -> "KernelCertificate":
        """Return the certificate of a design."""
        table, kernel = design.table, design.kernel
        if design.vectors is not None and design.counts is not None:
            table = Distinct(kernel.centers, design.counts).table().view(Mapped(kernel))
        return cls(engine_for(table).numbered(), kernel, link, precision)

    def bound(self, theta: Array, inverse: Inverse | None = None, enough: float = 0.0) -> float:
        """Bound the decrement at theta (q, m), by more sweeps until it is at most `enough`; inf if there is no bound.

        `inverse` is about the inverse of the Hessian. Newton steps by it only make the bound tight: for any step s with
        residual r = g + Hs, sqrt(g'H^-1 g) <= sqrt(s'Hs) + |r| / sqrt(precision).
        """
        step, best = np.zeros_like(theta), np.inf
        for _ in range(1 + CORRECTIONS):
            bound, residual = self._residual(theta, step)
            better, best = bound < best, min(bound, best)
            solved = np.linalg.norm(residual) <= SMALL * best * np.sqrt(self.precision)
            if best <= enough or not better or solved or inverse is None:
                break
            step = step - inverse(residual)
        return best

    def _residual(self, theta: Array, step: Array) -> tuple[float, Array]:
        """Return the bound by a step, and the residual of that step: one sweep."""
        kernel, c = self.kernel, self.precision
        spread = 0.0
        if kernel.scale is not None:
            spread = float(np.linalg.norm(kernel.scaled_centers / kernel.bandwidth, axis=1).max())
        sweep = KernelResidual(self.link, theta, step, c, kernel.centers.shape[1], spread)
        sums = self.engine.run(sweep)
        penalty, rest = two_product(np.full_like(theta, c), theta)
        high, error = two_sum(sums.high, penalty)
        residual = high + (error + rest + sums.low + c * step)
        along = float(np.sqrt(max(sums.curved + c * float(np.sum(step**2)), 0.0)))
        scores = sums.far + float(np.sqrt(sums.near) + 2.0 * np.sqrt(sums.predictors))
        rounded = float(np.linalg.norm(np.abs(residual)) + np.linalg.norm(sums.kernels)) / float(np.sqrt(c))
        bound = (1.0 + 1e-12 + 8.0 * sums.farthest) * (along + scores + rounded)
        return (bound if sums.farthest < FIRST_ORDER and np.isfinite(bound) else np.inf), residual

    def certified(self, solution: Solution, theta: Array, inverse: Inverse, tol: float) -> Solution:
        """Return the certificate of a solver with the bound at theta, where that is larger."""
        bound = self.bound(theta, inverse, max(solution.decrement, SMALL * tol) if solution.converged else 0.0)
        if bound <= solution.decrement:
            return solution
        harmless = for_weights(self.engine.rows(self.link.n_classes), HARMLESS)
        converged, reason = solution.converged and bound <= max(tol, harmless), solution.reason
        if not solution.converged:
            reason = (
                f"{reason}; with rounding it may be {bound:.2g}" if bound > NOTABLE * solution.decrement else reason
            )
        elif bound <= tol:
            reason = convergence_reason(bound, tol)
        else:
            reason = (
                f"the Newton decrement is at most {bound:.2g} and rounding allows no less (the tolerance is {tol:.2g})"
            )
        return replace(solution, decrement=bound, gap=gap_of(bound), converged=converged, reason=reason)
