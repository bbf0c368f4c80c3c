"""Rules for the perceptron, the joint table, and classifiers made of classifiers."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.families.joint_table import JointTableParameters
from posteriori.models.linear_scores import LinearScores
from posteriori.solvers.ordered.perceptron import PerceptronState, PerceptronTrace
from posteriori.statistics.joint_counts import JointCounts, cell_keys
from posteriori.storage.requirements import (
    at_most_one,
    finite,
    instance,
    natural,
    not_negative,
    numbers,
    sums_to_one,
    wrong,
)
from posteriori.storage.rules.bases import coefficient_columns
from posteriori.storage.rules.decisions import INSIDE

# --- the joint table


def cells(value: JointCounts, where: str) -> None:
    """Cells are whole numbers from zero up, in order, and have counts by class."""
    if value.codes.ndim != 2 or value.counts.ndim != 2 or (value.codes < 0).any():
        wrong(f"{where}.codes", "are not cells")
    not_negative(value.counts, (len(value.counts), len(value.codes)), f"{where}.counts")
    finite(value.counts, value.counts.shape, f"{where}.counts")
    _in_order(value.codes, value.codes.max(axis=0, initial=0) + 1, f"{where}.codes")


def joint_table_parameters(value: JointTableParameters, where: str) -> None:
    """Cells are in the dictionaries and in order: rows are looked up among them."""
    for j, size in enumerate(value.sizes):
        natural(size, f"{where}.sizes[{j}]")
    d, (K, m) = len(value.sizes), value.frequency.shape
    if value.codes.shape != (m, d) or (value.codes < 0).any() or (value.codes >= np.array(value.sizes)).any():
        wrong(f"{where}.codes", "are not cells of the product of the columns")
    _in_order(value.codes, value.sizes, f"{where}.codes")
    at_most_one(value.frequency, (K, m), f"{where}.frequency")
    at_most_one(value.observed_weight, (K,), f"{where}.observed_weight")
    sums_to_one(value.frequency[value.observed_weight > 0], f"{where}.frequency")
    numbers(value.log_probability, (m, K), f"{where}.log_probability")
    numbers(value.log_unseen, (K,), f"{where}.log_unseen")
    shares = np.exp(value.log_probability).sum(axis=0)
    if (shares > 1.0 + 1e-9).any() or (value.log_unseen > 0).any():
        wrong(f"{where}.log_probability", "sums to more than one")


def _in_order(codes: Any, sizes: Any, where: str) -> None:
    keys = cell_keys(codes, [int(size) for size in sizes])
    if not (keys[:-1] < keys[1:]).all():
        wrong(where, "are not in order, each once")


# --- the perceptron


def perceptron_state(value: PerceptronState, where: str) -> None:
    """Weights are of one shape, and counts are not negative."""
    if value.w.ndim != 2:
        wrong(f"{where}.w", "is not by class and column")
    for name in ("w", "lagged", "best"):
        finite(getattr(value, name), value.w.shape, f"{where}.{name}")
    not_negative(value.tally, (3,), f"{where}.tally")
    natural(value.updates, f"{where}.updates")


def trace(value: PerceptronTrace, where: str) -> None:
    """There are weights before and after for every row."""
    not_negative(value.row, (len(value.row),), f"{where}.row")
    for name in ("before", "after"):
        finite(getattr(value, name), (len(value.row), *value.before.shape[1:]), f"{where}.{name}")


def perceptron(model: Any, where: str) -> None:
    """Scores, weights and the state are over the same columns."""
    shape = (len(model.coef_), coefficient_columns(model, where) + 1)
    finite(model.coef_, model.coef_.shape, f"{where}.coef_")
    finite(model.intercept_, model.intercept_.shape, f"{where}.intercept_")
    instance(getattr(model, "scores_", None), LinearScores, f"{where}.scores_")
    instance(getattr(model, "state_", None), PerceptronState, f"{where}.state_")
    for name, array in (("scores_", model.scores_.w), ("state_", model.state_.w)):
        finite(array, shape, f"{where}.{name}.w")
    if len(model.scores_.units.scale) != shape[1] - 1:
        wrong(f"{where}.scores_", f"is over {len(model.scores_.units.scale)} columns, not {shape[1] - 1}")
    natural(model.n_updates_, f"{where}.n_updates_")
    natural(model.n_iter_, f"{where}.n_iter_", least=1)
    instance(model.converged_, bool, f"{where}.converged_")
    if hasattr(model, "trace_"):
        instance(model.trace_, PerceptronTrace, f"{where}.trace_")


# --- classifiers made of classifiers


def one_vs_rest(model: Any, where: str) -> None:
    """There are K or K - 1 problems; of two classes one."""
    if not hasattr(model, "estimators_"):
        return
    n_classes = _classes(model, where)
    wanted = 1 if n_classes == 2 else n_classes - (model.rest == "last")
    _inside(model, wanted, where)


def one_vs_one(model: Any, where: str) -> None:
    """There is a problem for each pair of classes."""
    if hasattr(model, "estimators_"):
        n_classes = _classes(model, where)
        _inside(model, n_classes * (n_classes - 1) // 2, where)


def _classes(model: Any, where: str) -> int:
    classes = getattr(model, "classes_", None)
    if not isinstance(classes, np.ndarray) or classes.ndim != 1 or len(classes) < 2:
        wrong(f"{where}.classes_", "is not a list of two or more classes")
    return len(classes)


def _inside(model: Any, wanted: int, where: str) -> None:
    if not isinstance(model.estimators_, list) or len(model.estimators_) != wanted:
        wrong(f"{where}.estimators_", f"is not a list of {wanted} classifiers")
    for i, inner in enumerate(model.estimators_):
        instance(inner, INSIDE, f"{where}.estimators_[{i}]")
        if not hasattr(inner, "classes_") or len(inner.classes_) != 2:
            wrong(f"{where}.estimators_[{i}]", "is not a classifier fitted to two classes")
        if inner.n_features_in_ != getattr(model, "n_features_in_", None):
            wrong(f"{where}.estimators_[{i}]", "is not over the columns of the others")


#: The rules, by the name of the class.
ENSEMBLE_RULES: dict[str, Callable[[Any, str], None]] = {
    "JointCounts": cells,
    "JointTableParameters": joint_table_parameters,
    "PerceptronState": perceptron_state,
    "PerceptronTrace": trace,
    "Perceptron": perceptron,
    "OneVsRest": one_vs_rest,
    "OneVsOne": one_vs_one,
}
