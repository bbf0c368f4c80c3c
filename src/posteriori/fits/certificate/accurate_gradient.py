"""`AccurateGradient`: the gradient of an objective at coefficients in the user's units, with a bound on its error."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.designs.units import TriangularUnits, Units
from posteriori.fits.existence.conditioning import to_plain
from posteriori.fits.problem import Preparation
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.linalg.twofold import column_sums, two_product, two_sum
from posteriori.objectives.jeffreys import JeffreysLikelihood
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.priors.quadratic import Quadratic
from posteriori.sweeps.twofold import EPS, TwofoldSlope

#: A point in working coordinates (q p,), in plain units (q p,), and its intercepts (q,) and weights (q, d) in the
#: user's units: the same up to rounding.
Coefficients = tuple[Array, Array, Array, Array]


@dataclass(frozen=True)
class BoundedGradient:
    """A gradient with a bound on its error.

    Parameters
    ----------
    gradient : (q p,) in working coordinates
    size : its Newton decrement
    error : bound on the Newton decrement of its error
    floor : the decrement caused by rounding the terms of the predictors
    reach : the largest change of a predictor, per unit of the decrement
    """

    gradient: Array
    size: float
    error: float
    floor: float
    reach: float


@dataclass(frozen=True)
class AccurateGradient:
    """The gradient in the working coordinates of a fit, summed in twice the working precision.

    Parameters
    ----------
    plain, working : the objective in plain units, and in the coordinates of the Hessian
    factor : the Hessian
    whitener : W with H^-1 = W'W
    exponents : (d,) powers of two that bring the columns near one
    """

    plain: PenalizedLikelihood
    working: PenalizedLikelihood
    factor: SymmetricFactor
    whitener: Array
    exponents: NDArray[np.intp]

    @classmethod
    def at(cls, preparation: Preparation, factor: SymmetricFactor) -> "AccurateGradient":
        """Return the gradient for points near that of a Hessian."""
        units = preparation.objective.units
        exponents = np.frexp(np.maximum(np.abs(units.centre), units.scale))[1].astype(np.intp)
        return cls(preparation.objective, preparation.working, factor, factor.whitener(), exponents)

    def size(self, gradient: Array) -> float:
        """Return sqrt(g'H^-1 g)."""
        return float(np.linalg.norm(self.whitener @ gradient))

    def stepped(self, at: Coefficients, gradient: BoundedGradient) -> Coefficients:
        """Return the coefficients after a Newton step."""
        step = self.working.across(-self.factor.solve(gradient.gradient))
        change = to_plain(self.working, step)
        own = self.plain.units.to_data(change.reshape(self.plain.link.n_scores, -1))
        return at[0] + step, at[1] + change, at[2] + own[0], at[3] + own[1]

    def __call__(self, v: Array, w: Array, lead: Array, weights: Array) -> BoundedGradient:
        """Sum the gradient at coefficients in the user's units: one sweep."""
        plain, working = self.plain, self.working
        scaled = np.ldexp(weights, self.exponents)
        sweep = TwofoldSlope(plain.link, working.units, lead, scaled, self.exponents, self.whitener)
        sums = plain.engine.run(sweep)
        high, low = sums.high, sums.low
        if plain.stated is not None and not plain.prior.is_flat:
            prior = prior_gradient(plain.stated, lead, scaled, self.exponents, plain.units.intercept)
            high, rest = two_sum(high, prior[0])
            low = low + prior[1] + rest
        gradient = into_units(plain.units, self.exponents, high, low)
        error = sums.doubt
        if not plain.prior.is_flat:
            if plain.stated is None:
                gradient = gradient + plain.prior.gradient(w).reshape(gradient.shape)
            size = np.abs(w - plain.prior.mean)
            error += 8.0 * EPS * float(np.sqrt(size @ Quadratic(w, np.abs(plain.prior.precision)).times(size)))
            error += 0.0 if working.origin is None else common_decrement(plain, w, lead, weights)
        gradient = _into_working(working, gradient)
        if isinstance(working, JeffreysLikelihood):
            gradient = gradient - working.pull(v)
            error += 16.0 * EPS * working.n_parameters / max(self.factor.least_eigenvalue, EPS) * sums.turning
        gradient = working.across(gradient)
        return BoundedGradient(gradient, self.size(gradient), error, EPS * float(np.sqrt(sums.terms)), sums.reach)


def common_decrement(plain: PenalizedLikelihood, w: Array, lead: Array, weights: Array) -> float:
    """Bound the Newton decrement along the common shift of K vectors, where a prior of one precision P determines it.

    There it is the root of K u'P u, u the mean over classes of w - mean.
    """
    prior, at = plain.prior, w.reshape(len(lead), -1)
    if plain.stated is not None:
        prior, at = plain.stated, np.column_stack([lead, weights]) if plain.units.intercept else weights
    off, p = at - prior.mean.reshape(at.shape), at.shape[1]
    u = np.abs(off.mean(axis=0)) + 2.0 * EPS * (np.abs(at) + np.abs(off)).max(axis=0)
    P = np.abs(prior.precision[:p] if prior.precision.ndim == 1 else prior.precision[:p, :p])
    return float(np.sqrt(len(at) * (u @ Quadratic(u, P).times(u))))


def prior_gradient(
    prior: Quadratic, lead: Array, scaled: Array, exponents: NDArray[np.intp], intercept: bool
) -> tuple[Array, Array]:
    """Return P (w - mean) for coefficients of columns times 2^-k, intercept's place first, and its rounding error."""
    q = len(lead)
    shift = np.tile(np.concatenate([[0], exponents]) if intercept else exponents, q)
    w = (np.column_stack([lead, scaled]) if intercept else scaled).ravel()
    off, rest = two_sum(w, -np.ldexp(prior.mean, shift))
    if prior.precision.ndim == 1:
        P = np.ldexp(np.ldexp(prior.precision, -shift), -shift)
        high, low = two_product(P, off)
        low = low + P * rest
    else:
        P = np.ldexp(np.ldexp(prior.precision, -shift[:, None]), -shift)
        products, errors = two_product(P, np.broadcast_to(off, P.shape))
        high, low = column_sums(products.T, (errors + P * rest).T)
    gradient = np.zeros((2, q, len(exponents) + 1))
    gradient[:, :, 0 if intercept else 1 :] = np.stack([high, low]).reshape(2, q, -1)
    return gradient[0], gradient[1]


def into_units(units: Units, exponents: NDArray[np.intp], high: Array, low: Array) -> Array:
    """Convert a gradient over (1, x 2^-k) to one over (1, z) or z, z = (x - centre) / scale."""
    centre, scale = np.ldexp(units.centre, -exponents), np.ldexp(units.scale, -exponents)
    product, error = two_product(np.broadcast_to(centre, high[:, 1:].shape), high[:, :1] + 0.0 * high[:, 1:])
    apart, rest = two_sum(high[:, 1:], -product)
    columns = (apart + (rest + low[:, 1:] - error - centre * low[:, :1])) / scale
    return np.column_stack([high[:, 0] + low[:, 0], columns]) if units.intercept else columns


def _into_working(working: PenalizedLikelihood, gradient: Array) -> Array:
    if isinstance(working.units, TriangularUnits):
        gradient = la.solve_triangular(working.units.triangle.T, gradient.T, lower=True, check_finite=False).T
    return np.ascontiguousarray(gradient).ravel()
