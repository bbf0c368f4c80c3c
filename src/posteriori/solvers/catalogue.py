"""Solvers by the names of the books."""

import numpy as np

from posteriori.solvers.first_order.base import FirstOrder
from posteriori.solvers.first_order.conjugate_gradient import ConjugateGradient
from posteriori.solvers.first_order.gradient import Gradient, PlainGradient
from posteriori.solvers.ordered.online import Online, VarianceReduced

#: What to do when a solver has not arrived, by its name and whether a rate was given.
CURES = {
    ("gradient", True): "Give a smaller rate if the objective went up, raise max_iter if it did not; rate=None takes "
    "steps that are safe.",
    ("online", True): "Give a smaller rate if the objective went up; otherwise raise tol, since noise keeps steps of a "
    "fixed schedule from arriving. rate=None takes steps whose noise fades.",
}
#: The same where nothing more is to be said of a solver.
CURE = "Raise max_iter, or tol if fewer digits will do; solver='auto' needs fewer sweeps."


def first_order(
    name: str, *, tol: float, max_iter: int | None, rate: float | None, random: np.random.RandomState | None
) -> FirstOrder:
    """Give the first-order solver of a name: safe where no rate is given, the book's own rule with one."""
    random = np.random.RandomState(0) if random is None else random
    limit = {} if max_iter is None else {"max_iter": max_iter}
    if name == "conjugate-gradient":
        return ConjugateGradient(tol=tol, **limit)
    if name == "gradient":
        return Gradient(tol=tol, **limit) if rate is None else PlainGradient(tol=tol, rate=float(rate), **limit)
    if rate is None:
        return VarianceReduced(tol=tol, random=random, **limit)
    return Online(tol=tol, random=random, rate=float(rate), **limit)


def cure_of(name: str, rate: float | None) -> str:
    """Say what to do about a solver that has not arrived."""
    return CURES.get((name, rate is not None), CURE)
