"""What each classifier learns: names and types of its attributes, checked before anything reads them.

Attributes that a class declares by a type hint have that type; the rest are listed here.
"""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.decisions.prior_shift import Adaptation
from posteriori.storage.tree_keys import LEARNED as NAME
from posteriori.storage.type_hints import fits, hints_of

Status = Literal["ok", "separated", "aliased", "not_converged"]

#: What every fit of a class and of its subclasses learns, besides the hints of the class; by the name of the class.
LEARNED: dict[str, dict[str, Any]] = {
    "Decomposition": {"n_features_in_": int},
    "TableClassifier": {"weight_": float, "n_features_in_": int},
}

#: What only some fits learn, or only those of later versions.
OPTIONAL: dict[str, dict[str, Any]] = {
    "PriorShift": {"adaptation_": Adaptation, "seen_priors_": Array},
    "TableClassifier": {"feature_names_in_": NDArray[np.object_], "formula_": str | None},
}


def check_learned(model: Any, where: str) -> None:
    """Raise unless a fitted model has the attributes of its class, each of its type, and its numbers are finite."""
    kind: type = type(model)
    attributes, optional = vars(model), dict(_entries(OPTIONAL, kind))
    hints = {name: hint for name, hint in hints_of(kind).items() if NAME.fullmatch(name)}
    for name, hint in (hints | dict(_entries(LEARNED, kind)) | optional).items():
        if name not in attributes:
            if name not in optional:
                fail(f"{where}.{name}", "is not there")
            continue
        if not fits(attributes[name], hint):
            title = hint.__name__ if isinstance(hint, type) else str(hint)
            fail(f"{where}.{name}", f"is {require.describe_value(attributes[name])}, not a {title}")
        if hint is float and not np.isfinite(attributes[name]):
            fail(f"{where}.{name}", f"is {attributes[name]}")


def _entries(table: dict[str, dict[str, Any]], kind: type) -> Iterator[tuple[str, Any]]:
    for base in kind.__mro__:
        yield from table.get(base.__name__, {}).items()
