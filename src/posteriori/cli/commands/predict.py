"""``posteriori predict``."""

from collections.abc import Iterator
from typing import Any

import click

from posteriori.cli.commands.flags import raw_flag, reading_flags, run_flags


@click.command("predict")
@click.argument("model_file", metavar="MODEL")
@click.argument("data")
@click.option(
    "-o", "--output", metavar="OUT", help="The .csv or .parquet file to write; default (or -): CSV on standard output."
)
@click.option("--proba", is_flag=True, help="Add the probability of each class.")
@click.option(
    "--costs",
    metavar="FILE",
    help="Predict the action of least expected cost. CSV: one row per action, the classes in the header.",
)
@click.option(
    "--reject",
    type=click.FloatRange(0, 1),
    metavar="LEVEL",
    help="Predict 'rejected' (-1 for numeric classes) where no probability reaches the level.",
)
@raw_flag
@reading_flags
@run_flags("--seed")
def command(model_file: str, data: str, output: str | None, proba: bool, **options: Any) -> None:
    """Predict the class of each row of DATA with a model file written by `fit`.

    Columns are matched by name; columns that the model does not use are ignored. Rows are read, predicted and written
    in batches, so that DATA may be larger than memory.

    \b
    posteriori predict penguins.model new.csv --proba -o predicted.csv
    posteriori predict penguins.model new.csv --costs costs.csv --reject 0.8
    """  # noqa: D301  click needs the character itself
    from posteriori.cli.models.decisions import read_costs, wrap
    from posteriori.cli.output.screen import check_target, require_ok
    from posteriori.cli.output.streaming import each_batch
    from posteriori.storage.save_load import load

    output = None if output == "-" else output
    if output is not None:
        check_target(output, options["force"])
        if not output.lower().endswith((".csv", ".parquet")):
            raise click.BadParameter(f"{output!r} must end in .csv or .parquet.", param_hint="-o")
    model = load(model_file)
    costs, reject = options["costs"], options["reject"]
    for flag, used in (("--proba", proba), ("--costs", costs is not None), ("--reject", reject is not None)):
        if used and not hasattr(model, "predict_proba"):
            raise click.UsageError(f"the model in {model_file} has scores but no probabilities: leave out {flag}.")
    rule = wrap(model, None if costs is None else read_costs(costs, model.classes_), reject)

    def predict(table: Any) -> tuple[Any, Any]:
        return rule.predict(table), rule.predict_proba(table) if proba else None

    batches = each_batch(model, data, options, predict)
    if options["as_json"] and output is None:
        _print(model, list(batches))
    else:
        _report(model, output, _write(model, batches, output, options["raw"]), options)
    require_ok(model.fit_status_, options["strict"])


def _columns(model: Any, labels: Any, probabilities: Any) -> dict[str, Any]:
    if probabilities is None:
        return {"prediction": labels}
    names = [str(label) for label in model.classes_.tolist()]
    if "prediction" in names or len(set(names)) < len(names):
        names = [f"P({name})" for name in names]
    return {"prediction": labels, **dict(zip(names, probabilities.T, strict=True))}


def _write(model: Any, batches: Iterator[tuple[Any, Any]], output: str | None, raw: bool) -> int:
    """Write the predictions batch by batch and return their number."""
    from posteriori.cli.output.predictions import writer

    n_rows = 0
    with writer(output, raw) as write:
        for labels, probabilities in batches:
            write(_columns(model, labels, probabilities))
            n_rows += len(labels)
    return n_rows


def _report(model: Any, output: str | None, n_rows: int, options: dict[str, Any]) -> None:
    from posteriori.cli.failures import print_stderr
    from posteriori.cli.output.json import print_json

    if output is None:
        return
    if not options["quiet"]:
        print_stderr(f"Wrote {n_rows} predictions to {output}.")
    if options["as_json"]:
        print_json("predict", {"classes": model.classes_, "rows": n_rows, "saved": output})


def _print(model: Any, batches: list[tuple[Any, Any]]) -> None:
    """Print all predictions as one JSON object, which needs them all in memory."""
    from posteriori.cli.output.json import print_json

    labels = [label for predictions, _ in batches for label in predictions.tolist()]
    result: dict[str, Any] = {"classes": model.classes_, "rows": len(labels), "saved": None, "predictions": labels}
    if batches[0][1] is not None:
        result["probabilities"] = [row for _, probabilities in batches for row in probabilities.tolist()]
    print_json("predict", result)
