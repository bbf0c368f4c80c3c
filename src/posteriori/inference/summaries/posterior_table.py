"""`PosteriorSummary`: a posterior as a table: what the coefficients are believed to be, before and after the rows."""

import textwrap
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.inference.summaries.latex import escaped
from posteriori.inference.summaries.numbers import bounds_of, number
from posteriori.input.frames.native import frame_of
from posteriori.messages.escape import escape_controls

WIDTH = 78
#: The columns of numbers, in order.
COLUMNS = ("mode", "mean", "sd", "lower", "upper", "p_negative", "prior_mean", "prior_sd")


@dataclass(frozen=True)
class PosteriorSummary:
    """The table of a posterior: mode, mean, standard deviation, credible interval and prior of each coefficient.

    Parameters
    ----------
    terms, labels : of each row, the name of the coefficient and the class whose score (or log odds) it belongs to
    numbers : (rows, 8) in the order of `COLUMNS`; where exponentiated, of the odds ratio: exp of the mode, the median
        (in the place of the mean), the sd of a log normal, quantiles, and the probability that it is below one
    level : probability of the intervals, as much below as above
    facts : of the fit as a whole, by name
    foot : sentences on how the numbers came about
    notes : what the fit had to say about itself
    reference : the class that others are compared with; None where every class has its own vector
    """

    terms: tuple[str, ...]
    labels: tuple[Any, ...]
    numbers: Array
    level: float
    facts: dict[str, Any]
    foot: tuple[str, ...]
    notes: tuple[str, ...] = ()
    reference: Any = None
    exponentiated: bool = False
    target: str = "y"
    native: str | None = field(default=None, repr=False)

    def excluding(self, n_excluded: int, n_rows: int) -> "PosteriorSummary":
        """Return the same of a fit to `n_rows` rows that left others out because of missing values."""
        return replace(
            self, foot=(f"Observations: {n_rows} ({n_excluded} excluded because of missing values).", *self.foot)
        )

    def column(self, name: str) -> Array:
        """Return one of the `COLUMNS`, (rows,)."""
        return self.numbers[:, COLUMNS.index(name)]

    def heading(self, label: Any) -> str:
        """Say what the coefficients of a class are of."""
        what = "odds ratios" if self.exponentiated else "log odds"
        if self.reference is None:
            return escape_controls(f"{self.target}={label} ({'exp of the score' if self.exponentiated else 'score'})")
        return escape_controls(f"{self.target}={label} against {self.reference} ({what})")

    def to_text(self) -> str:
        """Give the table as text."""
        low, high = bounds_of(self.level)
        first = "median" if self.exponentiated else "mean"
        lead_head, chance = ("exp(mode)", "P(< 1)") if self.exponentiated else ("mode", "P(< 0)")
        heads = [lead_head, first, "sd", low, high, chance, f"prior {first}", "prior sd"]
        cells = [[number(value, "--") for value in row] for row in self.numbers.tolist()]
        widths = [max(9, len(head), *(len(row[j]) for row in cells)) for j, head in enumerate(heads)]
        terms = [escape_controls(term) for term in self.terms]
        lead = max(12, *map(len, terms))
        width = max(WIDTH, lead + sum(widths) + len(widths))
        lines = ["Posterior of the coefficients".center(width).rstrip(), "=" * width]
        lines += [f"{name}: {_worded(value)}" for name, value in self.facts.items()]
        before: Any = object()
        for term, label, row in zip(terms, self.labels, cells, strict=True):
            if label != before:
                lines += ["=" * width, self.heading(label), _line("", heads, lead, widths), "-" * width]
            before = label
            lines.append(_line(term, row, lead, widths))
        wrap = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
        rest = (*self.foot, *(f"Note: {note}" for note in self.notes))
        return "\n".join([*lines, "=" * width, *(line for sentence in rest for line in wrap.wrap(sentence))])

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        facts = "".join(f"<tr><th>{escape(k)}</th><td>{escape(_worded(v))}</td></tr>" for k, v in self.facts.items())
        head = "".join(f"<th>{escape(name)}</th>" for name in ("", "class", *COLUMNS))
        body = "".join(
            f"<tr><th>{escape(term)}</th><td>{escape(str(label))}</td>"
            + "".join(f"<td>{escape(number(value, '--'))}</td>" for value in row)
            + "</tr>"
            for term, label, row in zip(self.terms, self.labels, self.numbers.tolist(), strict=True)
        )
        foot = "".join(f"<p>{escape(sentence)}</p>" for sentence in (*self.foot, *self.notes))
        return (
            f'<div class="posteriori-summary"><table>{facts}</table>'
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{foot}</div>"
        )

    def to_latex(self) -> str:
        """Give the table as a LaTeX tabular that needs no package."""
        head = ["", "class", *(name.replace("_", " ") for name in COLUMNS)]
        lines = [r"\begin{tabular}{ll" + "r" * len(COLUMNS) + r"}", r"\hline", " & ".join(head) + r" \\", r"\hline"]
        for term, label, row in zip(self.terms, self.labels, self.numbers.tolist(), strict=True):
            cells = ["$" + number(value).replace("inf", r"\infty") + "$" for value in row]
            lines.append(" & ".join([escaped(term), escaped(str(label)), *cells]) + r" \\")
        foot = [rf"{{\footnotesize {escaped(sentence)}\par}}" for sentence in (*self.foot, *self.notes)]
        return "\n".join([*lines, r"\hline", r"\end{tabular}", "", *foot])

    def to_frame(self, native: str | None = None) -> Any:
        """Give a frame of pandas, polars or pyarrow: a row for each coefficient."""
        named = {"class": _objects(self.labels), "term": _objects(self.terms)}
        columns = {name: np.ascontiguousarray(self.numbers[:, j]) for j, name in enumerate(COLUMNS)}
        return frame_of({**named, **columns}, native=native or self.native)

    def to_dict(self) -> dict[str, Any]:
        """Give plain values."""
        coefficients = [
            {"class": label, "term": term, **dict(zip(COLUMNS, row, strict=True))}
            for term, label, row in zip(self.terms, self.labels, self.numbers.tolist(), strict=True)
        ]
        return {
            "target": self.target,
            "reference": self.reference,
            "level": self.level,
            "exponentiated": self.exponentiated,
            **self.facts,
            "coefficients": coefficients,
            "foot": list(self.foot),
            "notes": list(self.notes),
        }


def _line(term: str, cells: list[str], lead: int, widths: list[int]) -> str:
    return f"{term:<{lead}}" + "".join(f" {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def _worded(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _objects(values: tuple[Any, ...]) -> NDArray[Any]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column
