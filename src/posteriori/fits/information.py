"""`Information`: the curvature of a fit's likelihood, for inference, and how it is summed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.designs.units import Units
from posteriori.engines.base import Engine
from posteriori.engines.blas import single_threaded_blas
from posteriori.fits.link_regression import Regression
from posteriori.fits.sketch import is_cheap, sketch_of
from posteriori.linalg.subspaces import column_space
from posteriori.links.base import LinkFunction
from posteriori.models.infinite_codes import against, are_proved, of_classes
from posteriori.models.information import (
    STORED,
    Information,
    Sums,
    contrasts,
    distance_from,
    in_triangle,
    is_sampling,
    joined,
)
from posteriori.objectives.jeffreys import JeffreysLikelihood
from posteriori.priors.quadratic import Quadratic
from posteriori.sweeps.information import InformationSweep
from posteriori.tables.views import ContrastedOffset

#: Work (rows times squared coefficients) up to which "auto" sums the information within fit.
CHEAP = 1e9
#: Pivot of contrasts of orthonormal directions above which they are independent.
CLEAR = 0.1
#: Numbers up to which a model file contains directions, and the relative roundings at which these show the same codes.
SMALL, ROUNDINGS = 1e6, (1e-10, 1e-8)
#: Relative distance from the directions without finite estimates up to which a direction is one of them.
LYING = 1e-6
#: Values of the `inference` parameter, and of `weights`.
INFERENCE = ("auto", True, False)
WEIGHTS = ("frequency", "sampling", "importance")


def sum_information(engine: Engine, link: LinkFunction, units: Units, w: Array, sampling: bool) -> tuple[float, Sums]:
    """Sum loss, informations and meats over a table in one sweep; link and w are those of contrasts."""
    sweep = InformationSweep(link, units, w, sampling)
    loss, observed, expected, meat, by_rows = (part.values for part in engine.run(sweep).parts)
    return float(loss[0]), Sums(observed, expected, meat, by_rows if engine.rows(link.n_classes).is_grouped else None)


def information_of(fitted: Regression, inference: Any, weights: str) -> Information:
    """Compute the information of a fit, its sums only where `inference` is True or they are cheap."""
    choice("inference", inference, INFERENCE)
    with single_threaded_blas():
        return _information_of(fitted, inference, weights)


def _information_of(fitted: Regression, inference: Any, weights: str) -> Information:
    objective, link, units = fitted.maximum.objective, fitted.link.as_contrasts(), fitted.units
    w = contrasts(fitted.link, fitted.w)
    rows, sampling = objective.rows, is_sampling(weights)
    cheap = w.size <= STORED and rows.n_rows * float(w.size) ** 2 <= CHEAP
    sums, sketch = None, None
    if inference is True or (inference == "auto" and cheap):
        engine = objective.engine.view(ContrastedOffset(link)) if rows.has_offset else objective.engine
        sketch = sketch_of(engine, link, units) if is_cheap(rows.n_rows, units.n_coefficients) else None
        _, sums = sum_information(engine, link, *in_triangle(units, w, fitted.maximum.triangle), sampling)
    separation = fitted.maximum.separation
    vanished = _in_contrasts(fitted, None if separation is None else separation.space)
    aliased = _in_contrasts(fitted, objective.gauge)
    return Information(
        loss=fitted.maximum.point.loss,
        n_rows=rows.n_rows,
        n_free=fitted.n_free,
        totals=fitted.totals,
        scale=float(fitted.totals.sum()) / rows.trials if sampling else 1.0,
        aliased=aliased,
        vanished=vanished,
        infinite=_codes(fitted),
        pairs=None if fitted.maximum.recession is None else fitted.maximum.recession.pairs,
        directions=_proof(fitted, aliased, vanished),
        prior=None if objective.prior.is_flat else objective.prior,
        jeffreys=isinstance(objective, JeffreysLikelihood),
        sums=sums,
        triangle=fitted.maximum.triangle,
        sketch=sketch,
        n_copies=float(rows.n_rows) if sampling else rows.n_copies,
    )


def penalty_of(prior: Quadratic, link: LinkFunction) -> Array:
    """Return the curvature of a prior on a link's coefficients as one on contrasts, (m, m).

    The part common to all K vectors, which does not change the likelihood, is integrated out: with w = A c + B s,
    the penalty on c is A'PA - A'PB (B'PB)^+ B'PA.
    """
    P, target = prior.matrix(), link.as_contrasts()
    if target is link:
        return P
    p = len(P) // link.n_scores
    A = np.kron(target.expand(np.eye(target.n_scores)).T, np.eye(p))
    B = np.kron(np.ones((link.n_scores, 1)), np.eye(p))
    mixed = A.T @ P @ B
    return A.T @ P @ A - mixed @ np.linalg.pinv(B.T @ P @ B, hermitian=True) @ mixed.T


def _in_contrasts(fitted: Regression, directions: Array | None) -> Array:
    """Return an orthonormal basis (m, b) of directions of the link's coefficients (q p, a), orthonormal, as contrasts.

    Contrasts of orthonormal directions are independent, except for what is common to all K vectors.
    """
    link, target = fitted.link, fitted.link.as_contrasts()
    m = target.n_scores * fitted.units.n_coefficients
    if directions is None or not directions.shape[1]:
        return np.zeros((m, 0))
    if target is link:
        return directions
    moved = target.contrast(directions.reshape(link.n_scores, -1)).reshape(m, -1)
    Q, R = np.linalg.qr(moved)
    return Q if len(R) == R.shape[1] and np.abs(np.diagonal(R)).min() > CLEAR else column_space(moved, 1e-8)


def _codes(fitted: Regression) -> NDArray[np.int8]:
    """Return the code of each contrast to the reference class, in the user's units."""
    recession, link = fitted.maximum.recession, fitted.link.as_contrasts()
    if recession is None:
        return np.zeros((link.n_classes - 1) * fitted.units.n_coefficients, dtype=np.int8)
    reference = link.reference or 0
    return against(recession.pairs, link.n_classes, reference).ravel()


def _proof(fitted: Regression, aliased: Array, vanished: Array) -> Array | None:
    """Return directions of contrasts, (m, g), that show the codes of infinite estimates; None where floats do not.

    They lie in the space of the directions without finite estimates, up to rounding.
    """
    recession, link, units = fitted.maximum.recession, fitted.link, fitted.units
    if recession is None or not np.isfinite(recession.directions).all():
        return None
    target, m = link.as_contrasts(), (link.n_classes - 1) * units.n_coefficients
    directions = recession.directions / np.abs(recession.directions).max(axis=0)
    if target is not link:
        directions = target.contrast(directions.reshape(link.n_scores, -1)).reshape(m, -1)
    if directions.size > SMALL:
        return None
    combinations = of_classes(link.n_classes, target.reference or 0, symmetric=link.n_scores == link.n_classes)
    shown = all(
        are_proved(codes, each, units.jacobian(), directions, rounding)
        for codes, each in zip((recession.own, recession.pairs), combinations, strict=True)
        for rounding in ROUNDINGS
    )
    return directions if shown and distance_from(joined(aliased, vanished), directions) <= LYING else None
