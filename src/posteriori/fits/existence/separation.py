"""Separation of the classes: decided exactly, and reported by column, row and class."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from posteriori.arrays import Array
from posteriori.engines.select import engine_for
from posteriori.fits.existence.exact.decide import Decision, decide, floats_over
from posteriori.fits.existence.exact.integers import Work, WorkLimitError
from posteriori.fits.existence.exact.rows import RawRows
from posteriori.fits.existence.rank import find_aliases, gauge_of, triangle_of
from posteriori.input.training import read_training
from posteriori.linalg.subspaces import column_space, null_space
from posteriori.links.catalogue import canonical_link
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.objectives.prepare import objective_of, survey

#: Gain above which a row is separated along a direction scaled so that the least gain of separated rows is 1.
SEPARATED_GAIN = 0.5
#: Part of a coefficient along a space below which it does not move.
MOVED = 1e-9


@dataclass(frozen=True)
class Separation:
    """Whether, and by what, the classes are separated.

    Parameters
    ----------
    kind : "none" | "quasi" | "complete"
    columns : names (or indices) of the columns with no finite estimate: those that some separating direction moves
    rows : numbers of the rows that a separating direction separates from another class
    classes : pairs of classes of which some rows are separated
    direction : (q, p) a direction on standardised columns, intercept first, along which every separated
        row gains at least 1 and no other row moves
    space : (q p, l) basis of all directions that move no other row
    decided : the same in exact arithmetic
    """

    kind: Literal["none", "quasi", "complete"]
    columns: tuple[str | int, ...] = ()
    rows: tuple[int, ...] = ()
    classes: tuple[tuple[Any, Any], ...] = ()
    direction: Array | None = field(default=None, repr=False)
    space: Array | None = field(default=None, repr=False)
    decided: Decision | None = field(default=None, repr=False, compare=False)

    def named(self, labels: list[Any]) -> "Separation":
        """Return the same with classes by label instead of by number."""
        return replace(self, classes=tuple((labels[a], labels[b]) for a, b in self.classes))


def separation(X: Any, y: Any, sample_weight: Any = None) -> Separation:
    """Return whether a direction separates the classes, so that the likelihood has no maximum.

    A direction b separates where no row's own class loses on another along it, x'(b_own - b_other) >= 0, and some
    row gains. Whether one exists does not depend on the link, the weights or an offset.

    Parameters
    ----------
    X : (n, d) rows
    y : (n,) labels, or class counts
    sample_weight : (n,) rows of weight zero are left out

    Examples
    --------
    >>> separation([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).kind
    'complete'
    >>> separation([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]).kind
    'none'
    """

    class Asker:
        """The name that messages mention."""

    reading = read_training(Asker(), X, y, sample_weight, sparse=True, allow_counts=True)
    K = reading.targets.n_classes
    link = canonical_link(K)
    objective = objective_of(survey(engine_for(reading.table).numbered()), link, None, True, 0)
    factor = triangle_of(objective)
    aliases = find_aliases(factor, objective.units)
    objective = replace(objective, gauge=gauge_of(objective, null_space(factor, len(aliases))))
    return separation_of(objective).named(reading.targets.classes.tolist())


def separation_of(objective: PenalizedLikelihood) -> Separation:
    """Decide exactly whether a direction separates the rows of an objective, and by what."""
    separation = separation_within(objective, np.inf)
    assert separation is not None
    return separation


def separation_within(objective: PenalizedLikelihood, limit: float, near: Array | None = None) -> Separation | None:
    """Decide exactly, from coefficients `near` a maximum where they are known; None where a limit is exceeded.

    The limit counts operations of exact arithmetic, so that the answer does not depend on the speed of the machine.
    """
    try:
        decision = decide(objective, Work(limit), near)
    except WorkLimitError:
        return None
    return Separation("none") if decision is None else _separation(objective, decision)


def _separation(objective: PenalizedLikelihood, decision: Decision) -> Separation:
    """Return which rows and classes the cone separates, and which columns it moves."""
    table, units = objective.engine.table, objective.units
    direction, basis = floats_over(decision.cone)
    carry = RawRows(objective).to_fit(decision.pairs)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        along = objective.across(carry @ (direction / decision.effect.least))
    if not np.isfinite(along).all():  # no float is that long
        along = objective.across(carry @ direction)
    either = decision.effect.classes | decision.effect.classes.T
    return Separation(
        kind="complete" if decision.effect.complete else "quasi",
        columns=tuple(table.schema.columns[j].name for j in _moved_columns(decision) if j >= 0),
        rows=tuple(table.row_number(int(row)) for row in np.flatnonzero(decision.effect.rows)),
        classes=tuple((int(a), int(b)) for a, b in zip(*np.nonzero(np.triu(either)), strict=True)),
        direction=along.reshape(objective.link.n_scores, units.n_coefficients),
        space=_space(objective.across(carry @ basis)),
        decided=decision,
    )


def _space(basis: Array) -> Array:
    """Return an orthonormal basis of the span of some columns, of which exact elimination made some very long."""
    space = column_space(basis, MOVED, relative=True)
    if space.shape[1] == basis.shape[1]:
        return space
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        size = np.linalg.norm(basis, axis=0)
    used = (size > 0) & np.isfinite(size)
    return column_space(basis[:, used] / size[used], MOVED, relative=True)


def _moved_columns(decision: Decision) -> list[int]:
    """Return the columns that any direction of the cone moves, -1 for the intercept: exactly."""
    coordinates, shaped = (
        decision.pairs.coordinates,
        decision.cone.basis.reshape(decision.pairs.n_scores, decision.pairs.p, -1),
    )
    if (decision.pairs.blocks >= 0).all():
        shaped = shaped[1:] - shaped[:1]  # of K vectors the part common to all means nothing
    moved = coordinates.moved(np.concatenate(list(shaped), axis=1))
    return (np.flatnonzero(moved) - coordinates.intercept).tolist()
