"""A fit is a few sweeps over the rows; a sweep turns each block of rows into small statistics; statistics merge.

Public names are resolved when first used, so that importing the package costs nothing.
"""

import os
from threading import RLock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from posteriori.comparisons.compare import compare
    from posteriori.comparisons.learning_curves import learning_curves
    from posteriori.comparisons.learning_curves_display import LearningCurvesDisplay
    from posteriori.engines.options import options
    from posteriori.estimators.bases.custom import CustomBasis
    from posteriori.estimators.bases.gaussian import GaussianBasis
    from posteriori.estimators.bases.kernel import KernelBasis
    from posteriori.estimators.bases.polynomial import PolynomialBasis
    from posteriori.estimators.bases.sigmoid import SigmoidBasis
    from posteriori.estimators.discriminants.fisher_discriminant import FisherDiscriminant
    from posteriori.estimators.discriminants.least_squares_classifier import LeastSquaresClassifier
    from posteriori.estimators.discriminants.perceptron import Perceptron
    from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
    from posteriori.estimators.generative.joint_table import JointTable
    from posteriori.estimators.generative.naive_bayes import NaiveBayes
    from posteriori.estimators.kernels.kernel_logistic_regression import KernelLogisticRegression
    from posteriori.estimators.kernels.lspc import LSPC
    from posteriori.estimators.merge import merge
    from posteriori.estimators.regression.bayesian_logistic_regression import BayesianLogisticRegression
    from posteriori.estimators.regression.binary_regression import BinaryRegression
    from posteriori.estimators.regression.logistic_regression import LogisticRegression
    from posteriori.estimators.regression.noisy_or import NoisyOr
    from posteriori.estimators.tables.table_classifier import TableClassifier
    from posteriori.estimators.wrappers.cost_sensitive import CostSensitive
    from posteriori.estimators.wrappers.model_average import ModelAverage
    from posteriori.estimators.wrappers.one_vs_one import OneVsOne
    from posteriori.estimators.wrappers.one_vs_rest import OneVsRest
    from posteriori.estimators.wrappers.prior_shift import PriorShift
    from posteriori.estimators.wrappers.reject_option import RejectOption
    from posteriori.families.base import Family
    from posteriori.families.binomial import Binomial
    from posteriori.families.gaussian.normal_inverse_gamma import NormalInverseGamma
    from posteriori.families.gaussian.normal_inverse_wishart import NormalInverseWishart
    from posteriori.fits.existence.separation import separation
    from posteriori.inference.bayes.laplace.laplace import laplace
    from posteriori.inference.coefficients.likelihood_ratio import likelihood_ratio_test
    from posteriori.input.targets import counts
    from posteriori.links.custom import Link
    from posteriori.links.gaussian_mixture import GaussianMixtureLink
    from posteriori.messages.errors import (
        CollinearityWarning,
        ConvergenceWarning,
        DataError,
        DataTypeError,
        DegenerateVarianceWarning,
        FewClustersWarning,
        ModelFileError,
        NonIntegerWeightsWarning,
        NotIdentifiedWarning,
        SeparationWarning,
        UnseenCategoryWarning,
    )
    from posteriori.plots import figures as figures
    from posteriori.plots.coefficients.coefficients import CoefficientDisplay
    from posteriori.plots.curves.links import LinkDisplay
    from posteriori.plots.curves.losses import LossDisplay
    from posteriori.plots.curves.trace import TraceDisplay
    from posteriori.plots.decisions.costs import CostDisplay
    from posteriori.plots.decisions.reliability import ReliabilityDisplay
    from posteriori.plots.decisions.risk_coverage import RiskCoverageDisplay
    from posteriori.plots.densities.density import DensityDisplay
    from posteriori.plots.planes.projection import ProjectionDisplay
    from posteriori.plots.posteriors.posterior import PosteriorDisplay
    from posteriori.priors.gaussian import GaussianPrior
    from posteriori.reports.report import report
    from posteriori.storage.save_load import load, save

    __version__: str

