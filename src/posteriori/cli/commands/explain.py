"""``posteriori explain``."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import click

from posteriori.cli.commands.flags import raw_flag, reading_flags, run_flags


@click.command("explain")
@click.argument("model_file", metavar="MODEL")
@click.argument("data")
@click.option("--row", type=click.IntRange(1), metavar="N", help="One row only; the first row below the header is 1.")
@raw_flag
@reading_flags
@run_flags("--seed", "--force")
def command(model_file: str, data: str, row: int | None, raw: bool, **options: Any) -> None:
    """Explain predictions by the contribution of each column of DATA.

    With two classes the contributions add up to the log odds (to the linear predictor, with a link other than the
    logit), with more classes to the score of each class.

    With --row, a table of the contributions to the prediction of one row, the largest first. Without it, CSV with one
    line per row (per row and class, with more than two classes).

    \b
    posteriori explain penguins.model new.csv --row 1
    """  # noqa: D301  click needs the character itself
    from posteriori.cli.output.screen import require_ok
    from posteriori.storage.save_load import load

    model = load(model_file)
    _refuse_no_sum(model)
    batches = _explained(model, data, row, options)
    if options["as_json"]:
        _print(model, list(batches))
    elif row is not None:
        _show(model, row, next(batches))
    else:
        _write(batches, raw)
    require_ok(model.fit_status_, options["strict"])


def _refuse_no_sum(model: Any) -> None:
    """Raise if the scores of a model are no sum over columns."""
    from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
    from posteriori.estimators.wrappers.layers import innermost

    inner = innermost(model)
    name = type(inner).__name__
    if isinstance(inner, GaussianClassifier) and not hasattr(inner, "coef_"):
        raise click.UsageError(
            f"the scores of {name} are quadratic, since each class has its own covariance, so they are not a sum over "
            "the columns and cannot be explained. Those of --model gaussian are."
        )
    if not hasattr(model, "explain"):
        raise click.UsageError(f"the scores of {name} are not a sum over the columns and cannot be explained.")


@dataclass(frozen=True)
class Explained:
    """The explanation of a batch of rows.

    Parameters
    ----------
    first : how many rows come before the batch
    labels : (n,) predictions
    probabilities : (n, K), or None
    contributions : what `explain` of the model returns
    """

    first: int
    labels: Any
    probabilities: Any
    contributions: Any


def _explained(model: Any, data: str, row: int | None, options: dict[str, Any]) -> Iterator[Explained]:
    """Yield the explanations of all rows batch by batch, or that of one row."""
    from posteriori.cli.output.streaming import each_batch
    from posteriori.messages.errors import DataError

    n_rows = 0

    def explain(table: Any) -> Explained | None:
        nonlocal n_rows
        first, n_rows = n_rows, n_rows + table.num_rows
        if row is not None:
            if not first < row <= n_rows:
                return None
            table, first = table.slice(row - first - 1, 1), row - 1
        probabilities = model.predict_proba(table) if hasattr(model, "predict_proba") else None
        return Explained(first, model.predict(table), probabilities, model.explain(table))

    empty = True
    for batch in each_batch(model, data, options, explain):
        if batch is not None:
            empty = False
            yield batch
            if row is not None:
                return
    if empty:
        raise DataError(f"there is no row {row}: the data have {n_rows} rows.")


def _write(batches: Iterator[Explained], raw: bool) -> None:
    """Write one line of CSV per row, or per row and class with more than two classes."""
    import numpy as np

    from posteriori.cli.output.predictions import writer

    with writer(None, raw) as write:
        for batch in batches:
            terms, labels = batch.contributions, batch.labels
            total = terms.total
            n_scores = total.shape[1] if total.ndim == 2 else 1
            columns = {"row": np.repeat(np.arange(batch.first + 1, batch.first + len(labels) + 1), n_scores)}
            columns["prediction"] = np.repeat(labels, n_scores)
            if n_scores > 1:
                columns["class"] = np.tile(np.array(terms.classes, dtype=object), len(labels))
            columns["baseline"] = np.broadcast_to(terms.baseline, total.shape).ravel()
            if terms.offset is not None:
                columns["offset"] = np.broadcast_to(terms.offset, total.shape).ravel()
            parts = terms.contributions.reshape(total.size, len(terms.names))
            columns |= dict(zip(_unique_names(terms.names, {*columns, "total"}), parts.T, strict=True))
            columns["total"] = total.ravel()
            write(columns)


def _unique_names(names: Iterable[str], taken: set[str]) -> list[str]:
    """Return the names, with underscores added to those that are taken or occur twice.

    >>> _unique_names(["total", "total_", "age"], {"total"})
    ['total_', 'total__', 'age']
    """
    unique: list[str] = []
    for name in names:
        while name in taken or name in unique:
            name += "_"  # noqa: PLW2901
        unique.append(name)
    return unique


def _show(model: Any, row: int, batch: Explained) -> None:
    """Print one row as a table: the baseline, the columns by the size of their contributions, and the total."""
    from posteriori.cli.output.screen import grid, show
    from posteriori.estimators.predictor_scales import boundary_of, scale_of
    from posteriori.messages.escape import escape_controls

    terms, likely = batch.contributions, batch.probabilities
    probability = "" if likely is None else f", P = {likely[0].max():.6g}"
    header, rows = table_of(terms, scale_of(model))
    limit = boundary_of(model)
    show(grid(f"Row {row}: {batch.labels[0]}{probability}", header, rows))
    if limit:
        show(f"{escape_controls(terms.classes[1])} is the more probable class if the total exceeds {limit:.6g}.")


def table_of(terms: Any, scale: str = "log odds") -> tuple[list[Any], list[list[Any]]]:
    """Return header and rows of the explanation of one row: a column for the linear predictor or for each class."""
    import numpy as np

    from posteriori.estimators.predictor_scales import of_class

    parts = np.atleast_2d(terms.contributions[0])
    baseline, total = np.atleast_1d(terms.baseline), np.atleast_1d(terms.total[0])
    size = np.abs(parts[0]) if len(parts) == 1 else np.ptp(parts, axis=0)
    header = ["", of_class(scale, terms.classes[1])] if len(parts) == 1 else ["score of", *terms.classes]
    rows = [["(baseline)", *baseline.tolist()]]
    if terms.offset is not None:
        rows.append(["(offset)", *np.atleast_1d(terms.offset[0]).tolist()])
    rows += [[terms.names[j], *parts[:, j].tolist()] for j in np.argsort(-size, kind="stable")]
    return header, [*rows, ["total", *total.tolist()]]


def _print(model: Any, batches: list[Explained]) -> None:
    from posteriori.cli.output.json import print_json

    rows = [_row(batch, i) for batch in batches for i in range(len(batch.labels))]
    print_json("explain", {"classes": model.classes_, "columns": batches[0].contributions.names, "rows": rows})


def _row(batch: Explained, i: int) -> dict[str, Any]:
    terms = batch.contributions
    classes = [str(name) for name in terms.classes]
    binary = terms.contributions.ndim == 2

    def by_class(values: Any) -> Any:
        return values if binary else dict(zip(classes, values, strict=True))

    def by_column(values: Any) -> dict[str, Any]:
        return dict(zip(terms.names, values, strict=True))

    result: dict[str, Any] = {"row": batch.first + i + 1, "prediction": batch.labels[i]}
    if batch.probabilities is not None:
        result["probabilities"] = dict(zip(classes, batch.probabilities[i], strict=True))
    parts = terms.contributions[i]
    result["baseline"] = by_class(terms.baseline)
    result["contributions"] = by_column(parts) if binary else by_class(map(by_column, parts))
    if terms.offset is not None:
        result["offset"] = terms.offset[i]
    return {**result, "total": by_class(terms.total[i])}
