"""What `summary` of a regression asks of the model: a covariance, intervals, and the facts of its fit."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.inference.covariance import KINDS
from posteriori.inference.fitted import Fitted
from posteriori.inference.intervals import quantile
from posteriori.inference.references import against
from posteriori.inference.summarize import INTERVALS, Asked, Judged, summarize
from posteriori.inference.summary_table import Summary
from posteriori.tables.by_class import known_as
from posteriori.tables.complaints import choice
from posteriori.tables.errors import DataError

Array = NDArray[np.float64]

#: The rows of the fit, where a summary needs them again.
ROWS = ("X", "y", "sample_weight", "offset", "groups")


def summary_of(
    model: Any, level: float, exponentiate: bool, covariance: str, interval: str, reference: Any, rows: dict[str, Any]
) -> Summary:
    """Give the summary of a fitted regression; `rows` are those of its fit, where they are given."""
    choice("covariance", covariance, KINDS)
    choice("interval", interval, INTERVALS)
    choice("exponentiate", exponentiate, (True, False))
    for name in rows:
        choice("argument of summary", name, ROWS)
    quantile(level)
    fitted = model._fitted()
    reference = known_as(reference, fitted.classes)
    spread, why = _spread(model, fitted, covariance, rows)
    bounds = None if interval == "wald" else _profile(model, fitted, level, reference, rows)
    turned, spread = against(fitted, reference, spread)
    judged = Judged(
        model=type(model).__name__,
        solution=model.solution_,
        log_likelihood=model.log_likelihood_,
        null_log_likelihood=model.null_log_likelihood_,
        deviance=model.deviance_,
        null_deviance=model.null_deviance_,
        aic=model.aic_,
        bic=model.bic_,
    )
    return summarize(turned, judged, Asked(level, covariance, interval, exponentiate, why), spread, bounds)


def _spread(model: Any, fitted: Fitted, kind: str, rows: dict[str, Any]) -> tuple[Array | None, str]:
    """Give the covariance in the units of the fit, or why there is none; errors about rows given are raised."""
    given = {name: rows.get(name) for name in ROWS}
    try:
        return model._spread_of(fitted, kind, given), ""
    except DataError as error:
        if rows or kind == "cluster":
            raise
        return None, str(error)


def _profile(model: Any, fitted: Fitted, level: float, reference: Any, rows: dict[str, Any]) -> Array:
    """Give profile intervals; of two classes the other way round, turned."""
    given = {name: value for name, value in rows.items() if name != "groups"}
    own = fitted.classes[fitted.reference]
    if reference is None or reference == own:
        bounds: Array = model.confidence_interval(level, "profile", **given)
        return bounds
    if len(fitted.classes) > 2:
        raise DataError(
            f"profile intervals are of the contrasts to {own!r}, the reference of the fit: for those to {reference!r} "
            f"fit with parametrization='reference', reference={reference!r}."
        )
    turned: Array = -model.confidence_interval(level, "profile", **given)[:, ::-1]
    return turned
