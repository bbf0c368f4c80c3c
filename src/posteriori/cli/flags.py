"""Options that several commands share."""

from collections.abc import Callable
from typing import Any

import click

Decorator = Callable[[Any], Any]

json_flag: Decorator = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
quiet_flag: Decorator = click.option("--quiet", is_flag=True, help="No progress and no notes, only results and errors.")
force_flag: Decorator = click.option("--force", is_flag=True, help="Replace files that are there.")
strict_flag: Decorator = click.option("--strict", is_flag=True, help="Exit with code 6 if the fit status is not ok.")
#: Read from the command line by `failures.end`, so that it works for failures of any command.
debug_flag: Decorator = click.option("--debug", is_flag=True, expose_value=False, help="Show tracebacks.")


def reading_flags(function: Any) -> Any:
    """Add the options for text files that are not UTF-8 with commas and points."""
    for option in (
        click.option(
            "--decimal",
            default=".",
            show_default=True,
            metavar="CHAR",
            help="Decimal mark of numbers in text.",
        ),
        click.option("--encoding", default="utf-8", show_default=True, help="Encoding of text files."),
        click.option("--delimiter", metavar="CHAR", help="Between cells; default , and for .tsv a tab."),
    ):
        function = option(function)
    return function


def pairs(values: tuple[str, ...], option: str) -> dict[str, str]:
    """Split NAME=VALUE; the name may hold no =, the value may."""
    found = {}
    for value in values:
        name, mark, rest = value.partition("=")
        if not mark or not name:
            raise click.BadParameter(f"{value!r} is not of the form NAME=VALUE.", param_hint=option)
        found[name] = rest
    return found


def setting(text: str) -> Any:
    """Read the value of ``--set``: a number, true, false, none, a JSON list or object, else the text itself.

    >>> setting("1"), setting("0.5"), setting("none"), setting("full")
    (1, 0.5, None, 'full')
    """
    import json

    words = {"none": None, "null": None, "true": True, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    try:
        return json.loads(text)
    except ValueError:
        return text
