"""The table of classes a model file may hold. Nothing outside it is ever made from a file."""

from types import MappingProxyType
from typing import Any, Never

from posteriori.bases.gaussian import ColumnwiseGaussianPhi, GaussianPhi
from posteriori.bases.polynomial import PolynomialPhi
from posteriori.bases.sigmoid import SigmoidPhi
from posteriori.decisions.prior_shift import Adaptation
from posteriori.designs.units import Units
from posteriori.estimators.bases.gaussian import GaussianBasis
from posteriori.estimators.bases.kernel import KernelBasis
from posteriori.estimators.bases.polynomial import PolynomialBasis
from posteriori.estimators.bases.sigmoid import SigmoidBasis
from posteriori.estimators.discriminants.fisher_discriminant import FisherDiscriminant
from posteriori.estimators.discriminants.least_squares_classifier import LeastSquaresClassifier
from posteriori.estimators.discriminants.perceptron import Perceptron
from posteriori.estimators.generative.column_parameters import ColumnTable
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.estimators.generative.joint_table import JointTable
from posteriori.estimators.generative.naive_bayes import NaiveBayes
from posteriori.estimators.kernels.kernel_logistic_regression import KernelLogisticRegression
from posteriori.estimators.kernels.lspc import LSPC
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
from posteriori.families.affine import AffineParameters
from posteriori.families.bernoulli import Bernoulli
from posteriori.families.beta import Beta, BetaParameters
from posteriori.families.binomial import Binomial
from posteriori.families.categorical import Categorical, TableParameters
from posteriori.families.dirichlet import Dirichlet, DirichletParameters
from posteriori.families.exponential import Exponential
from posteriori.families.gamma import Gamma, GammaParameters
from posteriori.families.gaussian.conjugate_gamma import NormalInverseGamma
from posteriori.families.gaussian.conjugate_wishart import NormalInverseWishart
from posteriori.families.gaussian.diagonal import DiagonalGaussian, DiagonalParameters
from posteriori.families.gaussian.full import FullGaussian, FullParameters
from posteriori.families.gaussian.joint import JointGaussian
from posteriori.families.gaussian.low_rank import LowRankGaussian, LowRankParameters
from posteriori.families.gaussian.shrinkage import ShrunkGaussian
from posteriori.families.gaussian.spherical import SphericalGaussian
from posteriori.families.joint_density import Group, JointDensity
from posteriori.families.joint_table import JointTableFamily, JointTableParameters
from posteriori.families.multinomial import Multinomial, MultinomialParameters
from posteriori.families.poisson import Poisson
from posteriori.fits.information import Information, Sums
from posteriori.inference.bayes.corrected.posterior import CorrectedPosterior
from posteriori.inference.bayes.evidence.choose import ChosenPrecision
from posteriori.inference.bayes.posterior import GaussianPosterior
from posteriori.inference.bayes.warm_up import WarmUp
from posteriori.input.coding.coding import Coded, Coding
from posteriori.input.formula.coding import FormulaCoding, FormulaTerm
from posteriori.input.formula.contrasts import FormulaProduct
from posteriori.input.formula.expression import Expression
from posteriori.input.formula.factors import CategoryFactor, NumberFactor
from posteriori.links.cauchit import Cauchit
from posteriori.links.cloglog import CLogLog
from posteriori.links.gaussian_mixture import GaussianMixtureLink
from posteriori.links.logit import Logit
from posteriori.links.loglog import LogLog
from posteriori.links.noisy_or import NoisyOrLink
from posteriori.links.probit import Probit
from posteriori.links.softmax import Softmax
from posteriori.messages import errors
from posteriori.messages.errors import ModelFileError
from posteriori.messages.notes import Note
from posteriori.models.generative_summary import Summary
from posteriori.models.linear_scores import LinearScores
from posteriori.priors.base import Quadratic
from posteriori.priors.gaussian import GaussianPrior
from posteriori.priors.weights import Weights
from posteriori.solvers.base import Solution
from posteriori.solvers.newton.bounded import BoundedSolution
from posteriori.solvers.ordered.online_pass import OnlineState
from posteriori.solvers.ordered.perceptron import PerceptronState, PerceptronTrace
from posteriori.solvers.trace import Trace
from posteriori.statistics.cells import Cells
from posteriori.statistics.counts import Counts
from posteriori.statistics.fourth import FourthGram
from posteriori.statistics.gram import Gram
from posteriori.statistics.log_means import LogMeans
from posteriori.statistics.means import Means
from posteriori.statistics.moments import Moments
from posteriori.statistics.within import Within
from posteriori.sweeps.least_squares import WithinSummary
from posteriori.tables.schema import Column, Schema

