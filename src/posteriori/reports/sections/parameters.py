"""The parameters section of a report: coefficients with intervals, or class priors, means and tables."""

from typing import Any

from posteriori.estimators.predictor_scales import of_class
from posteriori.estimators.wrappers.layers import layers
from posteriori.inference.numbers import number as estimate
from posteriori.inference.summaries.posterior_table import PosteriorSummary
from posteriori.inference.summaries.table import CoefficientTable
from posteriori.messages.escape import escape_controls
from posteriori.reports.contents import Part, ReportTable, Text
from posteriori.reports.formatting import NONE, count, number, percent, short
from posteriori.reports.sections.coefficients import (
    CLASSES,
    LINES,
    more_lines,
    other_classes,
    posterior_tables,
    references,
    regression_tables,
    signed,
)

#: Largest number of tables of columns.
TABLES = 30


def parameter_parts(description: dict[str, Any], summary: Any, ratios: Any) -> list[Part]:
    """Return the parts of the section.

    Parameters
    ----------
    description : by `describe`
    summary : the table of coefficients with intervals, or None
    ratios : the same as odds ratios or hazard ratios, or None
    """
    parts: list[Part] = []
    if "average" in description:
        rows = [
            (escape_controls(each["name"] or each["class"]), percent(each["weight"])) for each in description["average"]
        ]
        parts.append(ReportTable("Weights of the averaged models", ("model", "weight"), tuple(rows)))
    if "class_priors" in description:
        priors = tuple((short(label), percent(value)) for label, value in description["class_priors"].items())
        parts.append(
            ReportTable("Class priors", ("class", "probability"), priors[:LINES], foot=more_lines(len(priors)))
        )
    if isinstance(summary, CoefficientTable):
        parts += regression_tables(summary, ratios, references(description["columns"]))
    elif isinstance(summary, PosteriorSummary):
        parts += posterior_tables(summary, ratios, references(description["columns"]))
    elif "coefficients" in description:
        parts.append(_by_class(_coefficient_title(description), description["coefficients"]))
    if "means" in description:
        parts.append(_by_class("Class means", description["means"]))
    if "kernels" in description:
        parts.append(_kernels(description["kernels"]))
    tables = list(description.get("tables", {}).items())
    parts += [_by_class(f"{short(name)} ({table['family']})", table["classes"]) for name, table in tables[:TABLES]]
    if len(tables) > TABLES:
        parts.append(Text((f"{len(tables) - TABLES} more columns are not shown here; --json has them all.",)))
    return parts or [Text(("This model has no parameters that a table can show.",))]


def summaries_of(model: Any) -> tuple[Any, Any]:
    """Return a model's table of coefficients with intervals, and the same as ratios; None if there is none."""
    model = next((layer.model for layer in layers(model) if hasattr(layer.model, "summary")), None)
    summary = None if model is None else model.summary()
    if not isinstance(summary, CoefficientTable | PosteriorSummary):
        return None, None
    has_ratios = isinstance(summary, PosteriorSummary) or summary.ratio
    return summary, model.summary(exponentiate=True) if has_ratios else None


def _kernels(kernels: dict[str, Any]) -> Text:
    centres, width = count(kernels["centers"], "centre"), number(kernels["bandwidth"])
    units = " standard deviations of the columns" if kernels["units"] == "sd" else ""
    return Text((
        f"The scores are weighted sums of Gaussian kernels at {centres}, of bandwidth {width}{units}. There are no "
        "coefficients of single columns.",
    ))  # fmt: skip


def _coefficient_title(description: dict[str, Any]) -> str:
    if len(description["classes"]) == 2:
        return f"Coefficients: {escape_controls(of_class(description['scale'], description['classes'][1]))}"
    return "Coefficients: score of each class"


def _by_class(title: str, columns: dict[str, dict[str, Any]]) -> ReportTable:
    """Return a table of {class: {row: value}} with one column per class; the first rows and classes of many."""
    shown = dict(list(columns.items())[:CLASSES])
    rows = list(next(iter(shown.values())))
    lines = tuple((short(row), *(_cell(values[row]) for values in shown.values())) for row in rows[:LINES])
    return ReportTable(
        title, ("", *map(short, shown)), lines, foot=(*more_lines(len(rows)), *other_classes(len(columns)))
    )


def _cell(value: Any) -> str:
    return signed(estimate(value, NONE) if isinstance(value, float) else number(value))
