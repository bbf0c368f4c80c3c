"""Tables of coefficients with intervals: of regressions, with odds ratios, and of posterior distributions."""

import math
from collections.abc import Sequence
from typing import Any

from posteriori.inference.numbers import number as estimate
from posteriori.inference.summaries.posterior_table import PosteriorSummary
from posteriori.inference.summaries.table import CoefficientTable, Row
from posteriori.messages.escape import escape_controls
from posteriori.reports.contents import Part, ReportTable
from posteriori.reports.formatting import MINUS, NONE, short, some

#: Largest number of lines of a table; of more, those farthest from zero in standard errors are shown.
LINES = 60
#: Largest number of classes shown.
CLASSES = 12
#: Ratios above this, or below its inverse, are those of a unit that is too large.
FAR = 1e4
INTERCEPT, INFINITE = "(Intercept)", "\u221e"


def regression_tables(
    summary: CoefficientTable, ratios: CoefficientTable | None, reference_levels: tuple[str, ...]
) -> list[Part]:
    """Return one table of coefficients per class, with odds ratios or hazard ratios if the link has them."""
    if not any(row.state == "ok" for row in summary.rows):
        return [_limits_only(summary)]
    tested = ("p-value",) if summary.tested else ()
    interval, own = f"{100 * summary.level:.4g} % CI", ("coefficient", "std. error")
    header = ("", *own, interval, *tested) if ratios is None else ("", ratios.ratio, interval, *tested, *own)
    pairs = dict(zip(summary.rows, (summary if ratios is None else ratios).rows, strict=True))
    tables = []
    for label, rows in summary.blocks:
        lines = [_line(row, pairs[row], ratios is not None, summary.tested) for row in rows]
        tables.append((summary.heading(label), lines, [_distance(row) for row in rows]))
    notes = () if ratios is None else (_ratio_words(ratios.ratio), *_far(ratios))
    return _tables(tables, header, (*notes, *reference_levels, *summary.foot))


def _far(ratios: CoefficientTable) -> tuple[str, ...]:
    """Return advice if ratios are extreme because one unit is large relative to the range of its column."""
    sizes = [row.estimate for row in ratios.rows if row.state == "ok" and row.term != INTERCEPT]
    if not any(size > FAR or size < 1 / FAR for size in sizes):
        return ()
    return ("Some ratios are extreme because one unit is large for its column: measure the column in smaller units.",)


def _distance(row: Row) -> float:
    """Return how far from zero an estimate is in standard errors."""
    return abs(row.estimate) / row.error if row.error > 0 else math.inf if row.state not in ("ok", "aliased") else 0.0


def _line(row: Row, ratio: Row, with_ratio: bool, tested: bool) -> tuple[str, ...]:
    """Format a coefficient: estimate, error, interval and p-value; a ratio, if there is one, comes first."""
    undefined = row.state not in ("ok", "infinite")
    own = (row.state if undefined else signed(estimate(row.estimate, NONE)), estimate(row.error, NONE))
    p_value = (_p_value(row.p),) if tested else ()
    if not with_ratio:
        return (short(row.term), *own, _between(row.lower, row.upper), *p_value)
    if row.term == INTERCEPT or undefined:  # the exponential of an intercept is not a ratio
        return (short(row.term), NONE, NONE, *p_value, *own)
    return (short(row.term), estimate(ratio.estimate, NONE).replace("inf", INFINITE),
            _between(ratio.lower, ratio.upper), *p_value, *own)  # fmt: skip


def _between(low: float, high: float) -> str:
    if math.isnan(low) and math.isnan(high):
        return NONE
    return f"{signed(estimate(low, NONE))} to {signed(estimate(high, NONE))}"


def _p_value(p: float) -> str:
    """Format a p-value, which is never zero.

    >>> _p_value(0.0381), _p_value(1e-9), _p_value(math.nan) == NONE
    ('0.038', '< 0.001', True)
    """
    return NONE if math.isnan(p) else "< 0.001" if p < 0.0005 else f"{p:.3f}"


def _ratio_words(ratio: str) -> str:
    return (
        f"{ratio.capitalize()}s are exp(coefficient): for one more unit of a column, or for a level relative to its "
        f"reference level. Confidence intervals are those of the {ratio}s. The intercept has no {ratio}."
    )


def _limits_only(summary: CoefficientTable) -> ReportTable:
    """Return the signs only, if no estimate is finite: all other cells would be empty."""
    labels = [label for label, _ in summary.blocks]
    terms = list(dict.fromkeys(row.term for row in summary.rows))
    cells = {(row.term, row.label): row for row in summary.rows}
    lines = tuple((short(term), *(_direction(cells[term, label]) for label in labels[:CLASSES])) for term in terms)
    header = ("", *(f"{short(label)} (reference {short(summary.reference)})" for label in labels[:CLASSES]))
    foot = (
        "No coefficient has a finite estimate, so there are no standard errors, confidence intervals or p-values: the "
        "table shows the limit of each as the likelihood increases.",
    )
    below = (*foot, *more_lines(len(lines)), *other_classes(len(labels)))
    return ReportTable(
        f"Limits of the coefficients of {escape_controls(summary.target)}", header, lines[:LINES], foot=below
    )


