"""Separation decided by a linear programme, for the fits whose overlap the last sweep could not prove."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from posteriori.inference.cone import Cone, cone_of
from posteriori.inference.pairs import Rows, Seen
from posteriori.inference.rank import find_aliases, gauge_of, null_space, triangle_of
from posteriori.links.base import Link
from posteriori.links.logit import Logit
from posteriori.links.softmax import Softmax
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.objectives.prepare import objective_of, survey
from posteriori.tables.border import read_training

Array = NDArray[np.float64]

#: Rows with which the programme starts, and which each round adds.
ROUND_ROWS = 4000
#: Gain above which a direction tells a row: the least gain of a told row is 1.
TOLD = 0.5
#: Part of a coefficient that a space must move for it to move at all.
MOVED = 1e-9


@dataclass(frozen=True)
class Separation:
    """Whether, and by what, the classes are separated.

    Parameters
    ----------
    kind : "none" | "quasi" | "complete"
    columns : names (or indices) of the columns with no finite estimate: those that some separating direction moves
    rows : numbers of the rows whose class a separating direction tells from another
    classes : pairs of classes some of whose rows are told apart
    direction : (q, p) a direction on standardised columns, intercept first, along which every told row gains at
        least 1 and no other row moves
    space : (q p, l) basis of all directions that move no other row
    """

    kind: Literal["none", "quasi", "complete"]
    columns: tuple[str | int, ...] = ()
    rows: tuple[int, ...] = ()
    classes: tuple[tuple[Any, Any], ...] = ()
    direction: Array | None = field(default=None, repr=False)
    space: Array | None = field(default=None, repr=False)

    def named(self, labels: list[Any]) -> "Separation":
        """Give the same with classes by label instead of by number."""
        return replace(self, classes=tuple((labels[a], labels[b]) for a, b in self.classes))


def separation(X: Any, y: Any, sample_weight: Any = None) -> Separation:
    """Say whether a direction separates the classes, so that the likelihood has no maximum.

    A direction b separates where no row's own class loses on another along it, x'(b_own - b_other) >= 0, and some
    row gains. Whether one exists does not depend on the link, the weights or an offset.

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
    link: Link = Logit() if K == 2 else Softmax(K)
    objective = objective_of(survey(reading.table), link, None, True, 0)
    factor = triangle_of(objective)
    aliases = find_aliases(factor, objective.units)
    objective = replace(objective, gauge=gauge_of(objective, null_space(factor, len(aliases))))
    return separation_of(objective).named(reading.targets.classes.tolist())


def separation_of(objective: PenalizedLikelihood) -> Separation:
    """Find the cone of separating directions of all rows, few of which are ever in a programme.

    Rows enter the programme where its direction makes them lose, or where they could still gain: rows that the
    direction leaves alone but the space L of its cone does not. Each round adds rows, so the rounds end; when none
    is left to add, the direction is verified on every row, and every row it leaves alone can never gain.
    """
    every = Rows(objective)
    n, held = every.n, every.held()
    rows = np.unique(np.linspace(0, n - 1, min(n, ROUND_ROWS)).astype(np.intp))
    while True:
        cone = cone_of(every.constraints(rows), held)
        if not cone.space.shape[1]:
            return Separation("none")
        seen = every.seen(cone)
        wanted = np.flatnonzero((seen.loss > 0) | seen.open)
        if np.isin(wanted, rows).all():
            break
        first = wanted[np.argsort(-seen.loss[wanted], kind="stable")]
        rows = np.union1d(rows, first[~np.isin(first, rows)][:ROUND_ROWS])
    if not seen.told.any():
        return Separation("none")
    return _verdict(objective, every, cone, seen)


def _verdict(objective: PenalizedLikelihood, every: Rows, cone: Cone, seen: Seen) -> Separation:
    """Name what the cone tells and moves; complete where it tells every row from every other class."""
    table, units = objective.engine.table, objective.units
    carry = every.to_units()
    direction = objective.fixed(carry @ cone.direction) / seen.least
    space = _spanned(objective.fixed(carry @ cone.space))
    moved = _moved(objective, space)[:, int(units.intercept) :].any(axis=0)
    told = np.flatnonzero(seen.told)
    kept = getattr(table, "kept", None)
    numbers = told if kept is None else kept[told]
    return Separation(
        kind="complete" if seen.complete else "quasi",
        columns=tuple(table.schema.columns[j].name for j in np.flatnonzero(moved)),
        rows=tuple(int(i) for i in numbers),
        classes=seen.pairs,
        direction=direction.reshape(objective.link.n_scores, -1),
        space=space,
    )


def _spanned(directions: Array) -> Array:
    """Give an orthonormal basis of what the columns span."""
    left, values, _ = np.linalg.svd(directions, full_matrices=False)
    basis: Array = left[:, values > MOVED * values[0]]
    return basis


def functionals(objective: PenalizedLikelihood) -> Array:
    """Give each coefficient in the user's units, by class, as a row over those of the fit: (C, p, q p), unit norm.

    C is 1 for one score, else K; of K vectors the part common to all, which means nothing, is taken out.
    """
    link, units = objective.link, objective.units
    each = np.ones((1, 1)) if link.n_scores == 1 else link.spread(np.eye(link.n_scores)).T
    if link.n_scores == link.n_classes:
        each = each - each.mean(axis=0)
    rows = units.jacobian()
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    whole: Array = np.einsum("cq,ij->ciqj", each, rows).reshape(len(each), len(rows), -1)
    return whole


def _moved(objective: PenalizedLikelihood, space: Array) -> NDArray[np.bool_]:
    """Say which coefficients the directions of a space move, (C, p)."""
    moved: NDArray[np.bool_] = np.linalg.norm(functionals(objective) @ space, axis=2) > MOVED
    return moved
