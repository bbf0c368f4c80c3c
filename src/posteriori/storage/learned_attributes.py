"""What each classifier learns: names and types of its attributes, checked before anything reads them."""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.bases.base import Phi
from posteriori.decisions.prior_shift import Adaptation
from posteriori.estimators.base import Classifier
from posteriori.estimators.discriminants.class_means import WithinClassifier
from posteriori.estimators.discriminants.fisher_discriminant import FisherDiscriminant
from posteriori.estimators.discriminants.perceptron import Perceptron
from posteriori.estimators.generative.base import GenerativeClassifier
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.estimators.kernels.base import KernelClassifier
from posteriori.estimators.kernels.kernel_logistic_regression import KernelLogisticRegression
from posteriori.estimators.kernels.lspc import LSPC
from posteriori.estimators.linear import LinearClassifier
from posteriori.estimators.regression.bayesian_logistic_regression import BayesianLogisticRegression
from posteriori.estimators.regression.link_regression import LinkRegression
from posteriori.estimators.regression.noisy_or import NoisyOr
from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.estimators.wrappers.decomposition import Decomposition
from posteriori.estimators.wrappers.prior_shift import PriorShift
from posteriori.families.joint_density import JointDensity
from posteriori.fits.information import Information
from posteriori.inference.bayes.corrected.posterior import CorrectedPosterior
from posteriori.inference.bayes.evidence.choose import ChosenPrecision
from posteriori.inference.bayes.posterior import GaussianPosterior
from posteriori.inference.bayes.warm_up import WarmUp
from posteriori.input.coding.coding import Coding
from posteriori.input.formula.coding import FormulaCoding
from posteriori.links.base import LinkFunction
from posteriori.links.noisy_or import NoisyOrLink
from posteriori.messages.notes import Note
from posteriori.models.generative_summary import Summary
from posteriori.models.linear_scores import LinearScores
from posteriori.solvers.base import Solution
from posteriori.solvers.newton.bounded import BoundedSolution
from posteriori.solvers.ordered.online_pass import OnlineState
from posteriori.solvers.ordered.perceptron import PerceptronState, PerceptronTrace
from posteriori.solvers.trace import Trace
from posteriori.storage.requirements import described, wrong
from posteriori.storage.type_hints import fits
from posteriori.sweeps.least_squares import WithinSummary

Status = Literal["ok", "separated", "aliased", "not_converged"]

#: What every fit of a class, and of the classes below it, leaves: a file without one of these is refused.
LEARNED: dict[type, dict[str, Any]] = {
    Classifier: {
        "classes_": NDArray[Any],
        "n_features_in_": int,
        "n_parameters_": int,
        "fit_status_": Status,
        "fit_notes_": list[Note],
    },
    LinearClassifier: {},
    LinkRegression: {
        "coef_": Array,
        "intercept_": Array,
        "infinite_": NDArray[np.int8],
        "scores_": LinearScores,
        "link_": LinkFunction,
        "information_": Information,
        "takes_offset_": bool,
        "solution_": Solution,
        "n_iter_": int,
        "log_likelihood_": float,
        "null_log_likelihood_": float,
        "deviance_": float,
        "null_deviance_": float,
    },
    BayesianLogisticRegression: {
        "coef_": Array,
        "intercept_": Array,
        "posterior_": GaussianPosterior,
        "evidence_": ChosenPrecision | None,
        "scores_": LinearScores,
        "link_": LinkFunction,
        "seed_": int,
        "n_batches_": int,
        "warm_up_": WarmUp | None,
        "solution_": Solution,
        "log_likelihood_": float,
    },
    NoisyOr: {
        "theta_": Array,
        "failure_probabilities_": Array,
        "leak_": float,
        "coef_": Array,
        "intercept_": Array,
        "infinite_": NDArray[np.int8],
        "scores_": LinearScores,
        "link_": NoisyOrLink,
        "solution_": BoundedSolution,
        "n_iter_": int,
        "log_likelihood_": float,
        "deviance_": float,
        "aic_": float,
        "bic_": float,
    },
    GenerativeClassifier: {"class_priors_": Array, "statistics_": Summary, "density_": JointDensity},
    GaussianClassifier: {"means_": Array},
    WithinClassifier: {"coef_": Array, "intercept_": Array, "scores_": LinearScores, "statistics_": WithinSummary},
    FisherDiscriminant: {
        "scalings_": Array,
        "eigenvalues_": Array,
        "explained_variance_ratio_": Array,
        "means_": Array,
        "projection_": LinearScores,
    },
    Perceptron: {
        "coef_": Array,
        "intercept_": Array,
        "scores_": LinearScores,
        "state_": PerceptronState,
        "n_updates_": int,
        "n_iter_": int,
        "converged_": bool,
    },
    KernelClassifier: {"coef_": Array, "centers_": Array, "bandwidth_": float},
    KernelLogisticRegression: {"solution_": Solution, "n_iter_": int},
    LSPC: {"precision_": float, "class_priors_": Array},
    Decomposition: {"classes_": NDArray[Any], "n_features_in_": int, "estimators_": list[Any]},
    TableClassifier: {
        "target_": str | None,
        "offset_": str | None,
        "order_": NDArray[np.intp],
        "coding_": Coding | FormulaCoding | None,
        "n_rows_": int,
        "weight_": float,
        "n_dropped_": int,
        "n_features_in_": int,
        "classes_": NDArray[Any],
    },
}

#: What only some fits leave, or only those of later versions.
OPTIONAL: dict[type, dict[str, Any]] = {
    Classifier: {"feature_names_in_": NDArray[np.object_], "frame_library_": str | None},
    LinearClassifier: {"phi_": Phi | None},
    LinkRegression: {
        "trace_": Trace,
        "state_": OnlineState,
        "evidence_": ChosenPrecision,
        "aic_": float,
        "bic_": float,
    },
    GaussianClassifier: {"coef_": Array, "intercept_": Array},
    BayesianLogisticRegression: {"corrected_": CorrectedPosterior | None},
    NoisyOr: {"n_trials_": float},
    Perceptron: {"trace_": PerceptronTrace | None},
    KernelClassifier: {"scale_": Array | None, "cross_validation_": dict[str, Array]},
    PriorShift: {"adaptation_": Adaptation, "seen_priors_": Array},
    TableClassifier: {"feature_names_in_": NDArray[np.object_], "formula_": str | None},
}

#: Numbers that may not be NaN or infinite.
FINITE = (
    "log_likelihood_",
    "null_log_likelihood_",
    "deviance_",
    "null_deviance_",
    "aic_",
    "bic_",
    "n_trials_",
    "leak_",
    "bandwidth_",
    "precision_",
    "weight_",
)


def check_learned(model: Any, where: str) -> None:
    """Raise unless a fitted model has the attributes of its class, each of its type."""
    attributes = vars(model)
    for name, hint, needed in _declared(type(model)):
        if name not in attributes:
            if needed:
                wrong(f"{where}.{name}", "is not there")
            continue
        if not fits(attributes[name], hint):
            wrong(f"{where}.{name}", f"is {described(attributes[name])}, not a {_title(hint)}")
        if name in FINITE and not np.isfinite(attributes[name]):
            wrong(f"{where}.{name}", f"is {attributes[name]}")


def _declared(kind: type) -> Iterator[tuple[str, Any, bool]]:
    for base in kind.__mro__:
        for name, hint in LEARNED.get(base, {}).items():
            yield name, hint, True
        for name, hint in OPTIONAL.get(base, {}).items():
            yield name, hint, False


def _title(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint)
