"""`Information`: the curvature of a fit's likelihood, for inference, and how it is summed."""

from dataclasses import InitVar, dataclass, replace
from typing import Any

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.designs.units import TriangularUnits, Units
from posteriori.engines.base import Engine
from posteriori.engines.blas import single_threaded_blas
from posteriori.engines.select import engine_for
from posteriori.fits.existence.recession import against, are_proved, of_classes
from posteriori.fits.link_regression import Regression
from posteriori.fits.sketch import Sketch, is_cheap, sketch_of
from posteriori.input.weights import RowWeights
from posteriori.linalg.subspaces import column_space
from posteriori.links.base import LinkFunction
from posteriori.objectives.jeffreys import JeffreysLikelihood
from posteriori.priors.quadratic import Quadratic
from posteriori.storable import storable
from posteriori.sweeps.information import InformationSweep
from posteriori.tables.memory import MemoryTable

#: Work (rows times squared coefficients) up to which "auto" sums the information within fit.
CHEAP = 1e9
#: Coefficients up to which a model file contains the information.
STORED = 2000
#: Pivot of contrasts of orthonormal directions above which they are independent.
CLEAR = 0.1
#: Numbers up to which a model file contains directions, and the relative roundings at which these show the same codes.
SMALL, ROUNDINGS = 1e6, (1e-10, 1e-8)
#: Values of the `inference` parameter, and of `weights`.
INFERENCE = ("auto", True, False)
WEIGHTS = ("frequency", "sampling", "importance")


@storable
@dataclass(frozen=True)
class Sums:
    """Sums over the rows at the maximum, (m, m) each: coefficients are contrasts, in the units of the fit.

    `meat` is the scatter of the scores of single trials, `by_rows` that of the scores of rows; None where the rows
    have one class each and the two are the same.
    """

    observed: Array
    expected: Array
    meat: Array
    by_rows: Array | None = None


