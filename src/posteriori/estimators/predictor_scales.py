"""What a linear predictor of two classes is called: log odds, log hazards, a probit scale, or a bare score."""

from typing import Any

from posteriori.estimators.tables.table_classifier import TableClassifier


def scale_of(model: Any) -> str:
    """Name what the coefficients and contributions of a model add up to.

    >>> import posteriori as pt
    >>> scale_of(pt.BinaryRegression(link="cloglog").fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]))
    'log hazards'
    """
    inner = model.estimator_ if isinstance(model, TableClassifier) else model
    link = getattr(inner, "link_", None)
    if link is not None:
        return str(link.scale_name)
    return "log odds" if hasattr(inner, "predict_proba") else "score"


def of_class(scale: str, label: Any) -> str:
    """Say which class a scale is of.

    >>> of_class("log odds", "yes"), of_class("probit scale", "yes")
    ('log odds of yes', 'yes on the probit scale')
    """
    return f"{label} on the {scale}" if scale.endswith(" scale") else f"{scale} of {label}"


def boundary_of(model: Any) -> float:
    """Give the predictor at which two classes are equally probable: F^-1(1/2) of the link, else zero."""
    inner = model.estimator_ if isinstance(model, TableClassifier) else model
    link = getattr(inner, "link_", None)
    return 0.0 if link is None or len(model.classes_) != 2 else float(link.boundary)
