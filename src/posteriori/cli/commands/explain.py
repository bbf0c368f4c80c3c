"""``posteriori explain``."""

from collections.abc import Iterable, Iterator
from typing import Any

import click

from posteriori.cli.commands.flags import debug_flag, json_flag, quiet_flag, reading_flags, spare_flags, strict_flag


@click.command("explain")
@click.argument("model_file", metavar="MODEL")
@click.argument("data")
@click.option("--row", type=click.IntRange(1), metavar="N", help="One row only, counted from 1 below the header.")
@click.option(
    "--raw", is_flag=True, help="Leave text as it is that a spreadsheet would run as a formula or a terminal obey."
)
@reading_flags
@json_flag
@quiet_flag
@strict_flag
@spare_flags("--seed", "--force")
@debug_flag
def command(model_file: str, data: str, row: int | None, raw: bool, **options: Any) -> None:
    """Take predictions apart: the log odds (of more than two classes, the scores) as a sum over the columns of DATA.

    Of a model through another link than the logit it is the linear predictor that is taken apart.

    With --row, a table of what each column contributes to the prediction of one row, the largest first. Without, a
    line of CSV for each row (and class, where there are more than two).

    \b
    posteriori explain penguins.model new.csv --row 1
    """  # noqa: D301  click looks for the character itself
    from posteriori.cli.output.screen import require_ok
    from posteriori.storage.save_load import load

    model = load(model_file)
    _refuse_no_sum(model)
    pieces = _pieces(model, data, row, options)
    if options["as_json"]:
        _print(model, list(pieces))
    elif row is not None:
        _show(model, row, next(pieces))
    else:
        _write(model, pieces, raw)
    require_ok(model.fit_status_, options["strict"])


def _refuse_no_sum(model: Any) -> None:
    """Refuse a model whose scores are no sum over columns."""
    from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
    from posteriori.estimators.wrappers.layers import innermost

    inner = innermost(model)
    quadratic = isinstance(inner, GaussianClassifier) and not hasattr(inner, "coef_")
    if quadratic or not hasattr(model, "explain"):
        why = "quadratic, since each class has its own covariance, and so " if quadratic else ""
        remedy = " Those of --model gaussian are one." if quadratic else ""
        raise click.UsageError(
            f"the scores of {type(inner).__name__} are {why}no sum over columns: nothing to take apart.{remedy}"
        )


Piece = tuple[int, Any, Any, Any]


def _pieces(model: Any, data: str, row: int | None, options: dict[str, Any]) -> Iterator[Piece]:
    """Give, piece by piece: the rows before it, predictions, probabilities or None, and the explanation."""
    from posteriori.cli.output.streaming import each_piece
    from posteriori.messages.errors import DataError

    before = 0

    def explained(table: Any) -> Piece | None:
        nonlocal before
        first, before = before, before + table.num_rows
        if row is not None:
            if not first < row <= before:
                return None
            table, first = table.slice(row - first - 1, 1), row - 1
        likely = model.predict_proba(table) if hasattr(model, "predict_proba") else None
        return first, model.predict(table), likely, model.explain(table)

    found = False
    for piece in each_piece(model, data, options, explained):
        if piece is not None:
            found = True
            yield piece
            if row is not None:
                return
    if not found:
        raise DataError(f"there is no row {row}: the data have {before} rows.")


def _write(model: Any, pieces: Iterator[Piece], raw: bool) -> None:
    """Write a line of CSV for each row, and each class where there are more than two."""
    import numpy as np

    from posteriori.cli.output.predictions import written

    with written(None, raw) as write:
        for before, labels, _, told in pieces:
            total = told.total
            each = total.shape[1] if total.ndim == 2 else 1
            columns = {"row": np.repeat(np.arange(before + 1, before + len(labels) + 1), each)}
            columns["prediction"] = np.repeat(labels, each)
            if each > 1:
                columns["class"] = np.tile(np.array(told.classes, dtype=object), len(labels))
            columns["baseline"] = np.broadcast_to(told.baseline, total.shape).ravel()
            if told.offset is not None:
                columns["offset"] = np.broadcast_to(told.offset, total.shape).ravel()
            parts = told.contributions.reshape(total.size, len(told.names))
            columns |= dict(zip(_apart(told.names, {*columns, "total"}), parts.T, strict=True))
            columns["total"] = total.ravel()
            write(columns)


