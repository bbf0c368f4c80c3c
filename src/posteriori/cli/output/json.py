"""Output of ``--json``: one object with a ``schema_version``, which grows when a field changes its meaning.

``docs/command.md`` documents the fields of each command. Numbers that are not finite are written as the strings "inf",
"-inf" and "nan".
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import click

SCHEMA_VERSION = 2


def print_json(command: str, fields: dict[str, Any]) -> None:
    """Print one object on standard output."""
    whole = {"schema_version": SCHEMA_VERSION, "command": command, **fields}
    click.echo(json.dumps(plain(whole), indent=2, allow_nan=False))


def plain(value: Any) -> Any:
    """Convert a value for JSON: numpy's types to Python's, dates and other objects to text."""
    if hasattr(value, "tolist") and not isinstance(value, str | bytes):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if value is None or isinstance(value, str | int | float):
        return value
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
