"""The check of everything made from a file: types of its fields, rules of its class, and that it predicts."""

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator

from posteriori.estimators.base import Classifier
from posteriori.estimators.discriminants.base import LinearDiscriminant
from posteriori.estimators.kernels.base import KernelClassifier
from posteriori.families.joint_density import JointDensity
from posteriori.input.targets import read_targets
from posteriori.messages.errors import DataError
from posteriori.storage.derived.derived import check_derived
from posteriori.storage.learned_attributes import check_learned
from posteriori.storage.parameters import check_parameters
from posteriori.storage.requirements import (
    at_most_one,
    described,
    distinct,
    finite,
    natural,
    numbers,
    sums_to_one,
    wrong,
)
from posteriori.storage.rules.bases import coefficient_columns
from posteriori.storage.rules.rules import RULES
from posteriori.storage.tree_keys import LEARNED as LEARNED_NAME
from posteriori.storage.type_hints import fits, hints_of
from posteriori.tables.block import Block


def check(value: Any, where: str) -> None:
    """Check a value just made from a file."""
    if is_dataclass(value):
        _check_fields(value, where)
    fitted = isinstance(value, BaseEstimator) and any(LEARNED_NAME.fullmatch(name) for name in vars(value))
    if isinstance(value, BaseEstimator) and fitted:
        check_learned(value, where)
    if isinstance(value, Classifier):
        if not fitted:
            return  # a pattern to be fitted has nothing but parameters
        _check_classifier(value, where)
    rule = RULES.get(type(value).__name__)
    if rule is not None:
        rule(value, where)
    if isinstance(value, BaseEstimator) and fitted:
        check_parameters(value, where)
        check_derived(value, where)
    if isinstance(value, Classifier):
        (_check_scores if isinstance(value, LinearDiscriminant) else _check_probabilities)(value, where)


def _check_fields(value: Any, where: str) -> None:
    hints = hints_of(type(value))  # type: ignore[arg-type]
    for item in fields(value):
        found = getattr(value, item.name)
        if not fits(found, hints[item.name]):
            wrong(f"{where}.{item.name}", f"is {described(found)}, not a {hints[item.name]}")


def _check_classifier(model: Any, where: str) -> None:
    """Check what every fitted classifier has."""
    classes = model.classes_
    if classes.ndim != 1 or len(classes) < 2:
        wrong(f"{where}.classes_", "is not a list of two or more classes")
    distinct(classes.tolist(), f"{where}.classes_")
    _check_labels(classes, f"{where}.classes_")
    natural(
        model.n_features_in_, f"{where}.n_features_in_", least=0 if getattr(model, "_fits_null_model", False) else 1
    )
    if model.n_parameters_ < 0:
        wrong(f"{where}.n_parameters_", f"is {model.n_parameters_}")
    _check_names(model, where)
    if "class_priors_" in vars(model):
        at_most_one(model.class_priors_, (len(classes),), f"{where}.class_priors_")
        sums_to_one(model.class_priors_, f"{where}.class_priors_")
    if "coef_" in vars(model) and not isinstance(model, KernelClassifier):  # theirs is over centres
        scores = 1 if len(classes) == 2 else len(classes)
        numbers(model.coef_, (scores, coefficient_columns(model, where)), f"{where}.coef_")
        numbers(getattr(model, "intercept_", None), (scores,), f"{where}.intercept_")


def _check_labels(classes: Any, where: str) -> None:
    """Ask for labels as fit reads them: of one type that labels may have, in the array that they are read into."""
    try:
        read = read_targets(classes, len(classes)).classes
    except DataError as error:
        wrong(where, f"are no classes ({error})")
    if read.dtype.kind != classes.dtype.kind:
        wrong(where, f"are of type {classes.dtype}, and fit has such labels as {read.dtype}")


def _check_names(model: Any, where: str) -> None:
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return
    if not isinstance(names, np.ndarray) or names.ndim != 1 or not all(isinstance(name, str) for name in names):
        wrong(f"{where}.feature_names_in_", "is not a list of names")
    if len(names) != model.n_features_in_:
        wrong(f"{where}.feature_names_in_", f"has {len(names)} names for {model.n_features_in_} columns")


def _check_scores(model: Any, where: str) -> None:
    """Ask a model without probabilities for the scores of a row of zeros: a finite one for each row of coef_."""
    row, phi = np.zeros((1, int(model.n_features_in_))), vars(model).get("phi_")
    try:
        found = model.scores_(Block(row if phi is None else phi(row), None, None, None, 0))
    except Exception as error:  # parts that do not fit together fail in as many ways as there are parts
        wrong(where, f"cannot predict ({type(error).__name__}: {error})")
    finite(found, (1, len(model.coef_)), f"{where}.scores_")


def _check_probabilities(model: Any, where: str) -> None:
    """Ask a model for the probabilities of a row, of zeros where it takes them: logs that sum to one."""
    row, phi = np.zeros((1, int(model.n_features_in_))), vars(model).get("phi_")
    if isinstance(vars(model).get("density_"), JointDensity):
        row = model.density_.valid_row(row.shape[1])
    try:
        with np.errstate(all="ignore"):
            block = Block(row if phi is None else phi(row), None, None, None, 0)
            logs = model._log_probabilities(block)
            whole = float(logsumexp(logs))
    except Exception as error:  # parts that do not fit together fail in as many ways as there are parts
        wrong(where, f"cannot predict ({type(error).__name__}: {error})")
    if logs.shape != (1, len(model.classes_)) or not abs(whole) < 1e-9:
        wrong(where, "gives probabilities that do not sum to 1")
