"""The classes that a model file may hold: those marked `storable`. No other class is ever made from a file."""

import pkgutil
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any, Never

from posteriori.messages import errors
from posteriori.messages.errors import ModelFileError

#: The subpackages that define storable classes: everything that a fitted model is made of.
HOMES = (
    "messages", "tables", "statistics", "designs", "links", "families", "bases", "priors", "sweeps", "input",
    "solvers", "models", "fits", "inference", "decisions", "estimators",
)  # fmt: skip


def _modules() -> list[ModuleType]:
    folders = [import_module(f"posteriori.{home}") for home in HOMES]
    names = [m.name for folder in folders for m in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}.")]
    return [import_module(name) for name in names]


def _marked() -> dict[str, type]:
    """Return the marked classes by name; no two have the same."""
    classes = {
        value
        for module in _modules()
        for value in vars(module).values()
        if isinstance(value, type) and vars(value).get("_storable") == value.__name__
    }
    kinds = {kind.__name__: kind for kind in classes}
    assert len(kinds) == len(classes), "two storable classes have one name"
    return kinds


#: Storable classes by name.
KINDS = MappingProxyType(_marked())

#: The categories a `Note` may have, by name.
WARNINGS: MappingProxyType[str, type[Warning]] = MappingProxyType(
    {"UserWarning": UserWarning}
    | {
        name: kind
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, Warning) and not name.startswith("_")
    }
)


def reject(value: Any, where: str) -> Never:
    """Raise the error for a value that could be stored only as code."""
    kind = type(value) if not isinstance(value, type) else value
    name = (
        kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    )
    raise ModelFileError(
        f"{where} is of type {name}, which cannot be stored without code. A model file contains only classes of this "
        "library; for anything else keep the script that fits it. Classifiers that can be stored: "
        f"{', '.join(_classifiers())}."
    )


def _classifiers() -> list[str]:
    return [name for name, kind in KINDS.items() if hasattr(kind, "predict")]