def _apart(names: Iterable[str], taken: set[str]) -> list[str]:
    """Give names that are neither taken nor one another's: those that are get underscores.

    >>> _apart(["total", "total_", "age"], {"total"})
    ['total_', 'total__', 'age']
    """
    found: list[str] = []
    for name in names:
        while name in taken or name in found:
            name += "_"  # noqa: PLW2901
        found.append(name)
    return found


def _show(model: Any, row: int, piece: Piece) -> None:
    """Show one row as a table: the baseline, the columns by what they contribute, and the total."""
    from posteriori.cli.output.screen import grid, show
    from posteriori.estimators.predictor_scales import boundary_of, scale_of
    from posteriori.messages.escape import escape_controls

    _, labels, likely, told = piece
    sure = "" if likely is None else f", P = {likely[0].max():.6g}"
    header, rows = table_of(told, scale_of(model))
    title = f"Row {row}: {labels[0]}{sure}"
    limit = boundary_of(model)
    more = (
        [f"{escape_controls(told.classes[1])} is the more probable where the total exceeds {limit:.6g}."]
        if limit
        else []
    )
    show(grid(title, header, rows), *more)


def table_of(told: Any, scale: str = "log odds") -> tuple[list[Any], list[list[Any]]]:
    """Lay out the explanation of one row: a line a part, a column for the linear predictor or for each class."""
    import numpy as np

    from posteriori.estimators.predictor_scales import of_class

    parts = np.atleast_2d(told.contributions[0])
    baseline, total = np.atleast_1d(told.baseline), np.atleast_1d(told.total[0])
    spread = np.abs(parts[0]) if len(parts) == 1 else parts.max(axis=0) - parts.min(axis=0)
    header = ["", of_class(scale, told.classes[1])] if len(parts) == 1 else ["score of", *told.classes]
    rows = [["(baseline)", *baseline.tolist()]]
    if told.offset is not None:
        rows.append(["(offset)", *np.atleast_1d(told.offset[0]).tolist()])
    rows += [[told.names[j], *parts[:, j].tolist()] for j in np.argsort(-spread, kind="stable")]
    return header, [*rows, ["total", *total.tolist()]]


def _print(model: Any, pieces: list[Piece]) -> None:
    from posteriori.cli.output.json import print_json

    rows = [
        _row(model, before + i + 1, labels[i], None if likely is None else likely[i], told, i)
        for before, labels, likely, told in pieces
        for i in range(len(labels))
    ]
    print_json("explain", {"classes": model.classes_, "columns": pieces[0][3].names, "rows": rows})


def _row(model: Any, number: int, label: Any, likely: Any, told: Any, i: int) -> dict[str, Any]:
    classes = [str(name) for name in told.classes]
    two = told.contributions.ndim == 2
    parts = told.contributions[i]
    result: dict[str, Any] = {"row": number, "prediction": label}
    if likely is not None:
        result["probabilities"] = dict(zip(classes, likely, strict=True))
    named = dict(zip(told.names, parts, strict=True)) if two else None
    result["baseline"] = told.baseline if two else dict(zip(classes, told.baseline, strict=True))
    result["contributions"] = named or {
        name: dict(zip(told.names, row, strict=True)) for name, row in zip(classes, parts, strict=True)
    }
    if told.offset is not None:
        result["offset"] = told.offset[i]
    result["total"] = told.total[i] if two else dict(zip(classes, told.total[i], strict=True))
    return result
