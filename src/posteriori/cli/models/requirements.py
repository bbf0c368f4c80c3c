"""What a model needs of a data file: which columns, and which of them a text file gives as text."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Needs:
    """The columns a model takes.

    Parameters
    ----------
    columns : their names, in the model's order; None where it knows only how many there are
    numbers : those that must be numbers
    texts : those that a text file gives as text, though they may look like numbers
    """

    columns: tuple[str, ...] | None
    numbers: tuple[str, ...]
    texts: tuple[str, ...]


def needs_of(model: Any) -> Needs:
    """Tell what a fitted model takes: a `TableClassifier` by its coding, others by what they were fitted on."""
    while getattr(model, "coding_", None) is None and getattr(model, "estimator_", None) is not None:
        model = model.estimator_  # decisions stand before the model that takes the rows
    coding = getattr(model, "coding_", None)
    if coding is not None:
        kinds = {column.name: column.kind for column in coding.columns}
        offset = () if model.offset_ is None else (model.offset_,)
        numbers = tuple(name for name, kind in kinds.items() if kind == "number")
        texts = tuple(name for name, kind in kinds.items() if kind != "number")
        return Needs((*kinds, *offset), numbers + offset, texts)
    names = tuple(str(name) for name in getattr(model, "feature_names_in_", ()))
    schema = model._schema() if hasattr(model, "_schema") else None
    levels = {} if schema is None else {column.name: column.levels for column in schema.columns}
    texts = tuple(name for name in names if levels.get(name) is not None and levels[name].dtype.kind in "OU")
    return Needs(names or None, tuple(name for name in names if name not in texts), texts)
