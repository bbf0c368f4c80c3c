"""Options in messages: as an argument for a caller in Python, as a flag for a user of the command."""

from collections.abc import Iterator
from contextlib import contextmanager

#: Whether the process runs the command `posteriori`. It is not per thread: the command starts threads of its own.
_on_command_line = False


@contextmanager
def command_line() -> Iterator[None]:
    """Write options in messages as flags, while the command runs."""
    global _on_command_line  # noqa: PLW0603  a command is the only user of its process
    before, _on_command_line = _on_command_line, True
    try:
        yield
    finally:
        _on_command_line = before


def option(argument: str, flag: str) -> str:
    """Return how the caller sets an option: an argument in Python, a flag of the command.

    >>> option("missing='drop'", "--missing drop")
    "missing='drop'"
    >>> with command_line():
    ...     option("missing='drop'", "--missing drop")
    '--missing drop'
    """
    return flag if _on_command_line else argument


def missing_option(value: str) -> str:
    """Return how the caller chooses what is done about missing values."""
    return option(f"missing={value!r}", f"--missing {value}")


def type_option(name: str, *kinds: str) -> str:
    """Return how the caller declares the type of a column.

    >>> type_option("when", "category", "number")
    "types={'when': 'category'} or types={'when': 'number'}"
    """
    return " or ".join(option(f"types={{{name!r}: {kind!r}}}", f"--type {name}={kind}") for kind in kinds)
