"""What Gaussian families say of columns and classes without spread."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.families.whitening import Whitening
from posteriori.tables.errors import DegenerateVarianceWarning
from posteriori.tables.notes import Note, listed, picked

Notes = tuple[Note, ...]


def without_spread(dead: NDArray[np.bool_], names: Sequence[str | int]) -> Notes:
    """Name the columns (d,) that show no spread within any class, and were left out."""
    if not dead.any():
        return ()
    columns = picked(names, dead.tolist())
    message = f"no spread was seen within any class in column(s) {listed(columns)}: left out."
    return (_note(message, "More rows would settle it.", columns),)


def borrowed(lone: NDArray[np.bool_], names: Sequence[str | int], classes: NDArray[Any]) -> Notes:
    """Name the classes and columns (K, d) that took the pooled variance, having no spread of their own."""
    if not lone.any():
        return ()
    columns, labels = picked(names, list(np.any(lone, axis=0))), _labels(classes, lone.any(axis=1))
    where = f"class(es) {listed(labels)} show no spread in column(s) {listed(columns)}"
    message = f"{where}: the variance pooled over the classes was taken."
    return (_note(message, "More rows, or shared=True, would settle it.", columns, labels),)


def singular(parts: Sequence[Whitening], names: Sequence[str | int], classes: Any) -> Notes:
    """Name the classes whose covariance has a rank below the number of columns with spread, and the columns."""
    short = np.array([part.rank < part.spread.sum() for part in parts])
    if not short.any():
        return ()
    bad = [part for part, is_short in zip(parts, short, strict=True) if is_short]
    columns = picked(names, np.any([part.involved for part in bad], axis=0).tolist())
    labels = _labels(classes, short) if len(classes) else ()
    whose = f"the covariance of class(es) {listed(labels)}" if labels else "the covariance"
    ranks = ", ".join(f"{part.rank} of {int(part.spread.sum())}" for part in bad[:3])
    message = f"{whose} is singular (rank {ranks}; columns {listed(columns)}): its pseudo-inverse was taken."
    return (_note(message, "More rows, fewer columns, or covariance='diagonal' would settle it.", columns, labels),)


def _labels(classes: NDArray[Any], marks: Any) -> tuple[str, ...]:
    return tuple(str(label) for label in classes[np.asarray(marks)])


def _note(message: str, cure: str, columns: tuple[str | int, ...], classes: tuple[str, ...] = ()) -> Note:
    return Note("degenerate-variance", message, columns, (), classes, cure, DegenerateVarianceWarning)
