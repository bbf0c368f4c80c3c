"""The check of everything made from a file: types of its fields, rules of its class, and that it predicts."""

import pkgutil
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

from sklearn.base import BaseEstimator

from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.estimators.base import Classifier
from posteriori.estimators.fitted_parameters import check_parameters
from posteriori.storage import rules
from posteriori.storage.learned_attributes import check_learned
from posteriori.storage.registry import RULES
from posteriori.storage.rules.arrays import check_arrays, check_numbers
from posteriori.storage.tree_keys import LEARNED
from posteriori.storage.type_hints import fits, hints_of

for module in pkgutil.iter_modules(rules.__path__, f"{rules.__name__}."):
    import_module(module.name)  # registers its rules


def check(value: Any, where: str) -> None:
    """Raise unless a value just made from a file is one that the library could have made."""
    if isinstance(value, Classifier):
        if "model_" in vars(value):  # otherwise it is a pattern to be fitted
            _check_parameters(value, where)
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
        _check_parameters(value, where)


def _check_parameters(estimator: Any, where: str) -> None:
    try:
        check_parameters(estimator)
    except (ValueError, TypeError, AttributeError) as error:  # what fit would raise
        fail(where, f"has parameters that it cannot be fitted with ({error})")


def _check_fields(value: Any, where: str) -> None:
    hints = hints_of(type(value))  # type: ignore[arg-type]
    for item in fields(value):
        field = getattr(value, item.name)
        if not fits(field, hints[item.name]):
            fail(f"{where}.{item.name}", f"is {require.describe_value(field)}, not a {hints[item.name]}")
