"""The target of a formula: a column of the frame, or ``cbind(successes, failures)``."""

from collections.abc import Sequence
from typing import Any

from posteriori.input.coding.coding import Frame
from posteriori.input.formula.expression import called
from posteriori.input.formula.parser.nodes import Node
from posteriori.input.formula.parser.terms import read_formula
from posteriori.input.formula.parser.tokens import shortened
from posteriori.input.frames.native import no_column, pick
from posteriori.input.targets import counts
from posteriori.messages.errors import DataError


def target_of(target: Node, frame: Frame) -> tuple[str, Any]:
    """Return the name and the values of a target: a column, or ``cbind(successes, failures)`` for grouped data as in R.

    The values of a column are its name once more, those of grouped data are class counts.
    """
    columns = target_columns(target)
    for name in columns:
        if name not in frame.columns:
            raise DataError(f"the formula's target: {no_column(name, frame.columns)}")
    if len(columns) == 1:
        return columns[0], columns[0]
    successes, failures = (frame[name].to_numpy() for name in columns)
    return target.text, counts(successes=successes, failures=failures)


def target_columns(target: Node) -> tuple[str, ...]:
    """Return the one or two columns of a target; raise if it is neither a column nor ``cbind(a, b)``."""
    is_pair = target.kind == "call" and called(target) == "cbind" and len(target.parts) == 2 and not target.keywords
    nodes = target.parts if is_pair else (target,)
    if not all(node.kind == "name" for node in nodes):
        raise DataError(
            f"the target of a formula must be a column or cbind(successes, failures), not {shortened(target.text)}."
        )
    return tuple(str(node.value) for node in nodes)


def columns_named(target: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of a target by name: itself, or both of ``cbind(successes, failures)``.

    >>> columns_named("cbind(s, f)", ["s", "f"]), columns_named("y", ["y"])
    (('s', 'f'), ('y',))
    """
    pair = _pair(target, columns)
    return (target,) if pair is None else target_columns(pair)


def pick_target(frame: Frame, y: Any) -> Any:
    """Return the target named y, a column or the class counts of ``cbind``; return other values unchanged."""
    pair = _pair(y, frame.columns) if isinstance(y, str) else None
    return pick(frame, y) if pair is None else target_of(pair, frame)[1]


def _pair(target: str, columns: Sequence[str]) -> Node | None:
    """Parse ``cbind(successes, failures)``; return None for the name of a column."""
    if target in columns or not target.lstrip().startswith("cbind("):
        return None
    return read_formula(f"{target} ~ 1").target
