"""Rules for what a fit is about and what it summed: columns, codings, units, statistics."""

import numpy as np

from posteriori.designs.units import Units
from posteriori.input.coding.coding import Coded, Coding
from posteriori.input.formula.coding import FormulaCoding
from posteriori.statistics.counts import Counts
from posteriori.statistics.gram import Gram
from posteriori.statistics.moments import Moments
from posteriori.storage.requirements import (
    covariances,
    distinct,
    finite,
    natural,
    not_negative,
    scaled,
    sums_of_weights,
    wrong,
)
from posteriori.tables.schema import Column, Schema

#: Characters that the names of all columns of a design matrix may have.
NAME_CHARACTERS = 2**24
#: The smallest scale of a column: its inverse is a float.
SMALLEST_SCALE = float(np.finfo(np.float64).tiny)


def column(value: Column, where: str) -> None:
    """Levels belong to categories."""
    if (value.kind == "category") != (value.levels is not None):
        wrong(f"{where}.levels", f"does not go with a column of kind {value.kind!r}")
    if value.levels is not None:
        if value.levels.ndim != 1:
            wrong(f"{where}.levels", "is not a list")
        distinct(value.levels.tolist(), f"{where}.levels")


def schema(value: Schema, where: str) -> None:
    """Columns have names of their own."""
    distinct(value.names, f"{where}.columns")


def coded(value: Coded, where: str) -> None:
    """Positions are among the levels."""
    distinct(value.levels, f"{where}.levels")
    if (value.kind == "number") != (not value.levels) and value.kind != "category":
        wrong(f"{where}.levels", f"does not go with a column of kind {value.kind!r}")
    natural(value.reference, f"{where}.reference")
    if value.reference >= max(len(value.levels), 1):
        wrong(f"{where}.reference", f"is {value.reference} of {len(value.levels)} levels")
    if value.fill is not None and not np.isfinite(value.fill):
        wrong(f"{where}.fill", "is not finite")
    if value.fill is not None and value.levels and value.fill not in range(len(value.levels)):
        wrong(f"{where}.fill", f"is {value.fill} of {len(value.levels)} levels")


def coding(value: Coding, where: str) -> None:
    """Columns have names of their own."""
    distinct(value.names, f"{where}.columns")


def columns_of(value: Coding | FormulaCoding, n_columns: int, where: str) -> None:
    """Ask for so many columns, all with different names; they are counted before they are listed."""
    count, longest = value.size_out
    if count != n_columns:
        wrong(where, f"gives {count} columns, the model takes {n_columns}")
    if count * longest > NAME_CHARACTERS:
        wrong(where, f"gives {count} columns with names of up to {longest} characters")
    distinct(value.names_out, where)


def units(value: Units, where: str) -> None:
    """There is a centre and a positive scale for each column."""
    finite(value.scale, (value.scale.size,), f"{where}.scale")
    finite(value.centre, value.scale.shape, f"{where}.centre")
    if not (value.scale >= SMALLEST_SCALE).all():
        wrong(f"{where}.scale", "holds a scale that is not positive, or too small to divide by")
    if not value.intercept and value.centre.any():
        wrong(f"{where}.centre", "is not zero, and there is no intercept to take it")
    with np.errstate(over="ignore"):
        if not np.isfinite(value.centre / value.scale).all():
            wrong(f"{where}.centre", "is too far from zero for the scale")


def same_units(first: Units, second: Units) -> bool:
    """Return whether two fits have the same centre, scale and intercept."""
    arrays = np.array_equal(first.centre, second.centre) and np.array_equal(first.scale, second.scale)
    return bool(arrays) and first.intercept == second.intercept


def counts(value: Counts, where: str) -> None:
    """Ask for finite counts, none negative."""
    not_negative(value.values, value.values.shape, f"{where}.values")
    finite(value.values, value.values.shape, f"{where}.values")


def moments(value: Moments, where: str) -> None:
    """All are by class and column."""
    shape = value.mean.shape
    if len(shape) != 2:
        wrong(f"{where}.mean", "is not by class and column")
    not_negative(value.scale, shape[1:], f"{where}.scale")
    sums_of_weights(value.weight, shape, f"{where}.weight")
    finite(value.mean, shape, f"{where}.mean")
    not_negative(value.scatter, shape, f"{where}.scatter")
    scaled(value, where)
    if (value.scatter / 256.0 > value.weight).any():
        wrong(f"{where}.scatter", "is larger than the weights allow")


def gram(value: Gram, where: str) -> None:
    """One matrix for all classes, or one each."""
    shape = value.mean.shape
    if len(shape) != 2:
        wrong(f"{where}.mean", "is not by class and column")
    not_negative(value.scale, shape[1:], f"{where}.scale")
    sums_of_weights(value.weight, shape[:1], f"{where}.weight")
    finite(value.mean, shape, f"{where}.mean")
    if value.scatter.ndim != 3 or len(value.scatter) not in (1, shape[0]):
        wrong(f"{where}.scatter", f"has shape {value.scatter.shape} for {shape[0]} classes")
    finite(value.scatter, (len(value.scatter), shape[1], shape[1]), f"{where}.scatter")
    scaled(value, where)
    own = value.weight if len(value.scatter) == len(value.weight) > 1 else value.weight.sum(keepdims=True)
    if (np.abs(value.scatter) / 256.0 > own[:, None, None]).any():
        wrong(f"{where}.scatter", "is larger than the weights allow")
    covariances(value.scatter, f"{where}.scatter")
