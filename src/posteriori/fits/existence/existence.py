"""Whether a maximum exists: proved by the fit itself, or decided exactly."""

from dataclasses import replace

import numpy as np

from posteriori.arrays import Array
from posteriori.fits.existence.overlap import overlap_is_proved
from posteriori.fits.existence.separation import Separation, separation_within
from posteriori.messages.errors import NotIdentifiedWarning
from posteriori.messages.notes import Note
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.priors.penalized_space import PenalizedSpace, penalized_space
from posteriori.solvers.base import Solution
from posteriori.solvers.select import DENSE_LIMIT

#: Operations of exact arithmetic that a fit may spend on whether its maximum exists: about as many seconds as millions.
EXACT_WORK = 1e6
#: Odds of a wrong class above which rows are so far from separated that the search starts from the fit.
NEAR_ODDS = 1e-9
#: Why a fit is not called converged whose existence is not decided.
DIVERGING = (
    "existence not decided, and some rows fit with odds of a wrong class of {:.1e}, as where classes are separated"
)
#: The note where it is not known whether the classes are separated.
UNDECIDED = Note(
    code="existence-not-decided",
    message="existence not decided: whether the classes are separated, so that some estimates are infinite, would have "
    "taken far longer to decide than the fit. coef_ holds the point where the solver stopped.",
    remedy="Give a prior, such as prior=GaussianPrior(sd=2.5, units='sd') or prior='jeffreys', use fewer columns, or "
    "call posteriori.separation(X, y), which has no limit.",
    category=NotIdentifiedWarning,
)


def existence_of(objective: PenalizedLikelihood, near: Array | None) -> Separation | bool | None:
    """Return True where a maximum is proved to exist, how the classes are separated, or None if unknown.

    `near` are coefficients close to a maximum, where they are known.
    """
    if not _may_be_separated(objective):
        return True
    if objective.n_parameters > DENSE_LIMIT:
        return None
    if near is not None and overlap_is_proved(objective, near):
        return True
    separation = separation_within(objective, EXACT_WORK, near)
    if separation is None or separation.kind == "none":
        return None if separation is None else True
    return separation if _is_certain(objective) else None


def doubted(solution: Solution, odds: float) -> Solution:
    """Return the solution of a fit whose existence is not decided: not converged where rows fit as if separated."""
    if odds >= NEAR_ODDS:
        return solution
    return replace(solution, converged=False, reason=DIVERGING.format(odds))


def undecided_note(objective: PenalizedLikelihood) -> Note:
    """Return the note on a fit whose existence is not decided."""
    if _is_certain(objective):
        return UNDECIDED
    return replace(
        UNDECIDED,
        message="existence not decided: the prior's precision matrix is singular to rounding, and along directions "
        "that it hardly penalises the classes are separated. coef_ holds the point where the solver stopped.",
        remedy="Give a precision matrix that penalises every direction, or one that is exactly singular.",
    )


def _may_be_separated(objective: PenalizedLikelihood) -> bool:
    """Return whether the prior leaves directions free, other than intercepts, in which there could be no maximum."""
    q, p = objective.link.n_scores, objective.units.n_coefficients
    if objective.prior.is_flat:
        return True
    penalized = _penalized(objective)
    if penalized.leaves_only(np.arange(0, q * p, p) if objective.units.intercept else np.zeros(0, dtype=np.intp)):
        return False
    # a posterior that is the prior of further rows is known to rounding, and so are the directions it leaves free
    return objective.stated is not None or q < objective.link.n_classes or not penalized.leaves_only_common(q)


def _is_certain(objective: PenalizedLikelihood) -> bool:
    return objective.prior.is_flat or _penalized(objective).certain


def _penalized(objective: PenalizedLikelihood) -> PenalizedSpace:
    return penalized_space(objective.stated or objective.prior)
