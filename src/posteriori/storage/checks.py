"""The check of everything made from a file: types of its fields, rules of its class, and that it predicts."""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.decisions.prior_shift import Adaptation
from posteriori.estimators.base import Classifier
from posteriori.estimators.fitted_parameters import check_parameters
from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.estimators.wrappers.decision_wrapper import DecisionWrapper
from posteriori.estimators.wrappers.decomposition import Decomposition
from posteriori.estimators.wrappers.model_average import ModelAverage
from posteriori.input.formula.coding import FormulaCoding
from posteriori.input.formula.expression import Expression
from posteriori.input.formula.factors import CategoryFactor
from posteriori.storage.rules import formulas, wrappers
from posteriori.storage.rules.arrays import check_arrays, check_numbers
from posteriori.storage.tree_keys import LEARNED
from posteriori.storage.type_hints import fits, hints_of

#: Checks of values that need tables of the whole grammar of formulas, and of classifiers around others.
RULES: dict[type, Callable[[Any, str], None]] = {
    Expression: formulas.expression,
    CategoryFactor: formulas.category_factor,
    FormulaCoding: formulas.formula_coding,
    DecisionWrapper: wrappers.decision,
    ModelAverage: wrappers.model_average,
    Decomposition: wrappers.decomposition,
    TableClassifier: wrappers.table_classifier,
}
#: What wrappers learn besides the hints of their classes, by the name of the class.
ATTRIBUTES: dict[str, dict[str, Any]] = {
    "Decomposition": {"n_features_in_": int},
    "TableClassifier": {"weight_": float, "n_features_in_": int},
}
#: What only some of their fits learn, or only those of later versions.
OPTIONAL: dict[str, dict[str, Any]] = {
    "PriorShift": {"adaptation_": Adaptation, "seen_priors_": Array},
    "TableClassifier": {"feature_names_in_": NDArray[np.object_], "formula_": str | None},
}


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
        _check_learned(value, where)
    check_arrays(value, where)
    check_numbers(value, where)
    for kind, rule in RULES.items():
        if isinstance(value, kind):
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


def _check_learned(model: Any, where: str) -> None:
    """Raise unless a fitted wrapper has the attributes of its class, each of its type, and its numbers are finite."""
    kind: type = type(model)
    attributes, optional = vars(model), dict(_entries(OPTIONAL, kind))
    hints = {name: hint for name, hint in hints_of(kind).items() if LEARNED.fullmatch(name)}
    for name, hint in (hints | dict(_entries(ATTRIBUTES, kind)) | optional).items():
        if name not in attributes:
            if name not in optional:
                fail(f"{where}.{name}", "is not there")
            continue
        if not fits(attributes[name], hint):
            title = hint.__name__ if isinstance(hint, type) else str(hint)
            fail(f"{where}.{name}", f"is {require.describe_value(attributes[name])}, not a {title}")
        if hint is float and not np.isfinite(attributes[name]):
            fail(f"{where}.{name}", f"is {attributes[name]}")


def _entries(table: dict[str, dict[str, Any]], kind: type) -> Iterator[tuple[str, Any]]:
    for base in kind.__mro__:
        yield from table.get(base.__name__, {}).items()
