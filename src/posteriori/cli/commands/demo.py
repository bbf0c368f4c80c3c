"""``posteriori demo``: the Palmer penguins, from file to prediction and report."""

from pathlib import Path
from typing import Any

import click

from posteriori.cli.commands.flags import run_flags

PENGUINS = Path(__file__).parents[1] / "data" / "penguins.csv"
TARGET = "species"
#: The models compared, by their names in the catalogue, with their settings.
MODELS: dict[str, dict[str, Any]] = {"logistic": {"prior": 1.0}, "gaussian": {}, "naive-bayes": {}}


@click.command("demo")
@click.option("-o", "--output", metavar="MODEL", help="The model file to write; default: in a new temporary folder.")
@run_flags(seed="Seed of the folds.")
def command(output: str | None, seed: int, as_json: bool, quiet: bool, force: bool, strict: bool) -> None:
    """Fit, compare, predict and report on the Palmer penguins, which are part of the package.

    The report is an HTML page next to the model file.
    """
    from posteriori.cli.output.json import print_json
    from posteriori.cli.output.screen import check_target, progress, require_ok, warnings_as_notes
    from posteriori.cli.reading.files import read_table
    from posteriori.cli.reading.sources import Source

    path = _output(output)
    page = _page(path)
    check_target(path, force)
    check_target(page, force)
    table = read_table(Source(str(PENGUINS))).drop_columns(["year"])
    complete = table.drop_null()

    def echo(text: str) -> None:
        if not as_json and not quiet:
            click.echo(text)

    echo(_introduction(table, complete))
    with warnings_as_notes(quiet), progress(quiet):
        comparison = _compare(complete, seed)
        echo(str(comparison))
        if not as_json:
            click.echo(_best_line(comparison))
        model = _save_best(comparison.best, table, path)
        predictions = _predict(model, complete)
        reported = _report(model, table, page, seed)
    echo(f"\n{comparison.best} was fitted to {model.n_rows_} penguins, saved to {path} and loaded again.")
    echo("Its predictions for the first penguin of each species, and for the one it is least confident about:")
    if as_json:
        frame = comparison.to_frame("pyarrow").to_pylist()
        result = {"comparison": frame, "best": comparison.best, "saved": path, "report": reported}
        print_json("demo", {**result, "predictions": predictions})
    elif not quiet:
        _show(predictions, model)
        without = "No report: it needs pip install 'posteriori[report]'."
        echo(f"The report with all results and plots: {page}" if reported else without)
        echo(_next_steps(path))
    require_ok(model.fit_status_, strict)


def _output(output: str | None) -> str:
    if output is not None:
        return output
    import tempfile

    return str(Path(tempfile.mkdtemp(prefix="posteriori-")) / "penguins.model")


def _page(path: str) -> str:
    """Return the report's file name: that of the model file with another ending, never the same."""
    page = Path(path).with_suffix(".html")
    return str(page if str(page) != path else page.with_name(f"{page.stem}-report.html"))


def _introduction(table: Any, complete: Any) -> str:
    features = ", ".join(name for name in table.column_names if name != TARGET)
    return (
        f"Palmer penguins: {table.num_rows} penguins of three species (Gorman, Williams & Fraser 2014; CC0).\n"
        f"Target: {TARGET}. Features: {features}.\n"
        f"{table.num_rows - complete.num_rows} penguins have missing values. The comparison uses the other "
        f"{complete.num_rows}, so that all three models are scored on the same rows.\n"
    )


def _compare(complete: Any, seed: int) -> Any:
    from posteriori.comparisons.compare import compare
    from posteriori.estimators.catalogue import make

    models = {name: make(name, **settings) for name, settings in MODELS.items()}
    return compare(models, complete, TARGET, cv=5, random_state=seed)


def _best_line(comparison: Any) -> str:
    best = next(standing for standing in comparison.standings if standing.name == comparison.best)
    return (
        f"Best: {best.name}, held-out log loss {best.scores['log_loss']:.4f} ± {best.errors['log_loss']:.4f}, accuracy "
        f"{best.scores['accuracy']:.1%}."
    )


def _save_best(name: str, table: Any, path: str) -> Any:
    """Fit the best model, to rows with missing values too if it can use them; save it and return the loaded model."""
    from posteriori.estimators.catalogue import make
    from posteriori.estimators.tables.table_classifier import TableClassifier
    from posteriori.storage.save_load import load, save

    missing = "auto" if name == "naive-bayes" else "drop"
    save(TableClassifier(make(name, **MODELS[name]), missing=missing).fit(table, TARGET), path)
    return load(path)


def _predict(model: Any, penguins: Any) -> list[dict[str, Any]]:
    """Predict the first penguin of each species, and the one with the least certain prediction."""
    species, labels = penguins.column(TARGET).to_pylist(), model.classes_.tolist()
    probabilities = model.predict_proba(penguins)
    rows = [*(species.index(label) for label in labels), int(probabilities.max(axis=1).argmin())]
    predicted = model.predict(penguins.take(rows)).tolist()
    return [
        {
            TARGET: species[row],
            "prediction": label,
            "probabilities": dict(zip(labels, probabilities[row], strict=True)),
        }
        for row, label in zip(rows, predicted, strict=True)
    ]


def _report(model: Any, table: Any, page: str, seed: int) -> str | None:
    """Write a report of the model and return its file name; None if the packages for it are not installed."""
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
        [row[TARGET], row["prediction"], *(f"{p:.4f}" for p in row["probabilities"].values())] for row in predictions
    ]
    show(grid("", header, rows))


def _next_steps(path: str) -> str:
    return (
        f"Try next:\n  posteriori summary {path}\n"
        f"  posteriori fit {PENGUINS} --target {TARGET} --model naive-bayes -o penguins.model\n"
        f"  posteriori predict penguins.model {PENGUINS} --proba\n"
        "  posteriori models"
    )
