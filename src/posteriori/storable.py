"""`storable`: the mark of classes that a model file may hold."""

from typing import TypeVar

Kind = TypeVar("Kind", bound=type)


def storable(kind: Kind) -> Kind:
    """Mark a class as storable under its own name.

    A frozen dataclass is stored by its fields, an estimator by its parameters and learned attributes.
    `storage.catalogue` finds the marked classes of the package; no other class is ever made from a file.
    """
    kind._storable = kind.__name__  # type: ignore[attr-defined]
    return kind
