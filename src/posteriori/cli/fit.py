"""``posteriori fit``."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from posteriori.cli.flags import (
    debug_flag,
    force_flag,
    json_flag,
    pairs,
    quiet_flag,
    reading_flags,
    setting,
    strict_flag,
)


@click.command("fit")
@click.argument("data")
@click.option("--target", required=True, metavar="COL", help="The column that holds the classes.")
@click.option("--model", "name", default="logistic", show_default=True, metavar="NAME", help="See: posteriori models.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of the model; repeatable.")
@click.option("--weight", metavar="COL", help="The column that holds the weights of the rows.")
@click.option("--offset", metavar="COL", help="A column added to the linear predictor (logistic).")
@click.option("--type", "types", multiple=True, metavar="COL=TYPE", help="number, category or boolean; repeatable.")
@click.option("--positive", metavar="CLASS", help="Of two classes, the one whose log odds are described.")
@click.option(
    "--reference",
    "references",
    multiple=True,
    metavar="COL=LEVEL",
    help="The level a category is compared with; repeatable. Or: most-frequent.",
)
@click.option(
    "--missing",
    type=click.Choice(["auto", "drop", "indicator"]),
    default="auto",
    show_default=True,
    help="Gaps: leave them to the model, leave their rows out, or fill and mark them.",
)
@click.option("-o", "--output", metavar="MODEL", help="The model file to write.")
@click.option("--seed", type=click.IntRange(0), help="Seed, for models that draw random numbers.")
@reading_flags
@json_flag
@quiet_flag
@force_flag
@strict_flag
@debug_flag
def command(data: str, target: str, name: str, output: str | None, **options: Any) -> None:
    """Fit a model to the rows of DATA and show what it learned.

    \b
    posteriori fit penguins.csv --target species --model naive-bayes -o penguins.model
    posteriori fit births.csv --target low --reference race=white --set prior=1
    """  # noqa: D301  click looks for the character itself
    from posteriori.cli.screen import check_target, progress, require_ok, worded_notes

    estimator = build(name, options["settings"], options["seed"])
    if options["offset"] and not takes_offset(estimator):
        raise click.UsageError(f"the model {name!r} takes no offset.")
    types = pairs(options["types"], "--type")
    if output is not None:
        check_target(output, options["force"])
    model, table = prepare(estimator, data, target, types, options)
    with worded_notes(options["quiet"]), progress(options["quiet"]), usable(options["settings"]):
        model.fit(table, target, sample_weight=options["weight"], offset=options["offset"])
    if output is not None:
        from posteriori.storage.files import save

        save(model, output)
    report(model, output, options)
    require_ok(model.fit_status_, options["strict"])


@contextmanager
def usable(settings: tuple[str, ...]) -> Iterator[None]:
    """Blame the settings for a failure that only a value of the wrong type explains."""
    from posteriori.tables.errors import DataError

    try:
        yield
    except DataError:
        raise
    except (TypeError, ValueError) as error:
        if not settings:
            raise
        raise click.UsageError(f"the settings {', '.join(settings)} cannot be used: {error}.") from error


def takes_offset(estimator: Any) -> bool:
    """Tell whether a model's fit has an offset."""
    from inspect import signature

    return "offset" in signature(estimator.fit).parameters


def build(name: str, settings: tuple[str, ...], seed: int | None = None) -> Any:
    """Make the model that ``--model`` and ``--set`` describe."""
    from posteriori.classifiers.catalogue import CATALOGUE, find, make, unknown
    from posteriori.cli.failures import say

    listed = find(name)
    if listed is None:
        raise click.BadParameter(unknown(name), param_hint="--model")
    parameters = {key: setting(value) for key, value in pairs(settings, "--set").items()}
    known = CATALOGUE[listed].load()._get_param_names()
    if seed is not None and "random_state" in known:
        parameters.setdefault("random_state", seed)
    elif seed is not None:
        say(f"Note: {listed} draws no random numbers, so --seed changes nothing.")
    strangers = [key for key in parameters if key not in known]
    try:
        return make(listed, **parameters)
    except TypeError as error:
        translated = str(error) if "there is" in str(error) or "there has" in str(error) else ""
        raise click.BadParameter(
            translated or f"{listed} has no parameter {strangers[0]!r}; it has {', '.join(known)}.",
            param_hint="--set",
        ) from None


def prepare(estimator: Any, data: str, target: str, types: dict[str, str], options: dict[str, Any]) -> tuple[Any, Any]:
    """Read the data, show the kinds of its columns, and seat the model at the table."""
    from posteriori.classifiers.table_classifier import TableClassifier
    from posteriori.cli.column_kinds import say_types
    from posteriori.cli.reading import Source, read_table
    from posteriori.tables.errors import DataError
    from posteriori.tables.frames import no_column

    as_text = tuple(column for column, kind in types.items() if kind == "category")
    source = Source(data, options["delimiter"], options["encoding"], options["decimal"], as_text)
    table = read_table(source)
    special = {target: "target", options["weight"]: "weight", options["offset"]: "offset"}
    for column in [*(name for name in special if name is not None), *types]:
        if column not in table.column_names:
            raise DataError(f"{source.name}: {no_column(column, table.column_names)}")
    reference = _references(options["references"])
    model = TableClassifier(
        estimator,
        types={column: kind for column, kind in types.items() if column not in special} or "auto",
        reference=reference,
        missing=options["missing"],
        positive=_label(options["positive"], table.column(target)),
    )
    if not options["quiet"]:
        say_types(source.name, table, model, {name: word for name, word in special.items() if name is not None})
    return model, table


def _references(values: tuple[str, ...]) -> Any:
    if len(values) == 1 and values[0] in ("first", "most-frequent"):
        return values[0]
    return pairs(values, "--reference") or "first"


def _label(text: str | None, column: Any) -> Any:
    """Find the label that a text given on the command line stands for."""
    if text is None:
        return None
    labels = {str(label): label for label in column.unique().to_pylist()}
    labels |= {str(label).lower(): label for label in labels.values() if isinstance(label, bool)}
    return labels.get(text, text)


def report(model: Any, output: str | None, options: dict[str, Any]) -> None:
    """Print what was learned, and say where it was saved."""
    from posteriori.cli.describe import describe, rendered
    from posteriori.cli.failures import say
    from posteriori.cli.payloads import print_json
    from posteriori.cli.screen import show

    described = describe(model)
    if options["as_json"]:
        print_json("fit", {"model": described, "saved": output})
    else:
        show(*rendered({**described, "notes": []} if not options["quiet"] else described))
    if not options["quiet"]:
        say(f"Saved to {output}." if output else "Not saved: give -o MODEL to keep it.")
