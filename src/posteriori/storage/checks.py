"""The check of everything made from a file: types of its fields, rules of its class, and that it predicts."""

import pkgutil
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

from sklearn.base import BaseEstimator

from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.estimators.base import Classifier
from posteriori.storage import rules
from posteriori.storage.learned_attributes import check_learned
from posteriori.storage.parameters import check_parameters
from posteriori.storage.registry import RULES
from posteriori.storage.rules.arrays import check_arrays, check_numbers
from posteriori.storage.tree_keys import LEARNED
from posteriori.storage.type_hints import fits, hints_of

for module in pkgutil.iter_modules(rules.__path__, f"{rules.__name__}."):
    import_module(module.name)  # registers its rules


def check(value: Any, where: str) -> None:
    """Raise unless a value just made from a file is one that the library could have made."""
    if isinstance(value, Classifier):
        check_classifier(value, where)
        return
    if is_dataclass(value):
        _check_fields(value, where)
    fitted = isinstance(value, BaseEstimator) and any(LEARNED.fullmatch(name) for name in vars(value))
    if fitted:
        check_learned(value, where)
    check_arrays(value, where)
    check_numbers(value, where)
    for rule in RULES.functions(value):
        rule(value, where)
    own = getattr(type(value), "check", None)
    if own is not None:
        own(value, where)
    if fitted:
        check_parameters(value, where)


def check_classifier(estimator: Any, where: str) -> None:
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