#: The public names, as the books group them, and the module in which each lives.
_HOMES = {
    # discriminant functions: a class for each x, no probabilities
    "LeastSquaresClassifier": "estimators.discriminants.least_squares_classifier",
    "FisherDiscriminant": "estimators.discriminants.fisher_discriminant",
    "Perceptron": "estimators.discriminants.perceptron",
    "OneVsRest": "estimators.wrappers.one_vs_rest",
    "OneVsOne": "estimators.wrappers.one_vs_one",
    # generative models: p(x | class) and P(class)
    "GaussianClassifier": "estimators.generative.gaussian_classifier",
    "NaiveBayes": "estimators.generative.naive_bayes",
    "JointTable": "estimators.generative.joint_table",
    "Family": "families.base",
    "Binomial": "families.binomial",
    "NormalInverseGamma": "families.gaussian.normal_inverse_gamma",
    "NormalInverseWishart": "families.gaussian.normal_inverse_wishart",
    "merge": "estimators.merge",
    # discriminative models: P(class | x)
    "LogisticRegression": "estimators.regression.logistic_regression",
    "BinaryRegression": "estimators.regression.binary_regression",
    "Link": "links.custom",
    "GaussianMixtureLink": "links.gaussian_mixture",
    "NoisyOr": "estimators.regression.noisy_or",
    "KernelLogisticRegression": "estimators.kernels.kernel_logistic_regression",
    "LSPC": "estimators.kernels.lspc",
    "GaussianPrior": "priors.gaussian",
    "counts": "input.targets",
    "separation": "fits.existence.separation",
    "likelihood_ratio_test": "inference.coefficients.likelihood_ratio",
    # Bayesian treatment: a distribution over coefficients
    "BayesianLogisticRegression": "estimators.regression.bayesian_logistic_regression",
    "laplace": "inference.bayes.laplace.laplace",
    # decisions and comparisons
    "ModelAverage": "estimators.wrappers.model_average",
    "CostSensitive": "estimators.wrappers.cost_sensitive",
    "RejectOption": "estimators.wrappers.reject_option",
    "PriorShift": "estimators.wrappers.prior_shift",
    "compare": "comparisons.compare",
    "learning_curves": "comparisons.learning_curves",
    "LearningCurvesDisplay": "comparisons.learning_curves_display",
    "report": "reports.report",
    # bases: phi(x)
    "PolynomialBasis": "estimators.bases.polynomial",
    "GaussianBasis": "estimators.bases.gaussian",
    "SigmoidBasis": "estimators.bases.sigmoid",
    "KernelBasis": "estimators.bases.kernel",
    "CustomBasis": "estimators.bases.custom",
    # figures
    "CoefficientDisplay": "plots.coefficients.coefficients",
    "ReliabilityDisplay": "plots.decisions.reliability",
    "RiskCoverageDisplay": "plots.decisions.risk_coverage",
    "CostDisplay": "plots.decisions.costs",
    "PosteriorDisplay": "plots.posteriors.posterior",
    "TraceDisplay": "plots.curves.trace",
    "LossDisplay": "plots.curves.losses",
    "DensityDisplay": "plots.densities.density",
    "ProjectionDisplay": "plots.planes.projection",
    "LinkDisplay": "plots.curves.links",
    # frames, model files, the run
    "TableClassifier": "estimators.tables.table_classifier",
    "save": "storage.save_load",
    "load": "storage.save_load",
    "options": "engines.options",
    # what can go wrong
    "DataError": "messages.errors",
    "DataTypeError": "messages.errors",
    "ModelFileError": "messages.errors",
    "NotIdentifiedWarning": "messages.errors",
    "SeparationWarning": "messages.errors",
    "CollinearityWarning": "messages.errors",
    "DegenerateVarianceWarning": "messages.errors",
    "UnseenCategoryWarning": "messages.errors",
    "NonIntegerWeightsWarning": "messages.errors",
    "FewClustersWarning": "messages.errors",
    "ConvergenceWarning": "messages.errors",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]


#: Held while a name is imported: of modules that import each other, two threads may otherwise see some half done.
_lock = RLock()
if hasattr(os, "register_at_fork"):  # no thread is importing a name while a child is made
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


def __getattr__(name: str) -> Any:
    """Import a public name from its home the first time it is used; one thread at a time."""
    with _lock:
        globals()[name] = value = _imported(name)
    return value


def _imported(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("posteriori")
    elif name == "figures":
        from posteriori.plots import figures as value
    elif name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(f"posteriori.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'posteriori' has no attribute {name!r}")
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted({*globals(), *_HOMES, "__version__", "figures"})
