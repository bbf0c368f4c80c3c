"""``posteriori fit``."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from posteriori.cli.commands.flags import (
    column_option,
    column_types,
    complete_model,
    missing_flag,
    model_flags,
    pairs,
    reading_flags,
    run_flags,
    setting,
)


@click.command("fit")
@click.argument("data")
@column_option("--target", "The column of the classes; or see --formula.")
@click.option(
    "--model",
    "name",
    metavar="NAME",
    shell_complete=complete_model,
    help="A model listed by: posteriori models.  [default: logistic]",
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of the model; repeatable.")
@click.option("--formula", metavar="F", help="Target and terms: 'low ~ age * smoke + C(race) + bs(lwt, df=4)'.")
@click.option(
    "--link", metavar="L", help="Link function for a binary outcome: logit, probit, cloglog, loglog, cauchit."
)
@column_option("--weight", "The column of the row weights.")
@column_option("--offset", "A column added to the linear predictor (logistic and other links).")
@model_flags
@click.option(
    "--positive", metavar="CLASS", help="With two classes, the class whose probability is modelled.  [default: last]"
)
@missing_flag
@click.option("-o", "--output", metavar="MODEL", help="The model file to write.")
@reading_flags
@run_flags(seed="Seed, for models that draw random numbers.", default=None)
def command(data: str, target: str | None, name: str | None, output: str | None, **options: Any) -> None:
    """Fit a model to the rows of DATA and show what it learned.

    \b
    posteriori fit penguins.csv --target species --model naive-bayes -o penguins.model
    posteriori fit births.csv --target low --reference race=white --set prior=evidence
    posteriori fit births.csv --formula 'low ~ age * smoke + C(race)' --link probit
    """  # noqa: D301  click needs the character itself
    from posteriori.cli.models.build import build, build_linked
    from posteriori.cli.output.screen import check_target, progress, require_ok, warnings_as_notes

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
    y = None if "~" in (options["formula"] or "") else target
    with warnings_as_notes(quiet), progress(quiet), usable(options["settings"]):
        model.fit(table, y, sample_weight=options["weight"], offset=options["offset"])
    if output is not None:
        from posteriori.storage.save_load import save

        save(model, output)
    report(model, output, options)
    require_ok(model.fit_status_, options["strict"])


def target_in(formula: str | None, target: str | None) -> str:
    """Return the target, from the formula or from ``--target``."""
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
    """Attribute errors that only a setting of the wrong type explains to ``--set``."""
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
    """Return whether a model's fit has an offset."""
    from inspect import signature

    return "offset" in signature(estimator.fit).parameters


def prepare(estimator: Any, data: str, target: str, types: dict[str, str], options: dict[str, Any]) -> tuple[Any, Any]:
    """Read the data, print the types of its columns, and wrap the model in a `TableClassifier`.

    Return the model, and the rows: a table, or batches of files that may not fit into memory.
    """
    from posteriori.cli.models.build import references
    from posteriori.cli.reading.column_types import print_types
    from posteriori.cli.reading.training_data import read_training_data
    from posteriori.estimators.tables.table_classifier import TableClassifier

    columns = {"target": target, "weight": options["weight"], "offset": options["offset"]}
    training = read_training_data(data, types, columns, options, check_infinite=options["formula"] is None)
    reserved = {column: role for role, column in columns.items() if column in training.missing}
    model = TableClassifier(
        estimator,
        formula=options["formula"],
        types={column: kind for column, kind in types.items() if column not in reserved} or "auto",
        reference=references(options["references"]),
        missing=options["missing"],
        positive=_label(options["positive"], training.labels),
    )
    if not options["quiet"]:
        others = [name for name in training.missing if name not in reserved]
        rows = training.only(others) if others else None
        print_types(training.name, training.n_rows, training.missing, rows, model, reserved)
    training.infinite.refuse(training.name)
    return model, training.rows


def _label(text: str | None, labels: Iterable[Any]) -> Any:
    """Return the label that a text of the command line names."""
    if text is None:
        return text
    named = {str(label): label for label in labels}
    named |= {str(label).lower(): label for label in named.values() if isinstance(label, bool)}
    return named.get(text, text)


def report(model: Any, output: str | None, options: dict[str, Any]) -> None:
    """Print what was learned and where it was saved."""
    from posteriori.cli.failures import print_stderr
    from posteriori.cli.output.description import rendered
    from posteriori.cli.output.json import print_json
    from posteriori.cli.output.screen import show
    from posteriori.messages.notes import SILENT
    from posteriori.reports.description import describe

    described = describe(model)
    if options["as_json"]:
        print_json("fit", {"model": described, "saved": output})
    else:
        unprinted = [note for note in described["notes"] if options["quiet"] or note["code"] in SILENT]
        show(*rendered({**described, "notes": unprinted}))
    if not options["quiet"]:
        print_stderr(f"Saved the model to {output}." if output else "The model was not saved: use -o MODEL to save it.")
