"""`CoefficientTable`: the table of coefficients of a fitted regression."""

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from posteriori.checks.parameters import choice
from posteriori.inference.coefficients.validity import State
from posteriori.inference.numbers import bounds_of, count, decimals, number, p_value, small
from posteriori.inference.summaries.fit_facts import FitFacts
from posteriori.inference.summaries.layout import MISSING, Layout, object_column
from posteriori.inference.summaries.printing import PrintedSummary
from posteriori.input.frames.native import frame_of
from posteriori.messages.escape import escape_controls

#: The styles of a summary as text.
STYLES = ("statsmodels", "R")
#: Numbers of a coefficient: their names in frames, and the fields of a `Row`.
NUMBERS = {
    "estimate": "estimate", "standard_error": "error", "z": "z", "p_value": "p", "lower": "lower", "upper": "upper"
}  # fmt: skip
#: Names of regressions by their links; other links have their own name.
REGRESSIONS = {
    "logit": "Logistic", "softmax": "Multinomial Logistic", "cloglog": "Complementary Log-Log", "loglog": "Log-Log"
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One coefficient. Numbers that do not exist are NaN; estimates at infinity are infinite.

    Parameters
    ----------
    term : the name of the column, or "(Intercept)"
    label : the class compared with the reference
    estimate, error, z, p, lower, upper : its numbers; z is estimate / error, and with profile intervals the root of
        the likelihood-ratio statistic with the sign of the estimate
    state : "ok"; "infinite" (no finite estimate: separation moves it in one direction only); "not identified" (no
        finite estimate: separation moves it in both directions); "undecided" (no finite estimate, and whether it has
        one direction was not decided); or "aliased" (its column is a combination of others)
    """

    term: str
    label: Any
    estimate: float
    error: float
    z: float
    p: float
    lower: float
    upper: float
    state: State = "ok"


@dataclass(frozen=True, repr=False)
class CoefficientTable(PrintedSummary):
    """The table of coefficients of a fitted regression: text in a terminal, a table in a notebook.

    Parameters
    ----------
    facts : of the fit as a whole
    rows : one per coefficient, class by class, intercept first
    classes, reference : all classes, and the reference class
    level : of the intervals
    covariance, interval : their kinds
    exponentiated : whether estimates and bounds are ratios (`ratio`)
    tested : whether z and p-values are valid; if not, a footnote has the reason
    foot : footnotes on how the numbers were computed and what they mean
    notes : the notes of the fit
    target : the name of the outcome
    ratio : the name of the exponential of a coefficient, such as "odds ratio"; "" where there is none

    Examples
    --------
    >>> import posteriori as pt
    >>> dose = [[1.6907], [1.7242], [1.7552], [1.7842], [1.8113], [1.8369], [1.8610], [1.8839]]
    >>> y = pt.counts(successes=[6, 13, 18, 28, 52, 53, 61, 60], trials=[59, 60, 62, 56, 63, 59, 62, 60])
    >>> summary = pt.LogisticRegression().fit(dose, y).summary()
    >>> [(row.term, round(row.estimate, 2), round(row.error, 2)) for row in summary.rows]
    [('(Intercept)', -60.72, 5.18), ('x0', 34.27, 2.91)]
    """

    facts: FitFacts
    rows: tuple[Row, ...]
    classes: tuple[Any, ...]
    reference: Any
    level: float
    covariance: str
    interval: str
    exponentiated: bool
    tested: bool
    foot: tuple[str, ...]
    notes: tuple[str, ...] = ()
    target: str = "y"
    native: str | None = field(default=None, repr=False)
    ratio: str = ""

    @property
    def blocks(self) -> tuple[tuple[Any, tuple[Row, ...]], ...]:
        """The rows of each class that is compared with the reference."""
        labels = [label for label in self.classes if label != self.reference]
        return tuple((label, tuple(row for row in self.rows if row.label == label)) for label in labels)

    @property
    def title(self) -> str:
        """The title of the table."""
        return f"{REGRESSIONS.get(self.facts.link, self.facts.link.capitalize())} Regression Results"

    def excluding(self, n_excluded: int, n_rows: int) -> "CoefficientTable":
        """Return the same summary of a fit to `n_rows` rows that left others out because of missing values."""
        unit = "Observations" if self.facts.n_observations == n_rows else "Rows"  # frequencies count rows as several
        sentence = f"{unit}: {n_rows} ({n_excluded} excluded because of missing values)."
        return replace(self, facts=replace(self.facts, n_excluded=n_excluded), foot=(sentence, *self.foot))

    def heading(self, label: Any) -> str:
        """Return the outcome that the coefficients of a class describe."""
        return heading(self.target, label, self.reference)

    # --- printed

    def to_text(self, style: str = "statsmodels") -> str:
        """Return the table as text, in the look of statsmodels or of R's summary.glm."""
        if choice("style", style, STYLES) == "statsmodels":
            return super().to_text()
        from posteriori.inference.summaries.r import r_text

        return r_text(self)

    def layout(self) -> Layout:
        """Return the summary as cells of text."""
        estimate = self.ratio if self.exponentiated else "coef"
        names = ("LR chi2", "P>chi2") if self.interval == "profile" else ("z", "P>|z|")
        return Layout(
            self.title,
            tuple((name, value) for name, value in self._facts() if value),
            (estimate, "std err", *(names if self.tested else ()), *bounds_of(self.level)),
            tuple((self.heading(label), tuple(map(self._cells, rows))) for label, rows in self.blocks),
            self.footnotes(),
        )

    def footnotes(self) -> tuple[str, ...]:
        """Return the outcome, the scale of the coefficients, the footnotes and the notes of the fit."""
        lead = () if len(self.blocks) > 1 else (f"Outcome: {self.heading(self.blocks[0][0])}.",)
        scale = () if self.exponentiated else (f"Coefficients are {self._scale()}.",)
        return (" ".join((*lead, *scale)), *self.foot, *(f"Note: {note}" for note in self.notes))

    def _scale(self) -> str:
        return f"log {self.ratio}s" if self.ratio else f"on the scale of the linear predictor ({self.facts.link} link)"

    def _facts(self) -> tuple[tuple[str, str], ...]:
        """Return the facts by name, in statsmodels' order; empty where they are not valid."""
        facts = self.facts
        likelihood = "Log-Likelihood" if facts.weights == "frequency" else "Log pseudolikelihood"
        return (
            ("Dep. Variable", escape_controls(self.target)),
            ("Model", facts.model),
            ("Method", facts.method),
            ("Status", facts.status),
            ("Covariance Type", self.covariance),
            ("No. Observations", count(facts.n_observations)),
            ("No. Rows", count(facts.n_rows) if facts.n_rows != facts.n_observations else ""),
            ("No. Excluded", str(facts.n_excluded or "")),
            ("No. Clusters", "" if facts.n_clusters is None else str(facts.n_clusters)),
            ("Df Residuals", count(facts.df_residual)),
            ("Df Model", str(facts.df_model)),
            ("Pseudo R-squ.", f"{facts.pseudo_r2:z.4f}"),
            (likelihood, decimals(facts.log_likelihood)),
            ("LL-Null", decimals(facts.null_log_likelihood)),
            ("LLR p-value", small(facts.lr_p_value)),
            (f"Wald chi2({facts.df_model})", "" if math.isnan(facts.wald_statistic) else f"{facts.wald_statistic:.5g}"),
            ("Prob > chi2", small(facts.wald_p_value)),
        )  # fmt: skip

    def _cells(self, row: Row) -> tuple[str, ...]:
        statistic = row.z**2 if self.interval == "profile" else row.z
        tests = (decimals(statistic, MISSING), p_value(row.p, MISSING)) if self.tested else ()
        estimate = number(row.estimate, MISSING) if row.state in ("ok", "infinite") else row.state
        error, *bounds = (number(value, MISSING) for value in (row.error, row.lower, row.upper))
        return (escape_controls(row.term), estimate, error, *tests, *bounds)

    # --- as data

    def to_frame(self, native: str | None = None) -> Any:
        """Return a pandas, polars or pyarrow data frame: one row per coefficient, NaN where a number does not exist."""
        labels = {name: object_column([getattr(row, own) for row in self.rows]) for name, own in _LABELS.items()}
        numbers = {
            name: np.array([getattr(row, own) for row in self.rows], np.float64) for name, own in NUMBERS.items()
        }
        states = {"state": object_column([row.state for row in self.rows])}
        return frame_of({**labels, **numbers, **states}, native=native or self.native)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: None where a number does not exist, infinity for an infinite estimate."""
        names = {**_LABELS, **NUMBERS, "state": "state"}
        return {
            "target": self.target,
            "classes": list(self.classes),
            "reference": self.reference,
            "level": self.level,
            "covariance": self.covariance,
            "interval": self.interval,
            "exponentiated": self.exponentiated,
            **{name: _or_none(value) for name, value in vars(self.facts).items()},
            "coefficients": [{name: _or_none(getattr(row, own)) for name, own in names.items()} for row in self.rows],
            "foot": list(self.foot),
            "notes": list(self.notes),
        }


_LABELS = {"class": "label", "term": "term"}


def heading(target: str, label: Any, reference: Any = None) -> str:
    """Return an outcome and its reference class.

    >>> heading("case", 1, 0)
    'case = 1 (reference 0)'
    """
    compared = "" if reference is None else f" (reference {reference})"
    return escape_controls(f"{target} = {label}{compared}")


def _or_none(value: Any) -> Any:
    return None if isinstance(value, float) and np.isnan(value) else value
