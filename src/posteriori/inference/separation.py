"""Separation decided by a linear programme, for the fits whose overlap the last sweep could not prove."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.optimize import linprog

from posteriori.kernels.design import DenseDesign, design
from posteriori.links.base import Link
from posteriori.links.logit import Logit
from posteriori.links.softmax import Softmax
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.objectives.prepare import objective_of, survey
from posteriori.tables.block import Block
from posteriori.tables.border import read_training

Array = NDArray[np.float64]

#: Rows with which the programme starts, and which each round adds.
ROUND_ROWS = 4000
#: Gain (with the direction scaled so that separated rows gain at least 1) below which a row stays put.
STILL = 1e-6


@dataclass(frozen=True)
class Separation:
    """Whether, and by what, the classes are separated.

    Parameters
    ----------
    kind : "none" | "quasi" | "complete"
    columns : names (or indices) of columns along which the likelihood has no maximum
    rows : numbers of the rows whose class a separating direction tells
    direction : (K, d + 1) a separating direction on standardised columns, intercept first
    """

    kind: Literal["none", "quasi", "complete"]
    columns: tuple[str | int, ...] = ()
    rows: tuple[int, ...] = ()
    direction: Array | None = None


def separation(X: Any, y: Any, sample_weight: Any = None) -> Separation:
    """Say whether a direction separates the classes, so that the likelihood has no maximum.

    Parameters
    ----------
    X : (n, d) rows
    y : (n,) labels, or class counts
    sample_weight : (n,) rows of weight zero are not looked at

    Examples
    --------
    >>> separation([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).kind
    'complete'
    >>> separation([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]).kind
    'none'
    """

    class Asker:
        """Who asks, in messages."""

    reading = read_training(Asker(), X, y, sample_weight, sparse=True, allow_counts=True)
    K = reading.targets.n_classes
    link: Link = Logit() if K == 2 else Softmax(K, reference=0)
    objective = objective_of(survey(reading.table), link, None, True, 0)
    return separation_of(objective)


def separation_of(objective: PenalizedLikelihood) -> Separation:
    """Solve max sum t subject to 0 <= t <= 1 and each row's own class gaining at least t on every other.

    A direction b with no row losing and some row gaining exists exactly when the optimum is positive; rows with
    t > 0 are those some such direction tells. Rows enter as they are violated, so few of many are ever in it.
    """
    n = objective.engine.table.n_rows
    rows = np.unique(np.linspace(0, n - 1, min(n, ROUND_ROWS)).astype(np.intp))
    while True:
        direction, told = _programme(objective, rows)
        if not told.any():
            return Separation("none")
        gains = _gains(objective, direction)
        worst = np.flatnonzero(gains[:, 0] < -STILL)
        if not len(worst):
            return _verdict(objective, direction, gains)
        rows = np.union1d(rows, worst[np.argsort(gains[worst, 0], kind="stable")[:ROUND_ROWS]])


def _programme(objective: PenalizedLikelihood, rows: NDArray[np.intp]) -> tuple[Array, NDArray[np.bool_]]:
    """Solve the programme over some rows; give the direction (q, p) and which constraints can gain."""
    A = _constraints(objective, rows)
    m, width = A.shape
    # variables: b free, then t in [0, 1]; A b >= t
    upper = sp.hstack([sp.csr_array(-A), sp.eye_array(m)], format="csr")
    cost = np.concatenate([np.zeros(width), -np.ones(m)])
    held = objective.prior.matrix() if not objective.prior.is_flat else np.zeros((0, width))
    held = held[np.abs(held).any(axis=1)]
    equal = sp.hstack([sp.csr_array(held), sp.csr_array((len(held), m))], format="csr") if len(held) else None
    result = linprog(
        cost,
        A_ub=upper,
        b_ub=np.zeros(m),
        A_eq=equal,
        b_eq=np.zeros(len(held)) if len(held) else None,
        bounds=[(None, None)] * width + [(0.0, 1.0)] * m,
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result.x is None:  # pragma: no cover - the programme is feasible (b = 0) and bounded
        raise RuntimeError(f"the linear programme of separation failed: {result.message}")
    return result.x[:width].reshape(objective.link.n_scores, -1), result.x[width:] > 0.5


def _pairs(counts: Array) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """List (row, own class, other class) for every class counted in a row and every other class."""
    K = counts.shape[1]
    row, own = np.nonzero(counts > 0)
    other = np.broadcast_to(np.arange(K), (len(row), K))
    keep = other != own[:, None]
    return np.repeat(row, K - 1), np.repeat(own, K - 1), other[keep]


def _constraints(objective: PenalizedLikelihood, rows: NDArray[np.intp]) -> Array:
    """Lay out the rows (own minus other class) x design that a direction must not make negative."""
    table, units, link = objective.engine.table, objective.units, objective.link
    block = _rows(table, rows)
    features = block.features if isinstance(block.features, np.ndarray) else block.features.toarray()
    dense = design(features, units.centre, units.scale, units.intercept)
    assert isinstance(dense, DenseDesign)
    row, own, other = _pairs(block.counts(link.n_classes))
    each = link.spread(np.eye(link.n_scores)).T  # (K, q): each class's predictor in the q scores
    signs = each[own] - each[other]
    constraints = (signs[:, :, None] * dense.rows[row][:, None, :]).reshape(len(row), -1)
    return np.unique(constraints, axis=0)


def _rows(table: Any, rows: NDArray[np.intp]) -> Block:
    kept = rows if table.kept is None else table.kept[rows]
    pick = [None if part is None else part[kept] for part in (table.targets, table.weights, table.offset)]
    return Block(table.features.rows(kept), pick[0], pick[1], pick[2], 0)


def _gains(objective: PenalizedLikelihood, direction: Array) -> Array:
    """Give for each row the least and the most its own classes gain on others along a direction, (n, 2)."""
    units, link = objective.units, objective.link

    def gain(block: Block) -> Array:
        moved = link.spread(design(block.features, units.centre, units.scale, units.intercept).scores(direction))
        seen = block.counts(link.n_classes) > 0
        row, own, other = _pairs(seen.astype(np.float64))
        lead = moved[row, own] - moved[row, other]
        least, most = np.full(len(moved), np.inf), np.full(len(moved), -np.inf)
        np.minimum.at(least, row, lead)
        np.maximum.at(most, row, lead)
        return np.column_stack([least, most])

    return objective.engine.map(gain)


def _verdict(objective: PenalizedLikelihood, direction: Array, gains: Array) -> Separation:
    """Complete when every row gains on every other class; the columns are those the direction moves."""
    complete = bool((gains[:, 0] > STILL).all())
    table, units = objective.engine.table, objective.units
    weights = direction[:, int(units.intercept) :]
    moved = np.flatnonzero(np.abs(weights).max(axis=0) > 1e-9 * max(float(np.abs(direction).max()), 1e-300))
    told = np.flatnonzero(gains[:, 1] > STILL)
    numbers = told if table.kept is None else table.kept[told]  # type: ignore[attr-defined]
    return Separation(
        kind="complete" if complete else "quasi",
        columns=tuple(table.schema.columns[j].name for j in moved),
        rows=tuple(int(i) for i in numbers),
        direction=direction,
    )
