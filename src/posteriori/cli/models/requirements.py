"""The columns that a model needs from a data file, and which of them are read as text."""

from dataclasses import dataclass
from typing import Any

from posteriori.estimators.wrappers.layers import schema_of


@dataclass(frozen=True)
class Requirements:
    """The columns of a model.

    Parameters
    ----------
    columns : their names, in the model's order; None if only their number is known
    numbers : those that must be numbers
    texts : those that are read as text, even if they look like numbers
    """

    columns: tuple[str, ...] | None
    numbers: tuple[str, ...]
    texts: tuple[str, ...]


def requirements(model: Any) -> Requirements:
    """Return the columns of a fitted model: of a `TableClassifier` those of its coding, otherwise those of the fit."""
    while getattr(model, "coding_", None) is None and getattr(model, "estimator_", None) is not None:
        model = model.estimator_  # decision rules wrap the model of the rows
    coding = getattr(model, "coding_", None)
    if coding is not None:
        kinds = {column.name: column.kind for column in coding.columns}
        offset = () if model.offset_ is None else (model.offset_,)
        numbers = tuple(name for name, kind in kinds.items() if kind == "number")
        texts = tuple(name for name, kind in kinds.items() if kind != "number")
        return Requirements((*kinds, *offset), numbers + offset, texts)
    names = tuple(str(name) for name in getattr(model, "feature_names_in_", ()))
    schema = schema_of(model)
    levels = {} if schema is None else {column.name: column.levels for column in schema.columns}
    coded = {name for name, known in levels.items() if known is not None and known.dtype.kind in "OU"}
    texts = tuple(name for name in names if name in coded)
    return Requirements(names or None, tuple(name for name in names if name not in texts), texts)