_CLASSES: tuple[type, ...] = (
    # what a fit is about
    Column, Schema, Units, Coded, Coding, Note, GaussianPrior, Weights,
    Expression, NumberFactor, CategoryFactor, FormulaProduct, FormulaTerm, FormulaCoding,
    # bases; a CustomBasis is code
    PolynomialBasis, GaussianBasis, SigmoidBasis, KernelBasis,
    PolynomialPhi, ColumnwiseGaussianPhi, GaussianPhi, SigmoidPhi,
    # what it summed
    Counts, Moments, Gram, Summary,
    # densities and their parameters
    Bernoulli, Categorical, DiagonalGaussian, FullGaussian, SphericalGaussian, Group, JointDensity,
    TableParameters, DiagonalParameters, FullParameters, ColumnTable,
    JointGaussian, Poisson, Binomial, Exponential, Multinomial, Gamma, Beta, Dirichlet, NormalInverseGamma,
    AffineParameters, MultinomialParameters, GammaParameters, BetaParameters, DirichletParameters, Means, LogMeans,
    JointTableFamily, JointTableParameters, Cells,
    ShrunkGaussian, LowRankGaussian, LowRankParameters, NormalInverseWishart, FourthGram, Within, WithinSummary,
    # scores and how they were found
    PerceptronState, PerceptronTrace, OnlineState, Trace,
    NoisyOrLink, BoundedSolution,
    Probit, CLogLog, LogLog, Cauchit, GaussianMixtureLink,  # a user's Link is code
    GaussianPosterior, CorrectedPosterior, ChosenPrecision, WarmUp,
    Logit, Softmax, LinearScores, Solution, Information, Sums, Quadratic,
    # the classifiers
    BayesianLogisticRegression,
    NoisyOr,
    LogisticRegression, BinaryRegression, GaussianClassifier, NaiveBayes, TableClassifier,
    KernelLogisticRegression, LSPC,
    Perceptron, JointTable, OneVsRest, OneVsOne, LeastSquaresClassifier, FisherDiscriminant,
    # decisions and averages
    CostSensitive, RejectOption, PriorShift, Adaptation, ModelAverage,
)  # fmt: skip

#: Storable classes by name.
KINDS = MappingProxyType({kind.__name__: kind for kind in _CLASSES})

#: The categories a `Note` may have, by name.
WARNINGS: MappingProxyType[str, type[Warning]] = MappingProxyType(
    {"UserWarning": UserWarning}
    | {
        name: kind
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, Warning) and not name.startswith("_")
    }
)


def refuse(value: Any, where: str) -> Never:
    """Raise the error for a value that could only be stored as code."""
    kind = type(value) if not isinstance(value, type) else value
    name = (
        kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    )
    raise ModelFileError(
        f"{where} is of type {name}, which cannot be stored without code. A model file holds only what this "
        "library "
        "defines; for anything else keep the script that fits it. Classifiers it holds: "
        f"{', '.join(_classifiers())}."
    )


def _classifiers() -> list[str]:
    return [name for name, kind in KINDS.items() if hasattr(kind, "predict")]