@storable
@dataclass(frozen=True)
class Information:
    """The curvature of a fit, in contrasts to the reference class and in the units of the fit.

    m = (K - 1) p coefficients, class by class, the intercept first.

    Parameters
    ----------
    loss : minus the log likelihood of the rows, without binomial coefficients
    n_rows : rows of positive weight
    n_free : coefficients that the data (and a prior) identify
    totals : (K,) weight of each class
    scale : factor of model-based covariances: 1, or the mean of sampling weights
    aliased : (m, a) orthonormal directions along which the likelihood is flat
    vanished : (m, b) orthonormal directions along which it increases without end
    infinite : (m,) a code of `recession` for each contrast, in the user's units: 0 where it has a finite estimate
    prior : the quadratic penalty on the link's own coefficients, None where there is none
    jeffreys : whether the fit maximised the likelihood times Jeffreys' prior
    sums : None where they were not summed in fit
    triangle : R (p, p) where columns are nearly dependent: sums are then over R times each contrast, in which they can
        be inverted without loss
    n_copies : rows counted by their frequency weights; None in files of versions that did not count them
    pairs : (K (K - 1) / 2, p) codes of all pairs of classes (`recession.Recession`); None where nothing is separated,
        and in files written before there were any
    directions : (m, g) directions along which no row's likelihood falls, whose signs are the codes of `pairs` and of
        the estimates by class; None where floats do not show them, and in files written before there were any
    sketch : identifies nested fits; None for many rows. It is not a field, so that model files, which contain nothing
        of single rows, do not contain it
    """

    loss: float
    n_rows: int
    n_free: int
    totals: Array
    scale: float
    aliased: Array
    vanished: Array
    infinite: NDArray[np.int8]
    prior: Quadratic | None
    jeffreys: bool
    sums: Sums | None
    triangle: Array | None = None
    n_copies: float | None = None
    pairs: NDArray[np.int8] | None = None
    directions: Array | None = None
    sketch: InitVar[Sketch | None] = None

    def __post_init__(self, sketch: Sketch | None) -> None:
        object.__setattr__(self, "sketch", sketch)

    @property
    def known_sketch(self) -> Sketch | None:
        """The sketch, where there is one."""
        sketch: Sketch | None = vars(self).get("sketch")
        return sketch

    @property
    def null(self) -> Array:
        """Directions without a finite, unique estimate, (m, a + b)."""
        return _joined(self.aliased, self.vanished) if self.vanished.shape[1] else self.aliased

    def reparameterised(self, n_scores: int) -> "Information":
        """Return the same in the coordinates of the sums; `n_scores` are those of the link of the fit."""
        R = self.triangle
        if R is None:
            return self
        contrasts_of = np.kron(np.eye(len(self.infinite) // len(R)), R)
        vanished = la.orth(contrasts_of @ self.vanished) if self.vanished.shape[1] else self.vanished
        prior = None if self.prior is None else self.prior.reparameterise(R, n_scores)
        return replace(self, vanished=vanished, prior=prior)

    def for_storage(self) -> "Information":
        """Return the part that a model file contains: sums only where they are small."""
        return self if len(self.infinite) <= STORED else replace(self, sums=None)


def in_triangle(units: Units, w: Array, triangle: Array | None) -> tuple[Units, Array]:
    """Return units and coefficients (q, p) in the coordinates of the sums."""
    if triangle is None:
        return units, w
    return TriangularUnits(units.centre, units.scale, units.intercept, triangle), w @ triangle.T


def contrasts(link: LinkFunction, w: Array) -> Array:
    """Return coefficients (q, p) of a link as contrasts to the reference class, (K - 1, p)."""
    target = link.as_contrasts()
    return w if target is link else target.contrast(w)


def sum_information(
    engine: Engine, link: LinkFunction, units: Units, w: Array, weights: RowWeights
) -> tuple[float, Sums]:
    """Sum loss, informations and meats over a table in one sweep; link and w are those of contrasts."""
    sweep = InformationSweep(link, units, w, weights.probabilities, weights.frequencies)
    loss, observed, expected, meat, by_rows = (part.values for part in engine.run(sweep).parts)
    assert isinstance(engine.table, MemoryTable)
    return float(loss[0]), Sums(observed, expected, meat, by_rows if engine.table.is_grouped else None)


def row_weights(weights: str, table: MemoryTable) -> RowWeights:
    """Return the weights of the rows of positive weight, with their meaning."""
    values = table.given_weights
    return RowWeights(
        values if values is None or table.positive_rows is None else values[table.positive_rows], is_sampling(weights)
    )


def is_sampling(weights: str) -> bool:
    """Return whether `weights` of a model says that they are sampling weights, by the name of today or of earlier."""
    return weights in ("sampling", "importance")


def information_of(fitted: Regression, inference: Any, weights: str) -> Information:
    """Compute the information of a fit, its sums only where `inference` is True or they are cheap."""
    choice("inference", inference, INFERENCE)
    with single_threaded_blas():
        return _information_of(fitted, inference, weights)


def _information_of(fitted: Regression, inference: Any, weights: str) -> Information:
    objective, link, units = fitted.maximum.objective, fitted.link.as_contrasts(), fitted.units
    w = contrasts(fitted.link, fitted.w)
    table = objective.memory_table
    rows = row_weights(weights, table)
    cheap = w.size <= STORED and table.n_rows * float(w.size) ** 2 <= CHEAP
    sums, sketch = None, None
    if inference is True or (inference == "auto" and cheap):
        engine = objective.engine
        if table.offset is not None:
            engine = engine_for(replace(table, offset=link.contrast_offset(table.offset)))
        sketch = sketch_of(engine, link, units) if is_cheap(table.n_rows, units.n_coefficients) else None
        _, sums = sum_information(engine, link, *in_triangle(units, w, fitted.maximum.triangle), rows)
    separation = fitted.maximum.separation
    vanished = None if separation is None else separation.space
    return Information(
        loss=fitted.maximum.point.loss,
        n_rows=table.n_rows,
        n_free=fitted.n_free,
        totals=fitted.totals,
        scale=_scale(table, rows.probabilities, fitted.totals),
        aliased=_in_contrasts(fitted, objective.gauge),
        vanished=_in_contrasts(fitted, vanished),
        infinite=_codes(fitted),
        pairs=None if fitted.maximum.recession is None else fitted.maximum.recession.pairs,
        directions=_proof(fitted),
        prior=None if objective.prior.is_flat else objective.prior,
        jeffreys=isinstance(objective, JeffreysLikelihood),
        sums=sums,
        triangle=fitted.maximum.triangle,
        sketch=sketch,
        n_copies=float(table.n_rows if rows.frequencies is None else rows.frequencies.sum()),
    )


def _scale(table: MemoryTable, probabilities: Array | None, totals: Array) -> float:
    """Return the mean of sampling weights over trials; 1 where there are none."""
    if probabilities is None:
        return 1.0
    if not table.is_grouped:
        return float(totals.sum()) / table.n_rows
    assert table.targets is not None
    counts = table.targets if table.positive_rows is None else table.targets[table.positive_rows]
    return float(totals.sum() / (counts.sum(axis=1) / probabilities).sum())


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


def _joined(first: Array, second: Array) -> Array:
    """Return an orthonormal basis of the span of two sets of directions of about unit length."""
    return column_space(np.column_stack([first, second]), 1e-8)


def _codes(fitted: Regression) -> NDArray[np.int8]:
    """Return the code of each contrast to the reference class, in the user's units."""
    recession, link = fitted.maximum.recession, fitted.link.as_contrasts()
    if recession is None:
        return np.zeros((link.n_classes - 1) * fitted.units.n_coefficients, dtype=np.int8)
    reference = link.reference or 0
    return against(recession.pairs, link.n_classes, reference).ravel()


def _proof(fitted: Regression) -> Array | None:
    """Return directions of contrasts, (m, g), that show the codes of infinite estimates; None where floats do not."""
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
    return directions if shown else None
