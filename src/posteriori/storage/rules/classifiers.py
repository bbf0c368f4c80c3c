"""Rules for classifiers: that their parts are for the same columns and classes."""

from typing import Any

import numpy as np

from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.estimators.base import Classifier
from posteriori.estimators.discriminants.fisher_discriminant import FisherDiscriminant
from posteriori.estimators.discriminants.from_scatter import FromScatter
from posteriori.estimators.discriminants.perceptron import Perceptron
from posteriori.estimators.generative.base import GenerativeClassifier
from posteriori.estimators.kernels.base import KernelClassifier
from posteriori.input.targets import read_targets
from posteriori.messages.errors import DataError
from posteriori.solvers.ordered.perceptron import PerceptronState, PerceptronTrace
from posteriori.storage.registry import RULES
from posteriori.storage.rules.bases import coefficient_columns
from posteriori.storage.rules.densities import check_density
from posteriori.storage.rules.tables import check_same_units


def check_classes(classes: Any, where: str) -> None:
    """Raise unless there are two classes or more, of a type that labels may have, in the array that `fit` makes."""
    if classes.ndim != 1 or len(classes) < 2:
        fail(where, "is not a list of two or more classes")
    require.distinct(classes.tolist(), where)
    try:
        kind = read_targets(classes, len(classes)).classes.dtype.kind
    except DataError as error:
        fail(where, f"cannot be classes ({error})")
    if kind != classes.dtype.kind:
        fail(where, f"are of type {classes.dtype}, and fit makes classes of kind {kind!r} of such labels")


@RULES.of(Classifier)
def classifier(model: Any, where: str) -> None:
    """Check what every fitted classifier has."""
    if model.n_parameters_ < 0:  # those of a joint table are more than a float can count
        fail(f"{where}.n_parameters_", f"is {model.n_parameters_}")
    names = vars(model).get("feature_names_in_")
    if names is not None:
        if names.ndim != 1 or not all(isinstance(name, str) for name in names):
            fail(f"{where}.feature_names_in_", "is not a list of names")
        if len(names) != model.n_features_in_:
            fail(f"{where}.feature_names_in_", f"has {len(names)} names for {model.n_features_in_} columns")
    if "class_priors_" in vars(model):
        require.sums_to_one(model.class_priors_, f"{where}.class_priors_")


@RULES.of(GenerativeClassifier)
def generative(model: Any, where: str) -> None:
    """Check that statistics and densities are for the same classes and groups, which have each column once."""
    for name in ("density_", "statistics_"):
        columns = sorted(j for group in getattr(model, name).groups for j in group.columns)
        if len(columns) != model.n_features_in_ or any(j != at for at, j in enumerate(columns)):
            fail(f"{where}.{name}.groups", f"do not have each of the {model.n_features_in_} columns once")
    if repr(model.density_.groups) != repr(model.statistics_.groups):
        fail(f"{where}.statistics_.groups", "are not those of the densities")
    names = vars(model).get("feature_names_in_")
    if names is not None and model.statistics_.schema.names != tuple(names):
        fail(f"{where}.feature_names_in_", "are not those of the columns")
    check_density(model.statistics_, model.density_, where)


@RULES.of(GenerativeClassifier, FromScatter)
def statistics(model: Any, where: str) -> None:
    """Check that statistics are for the model's classes and columns."""
    n_columns = coefficient_columns(model, where)
    if not np.array_equal(model.statistics_.classes, model.classes_):
        fail(f"{where}.statistics_.classes", "are not the model's classes")
    if len(model.statistics_.schema.columns) != n_columns:
        fail(f"{where}.statistics_.schema", f"is not of {n_columns} columns")


@RULES.of(FromScatter, Perceptron)
def discriminant(model: Any, where: str) -> None:
    """Check that there is a finite coefficient for each column of each score."""
    n_scores = 1 if len(model.classes_) == 2 else len(model.classes_)
    require.FINITE.check(model.scores_.w, (n_scores, coefficient_columns(model, where) + 1), f"{where}.scores_.w")


@RULES.of(FromScatter)
def within_classifier(model: Any, where: str) -> None:
    """Check that fourth moments are there where the shrinkage needs them."""
    if bool(model.statistics_.fourth) != model._needs_fourth():
        fail(f"{where}.statistics_.fourth", "does not go with the shrinkage")


@RULES.of(FisherDiscriminant)
def fisher(model: Any, where: str) -> None:
    """Check that directions are by column, in the units of the scores."""
    w = model.projection_.w
    check_same_units(model.projection_.units, model.scores_.units, f"{where}.projection_.units")
    if w.shape[1] != model.n_features_in_ + 1 or w[:, 0].any():
        fail(f"{where}.projection_.w", "is not by direction and column")


@RULES.of(PerceptronState)
def perceptron_state(value: PerceptronState, where: str) -> None:
    """Check that there are three counts, of one row or more."""
    require.FINITE.check(value.tally, (3,), f"{where}.tally")
    require.integer(value.tally[0], f"{where}.tally[0]", least=1)


@RULES.of(PerceptronTrace)
def perceptron_trace(value: PerceptronTrace, where: str) -> None:
    """Check that there are weights before and after every update."""
    for name in ("before", "after"):
        require.FINITE.check(getattr(value, name), (len(value.row), *value.before.shape[1:]), f"{where}.{name}")


@RULES.of(Perceptron)
def perceptron(model: Any, where: str) -> None:
    """Check that state and trace are over the same weights as the scores."""
    require.FINITE.check(model.state_.w, model.scores_.w.shape, f"{where}.state_.w")
    known = vars(model).get("trace_")
    if (
        known is not None
        and known.before.shape[1:] != np.squeeze(model.scores_.w, 0 if len(model.coef_) == 1 else ()).shape
    ):
        fail(f"{where}.trace_", "is not for the model's weights")


@RULES.of(KernelClassifier)
def kernels(model: Any, where: str) -> None:
    """Check that sums of coefficients stay finite, and that there are centres and positive scales."""
    if not len(model.centers_):
        fail(f"{where}.centers_", "is empty")
    if not np.isfinite(2.0 * np.abs(model.coef_).sum(axis=1)).all():
        fail(f"{where}.coef_", "contains numbers whose sums leave the range of floats")
    if "scale_" not in vars(model) and model.units != "data":  # older files have none
        fail(f"{where}.scale_", "is not there")
    own = isinstance(model.centers, str) and model.centers == "own-class"  # each class has its own centres only
    if not 1 <= model.n_parameters_ <= model.coef_.size or (not own and model.n_parameters_ != model.coef_.size):
        fail(f"{where}.n_parameters_", f"is {model.n_parameters_} of {model.coef_.size} coefficients")
