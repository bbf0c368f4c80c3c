"""Checks of the parameters of a fitted classifier, as its `fit` makes them, and against its model."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from posteriori.bases.kernel_centers import read_centers_parameter
from posteriori.checks.parameters import choice, non_negative
from posteriori.estimators.base import Classifier
from posteriori.estimators.discriminants.from_scatter import FromScatter
from posteriori.estimators.discriminants.perceptron import Perceptron
from posteriori.estimators.generative.base import GenerativeClassifier
from posteriori.estimators.generative.column_families import read_settings
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.estimators.generative.joint_table import JointTable
from posteriori.estimators.generative.naive_bayes import STRATEGIES, NaiveBayes
from posteriori.estimators.kernels.base import UNITS, KernelClassifier
from posteriori.estimators.kernels.kernel_logistic_regression import KernelLogisticRegression
from posteriori.estimators.kernels.lspc import LSPC
from posteriori.estimators.regression.bayesian_logistic_regression import BayesianLogisticRegression
from posteriori.estimators.regression.link_regression import LinkRegression
from posteriori.estimators.regression.noisy_or import NoisyOr
from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.estimators.wrappers.one_vs_rest import OneVsRest
from posteriori.families.gaussian.covariances import covariance_family
from posteriori.fits.bandwidth import positive, read_bandwidth
from posteriori.input.coding.choices import check_choices
from posteriori.models.base import FittedModel
from posteriori.models.information import is_sampling
from posteriori.priors.gaussian import as_prior
from posteriori.priors.jeffreys import JeffreysPrior

Check = Callable[[Any], None]

_CHECKS: list[tuple[tuple[type, ...], Check]] = []


def check_parameters(model: Any) -> None:
    """Raise unless the parameters of a fitted model are ones that its class can be fitted with, to give this model."""
    for kinds, function in _CHECKS:
        if isinstance(model, kinds):
            function(model)


def model_type(estimator: Classifier) -> type[FittedModel]:
    """Return the class of the models of a classifier."""
    return estimator._model_type


def _of(*kinds: type) -> Callable[[Check], Check]:
    """Return a decorator that registers the check of some classes, and of their subclasses."""

    def register(function: Check) -> Check:
        _CHECKS.append((kinds, function))
        return function

    return register


@_of(Classifier)
def model(estimator: Classifier) -> None:
    """Check that there is a model of the kind of the class, with columns, and basis functions if there is a basis."""
    value, kind = estimator.model_, model_type(estimator)
    if not isinstance(value, kind):
        raise TypeError(f"model_ is a {type(value).__name__}, not a {kind.__name__}")
    if value.columns.number < (0 if estimator._fits_null_model else 1):
        raise ValueError("model_ has no columns")
    if (value.columns.phi is None) != (estimator.basis is None):
        raise ValueError("model_.columns.phi does not go with the model's basis")


@_of(LinkRegression, NoisyOr, Perceptron, KernelLogisticRegression)
def own_checks(model: Any) -> None:
    """Run the checks of the class itself."""
    model._check_parameters()


@_of(Classifier)
def random_state(model: Any) -> None:
    """Check the seed."""
    check_random_state(getattr(model, "random_state", None))


@_of(LinkRegression)
def link_regression(model: LinkRegression) -> None:
    """Check that link and prior are those of the fit."""
    link = model._link(model.classes_)
    if type(link) is not type(model.link_) or link.n_scores != model.link_.n_scores:
        raise ValueError(f"the link is {model.link_!r}, not {link!r}")
    if isinstance(as_prior(model.prior), JeffreysPrior) != model.information_.jeffreys:
        raise ValueError(f"prior={model.prior!r} is not that of the information")


@_of(LinkRegression)
def weights(model: LinkRegression) -> None:
    """Check that the weights have the meaning that they had in the fit."""
    if is_sampling(model.weights) != (model.model_.weights == "sampling"):
        raise ValueError(f"weights={model.weights!r} is not their meaning in the fit")


@_of(NoisyOr)
def leak(model: NoisyOr) -> None:
    """Check that there is a leak where the scores have one."""
    if model.leak != model.model_.linear.units.intercept:
        raise ValueError(f"leak={model.leak!r} is not what the scores have")


@_of(BayesianLogisticRegression)
def bayesian(model: BayesianLogisticRegression) -> None:
    """Check prior and predictive."""
    model._checked_prior()


@_of(LinkRegression, BayesianLogisticRegression)
def intercept(model: Any) -> None:
    """Check that there is an intercept where the scores have one."""
    if bool(choice("fit_intercept", model.fit_intercept, (True, False))) != model.scores_.units.intercept:
        raise ValueError(f"fit_intercept={model.fit_intercept!r} is not what the scores have")


@_of(GenerativeClassifier)
def class_priors(model: GenerativeClassifier) -> None:
    """Check that class priors are those of the parameters and statistics."""
    expected = model._priors(model.model_.statistics)
    if not np.allclose(expected, model.model_.class_priors, rtol=1e-9, atol=0):
        raise ValueError("class_priors are not those of the classes' weights or of the parameter")
    if model._prior_parameters(len(expected)) != model.model_.prior_parameters:
        raise ValueError("the number of free class priors is not that of the parameters")


@_of(GaussianClassifier)
def gaussian(model: GaussianClassifier) -> None:
    """Check that the density is of the family of the parameters."""
    family = covariance_family(model.covariance, model.shared, model.estimate, model.shrinkage, model.rank)
    if repr(family) != repr(model.density_.groups[0].family):
        raise ValueError(f"the density is of {model.density_.groups[0].family!r}, not {family!r}")


@_of(NaiveBayes)
def naive_bayes(model: NaiveBayes) -> None:
    """Check the settings of the families, and what is done about missing and unseen values."""
    read_settings(model.smoothing, model.shared, model.estimate)
    for name in ("missing", "unseen"):
        choice(name, getattr(model, name), STRATEGIES)


@_of(JointTable)
def joint_table(model: JointTable) -> None:
    """Check smoothing and the number of parameters."""
    non_negative("smoothing", model.smoothing)
    model._refuse_many(len(model.classes_), model.density_.groups[0].family.sizes)  # type: ignore[attr-defined]


@_of(FromScatter)
def within(model: Any) -> None:
    """Check the parameters for the number of classes, and that fourth moments are there if the shrinkage needs them."""
    if bool(model.model_.statistics.fourth) != model._needs_fourth():
        raise ValueError("the statistics do not go with the shrinkage")
    model._check_parameters(len(model.classes_))


@_of(Perceptron)
def kept_weights(model: Perceptron) -> None:
    """Check that predictions are made of the weights of the state that the parameter names, if the state has them."""
    value = model.model_
    expected = {"last": value.state.w, "average": value.state.average}.get(model.keep, value.linear.w)
    if not np.allclose(value.linear.w, expected, rtol=1e-9, atol=0):
        raise ValueError("linear.w does not follow from the state")


@_of(KernelClassifier)
def kernels(model: KernelClassifier) -> None:
    """Check bandwidth, centres and units, and the number of parameters."""
    value, own = model.model_, isinstance(model.centers, str) and model.centers == "own-class"
    if (value.scale is None) != (model.units == "data"):
        raise ValueError(f"units={model.units!r} are not those of the fit")
    if not own and value.n_free != value.coef.size:  # otherwise each class has its own centres only
        raise ValueError(f"n_free is {value.n_free} of {value.coef.size} coefficients")
    read_bandwidth(model.bandwidth)
    read_centers_parameter(model.centers, model._center_options)
    choice("units", model.units, UNITS)


@_of(LSPC)
def lspc(model: LSPC) -> None:
    """Check the precision."""
    if model.precision != "cv":
        positive("precision", model.precision, "or 'cv'")


@_of(OneVsRest)
def one_vs_rest(model: OneVsRest) -> None:
    """Check which classes have a problem."""
    choice("rest", model.rest, ("all", "last"))


@_of(TableClassifier)
def table(model: TableClassifier) -> None:
    """Check how columns are coded."""
    check_choices(model.types, model.reference, model.missing)
