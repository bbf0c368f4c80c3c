"""Nearly dependent columns: the condition number, and coordinates in which it costs a fit no accuracy."""

from dataclasses import replace

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.units import TriangularUnits, Units
from posteriori.fits.existence.rank import gauge_of
from posteriori.messages.errors import CollinearityWarning
from posteriori.messages.notes import Note, quote
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.tables.schema import Schema

#: Condition number of the standardised design from which a warning is given.
NEARLY_DEPENDENT = 1e7


def condition_of(factor: Array) -> float:
    """Return the condition number of a design with columns of unit norm, from its triangle."""
    size = np.linalg.norm(factor, axis=0)
    values = np.linalg.svd(factor / np.where(size > 0, size, 1.0), compute_uv=False)
    return float(values[0] / values[-1]) if values[-1] > 0 else np.inf


def in_triangle(objective: PenalizedLikelihood, factor: Array) -> PenalizedLikelihood:
    """Return the same objective in coordinates R w, in which the columns of the design are orthonormal.

    The Gram of columns of condition c has condition c^2: past 1e7 a Hessian is singular to rounding. Here only the
    curvature's weights are left in it, and the digits lost are those of c, once.
    """
    units = objective.units
    R = factor / np.sqrt(objective.n_rows)
    triangular = TriangularUnits(units.centre, units.scale, units.intercept, R)
    moved = replace(objective, units=triangular, prior=objective.prior.reparameterise(R, objective.link.n_scores))
    return replace(moved, gauge=gauge_of(moved))


def to_working(objective: PenalizedLikelihood, w: Array) -> Array:
    """Return coefficients in plain units as the objective's own."""
    if not isinstance(objective.units, TriangularUnits):
        return w
    return (w.reshape(objective.link.n_scores, -1) @ objective.units.triangle.T).ravel()


def to_plain(objective: PenalizedLikelihood, v: Array) -> Array:
    """Return coefficients of the objective, or a change of them, in plain units: w = R^-1 v."""
    if not isinstance(objective.units, TriangularUnits):
        return v
    return objective.units.to_plain(v.reshape(objective.link.n_scores, -1)).ravel()


def point_in_plain_units(objective: PenalizedLikelihood, point: Point) -> Point:
    """Return a point of the objective in plain units: w = R^-1 v, gradient R'g, Hessian R'H R."""
    units, q = objective.units, objective.link.n_scores
    if not isinstance(units, TriangularUnits):
        return point
    R, hessian = units.triangle, point.hessian
    if hessian is not None:
        whole = np.kron(np.eye(q), R)
        hessian = whole.T @ hessian @ whole
    gradient = (point.gradient.reshape(q, -1) @ R).ravel()
    return replace(point, w=to_plain(objective, point.w), gradient=gradient, hessian=hessian)


def collinearity_notes(factor: Array, schema: Schema, units: Units) -> tuple[Note, ...]:
    """Return a note if columns are so nearly dependent that digits are lost."""
    condition = condition_of(factor)
    if not condition >= NEARLY_DEPENDENT:
        return ()
    size = np.linalg.norm(factor, axis=0)
    _, _, rows = np.linalg.svd(factor / np.where(size > 0, size, 1.0))
    share = np.abs(rows[-1])[int(units.intercept) :]
    names = tuple(schema.columns[j].name for j in np.flatnonzero(share > 0.1 * share.max()))
    lost = int(np.ceil(np.log10(condition)))
    return (
        Note(
            code="nearly-collinear",
            message=f"the columns {quote(list(names))} are nearly dependent: the condition number of the "
            f"standardised columns is {condition:.1e}, so about {lost} of 16 digits of their coefficients are lost.",
            columns=names,
            remedy=f"Leave one of {quote(list(names), 3)} out, combine them, or give a prior.",
            category=CollinearityWarning,
        ),
    )
