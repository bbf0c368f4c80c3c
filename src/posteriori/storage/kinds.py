"""The table of classes a model file may hold. Nothing outside it is ever made from a file."""

from types import MappingProxyType
from typing import Any, Never

from posteriori.classifiers.table_classifier import TableClassifier
from posteriori.priors.gaussian import GaussianPrior
from posteriori.statistics.base import Joined
from posteriori.statistics.counts import Counts
from posteriori.statistics.gram import Gram
from posteriori.statistics.moments import Moments
from posteriori.tables import errors
from posteriori.tables.coding import Coded, Coding
from posteriori.tables.errors import ModelFileError
from posteriori.tables.notes import Note
from posteriori.tables.schema import Column, Schema

_CLASSES: tuple[type, ...] = (
    # what a fit is about
    Column, Schema, Coded, Coding, Note,
    # what it summed
    Counts, Moments, Gram, Joined,
    # what it found
    GaussianPrior,
    # the classifiers
    TableClassifier,
)  # fmt: skip

#: Storable classes by name.
KINDS = MappingProxyType({kind.__name__: kind for kind in _CLASSES})

#: The categories a `Note` may have, by name.
WARNINGS: MappingProxyType[str, type[Warning]] = MappingProxyType(
    {"UserWarning": UserWarning}
    | {name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Warning)
       and not name.startswith("_")}
)  # fmt: skip


def refuse(value: Any, where: str) -> Never:
    """Raise the error for a value that could only be stored as code."""
    kind = type(value) if not isinstance(value, type) else value
    name = kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    raise ModelFileError(
        f"{where} is of type {name}, which cannot be stored without code. A model file holds only what this library "
        f"defines; for anything else keep the script that fits it. Classifiers it holds: {', '.join(_classifiers())}."
    )


def _classifiers() -> list[str]:
    return [name for name, kind in KINDS.items() if hasattr(kind, "fit")]
