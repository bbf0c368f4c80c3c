"""Rules for classifiers made of kernels: coefficients and centres belong together."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.storage.requirements import finite, natural, wrong


def kernels(model: Any, where: str) -> None:
    """Ask for a coefficient for each class and centre, and a positive bandwidth."""
    if model.centers_.ndim != 2 or not len(model.centers_):
        wrong(f"{where}.centers_", "is not a list of points")
    m = len(model.centers_)
    finite(model.centers_, (m, model.n_features_in_), f"{where}.centers_")
    finite(model.coef_, (len(model.classes_), m), f"{where}.coef_")
    with np.errstate(over="ignore"):
        if not np.isfinite(2.0 * np.abs(model.coef_).sum(axis=1)).all():
            wrong(f"{where}.coef_", "holds numbers whose sums leave the range of floats")
    positive(model.bandwidth_, f"{where}.bandwidth_")
    scaled(model, where)
    own = isinstance(model.centers, str) and model.centers == "own-class"  # each class has its own centres only
    if not 1 <= model.n_parameters_ <= model.coef_.size or (not own and model.n_parameters_ != model.coef_.size):
        wrong(f"{where}.n_parameters_", f"is {model.n_parameters_} of {model.coef_.size} coefficients")


def scaled(model: Any, where: str) -> None:
    """Ask for positive scales of the columns; files from before there were units have none."""
    if "scale_" not in vars(model):
        if model.units != "data":
            wrong(f"{where}.scale_", "is not there")
    elif model.scale_ is not None:
        finite(model.scale_, (model.n_features_in_,), f"{where}.scale_")
        if not (model.scale_ > 0).all():
            wrong(f"{where}.scale_", "holds numbers that are not positive")


def logistic(model: Any, where: str) -> None:
    """Ask for a number of iterations too."""
    kernels(model, where)
    natural(model.n_iter_, f"{where}.n_iter_")


def lspc(model: Any, where: str) -> None:
    """Ask for a positive precision too."""
    kernels(model, where)
    positive(model.precision_, f"{where}.precision_")


def positive(value: Any, where: str) -> None:
    """Ask for a positive number."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < np.inf:
        wrong(where, f"is {value!r}, not a positive number")


#: By the name of the class.
KERNEL_RULES: dict[str, Callable[[Any, str], None]] = {
    "KernelLogisticRegression": logistic,
    "LSPC": lspc,
}
