"""Names that classes, fields and attributes had in files of earlier versions.

Each renamed class or field has a line here, so that old files load (`tests/storage/old_files`).
"""

from collections.abc import Mapping
from typing import Any

#: Classes: old name to present name.
CLASSES: Mapping[str, str] = {"Cells": "JointCounts", "Within": "WithinScatter"}
#: Fields of values, parameters and learned attributes of estimators: by present class, old name to present name.
FIELDS: Mapping[str, Mapping[str, str]] = {
    "Coding": {"passes_gaps": "allows_missing"},
    "Expression": {"kept": "learned"},
    "Note": {"cure": "remedy"},
    "JointTableParameters": {"told": "observed_weight"},
    "LowRankParameters": {"narrow": "precision_root"},
}


def present_class(name: str) -> str:
    """Return the present name of a class."""
    return CLASSES.get(name, name)


def present_fields(kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields under their present names; a file with a field under both names keeps both, and is rejected."""
    old = FIELDS.get(kind, {})
    if any(old[name] in body for name in body if name in old):
        return dict(body)
    return {old.get(name, name): value for name, value in body.items()}
