"""Notes of families on degenerate fits: zero variance, singular covariances, counts that are all zero."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from posteriori.arrays import AnyArray, Mask
from posteriori.families.base import Names, Notes
from posteriori.families.gaussian.whitening import Whitening
from posteriori.messages.errors import ConvergenceWarning, DegenerateVarianceWarning
from posteriori.messages.notes import Note, quote, select

#: What a beta or Dirichlet class with zero variance takes from the others.
PRECISION = "the precision pooled over the classes"
MORE_ROWS = "More rows would fix this."


def left_out(constant: Mask, names: Names) -> Notes:
    """Name the columns (d,) that are constant within every class and were left out."""
    if not constant.any():
        return ()
    columns = select(names, constant.tolist())
    message = f"column(s) {quote(columns)} have zero variance within every class and were left out."
    return (_note(message, MORE_ROWS, columns),)


def borrowed(
    marks: Mask,
    names: Names,
    classes: AnyArray,
    used: str = "the variance pooled over the classes",
    remedy: str = "More rows, estimate='map', or shared=True would fix this.",
    problem: str = "have zero variance",
) -> Notes:
    """Name the classes and columns (K, d) that use a pooled parameter because they have none of their own."""
    return _by_class(marks, names, classes, f"{problem} in", f"{used} was used", remedy)


def borrowed_and_left_out(varies: Mask, present: Mask, names: Names, classes: AnyArray, used: str) -> Notes:
    """Name the columns that vary in no class, and the classes (K, d) in which a column varies only in others."""
    varying = np.any(varies & present, axis=0)
    return left_out(~varying, names) + borrowed(~varies & present & varying, names, classes, used, MORE_ROWS)


def only_zeros(zero: Mask, names: Names, classes: AnyArray) -> Notes:
    """Name the classes and columns (K, d) with only zeros where other classes have positive counts."""
    remedy = "More rows, or a family with smoothing, would fix this."
    return _by_class(zero, names, classes, "have only zeros in", "a count there is impossible under them", remedy)


def singular(parts: Sequence[Whitening], names: Names, classes: Any) -> Notes:
    """Name the classes whose covariance has a rank below the number of varying columns, and those columns."""
    short = np.array([part.rank < part.varies.sum() for part in parts])
    if not short.any():
        return ()
    bad = [part for part, is_short in zip(parts, short, strict=True) if is_short]
    columns = select(names, np.any([part.involved for part in bad], axis=0).tolist())
    labels = _labels(classes, short) if len(classes) else ()
    whose = f"the covariance of class(es) {quote(labels)}" if labels else "the covariance"
    ranks = ", ".join(f"{part.rank} of {int(part.varies.sum())}" for part in bad[:3])
    message = f"{whose} is singular (rank {ranks}; columns {quote(columns)}): its pseudo-inverse was used."
    return (_note(message, "More rows, fewer columns, or shrinkage= would fix this.", columns, labels),)


def heywood(bounded: Mask, converged: Sequence[bool], names: Names, classes: Any) -> Notes:
    """Name the columns (m, d) whose own variance is at its bound (Heywood cases), and factor fits not converged."""
    notes: Notes = ()
    if bounded.any():
        columns = select(names, list(np.any(bounded, axis=0)))
        message = (
            f"common factors explain column(s) {quote(columns)} so well that the likelihood would leave them no "
            "variance of their own: it was fixed at a ten-thousandth of the total."
        )
        labels = _labels(classes, bounded.any(axis=1)) if len(bounded) > 1 else ()
        notes += (_note(message, "A lower rank, more rows, or shared=True would fix this.", columns, labels),)
    if not all(converged):
        message = f"the factor fit of {converged.count(False)} covariance(s) did not converge."
        notes += (Note("not-converged", message, (), (), (), "A lower rank may help.", ConvergenceWarning),)
    return notes


def _by_class(marks: Mask, names: Names, classes: AnyArray, problem: str, effect: str, remedy: str) -> Notes:
    if not marks.any():
        return ()
    columns, labels = select(names, list(np.any(marks, axis=0))), _labels(classes, marks.any(axis=1))
    message = f"class(es) {quote(labels)} {problem} column(s) {quote(columns)}: {effect}."
    return (_note(message, remedy, columns, labels),)


def _labels(classes: AnyArray, marks: Any) -> tuple[str, ...]:
    return tuple(str(label) for label in classes[np.asarray(marks)])


def _note(message: str, remedy: str, columns: tuple[str | int, ...], classes: tuple[str, ...] = ()) -> Note:
    return Note("degenerate-variance", message, columns, (), classes, remedy, DegenerateVarianceWarning)
