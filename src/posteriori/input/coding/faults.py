"""Rows that a coding cannot represent: missing values, and levels that were not in the training data."""

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


def refuse_missing(cells: Mapping[str, Array], names: Sequence[str], learning: bool, remedy: str = "") -> None:
    """Raise if columns have missing values, with one error that counts them by column."""
    refuse_missing_counts({name: int(np.isnan(cells[name]).sum()) for name in names}, learning, remedy)


def refuse_missing_counts(counts: Mapping[str, int], learning: bool, remedy: str = "") -> None:
    """Raise if columns have missing values, from their numbers by column."""
    counts = {name: count for name, count in counts.items() if count}
    if not counts:
        return
    by_column = ", ".join(f"{name!r} {count}" for name, count in list(counts.items())[:8])
    more = f" and {len(counts) - 8} more" if len(counts) > 8 else ""
    raise DataError(
        f"{sum(counts.values())} cell(s) are missing, and this model cannot use missing values; by column: {by_column}"
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
    """Raise for levels that were not in the training data.

    Parameters
    ----------
    columns : for each column its name, its levels in the training data and the codes of its cells
    """
    causes = []
    for name, levels, codes in columns:
        unseen = np.isinf(codes)
        if unseen.any():
            values = text_cells(frame[name]).filter(unseen.tolist()).unique().sort().to_list()
            causes.append(
                f"column {name!r} has {quote(values)} in {int(unseen.sum())} row(s), but its levels in the fit were "
                f"{quote(list(levels))}"
            )
    if causes:
        raise DataError(
            f"levels that were not in the training data: {'; '.join(causes)}. This model has no coefficient for them: "
            "correct the cells, drop the rows, or fit to data that include these levels."
        )
