"""The cone of constraints: proposed by a barrier's iterates and verified exactly, or by an exact simplex method."""

from fractions import Fraction
from itertools import islice

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import Array, Indices, Mask
from posteriori.fits.existence.exact.barrier import Barrier, Logistic, iterates, solve_stiffened
from posteriori.fits.existence.exact.dependence import nearly_dependent
from posteriori.fits.existence.exact.directions import RecessionCone, floats_of, in_span, leaves_alone, signs
from posteriori.fits.existence.exact.integers import Integers, Work, common_denominator, identity, zeros
from posteriori.fits.existence.exact.multipliers import annihilated, proves
from posteriori.fits.existence.exact.pairs import Pairs
from posteriori.fits.existence.exact.simplex import exact_cone

#: Newton steps, and partitions tried, before the simplex method decides.
STEPS, TRIED = 80, 4
#: Squared decrement at which the constraints that gain are first determined, and its factor for each further time.
SMALL, SMALLER = 1e-3, 1e-2
#: Gain of a step above which a constraint is taken to gain.
GAINS = 0.4
#: Part of a coefficient beneath which a null vector does not have it.
NEGLIGIBLE = 1e-9
#: Squared size beneath which a column of constraints depends on others.
DEPENDENT = 1e-9
#: Denominators of the entries of null vectors.
DENOMINATOR = 4096


def cone_of(pairs: Pairs, start: Array, work: Work) -> RecessionCone:
    """Return the cone of constraints, exactly; raise `WorkLimitError` where that would take too much work."""
    cone, weights = proposed(pairs, start, work)
    if cone is not None:
        return cone
    order = np.argsort(-weights, kind="stable")  # those that probably cannot gain come first
    work.spend(2.0 * pairs.size * pairs.width * min(pairs.size, pairs.width))  # at least a few pivots
    direction, basis, gained = exact_cone(pairs.integers(order), work)
    marks = np.zeros(pairs.size, dtype=bool)
    marks[order] = gained
    return RecessionCone(direction, basis, marks)


def proposed(pairs: Pairs, start: Array, work: Work) -> tuple[RecessionCone | None, Array]:
    """Return a cone that the barrier's iterates proposed and that was verified, or None; and the last multipliers."""
    alive = np.ones(pairs.size, dtype=bool)
    tried: list[Mask] = []
    small, state = SMALL, None
    for state in islice(iterates(pairs, alive, start, Logistic()), STEPS):
        if state.gains.min(initial=np.inf) > 0:
            return _complete(pairs, state, work), state.multipliers
        proves_minimum = state.proves_minimum
        if not (proves_minimum or state.stalled or state.decrement2 < small):
            continue
        small *= SMALLER
        gaining = ~alive if proves_minimum else _gaining(pairs, state)
        if not any((gaining == before).all() for before in tried):
            cone = verified(pairs, state, gaining, work)
            if cone is not None:
                return cone, state.multipliers
            tried.append(gaining)
        if state.stalled or len(tried) >= TRIED:
            break
    assert state is not None
    return None, state.multipliers


def _gaining(pairs: Pairs, state: Barrier) -> Mask:
    """Return the constraints that gain in floats: those of the step, then any of the others by themselves."""
    gaining = state.step_gains > GAINS
    more, b = gaining, state.b
    while more.any() and not gaining.all():
        more = np.zeros(pairs.size, dtype=bool)
        for rest in islice(iterates(pairs, ~gaining, b, Logistic()), STEPS // 2):
            if rest.proves_minimum or rest.stalled:
                break
            if rest.decrement2 < SMALL:
                more = (rest.step_gains > GAINS) & ~gaining
                b = rest.b
            if more.any():
                break
        gaining = gaining | more
    return gaining


def _complete(pairs: Pairs, state: Barrier, work: Work) -> RecessionCone | None:
    """Return the cone where an iterate gains on every constraint."""
    basis = identity(pairs.width)
    direction = in_span(basis, state.b)
    if (signs(pairs, direction, work, np.ones(pairs.size, dtype=bool)) > 0).all():
        return RecessionCone(direction, basis, np.ones(pairs.size, dtype=bool))
    return None


def verified(pairs: Pairs, state: Barrier, gaining: Mask, work: Work) -> RecessionCone | None:
    """Return the cone in which these constraints gain, or all of them but a few, where that can be verified."""
    for _ in range(TRIED):
        null_space = _null_space(pairs, ~gaining, work)
        if null_space is None:
            return None
        columns, basis = null_space
        if not basis.shape[1]:
            gaining = np.zeros(pairs.size, dtype=bool)
        direction, gained = _direction(pairs, state, gaining, basis, work)
        if direction is not None:
            return RecessionCone(direction, basis, gaining) if _stay(pairs, state, ~gaining, columns) else None
        if (gained == gaining).all():
            return None
        gaining = gained
    return None


def _stay(pairs: Pairs, state: Barrier, staying: Mask, columns: Indices) -> bool:
    """Return whether it is proved that some constraints cannot gain: by the iterate's own multipliers, or by others."""
    multipliers, weights = np.where(staying, state.multipliers, 0.0), np.where(staying, state.curvature, 0.0)
    known = len(columns) and proves(pairs, staying, columns, multipliers, weights)
    return bool(known) or annihilated(pairs, staying, columns, state.b)


def _null_space(pairs: Pairs, staying: Mask, work: Work) -> tuple[Indices, Integers] | None:
    """Return independent columns of some constraints, and an exact basis of their null space, if verified."""
    gram = pairs.gram(staying.astype(np.float64))
    independent, dependent, shares = nearly_dependent(gram, DEPENDENT)
    basis = zeros((pairs.width, len(dependent)))
    for place, j in enumerate(dependent):
        entries = np.flatnonzero(np.abs(shares[:, place]) > NEGLIGIBLE)
        values = [Fraction(float(v)).limit_denominator(DENOMINATOR) for v in shares[entries, place]]
        whole, denominator = common_denominator(values)
        basis[independent[entries], place] = -whole
        basis[j, place] = denominator
    if not leaves_alone(pairs, np.flatnonzero(staying), basis, work).all():
        return None
    return independent, basis


def _direction(
    pairs: Pairs, state: Barrier, gaining: Mask, basis: Integers, work: Work
) -> tuple[Integers | None, Mask]:
    """Return a direction in the span of a basis that gains on all these constraints, or None and those that gain.

    Where the iterate's own step does not, Newton's method searches for one in the span.
    """
    if not gaining.any():
        return zeros((pairs.width,)), gaining
    spanning = floats_of(basis)
    for start in (state.step, state.b + 10.0 * state.step):
        direction = _projected(spanning, basis, start)
        if (signs(pairs, direction, work, gaining) > 0).all():
            return direction, gaining
    near = spanning @ solve_stiffened(spanning.T @ spanning, spanning.T @ start)
    for step in islice(iterates(pairs, gaining, near, Logistic(), sp.csc_array(spanning)), STEPS):
        if step.gains[gaining].min() > 0:
            direction = _projected(spanning, basis, step.b)
            if (signs(pairs, direction, work, gaining) > 0).all():
                return direction, gaining
        if step.proves_minimum:
            return None, np.zeros(pairs.size, dtype=bool)
        if step.stalled or step.decrement2 < SMALL:
            return None, gaining & (step.step_gains > GAINS)
    return None, gaining


def _projected(spanning: Array, basis: Integers, b: Array) -> Integers:
    """Return a direction in a span near b."""
    coordinates = solve_stiffened(spanning.T @ spanning, spanning.T @ b)
    return in_span(basis, coordinates)
