"""A model to be fitted again to the rows of a report."""

from typing import Any

from sklearn.base import clone

from posteriori.classifiers.table_classifier import TableClassifier
from posteriori.tables.frames import as_frame


def unfitted(model: Any, X: Any) -> Any:
    """Give a clone whose tables speak of the columns that the rows have: neither the target nor those left out."""
    copy, frame = clone(model), as_frame(X)
    for held in (copy, *copy.get_params(deep=True).values()):
        if isinstance(held, TableClassifier) and frame is not None:
            types = held.types if isinstance(held.types, str) else _among(held.types, frame.columns) or "auto"
            formula = None if held.formula is None else f"~{held.formula.rpartition('~')[2]}"
            held.set_params(types=types, formula=formula)
    return copy


def _among(types: dict[str, str], columns: list[str]) -> dict[str, str]:
    return {name: kind for name, kind in types.items() if name in columns}
