"""A-priori bounds on the effect of rounding on a Newton decrement, from quantities known at the end of a fit."""

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.units import TriangularUnits
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.jeffreys import JeffreysLikelihood
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.sweeps.score_sizes import ScoreSizes
from posteriori.sweeps.twofold import EPS


def conversion_bound(
    plain: PenalizedLikelihood,
    working: PenalizedLikelihood,
    factor: SymmetricFactor | None,
    lead: Array,
    weights: Array,
) -> float:
    """Bound the decrement of the rounding of predictors at coefficients in the user's units; inf if unknown.

    A change e of the predictors moves it by at most sqrt(sum s e^2), s the curvatures of the rows. The root of the
    diagonal of H bounds sqrt(sum s z_j^2), and sums of terms of x = centre + scale z follow by Minkowski's inequality.
    """
    units, q, prior = plain.units, plain.link.n_scores, plain.prior
    dense = factor is not None
    if dense and (isinstance(working.units, TriangularUnits) or prior.precision.ndim == 2 or not plain.link.is_concave):
        return np.inf
    size = _sizes(plain, factor).reshape(q, -1)
    level = size[:, 0] if units.intercept else np.full(q, np.sqrt(0.5 * plain.rows.total))
    terms = np.abs(lead) + np.abs(weights) @ np.abs(units.centre) + plain.rows.offset_size
    slopes = np.abs(weights) * units.scale * size[:, int(units.intercept) :]
    w = units.from_data(lead, weights).ravel() - prior.mean
    penalty = float(np.sqrt(max(float(w @ prior.times(w)), 0.0))) + prior.value(np.zeros_like(w)) ** 0.5
    whole = (4.0 + len(units.scale) ** 0.5) * (1.5 if q > 1 else 1.0) * float(terms @ level + slopes.sum())
    return float(EPS * (whole + 4.0 * penalty))


def sum_bound(working: PenalizedLikelihood, factor: SymmetricFactor | None, w: Array) -> float:
    """Bound the decrement of the rounding of a gradient's scores and sums.

    An entry is wrong by some eps times the sum of the sizes of its terms. Where scores are below a row's weight, that
    is below the weight of all rows, as a column in units of its standard deviation has |z| below one in the mean;
    otherwise the sizes are summed. Jeffreys' prior adds the rounding of leverages.
    """
    total, least = working.rows.total, 1.0 if factor is None else max(factor.least_eigenvalue, EPS)
    terms: Array | float = total
    if factor is not None and not working.link.is_canonical:
        shaped = w.reshape(working.link.n_scores, -1)
        sweep = ScoreSizes(working.link, working.units, shaped)
        terms = working.engine.run(sweep).values.ravel()
    bound = 8.0 * EPS * float(np.linalg.norm(terms / _sizes(working, factor))) / least**0.5
    if isinstance(working, JeffreysLikelihood):
        bound += 16.0 * EPS * working.n_parameters**1.5 / least
    return float(bound)


def _sizes(objective: PenalizedLikelihood, factor: SymmetricFactor | None) -> Array:
    """Return the roots of the diagonal of the Hessian, or a bound where there is no room for one."""
    if factor is not None:
        return factor.size
    return np.full(objective.n_parameters, np.sqrt(max(0.5 * objective.rows.total, 1e-300)))
