"""What `summary` of a regression asks of the model: a covariance, intervals, and the facts of its fit."""

from dataclasses import replace
from typing import Any

import numpy as np

from posteriori.checks.parameters import choice
from posteriori.estimators.regression.profiles import profiled
from posteriori.inference.coefficients.covariance import Covariance
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.reference_class import against
from posteriori.inference.coefficients.sandwich import KINDS, OPTIONS, Sandwich
from posteriori.inference.levels import quantile
from posteriori.inference.summaries.build import INTERVALS, ProfileResults, SummaryOptions, summarize
from posteriori.inference.summaries.table import FitStatistics, Summary
from posteriori.input.classes.class_values import known_as
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote

#: The rows of the fit, where a summary needs them again.
ROWS = ("X", "y", "sample_weight", "offset", "groups")
#: What else `summary` takes by name: rows and the options of a sandwich.
NAMED = (*ROWS, *OPTIONS)


def summary_of(
    model: Any,
    level: float,
    exponentiate: bool,
    covariance: str | None,
    interval: str,
    reference: Any,
    named: dict[str, Any],
) -> Summary:
    """Return the summary of a fitted regression; `named` are the rows of its fit and the options of a sandwich."""
    choice("covariance", covariance, (None, *KINDS))
    choice("interval", interval, INTERVALS)
    choice("exponentiate", exponentiate, (True, False))
    for name in named:
        if name not in NAMED:
            raise DataError(f"summary() has no argument {name!r}; besides its own it takes {quote(NAMED, most=9)}.")
    quantile(level)
    fitted = model._fitted()
    reference = known_as(reference, fitted.classes)
    spread, why = _spread(model, fitted, covariance, named)
    rows = {name: value for name, value in named.items() if name in ROWS}
    found = None if interval == "wald" else _profile(model, fitted, level, reference, rows)
    turned, matrix = against(fitted, reference, spread.matrix)
    spread = replace(spread, matrix=matrix)
    statistics = FitStatistics(
        model=type(model).__name__,
        log_likelihood=model.log_likelihood_,
        null_log_likelihood=model.null_log_likelihood_,
        deviance=model.deviance_,
        null_deviance=model.null_deviance_,
        aic=getattr(model, "aic_", np.nan),
        bic=getattr(model, "bic_", np.nan),
    )
    options = SummaryOptions(level, interval, exponentiate, why)
    return summarize(turned, statistics, model.solution_, options, spread, found)


def _spread(model: Any, fitted: Fitted, kind: str | None, named: dict[str, Any]) -> tuple[Covariance, str]:
    """Return the covariance in the units of the fit, and why it is NaN; errors about arguments given are raised."""
    try:
        return model._covariance_of(fitted, kind, named), ""
    except DataError as error:
        if named or kind == "cluster":
            raise
        return Covariance(None, kind or fitted.default_kind, Sandwich()), str(error)


def _profile(model: Any, fitted: Fitted, level: float, reference: Any, rows: dict[str, Any]) -> ProfileResults:
    """Return profile intervals and tests; of two classes the other way round, turned."""
    given = {name: rows.get(name) for name in ROWS if name != "groups"}
    own = fitted.classes[fitted.reference]
    if reference is None or reference == own:
        return profiled(model, fitted, level, given)
    if len(fitted.classes) > 2:
        raise DataError(
            f"profile intervals are of the contrasts to {own!r}, the reference of the fit: for those to {reference!r} "
            f"fit with parametrization='reference', reference={reference!r}."
        )
    return profiled(model, fitted, level, given).of_other_class
