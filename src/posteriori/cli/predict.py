"""``posteriori predict``."""

from typing import Any

import click

from posteriori.cli.flags import debug_flag, force_flag, json_flag, quiet_flag, reading_flags, strict_flag


@click.command("predict")
@click.argument("model_file", metavar="MODEL")
@click.argument("data")
@click.option("-o", "--output", metavar="OUT", help="A .csv or .parquet file to write; default CSV on standard output.")
@click.option("--proba", is_flag=True, help="Add the probability of each class.")
@reading_flags
@json_flag
@quiet_flag
@force_flag
@strict_flag
@debug_flag
def command(model_file: str, data: str, output: str | None, proba: bool, **options: Any) -> None:
    """Predict the class of each row of DATA with a model file that `fit` wrote.

    Columns are found by name; those the model does not know are ignored.

    \b
    posteriori predict penguins.model new.csv --proba -o predicted.csv
    """  # noqa: D301  click looks for the character itself
    from posteriori.cli.screen import check_target, progress, require_ok, worded_notes
    from posteriori.storage.files import load

    if output is not None:
        _check_suffix(output)
        check_target(output, options["force"])
    model = load(model_file)
    if proba and not hasattr(model, "predict_proba"):
        raise click.UsageError(f"the model in {model_file} has scores, not probabilities: leave out --proba.")
    frame = read_rows(model, data, options)
    with worded_notes(options["quiet"]), progress(options["quiet"]):
        predicted = model.predict(frame)
        probabilities = model.predict_proba(frame) if proba else None
    columns: dict[str, Any] = {"prediction": predicted.tolist()}
    if probabilities is not None:
        names = [str(label) for label in model.classes_.tolist()]
        columns |= dict(zip(_distinct(names), probabilities.T.tolist(), strict=True))
    _hand_over(columns, output, model, probabilities, options)
    require_ok(model.fit_status_, options["strict"])


def read_rows(model: Any, data: str, options: dict[str, Any]) -> Any:
    """Read the rows to predict, keeping as text what the model takes for categories."""
    from posteriori.classifiers.table_classifier import TableClassifier
    from posteriori.cli.failures import say
    from posteriori.cli.reading import Source, read_table

    coding = model.coding_ if isinstance(model, TableClassifier) else None
    as_text = () if coding is None else tuple(column.name for column in coding.columns if column.kind == "category")
    table = read_table(Source(data, options["delimiter"], options["encoding"], options["decimal"], as_text))
    names = list(getattr(model, "feature_names_in_", table.column_names))
    used = {*names, getattr(model, "offset_", None)}
    extra = [name for name in table.column_names if name not in used]
    if extra and not options["quiet"]:
        from posteriori.tables.notes import listed

        say(f"Note: {len(extra)} column(s) that the model does not use are ignored: {listed(extra)}.")
    return table if coding is not None else _selected(table, names)


def _selected(table: Any, names: list[str]) -> Any:
    """Put the columns of a model that was fitted without a `TableClassifier` in its order."""
    from posteriori.tables.errors import DataError
    from posteriori.tables.frames import no_column

    for name in names:
        if name not in table.column_names:
            raise DataError(no_column(name, table.column_names))
    return table.select(names)


def _distinct(names: list[str]) -> list[str]:
    return [f"P({name})" for name in names] if "prediction" in names else names


def _check_suffix(output: str) -> None:
    if not output.lower().endswith((".csv", ".parquet")):
        raise click.BadParameter(f"{output!r} should end in .csv or .parquet.", param_hint="-o")


def _hand_over(
    columns: dict[str, Any], output: str | None, model: Any, probabilities: Any, options: dict[str, Any]
) -> None:
    from posteriori.cli.failures import say
    from posteriori.cli.payloads import print_json
    from posteriori.cli.writing import csv_text, write_columns

    n_rows = len(columns["prediction"])
    if output is not None:
        write_columns(columns, output)
        if not options["quiet"]:
            say(f"Wrote {n_rows} predictions to {output}.")
    if options["as_json"]:
        result: dict[str, Any] = {"classes": model.classes_, "rows": n_rows, "saved": output}
        if output is None:
            result["predictions"] = columns["prediction"]
            if probabilities is not None:
                result["probabilities"] = probabilities
        print_json("predict", result)
    elif output is None:
        click.echo(csv_text(columns), nl=False)
