"""Rows that a coding cannot take: gaps, and levels that the fit has not seen."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from posteriori.arrays import Array
from posteriori.input.frames.cells import text_cells
from posteriori.messages.errors import DataError
from posteriori.messages.notes import listed

Frame = nw.DataFrame[Any]

#: What to do about gaps, from Python and to the command.
DROP, INDICATOR = ("missing='drop' or --missing drop", "missing='indicator' or --missing indicator")
CURE_LEARNING = (
    f"Leave their rows out ({DROP}), fill and mark them ({INDICATOR}), or use NaiveBayes, which learns from rows with "
    "gaps as they are."
)
CURE_PREDICTING = (
    f"Fill in the values or leave the rows out; predict_frame of a model fitted with {DROP} leaves such rows without a "
    f"prediction, and NaiveBayes, or a model fitted with {INDICATOR} where these columns had gaps, takes them."
)


def refuse_gaps(cells: Mapping[str, Array], unfilled: Sequence[str], learning: bool, cure: str = CURE_LEARNING) -> None:
    """Refuse gaps in columns with one error that counts them by column."""
    counts = {name: int(np.isnan(cells[name]).sum()) for name in unfilled}
    found = {name: count for name, count in counts.items() if count}
    if not found:
        return
    shown = ", ".join(f"{name!r} {count}" for name, count in list(found.items())[:8])
    more = f" and {len(found) - 8} more" if len(found) > 8 else ""
    raise DataError(
        f"{sum(found.values())} cell(s) are missing, and this model cannot use gaps; by column: {shown}{more}. "
        + (cure if learning else CURE_PREDICTING)
    )


def refuse_unseen(frame: Frame, columns: Sequence[tuple[str, tuple[str, ...], Array]]) -> None:
    """Refuse levels that the fit has not seen: columns by name, with their levels and the codes of their cells."""
    complaints = []
    for name, levels, codes in columns:
        strange = np.isinf(codes)
        if strange.any():
            values = text_cells(frame[name]).filter(strange.tolist()).unique().sort().to_list()
            complaints.append(
                f"column {name!r} holds {listed(values)} in {int(strange.sum())} row(s); fit saw {listed(list(levels))}"
            )
    if complaints:
        raise DataError(
            f"levels that the fit has not seen: {'; '.join(complaints)}. This model has no coefficient for them: "
            "correct the cells, leave the rows out, or fit on data that have them."
        )
