"""`PosteriorSummary`: the table of a posterior: what is known of each coefficient, before and after the data."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.inference.numbers import bounds_of, number
from posteriori.inference.summaries.layout import MISSING, Layout, PrintedSummary, object_column
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
    terms, labels : of each row, the name of the coefficient and the class whose score (or log odds) it belongs to
    numbers : (rows, 8) in the order of `COLUMNS`; where exponentiated, of the odds ratio: exp of the mode, the median
        (in the place of the mean), the sd of a log normal, quantiles, and the probability that it is below one
    level : probability of the intervals, which have equal tails
    facts : of the fit as a whole, by name
    foot : footnotes on how the numbers were computed
    notes : the notes of the fit
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
            (label, (escape_controls(term), *(number(value, MISSING) for value in values)))
            for term, label, values in zip(self.terms, self.labels, self.numbers.tolist(), strict=True)
        ]
        labels = tuple(dict.fromkeys(self.labels))
        return Layout(
            "Posterior of the Coefficients",
            tuple((FACTS.get(name, name), _fact(value)) for name, value in self.facts.items()),
            (mode, center, "sd", *bounds_of(self.level), negative, f"prior {center}", "prior sd"),
            tuple((self.heading(each), tuple(cells for label, cells in rows if label == each)) for each in labels),
            (self._scale(labels), *self.foot, *(f"Note: {note}" for note in self.notes)),
        )

    def _scale(self, labels: tuple[Any, ...]) -> str:
        outcome = f"Outcome: {self.heading(labels[0])}. " if len(labels) == 1 else ""
        if self.exponentiated:
            what = "exponentials of scores" if self.reference is None else "odds ratios"
            return f"{outcome}Numbers are {what}; sd is that of a log-normal distribution."
        what = "those of the score of each class" if self.reference is None else "log odds ratios"
        return f"{outcome}Coefficients are {what}."

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


def _fact(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
