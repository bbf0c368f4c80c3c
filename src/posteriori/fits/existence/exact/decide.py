"""The cone of separating directions of all rows, of which a subset may suffice."""

from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Codes, Indices, Mask
from posteriori.fits.existence.exact.coordinates import Coordinates
from posteriori.fits.existence.exact.directions import RecessionCone, floats_of, leaves_alone, signs
from posteriori.fits.existence.exact.integers import Work
from posteriori.fits.existence.exact.pairs import Pairs
from posteriori.fits.existence.exact.proposals import cone_of
from posteriori.fits.existence.exact.rows import RawRows, merged
from posteriori.objectives.penalized import PenalizedLikelihood

#: Rows of the first subset: a number, and a number per column; and rows that each round adds at least.
SOME, PER_COLUMN, ROUND = 4000, 30, 4000
#: Multiple of the first subset up to which all rows are used at once.
ALL = 4
#: Rows read at a time.
CHUNK = 16_384


@dataclass(frozen=True)
class Effect:
    """The effect of a cone on rows.

    Parameters
    ----------
    rows : (n,) whether a row gains on any class
    complete : whether every row gains on every other class
    classes : (K, K) whether any row of a class gains on another
    least : the least gain, in floats of `RecessionCone.direction`
    missed : rows that lose, or that move along the basis of the cone but not along its direction
    """

    rows: Mask
    complete: bool
    classes: NDArray[np.bool_]
    least: float
    missed: Indices

    def joined(self, other: "Effect") -> "Effect":
        """Return the effect on these rows and those after them."""
        return Effect(
            np.concatenate([self.rows, other.rows]),
            self.complete and other.complete,
            self.classes | other.classes,
            min(self.least, other.least),
            np.concatenate([self.missed, other.missed]),
        )


@dataclass(frozen=True)
class Decision:
    """The cone of all rows, the pairs that determine it, its effect on every row, and whether those are all pairs."""

    cone: RecessionCone
    pairs: Pairs
    effect: Effect
    whole: bool


def decide(objective: PenalizedLikelihood, work: Work, near: Array | None = None) -> Decision | None:
    """Return the cone of separating directions, or None where no direction separates.

    Rows that lose along the cone of a subset, or could still gain, join the subset; each round adds rows, so the rounds
    end. A cone without directions over some rows has none over all. The search starts from coefficients `near` a
    maximum, where they are known.
    """
    every = RawRows(objective)
    together = SOME + PER_COLUMN * every.units.n_coefficients
    together = every.n if every.n <= ALL * together else together
    subset = np.unique(np.linspace(0, every.n - 1, together).astype(np.intp))
    while True:
        whole = len(subset) == every.n
        x, classes, back = merged(*every.read(subset))
        pairs = every.pairs(x, classes, every.coordinates(x, whole))
        cone = cone_of(pairs, every.from_fit(pairs, near), work)
        if not cone.basis.shape[1] or (whole and not cone.gained.any()):
            return None
        effect = _effect_on(pairs, cone, cone.gained, back) if whole else _effect(every, pairs.coordinates, cone, work)
        if not len(effect.missed):
            return Decision(cone, pairs, effect, whole) if effect.rows.any() else None
        subset = np.union1d(subset, effect.missed[: max(ROUND, len(subset))])


def _effect(every: RawRows, coordinates: Coordinates, cone: RecessionCone, work: Work) -> Effect:
    """Return the effect of a cone on all rows, read in chunks."""
    parts = []
    for start in range(0, every.n, CHUNK):
        rows = np.arange(start, min(start + CHUNK, every.n))
        x, classes = every.read(rows)
        pairs = every.pairs(x, classes, coordinates)
        sign = signs(pairs, cone.direction, work)
        level = np.flatnonzero(sign == 0)
        alone = leaves_alone(pairs, level, cone.basis, work)
        worst = np.zeros(len(rows), dtype=bool)
        bad = np.concatenate([np.flatnonzero(sign < 0), level[~alone]])
        worst[pairs.row[bad[bad < pairs.n_pairs]]] = True
        part = _effect_on(pairs, cone, sign > 0, np.arange(len(rows)))
        parts.append(Effect(part.rows, part.complete, part.classes, part.least, rows[worst]))
    return reduce(Effect.joined, parts)


def _effect_on(pairs: Pairs, cone: RecessionCone, gained: Mask, back: Indices) -> Effect:
    """Return the effect on rows, from the constraints that gain."""
    m, K = pairs.n_pairs, len(pairs.blocks)
    won = gained[:m]
    rows = np.zeros(len(pairs.x), dtype=bool)
    rows[pairs.row[won]] = True
    classes = np.zeros((K, K), dtype=bool)
    classes[pairs.own[won], pairs.other[won]] = True
    gains = pairs.gains(floats_of(cone.direction))[:m][won]
    least = float(np.min(gains[gains > 0], initial=np.inf))
    return Effect(rows[back], bool(won.all()), classes, least, np.array([], dtype=np.intp))


def floats_over(cone: RecessionCone) -> tuple[Array, Array]:
    """Return the direction and the basis of a cone as floats, each of them with its largest entry near one."""
    return floats_of(cone.direction), np.column_stack([floats_of(column) for column in cone.basis.T])


def separated_classes(every: RawRows, decision: Decision, row: Indices, own: Codes) -> Mask:
    """Return whether rows, for one of the classes of each, are separated from each class, (m, K).

    Only for a decision by all rows at once.
    """
    assert decision.whole
    x, _, back = merged(*every.read(np.arange(every.n)))
    K, pairs = every.link.n_classes, decision.pairs
    place = np.zeros((len(x), K), dtype=np.intp)
    place[pairs.row[:: K - 1], pairs.own[:: K - 1]] = np.arange(pairs.n_pairs // (K - 1))
    gained = np.zeros((pairs.n_pairs // (K - 1), K), dtype=bool)
    gained[place[pairs.row, pairs.own], pairs.other] = decision.cone.gained[: pairs.n_pairs]
    return gained[place[back[row], own]]
