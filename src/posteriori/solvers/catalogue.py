"""Solvers by the names that users give. A new one needs a class and one entry in `SOLVERS`."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from posteriori.messages.errors import DataError
from posteriori.solvers.first_order.base import FirstOrder
from posteriori.solvers.first_order.conjugate_gradient import ConjugateGradient
from posteriori.solvers.first_order.gradient import Gradient, PlainGradient
from posteriori.solvers.ordered.online import Online, VarianceReduced


@dataclass(frozen=True)
class NamedSolver:
    """What a name stands for: a summary, and the class; None for Newton's method, of which the shape chooses a variant.

    `fixed_rate` is the class that takes the place of `kind` where the user gives a rate.
    """

    summary: str
    kind: type[FirstOrder] | None = None
    fixed_rate: type[FirstOrder] | None = None


SOLVERS = {
    "auto": NamedSolver("the fastest that reaches the certified optimum"),
    "irls": NamedSolver("iteratively reweighted least squares (Newton-Raphson), exact Hessian at each step"),
    "gradient": NamedSolver("batch gradient ascent, with a safe step or a fixed rate", Gradient, PlainGradient),
    "conjugate-gradient": NamedSolver("nonlinear conjugate gradients", ConjugateGradient),
    "online": NamedSolver("stochastic gradient ascent, one row at a time in random order", VarianceReduced, Online),
}
#: Solvers that use gradients only.
FIRST_ORDER = tuple(name for name, solver in SOLVERS.items() if solver.kind is not None)
#: Solvers that accept a `rate`.
RATED = tuple(name for name, solver in SOLVERS.items() if solver.fixed_rate is not None)


def check_solver(name: str) -> str:
    """Return the name; raise an error that lists the names if there is no such solver."""
    if name not in SOLVERS:
        raise DataError(f"solver={name!r} is none of {', '.join(map(repr, SOLVERS))}.")
    return name


def check_rate(rate: Any, solver: str) -> None:
    """Raise if the rate is not a positive number, or if the solver does not use one."""
    if rate is None:
        return
    if solver not in RATED:
        raise DataError(
            f"rate={rate!r} has no meaning for solver={solver!r}, which chooses its own step lengths; the solvers "
            f"that accept a rate are {', '.join(map(repr, RATED))}."
        )
    number = isinstance(rate, int | float | np.integer | np.floating) and not isinstance(rate, bool)
    if not number or not 0 < rate < np.inf:
        raise DataError(f"rate={rate!r} must be a positive number, or None for a safe step.")


def first_order(
    name: str, *, tol: float, max_iter: int | None, rate: float | None, random: np.random.RandomState | None
) -> FirstOrder:
    """Return the first-order solver of this name, the one with a fixed step where a rate is given."""
    kind = SOLVERS[name].kind if rate is None else SOLVERS[name].fixed_rate
    assert kind is not None
    settings: dict[str, Any] = {
        "rate": rate,
        "random": np.random.RandomState(0) if random is None else random,
        "max_iter": max_iter,
    }
    known = {each.name for each in fields(kind)}
    return kind(tol=tol, **{key: value for key, value in settings.items() if key in known and value is not None})
