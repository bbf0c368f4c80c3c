"""What a model learned, as parts of a report: coefficients with their intervals, or priors, means and tables."""

from typing import Any

from posteriori.classifiers.scales import of_class
from posteriori.inference.posterior_summary import PosteriorSummary
from posteriori.inference.summary_numbers import bounds_of, cells, headings
from posteriori.inference.summary_numbers import number as estimate
from posteriori.inference.summary_table import RATIOS, Summary
from posteriori.reports.contents import Grid, Part, Text
from posteriori.reports.layers import layers
from posteriori.reports.words import MINUS, NONE, clean, count, number, percent, short

#: The most lines of a table; a model of more shows those that matter most, and says so.
LINES = 60
#: The most tables of columns, and the most classes side by side or one after the other.
TABLES, CLASSES = 30, 12


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
        parts.append(Grid(caption, ("class", "probability"), rows[:LINES], foot=_more(len(rows))))
    if isinstance(summary, Summary):
        parts += [*_summary(summary), *([] if ratios is None else _summary(ratios, summary.foot))]
    elif isinstance(summary, PosteriorSummary):
        parts += [*_posterior(summary), *([] if ratios is None else _posterior(ratios, summary.foot))]
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
    model = next((layer for layer in layers(model) if hasattr(layer, "summary")), None)
    if model is None:
        return None, None
    summary = model.summary()
    if isinstance(summary, Summary) and summary.facts.link not in RATIOS:
        return summary, None
    if not isinstance(summary, Summary | PosteriorSummary):
        return None, None
    return summary, model.summary(exponentiate=True)


def _average(models: list[dict[str, Any]]) -> Grid:
    rows = tuple((clean(each["name"] or each["class"]), percent(each["weight"])) for each in models)
    return Grid("Models averaged, by weight", ("model", "weight"), rows)


def _summary(summary: Summary, said: tuple[str, ...] = ()) -> list[Part]:
    """Lay out a table of coefficients for each class; `said` are sentences that stand below a table already."""
    header = ("", *(_head(name) for name in headings(summary)))
    tables = [
        (summary.heading(label), [(short(row.term), *map(_signed, cells(row, summary, NONE))) for row in rows])
        for label, rows in summary.blocks
    ]
    return _tables(tables, header, tuple(sentence for sentence in summary.foot if sentence not in said))


def _posterior(summary: PosteriorSummary, said: tuple[str, ...] = ()) -> list[Part]:
    first = "median" if summary.exponentiated else "mean"
    header = ("", first, "sd", *map(_head, bounds_of(summary.level)), f"prior {first}", "prior sd")
    rows = zip(summary.terms, summary.labels, summary.numbers.tolist(), strict=True)
    tables = [
        (
            summary.heading(label),
            [
                (short(term), *(_signed(estimate(value, NONE)) for value in row))
                for term, own, row in rows
                if own == label
            ],
        )
        for label in dict.fromkeys(summary.labels)
    ]
    return _tables(tables, header, tuple(sentence for sentence in summary.foot if sentence not in said))


def _tables(tables: list[tuple[str, Any]], header: tuple[str, ...], foot: tuple[str, ...]) -> list[Part]:
    """Lay out the tables of the first classes, and what there is to say below the last."""
    parts: list[Part] = []
    for place, (title, lines) in enumerate(tables[:CLASSES], start=1):
        last = place == min(CLASSES, len(tables))
        below = (*_more(len(lines)), *((*_other_classes(len(tables)), *map(clean, foot)) if last else ()))
        parts.append(Grid(clean(title), header, tuple(lines[:LINES]), foot=below))
    return parts


def _other_classes(n: int) -> tuple[str, ...]:
    return () if n <= CLASSES else (f"{n - CLASSES} more classes are not shown here; --json has them all.",)


def _head(name: str) -> str:
    """Word a heading: ``[0.025`` becomes ``2.5 %``."""
    bare = name.strip("[]")
    if bare == name:
        return {"coef": "coefficient", "std err": "std. error", "P>|z|": "p-value"}.get(name, name)
    return f"{100 * float(bare):.4g} %"


def _signed(word: str) -> str:
    """Write the minus of a number as one; "inf" in a word."""
    told = word.replace("inf", "infinite") if word in ("inf", "+inf", "-inf") else word
    return MINUS + told[1:] if told.startswith("-") and len(told) > 1 else told


def _more(lines: int) -> tuple[str, ...]:
    return () if lines <= LINES else (f"The first {LINES} of {lines:,} lines; --json and summary() have them all.",)


def _coefficient_title(described: dict[str, Any]) -> str:
    if len(described["classes"]) == 2:
        told = clean(of_class(described["scale"], described["classes"][1]))
        return f"Coefficients of {told}" if told.endswith(" scale") else f"Coefficients of the {told}"
    return "Coefficients: the scores of each class"


def _by_class(title: str, columns: dict[str, dict[str, Any]]) -> Grid:
    """Lay out {class: {row: value}} with a column a class; of many rows and classes the first."""
    shown = dict(list(columns.items())[:CLASSES])
    rows = list(next(iter(shown.values())))
    lines = tuple((short(row), *(_signed(number(values[row])) for values in shown.values())) for row in rows[:LINES])
    return Grid(title, ("", *map(short, shown)), lines, foot=(*_more(len(rows)), *_other_classes(len(columns))))
