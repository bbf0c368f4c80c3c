"""`Information`: what a fit keeps of its likelihood's curvature, and how it is summed."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.engines.base import Engine
from posteriori.inference.regression import Regression
from posteriori.links.base import Link
from posteriori.links.softmax import Softmax
from posteriori.priors.base import Quadratic
from posteriori.sweeps.information import InformationSweep
from posteriori.tables.complaints import choice
from posteriori.tables.table import MemoryTable
from posteriori.tables.units import Units

Array = NDArray[np.float64]

#: Work (rows times squared coefficients) up to which "auto" sums the information within fit.
CHEAP = 1e9
#: Coefficients up to which a model file holds the information.
STORED = 2000
#: Values of the `inference` parameter, and of `weights`.
INFERENCE = ("auto", True, False)
WEIGHTS = ("frequency", "importance")
#: Curvature along a direction, on standardised columns, that rows fitted to a misfit of 1e-9 may leave.
VANISHED = 1e-6


@dataclass(frozen=True)
class Sums:
    """Sums over the rows at the maximum, (m, m) each: coefficients are contrasts, in the units of the fit."""

    observed: Array
    expected: Array
    meat: Array


@dataclass(frozen=True)
class Information:
    """What inference needs of a fit, in contrasts to the reference class and in the units of the fit.

    m = (K - 1) p coefficients, class by class, the intercept first.

    Parameters
    ----------
    loss : minus the log likelihood of the rows, without binomial coefficients
    n_rows : rows of positive weight
    n_free : coefficients that the data (and a prior) tell apart
    totals : (K,) weight of each class
    scale : what model-based covariances are multiplied by: 1, or of importance weights their mean
    aliased : (m, a) orthonormal directions along which the likelihood is flat
    vanished : (m, b) orthonormal directions along which it rises for ever
    infinite : (m,) sign of each contrast that has no finite estimate, in the user's units
    prior : the penalty on the link's own coefficients, None where there is none
    sums : None where fit did not sum them
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
    sums: Sums | None

    @property
    def null(self) -> Array:
        """Directions without a finite, unique estimate, (m, a + b)."""
        return _joined(self.aliased, self.vanished) if self.vanished.shape[1] else self.aliased

    def for_storage(self) -> "Information":
        """Give what a model file holds: sums only while they are small."""
        return self if len(self.infinite) <= STORED else replace(self, sums=None)


def contrasted(link: Link) -> Link:
    """Give the link of the same probabilities whose scores are contrasts: K softmax vectors become K - 1."""
    return Softmax(link.classes, reference=0) if isinstance(link, Softmax) and link.reference is None else link


def contrasts(link: Link, w: Array) -> Array:
    """Give coefficients (q, p) of a link as contrasts to the reference class, (K - 1, p)."""
    target = contrasted(link)
    return w if target is link else target.narrow(w)


def sum_information(engine: Engine, link: Link, units: Units, w: Array, importance: Array | None) -> tuple[float, Sums]:
    """Sum loss, informations and meat over a table: one sweep; link and w are those of contrasts."""
    sweep = InformationSweep(link, units, w, engine.table.size, importance)
    loss, observed, expected, meat = (part.values for part in engine.run(sweep).parts)
    return float(loss[0]), Sums(observed, expected, meat)


