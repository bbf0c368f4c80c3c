"""The check of everything made from a file: types of its fields, rules of its class, and that it predicts."""

import pkgutil
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator

from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.estimators.base import Classifier
from posteriori.estimators.discriminants.base import LinearDiscriminant
from posteriori.estimators.holds_model import HoldsModel
from posteriori.families.joint_density import JointDensity
from posteriori.storage import rules
from posteriori.storage.derived.compare import check_derived
from posteriori.storage.learned_attributes import check_learned
from posteriori.storage.parameters import check_parameters
from posteriori.storage.registry import RULES
from posteriori.storage.rules.arrays import check_arrays, check_numbers
from posteriori.storage.rules.classifiers import check_classes
from posteriori.storage.tree_keys import LEARNED
from posteriori.storage.type_hints import fits, hints_of
from posteriori.tables.block import Block

for module in pkgutil.iter_modules(rules.__path__, f"{rules.__name__}."):
    import_module(module.name)  # registers its rules


def check(value: Any, where: str) -> None:
    """Raise unless a value just made from a file is one that the library could have made."""
    if is_dataclass(value):
        _check_fields(value, where)
    if isinstance(value, HoldsModel):
        check_estimator(value, where)
        return
    fitted = isinstance(value, BaseEstimator) and any(LEARNED.fullmatch(name) for name in vars(value))
    if fitted:
        check_learned(value, where)
    if isinstance(value, Classifier):
        if not fitted:
            return  # a pattern to be fitted has nothing but parameters
        check_classes(value.classes_, f"{where}.classes_")
        least = 0 if getattr(value, "_fits_null_model", False) else 1
        require.integer(value.n_features_in_, f"{where}.n_features_in_", least)
    check_arrays(value, where)
    check_numbers(value, where)
    for rule in RULES.functions(value):
        rule(value, where)
    own = getattr(type(value), "check", None)
    if own is not None:
        own(value, where)
    if fitted:
        check_parameters(value, where)
        check_derived(value, where)
    if isinstance(value, Classifier):
        _check_prediction(value, where)


def check_estimator(estimator: Any, where: str) -> None:
    """Raise unless a classifier has a model of its kind and parameters with which it can be fitted, or is a pattern."""
    model = vars(estimator).get("model_")
    if model is None:
        return
    require.instance(model, estimator._model_type, f"{where}.model_")
    require.integer(model.columns.number, f"{where}.model_.columns.number", 0 if estimator._fits_null_model else 1)
    if (model.columns.phi is None) != (getattr(estimator, "basis", None) is None):
        fail(f"{where}.model_.columns.phi", "does not go with the model's basis")
    check_parameters(estimator, where)


def _check_fields(value: Any, where: str) -> None:
    hints = hints_of(type(value))  # type: ignore[arg-type]
    for item in fields(value):
        field = getattr(value, item.name)
        if not fits(field, hints[item.name]):
            fail(f"{where}.{item.name}", f"is {require.describe_value(field)}, not a {hints[item.name]}")


def _check_prediction(model: Any, where: str) -> None:
    """Raise unless a valid row, of zeros where they are valid, has finite scores, or probabilities that sum to one."""
    row, phi = np.zeros((1, int(model.n_features_in_))), vars(model).get("phi_")
    if isinstance(vars(model).get("density_"), JointDensity):
        row = model.density_.valid_row(row.shape[1])
    has_scores_only = isinstance(model, LinearDiscriminant)
    try:
        block = Block(row if phi is None else phi(row), None, None, None, 0)
        result = model.scores_(block) if has_scores_only else model._log_probabilities(block)
        total = float(logsumexp(result))
    except Exception as error:  # parts that do not fit together fail in as many ways as there are parts
        fail(where, f"cannot predict ({type(error).__name__}: {error})")
    if has_scores_only:
        require.FINITE.check(result, (1, len(model.coef_)), f"{where}.scores_")
    elif result.shape != (1, len(model.classes_)) or not abs(total) < 1e-9:
        fail(where, "gives probabilities that do not sum to 1")
