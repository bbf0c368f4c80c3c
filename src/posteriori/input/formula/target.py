"""The target of a formula in a frame, found again by its name: a column, or ``cbind(successes, failures)``."""

from collections.abc import Sequence
from typing import Any

from posteriori.input.coding.coding import Frame
from posteriori.input.formula.learning import target_columns, target_of
from posteriori.input.formula.parser.nodes import Node
from posteriori.input.formula.parser.terms import read_formula
from posteriori.input.frames.native import pick


def columns_named(target: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that the name of a target stands for: itself, or both of ``cbind(successes, failures)``.

    >>> columns_named("cbind(s, f)", ["s", "f"]), columns_named("y", ["y"])
    (('s', 'f'), ('y',))
    """
    pair = _pair(target, columns)
    return (target,) if pair is None else target_columns(pair)


def pick_target(frame: Frame, y: Any) -> Any:
    """Return the target that a name stands for, a column or the class counts of ``cbind``; else y as it is given."""
    pair = _pair(y, frame.columns) if isinstance(y, str) else None
    return pick(frame, y) if pair is None else target_of(pair, frame)[1]


def _pair(target: str, columns: Sequence[str]) -> Node | None:
    """Read ``cbind(successes, failures)``; return None for the name of a column."""
    if target in columns or not target.lstrip().startswith("cbind("):
        return None
    return read_formula(f"{target} ~ 1").target