def information_of(fitted: Regression, wanted: Any, importance: Array | None) -> Information:
    """Give the information of a fit, its sums only where `wanted` is True or they are cheap.

    `importance` are the rows' weights where they are no frequencies, (n,).
    """
    choice("inference", wanted, INFERENCE)
    objective, link, units = fitted.found.objective, contrasted(fitted.link), fitted.units
    w = contrasts(fitted.link, fitted.w)
    table = objective.engine.table
    assert isinstance(table, MemoryTable)
    cheap = w.size <= STORED and table.n_rows * float(w.size) ** 2 <= CHEAP
    sums = None
    if wanted is True or (wanted == "auto" and cheap):
        _, sums = sum_information(objective.engine, link, units, w, importance)
    vanished = np.zeros((w.size, 0))
    if fitted.found.status == "separated" and sums is not None:
        light = min(1.0, float(fitted.totals.sum()) / table.n_rows)
        vanished = _vanished(sums.observed, VANISHED * light)
    return Information(
        loss=fitted.found.point.loss,
        n_rows=table.n_rows,
        n_free=fitted.n_free,
        totals=fitted.totals,
        scale=1.0 if importance is None else float(fitted.totals.sum()) / units_seen(table, importance),
        aliased=_flat_directions(fitted),
        vanished=vanished,
        infinite=_infinite(fitted),
        prior=None if objective.prior.is_flat else objective.prior,
        sums=sums,
    )


def units_seen(table: MemoryTable, importance: Array) -> float:
    """Count what was seen, apart from how much each is to count: rows, or their class counts."""
    assert table.targets is not None
    if table.targets.ndim == 1:
        return float(table.n_rows)
    counted = table.targets if table.kept is None else table.targets[table.kept]
    return float((counted.sum(axis=1) / importance).sum())


def penalty_of(prior: Quadratic, link: Link) -> Array:
    """Give the curvature of a prior on a link's coefficients as one on contrasts, (m, m).

    The part of K vectors common to all, which the likelihood does not see, is integrated out: with w = A c + B s,
    the penalty on c is A'PA - A'PB (B'PB)^+ B'PA.
    """
    P, target = prior.matrix(), contrasted(link)
    if target is link:
        return P
    p = len(P) // link.n_scores
    A = np.kron(target.spread(np.eye(target.n_scores)).T, np.eye(p))
    B = np.kron(np.ones((link.n_scores, 1)), np.eye(p))
    held = A.T @ P @ B
    penalty: Array = A.T @ P @ A - held @ np.linalg.pinv(B.T @ P @ B, hermitian=True) @ held.T
    return penalty


def _flat_directions(fitted: Regression) -> Array:
    """Give the gauge of the fit (aliased columns) in contrasts, orthonormal."""
    gauge, q = fitted.found.objective.gauge, fitted.link.n_scores
    p = fitted.units.n_coefficients
    moved = [contrasts(fitted.link, column.reshape(q, p)).ravel() for column in gauge.T]
    m = (fitted.link.n_classes - 1) * p
    return _joined(np.zeros((m, 0)), np.array(moved).T if moved else np.zeros((m, 0)))


def _joined(first: Array, second: Array) -> Array:
    """Give an orthonormal basis of what two sets of directions span."""
    spanning = np.column_stack([first, second])
    if not spanning.any():
        return spanning[:, :0]
    left, values, _ = np.linalg.svd(spanning, full_matrices=False)
    basis: Array = left[:, values > 1e-8]  # both are of unit columns: what is shorter is rounding
    return basis


def _vanished(observed: Array, threshold: float) -> Array:
    """Give the directions along which hardly any curvature is left: those in which the maximum is at infinity."""
    values, vectors = np.linalg.eigh(observed)
    found: Array = vectors[:, values <= threshold]
    return found


def _infinite(fitted: Regression) -> NDArray[np.int8]:
    """Give the sign of each contrast along a separating direction, 0 where it stays."""
    separation = fitted.found.separation
    p = fitted.units.n_coefficients
    if separation is None or separation.direction is None:
        return np.zeros((fitted.link.n_classes - 1) * p, dtype=np.int8)
    lead, weights = fitted.units.to_data(contrasts(fitted.link, separation.direction))
    whole = weights * fitted.units.scale
    if fitted.units.intercept:
        whole = np.column_stack([lead, whole])
    large = np.abs(whole) > 1e-7 * np.abs(whole).max()
    return np.where(large, np.sign(whole), 0).astype(np.int8).ravel()
