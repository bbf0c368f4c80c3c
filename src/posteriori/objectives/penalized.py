"""`PenalizedLikelihood`: minus the log likelihood plus the prior's quadratic, in the units of the fit."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.engines.base import Engine
from posteriori.linalg.cholesky import is_definite
from posteriori.links.base import LinkFunction
from posteriori.priors.quadratic import Quadratic
from posteriori.statistics.curvature import Slope
from posteriori.statistics.row_summary import RowSummary
from posteriori.sweeps.likelihood import CurvatureSweep, LadderSweep, ProductSweep, SlopeSweep, ThinnedSweep


@dataclass(frozen=True)
class Point:
    """The objective at w: value, loss without the prior, gradient, least odds; with the Hessian where it was summed.

    Everything is flat over (q p,), score by score, intercept first. `definite` is False where the Hessian is not
    positive definite, and the expected information is in its place.
    """

    w: Array
    value: float
    loss: float
    gradient: Array
    odds: float
    hessian: Array | None = None
    definite: bool = True


@dataclass(frozen=True)
class PenalizedLikelihood:
    """L(w) = -log likelihood + (w - m)' P (w - m) / 2, evaluated by sweeps over a table.

    Directions along which L is flat (aliased columns; the common shift of K softmax vectors) are the columns
    of `gauge`, orthonormal. A stiffness along them does not change the minimum over the rest and selects the
    point with gauge'w = 0: the minimum-norm, or sum-to-zero, solution. The gauge may also contain a common shift
    that only the prior determines: w is then at `origin` along it.

    Parameters
    ----------
    engine : over the table
    link, units, prior : the model; the prior in these units
    gauge : (q p, m), m = 0 for none
    stated : the prior in the user's units, where it is known exactly
    origin : (q p,) the common shift of least penalty, where the gauge contains it
    """

    engine: Engine
    link: LinkFunction
    units: Units
    prior: Quadratic
    gauge: Array
    stated: Quadratic | None = None
    origin: Array | None = None

    @property
    def n_parameters(self) -> int:
        """The number of coefficients: q p."""
        return self.link.n_scores * self.units.n_coefficients

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.engine.n_rows

    @property
    def rows(self) -> RowSummary:
        """The counts, weights and offsets of all rows."""
        return self.engine.rows(self.link.n_classes)

    @property
    def n_free(self) -> int:
        """The number of coefficients that the data and the prior identify."""
        return self.n_parameters - int(self.gauge.shape[1])

    def on(self, engine: Engine) -> "PenalizedLikelihood":
        """Return the same objective on another table."""
        return replace(self, engine=engine)

    def slope(self, w: Array) -> Point:
        """Return value and gradient: one sweep."""
        return self._point(w, self.engine.run(SlopeSweep(*self._at(w))))

    def curvature(self, w: Array) -> Point:
        """Return value, gradient and Hessian: one sweep of n p^2."""
        sums = self.engine.run(CurvatureSweep(*self._at(w)))
        return replace(self._point(w, sums.slope), hessian=self.prior.add_to(sums.hessian))

    def expected(self, w: Array) -> Point:
        """Return value, gradient, and the expected information in the place of the Hessian: one sweep of n p^2."""
        sums = self.engine.run(CurvatureSweep(*self._at(w), expected=not self.link.is_canonical))
        return replace(self._point(w, sums.slope), hessian=self.prior.add_to(sums.hessian))

    def descent(self, w: Array) -> Point:
        """Return value, gradient and a Hessian whose steps go down: one sweep of n p^2, or two.

        That is the observed one, or, where that is not positive definite, as may be under a link that is not concave,
        the expected one.
        """
        point = self.curvature(w)
        if self.link.is_concave or is_definite(self.stiffened(cast("Array", point.hessian))):
            return point
        return replace(self.expected(w), definite=False)

    def thinned(self, w: Array, fraction: float) -> Point:
        """Return value, gradient, and the Hessian of a fraction of the rows, scaled to all: one sweep."""
        sums = self.engine.run(ThinnedSweep(*self._at(w), fraction))
        return replace(self._point(w, sums.slope), hessian=self.prior.add_to(sums.hessian))

    def along(self, w: Array, step: Array, lengths: Array) -> Array:
        """Return the values at w + t step for all lengths t: one sweep."""
        losses = self.engine.run(LadderSweep(*self._at(w), self._shaped(step), lengths)).values
        return np.array([loss + self._prior(w + t * step) for loss, t in zip(losses, lengths, strict=True)])

    def product(self, w: Array, vector: Array, *, expected: bool = False) -> Array:
        """Return the Hessian at w, or the expected information, times a vector: one sweep, no matrix."""
        data: Array = self.engine.run(ProductSweep(*self._at(w), self._shaped(vector), expected)).values.ravel()
        return data + self.prior.times(vector)

    def stiffened(self, hessian: Array) -> Array:
        """Return the Hessian with stiffness along the gauge, so that it can be inverted."""
        if not self.gauge.shape[1]:
            return hessian
        return hessian + self.gauge @ self.stiffness(hessian) @ self.gauge.T

    def stiffness(self, hessian: Array) -> Array:
        """Return a stiffness within the gauge, (m, m), of the size that the Hessian has along each coefficient.

        A single size would make coefficients of far smaller curvature singular to rounding, such as intercepts beside
        weights that a prior penalises in tiny units.
        """
        diagonal = np.diagonal(hessian)
        size = np.where(diagonal > 0, diagonal, max(float(diagonal.mean()), 1e-300))
        return (self.gauge.T * size) @ self.gauge

    def fixed(self, w: Array) -> Array:
        """Return coefficients w with their part along the gauge at the origin, or at zero."""
        return self.across(w) if self.origin is None else w - self.gauge @ (self.gauge.T @ (w - self.origin))

    def across(self, vector: Array) -> Array:
        """Return a step or gradient with its part along the gauge taken out."""
        return vector - self.gauge @ (self.gauge.T @ vector) if self.gauge.shape[1] else vector

    def settled(self, w: Array) -> Array:
        """Return w with intercepts that sum to zero in the user's units, where nothing else determines their level.

        That is so for K softmax vectors without a prior on the intercepts; in centred units they summed to zero.
        """
        q, p = self.link.n_scores, self.units.n_coefficients
        if q < self.link.n_classes or not self.units.intercept:
            return w
        level = np.zeros((q, p))
        level[:, 0] = 1.0
        if self.prior.times(level.ravel()).any():
            return w
        lead, _ = self.units.to_data(self._shaped(w))
        return w - float(lead.mean()) * level.ravel()

    def _at(self, w: Array) -> tuple[LinkFunction, Units, Array]:
        return self.link, self.units, self._shaped(w)

    def _shaped(self, w: Array) -> Array:
        return w.reshape(self.link.n_scores, self.units.n_coefficients)

    def _prior(self, w: Array) -> float:
        return 0.0 if self.prior.is_flat else self.prior.value(w)

    def _point(self, w: Array, slope: Slope) -> Point:
        gradient = slope.gradient.ravel()
        if not self.prior.is_flat:
            gradient = gradient + self.prior.gradient(w)
        return Point(w, slope.value + self._prior(w), slope.value, self.across(gradient), slope.overlap)
