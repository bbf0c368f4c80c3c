"""`PosteriorSummary`: the table of the prior and posterior of each coefficient."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.inference.numbers import bounds_of, number, p_value
from posteriori.inference.summaries.layout import MISSING, Layout, object_column
from posteriori.inference.summaries.printing import PrintedSummary
from posteriori.inference.summaries.table import heading
from posteriori.input.frames.native import frame_of
from posteriori.messages.escape import escape_controls

#: The columns of numbers, in order.
COLUMNS = ("mode", "mean", "sd", "lower", "upper", "p_negative", "prior_mean", "prior_sd")
#: How the facts of the fit are printed, by their keys.
FACTS = {
    "model": "Model", "status": "Status", "log_likelihood": "Log-Likelihood", "log_evidence": "Log evidence (Laplace)",
    "batches": "Batches",
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class PosteriorSummary(PrintedSummary):
    """The table of a posterior: mode, mean, standard deviation, credible interval and prior of each coefficient.

    Parameters
    ----------
    terms, labels : of each row, the name of the coefficient and the class of its linear predictor (or log odds)
    numbers : (rows, 8) in the order of `COLUMNS`; where exponentiated, of the odds ratio: exp of the mode, the median
        (in place of the mean), the sd of a log-normal distribution, quantiles, and the probability of being below one
    level : probability of the intervals, which have equal tails
    facts : of the fit as a whole, by name
    foot : footnotes on how the numbers were computed
    notes : the notes of the fit
    reference : the reference class; None where every class has its own vector
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
        """Return the same summary of a fit to `n_rows` rows that left others out because of missing values."""
        return replace(
            self, foot=(f"Observations: {n_rows} ({n_excluded} excluded because of missing values).", *self.foot)
        )

    def column(self, name: str) -> Array:
        """Return one of the `COLUMNS`, (rows,)."""
        return self.numbers[:, COLUMNS.index(name)]

    def heading(self, label: Any) -> str:
        """Return the outcome that the coefficients of a class describe."""
        return heading(self.target, label, self.reference)

    def layout(self) -> Layout:
        """Return the summary as cells of text."""
        center = "median" if self.exponentiated else "mean"
        mode, negative = ("exp(mode)", "P(< 1)") if self.exponentiated else ("mode", "P(< 0)")
        rows = [
            (label, (escape_controls(term), *map(_cell, COLUMNS, values)))
            for term, label, values in zip(self.terms, self.labels, self.numbers.tolist(), strict=True)
        ]
        labels = tuple(dict.fromkeys(self.labels))
        return Layout(
            "Posterior of the Coefficients",
            tuple(_facts(self.facts)),
            (mode, center, "sd", *bounds_of(self.level), negative, f"prior {center}", "prior sd"),
            tuple((self.heading(each), tuple(cells for label, cells in rows if label == each)) for each in labels),
            (self._scale(labels), *self.foot, *(f"Note: {note}" for note in self.notes)),
        )

    def _scale(self, labels: tuple[Any, ...]) -> str:
        outcome = f"Outcome: {self.heading(labels[0])}. " if len(labels) == 1 else ""
        if self.exponentiated:
            what = "exponentials of coefficients" if self.reference is None else "odds ratios"
            return f"{outcome}Numbers are {what}; sd is that of a log-normal distribution."
        if self.reference is None:
            return "Coefficients are of the linear predictor of each class: only differences between classes matter."
        return f"{outcome}Coefficients are log odds ratios."

    def to_frame(self, native: str | None = None) -> Any:
        """Return a pandas, polars or pyarrow data frame: one row per coefficient."""
        named = {"class": object_column(self.labels), "term": object_column(self.terms)}
        columns = {name: np.ascontiguousarray(self.numbers[:, j]) for j, name in enumerate(COLUMNS)}
        return frame_of({**named, **columns}, native=native or self.native)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
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


def _cell(column: str, value: float) -> str:
    return p_value(value, MISSING) if column == "p_negative" else number(value, MISSING)


def _facts(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the facts to print; the number of batches only where there are several."""
    for name, value in facts.items():
        if (name, value) != ("batches", 1) and value is not None:
            yield FACTS.get(name, name), f"{value:.6g}" if isinstance(value, float) else str(value)