def _direction(row: Row) -> str:
    return row.state if row.state != "infinite" else f"+{INFINITE}" if row.estimate > 0 else f"{MINUS}{INFINITE}"


def posterior_tables(
    summary: PosteriorSummary, ratios: PosteriorSummary, reference_levels: tuple[str, ...]
) -> list[Part]:
    """Return one table of the posterior per class, with odds ratios if there is a reference class."""
    odds = summary.reference is not None
    interval = f"{100 * summary.level:.4g} % CI"
    rest = ("prior mean", "prior sd")
    header = ("", "odds ratio", interval, "mean", "sd", *rest) if odds else ("", "mean", "sd", interval, *rest)
    estimates = [summary.column(name).tolist() for name in ("mean", "sd", "prior_mean", "prior_sd")]
    shown = [(ratios if odds else summary).column(name).tolist() for name in ("mean", "lower", "upper")]
    every = list(zip(summary.labels, summary.terms, *estimates, *shown, strict=True))
    tables = []
    for label in dict.fromkeys(summary.labels):
        rows = [row for own, *row in every if own == label]
        weights = [abs(mean / sd) if sd > 0 else math.inf for _, mean, sd, *_ in rows]
        tables.append((summary.heading(label), [_posterior_line(odds, *row) for row in rows], weights))
    words = "Odds ratios are posterior medians of exp(coefficient), with credible intervals. The intercept has none."
    return _tables(tables, header, (*((words,) if odds else ()), *reference_levels, *summary.foot))


def _posterior_line(
    odds: bool, term: str, mean: float, sd: float, prior_mean: float, prior_sd: float, *shown: float
) -> tuple[str, ...]:
    """Format a coefficient, its odds ratio first, if it has one; `shown` is a point and its interval."""
    own = (signed(estimate(mean, NONE)), estimate(sd, NONE))
    prior = (signed(estimate(prior_mean, NONE)), estimate(prior_sd, NONE))
    point, between = estimate(shown[0], NONE), _between(*shown[1:])
    if not odds:
        return (short(term), *own, between, *prior)
    return (short(term), *((NONE, NONE) if term == INTERCEPT else (point, between)), *own, *prior)


def _tables(tables: list[tuple[str, Any, list[float]]], header: tuple[str, ...], foot: tuple[str, ...]) -> list[Part]:
    """Return the tables of the first classes, with the notes below the last.

    A long table contains the intercept and the lines farthest from zero in standard errors.
    """
    parts: list[Part] = []
    for place, (title, lines, weights) in enumerate(tables[:CLASSES], start=1):
        chosen: Sequence[int] = range(len(lines))
        if len(lines) > LINES:
            chosen = [0, *sorted(sorted(chosen[1:], key=lambda at: -weights[at])[: LINES - 1])]
        below = _strongest(len(lines), any(weights))
        if place == min(CLASSES, len(tables)):
            below += (*other_classes(len(tables)), *map(escape_controls, foot))
        parts.append(ReportTable(escape_controls(title), header, tuple(lines[at] for at in chosen), foot=below))
    return parts


def _strongest(lines: int, ranked: bool) -> tuple[str, ...]:
    return more_lines(lines) if lines <= LINES or not ranked else (
        f"{LINES} of {lines:,} lines: those farthest from zero in standard errors, in the order of the columns; --json "
        "and summary() have them all.",
    )  # fmt: skip


def other_classes(n: int) -> tuple[str, ...]:
    """Return a note if some classes are not shown."""
    return () if n <= CLASSES else (f"{n - CLASSES} more classes are not shown here; --json has them all.",)


def signed(word: str) -> str:
    """Return a number with a typographic minus sign, and "infinite" for "inf"."""
    text = word.replace("inf", "infinite") if word in ("inf", "+inf", "-inf") else word
    return MINUS + text[1:] if text.startswith("-") and len(text) > 1 else text


def more_lines(lines: int) -> tuple[str, ...]:
    """Return a note if some lines are not shown."""
    return () if lines <= LINES else (f"The first {LINES} of {lines:,} lines; --json and summary() have them all.",)


def references(columns: list[dict[str, Any]]) -> tuple[str, ...]:
    """Return a note on the reference levels of categories."""
    levels = [f"{short(each['name'])}={short(each['reference'])}" for each in columns if each["reference"] is not None]
    return (f"Reference levels: {some(levels)}.",) if levels else ()
