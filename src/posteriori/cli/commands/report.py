"""``posteriori report``."""

from typing import Any

import click

from posteriori.cli.commands.flags import column_option, reading_flags, run_flags


@click.command("report")
@click.argument("model_file", metavar="MODEL")
@click.argument("data", required=False)
@click.option("-o", "--output", required=True, metavar="FILE", help="The HTML file to write.")
@column_option("--target", "The column of the classes.  [default: that of the fit]")
@column_option("--weight", "The column of the row weights.")
@click.option("--title", metavar="TEXT", help="Title of the page.")
@click.option(
    "--cv",
    default="auto",
    show_default=True,
    metavar="N",
    help="Folds of a cross-validation on DATA, or none. auto: if it is fast and DATA may be the training data.",
)
@click.option("--values", is_flag=True, help="Include cell values of DATA; otherwise only row numbers are shown.")
@reading_flags
@run_flags(seed="Seed of the folds.")
def command(model_file: str, data: str | None, output: str, **options: Any) -> None:
    """Write an HTML report of a model file and, with DATA, of its performance.

    The page is one file without scripts or external resources. Without DATA it describes what the model learned and
    the diagnostics of its fit. DATA is read into memory.

    \b
    posteriori report penguins.model -o penguins.html
    posteriori report penguins.model new.csv -o report.html --title 'Penguins of 2009'
    """  # noqa: D301  click needs the character itself
    from posteriori.cli.failures import NotInstalled, print_stderr
    from posteriori.cli.output.json import print_json
    from posteriori.cli.output.screen import check_target, lines, progress, require_ok, warnings_as_notes
    from posteriori.reports.page import require
    from posteriori.storage.save_load import load

    folds = read_folds(options["cv"])
    used = [f"--{name}" for name in ("target", "weight", "values") if options[name]]
    if data is None and used:
        raise click.UsageError(f"{used[0]} needs DATA: name a data file.")
    check_target(output, options["force"])
    try:
        require()
    except ImportError as error:
        raise NotInstalled(str(error)) from None
    model = load(model_file)
    with warnings_as_notes(options["quiet"]), progress(options["quiet"]):
        contents = made(model, model_file, data, output, folds, options)
    if options["as_json"]:
        print_json("report", {**contents.numbers, "saved": output})
    else:
        lines(*contents.headline)
    if not options["quiet"]:
        print_stderr(f"Wrote the report to {output}.")
    require_ok(contents.numbers["model"]["fit_status"] or "ok", options["strict"])


def read_folds(text: str) -> int | str | None:
    """Parse ``--cv``: auto, none, or a number of folds."""
    if text in ("auto", "none"):
        return None if text == "none" else text
    if text.isdecimal() and int(text) >= 2:
        return int(text)
    raise click.BadParameter(f"{text!r} is not auto, none or a number of 2 or more.", param_hint="--cv")


def made(
    model: Any, model_file: str, data: str | None, output: str, cv: int | str | None, options: dict[str, Any]
) -> Any:
    """Assemble the report of a model, write it and return its contents."""
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


def read(model: Any, data: str, options: dict[str, Any]) -> tuple[Any, str]:
    """Return all rows of DATA, with the columns of the model typed as it needs them, and the name of the target."""
    import numpy as np

    from posteriori.cli.models.requirements import requirements
    from posteriori.cli.reading.files import read_table
    from posteriori.cli.reading.sources import Source
    from posteriori.estimators.wrappers.layers import table_in
    from posteriori.input.formula.target import columns_named
    from posteriori.input.frames.native import no_column
    from posteriori.messages.errors import DataError

    table = table_in(model)
    target = options["target"] or (None if table is None else table.target_)
    if target is None:
        raise click.UsageError("the model does not record the name of its target: give --target COL.")
    as_text = requirements(model).texts
    if np.asarray(model.classes_).dtype.kind in "UOS":
        as_text += (target,)
    source = Source(data, options["delimiter"], options["encoding"], options["decimal"], as_text)
    rows = read_table(source)
    for column in (*columns_named(target, rows.column_names), options["weight"]):
        if column is not None and column not in rows.column_names:
            raise DataError(f"{source.name}: {no_column(column, rows.column_names)}")
    return rows, target
