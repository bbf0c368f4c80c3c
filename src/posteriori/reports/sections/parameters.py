"""What a model learned, as parts of a report: coefficients with their intervals, or priors, means and tables."""

from typing import Any

from posteriori.estimators.predictor_scales import of_class
from posteriori.estimators.wrappers.layers import layers
from posteriori.inference.summaries.numbers import number as estimate
from posteriori.inference.summaries.posterior_table import PosteriorSummary
from posteriori.inference.summaries.table import Summary
from posteriori.messages.escape import escape_controls
from posteriori.reports.contents import Grid, Part, Text
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

#: The most tables of columns.
TABLES = 30


def learned_parts(described: dict[str, Any], summary: Any, ratios: Any) -> list[Part]:
    """Lay out what a model learned.

    Parameters
    ----------
    described : by `describe`
    summary : the table of coefficients with intervals, or None
    ratios : the same as odds ratios or hazard ratios, or None
    """
    parts: list[Part] = []
    if "average" in described:
        parts.append(_average(described["average"]))
    if "class_priors" in described:
        priors = described["class_priors"].items()
        rows = tuple((short(label), percent(value)) for label, value in priors)
        caption = "Class priors: how probable a class is before its columns are seen"
        parts.append(Grid(caption, ("class", "probability"), rows[:LINES], foot=more_lines(len(rows))))
    if isinstance(summary, Summary):
        parts += regression_tables(summary, ratios, references(described["columns"]))
    elif isinstance(summary, PosteriorSummary):
        parts += posterior_tables(summary, ratios, references(described["columns"]))
    elif "coefficients" in described:
        parts.append(_by_class(_coefficient_title(described), described["coefficients"]))
    if "means" in described:
        parts.append(_by_class("Class means", described["means"]))
    if "kernels" in described:
        kernels = described["kernels"]
        centres, width = count(kernels["centers"], "centre"), number(kernels["bandwidth"])
        units = " standard deviations of the columns" if kernels["units"] == "sd" else ""
        told = f"A Gaussian bump on each of {centres}, of bandwidth {width}{units}."
        parts.append(Text((told, "The scores are sums of bumps: they have no coefficient a column to be read.")))
    tables = list(described.get("tables", {}).items())
    parts += [_by_class(f"{short(name)} ({table['family']})", table["classes"]) for name, table in tables[:TABLES]]
    if len(tables) > TABLES:
        parts.append(Text((f"{len(tables) - TABLES} more columns are not shown here; --json has them all.",)))
    return parts or [Text(("This kind of model keeps nothing that can be shown in a table.",))]


def summaries_of(model: Any) -> tuple[Any, Any]:
    """Give a model's table of coefficients with intervals and the same as ratios, each None where there is none."""
    model = next((layer.model for layer in layers(model) if hasattr(layer.model, "summary")), None)
    if model is None:
        return None, None
    summary = model.summary()
    if isinstance(summary, Summary) and not summary.ratio:
        return summary, None
    if not isinstance(summary, Summary | PosteriorSummary):
        return None, None
    return summary, model.summary(exponentiate=True)


def _average(models: list[dict[str, Any]]) -> Grid:
    rows = tuple((escape_controls(each["name"] or each["class"]), percent(each["weight"])) for each in models)
    return Grid("Models averaged, by weight", ("model", "weight"), rows)


def _coefficient_title(described: dict[str, Any]) -> str:
    if len(described["classes"]) == 2:
        told = escape_controls(of_class(described["scale"], described["classes"][1]))
        return f"Coefficients of {told}" if told.endswith(" scale") else f"Coefficients of the {told}"
    return "Coefficients: the scores of each class"


def _by_class(title: str, columns: dict[str, dict[str, Any]]) -> Grid:
    """Lay out {class: {row: value}} with a column a class; of many rows and classes the first."""
    shown = dict(list(columns.items())[:CLASSES])
    rows = list(next(iter(shown.values())))
    lines = tuple((short(row), *(_cell(values[row]) for values in shown.values())) for row in rows[:LINES])
    return Grid(title, ("", *map(short, shown)), lines, foot=(*more_lines(len(rows)), *other_classes(len(columns))))


def _cell(value: Any) -> str:
    return signed(estimate(value, NONE) if isinstance(value, float) else number(value))
