"""The figures of a report: those that its model and its rows allow."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from posteriori.estimators.wrappers.layers import innermost, layers, table_in
from posteriori.inference.summaries.table import CoefficientTable
from posteriori.input.frames.native import as_frame
from posteriori.messages.errors import DataError
from posteriori.messages.escape import escape_controls
from posteriori.plots.coefficients.coefficients import CoefficientDisplay
from posteriori.plots.decisions.predicted_probabilities import read_probabilities
from posteriori.plots.decisions.reliability import ReliabilityDisplay
from posteriori.plots.decisions.risk_coverage import RiskCoverageDisplay
from posteriori.plots.densities.density import DensityDisplay
from posteriori.plots.planes.projection import ProjectionDisplay, bin_edges
from posteriori.plots.posteriors.posterior import PosteriorDisplay
from posteriori.reports.contents import Part, Text
from posteriori.reports.evaluation import Evaluation
from posteriori.reports.pictures import picture
from posteriori.reports.ranges import range_of, round_bounds
from posteriori.reports.rows import ScoredRows
from posteriori.reports.sections.coefficients import INTERCEPT

#: Largest number of classes with one reliability curve each, and of coefficients in a figure.
CURVES, TERMS = 6, 60
#: Largest number of rows drawn as marks.
MARKS = 5000
RELIABILITY = (
    "Reliability diagram: observed frequency against predicted probability. On the diagonal the model is perfectly "
    "calibrated; above it the event is more frequent than predicted, below it less frequent. The histogram shows the "
    "distribution of the predicted probabilities."
)
RISK = (
    "Risk-coverage curve: mean loss on the rows that are not rejected (selective risk) against their fraction "
    "(coverage). The least confident predictions are rejected first; if confidence is informative, the curve rises "
    "from left to right."
)


def coefficient_figure(model: Any, description: dict[str, Any], summary: Any) -> list[Part]:
    """Draw the coefficients with their intervals, if there are not too many."""
    coefficients = description.get("coefficients")
    if coefficients is None or "kernels" in description:
        return []
    if isinstance(summary, CoefficientTable) and not any(
        row.state == "ok" and row.term != INTERCEPT for row in summary.rows
    ):
        return []  # no coefficient has a finite estimate
    terms, classes = len(next(iter(coefficients.values()))) - 1, len(coefficients)
    if not 1 <= terms * classes <= TERMS:
        return []
    height = 1.2 + 0.3 * terms * (1 if classes == 1 else 0.45 * classes)
    what = "with 95 % intervals" if summary is not None else "without intervals, since the model has no standard errors"
    caption = (
        f"Coefficients of the model, {what}. Each is per unit of its column, so coefficients of columns with different "
        "units are not comparable."
    )
    size = (6.4, max(2.2, height))
    return _figure(lambda ax: CoefficientDisplay.from_estimator(model, ax=ax), "coefficients", caption, True, size)


def probability_figures(model: Any, evaluation: Evaluation, values: bool) -> list[Part]:
    """Draw the reliability diagram and the risk-coverage curve.

    Parameters
    ----------
    model : fitted
    evaluation : of the model on rows
    values : whether values of rows may be shown
    """
    rows, logs = evaluation.rows, evaluation.assessment.logs
    if logs is None:
        return []
    # with decisions the model's own are drawn: held-out probabilities alone do not determine them
    held_out = None if any(layer.decision for layer in layers(model)) else evaluation.held_out
    accuracy = evaluation.assessment.scores["accuracy"].value
    labels, p, weights = rows.labels, np.exp(logs), rows.weights if rows.weighted else None
    if held_out is not None:
        labels, p = labels[held_out.cases], np.exp(held_out.logs)
        accuracy = float(np.mean(rows.classes[p.argmax(axis=1)] == labels))
    own = held_out is None and not rows.are_counts
    of = "class" if len(rows.classes) <= CURVES else "top"
    options = {"sample_weight": weights, **rows.options}

    def reliability(ax: Any) -> Any:
        if own:
            return ReliabilityDisplay.from_estimator(model, rows.X, labels, of=of, ax=ax, **options)
        predicted = read_probabilities(labels, p, rows.classes, weights)
        predicted = replace(predicted, target=getattr(table_in(model), "target_", None) or "y")
        return ReliabilityDisplay.computed(predicted, of=of).plot(ax)

    def risk(ax: Any) -> Any:
        if own:
            return RiskCoverageDisplay.from_estimator(model, rows.X, labels, name="model", ax=ax, **options)
        return RiskCoverageDisplay.from_predictions(labels, p, rows.classes, name="model", ax=ax)

    source = evaluation.source(held_out is not None)
    parts = _figure(reliability, "reliability", RELIABILITY + source, values, (6.4, 4.8))
    if not rows.are_counts and accuracy < 1.0:
        parts += _figure(risk, "risk", RISK + source, values)
    return parts


def column_figures(model: Any, rows: ScoredRows, values: bool) -> list[Part]:
    """Draw the model over one or two columns, or along its discriminant direction.

    Parameters
    ----------
    model : fitted
    rows : the rows of the report
    values : whether the rows may be drawn as marks, which reveal their values
    """
    if rows.options or rows.are_counts:
        return []
    inner, parts = innermost(model), list[Part]()
    if _few_numeric_columns(model, rows):
        X, y = (rows.X, rows.labels) if values else (range_of(rows.X), None)
        parts += _figure(
            lambda ax: _without_rows(PosteriorDisplay.from_estimator(model, X, y, ax=ax, name=""), values),
            "posterior",
            "Predictions of the model over the range of its columns. The decision changes where the colours meet."
            + ("" if values else " The rows are not drawn."),
            values,
        )
        if hasattr(inner, "density_"):
            outer, caption = table_in(model) or inner, "Densities of the columns by class, as estimated by the model."
            parts += _figure(
                lambda ax: _without_rows(DensityDisplay.from_estimator(outer, X, y, ax=ax), values),
                "density", caption, values,
            )  # fmt: skip
    if not hasattr(model, "predict_proba") and hasattr(inner, "coef_"):
        caption = (
            "Histograms of the rows along the discriminant direction, by class. The less they overlap, the better the "
            "direction separates the classes."
        )
        parts += _figure(lambda ax: _projection(model, rows, ax, values), "projection", caption, values)
    return parts


def _few_numeric_columns(model: Any, rows: ScoredRows) -> bool:
    """Return whether the model takes one or two numeric columns, and the rows are not too many to draw."""
    table, frame = table_in(model), as_frame(rows.X)
    if len(rows.numbers) > MARKS:
        return False
    if table is not None and table.coding_ is not None:
        numeric = [column.kind == "number" for column in table.coding_.columns]
    elif frame is not None:
        numeric = [frame[name].dtype.is_numeric() for name in frame.columns]
        return len(numeric) <= 2 and all(numeric)
    else:
        cells = np.empty((0, 0)) if hasattr(rows.X, "tocsr") else np.asarray(rows.X)
        numeric = [cells.dtype.kind in "fiu"] * cells.shape[-1]
    return 1 <= len(numeric) <= 2 and all(numeric)


def _projection(model: Any, rows: ScoredRows, ax: Any, values: bool) -> Any:
    """Draw histograms along a direction; if values are private, their bins begin and end at round numbers."""
    if values:
        return ProjectionDisplay.from_estimator(model, rows.X, rows.labels, component=0, ax=ax)
    from matplotlib.figure import Figure

    display = ProjectionDisplay.from_estimator(model, rows.X, rows.labels, component=0, ax=Figure().subplots())
    along = display.projected.values[:, 0]
    low, high = round_bounds(along).tolist()
    edges = np.linspace(low, high, len(bin_edges(along, "auto")))
    return ProjectionDisplay(display.projected, (0,), bins=edges).plot(ax)


def _without_rows(display: Any, values: bool) -> None:
    """Remove the marks of rows if values are private."""
    for artist in () if values else display.points_:
        artist.remove()


def _figure(
    draw: Callable[[Any], Any], name: str, caption: str, values: bool, size: tuple[float, float] = (6.4, 4.2)
) -> list[Part]:
    """Draw a figure; if that fails, return the reason, which may contain values of rows."""
    try:
        return [picture(draw, name, caption, size)]
    except DataError as error:
        why = f": {escape_controls(error)}" if values else "."
        return [Text((f"There is no figure of {escape_controls(name)}{why}",))]
