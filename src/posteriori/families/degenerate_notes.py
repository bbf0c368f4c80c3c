"""What Gaussian families say of columns and classes without spread."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.families.gaussian.whitening import Whitening
from posteriori.messages.errors import ConvergenceWarning, DegenerateVarianceWarning
from posteriori.messages.notes import Note, quote, select

Notes = tuple[Note, ...]


def without_spread(dead: NDArray[np.bool_], names: Sequence[str | int]) -> Notes:
    """Name the columns (d,) that show no spread within any class, and were left out."""
    if not dead.any():
        return ()
    columns = select(names, dead.tolist())
    message = f"no spread was seen within any class in column(s) {quote(columns)}: left out."
    return (_note(message, "More rows would settle it.", columns),)


def borrowed(
    lone: NDArray[np.bool_],
    names: Sequence[str | int],
    classes: NDArray[Any],
    what: str = "the variance pooled over the classes",
    remedy: str = "More rows, estimate='map', or shared=True would settle it.",
) -> Notes:
    """Name the classes and columns (K, d) that took something pooled, having no spread of their own."""
    if not lone.any():
        return ()
    columns, labels = select(names, list(np.any(lone, axis=0))), _labels(classes, lone.any(axis=1))
    where = f"class(es) {quote(labels)} show no spread in column(s) {quote(columns)}"
    return (_note(f"{where}: {what} was taken.", remedy, columns, labels),)


def never_counted(zero: NDArray[np.bool_], names: Sequence[str | int], classes: NDArray[Any]) -> Notes:
    """Name the classes and columns (K, d) that hold nothing but zeros where other classes hold counts."""
    if not zero.any():
        return ()
    columns, labels = select(names, list(np.any(zero, axis=0))), _labels(classes, zero.any(axis=1))
    where = f"class(es) {quote(labels)} show nothing but zeros in column(s) {quote(columns)}"
    message = f"{where}: a count there is impossible under them."
    return (_note(message, "More rows, or a family with smoothing, would settle it.", columns, labels),)


def singular(parts: Sequence[Whitening], names: Sequence[str | int], classes: Any) -> Notes:
    """Name the classes whose covariance has a rank below the number of columns with spread, and the columns."""
    short = np.array([part.rank < part.spread.sum() for part in parts])
    if not short.any():
        return ()
    bad = [part for part, is_short in zip(parts, short, strict=True) if is_short]
    columns = select(names, np.any([part.involved for part in bad], axis=0).tolist())
    labels = _labels(classes, short) if len(classes) else ()
    whose = f"the covariance of class(es) {quote(labels)}" if labels else "the covariance"
    ranks = ", ".join(f"{part.rank} of {int(part.spread.sum())}" for part in bad[:3])
    message = f"{whose} is singular (rank {ranks}; columns {quote(columns)}): its pseudo-inverse was taken."
    return (_note(message, "More rows, fewer columns, or shrinkage= would settle it.", columns, labels),)


def crowded(tight: NDArray[np.bool_], converged: Sequence[bool], names: Sequence[str | int], classes: Any) -> Notes:
    """Name the columns (m, d) that common factors explain all but wholly, and fits of factors that did not settle."""
    notes: Notes = ()
    labels = _labels(classes, tight.any(axis=1)) if len(tight) > 1 else ()
    if tight.any():
        columns = select(names, list(np.any(tight, axis=0)))
        message = (
            f"common factors explain column(s) {quote(columns)} so well that the likelihood would leave them no "
            "variance of their own: it was held at a ten-thousandth of the whole."
        )
        notes += (_note(message, "A lower rank, more rows, or shared=True would settle it.", columns, labels),)
    if not all(converged):
        message = f"the fit of the factors did not converge for {converged.count(False)} covariance(s)."
        notes += (Note("not-converged", message, (), (), (), "A lower rank may.", ConvergenceWarning),)
    return notes


def _labels(classes: NDArray[Any], marks: Any) -> tuple[str, ...]:
    return tuple(str(label) for label in classes[np.asarray(marks)])


def _note(message: str, remedy: str, columns: tuple[str | int, ...], classes: tuple[str, ...] = ()) -> Note:
    return Note("degenerate-variance", message, columns, (), classes, remedy, DegenerateVarianceWarning)
