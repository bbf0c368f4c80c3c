"""The public names and their modules, grouped as in the books: the only list of them.

Type checkers, editors and `__init__.py` read it. One name per line: ``from module import name as name``.
"""

# fmt: off

# discriminant functions: a class for each x, no probabilities
from posteriori.estimators.discriminants.least_squares_classifier import LeastSquaresClassifier as LeastSquaresClassifier
from posteriori.estimators.discriminants.fisher_discriminant import FisherDiscriminant as FisherDiscriminant
from posteriori.estimators.discriminants.perceptron import Perceptron as Perceptron
from posteriori.estimators.wrappers.one_vs_rest import OneVsRest as OneVsRest
from posteriori.estimators.wrappers.one_vs_one import OneVsOne as OneVsOne

# generative models: p(x | class) and P(class)
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier as GaussianClassifier
from posteriori.estimators.generative.naive_bayes import NaiveBayes as NaiveBayes
from posteriori.estimators.generative.joint_table import JointTable as JointTable
from posteriori.families.base import Family as Family
from posteriori.families.binomial import Binomial as Binomial
from posteriori.families.gaussian.normal_inverse_gamma import NormalInverseGamma as NormalInverseGamma
from posteriori.families.gaussian.normal_inverse_wishart import NormalInverseWishart as NormalInverseWishart
from posteriori.estimators.merge import merge as merge

# discriminative models: P(class | x)
from posteriori.estimators.regression.logistic_regression import LogisticRegression as LogisticRegression
from posteriori.estimators.regression.binary_regression import BinaryRegression as BinaryRegression
from posteriori.links.custom import Link as Link
from posteriori.links.gaussian_mixture import GaussianMixtureLink as GaussianMixtureLink
from posteriori.estimators.regression.noisy_or import NoisyOr as NoisyOr
from posteriori.estimators.kernels.kernel_logistic_regression import KernelLogisticRegression as KernelLogisticRegression
from posteriori.estimators.kernels.lspc import LSPC as LSPC
from posteriori.priors.gaussian import GaussianPrior as GaussianPrior
from posteriori.input.targets import counts as counts
from posteriori.fits.existence.separation import separation as separation
from posteriori.estimators.regression.likelihood_ratio import likelihood_ratio_test as likelihood_ratio_test

# Bayesian treatment: a distribution over coefficients
from posteriori.estimators.regression.bayesian_logistic_regression import BayesianLogisticRegression as BayesianLogisticRegression
from posteriori.inference.bayes.laplace.laplace import laplace as laplace

# decisions and comparisons
from posteriori.estimators.wrappers.model_average import ModelAverage as ModelAverage
from posteriori.estimators.wrappers.cost_sensitive import CostSensitive as CostSensitive
from posteriori.estimators.wrappers.reject_option import RejectOption as RejectOption
from posteriori.estimators.wrappers.prior_shift import PriorShift as PriorShift
from posteriori.comparisons.compare import compare as compare
from posteriori.comparisons.learning_curves import learning_curves as learning_curves
from posteriori.comparisons.learning_curves_display import LearningCurvesDisplay as LearningCurvesDisplay
from posteriori.reports.report import report as report

# bases: phi(x)
from posteriori.estimators.bases.polynomial import PolynomialBasis as PolynomialBasis
from posteriori.estimators.bases.gaussian import GaussianBasis as GaussianBasis
from posteriori.estimators.bases.sigmoid import SigmoidBasis as SigmoidBasis
from posteriori.estimators.bases.kernel import KernelBasis as KernelBasis
from posteriori.estimators.bases.custom import CustomBasis as CustomBasis

# plots
from posteriori.plots.coefficients.coefficients import CoefficientDisplay as CoefficientDisplay
from posteriori.plots.decisions.reliability import ReliabilityDisplay as ReliabilityDisplay
from posteriori.plots.decisions.risk_coverage import RiskCoverageDisplay as RiskCoverageDisplay
from posteriori.plots.decisions.costs import CostDisplay as CostDisplay
from posteriori.plots.posteriors.posterior import PosteriorDisplay as PosteriorDisplay
from posteriori.plots.curves.trace import TraceDisplay as TraceDisplay
from posteriori.plots.curves.losses import LossDisplay as LossDisplay
from posteriori.plots.densities.density import DensityDisplay as DensityDisplay
from posteriori.plots.planes.projection import ProjectionDisplay as ProjectionDisplay
from posteriori.plots.curves.links import LinkDisplay as LinkDisplay

# data frames, model files, options of the run
from posteriori.estimators.tables.table_classifier import TableClassifier as TableClassifier
from posteriori.storage.save_load import save as save
from posteriori.storage.save_load import load as load
from posteriori.engines.options import options as options

# errors and warnings
from posteriori.messages.errors import DataError as DataError
from posteriori.messages.errors import DataTypeError as DataTypeError
from posteriori.messages.errors import ModelFileError as ModelFileError
from posteriori.messages.errors import NotIdentifiedWarning as NotIdentifiedWarning
from posteriori.messages.errors import SeparationWarning as SeparationWarning
from posteriori.messages.errors import CollinearityWarning as CollinearityWarning
from posteriori.messages.errors import DegenerateVarianceWarning as DegenerateVarianceWarning
from posteriori.messages.errors import UnseenCategoryWarning as UnseenCategoryWarning
from posteriori.messages.errors import NonIntegerWeightsWarning as NonIntegerWeightsWarning
from posteriori.messages.errors import FewClustersWarning as FewClustersWarning
from posteriori.messages.errors import ConvergenceWarning as ConvergenceWarning

# figures of the books (a module), and the version
from posteriori.plots import figures as figures

__version__: str
