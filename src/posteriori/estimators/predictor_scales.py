"""The name of the scale of a linear predictor of two classes: log odds, log hazards, probit scale, or score."""

from typing import Any

from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.links.base import LinkFunction
from posteriori.models.linear import LinearView


def scale_of(model: Any) -> str:
    """Return the name of the sum of coefficients or contributions of a model.

    >>> import posteriori as pt
    >>> scale_of(pt.BinaryRegression(link="cloglog").fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]))
    'log hazards'
    """
    link = _link(model)
    if link is not None:
        return str(link.scale_name)
    return "log odds" if hasattr(model, "predict_proba") else "score"


def of_class(scale: str, label: Any) -> str:
    """Return the name of a scale with the class it is for.

    >>> of_class("log odds", "yes"), of_class("probit scale", "yes")
    ('log odds of yes', 'yes on the probit scale')
    """
    return f"{label} on the {scale}" if scale.endswith(" scale") else f"{scale} of {label}"


def boundary_of(model: Any) -> float:
    """Return the predictor at which two classes are equally probable: F^-1(1/2) of the link, else zero."""
    link = _link(model)
    return 0.0 if link is None or len(model.classes_) != 2 else float(link.boundary)


def _link(model: Any) -> LinkFunction | None:
    value = vars(model.estimator_ if isinstance(model, TableClassifier) else model).get("model_")
    return value.link if isinstance(value, LinearView) else None
