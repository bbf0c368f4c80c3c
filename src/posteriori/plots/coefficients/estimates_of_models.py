"""The coefficients of a fitted classifier, from its summary, its posterior or its weights."""

from dataclasses import replace
from typing import Any

from sklearn.utils.validation import check_is_fitted

from posteriori.estimators.regression.bayesian_logistic_regression import BayesianLogisticRegression
from posteriori.estimators.regression.link_regression import LinkRegression
from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.estimators.wrappers.layers import layers
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.plots.coefficients.estimates import Estimates, of_posterior, of_summary
from posteriori.plots.coefficients.weight_vectors import of_vectors

#: Default options of a summary.
DEFAULTS = {"level": 0.95, "covariance": None, "interval": "wald"}


def estimates_of(
    estimator: Any, *, exponentiate: bool = False, reference: Any = None, rows: dict[str, Any], **options: Any
) -> Estimates:
    """Read the coefficients of a fitted classifier, with intervals if it has standard errors.

    Parameters
    ----------
    estimator : a classifier with coefficients, alone, in a `TableClassifier`, a pipeline, or another classifier
    exponentiate : whether to return odds ratios (or hazard ratios)
    reference : the reference class
    rows : X, y and other arguments of the fit, if the intervals need them
    options : level, covariance, interval
    """
    check_is_fitted(estimator)
    outer = _unwrapped(estimator)
    inner = _unwrapped(outer.estimator_) if isinstance(outer, TableClassifier) else outer
    summarized = outer if hasattr(outer, "summary") else inner
    extra = {} if reference is None else {"reference": reference}
    if isinstance(inner, LinkRegression):
        estimates = of_summary(summarized.summary(exponentiate=exponentiate, **options, **extra, **rows))
    elif isinstance(inner, BayesianLogisticRegression):
        _check_options(
            inner, {**options, "level": DEFAULTS["level"]}, rows, "its credible intervals come from its posterior"
        )
        estimates = of_posterior(summarized.summary(level=options["level"], exponentiate=exponentiate, **extra))
    else:
        _check_options(inner, options, rows, "it has no standard errors")
        reversed_classes = isinstance(outer, TableClassifier) and bool(outer.order_[0] != 0)
        target = getattr(outer, "target_", None) or "y"
        estimates = of_vectors(inner, exponentiate, reference, reversed_classes, target)
    coding = getattr(outer, "coding_", None) if isinstance(outer, TableClassifier) else None
    sources = None if coding is None else dict(zip(coding.names_out, coding.sources, strict=True))
    return replace(estimates, sources=sources)


def _unwrapped(model: Any) -> Any:
    """Return the outermost `TableClassifier` among the layers, else the innermost classifier."""
    stack = layers(model)
    return next((layer for layer in stack if layer.kind == "table"), stack[-1]).model


def _check_options(model: Any, options: dict[str, Any], rows: dict[str, Any], why: str) -> None:
    """Raise if options are set that do not apply to a model."""
    unknown = [name for name, value in options.items() if value != DEFAULTS[name]] + list(rows)
    if unknown:
        raise DataError(f"{quote(unknown)} cannot be chosen for {type(model).__name__}: {why}.")
