"""Conversion of gradients, steps, coefficients and priors between the units of a fit and the user's."""

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.units import TriangularUnits, Units
from posteriori.priors.quadratic import Quadratic


def gradient_in_data(units: Units, gradient: Array) -> Array:
    """Convert a gradient (q, p) with respect to coefficients in the units of a fit to the user's units, (q, p).

    With z = (x - centre) / scale the coefficients are w = scale w_x and b = b_x + centre'w_x, so the derivative in
    w_x is scale dw + centre db.
    """
    if isinstance(units, TriangularUnits):
        gradient = gradient @ units.triangle
    if not units.intercept:
        return gradient * units.scale
    lead = gradient[:, :1]
    return np.concatenate([lead, gradient[:, 1:] * units.scale + lead * units.centre], axis=1)


def step_from_data(units: Units, step: Array) -> Array:
    """Convert a step (q, p) in the user's units to the units of a fit."""
    if not units.intercept:
        return units.from_data(np.zeros(len(step)), step)
    return units.from_data(step[:, 0], step[:, 1:])


def weights_in_data(units: Units, w: Array) -> Array:
    """Convert coefficients (q, p) to the user's units, the intercept first where there is one."""
    lead, weights = units.to_data(w)
    return np.column_stack([lead, weights]) if units.intercept else weights


def prior_in_data(prior: Quadratic, units: Units, n_scores: int) -> Quadratic:
    """Convert a prior on coefficients in the units of a fit to the user's: the inverse of `Quadratic.in_units`."""
    p = units.n_coefficients
    mean = weights_in_data(units, prior.mean.reshape(n_scores, p)).ravel()
    if prior.is_flat:
        return Quadratic(mean, np.zeros_like(mean))
    by_column = prior.precision.ndim == 1 and units.by_column
    if by_column and not (units.intercept and prior.precision.reshape(n_scores, p)[:, 0].any()):
        size = np.concatenate([[1.0], units.scale]) if units.intercept else units.scale
        return Quadratic(mean, prior.precision * np.tile(size, n_scores) ** 2)
    back = np.kron(np.eye(n_scores), np.linalg.inv(units.jacobian()))
    return Quadratic(mean, back.T @ prior.matrix() @ back)


def units_of_data(units: Units) -> Units:
    """Return units that neither centre nor scale."""
    d = len(units.scale)
    return Units(np.zeros(d), np.ones(d), units.intercept)
