"""``posteriori demo``: the Palmer penguins, from file to prediction."""

from pathlib import Path
from typing import Any

import click

from posteriori.cli.flags import debug_flag, force_flag, json_flag, quiet_flag

PENGUINS = Path(__file__).parent / "data" / "penguins.csv"
TARGET = "species"
#: The models compared, by their names in the catalogue, with the settings the demonstration gives them.
MODELS: dict[str, dict[str, Any]] = {"logistic": {"prior": 1.0}, "gaussian": {}, "naive-bayes": {}}


@click.command("demo")
@click.option("-o", "--output", metavar="MODEL", help="The model file to write; default in a new temporary folder.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the folds.")
@json_flag
@quiet_flag
@force_flag
@debug_flag
def command(output: str | None, seed: int, as_json: bool, quiet: bool, force: bool) -> None:
    """Fit, compare and predict on the Palmer penguins, which come with the package."""
    from posteriori.cli.payloads import print_json
    from posteriori.cli.reading import read_table
    from posteriori.cli.screen import check_target, progress, worded_notes
    from posteriori.cli.sources import Source

    path = _output(output)
    check_target(path, force)
    table = read_table(Source(str(PENGUINS))).drop_columns(["year"])
    whole = table.drop_null()
    tell = _silent if as_json or quiet else click.echo
    _introduce(table, whole, tell)
    with worded_notes(quiet), progress(quiet):
        comparison = _compare(whole, seed)
        tell(str(comparison))
        if not as_json:
            click.echo(_best_line(comparison))
        loaded = _keep(comparison.best, table, path)
        predictions = _predict(loaded, whole)
    tell(f"\n{comparison.best} was fitted to {loaded.n_rows_} birds, saved to {path},")
    tell("and read back from there to predict the first bird of each species, and the one it is least sure of:")
    if as_json:
        frame = comparison.to_frame("pyarrow").to_pylist()
        print_json("demo", {"comparison": frame, "best": comparison.best, "saved": path, "predictions": predictions})
    elif not quiet:
        _show(predictions, loaded)
        _next(path)


def _silent(text: str) -> None:
    """Say nothing."""


def _output(output: str | None) -> str:
    if output is not None:
        return output
    import tempfile

    return str(Path(tempfile.mkdtemp(prefix="posteriori-")) / "penguins.model")


def _introduce(table: Any, whole: Any, tell: Any) -> None:
    tell(f"The Palmer penguins: {table.num_rows} birds of three species (Gorman, Williams & Fraser 2014; CC0).")
    tell(f"To be told: {TARGET}. From: {', '.join(name for name in table.column_names if name != TARGET)}.")
    tell(
        f"{table.num_rows - whole.num_rows} birds have gaps. The comparison is over the {whole.num_rows} "
        "without, so that "
        "all three models see the same rows.\n"
    )


def _compare(whole: Any, seed: int) -> Any:
    from posteriori.classifiers.catalogue import make
    from posteriori.comparisons.compare import compare

    models = {name: make(name, **settings) for name, settings in MODELS.items()}
    return compare(models, whole, TARGET, cv=5, random_state=seed)


def _best_line(comparison: Any) -> str:
    best = next(standing for standing in comparison.standings if standing.name == comparison.best)
    return (
        f"Best: {best.name}, log loss {best.scores['log_loss']:.4f} ± {best.errors['log_loss']:.4f} on birds "
        "it had not "
        f"seen, {best.scores['accuracy']:.1%} of them right."
    )


def _keep(name: str, table: Any, path: str) -> Any:
    """Fit the best model, leaving gaps to it where it can use them; save it and give what is read back."""
    from posteriori.classifiers.catalogue import make
    from posteriori.classifiers.table_classifier import TableClassifier
    from posteriori.storage.files import load, save

    missing = "auto" if name == "naive-bayes" else "drop"
    model = TableClassifier(make(name, **MODELS[name]), missing=missing).fit(table, TARGET)
    save(model, path)
    return load(path)


def _predict(model: Any, birds: Any) -> list[dict[str, Any]]:
    """Predict the first bird of each species, and the one the model is least sure of."""
    species, labels = birds.column(TARGET).to_pylist(), model.classes_.tolist()
    probabilities = model.predict_proba(birds)
    least_sure = int(probabilities.max(axis=1).argmin())
    rows = [*(species.index(label) for label in labels), least_sure]
    predicted = model.predict(birds.take(rows)).tolist()
    return [
        {
            TARGET: species[row],
            "prediction": told,
            "probabilities": dict(zip(labels, probabilities[row], strict=True)),
        }
        for row, told in zip(rows, predicted, strict=True)
    ]


def _show(predictions: list[dict[str, Any]], model: Any) -> None:
    from posteriori.cli.screen import grid, show

    header = ["species", "prediction", *(f"P({label})" for label in model.classes_.tolist())]
    rows = [
        [bird[TARGET], bird["prediction"], *(f"{p:.4f}" for p in bird["probabilities"].values())]
        for bird in predictions
    ]
    show(grid("", header, rows))


def _next(path: str) -> None:
    click.echo("Try next:")
    click.echo(f"  posteriori summary {path}")
    click.echo(f"  posteriori fit {PENGUINS} --target {TARGET} --model naive-bayes -o birds.model")
    click.echo(f"  posteriori predict birds.model {PENGUINS} --proba")
    click.echo("  posteriori models")
