"""The units in which kernels measure distance: standard deviations, and a note where one column dominates."""

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.messages.notes import Note
from posteriori.sweeps.reductions import LargestSweep
from posteriori.sweeps.row_functions import both_signs
from posteriori.sweeps.survey import Survey
from posteriori.tables.schema import Schema

#: The proportion of the squared distances above which one column dominates all others.
DOMINATING = 0.99


def standard_deviations(engine: Engine) -> Array:
    """Return the weighted standard deviation of each column (divisor: the sum of the weights), (d,).

    It is 0 for a constant column, whatever the rounding of its mean, and for no other.
    """
    _, moments = engine.run(Survey()).parts
    with np.errstate(under="ignore"):
        sds: Array = np.sqrt(moments.scatter[0] / moments.weight[0]) * moments.scale
    return np.where(_varies(engine), np.maximum(sds, np.finfo(np.float64).smallest_subnormal), 0.0)


def _varies(engine: Engine) -> NDArray[np.bool_]:
    """Return which columns have two values or more, (d,)."""
    largest = engine.run(LargestSweep(both_signs)).values
    d = len(largest) // 2
    return np.asarray(largest[:d] != -largest[d:])


def scale_of(sds: Array) -> Array:
    """Return what each column is divided by: its standard deviation, and 1 for a constant column.

    >>> scale_of(np.array([2.5, 0.0])).tolist()
    [2.5, 1.0]
    """
    return np.where(sds > 0, sds, 1.0)


def dominating_notes(schema: Schema, sds: Array) -> tuple[Note, ...]:
    """Return a note if one column makes nearly all of the distances, as grams beside millimetres do.

    The mean square difference of two rows in column j is 2 var_j, so its proportion of the squared distances is
    var_j / sum of all.
    """
    varied = int((sds > 0).sum())
    if varied < 2:
        return ()
    with np.errstate(under="ignore"):
        parts = np.square(sds / sds.max())
    share, column = float(parts.max() / parts.sum()), int(parts.argmax())
    if share <= DOMINATING:
        return ()
    named, others = schema.describe(column), varied - 1
    next_sd = float(np.partition(sds, -2)[-2])
    message = (
        f"kernels measure distance in the units of X, and {named} (standard deviation {sds[column]:.3g}, the next "
        f"{next_sd:.3g}) makes {_percent(share)} of the squared distances between rows: the {others} other "
        f"column{'s' if others > 1 else ''} hardly count{'' if others > 1 else 's'}."
    )
    remedy = "Give units='sd', by which every column is measured in its own standard deviation."
    return (Note("units", message, columns=(schema.names[column],), remedy=remedy),)


def _percent(share: float) -> str:
    """Format a proportion near one without rounding it up to 100 %.

    >>> _percent(0.9987), _percent(1.0 - 1e-9)
    ('99.87 %', 'more than 99.99 %')
    """
    return f"{100 * share:.2f} %" if share < 0.9999 else "more than 99.99 %"
