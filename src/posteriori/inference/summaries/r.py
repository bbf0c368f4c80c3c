"""A summary as text, in the look of R's summary.glm."""

import math

from posteriori.inference.numbers import bounds_of, count, decimals, number
from posteriori.inference.summaries.printing import wrapped
from posteriori.inference.summaries.table import CoefficientTable, Row
from posteriori.messages.escape import escape_controls

#: Marks of p-values, by their upper limit.
STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"), (0.1, "."))
LEGEND = "Signif. codes:  0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1 ' ' 1"


def r_text(summary: CoefficientTable) -> str:
    """Return a summary in the look of R: the call, a table with stars for each class, deviances, iterations."""
    facts, wide = summary.facts, len(summary.blocks) > 1
    parts = ["", "Call:", f"{facts.model} of {escape_controls(summary.target)} ({facts.method}, {facts.link} link)", ""]
    for label, rows in summary.blocks:
        parts += [f"{summary.heading(label) if wide else 'Coefficients'}:", *_table(summary, rows)]
    if summary.tested:
        parts += ["---", LEGEND]
    family = "multinomial" if wide else "binomial"
    parts += ["", f"(Dispersion parameter for {family} family taken to be 1)", "", *_deviances(summary)]
    if not math.isnan(facts.aic):
        parts.append(f"AIC: {facts.aic:.5g}")
    parts += [
        "",
        f"Number of iterations: {facts.iterations}",
        "",
        *wrapped((*summary.footnotes(), f"Fit status: {facts.status}.")),
    ]
    return "\n".join(parts)


def _table(summary: CoefficientTable, rows: tuple[Row, ...]) -> list[str]:
    estimate = summary.ratio.capitalize() if summary.exponentiated else "Estimate"
    names = ["LR Chisq", "Pr(>Chisq)"] if summary.interval == "profile" else ["z value", "Pr(>|z|)"]
    tests = names if summary.tested else [bound.strip("[]") for bound in bounds_of(summary.level)]
    grid = [[estimate, "Std. Error", *tests], *(_cells(row, summary) for row in rows)]
    names = ["", *(escape_controls(row.term) for row in rows)]
    lead = max(map(len, names))
    widths = [max(len(line[j]) for line in grid) for j in range(len(grid[0]))]
    stars = ["", *(_stars(row.p) for row in rows)]
    lines = [" ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True)) for line in grid]
    return [f"{name:<{lead}} {line} {mark}".rstrip() for name, line, mark in zip(names, lines, stars, strict=True)]


def _cells(row: Row, summary: CoefficientTable) -> list[str]:
    estimate = number(row.estimate, "NA").replace("inf", "Inf")
    statistic = row.z**2 if summary.interval == "profile" else row.z
    others = (
        [decimals(statistic, "NA"), _p_value(row.p)]
        if summary.tested
        else [number(row.lower, "NA"), number(row.upper, "NA")]
    )
    return [estimate, number(row.error, "NA"), *others]


def _p_value(p: float) -> str:
    """Format a p-value with three significant digits, down to the rounding of its computation.

    >>> [_p_value(p) for p in (0.008563, 0.000597, 3e-9, 1e-40, math.nan)]
    ['0.00856', '0.000597', '3e-09', '<2e-16', 'NA']
    """
    return "NA" if math.isnan(p) else "<2e-16" if p < 2.2e-16 else f"{p:.3g}"


def _stars(p: float) -> str:
    return next((mark for most, mark in STARS if p < most), "")


def _deviances(summary: CoefficientTable) -> list[str]:
    facts = summary.facts
    values = [decimals(facts.null_deviance), decimals(facts.deviance)]
    width, df = max(map(len, values)), [count(facts.df_null), count(facts.df_residual)]
    digits = max(map(len, df))
    return [
        f"    Null deviance: {values[0]:>{width}}  on {df[0]:>{digits}}  degrees of freedom",
        f"Residual deviance: {values[1]:>{width}}  on {df[1]:>{digits}}  degrees of freedom",
    ]
