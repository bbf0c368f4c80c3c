"""``posteriori demo``: the Palmer penguins, from file to prediction and report."""

from pathlib import Path
from typing import Any

import click

from posteriori.cli.commands.flags import debug_flag, force_flag, json_flag, quiet_flag, seed_range, strict_flag

PENGUINS = Path(__file__).parents[1] / "data" / "penguins.csv"
TARGET = "species"
NEEDS = "pip install 'posteriori[report]' brings the packages that lay it out."
#: The models compared, by their names in the catalogue, with the settings the demonstration gives them.
MODELS: dict[str, dict[str, Any]] = {"logistic": {"prior": 1.0}, "gaussian": {}, "naive-bayes": {}}


@click.command("demo")
@click.option("-o", "--output", metavar="MODEL", help="The model file to write; default in a new temporary folder.")
@click.option("--seed", type=seed_range, default=0, show_default=True, help="Seed of the folds.")
@json_flag
@quiet_flag
@force_flag
@strict_flag
@debug_flag
def command(output: str | None, seed: int, as_json: bool, quiet: bool, force: bool, strict: bool) -> None:
    """Fit, compare, predict and report on the Palmer penguins, which come with the package.

    The report is written beside the model file, as a page of HTML.
    """
    from posteriori.cli.output.json import print_json
    from posteriori.cli.output.screen import check_target, progress, require_ok, worded_notes
    from posteriori.cli.reading.files import read_table
    from posteriori.cli.reading.sources import Source

    path = _output(output)
    page = _page(path)
    check_target(path, force)
    check_target(page, force)
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
        reported = _report(loaded, table, page, seed)
    tell(f"\n{comparison.best} was fitted to {loaded.n_rows_} birds, saved to {path},")
    tell("and read back from there to predict the first bird of each species, and the one it is least sure of:")
    if as_json:
        frame = comparison.to_frame("pyarrow").to_pylist()
        found = {"comparison": frame, "best": comparison.best, "saved": path, "report": reported}
        print_json("demo", {**found, "predictions": predictions})
    elif not quiet:
        _show(predictions, loaded)
        tell(f"All of this, with pictures, is in {page}." if reported else f"No report: {NEEDS}")
        _next(path)
    require_ok(loaded.fit_status_, strict)


def _silent(text: str) -> None:
    """Say nothing."""


def _output(output: str | None) -> str:
    if output is not None:
        return output
    import tempfile

    return str(Path(tempfile.mkdtemp(prefix="posteriori-")) / "penguins.model")


def _page(path: str) -> str:
    """Name the report after the model file, and never the same."""
    beside = Path(path).with_suffix(".html")
    return str(beside if str(beside) != path else beside.with_name(f"{beside.stem}-report.html"))


def _introduce(table: Any, whole: Any, tell: Any) -> None:
    tell(f"The Palmer penguins: {table.num_rows} birds of three species (Gorman, Williams & Fraser 2014; CC0).")
    tell(f"To be told: {TARGET}. From: {', '.join(name for name in table.column_names if name != TARGET)}.")
    tell(
        f"{table.num_rows - whole.num_rows} birds have gaps. The comparison is over the {whole.num_rows} "
        "without, so that "
        "all three models see the same rows.\n"
    )


def _compare(whole: Any, seed: int) -> Any:
    from posteriori.comparisons.compare import compare
    from posteriori.estimators.catalogue import make

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
    from posteriori.estimators.catalogue import make
    from posteriori.estimators.tables.table_classifier import TableClassifier
    from posteriori.storage.save_load import load, save

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


def _report(model: Any, table: Any, page: str, seed: int) -> str | None:
    """Write a report of the model and give its name; None where the packages for it are not there."""
    from posteriori.reports.page import absent
    from posteriori.reports.report import report

    if absent():
        return None
    report(model, table, TARGET, page, title="The Palmer penguins", random_state=seed)
    return page


def _show(predictions: list[dict[str, Any]], model: Any) -> None:
    from posteriori.cli.output.screen import grid, show

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
