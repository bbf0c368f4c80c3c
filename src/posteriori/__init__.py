"""A fit is a few sweeps over the rows; a sweep turns each block of rows into small statistics; statistics merge.

Public names are resolved when first used, so that importing the package costs nothing.
"""

import os
from threading import RLock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from posteriori.bases.custom import CustomBasis
    from posteriori.bases.gaussian import GaussianBasis
    from posteriori.bases.kernel import KernelBasis
    from posteriori.bases.polynomial import PolynomialBasis
    from posteriori.bases.sigmoid import SigmoidBasis
    from posteriori.classifiers.bayesian_logistic_regression import BayesianLogisticRegression
    from posteriori.classifiers.binary_regression import BinaryRegression
    from posteriori.classifiers.cost_sensitive import CostSensitive
    from posteriori.classifiers.fisher_discriminant import FisherDiscriminant
    from posteriori.classifiers.gaussian_classifier import GaussianClassifier
    from posteriori.classifiers.joint_table import JointTable
    from posteriori.classifiers.kernel_logistic_regression import KernelLogisticRegression
    from posteriori.classifiers.least_squares_classifier import LeastSquaresClassifier
    from posteriori.classifiers.logistic_regression import LogisticRegression
    from posteriori.classifiers.lspc import LSPC
    from posteriori.classifiers.merge import merge
    from posteriori.classifiers.model_average import ModelAverage
    from posteriori.classifiers.naive_bayes import NaiveBayes
    from posteriori.classifiers.noisy_or import NoisyOr
    from posteriori.classifiers.one_vs_one import OneVsOne
    from posteriori.classifiers.one_vs_rest import OneVsRest
    from posteriori.classifiers.perceptron import Perceptron
    from posteriori.classifiers.prior_shift import PriorShift
    from posteriori.classifiers.reject_option import RejectOption
    from posteriori.classifiers.table_classifier import TableClassifier
    from posteriori.comparisons.compare import compare
    from posteriori.comparisons.learning_curves import learning_curves
    from posteriori.comparisons.learning_curves_display import LearningCurvesDisplay
    from posteriori.engines.options import options
    from posteriori.families.base import Family
    from posteriori.families.binomial import Binomial
    from posteriori.families.conjugate_gamma import NormalInverseGamma
    from posteriori.families.conjugate_wishart import NormalInverseWishart
    from posteriori.inference.laplace import laplace
    from posteriori.inference.likelihood_ratio import likelihood_ratio_test
    from posteriori.inference.separation import separation
    from posteriori.links.custom import Link
    from posteriori.links.gaussian_mixture import GaussianMixtureLink
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
    from posteriori.storage.files import load, save
    from posteriori.tables.errors import (
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
    from posteriori.tables.targets import counts

    __version__: str

__all__ = [
    # discriminant functions: a class for each x, no probabilities
    "LeastSquaresClassifier",
    "FisherDiscriminant",
    "Perceptron",
    "OneVsRest",
    "OneVsOne",
    # generative models: p(x | class) and P(class)
    "GaussianClassifier",
    "NaiveBayes",
    "JointTable",
    "Family",
    "Binomial",
    "NormalInverseGamma",
    "NormalInverseWishart",
    "merge",
    # discriminative models: P(class | x)
    "LogisticRegression",
    "BinaryRegression",
    "Link",
    "GaussianMixtureLink",
    "NoisyOr",
    "KernelLogisticRegression",
    "LSPC",
    "GaussianPrior",
    "counts",
    "separation",
    "likelihood_ratio_test",
    # Bayesian treatment: a distribution over coefficients
    "BayesianLogisticRegression",
    "laplace",
    # decisions and comparisons
    "ModelAverage",
    "CostSensitive",
    "RejectOption",
    "PriorShift",
    "compare",
    "learning_curves",
    "LearningCurvesDisplay",
    "report",
    # bases: phi(x)
    "PolynomialBasis",
    "GaussianBasis",
    "SigmoidBasis",
    "KernelBasis",
    "CustomBasis",
    # figures
    "CoefficientDisplay",
    "ReliabilityDisplay",
    "RiskCoverageDisplay",
    "CostDisplay",
    "PosteriorDisplay",
    "TraceDisplay",
    "LossDisplay",
    "DensityDisplay",
    "ProjectionDisplay",
    "LinkDisplay",
    # frames, model files, the run
    "TableClassifier",
    "save",
    "load",
    "options",
    # what can go wrong
    "DataError",
    "DataTypeError",
    "ModelFileError",
    "NotIdentifiedWarning",
    "SeparationWarning",
    "CollinearityWarning",
    "DegenerateVarianceWarning",
    "UnseenCategoryWarning",
    "NonIntegerWeightsWarning",
    "FewClustersWarning",
    "ConvergenceWarning",
]

#: The module in which each public name lives; errors and warnings live in `tables.errors`.
_HOMES = {
    "LeastSquaresClassifier": "classifiers.least_squares_classifier",
    "FisherDiscriminant": "classifiers.fisher_discriminant",
    "Perceptron": "classifiers.perceptron",
    "OneVsRest": "classifiers.one_vs_rest",
    "OneVsOne": "classifiers.one_vs_one",
    "GaussianClassifier": "classifiers.gaussian_classifier",
    "NaiveBayes": "classifiers.naive_bayes",
    "JointTable": "classifiers.joint_table",
    "Family": "families.base",
    "Binomial": "families.binomial",
    "NormalInverseGamma": "families.conjugate_gamma",
    "NormalInverseWishart": "families.conjugate_wishart",
    "merge": "classifiers.merge",
    "LogisticRegression": "classifiers.logistic_regression",
    "BinaryRegression": "classifiers.binary_regression",
    "Link": "links.custom",
    "GaussianMixtureLink": "links.gaussian_mixture",
    "NoisyOr": "classifiers.noisy_or",
    "KernelLogisticRegression": "classifiers.kernel_logistic_regression",
    "LSPC": "classifiers.lspc",
    "GaussianPrior": "priors.gaussian",
    "counts": "tables.targets",
    "separation": "inference.separation",
    "likelihood_ratio_test": "inference.likelihood_ratio",
    "ModelAverage": "classifiers.model_average",
    "CostSensitive": "classifiers.cost_sensitive",
    "RejectOption": "classifiers.reject_option",
    "PriorShift": "classifiers.prior_shift",
    "BayesianLogisticRegression": "classifiers.bayesian_logistic_regression",
    "laplace": "inference.laplace",
    "compare": "comparisons.compare",
    "learning_curves": "comparisons.learning_curves",
    "LearningCurvesDisplay": "comparisons.learning_curves_display",
    "report": "reports.report",
    "PolynomialBasis": "bases.polynomial",
    "GaussianBasis": "bases.gaussian",
    "SigmoidBasis": "bases.sigmoid",
    "KernelBasis": "bases.kernel",
    "CustomBasis": "bases.custom",
    "TableClassifier": "classifiers.table_classifier",
    "PosteriorDisplay": "plots.posteriors.posterior",
    "TraceDisplay": "plots.curves.trace",
    "CoefficientDisplay": "plots.coefficients.coefficients",
    "ReliabilityDisplay": "plots.decisions.reliability",
    "RiskCoverageDisplay": "plots.decisions.risk_coverage",
    "CostDisplay": "plots.decisions.costs",
    "LossDisplay": "plots.curves.losses",
    "DensityDisplay": "plots.densities.density",
    "ProjectionDisplay": "plots.planes.projection",
    "LinkDisplay": "plots.curves.links",
    "save": "storage.files",
    "load": "storage.files",
    "options": "engines.options",
}


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
    elif name in __all__:
        from importlib import import_module

        value = getattr(import_module(f"posteriori.{_HOMES.get(name, 'tables.errors')}"), name)
    else:
        raise AttributeError(f"module 'posteriori' has no attribute {name!r}")
    return value


def __dir__() -> list[str]:
    """List the table of contents."""
    return sorted({*globals(), *__all__, "__version__", "figures"})
