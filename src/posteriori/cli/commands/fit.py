"""``posteriori fit``."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from posteriori.cli.commands.flags import (
    column_types,
    complete_column,
    complete_model,
    debug_flag,
    force_flag,
    json_flag,
    missing_flag,
    model_flags,
    pairs,
    quiet_flag,
    reading_flags,
    seed_range,
    setting,
    strict_flag,
)


@click.command("fit")
@click.argument("data")
@click.option(
    "--target",
    metavar="COL",
    shell_complete=complete_column,
    help="The column that holds the classes; or see --formula.",
)
@click.option(
    "--model",
    "name",
    metavar="NAME",
    shell_complete=complete_model,
    help="See: posteriori models.  [default: logistic]",
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of the model; repeatable.")
@click.option("--formula", metavar="F", help="Which columns, and how: 'low ~ age * smoke + C(race) + bs(lwt, df=4)'.")
@click.option("--link", metavar="L", help="Of a regression of two classes: logit, probit, cloglog, loglog, cauchit.")
@click.option(
    "--weight", metavar="COL", shell_complete=complete_column, help="The column that holds the weights of the rows."
)
@click.option(
    "--offset", metavar="COL", shell_complete=complete_column, help="A column added to the linear predictor (logistic)."
)
@model_flags
@click.option(
    "--positive", metavar="CLASS", help="Of two classes, the one coded y = 1, whose probability is described."
)
@missing_flag
@click.option("-o", "--output", metavar="MODEL", help="The model file to write.")
@click.option("--seed", type=seed_range, help="Seed, for models that draw random numbers.")
@reading_flags
@json_flag
@quiet_flag
@force_flag
@strict_flag
@debug_flag
def command(data: str, target: str | None, name: str | None, output: str | None, **options: Any) -> None:
    """Fit a model to the rows of DATA and show what it learned.

    \b
    posteriori fit penguins.csv --target species --model naive-bayes -o penguins.model
    posteriori fit births.csv --target low --reference race=white --set prior=evidence
    posteriori fit births.csv --formula 'low ~ age * smoke + C(race)' --link probit
    """  # noqa: D301  click looks for the character itself
    from posteriori.cli.models.build import build, build_linked
    from posteriori.cli.output.screen import check_target, progress, require_ok, worded_notes

    parameters = {key: setting(value) for key, value in pairs(options["settings"], "--set").items()}
    link, seed, quiet = options["link"], options["seed"], options["quiet"]
    estimator = (
        build("logistic" if name is None else name, parameters, seed, quiet=quiet)
        if link is None
        else build_linked(name, link, parameters, seed, quiet=quiet)
    )
    if options["offset"] and not takes_offset(estimator):
        raise click.UsageError(f"the model {name or 'logistic'!r} takes no offset.")
    target = target_in(options["formula"], target)
    types = column_types(options["types"])
    if output is not None:
        check_target(output, options["force"])
    model, table = prepare(estimator, data, target, types, options)
    given = None if "~" in (options["formula"] or "") else target
    with worded_notes(options["quiet"]), progress(options["quiet"]), usable(options["settings"]):
        model.fit(table, given, sample_weight=options["weight"], offset=options["offset"])
    if output is not None:
        from posteriori.storage.save_load import save

        save(model, output)
    report(model, output, options)
    require_ok(model.fit_status_, options["strict"])


def target_in(formula: str | None, target: str | None) -> str:
    """Give the target, from the formula or from ``--target``."""
    from posteriori.input.formula.parser.terms import read_formula

    node = None if formula is None else read_formula(formula).target
    written = "" if node is None else str(node.value) if node.kind == "name" else node.text
    if written and target is not None and target != written:
        raise click.UsageError(f"--target is {target!r} and the formula's target {written!r}; leave one out.")
    if not written and target is None:
        raise click.UsageError("give --target COL, or a --formula that begins with the target and a tilde.")
    return written or str(target)


@contextmanager
def usable(settings: tuple[str, ...]) -> Iterator[None]:
    """Blame the settings for a failure that only a value of the wrong type explains."""
    from posteriori.messages.errors import DataError

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


def prepare(estimator: Any, data: str, target: str, types: dict[str, str], options: dict[str, Any]) -> tuple[Any, Any]:
    """Read the data, show the kinds of its columns, and seat the model at the table."""
    from posteriori.cli.models.build import references
    from posteriori.cli.reading.column_types import say_types
    from posteriori.cli.reading.infinite_cells import refuse_infinite
    from posteriori.cli.reading.reserved_columns import read_to_learn
    from posteriori.estimators.tables.table_classifier import TableClassifier

    given = {"target": target, "weight": options["weight"], "offset": options["offset"]}
    name, table = read_to_learn(data, types, given, options, options["missing"])
    special = {column: part for part, column in given.items() if column in table.column_names}
    labels = table.column(target) if target in table.column_names else None
    model = TableClassifier(
        estimator,
        formula=options["formula"],
        types={column: kind for column, kind in types.items() if column not in special} or "auto",
        reference=references(options["references"]),
        missing=options["missing"],
        positive=_label(options["positive"], labels),
    )
    if not options["quiet"]:
        say_types(name, table, model, special)
    if options["formula"] is None:
        left = [column for column in table.column_names if column not in special and types.get(column) != "ignore"]
        refuse_infinite(name, table, left)
    return model, table


def _label(text: str | None, column: Any) -> Any:
    """Find the label that a text given on the command line stands for."""
    if text is None or column is None:
        return text
    labels = {str(label): label for label in column.unique().to_pylist()}
    labels |= {str(label).lower(): label for label in labels.values() if isinstance(label, bool)}
    return labels.get(text, text)


def report(model: Any, output: str | None, options: dict[str, Any]) -> None:
    """Print what was learned, and say where it was saved."""
    from posteriori.cli.failures import say
    from posteriori.cli.output.description import rendered
    from posteriori.cli.output.json import print_json
    from posteriori.cli.output.screen import show
    from posteriori.messages.notes import SILENT
    from posteriori.reports.description import describe

    described = describe(model)
    if options["as_json"]:
        print_json("fit", {"model": described, "saved": output})
    else:
        unsaid = [note for note in described["notes"] if options["quiet"] or note["code"] in SILENT]
        show(*rendered({**described, "notes": unsaid}))
    if not options["quiet"]:
        say(f"Saved to {output}." if output else "Not saved: give -o MODEL to keep it.")
