"""``posteriori report``."""

from typing import Any

import click

from posteriori.cli.commands.flags import (
    complete_column,
    debug_flag,
    force_flag,
    json_flag,
    quiet_flag,
    reading_flags,
    seed_range,
    strict_flag,
)


@click.command("report")
@click.argument("model_file", metavar="MODEL")
@click.argument("data", required=False)
@click.option("-o", "--output", required=True, metavar="FILE", help="The file to write.")
@click.option(
    "--target",
    metavar="COL",
    shell_complete=complete_column,
    help="The column that holds the classes.  [default: the model's own]",
)
@click.option("--weight", metavar="COL", shell_complete=complete_column, help="The column that holds weights of rows.")
@click.option("--title", metavar="TEXT", help="Of the page.")
@click.option(
    "--cv",
    default="auto",
    show_default=True,
    metavar="N",
    help="Folds of a cross-validation on DATA; none for none; auto: if quick, and DATA may be rows of the fit.",
)
@click.option("--values", is_flag=True, help="Let values of rows into the report; without it only row numbers are.")
@click.option("--seed", type=seed_range, default=0, show_default=True, help="Seed of the folds.")
@reading_flags
@json_flag
@quiet_flag
@force_flag
@strict_flag
@debug_flag
def command(model_file: str, data: str | None, output: str, **options: Any) -> None:
    """Write a report of a model file as one page of HTML, and of how good it is on the rows of DATA.

    The page needs nothing else: no scripts, nothing is fetched. Without DATA it tells what the model learned and how
    its fit went. All rows of DATA are read at once.

    \b
    posteriori report penguins.model -o penguins.html
    posteriori report penguins.model new.csv -o report.html --title 'Penguins of 2009'
    """  # noqa: D301  click looks for the character itself
    from posteriori.cli.failures import say
    from posteriori.cli.output.json import print_json
    from posteriori.cli.output.screen import check_target, lines, progress, require_ok, worded_notes
    from posteriori.storage.save_load import load

    folds = read_folds(options["cv"])
    _refuse_without_data(data, options)
    check_target(output, options["force"])
    require_extra()
    model = load(model_file)
    with worded_notes(options["quiet"]), progress(options["quiet"]):
        contents = made(model, model_file, data, output, folds, options)
    if options["as_json"]:
        print_json("report", {**contents.numbers, "saved": output})
    else:
        lines(*contents.headline)
    if not options["quiet"]:
        say(f"Wrote the report to {output}.")
    require_ok(contents.numbers["model"]["fit_status"] or "ok", options["strict"])


def read_folds(text: str) -> int | str | None:
    """Read ``--cv``: auto, none, or a number of folds."""
    if text in ("auto", "none"):
        return None if text == "none" else text
    if text.isdecimal() and int(text) >= 2:
        return int(text)
    raise click.BadParameter(f"{text!r} is neither auto, none nor a number from 2 up.", param_hint="--cv")


def require_extra() -> None:
    """Say what to install where it is not there."""
    from posteriori.cli.failures import NotInstalled
    from posteriori.reports.page import require

    try:
        require()
    except ImportError as error:
        raise NotInstalled(str(error)) from None


def made(
    model: Any, model_file: str, data: str | None, output: str, cv: int | str | None, options: dict[str, Any]
) -> Any:
    """Find out what there is to say about a model, and write it."""
    from importlib.metadata import version

    from posteriori.reports.assemble import ReportOptions, contents_of
    from posteriori.reports.report import write

    words = ("posteriori", "report", model_file, *(() if data is None else (data,)), "-o", output)
    words += tuple(word for flag in ("target", "weight") if options[flag] for word in (f"--{flag}", options[flag]))
    report_options = ReportOptions(
        options["title"], cv, options["values"], options["seed"], words, version("posteriori")
    )
    table, target = (None, None) if data is None else read(model, data, options)
    contents = contents_of(model, table, target, options["weight"], None, report_options)
    write(contents, output)
    return contents


def _refuse_without_data(data: str | None, options: dict[str, Any]) -> None:
    asked = [f"--{name}" for name in ("target", "weight") if options[name]] + ["--values"] * options["values"]
    if data is None and asked:
        raise click.UsageError(f"{asked[0]} goes with DATA: name a file.")


def read(model: Any, data: str, options: dict[str, Any]) -> tuple[Any, str]:
    """Read all rows of DATA, the columns of the model as it takes them, and find the target."""
    import numpy as np

    from posteriori.cli.models.requirements import needs_of
    from posteriori.cli.reading.files import read_table
    from posteriori.cli.reading.sources import Source
    from posteriori.estimators.wrappers.layers import table_in
    from posteriori.input.formula.target import columns_named
    from posteriori.input.frames.native import no_column
    from posteriori.messages.errors import DataError

    needs, table = needs_of(model), table_in(model)
    target = options["target"] or (None if table is None else table.target_)
    if target is None:
        raise click.UsageError("the model does not know the name of its target: give --target COL.")
    words = np.asarray(model.classes_).dtype.kind in "UOS"
    source = Source(
        data, options["delimiter"], options["encoding"], options["decimal"], (*needs.texts, *([target] * words))
    )
    rows = read_table(source)
    for column in (*columns_named(target, rows.column_names), options["weight"]):
        if column is not None and column not in rows.column_names:
            raise DataError(f"{source.name}: {no_column(column, rows.column_names)}")
    return rows, target
