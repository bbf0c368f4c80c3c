"""Rules for what solvers leave behind: the way of a fit, and the state of on-line learning."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.solvers.ordered.online_pass import OnlineState
from posteriori.solvers.trace import Trace
from posteriori.storage.requirements import finite, instance, natural, numbers, wrong


def trace(value: Trace, where: str) -> None:
    """Ask for one number of each kind, and one set of weights, a step."""
    n = len(value.objective)
    for name in ("objective", "gradient_norm", "rate"):
        numbers(getattr(value, name), (n,), f"{where}.{name}")
    if value.weights.ndim not in (2, 3) or not n:
        wrong(f"{where}.weights", "is not by step and weight, or empty")
    numbers(value.weights, (n, *value.weights.shape[1:]), f"{where}.weights")


def online_state(value: OnlineState, where: str) -> None:
    """Ask for weights over the columns of the units, and a first step."""
    shape = (len(value.w), value.units.n_coefficients)
    finite(value.w, shape, f"{where}.w")
    finite(value.average, shape, f"{where}.average")
    natural(value.rows, f"{where}.rows")
    finite(np.array([value.rate]), (1,), f"{where}.rate")
    if value.rate <= 0:
        wrong(f"{where}.rate", "is not positive")


def left_behind(model: Any, where: str) -> None:
    """Ask that a regression's trace and state are for its own classes and columns."""
    n_rows, d = model.coef_.shape
    if hasattr(model, "trace_"):
        instance(model.trace_, Trace, f"{where}.trace_")
        if model.trace_.weights.shape[1:] != ((d + 1,) if n_rows == 1 else (n_rows, d + 1)):
            wrong(f"{where}.trace_", "is not for the model's weights")
    if hasattr(model, "state_"):
        instance(model.state_, OnlineState, f"{where}.state_")
        if model.state_.w.shape != model.scores_.w.shape:
            wrong(f"{where}.state_", "is not for the model's weights")


#: By the name of the class.
SOLVER_RULES: dict[str, Callable[[Any, str], None]] = {"Trace": trace, "OnlineState": online_state}
