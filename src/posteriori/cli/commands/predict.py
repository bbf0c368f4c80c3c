"""``posteriori predict``."""

from collections.abc import Iterator
from typing import Any

import click

from posteriori.cli.commands.flags import (
    debug_flag,
    force_flag,
    json_flag,
    quiet_flag,
    reading_flags,
    spare_flags,
    strict_flag,
)


@click.command("predict")
@click.argument("model_file", metavar="MODEL")
@click.argument("data")
@click.option(
    "-o", "--output", metavar="OUT", help="A .csv or .parquet file to write; default (or -) CSV on standard output."
)
@click.option("--proba", is_flag=True, help="Add the probability of each class.")
@click.option(
    "--costs",
    metavar="FILE",
    help="Take the action of least expected cost. CSV: an action a row, the classes as header.",
)
@click.option(
    "--reject",
    type=click.FloatRange(0, 1),
    metavar="LEVEL",
    help="Answer 'rejected' (-1 for numbers) where no probability reaches the level.",
)
@click.option(
    "--raw", is_flag=True, help="Leave text as it is that a spreadsheet would run as a formula or a terminal obey."
)
@reading_flags
@json_flag
@quiet_flag
@force_flag
@strict_flag
@spare_flags("--seed")
@debug_flag
def command(model_file: str, data: str, output: str | None, proba: bool, **options: Any) -> None:
    """Predict the class of each row of DATA with a model file that `fit` wrote.

    Columns are found by name; those the model does not know are ignored. Rows are read, predicted and written piece
    by piece, so that DATA may be larger than memory.

    \b
    posteriori predict penguins.model new.csv --proba -o predicted.csv
    posteriori predict penguins.model new.csv --costs costs.csv --reject 0.8
    """  # noqa: D301  click looks for the character itself
    from posteriori.cli.models.decisions import read_costs, wrap
    from posteriori.cli.output.screen import check_target, require_ok
    from posteriori.storage.save_load import load

    output = None if output == "-" else output
    if output is not None:
        check_target(output, options["force"])
        _check_suffix(output)
    model = load(model_file)
    costs, reject = options["costs"], options["reject"]
    for flag, asked in (("--proba", proba), ("--costs", costs is not None), ("--reject", reject is not None)):
        if asked and not hasattr(model, "predict_proba"):
            raise click.UsageError(f"the model in {model_file} has scores, not probabilities: leave out {flag}.")
    deciding = wrap(model, None if costs is None else read_costs(costs, model.classes_), reject)
    pieces = predicted(model, deciding, data, proba, options)
    if options["as_json"] and output is None:
        _print(model, list(pieces))
    else:
        _report(model, output, _write(model, pieces, output, options["raw"]), options)
    require_ok(model.fit_status_, options["strict"])


def predicted(fitted: Any, deciding: Any, data: str, proba: bool, options: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Give, piece by piece, the predictions of rows and their probabilities (n, K), or None.

    Parameters
    ----------
    fitted : the model that was loaded, which knows what columns it needs
    deciding : the model that predicts: the same, or one that decides by its probabilities
    """
    from posteriori.cli.output.streaming import each_piece

    def answer(table: Any) -> tuple[Any, Any]:
        return deciding.predict(table), deciding.predict_proba(table) if proba else None

    return each_piece(fitted, data, options, answer)


def _columns(model: Any, labels: Any, probabilities: Any) -> dict[str, Any]:
    if probabilities is None:
        return {"prediction": labels}
    names = [str(label) for label in model.classes_.tolist()]
    if "prediction" in names or len(set(names)) < len(names):
        names = [f"P({name})" for name in names]
    return {"prediction": labels, **dict(zip(names, probabilities.T, strict=True))}


def _check_suffix(output: str) -> None:
    if not output.lower().endswith((".csv", ".parquet")):
        raise click.BadParameter(f"{output!r} should end in .csv or .parquet.", param_hint="-o")


def _write(model: Any, pieces: Iterator[tuple[Any, Any]], output: str | None, raw: bool) -> int:
    """Write the predictions as they come and give their number."""
    from posteriori.cli.output.predictions import written

    n_rows = 0
    with written(output, raw) as write:
        for labels, probabilities in pieces:
            write(_columns(model, labels, probabilities))
            n_rows += len(labels)
    return n_rows


def _report(model: Any, output: str | None, n_rows: int, options: dict[str, Any]) -> None:
    from posteriori.cli.failures import say
    from posteriori.cli.output.json import print_json

    if output is None:
        return
    if not options["quiet"]:
        say(f"Wrote {n_rows} predictions to {output}.")
    if options["as_json"]:
        print_json("predict", {"classes": model.classes_, "rows": n_rows, "saved": output})


def _print(model: Any, pieces: list[tuple[Any, Any]]) -> None:
    """Print all predictions as one JSON object, which needs them all at once."""
    from posteriori.cli.output.json import print_json

    labels = [label for predictions, _ in pieces for label in predictions.tolist()]
    result: dict[str, Any] = {"classes": model.classes_, "rows": len(labels), "saved": None, "predictions": labels}
    if pieces[0][1] is not None:
        result["probabilities"] = [row for _, probabilities in pieces for row in probabilities.tolist()]
    print_json("predict", result)
