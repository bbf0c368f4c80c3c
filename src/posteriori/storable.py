"""`storable`: a mark of classes that a model file may contain."""

from typing import TypeVar

Kind = TypeVar("Kind", bound=type)


def storable(kind: Kind) -> Kind:
    """Mark a class as storable under its own name.

    A frozen dataclass is stored by its fields, an estimator by its parameters and its fitted model.
    `storage.catalogue` finds the marked classes of the package; no other class is ever created from a file.
    """
    kind._storable = kind.__name__  # type: ignore[attr-defined]
    return kind
