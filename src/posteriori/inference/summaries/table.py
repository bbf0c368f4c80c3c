"""`Summary`: the coefficients of a fit with all that may be said of them, and nothing that may not."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from posteriori.checks.parameters import choice
from posteriori.input.frames.native import frame_of
from posteriori.messages.escape import escape_controls

#: What may be said of an estimate (`Row`).
State = Literal["ok", "infinite", "not identified", "undecided", "aliased"]

#: The looks of a summary as text.
STYLES = ("statsmodels", "R")


@dataclass(frozen=True)
class Row:
    """One coefficient. A number that does not exist is NaN; an estimate that goes to infinity is infinite.

    Parameters
    ----------
    term : the name of the column, or "(Intercept)"
    label : the class whose log odds against the reference it describes
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


@dataclass(frozen=True)
class Facts:
    """The fit as a whole.

    `n_observations` counts trials of grouped data and frequency weights; `n_rows` the rows they came in. Degrees of
    freedom belong to the deviances: they count grouped rows once, as R does, and a row of frequency k as k rows.
    NaN where a number does not hold. With robust and cluster covariances `wald_statistic` and `wald_p_value` test
    all columns together, in place of `lr_p_value`. `n_excluded` rows were left out because of missing values. Log
    likelihoods of grouped data hold the logs of the binomial coefficients, `log_coefficients`; `pseudo_r2` is of
    the likelihoods without them.
    """

    model: str
    link: str
    method: str
    status: str
    n_rows: int
    n_observations: float
    df_model: int
    df_null: float
    df_residual: float
    log_likelihood: float
    null_log_likelihood: float
    deviance: float
    null_deviance: float
    pseudo_r2: float
    lr_p_value: float
    aic: float
    bic: float
    iterations: int
    weights: str = "frequency"
    n_clusters: int | None = None
    wald_statistic: float = np.nan
    wald_p_value: float = np.nan
    n_excluded: int = 0
    log_coefficients: float = 0.0


@dataclass(frozen=True)
class Summary:
    """The table of coefficients of a fitted regression: text in a terminal, a table in a notebook.

    Parameters
    ----------
    facts : of the fit as a whole
    rows : one a coefficient, class by class, intercept first
    classes, reference : all classes, and the one that the others are compared with
    level : of the intervals
    covariance, interval : what kind they are
    exponentiated : whether estimates and bounds are odds ratios (of a cloglog link: hazard ratios)
    tested : whether z and p-values hold; where not, the foot says why
    foot : sentences on how the numbers came about and what they mean
    notes : what the fit had to say about itself
    target : the name of what is predicted
    ratio : what the exponential of a coefficient is; empty where it has no name

    Examples
    --------
    >>> import posteriori as pt
    >>> dose = [[1.6907], [1.7242], [1.7552], [1.7842], [1.8113], [1.8369], [1.8610], [1.8839]]
    >>> y = pt.counts(successes=[6, 13, 18, 28, 52, 53, 61, 60], trials=[59, 60, 62, 56, 63, 59, 62, 60])
    >>> summary = pt.LogisticRegression().fit(dose, y).summary()
    >>> [(row.term, round(row.estimate, 2), round(row.error, 2)) for row in summary.rows]
    [('(Intercept)', -60.72, 5.18), ('x0', 34.27, 2.91)]
    """

    facts: Facts
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
        """The rows of each class against the reference."""
        labels = [label for label in self.classes if label != self.reference]
        return tuple((label, tuple(row for row in self.rows if row.label == label)) for label in labels)

    @property
    def title(self) -> str:
        """What it is a table of."""
        return f"{self.facts.link.capitalize()} Regression Results"

    def excluding(self, n_excluded: int, n_rows: int) -> "Summary":
        """Return the same of a fit to `n_rows` rows that left others out because of missing values."""
        unit = "Observations" if self.facts.n_observations == n_rows else "Rows"  # frequencies count rows as several
        said = f"{unit}: {n_rows} ({n_excluded} excluded because of missing values)."
        return replace(self, facts=replace(self.facts, n_excluded=n_excluded), foot=(said, *self.foot))

    def heading(self, label: Any) -> str:
        """Say what the coefficients of a class are of."""
        plain = "log odds" if self.ratio == "odds ratio" else "linear predictor"
        what = f"{self.ratio}s" if self.exponentiated else plain
        return escape_controls(f"{self.target}={label} against {self.reference} ({what})")

    # --- shown

    def to_text(self, style: str = "statsmodels") -> str:
        """Give the table as text, in the look of statsmodels or of R's summary.glm."""
        from posteriori.inference.summaries.r import r_text
        from posteriori.inference.summaries.text import statsmodels_text

        return {"statsmodels": statsmodels_text, "R": r_text}[choice("style", style, STYLES)](self)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from posteriori.inference.summaries.html import html_of

        return html_of(self)

    def to_latex(self) -> str:
        """Give the table as a LaTeX tabular, with the foot below it; it needs no package."""
        from posteriori.inference.summaries.latex import latex_of

        return latex_of(self)

    # --- given on

    def to_frame(self, native: str | None = None) -> Any:
        """Give a frame of pandas, polars or pyarrow: a row for each coefficient, NaN where a number does not exist."""
        columns = {name: np.array(values, dtype=np.float64) for name, values in self._numbers().items()}
        return frame_of(
            {
                "class": _objects([row.label for row in self.rows]),
                "term": _objects([row.term for row in self.rows]),
                **columns,
                "state": _objects([row.state for row in self.rows]),
            },
            native=native or self.native,
        )

    def to_dict(self) -> dict[str, Any]:
        """Give plain values; None where a number does not exist, infinity where an estimate is there."""
        numbers = {name: [_there(value) for value in values] for name, values in self._numbers().items()}
        coefficients = [
            {"class": row.label, "term": row.term, **{name: numbers[name][i] for name in numbers}, "state": row.state}
            for i, row in enumerate(self.rows)
        ]
        return {
            "target": self.target,
            "classes": list(self.classes),
            "reference": self.reference,
            "level": self.level,
            "covariance": self.covariance,
            "interval": self.interval,
            "exponentiated": self.exponentiated,
            **{name: _there(value) for name, value in vars(self.facts).items()},
            "coefficients": coefficients,
            "foot": list(self.foot),
            "notes": list(self.notes),
        }

    def _numbers(self) -> dict[str, list[float]]:
        names = {"estimate": "estimate", "standard_error": "error", "z": "z", "p_value": "p", "lower": "lower"}
        return {name: [getattr(row, own) for row in self.rows] for name, own in {**names, "upper": "upper"}.items()}


def _objects(values: list[Any]) -> NDArray[Any]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _there(value: Any) -> Any:
    return None if isinstance(value, float) and np.isnan(value) else value
