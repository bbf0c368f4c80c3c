"""Statistics carried over to a longer class list, so that parts that saw different classes merge by value."""

from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.messages.errors import DataError
from posteriori.statistics.counts import Counts
from posteriori.statistics.fourth_gram import FourthGram
from posteriori.statistics.gram import Gram
from posteriori.statistics.log_means import LogMeans
from posteriori.statistics.means import Means
from posteriori.statistics.moments import Moments
from posteriori.statistics.within_scatter import Within


@singledispatch
def with_classes(statistics: Any, places: NDArray[np.intp], n_classes: int) -> Any:
    """Give the same statistics for `n_classes` classes, of which class k of before is now ``places[k]``.

    >>> with_classes(Counts(np.array([3.0, 5.0])), np.array([0, 2]), 3).values.tolist()
    [3.0, 0.0, 5.0]
    """
    raise TypeError(f"{type(statistics).__name__} has no class axis that could be extended")


@with_classes.register
def _(statistics: Counts, places: NDArray[np.intp], n_classes: int) -> Counts:
    return Counts(_placed(statistics.values, places, n_classes))


@with_classes.register
def _(statistics: Moments, places: NDArray[np.intp], n_classes: int) -> Moments:
    parts = {name: _placed(getattr(statistics, name), places, n_classes) for name in ("weight", "mean", "scatter")}
    return replace(statistics, **parts)


@with_classes.register
def _(statistics: Means, places: NDArray[np.intp], n_classes: int) -> Means:
    return Means(*(_placed(part, places, n_classes) for part in (statistics.weight, statistics.mean)))


@with_classes.register
def _(statistics: LogMeans, places: NDArray[np.intp], n_classes: int) -> LogMeans:
    parts = (statistics.weight, statistics.mean, statistics.lag)
    return LogMeans(*(_placed(part, places, n_classes) for part in parts))


@with_classes.register
def _(statistics: Gram, places: NDArray[np.intp], n_classes: int) -> Gram:
    names = ("weight", "mean") if statistics.pooled else ("weight", "mean", "scatter")
    return replace(statistics, **{name: _placed(getattr(statistics, name), places, n_classes) for name in names})


@with_classes.register
def _(statistics: FourthGram, places: NDArray[np.intp], n_classes: int) -> FourthGram:
    names = ("weight", "mean", "scatter", "third", "fourth")
    return replace(statistics, **{name: _placed(getattr(statistics, name), places, n_classes) for name in names})


@with_classes.register
def _(statistics: Within, places: NDArray[np.intp], n_classes: int) -> Within:
    names = ("weight", "mean")
    return replace(statistics, **{name: _placed(getattr(statistics, name), places, n_classes) for name in names})


def _placed(values: NDArray[np.float64], places: NDArray[np.intp], n_classes: int) -> NDArray[np.float64]:
    wide = np.zeros((n_classes, *values.shape[1:]))
    wide[places] = values
    return wide


def united(mine: NDArray[Any], yours: NDArray[Any], what: str) -> NDArray[Any]:
    """Unite two sorted lists of values, whose types must agree."""
    if not len(mine) or not len(yours):
        return mine if len(mine) else yours
    text = [values.dtype.kind in "US" for values in (mine, yours)]
    if text[0] != text[1] or (mine.dtype.kind == "O") != (yours.dtype.kind == "O"):
        raise DataError(f"{what} are of type {mine.dtype} in one model and {yours.dtype} in the other.")
    return mine if np.array_equal(mine, yours) else np.union1d(mine, yours)
