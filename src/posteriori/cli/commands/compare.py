"""``posteriori compare``."""

from typing import Any

import click

from posteriori.cli.commands import flags

#: The default models; those whose cost is quadratic in the number of rows only up to `FEW` rows. Kernels standardise
#: the columns, whose units are unknown.
PAIRWISE, FEW = ("kernel-logistic:units=sd", "lspc:units=sd"), 1000
DEFAULT = ("logistic", "bayes-logistic", "gaussian", "gaussian-per-class", "naive-bayes", *PAIRWISE)


@click.command("compare")
@click.argument("data")
@flags.column_option("--target", "The column of the classes.", required=True)
@click.option(
    "--models",
    metavar="A,B,…",
    help="Models to compare, with settings after colons: logistic,logistic:prior=evidence,naive-bayes. Default: the "
    "models with probabilities.",
)
@click.option("--cv", type=click.IntRange(2), default=5, show_default=True, help="Number of folds.")
@flags.model_flags
@flags.missing_flag
@flags.reading_flags
@flags.run_flags(
    "--force", seed="Seed of the folds.", strict="Exit with code 6 if a model fails in a fold or a fit is not ok."
)
def command(data: str, target: str, models: str | None, cv: int, seed: int, **options: Any) -> None:
    """Compare models on DATA by cross-validation.

    All models are scored on the same rows. Rows with missing values are dropped if any of the models cannot use them.

    \b
    posteriori compare penguins.csv --target species
    posteriori compare births.csv --target low --models logistic,logistic:prior=evidence,naive-bayes
    """  # noqa: D301  click needs the character itself
    from posteriori.cli.output.json import print_json
    from posteriori.cli.output.screen import lines, progress, require_ok, status_of, warnings_as_notes
    from posteriori.cli.reading.reserved_columns import read_to_learn
    from posteriori.comparisons.compare import compare

    types = flags.column_types(options["types"])
    _, table = read_to_learn(data, types, {"target": target}, options, "drop")
    table = table.drop_columns([column for column, kind in types.items() if kind == "ignore"])
    estimators = _estimators(models, table, seed)
    table = _drop_rows(table, target, estimators, options)
    wrapped = {name: _wrapped(model, table, target, types, options) for name, model in estimators.items()}
    with warnings_as_notes(options["quiet"]) as categories, progress(options["quiet"]):
        result = compare(wrapped, table, target, cv=cv, random_state=seed)
    if options["as_json"]:
        frame = result.to_frame("pyarrow").to_pylist()
        outcome = {"best": result.best, "within_noise": result.within_noise, "verdict": result.verdict}
        print_json("compare", {"rows": table.num_rows, "folds": cv, "comparison": frame, **outcome})
    else:
        text = str(result)
        if not options["quiet"]:
            lines(text)
        if options["quiet"] or not text.endswith(result.verdict):
            lines(result.verdict)
    failed = any(standing.failures for standing in result.standings)
    require_ok("failed" if failed else status_of(categories), options["strict"])


def _estimators(models: str | None, table: Any, seed: int) -> dict[str, Any]:
    """Return the models of ``--models``, by default the standard ones, by their names with settings."""
    from posteriori.cli.models.build import build

    default = [text for text in DEFAULT if table.num_rows <= FEW or text not in PAIRWISE]
    estimators: dict[str, Any] = {}
    for text in default if models is None else split(models, ","):
        name, *settings = split(text, ":")
        parameters = {key: flags.setting(value) for key, value in flags.pairs(tuple(settings), "--models").items()}
        if text in estimators:
            raise click.BadParameter(f"{text!r} is listed twice.", param_hint="--models")
        estimators[text] = build(name, parameters, seed, option="--models", quiet=True)
    if not estimators:
        raise click.BadParameter("name at least one model.", param_hint="--models")
    return estimators


def split(text: str, mark: str) -> list[str]:
    """Split at a mark outside brackets and quotes; leave out empty parts.

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


def _drop_rows(table: Any, target: str, models: dict[str, Any], options: dict[str, Any]) -> Any:
    """Drop rows without a label, and rows with missing values if a model cannot use them."""
    from sklearn.utils import get_tags

    from posteriori.cli.failures import print_stderr
    from posteriori.messages.errors import DataError

    allow_missing = all(get_tags(model).input_tags.allow_nan for model in models.values())
    keep = options["missing"] == "indicator" or (options["missing"] == "auto" and allow_missing)
    complete = table.filter(table.column(target).is_valid()) if keep else table.drop_null()
    n_dropped = table.num_rows - complete.num_rows
    if complete.num_rows == 0:
        raise DataError(
            f"all {table.num_rows} rows have missing values; use --missing indicator, or fill in the values."
        )
    if n_dropped and not options["quiet"]:
        print_stderr(
            f"Note: {n_dropped} of {table.num_rows} rows were dropped because of missing values, so that all models "
            "are compared on the same rows."
        )
    return complete


def _wrapped(model: Any, table: Any, target: str, types: dict[str, str], options: dict[str, Any]) -> Any:
    """Return a model in a `TableClassifier`, checked against the columns before any fold is fitted."""
    from posteriori.cli.models.build import references
    from posteriori.estimators.tables.table_classifier import TableClassifier

    types = {name: kind for name, kind in types.items() if kind != "ignore" and name != target}
    missing = "indicator" if options["missing"] == "indicator" else "auto"
    wrapped = TableClassifier(
        model, types=types or "auto", reference=references(options["references"]), missing=missing
    )
    wrapped.preview(table.drop_columns([target]))
    return wrapped
