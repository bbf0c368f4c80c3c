"""What must hold of each storable class for its values to make sense together: shapes, ranges, indices."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, Never

import numpy as np
from scipy.special import logsumexp

from posteriori.classifiers.base import Classifier
from posteriori.storage.hints import fits, hints_of
from posteriori.tables.block import Block
from posteriori.tables.errors import ModelFileError

STATUSES = ("ok", "separated", "aliased", "not_converged")
KINDS_OF_COLUMN = ("number", "boolean", "category")


def check(value: Any, where: str) -> None:
    """Check a value just made from a file: the types of its fields, then what its class asks for."""
    if is_dataclass(value):
        hints = hints_of(type(value))
        for item in fields(value):
            found = getattr(value, item.name)
            if not fits(found, hints[item.name]):
                wrong(f"{where}.{item.name}", f"is a {type(found).__name__}, not a {item.type}")
    if isinstance(value, Classifier):
        check_classifier(value, where)
    rule = RULES.get(type(value).__name__)
    if rule is not None:
        rule(value, where)


def wrong(where: str, why: str) -> Never:
    """Raise the error for a field whose value cannot be."""
    raise ModelFileError(f"the model file is not consistent: {where} {why}.")


def shaped(array: Any, shape: tuple[int, ...], where: str) -> None:
    """Ask an array of numbers to have a shape."""
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiu":
        wrong(where, "is not an array of numbers")
    if array.shape != shape:
        wrong(where, f"has shape {array.shape}, not {shape}")


def finite(array: Any, where: str) -> None:
    """Ask numbers to be finite."""
    if not np.isfinite(array).all():
        wrong(where, "holds numbers that are not finite")


def not_negative(array: Any, where: str) -> None:
    """Ask numbers to be zero or more."""
    finite(array, where)
    if (np.asarray(array) < 0).any():
        wrong(where, "holds negative numbers")


def probabilities(array: Any, where: str) -> None:
    """Ask numbers along the last axis to be probabilities that sum to one."""
    not_negative(array, where)
    if (np.asarray(array) > 1).any() or not np.allclose(np.sum(array, axis=-1), 1.0, rtol=0, atol=1e-9):
        wrong(where, "holds probabilities that are above 1 or do not sum to 1")


# --- classifiers


def check_classifier(model: Any, where: str) -> None:
    """Check what every fitted classifier has, and that it gives probabilities."""
    if not any(name.endswith("_") for name in vars(model)):
        return  # not fitted: the pattern inside a TableClassifier
    for name in ("classes_", "n_features_in_", "fit_notes_", "fit_status_"):
        if name not in vars(model) and not hasattr(type(model), name):
            wrong(f"{where}.{name}", "is not there")
    _check_classes(model.classes_, where)
    n_columns = model.n_features_in_
    if not isinstance(n_columns, int | np.integer) or isinstance(n_columns, bool) or not 1 <= n_columns < 2**31:
        wrong(f"{where}.n_features_in_", "is not a number of columns")
    _check_names(model, n_columns, where)
    _check_scores(model, len(model.classes_), n_columns, where)
    if model.fit_status_ not in STATUSES:
        wrong(f"{where}.fit_status_", f"is {model.fit_status_!r}, not one of {', '.join(STATUSES)}")
    if hasattr(model, "class_priors_"):
        shaped(model.class_priors_, (len(model.classes_),), f"{where}.class_priors_")
        probabilities(model.class_priors_, f"{where}.class_priors_")


def _check_classes(classes: Any, where: str) -> None:
    if not isinstance(classes, np.ndarray) or classes.ndim != 1 or len(classes) < 2:
        wrong(f"{where}.classes_", "is not a list of two or more classes")
    values = classes.tolist()
    if len(set(values)) != len(values):
        wrong(f"{where}.classes_", "names a class twice")


def _check_names(model: Any, n_columns: int, where: str) -> None:
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return
    if not isinstance(names, np.ndarray) or names.ndim != 1 or not all(isinstance(name, str) for name in names):
        wrong(f"{where}.feature_names_in_", "is not a list of names")
    if len(names) != n_columns:
        wrong(f"{where}.feature_names_in_", f"has {len(names)} names for {n_columns} columns")


def _check_scores(model: Any, n_classes: int, n_columns: int, where: str) -> None:
    """Check linear scores where there are any: one vector for two classes, else one a class."""
    coef = vars(model).get("coef_")
    if coef is None:
        return
    scores = 1 if n_classes == 2 else n_classes
    shaped(coef, (scores, n_columns), f"{where}.coef_")
    shaped(model.intercept_, (scores,), f"{where}.intercept_")
    finite(coef, f"{where}.coef_")
    finite(model.intercept_, f"{where}.intercept_")


def check_probabilities(model: Any, where: str) -> None:
    """Ask a model for the probabilities of a row of zeros: finite logs that sum to one, or it is refused."""
    block = Block(np.zeros((1, int(model.n_features_in_))), None, None, None, 0)
    try:
        with np.errstate(all="ignore"):
            logs = model._log_probabilities(block)
            whole = float(logsumexp(logs))
    except ModelFileError:
        raise
    except Exception as error:  # parts that do not fit together fail in as many ways as there are parts
        wrong(where, f"cannot predict ({type(error).__name__}: {error})")
    if logs.shape != (1, len(model.classes_)) or not abs(whole) < 1e-9:
        wrong(where, "gives probabilities that do not sum to 1")


# --- rules by class name

RULES: dict[str, Callable[[Any, str], None]] = {}
