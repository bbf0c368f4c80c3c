"""Statistics carried over to a longer class list, so that parts that saw different classes merge by value."""

from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.statistics.counts import Counts
from posteriori.statistics.gram import Gram
from posteriori.statistics.moments import Moments


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
def _(statistics: Gram, places: NDArray[np.intp], n_classes: int) -> Gram:
    names = ("weight", "mean") if statistics.pooled else ("weight", "mean", "scatter")
    return replace(statistics, **{name: _placed(getattr(statistics, name), places, n_classes) for name in names})


def _placed(values: NDArray[np.float64], places: NDArray[np.intp], n_classes: int) -> NDArray[np.float64]:
    wide = np.zeros((n_classes, *values.shape[1:]))
    wide[places] = values
    return wide
