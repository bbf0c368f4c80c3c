"""Which figures a report has: those that its model and its rows allow."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.estimators.wrappers.layers import innermost, table_in
from posteriori.inference.summaries.table import Summary
from posteriori.input.frames.native import as_frame
from posteriori.messages.errors import DataError
from posteriori.messages.escape import escape_controls
from posteriori.plots.coefficients.coefficients import CoefficientDisplay
from posteriori.plots.decisions.reliability import ReliabilityDisplay
from posteriori.plots.decisions.risk_coverage import RiskCoverageDisplay
from posteriori.plots.densities.density import DensityDisplay
from posteriori.plots.planes.projection import ProjectionDisplay, bin_edges
from posteriori.plots.posteriors.posterior import PosteriorDisplay
from posteriori.reports.contents import Part, Picture, Text
from posteriori.reports.pictures import picture
from posteriori.reports.ranges import range_of, round_bounds
from posteriori.reports.rows import Scored
from posteriori.reports.scores import Assessment

#: The most classes that a figure has a curve each for, and the most coefficients it has a line each for.
CURVES, TERMS = 6, 60
#: The most rows of data that are drawn as marks.
MARKS = 5000


def coefficient_figure(model: Any, described: dict[str, Any], summary: Any) -> list[Part]:
    """Draw the coefficients with their intervals, where there are any and not too many."""
    coefficients = described.get("coefficients")
    if coefficients is None or "kernels" in described:
        return []
    if isinstance(summary, Summary) and not any(
        row.state == "ok" and row.term != "(Intercept)" for row in summary.rows
    ):
        return []  # all at infinity, or none identified
    terms = len(next(iter(coefficients.values()))) - 1
    classes = len(coefficients)
    if not 1 <= terms * classes <= TERMS:
        return []
    height = 1.2 + 0.3 * terms * (1 if classes == 1 else 0.45 * classes)
    interval = "with intervals of level 0.95" if summary is not None else "without intervals: this model has none"
    return _tried(
        lambda ax: CoefficientDisplay.from_estimator(model, ax=ax),
        "coefficients",
        f"Coefficients of the model, {interval}.",
        f"Coefficients, {interval}. They are in the units of their columns: lengths of different columns are not to be "
        "compared.",
        (6.4, max(2.2, height)),
        values=True,
    )


def forecast_figures(model: Any, rows: Scored, found: Assessment, values: bool) -> list[Part]:
    """Draw whether the probabilities hold, and what refusing doubtful rows would buy.

    Parameters
    ----------
    values : whether values of rows may be told
    """
    if found.logs is None:
        return []
    classes, p = np.asarray(model.classes_), np.exp(found.logs)
    of = "class" if len(classes) <= CURVES else "top"
    labels, weights = classes[rows.codes], rows.weights if rows.weighted else None
    single = len(rows.places) == len(rows.numbers)  # rows of counts are several cases each

    def reliability(ax: Any) -> Any:
        if single:
            return ReliabilityDisplay.from_estimator(
                model, rows.X, labels, sample_weight=weights, of=of, ax=ax, **rows.given
            )
        return ReliabilityDisplay.from_predictions(labels, p, classes, sample_weight=weights, of=of, ax=ax)

    parts = _tried(
        reliability,
        "reliability",
        "Reliability diagram: the share of rows in which an event came true against its forecast probability.",
        "Are the probabilities what they say? Marks on the diagonal: yes. Above it events come more often than "
        "forecast, below it less often. Below it all, how the forecasts are spread.",
        (6.4, 4.8),
        values=values,
    )
    if single and found.scores["accuracy"].value < 1.0:
        parts += _tried(
            lambda ax: RiskCoverageDisplay.from_estimator(
                model, rows.X, labels, sample_weight=weights, ax=ax, name="model", **rows.given
            ),
            "risk",
            "Risk against coverage: the mean loss on the rows that are answered as more of them are answered.",
            "What refusing the doubtful rows would buy: the loss on the rows answered, from the surest down, against "
            "their share. A useful ranking rises from left to right.",
            values=values,
        )
    return parts


def column_figures(model: Any, rows: Scored, values: bool) -> list[Part]:
    """Draw the model over its columns where there are one or two, or along its direction where it has one.

    Parameters
    ----------
    values : whether the rows may be drawn as marks, from which their values can be read
    """
    inner = innermost(model)
    labels = np.asarray(model.classes_)[rows.codes]
    if rows.given or len(rows.places) != len(rows.numbers):
        return []
    parts: list[Part] = []
    if _few_numbers(model, rows):
        shown = (rows.X, labels) if values else (range_of(rows.X), None)
        parts += _tried(
            lambda ax: _without_rows(PosteriorDisplay.from_estimator(model, *shown, ax=ax, name=""), values),
            "posterior",
            "The model's answer over the values of its columns.",
            "What the model says over the range of its columns; where colours meet, the answer changes."
            + ("" if values else " The rows themselves are not drawn."),
            values=values,
        )
        if hasattr(inner, "density_"):
            outer = table_in(model) or inner
            parts += _tried(
                lambda ax: _without_rows(DensityDisplay.from_estimator(outer, *shown, ax=ax), values),
                "density",
                "Densities of the columns in each class.",
                "How the model thinks the columns are distributed within each class.",
                values=values,
            )
    if not hasattr(model, "predict_proba") and hasattr(inner, "coef_"):
        parts += _tried(
            lambda ax: _projection(model, rows.X, labels, ax, values),
            "projection",
            "Histograms of the rows by class along the direction in which the model tells the classes apart.",
            "The rows along the model's direction, class by class: the less the histograms overlap, the better this "
            "direction tells the classes apart.",
            values=values,
        )
    return parts


def _few_numbers(model: Any, rows: Scored) -> bool:
    """Whether the model takes one or two columns, all numbers, and the rows are not too many to draw."""
    table, frame = table_in(model), as_frame(rows.X)
    if len(rows.numbers) > MARKS:
        return False
    if table is not None and table.coding_ is not None:
        kinds = [column.kind for column in table.coding_.columns]
        return 1 <= len(kinds) <= 2 and all(kind == "number" for kind in kinds)
    if frame is not None:
        return len(frame.columns) <= 2 and all(frame[name].dtype.is_numeric() for name in frame.columns)
    shape = np.shape(rows.X) if not hasattr(rows.X, "tocsr") else (0, 3)
    return len(shape) == 2 and 1 <= shape[1] <= 2 and np.asarray(rows.X).dtype.kind in "fiu"


def _projection(model: Any, X: Any, labels: Any, ax: Any, values: bool) -> Any:
    """Draw histograms along a direction; without values, their bins begin and end at round numbers."""
    if values:
        return ProjectionDisplay.from_estimator(model, X, labels, component=0, ax=ax)
    from matplotlib.figure import Figure

    display = ProjectionDisplay.from_estimator(model, X, labels, component=0, ax=Figure().subplots())
    along = display.projected.values[:, 0]
    first, last = round_bounds(along).tolist()
    n = len(bin_edges(along, "auto")) - 1
    return ProjectionDisplay(display.projected, (0,), bins=np.linspace(first, last, n + 1)).plot(ax)


def _without_rows(display: Any, values: bool) -> None:
    if not values:
        for artist in display.points_:
            artist.remove()


def _tried(
    draw: Callable[[Any], Any],
    name: str,
    alt: str,
    caption: str,
    size: tuple[float, float] = (6.4, 4.2),
    values: bool = False,
) -> list[Part]:
    """Draw a figure, or say why it cannot be drawn; the reason may hold values of rows."""
    try:
        drawn: Picture = picture(draw, name, alt, caption, size)
    except DataError as error:
        why = f": {escape_controls(error)}" if values else "."
        return [Text((f"There is no figure of {escape_controls(name)}{why}",))]
    return [drawn]
