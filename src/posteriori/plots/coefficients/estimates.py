"""The coefficients of a classifier as drawn: estimates, bounds, and states of those that do not exist."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.inference.coefficients.fitted import INTERCEPT
from posteriori.inference.summaries.posterior_table import PosteriorSummary
from posteriori.inference.summaries.table import CoefficientTable
from posteriori.input.frames.native import no_column
from posteriori.messages.errors import DataError

#: States of a coefficient.
INFINITE, ALIASED, OK = "infinite", "aliased", "ok"
#: States under separation: no finite estimate and no unique direction, or an unknown one.
NOT_IDENTIFIED, UNDECIDED = "not identified", "undecided"


@dataclass(frozen=True)
class Estimates:
    """Coefficients, one per line of a figure.

    Parameters
    ----------
    terms, labels : (m,) names and classes of the coefficients
    values, lower, upper : (m,) estimates and bounds; NaN without bounds
    states : (m,) as in `CoefficientTable`: "ok", "infinite" (with the sign of the value), "not identified",
        "undecided" or "aliased"
    scale : the scale of the estimates, in words
    exponentiated : whether they are ratios, so that 1 is no effect
    foot : the method of the bounds, in words
    sources : {term: column of the user's frame}, if a frame was coded
    """

    terms: tuple[str, ...]
    labels: tuple[Any, ...]
    values: Array
    lower: Array
    upper: Array
    states: tuple[str, ...]
    scale: str
    exponentiated: bool = False
    foot: str = ""
    sources: dict[str, str] | None = None

    def select(self, terms: Sequence[str] | None, intercept: bool) -> "Estimates":
        """Return the coefficients of some terms, in their order; the intercept only if requested.

        A column of the user's frame stands for all columns that it was coded as.
        """
        if isinstance(terms, str):
            terms = [terms]
        known = list(dict.fromkeys(self.terms))
        if terms is None:
            wanted = [term for term in known if intercept or term != INTERCEPT]
        else:
            wanted = [term for name in terms for term in self._terms_of(name, known)]
            wanted = list(dict.fromkeys(([INTERCEPT] if intercept and INTERCEPT in known else []) + wanted))
        if not wanted:
            why = "terms is empty" if terms is not None else "the model has only an intercept; pass intercept=True"
            raise DataError(f"no coefficient to draw: {why}.")
        at = [i for term in wanted for i, own in enumerate(self.terms) if own == term]
        terms, labels, states = (tuple(part[i] for i in at) for part in (self.terms, self.labels, self.states))
        values, lower, upper = (part[at] for part in (self.values, self.lower, self.upper))
        return replace(self, terms=terms, labels=labels, states=states, values=values, lower=lower, upper=upper)

    def _terms_of(self, name: Any, known: list[str]) -> list[str]:
        if name in known:
            return [name]
        coded = [term for term, source in (self.sources or {}).items() if source == name and term in known]
        if not coded:
            raise DataError(f"terms: {no_column(str(name), known)}")
        return coded


def of_summary(summary: CoefficientTable) -> Estimates:
    """Return the estimates of a `CoefficientTable`."""
    rows = summary.rows
    log_odds = "log odds" if summary.ratio in ("odds ratio", "relative-risk ratio") else ""
    what = summary.ratio if summary.exponentiated else log_odds
    what = what or f"linear predictor, {summary.facts.link} link"
    numbers = np.array([(row.estimate, row.lower, row.upper) for row in rows], dtype=np.float64)
    without = [sentence for sentence in summary.foot if sentence.startswith("No standard errors")]
    sources = {"robust": "robust standard errors", "cluster": "standard errors robust within groups"}
    source = sources.get(summary.covariance, f"{summary.covariance} information")
    kind = f"Wald intervals, {source}" if summary.interval == "wald" else "profile-likelihood intervals"
    bars = f"{100 * summary.level:g} % {kind}"
    method = "" if summary.facts.method == "Maximum likelihood" else f"{summary.facts.method}; "
    return Estimates(
        tuple(row.term for row in rows), tuple(row.label for row in rows), numbers[:, 0], numbers[:, 1], numbers[:, 2],
        tuple(row.state for row in rows), with_reference(what, summary.target, summary.classes, summary.reference),
        summary.exponentiated, method + (without[0] if without else bars),
    )  # fmt: skip


def of_posterior(summary: PosteriorSummary) -> Estimates:
    """Return the estimates of a `PosteriorSummary`."""
    labels = tuple(dict.fromkeys(summary.labels))
    if summary.reference is None:
        scale = f"score of each class of {summary.target}" + (", exponential" if summary.exponentiated else "")
    else:
        what = "odds ratio" if summary.exponentiated else "log odds"
        scale = with_reference(what, summary.target, (*labels, summary.reference), summary.reference)
    point = "median" if summary.exponentiated else "mean"
    return Estimates(
        summary.terms, summary.labels, summary.column("mean"), summary.column("lower"), summary.column("upper"),
        (OK,) * len(summary.terms), scale, summary.exponentiated,
        f"posterior {point}s, {100 * summary.level:g} % credible intervals",
    )  # fmt: skip


def with_reference(what: str, target: str, classes: Sequence[Any], reference: Any) -> str:
    """Return what coefficients refer to: one class relative to the other, or each relative to the reference.

    >>> with_reference("log odds", "y", ("a", "b"), "a")
    'log odds of y = b (reference a)'
    """
    others = [label for label in classes if label != reference]
    if len(others) == 1:
        return f"{what} of {target} = {others[0]} (reference {reference})"
    return f"{what} (reference {target} = {reference})"
