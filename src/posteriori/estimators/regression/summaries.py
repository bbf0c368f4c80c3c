"""The summary of a regression, and its profile-likelihood intervals."""

from dataclasses import replace
from typing import Any

import numpy as np

from posteriori.checks.levels import quantile
from posteriori.checks.parameters import choice
from posteriori.estimators.regression.rows import NO_ROWS, check_arguments, covariance_of, read_rows
from posteriori.inference.coefficients.covariance import Covariance, covariance_in_units, standard_errors
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.intervals import profile_interval, profile_statistics
from posteriori.inference.coefficients.reference_class import against
from posteriori.inference.coefficients.sandwich import KINDS, Sandwich
from posteriori.inference.coefficients.validity import refuse_likelihood
from posteriori.inference.summaries.build import INTERVALS, ProfileResults, SummaryOptions, summarize
from posteriori.inference.summaries.table import CoefficientTable
from posteriori.input.classes.class_values import known_as
from posteriori.messages.errors import DataError


def summary_of(
    model: Any,
    level: float,
    exponentiate: bool,
    covariance: str | None,
    interval: str,
    reference: Any,
    named: dict[str, Any],
) -> CoefficientTable:
    """Return the summary of a fitted regression; `named` are the rows of its fit and the options of a sandwich."""
    choice("covariance", covariance, (None, *KINDS))
    choice("interval", interval, INTERVALS)
    choice("exponentiate", exponentiate, (True, False))
    check_arguments("summary", named, kind="covariance")
    quantile(level)
    fitted = model._fitted()
    reference = known_as(reference, fitted.classes)
    spread, why = _covariance(model, fitted, covariance, named)
    profile = None if interval == "wald" else _profile(model, fitted, level, reference, named)
    contrasts, matrix = against(fitted, reference, spread.matrix)
    spread = replace(spread, matrix=matrix)
    options = SummaryOptions(level, interval, exponentiate, why)
    return summarize(contrasts, type(model).__name__, model.model_, options, spread, profile)


def _covariance(model: Any, fitted: Fitted, kind: str | None, named: dict[str, Any]) -> tuple[Covariance, str]:
    """Return the covariance in the units of the fit, and why it is NaN; raise for errors in the arguments."""
    try:
        return covariance_of(model, fitted, kind, named), ""
    except DataError as error:
        if named or kind == "cluster":
            raise
        return Covariance(None, kind or fitted.default_kind, Sandwich()), str(error)


def profile_results(
    model: Any, fitted: Fitted, level: float, rows: dict[str, Any], *, tests: bool = True
) -> ProfileResults:
    """Compute profile intervals, and with `tests` the statistics of the likelihood-ratio tests that match them.

    Parameters
    ----------
    rows : X, y, sample_weight, offset by name
    """
    refuse_likelihood(fitted, "a profile interval", or_times_jeffreys=True)
    read = read_rows(model, **rows)
    objective = read.objective(fitted)
    errors = standard_errors(fitted, covariance_in_units(fitted, "observed", read.sums(fitted)))
    bounds = profile_interval(fitted, objective, errors, level)
    statistics = profile_statistics(fitted, objective) if tests else np.full(fitted.size, np.nan)
    return ProfileResults(bounds, statistics)


def _profile(model: Any, fitted: Fitted, level: float, reference: Any, named: dict[str, Any]) -> ProfileResults:
    """Return profile intervals and tests, with their signs reversed if the reference is the other of two classes."""
    rows = {name: named.get(name) for name in NO_ROWS}
    own = fitted.classes[fitted.reference]
    other = reference is not None and reference != own
    if other and len(fitted.classes) > 2:
        raise DataError(
            f"profile intervals are for contrasts to {own!r}, the reference of the fit: for contrasts to {reference!r} "
            f"fit with parametrization='reference', reference={reference!r}."
        )
    results = profile_results(model, fitted, level, rows)
    return results.of_other_class if other else results
