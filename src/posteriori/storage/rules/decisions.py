"""Rules for decisions around a classifier, and for averages of classifiers."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.decisions.prior_shift import Adaptation
from posteriori.estimators.base import Classifier
from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.estimators.wrappers.checks import is_fitted
from posteriori.estimators.wrappers.decision_wrapper import DecisionWrapper
from posteriori.estimators.wrappers.decomposition import Decomposition
from posteriori.estimators.wrappers.model_average import ModelAverage
from posteriori.storage.requirements import at_most_one, finite, instance, natural, sums_to_one, wrong

#: What may be inside.
INSIDE = (Classifier, Decomposition, TableClassifier, DecisionWrapper, ModelAverage)


def adaptation(value: Adaptation, where: str) -> None:
    """Priors are a distribution, and the certificate is made of numbers."""
    at_most_one(value.priors, (value.priors.size,), f"{where}.priors")
    sums_to_one(value.priors, f"{where}.priors")
    finite(np.array([value.log_likelihood, value.gap]), (2,), f"{where}.gap")
    natural(value.iterations, f"{where}.iterations")


def cost_sensitive(model: Any, where: str) -> None:
    """Costs are for the classes inside."""
    if _inside(model, where):
        _asked(model, "costs_", where)


def reject_option(model: Any, where: str) -> None:
    """Ask for a level between 0 and 1, and a label that is none of the answers."""
    if _inside(model, where):
        try:
            quiet = model._is_identity()
        except ValueError as error:
            wrong(where, f"cannot reject ({error})")
        if not quiet:
            _asked(model, "reject_label_", where)


def prior_shift(model: Any, where: str) -> None:
    """Priors are for the classes inside."""
    if not _inside(model, where):
        return
    n_classes = len(model.classes_)
    if "seen_priors_" in vars(model):
        at_most_one(model.seen_priors_, (n_classes,), f"{where}.seen_priors_")
        sums_to_one(model.seen_priors_, f"{where}.seen_priors_")
    if "adaptation_" in vars(model):
        instance(model.adaptation_, Adaptation, f"{where}.adaptation_")
        at_most_one(model.adaptation_.priors, (n_classes,), f"{where}.adaptation_.priors")
    if model.class_priors is None and "adaptation_" not in vars(model):
        return
    for name in ("training_priors_", "class_priors_"):
        _asked(model, name, where)
    if ((model.training_priors_ == 0) & (model.class_priors_ > 0)).any():
        wrong(f"{where}.class_priors_", "is above zero for a class that training did not show")


def model_average(model: Any, where: str) -> None:
    """Models are over the same classes, and have weights."""
    fitted = "models_" in vars(model)
    models = model.models_ if fitted else model.models
    if not isinstance(models, list | tuple) or not models:
        wrong(f"{where}.models", "is not a list of classifiers")
    for i, inner in enumerate(models):
        instance(inner, INSIDE, f"{where}.models[{i}]")
        if fitted and not is_fitted(inner):
            wrong(f"{where}.models_[{i}]", "is not fitted")
    if fitted or all(is_fitted(inner) for inner in models):
        try:
            model._weighted_models()
        except (ValueError, TypeError, AttributeError) as error:
            wrong(where, f"cannot average ({error})")


def _inside(model: Any, where: str) -> bool:
    """Check the classifier that answers; False where there is none yet."""
    name = "estimator_" if "estimator_" in vars(model) else "estimator"
    inner = getattr(model, name)
    instance(inner, INSIDE, f"{where}.{name}")
    if not is_fitted(inner):
        if name == "estimator_":
            wrong(f"{where}.estimator_", "is not fitted")
        return False
    if not hasattr(inner, "predict_proba"):
        wrong(f"{where}.{name}", "has no probabilities")
    return True


def _asked(model: Any, name: str, where: str) -> None:
    """Ask for what follows from the parameters: they must fit the classes."""
    try:
        getattr(model, name)
    except (ValueError, TypeError, AttributeError) as error:
        wrong(f"{where}.{name}", f"cannot be ({error})")


#: The rules, by the name of the class.
DECISION_RULES: dict[str, Callable[[Any, str], None]] = {
    "Adaptation": adaptation,
    "CostSensitive": cost_sensitive,
    "RejectOption": reject_option,
    "PriorShift": prior_shift,
    "ModelAverage": model_average,
}
