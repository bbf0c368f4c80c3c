"""Coefficients with intervals, as tables of a report: of regressions, with their odds ratios, and of posteriors."""

import math
from typing import Any

import numpy as np

from posteriori.inference.summaries.numbers import number as estimate
from posteriori.inference.summaries.posterior_table import PosteriorSummary
from posteriori.inference.summaries.table import Row, Summary
from posteriori.messages.escape import escape_controls
from posteriori.reports.contents import Grid, Part
from posteriori.reports.formatting import MINUS, NONE, short, some

#: The most lines of a table; a model of more shows those that matter most, and says so.
LINES = 60
#: The most classes side by side or one after the other.
CLASSES = 12
#: Ratios beyond this, or its inverse, are for a unit that is too large.
FAR = 1e4
INTERCEPT, INFINITE = "(Intercept)", "\u221e"
_CREDIBLE = "The intervals are credible ones, of the odds ratios. The intercept has none."


def regression_tables(summary: Summary, ratios: Summary | None, compared: tuple[str, ...]) -> list[Part]:
    """Lay out a table of coefficients for each class, with their odds ratios or hazard ratios where they have them."""
    if not any(row.state == "ok" for row in summary.rows):
        return [_endless(summary)]
    last = ("p-value",) if summary.tested else ()
    interval = f"{100 * summary.level:.4g} % interval"
    plain = ("coefficient", "std. error")
    header = ("", *plain, interval, *last) if ratios is None else ("", ratios.ratio, interval, *last, *plain)
    pairs = dict(zip(summary.rows, summary.rows if ratios is None else ratios.rows, strict=True))
    tables = []
    for label, rows in summary.blocks:
        weights = [_distance(row) for row in rows]
        lines = [_line(row, pairs[row], ratios is not None, summary.tested) for row in rows]
        tables.append((summary.heading(label), lines, weights))
    told = () if ratios is None else (_ratio_words(ratios.ratio), *_far(ratios))
    return _tables(tables, header, (*told, *compared, *summary.foot))


def _far(ratios: Summary) -> tuple[str, ...]:
    """Say what to do about ratios that nobody can read: one unit is more than their column spans."""
    sizes = [row.estimate for row in ratios.rows if row.state == "ok" and row.term != INTERCEPT]
    if not any(size > FAR or size < 1 / FAR for size in sizes):
        return ()
    return ("The ratio farthest from 1 is for one whole unit, much for its column: in smaller units it can be read.",)


def _distance(row: Row) -> float:
    """Return how far from zero an estimate is in standard errors."""
    return abs(row.estimate) / row.error if row.error > 0 else math.inf if row.state not in ("ok", "aliased") else 0.0


def _line(row: Row, ratio: Row, with_ratio: bool, tested: bool) -> tuple[str, ...]:
    """Word a coefficient: estimate, error, interval and p; a ratio, where there is one, comes first."""
    named = row.state not in ("ok", "infinite")
    own = (row.state if named else signed(estimate(row.estimate, NONE)), estimate(row.error, NONE))
    chance = (_chance(row.p),) if tested else ()
    if not with_ratio:
        return (short(row.term), *own, _between(row.lower, row.upper), *chance)
    if row.term == INTERCEPT or named:  # its exponential is no ratio
        return (short(row.term), NONE, NONE, *chance, *own)
    return (short(row.term), estimate(ratio.estimate, NONE).replace("inf", INFINITE),
            _between(ratio.lower, ratio.upper), *chance, *own)  # fmt: skip


def _between(low: float, high: float) -> str:
    if math.isnan(low) and math.isnan(high):
        return NONE
    return f"{signed(estimate(low, NONE))} to {signed(estimate(high, NONE))}"


def _chance(p: float) -> str:
    """Word a p-value, which is never zero.

    >>> _chance(0.0381), _chance(1e-9), _chance(math.nan) == NONE
    ('0.038', '< 0.001', True)
    """
    return NONE if math.isnan(p) else "< 0.001" if p < 0.0005 else f"{p:.3f}"


def _ratio_words(ratio: str) -> str:
    return (
        f"{ratio.capitalize()}s are exp(coefficient), for one more unit of the column, or for a level against the one "
        f"it is compared with; the intervals are those of the {ratio}s. The intercept has none."
    )


