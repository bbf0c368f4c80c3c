"""Options that several commands share."""

import re
from collections.abc import Callable
from typing import Any

import click

Decorator = Callable[[Any], Any]

#: Levels of nested lists and objects that the value of a setting may have.
MAX_DEPTH = 10
#: Names that a shell takes literally: completion in bash inserts them without quotes.
SAFE = re.compile(r"[\w.:@%+-]+")
#: Types of a column.
TYPES = ("number", "boolean", "category", "ignore")
SEED = click.IntRange(0, 2**32 - 1)
#: Why an option that every command accepts has no effect in some.
NO_EFFECT = {
    "--quiet": "there are no notes",
    "--force": "nothing is overwritten",
    "--strict": "nothing is fitted",
    "--seed": "nothing is random",
}
STRICT = "Exit with code 6 if the fit status is not ok."


def run_flags(*unused: str, seed: str = "", default: int | None = 0, strict: str = STRICT) -> Decorator:
    """Return a decorator that adds the options every command has: --seed, --json, --quiet, --force, --strict, --debug.

    Parameters
    ----------
    unused : options without effect in this command, as their help says
    seed : help of --seed
    default : of --seed
    strict : help of --strict
    """
    helps = {
        "--seed": seed,
        "--json": "Print one JSON object.",
        "--quiet": "Print results and errors only, no progress and no notes.",
        "--force": "Overwrite existing files.",
        "--strict": strict,
        "--debug": "Show tracebacks.",  # read from the command line by `failures.end`
    }

    def add(function: Any) -> Any:
        for name, text in reversed(helps.items()):
            used = name not in unused
            options: dict[str, Any] = {"is_flag": True, "expose_value": used and name != "--debug"}
            if name == "--seed":
                value = default if used else None
                options |= {"is_flag": False, "type": SEED, "default": value, "show_default": value is not None}
            options["help"] = text if used else f"Accepted for consistency; no effect here: {NO_EFFECT[name]}."
            names = (name, "as_json") if name == "--json" else (name,)
            function = click.option(*names, **options)(function)
        return function

    return add


def column_option(name: str, text: str, **options: Any) -> Decorator:
    """Return an option that names a column of DATA."""
    return click.option(name, metavar="COL", shell_complete=complete_column, help=text, **options)


missing_flag: Decorator = click.option(
    "--missing",
    type=click.Choice(["auto", "drop", "indicator"]),
    default="auto",
    show_default=True,
    help="Missing values: pass to the model, drop rows, or impute with an indicator.",
)
raw_flag: Decorator = click.option(
    "--raw", is_flag=True, help="Do not escape text that a spreadsheet or a terminal would execute."
)


def complete_column(context: click.Context, option: click.Parameter, begun: str) -> list[str]:
    """Return the columns of DATA that complete a word in the shell, from the header of a text file.

    Names with characters that a shell would interpret, such as ``$(…)``, are left out.
    """
    import csv
    import os

    # click has not always parsed the file's name yet when the option comes after it
    words = [str(context.params.get("data") or ""), *context.args, *os.environ.get("COMP_WORDS", "").split()]
    path = next((word for word in words if word.lower().endswith((".csv", ".tsv")) and os.path.isfile(word)), "")
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            names = next(csv.reader(stream, delimiter="\t" if path.lower().endswith(".tsv") else ","), [])
    except (OSError, ValueError, csv.Error):
        return []
    return [name for name in names if name.startswith(begun) and SAFE.fullmatch(name)]


def complete_model(context: click.Context, option: click.Parameter, begun: str) -> list[str]:
    """Return the names of models that complete a word in the shell."""
    from posteriori.estimators.catalogue import CATALOGUE

    return [name for name in CATALOGUE if name.startswith(begun)]


def _add(function: Any, *options: Decorator) -> Any:
    for option in options:
        function = option(function)
    return function


def model_flags(function: Any) -> Any:
    """Add the options for the types and reference levels of columns."""
    types = "number, category, boolean or ignore (leave the column out); repeatable."
    levels = "Reference level of a category, or most-frequent for all; repeatable."
    return _add(
        function,
        click.option("--reference", "references", multiple=True, metavar="COL=LEVEL", help=levels),
        click.option("--type", "types", multiple=True, metavar="COL=TYPE", help=types),
    )


def reading_flags(function: Any) -> Any:
    """Add the options for text files other than UTF-8 with commas and decimal points."""
    return _add(
        function,
        click.option("--decimal", default=".", show_default=True, metavar="CHAR", help="Decimal mark of text files."),
        click.option("--encoding", default="utf-8", show_default=True, help="Encoding of text files."),
        click.option("--delimiter", metavar="CHAR", help="Delimiter of text files; default: comma, in .tsv a tab."),
    )


def pairs(values: tuple[str, ...], option: str) -> dict[str, str]:
    """Split NAME=VALUE; only the value may contain =."""
    parsed = {}
    for value in values:
        name, mark, rest = value.partition("=")
        if not mark or not name:
            raise click.BadParameter(f"{value!r} is not of the form NAME=VALUE.", param_hint=option)
        parsed[name] = rest
    return parsed


def column_types(values: tuple[str, ...]) -> dict[str, str]:
    """Split COL=TYPE, where the name of the column may contain =; raise for unknown types.

    >>> column_types(("age=number", "a=b=category"))
    {'age': 'number', 'a=b': 'category'}
    """
    types = {}
    for value in values:
        name, mark, kind = value.rpartition("=")
        if not mark or not name:
            raise click.BadParameter(f"{value!r} is not of the form COL=TYPE.", param_hint="--type")
        if kind not in TYPES:
            raise click.BadParameter(f"unknown type {kind!r}; the types are {', '.join(TYPES)}.", param_hint="--type")
        types[name] = kind
    return types


def setting(text: str) -> Any:
    """Parse the value of ``--set``: a number, true, false, none, a JSON list or object, otherwise text.

    >>> setting("1"), setting("0.5"), setting("none"), setting("full")
    (1, 0.5, None, 'full')
    """
    import json

    words = {"none": None, "null": None, "true": True, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    try:
        value = json.loads(text)
        too_deep = _exceeds(value, MAX_DEPTH)
    except ValueError:
        return text
    except RecursionError:
        too_deep = True
    if too_deep:
        raise click.UsageError(f"the setting {text[:40]!r}… is nested more than {MAX_DEPTH} levels deep.")
    return value


def _exceeds(value: Any, depth: int) -> bool:
    """Return whether lists and objects are nested more than `depth` levels deep."""
    if not isinstance(value, list | dict):
        return False
    parts = value.values() if isinstance(value, dict) else value
    return depth == 0 or any(_exceeds(part, depth - 1) for part in parts)
