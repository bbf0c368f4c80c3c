"""Rules for classifiers around others: that those inside are fitted, and for the same classes."""

from typing import Any

import numpy as np

from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.estimators.base import Classifier
from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.estimators.wrappers.checks import is_fitted, require_probabilities
from posteriori.estimators.wrappers.cost_sensitive import CostSensitive
from posteriori.estimators.wrappers.decision_wrapper import DecisionWrapper
from posteriori.estimators.wrappers.decomposition import Decomposition
from posteriori.estimators.wrappers.model_average import ModelAverage
from posteriori.estimators.wrappers.model_weights import class_orders, read_model_weights
from posteriori.estimators.wrappers.one_vs_rest import OneVsRest
from posteriori.estimators.wrappers.prior_shift import PriorShift
from posteriori.estimators.wrappers.reject_option import RejectOption, check_rejection
from posteriori.input.coding.coding import Coding
from posteriori.input.formula.coding import FormulaCoding
from posteriori.models.base import check_classes
from posteriori.storage.rules.formulas import check_formula

#: What may be inside.
CLASSIFIERS = (Classifier, Decomposition, TableClassifier, DecisionWrapper, ModelAverage)
#: Characters that the names of all columns of a design matrix may have.
NAME_CHARACTERS = 2**24


def _check_property(model: Any, name: str, where: str) -> None:
    """Raise unless a value that follows from the parameters can be computed for the classes of the model."""
    try:
        getattr(model, name)
    except (ValueError, TypeError, AttributeError) as error:
        fail(f"{where}.{name}", f"cannot be computed ({error})")


def _check_same_kind(model: Any, fitted: Any, where: str) -> None:
    """Raise unless a classifier that was fitted is of the kind that the parameters of the one around it name."""
    require.instance(model.estimator, CLASSIFIERS, f"{where}.estimator")
    if type(fitted) is not type(model.estimator):
        fail(f"{where}.estimator", f"is a {type(model.estimator).__name__}, and a {type(fitted).__name__} was fitted")


# --- decisions


def decision(model: Any, where: str) -> None:
    """Check that the classifier inside has probabilities, and that costs, thresholds and priors are for its classes."""
    name = "estimator_" if "estimator_" in vars(model) else "estimator"
    inner = getattr(model, name)
    require.instance(inner, CLASSIFIERS, f"{where}.{name}")
    if not is_fitted(inner):
        if name == "estimator_":
            fail(f"{where}.estimator_", "is not fitted")
        return
    _check_same_kind(model, inner, where)
    if not hasattr(inner, "predict_proba"):
        fail(f"{where}.{name}", "has no probabilities")
    if isinstance(model, CostSensitive):
        _check_property(model, "costs_", where)
    elif isinstance(model, RejectOption):
        _reject_option(model, where)
    elif isinstance(model, PriorShift):
        _prior_shift(model, where)


def _reject_option(model: Any, where: str) -> None:
    """Check that the threshold is from 0 to 1, and that the label is none of the predictions."""
    try:
        check_rejection(model.threshold, model.cost)
    except ValueError as error:
        fail(where, f"cannot reject ({error})")
    if model.threshold is not None or model.cost is not None:
        _check_property(model, "reject_label_", where)


def _prior_shift(model: Any, where: str) -> None:
    """Check that priors are for the classes inside."""
    adapted = vars(model).get("adaptation_")
    for name, priors in (("seen_priors_", vars(model).get("seen_priors_")),
                         ("adaptation_.priors", None if adapted is None else adapted.priors)):  # fmt: skip
        if priors is not None:
            require.PROBABILITY.check(priors, (len(model.classes_),), f"{where}.{name}")
            require.sums_to_one(priors, f"{where}.{name}")
    if model.class_priors is None and adapted is None:
        return
    for name in ("training_priors_", "class_priors_"):
        _check_property(model, name, where)
    if ((model.training_priors_ == 0) & (model.class_priors_ > 0)).any():
        fail(f"{where}.class_priors_", "is above zero for a class without training rows")


# --- several classifiers


