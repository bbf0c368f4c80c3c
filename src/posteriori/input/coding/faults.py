"""Rows that a coding cannot take: gaps, and levels that the fit has not seen."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from posteriori.arrays import Array
from posteriori.input.frames.cells import text_cells
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.messages.options import missing_option

Frame = nw.DataFrame[Any]


def refuse_gaps(cells: Mapping[str, Array], unfilled: Sequence[str], learning: bool, remedy: str = "") -> None:
    """Raise if columns have missing values, with one error that counts them by column."""
    counts = {name: int(np.isnan(cells[name]).sum()) for name in unfilled}
    found = {name: count for name, count in counts.items() if count}
    if not found:
        return
    shown = ", ".join(f"{name!r} {count}" for name, count in list(found.items())[:8])
    more = f" and {len(found) - 8} more" if len(found) > 8 else ""
    raise DataError(
        f"{sum(found.values())} cell(s) are missing, and this model cannot use missing values; by column: {shown}"
        f"{more}. {(remedy or _remedy_in_fit()) if learning else _remedy_in_predict()}"
    )


def _remedy_in_fit() -> str:
    return (
        f"Drop their rows ({missing_option('drop')}), impute them with an indicator ({missing_option('indicator')}), "
        "or use NaiveBayes, which fits to rows with missing values as they are."
    )


def _remedy_in_predict() -> str:
    return (
        f"Fill in the values or drop the rows; predict_frame of a model fitted with {missing_option('drop')} leaves "
        f"such rows without a prediction, and NaiveBayes, or a model fitted with {missing_option('indicator')} where "
        "these columns had missing values, accepts them."
    )


def refuse_unseen(frame: Frame, columns: Sequence[tuple[str, tuple[str, ...], Array]]) -> None:
    """Refuse levels that the fit has not seen: columns by name, with their levels and the codes of their cells."""
    complaints = []
    for name, levels, codes in columns:
        strange = np.isinf(codes)
        if strange.any():
            values = text_cells(frame[name]).filter(strange.tolist()).unique().sort().to_list()
            complaints.append(
                f"column {name!r} holds {quote(values)} in {int(strange.sum())} row(s); fit saw {quote(list(levels))}"
            )
    if complaints:
        raise DataError(
            f"levels that the fit has not seen: {'; '.join(complaints)}. This model has no coefficient for them: "
            "correct the cells, leave the rows out, or fit on data that have them."
        )
