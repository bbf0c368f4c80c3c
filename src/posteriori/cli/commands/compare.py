"""``posteriori compare``."""

from typing import Any

import click

from posteriori.cli.commands.flags import (
    column_types,
    complete_column,
    debug_flag,
    json_flag,
    missing_flag,
    model_flags,
    pairs,
    quiet_flag,
    reading_flags,
    seed_range,
    setting,
    spare_flags,
)

#: The models compared unless others are named, as one would name them; those that need all pairs of rows only up to so
#: many. Kernels measure each column in its standard deviation: nobody has looked at the units of the columns.
PAIRWISE, FEW = ("kernel-logistic:units=sd", "lspc:units=sd"), 1000
USUAL = ("logistic", "bayes-logistic", "gaussian", "gaussian-per-class", "naive-bayes", *PAIRWISE)


@click.command("compare")
@click.argument("data")
@click.option(
    "--target", required=True, metavar="COL", shell_complete=complete_column, help="The column that holds the classes."
)
@click.option(
    "--models",
    metavar="A,B,…",
    help="Models to compare, with settings if need be: logistic,logistic:prior=evidence,naive-bayes. Default: those "
    "with probabilities.",
)
@click.option("--cv", type=click.IntRange(2), default=5, show_default=True, help="Number of folds.")
@model_flags
@missing_flag
@click.option("--seed", type=seed_range, default=0, show_default=True, help="Seed of the folds.")
@reading_flags
@json_flag
@quiet_flag
@spare_flags("--force")
@click.option(
    "--strict", is_flag=True, help="Exit with code 6 if a model failed in a fold, or its fit status is not ok."
)
@debug_flag
def command(data: str, target: str, models: str | None, cv: int, seed: int, **options: Any) -> None:
    """Compare models on DATA by cross-validation: each is fitted to part of the rows and scored on the rest.

    All models see the same rows. Where there are gaps that some of them cannot use, rows with gaps are left out.

    \b
    posteriori compare penguins.csv --target species
    posteriori compare births.csv --target low --models logistic,logistic:prior=evidence,naive-bayes
    """  # noqa: D301  click looks for the character itself
    from posteriori.cli.output.json import print_json
    from posteriori.cli.output.screen import lines, progress, require_ok, status_of, worded_notes
    from posteriori.comparisons.compare import compare

    table = _read(data, target, options)
    chosen = _chosen(models, table, seed)
    table = _rows(table, target, chosen, options)
    seated = {name: _seated(model, table, target, options) for name, model in chosen.items()}
    with worded_notes(options["quiet"]) as given, progress(options["quiet"]):
        result = compare(seated, table, target, cv=cv, random_state=seed)
    if options["as_json"]:
        frame = result.to_frame("pyarrow").to_pylist()
        outcome = {"best": result.best, "within_noise": result.within_noise, "verdict": result.verdict}
        print_json("compare", {"rows": table.num_rows, "folds": cv, "comparison": frame, **outcome})
    else:
        text = str(result)
        lines(*([] if options["quiet"] else [text]))
        if options["quiet"] or not text.endswith(result.verdict):
            lines(result.verdict)
    failed = any(standing.failures for standing in result.standings)
    require_ok("failed" if failed else status_of(given), options["strict"])


def _read(data: str, target: str, options: dict[str, Any]) -> Any:
    from posteriori.cli.reading.reserved_columns import read_to_learn

    types = column_types(options["types"])
    _, table = read_to_learn(data, types, {"target": target}, options, "drop")
    return table.drop_columns([column for column, kind in types.items() if kind == "ignore"])


def _chosen(models: str | None, table: Any, seed: int) -> dict[str, Any]:
    """Make the models named; by default the usual ones."""
    from posteriori.cli.models.build import build

    usual = [text for text in USUAL if table.num_rows <= FEW or text not in PAIRWISE]
    chosen: dict[str, Any] = {}
    for text in usual if models is None else split(models, ","):
        name, *settings = split(text, ":")
        parameters = {key: setting(value) for key, value in pairs(tuple(settings), "--models").items()}
        if text in chosen:
            raise click.BadParameter(f"{text!r} is named twice.", param_hint="--models")
        chosen[text] = build(name, parameters, seed, option="--models", quiet=True)
    if not chosen:
        raise click.BadParameter("name at least one model.", param_hint="--models")
    return chosen


def split(text: str, mark: str) -> list[str]:
    """Split at a mark outside brackets and quotes; what is empty is left out.

    >>> split("logistic, naive-bayes:class_priors=[0.5,0.5]", ",")
    ['logistic', 'naive-bayes:class_priors=[0.5,0.5]']
    """
    parts, depth, quoted = [""], 0, False
    for character in text:
        quoted ^= character == '"'
        depth += 0 if quoted else (character in "[{") - (character in "]}")
        if character == mark and depth <= 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _rows(table: Any, target: str, models: dict[str, Any], options: dict[str, Any]) -> Any:
    """Leave out rows without a label, and rows with gaps where a model cannot use them."""
    from sklearn.utils import get_tags

    from posteriori.cli.failures import say
    from posteriori.messages.errors import DataError

    uses_gaps = all(get_tags(model).input_tags.allow_nan for model in models.values())
    fills = options["missing"] == "indicator" or (options["missing"] == "auto" and uses_gaps)
    whole = table.filter(table.column(target).is_valid()) if fills else table.drop_null()
    lost = table.num_rows - whole.num_rows
    if whole.num_rows == 0:
        raise DataError(f"every one of the {table.num_rows} rows has a gap; use --missing indicator, or fill them.")
    if lost and not options["quiet"]:
        say(f"Note: {lost} of {table.num_rows} rows have gaps and are left out, so that all models see the same rows.")
    return whole


def _seated(model: Any, table: Any, target: str, options: dict[str, Any]) -> Any:
    from posteriori.cli.models.build import references
    from posteriori.estimators.tables.table_classifier import TableClassifier

    types = {name: kind for name, kind in column_types(options["types"]).items() if kind != "ignore"}
    types.pop(target, None)
    missing = "indicator" if options["missing"] == "indicator" else "auto"
    seated = TableClassifier(model, types=types or "auto", reference=references(options["references"]), missing=missing)
    seated.preview(table.drop_columns([target]))  # faults of the columns, before any fold is fitted
    return seated
