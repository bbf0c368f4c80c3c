"""The parameters of a stored classifier, checked as its `fit` checks them."""

from collections.abc import Callable
from typing import Any

from sklearn.utils import check_random_state

from posteriori.bases.kernel_centers import read_centers_parameter
from posteriori.checks.parameters import choice, non_negative
from posteriori.estimators.discriminants.class_means import WithinClassifier
from posteriori.estimators.discriminants.perceptron import Perceptron
from posteriori.estimators.generative.column_families import read_settings
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.estimators.generative.joint_table import JointTable
from posteriori.estimators.generative.naive_bayes import ANSWERS, NaiveBayes
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
from posteriori.priors.gaussian import as_prior
from posteriori.priors.jeffreys import JeffreysPrior
from posteriori.storage.requirements import wrong


def check_parameters(model: Any, where: str) -> None:
    """Raise unless the parameters of a fitted model are ones that its class can be fitted with."""
    for kind, check in PARAMETERS.items():
        if not isinstance(model, kind):
            continue
        try:
            check(model)
        except (ValueError, TypeError, AttributeError) as error:  # what fit would raise
            wrong(where, f"has parameters that it cannot be fitted with ({error})")


def _link_regression(model: LinkRegression) -> None:
    model._check_parameters()
    as_prior(model.prior)
    check_random_state(model.random_state)
    link = model._link(model.classes_)
    if type(link) is not type(model.link_) or link.n_scores != model.link_.n_scores:
        raise ValueError(f"the link is {model.link_!r}, not {link!r}")
    if isinstance(as_prior(model.prior), JeffreysPrior) != model.information_.jeffreys:
        raise ValueError(f"prior={model.prior!r} is not that of the information")
    _same_intercept(model)


def _bayesian(model: BayesianLogisticRegression) -> None:
    model._checked()
    check_random_state(model.random_state)
    _same_intercept(model)


def _same_intercept(model: Any) -> None:
    if bool(choice("fit_intercept", model.fit_intercept, (True, False))) != model.scores_.units.intercept:
        raise ValueError(f"fit_intercept={model.fit_intercept!r} is not what the scores have")


def _gaussian(model: GaussianClassifier) -> None:
    family = covariance_family(model.covariance, model.shared, model.estimate, model.shrinkage, model.rank)
    if repr(family) != repr(model.density_.groups[0].family):
        raise ValueError(f"the density is of {model.density_.groups[0].family!r}, not {family!r}")


def _naive_bayes(model: NaiveBayes) -> None:
    read_settings(model.smoothing, model.shared, model.estimate)
    for name in ("missing", "unseen"):
        choice(name, getattr(model, name), ANSWERS)


def _joint_table(model: JointTable) -> None:
    non_negative("smoothing", model.smoothing)
    model._refuse_many(len(model.classes_), model.density_.groups[0].family.sizes)  # type: ignore[attr-defined]


def _perceptron(model: Perceptron) -> None:
    model._check_parameters()
    check_random_state(model.random_state)


def _kernels(model: KernelClassifier) -> None:
    read_bandwidth(model.bandwidth)
    read_centers_parameter(model.centers, model._center_words)
    choice("units", model.units, UNITS)
    check_random_state(model.random_state)


def _lspc(model: LSPC) -> None:
    if model.precision != "cv":
        positive("precision", model.precision, "or 'cv'")


#: The check of each class: that of its `fit`, and that what was learned is of these parameters.
PARAMETERS: dict[type, Callable[[Any], object]] = {
    LinkRegression: _link_regression,
    BayesianLogisticRegression: _bayesian,
    NoisyOr: NoisyOr._check_parameters,
    GaussianClassifier: _gaussian,
    NaiveBayes: _naive_bayes,
    JointTable: _joint_table,
    WithinClassifier: lambda model: model._check_parameters(len(model.classes_)),
    Perceptron: _perceptron,
    KernelClassifier: _kernels,
    KernelLogisticRegression: KernelLogisticRegression._check_parameters,
    LSPC: _lspc,
    OneVsRest: lambda model: choice("rest", model.rest, ("all", "last")),
    TableClassifier: lambda model: check_choices(model.types, model.reference, model.missing),
}
