"""Options that several commands share."""

import re
from collections.abc import Callable
from typing import Any

import click

Decorator = Callable[[Any], Any]

#: Levels of lists and objects within one another that the value of a setting may have.
DEEPEST = 10
#: Names that a shell takes as they are: completion in bash inserts them without quotes.
SAFE = re.compile(r"[\w.:@%+-]+")
#: How a column may be taken.
TYPES = ("number", "boolean", "category", "ignore")

json_flag: Decorator = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
quiet_flag: Decorator = click.option("--quiet", is_flag=True, help="No progress and no notes, only results and errors.")
force_flag: Decorator = click.option("--force", is_flag=True, help="Replace files that are there.")
strict_flag: Decorator = click.option("--strict", is_flag=True, help="Exit with code 6 if the fit status is not ok.")
seed_range = click.IntRange(0, 2**32 - 1)
#: Read from the command line by `failures.end`, so that it works for failures of any command.
debug_flag: Decorator = click.option("--debug", is_flag=True, expose_value=False, help="Show tracebacks.")


#: Flags that every command takes, and why they change nothing in some.
_SPARE = {
    "--quiet": (None, "there are no notes"),
    "--force": (None, "nothing is overwritten"),
    "--strict": (None, "nothing is fitted"),
    "--seed": (seed_range, "nothing is drawn at random"),
}


def spare_flags(*names: str) -> Decorator:
    """Add flags that every command takes and that change nothing in this one, as their help says."""

    def add(function: Any) -> Any:
        for name in reversed(names):
            kind, reason = _SPARE[name]
            text = f"As everywhere; changes nothing here, where {reason}."
            function = click.option(name, type=kind, is_flag=kind is None, expose_value=False, help=text)(function)
        return function

    return add


missing_flag: Decorator = click.option(
    "--missing",
    type=click.Choice(["auto", "drop", "indicator"]),
    default="auto",
    show_default=True,
    help="Gaps: leave them to the model, leave their rows out, or fill and mark them.",
)


def complete_column(context: click.Context, option: click.Parameter, begun: str) -> list[str]:
    """Offer the columns of DATA for completion in the shell, from the header of a text file.

    Names with characters that a shell would act on, such as ``$(…)``, are not offered.
    """
    import csv
    import os

    # click has not always read the file's name yet when the option comes after it
    words = [str(context.params.get("data") or ""), *context.args, *os.environ.get("COMP_WORDS", "").split()]
    path = next((word for word in words if word.lower().endswith((".csv", ".tsv")) and os.path.isfile(word)), "")
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            names = next(csv.reader(stream, delimiter="\t" if path.lower().endswith(".tsv") else ","), [])
    except (OSError, ValueError, csv.Error):
        return []
    return [name for name in names if name.startswith(begun) and SAFE.fullmatch(name)]


def complete_model(context: click.Context, option: click.Parameter, begun: str) -> list[str]:
    """Offer the names of models for completion in the shell."""
    from posteriori.estimators.catalogue import CATALOGUE

    return [name for name in CATALOGUE if name.startswith(begun)]


def model_flags(function: Any) -> Any:
    """Add the options that say how columns are taken."""
    for option in (
        click.option(
            "--reference",
            "references",
            multiple=True,
            metavar="COL=LEVEL",
            help="The level a category is compared with; repeatable. Or: most-frequent.",
        ),
        click.option(
            "--type",
            "types",
            multiple=True,
            metavar="COL=TYPE",
            help="number, category, boolean or ignore (leave the column out); repeatable.",
        ),
    ):
        function = option(function)
    return function


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


def column_types(values: tuple[str, ...]) -> dict[str, str]:
    """Split COL=TYPE, where the name of the column may hold a =, and refuse types that do not exist.

    >>> column_types(("age=number", "a=b=category"))
    {'age': 'number', 'a=b': 'category'}
    """
    found = {}
    for value in values:
        name, mark, kind = value.rpartition("=")
        if not mark or not name:
            raise click.BadParameter(f"{value!r} is not of the form COL=TYPE.", param_hint="--type")
        if kind not in TYPES:
            raise click.BadParameter(
                f"there is no type {kind!r}; the types are {', '.join(TYPES)}.", param_hint="--type"
            )
        found[name] = kind
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
        value = json.loads(text)
    except ValueError:
        return text
    except RecursionError:
        value, deep = None, True
    else:
        deep = _deeper(value, DEEPEST)
    if deep:
        raise click.UsageError(f"the setting {text[:40]!r}… is nested more than {DEEPEST} deep.")
    return value


def _deeper(value: Any, levels: int) -> bool:
    """Return whether lists and objects are nested within one another beyond some levels."""
    if not isinstance(value, list | dict):
        return False
    return levels == 0 or any(
        _deeper(part, levels - 1) for part in (value.values() if isinstance(value, dict) else value)
    )
