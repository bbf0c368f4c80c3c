"""The coefficients of separated classes that go to plus infinity, to minus infinity, or are not identified.

The recession cone C consists of the directions along which no row's likelihood falls. The supremum and the infimum of a
coefficient over C are 0 or infinite. Where only one of them is infinite, the coefficient goes to that infinity; where
both are, every value of it fits equally well in the limit and it is not identified.
"""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.fits.existence.cone_signs import ConeSigns
from posteriori.fits.existence.exact.rows import RawRows
from posteriori.fits.existence.separation import Separation
from posteriori.models.infinite_codes import Codes, against, class_pairs, negated
from posteriori.objectives.penalized import PenalizedLikelihood

#: Multiplications that the projections of all coefficients may take together.
WORK = 3e9


@dataclass(frozen=True)
class Recession:
    """The codes of all coefficients, the intercept first.

    Parameters
    ----------
    own : (C, p) by class, as ``coef_`` has them: C is 1 for one score, else K
    pairs : (K (K - 1) / 2, p) of each class b against each class a < b, in the order of `class_pairs`
    directions : (q p, g) directions of the cone, in the units of the fit, that prove the codes
    """

    own: Codes
    pairs: Codes
    directions: Array


def recession_of(objective: PenalizedLikelihood, separation: Separation, work: float = WORK) -> Recession:
    """Return the codes of all coefficients of separated classes.

    Parameters
    ----------
    objective : of the fit
    separation : of its rows
    work : multiplications after which coefficients are left undecided; the same on every machine
    """
    assert separation.decided is not None
    link = objective.link
    cone = ConeSigns(RawRows(objective), separation.decided, work)
    K, q = link.n_classes, link.n_scores
    if q == 1:
        codes = cone.codes(np.ones(1))[None]
        return Recession(codes, codes, _directions(objective, cone))
    each = link.expand(np.eye(q)).T  # (K, q): the predictor of each class in the q scores
    pairs = np.zeros((K * (K - 1) // 2, objective.units.n_coefficients), dtype=np.int8)
    for i, (a, b) in enumerate(class_pairs(K)):
        # b - a is (b - 0) + (0 - a), whose codes come first
        pairs[i] = cone.codes(each[b] - each[a], [pairs[b - 1], negated(pairs[a - 1])] if a else [])
    if q < K:
        own = [cone.codes(row) for row in each]
    else:
        own = [cone.codes(K * row - 1.0, [*negated(against(pairs, K, k))]) for k, row in enumerate(each)]
    return Recession(np.array(own, dtype=np.int8), pairs, _directions(objective, cone))


def _directions(objective: PenalizedLikelihood, cone: ConeSigns) -> Array:
    """Return the known directions of a cone in the units of the fit, (q p, g)."""
    carry = RawRows(objective).to_fit(cone.decided.pairs)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        directions: Array = carry @ (cone.span @ cone.known_directions())
    return directions
