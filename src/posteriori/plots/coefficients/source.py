"""Where the coefficients of a figure come from: a summary, a posterior, or plain weights."""

from dataclasses import replace
from typing import Any

from sklearn.utils.validation import check_is_fitted

from posteriori.estimators.regression.bayesian_logistic_regression import BayesianLogisticRegression
from posteriori.estimators.regression.inference import Inferential
from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.estimators.wrappers.layers import layers
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.plots.coefficients.estimates import Estimates, of_posterior, of_summary
from posteriori.plots.coefficients.weight_vectors import of_vectors

#: What is asked of a summary unless the user says otherwise.
DEFAULTS = {"level": 0.95, "covariance": None, "interval": "wald"}


def estimates_of(
    estimator: Any, *, exponentiate: bool = False, reference: Any = None, rows: dict[str, Any], **asked: Any
) -> Estimates:
    """Read the coefficients of a fitted classifier, with intervals where it has them.

    Parameters
    ----------
    estimator : a classifier with coefficients, alone, in a `TableClassifier`, a pipeline, or another classifier
    exponentiate : whether to give ratios of odds (or of hazards)
    reference : the class that the others are compared with
    rows : X, y and so on of the fit, where the intervals need them
    asked : level, covariance, interval
    """
    check_is_fitted(estimator)
    outer = _opened(estimator)
    inner = _opened(outer.estimator_) if isinstance(outer, TableClassifier) else outer
    told = outer if hasattr(outer, "summary") else inner
    extra = {} if reference is None else {"reference": reference}
    if isinstance(inner, Inferential):
        found = of_summary(told.summary(exponentiate=exponentiate, **asked, **extra, **rows))
    elif isinstance(inner, BayesianLogisticRegression):
        _refuse(inner, {**asked, "level": DEFAULTS["level"]}, rows, "credible intervals are those of its posterior")
        found = of_posterior(told.summary(level=asked["level"], exponentiate=exponentiate, **extra))
    else:
        _refuse(inner, asked, rows, "it has no standard errors")
        turned = isinstance(outer, TableClassifier) and outer._turned
        target = getattr(outer, "target_", None) or "y"
        found = of_vectors(inner, exponentiate, reference, turned, target)
    coding = getattr(outer, "coding_", None) if isinstance(outer, TableClassifier) else None
    sources = None if coding is None else dict(zip(coding.names_out, coding.sources, strict=True))
    return replace(found, sources=sources)


def _opened(model: Any) -> Any:
    """Return the outermost `TableClassifier` among the layers, else the innermost classifier."""
    stack = layers(model)
    return next((layer for layer in stack if layer.kind == "table"), stack[-1]).model


def _refuse(model: Any, asked: dict[str, Any], rows: dict[str, Any], why: str) -> None:
    """Refuse to ask for what a model cannot give."""
    strange = [name for name, value in asked.items() if value != DEFAULTS[name]] + list(rows)
    if strange:
        raise DataError(f"{quote(strange)} cannot be chosen for {type(model).__name__}: {why}.")
