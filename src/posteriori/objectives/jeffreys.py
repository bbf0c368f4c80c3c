"""`JeffreysLikelihood`: the likelihood times Jeffreys' prior, whose maximum is Firth's estimate."""

from dataclasses import dataclass, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.cached_property import cached_property
from posteriori.linalg.cholesky import ScaledCholesky
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.sweeps.leverage import LeverageSweep
from posteriori.sweeps.likelihood import CurvatureSweep


@dataclass(frozen=True)
class JeffreysLikelihood(PenalizedLikelihood):
    """L(w) = -log likelihood - log det I(w) / 2, I the expected information, with I(w) in the place of a Hessian.

    The information is that of all coefficients, intercept included; directions of the gauge, along which it is zero,
    are left out of the determinant. The value is in the user's units and in contrasts of classes, so it depends
    neither on the units of the fit nor on the parametrisation. `Point.hessian` is I(w), whose inverse at the
    maximum is the covariance; a coefficient can be fixed by solving for the others, with the same determinant.

    Notes
    -----
    Firth (1993), Biometrika 80, 27-38; for softmax the adjusted score of the same prior, exactly. For other links than
    these the maximum is that of the likelihood times Jeffreys' prior all the same, finite whatever the data, but no
    longer Firth's bias reduction, which only for canonical links is one (his §3).
    """

    @classmethod
    def of(cls, plain: PenalizedLikelihood) -> "JeffreysLikelihood":
        """Replace the prior of a likelihood by Jeffreys' prior."""
        return cls(plain.engine, plain.link, plain.units, plain.prior, plain.gauge)

    def slope(self, w: Array) -> Point:
        """Return value and gradient: two sweeps, the first of n p^2."""
        return replace(self.curvature(w), hessian=None)

    def curvature(self, w: Array) -> Point:
        """Return value, gradient and information: two sweeps, the first of n p^2."""
        point, inverse = self._with_information(w)
        if inverse is None:
            return point
        return replace(point, gradient=self.across(point.gradient - self._pull(w, inverse)))

    def pull(self, w: Array) -> Array:
        """Return the gradient of log det I(w) / 2: two sweeps; NaN where the information is singular to rounding."""
        inverse = self._with_information(w)[1]
        return np.full_like(w, np.nan) if inverse is None else self._pull(w, inverse)

    def _pull(self, w: Array, inverse: Array) -> Array:
        pull: Array = self.engine.run(LeverageSweep(*self._at(w), inverse)).values.ravel()
        return pull

    def expected(self, w: Array) -> Point:
        """Return `curvature`, whose Hessian is the expected information."""
        return self.curvature(w)

    def along(self, w: Array, step: Array, lengths: Array) -> Array:
        """Return the values at w + t step for all lengths t: a sweep each."""
        return np.array([self._with_information(w + t * step)[0].value for t in lengths])

    def _with_information(self, w: Array) -> tuple[Point, Array | None]:
        """Return the point with the likelihood's own gradient, and the inverse information.

        Where the information is singular to rounding the value is infinite, so that no step ends there.
        """
        sums = self.engine.run(CurvatureSweep(*self._at(w), expected=not self.link.is_canonical))
        loss, information = sums.slope.value, sums.hessian
        point = Point(w, np.inf, loss, self.across(sums.slope.gradient.ravel()), sums.slope.overlap, information)
        factor = ScaledCholesky.of(self.stiffened(information))
        if not factor.is_above(0.0):
            return point, None
        log_det = factor.log_determinant()
        log_det -= float(np.linalg.slogdet(self.stiffness(information))[1]) + self._log_volume
        return replace(point, value=loss - 0.5 * log_det), factor.inverse()

    @cached_property
    def _log_volume(self) -> float:
        """Log determinant of the information in these units, less that in the user's and in contrasts."""
        K, p = self.link.n_classes, self.units.n_coefficients
        _, log_det = np.linalg.slogdet(self.units.jacobian())
        shared = p * np.log(K) if self.link.n_scores == K else 0.0
        return float(2.0 * (K - 1) * log_det + shared)