def model_average(model: Any, where: str) -> None:
    """Check that models are over the same classes, and have weights."""
    fitted = "models_" in vars(model)
    for name in ("models", *(("models_",) if fitted else ())):
        models = getattr(model, name)
        if not isinstance(models, list | tuple) or not models:
            fail(f"{where}.{name}", "is not a list of classifiers")
        for i, inner in enumerate(models):
            require.instance(inner, CLASSIFIERS, f"{where}.{name}[{i}]")
            if name == "models_" and not is_fitted(inner):
                fail(f"{where}.models_[{i}]", "is not fitted")
    if fitted and [*map(type, model.models_)] != [*map(type, model.models)]:
        fail(f"{where}.models_", "are of other kinds than the models of the parameters")
    if fitted or all(is_fitted(inner) for inner in models):
        try:
            for inner in models:
                require_probabilities(inner, "ModelAverage")
            read_model_weights(model.weights, list(models))
            class_orders(list(models))
        except (ValueError, TypeError, AttributeError) as error:
            fail(where, f"cannot average ({error})")


def decomposition(model: Any, where: str) -> None:
    """Check that there is a fitted classifier of two classes for each problem: pairs, or classes against the rest."""
    if not hasattr(model, "estimators_"):
        return
    check_classes(model.classes_, f"{where}.classes_")
    K = len(model.classes_)
    n_problems = K * (K - 1) // 2
    if isinstance(model, OneVsRest) and K > 2:
        n_problems = K - (model.rest == "last")
    if len(model.estimators_) != n_problems:
        fail(f"{where}.estimators_", f"is not a list of {n_problems} classifiers")
    for i, inner in enumerate(model.estimators_):
        require.instance(inner, CLASSIFIERS, f"{where}.estimators_[{i}]")
        if not hasattr(inner, "classes_") or len(inner.classes_) != 2:
            fail(f"{where}.estimators_[{i}]", "is not a classifier fitted to two classes")
        if inner.n_features_in_ != model.n_features_in_:
            fail(f"{where}.estimators_[{i}]", "is not over the columns of the others")
        _check_same_kind(model, inner, where)


# --- tables


def table_classifier(model: Any, where: str) -> None:
    """Check the formula, and that the coded columns are those that the classifier inside was fitted to."""
    check_formula(model.formula, f"{where}.formula")
    if not any(name.endswith("_") for name in vars(model)):
        return  # not fitted: only parameters
    inner = model.estimator_
    require.instance(inner, CLASSIFIERS, f"{where}.estimator_")
    if not hasattr(inner, "classes_"):
        fail(f"{where}.estimator_", "is not fitted")
    _check_same_kind(model, inner, where)
    if sorted(np.asarray(model.order_).tolist()) != list(range(len(inner.classes_))):
        fail(f"{where}.order_", "is not an order of the classes")
    if not np.array_equal(model.classes_, inner.classes_[model.order_]):
        fail(f"{where}.classes_", "are not those of the classifier inside")
    if model.offset_ is not None and not getattr(inner, "takes_offset_", False):
        fail(f"{where}.offset_", "names an offset for a model without one")
    if model.coding_ is not None:
        _check_coding(model, model.coding_, where)


def _check_coding(model: Any, coding: Coding | FormulaCoding, where: str) -> None:
    """Raise unless a coding reads the columns of the table, and gives those of the classifier inside."""
    inner = model.estimator_
    _check_columns(coding, int(inner.n_features_in_), f"{where}.coding_")
    names = getattr(inner, "feature_names_in_", None)
    if (() if names is None else tuple(names)) != coding.names_out:
        fail(f"{where}.estimator_.feature_names_in_", "are not the columns that the coding gives")
    if tuple(model.feature_names_in_) != coding.names:
        fail(f"{where}.feature_names_in_", "are not the columns of the coding")


def _check_columns(value: Coding | FormulaCoding, n_columns: int, where: str) -> None:
    """Raise unless a coding has so many columns, with different names; they are counted before they are listed."""
    count, longest = value.size_out
    if count != n_columns:
        fail(where, f"gives {count} columns, the model takes {n_columns}")
    if count * longest > NAME_CHARACTERS:
        fail(where, f"gives {count} columns with names of up to {longest} characters")
    require.distinct(value.names_out, where)