def _endless(summary: Summary) -> Grid:
    """Return the directions only, where no estimate is finite: all other cells would be empty."""
    labels = [label for label, _ in summary.blocks]
    terms = list(dict.fromkeys(row.term for row in summary.rows))
    found = {(row.term, row.label): row for row in summary.rows}
    lines = tuple((short(term), *(_direction(found[term, label]) for label in labels[:CLASSES])) for term in terms)
    header = ("", *(f"{short(label)} against {short(summary.reference)}" for label in labels[:CLASSES]))
    foot = (
        "No coefficient has a finite estimate, so there are no standard errors, intervals or p-values: only where each "
        "of them tends as the likelihood grows.",
    )
    return Grid(f"Where the coefficients of {escape_controls(summary.target)} tend", header, lines[:LINES],
                foot=(*foot, *more_lines(len(lines)), *other_classes(len(labels))))  # fmt: skip


def _direction(row: Row) -> str:
    return row.state if row.state != "infinite" else f"+{INFINITE}" if row.estimate > 0 else f"{MINUS}{INFINITE}"


def posterior_tables(summary: PosteriorSummary, ratios: PosteriorSummary, compared: tuple[str, ...]) -> list[Part]:
    """Lay out a posterior for each class, with odds ratios where classes are compared with a reference."""
    odds = summary.reference is not None
    interval = f"{100 * summary.level:.4g} % interval"
    rest = ("prior mean", "prior sd")
    header = ("", "odds ratio", interval, "mean", "sd", *rest) if odds else ("", "mean", "sd", interval, *rest)
    own = np.column_stack([summary.column(name) for name in ("mean", "sd", "prior_mean", "prior_sd")]).tolist()
    shown = np.column_stack(
        [(ratios if odds else summary).column(name) for name in ("mean", "lower", "upper")]
    ).tolist()
    tables: list[tuple[str, list[tuple[str, ...]], list[float]]] = []
    for label in dict.fromkeys(summary.labels):
        lines, weights = [], []
        for at in (at for at, other in enumerate(summary.labels) if other == label):
            mean, sd, prior_mean, prior_sd = own[at]
            bare = odds and summary.terms[at] == INTERCEPT
            ratio = NONE if bare else estimate(shown[at][0], NONE)
            between = NONE if bare else _between(*shown[at][1:])
            priors = (signed(estimate(prior_mean, NONE)), estimate(prior_sd, NONE))
            first = (signed(estimate(mean, NONE)), estimate(sd, NONE))
            cells = (ratio, between, *first) if odds else (*first, between)
            lines.append((short(summary.terms[at]), *cells, *priors))
            weights.append(abs(mean / sd) if sd > 0 else math.inf)
        tables.append((summary.heading(label), lines, weights))
    told = () if not odds else ("Odds ratios are posterior medians of exp(coefficient). " + _CREDIBLE,)
    return _tables(tables, header, (*told, *compared, *summary.foot))


def _tables(tables: list[tuple[str, Any, list[float]]], header: tuple[str, ...], foot: tuple[str, ...]) -> list[Part]:
    """Lay out the tables of the first classes, and what there is to say below the last.

    Of a long table the intercept stays, and the lines farthest from zero in standard errors.
    """
    parts: list[Part] = []
    for place, (title, lines, weights) in enumerate(tables[:CLASSES], start=1):
        last = place == min(CLASSES, len(tables))
        order = sorted(range(1, len(lines)), key=lambda at: -weights[at])[: LINES - 1]
        chosen = tuple(lines[at] for at in (range(len(lines)) if len(lines) <= LINES else (0, *sorted(order))))
        below = (
            *_strongest(len(lines), any(weights)),
            *((*other_classes(len(tables)), *map(escape_controls, foot)) if last else ()),
        )
        parts.append(Grid(escape_controls(title), header, chosen, foot=below))
    return parts


def _strongest(lines: int, ranked: bool) -> tuple[str, ...]:
    return more_lines(lines) if lines <= LINES or not ranked else (
        f"{LINES} of {lines:,} lines: those farthest from zero in standard errors, in the order of the columns; --json "
        "and summary() have them all.",
    )  # fmt: skip


def other_classes(n: int) -> tuple[str, ...]:
    """Say how many classes are left out."""
    return () if n <= CLASSES else (f"{n - CLASSES} more classes are not shown here; --json has them all.",)


def signed(word: str) -> str:
    """Write the minus of a number as one; "inf" in a word."""
    told = word.replace("inf", "infinite") if word in ("inf", "+inf", "-inf") else word
    return MINUS + told[1:] if told.startswith("-") and len(told) > 1 else told


def more_lines(lines: int) -> tuple[str, ...]:
    """Say how many lines are left out."""
    return () if lines <= LINES else (f"The first {LINES} of {lines:,} lines; --json and summary() have them all.",)


def references(columns: list[dict[str, Any]]) -> tuple[str, ...]:
    """Say which level the others of a category are compared with."""
    named = [f"{short(each['name'])}={short(each['reference'])}" for each in columns if each["reference"] is not None]
    return () if not named else (f"Reference levels: {some(named)}.",)
