"""Codings whose indicators need more memory, or a fit to them more time, than there is."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from posteriori.checks.memory import allowed_bytes, shortage, shown_bytes
from posteriori.messages.errors import DataError
from posteriori.messages.options import type_option
from posteriori.messages.user_warning import warn

#: Bytes of coded columns below which the available memory is not checked.
SMALL = 2**26
#: Levels of a column above which a fit with its indicators may take minutes.
MANY_LEVELS = 1000
#: Work of one Hessian (rows times squared columns) above which a column of many levels must be declared a category.
MOST_WORK = 5e10


class SizedColumn(Protocol):
    """A column of a frame with its levels."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def levels(self) -> tuple[str, ...]:
        """Its levels; none of a number."""


def refuse_large(columns: Sequence[SizedColumn], n_rows: int, n_columns: int) -> None:
    """Raise if the coded columns do not fit into memory; name the column with the most levels."""
    needed = 8 * n_rows * n_columns
    available = shortage(needed, SMALL)
    if available is None:
        return
    worst = _worst(columns)
    size = f"{n_rows} rows have {n_columns} coded columns"
    remedy = "Use fewer rows or columns"
    if worst.levels:
        size, remedy = _indicators(worst, n_rows, n_columns), _remedies(worst)
    limit = "" if allowed_bytes.get() is None else ", or raise pt.options(max_memory=)"
    raise DataError(
        f"{size} and need {shown_bytes(needed)}, but only {shown_bytes(available)} of memory are available. {remedy}"
        f"{limit}."
    )


def refuse_slow(columns: Sequence[SizedColumn], n_rows: int, n_columns: int, types: Any) -> None:
    """Raise if a fit would take very long for a column of many levels that `types` does not declare a category."""
    worst, work = _worst(columns), n_rows * float(n_columns) ** 2
    declared = isinstance(types, Mapping) and types.get(worst.name) == "category"
    if declared or len(worst.levels) <= MANY_LEVELS or work <= MOST_WORK:
        return
    raise DataError(
        f"{_indicators(worst, n_rows, n_columns)}, and each step of a fit takes about {work:.1g} multiplications, so "
        f"most fits take many minutes. {_remedies(worst)}. To fit with all of its levels, declare it a category "
        f"({type_option(worst.name, 'category')})."
    )


def warn_of_many_levels(columns: Sequence[SizedColumn]) -> None:
    """Warn if a column has so many levels that a fit may take minutes."""
    worst = _worst(columns)
    if len(worst.levels) > MANY_LEVELS:
        warn(
            f"column {worst.name!r} has {len(worst.levels)} levels, coded as {len(worst.levels) - 1} indicators; the "
            f"time of most fits grows with the square of that. If the fit is slow: {_remedies(worst)}.",
        )


def _worst(columns: Sequence[SizedColumn]) -> SizedColumn:
    return max(columns, key=lambda column: len(column.levels))


def _indicators(worst: SizedColumn, n_rows: int, n_columns: int) -> str:
    return (
        f"column {worst.name!r} has {len(worst.levels)} levels: with indicators, {n_rows} rows have {n_columns} columns"
    )


def _remedies(worst: SizedColumn) -> str:
    return (
        f"Leave the column out ({type_option(worst.name, 'ignore')}), merge its rare levels, or use NaiveBayes, which "
        "needs no indicators"
    )
