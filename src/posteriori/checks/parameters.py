"""Checks of parameters: one of several options, numbers, stopping rules, class priors."""

from collections.abc import Collection
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.numbers import refuse_masked
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


def choice(parameter: str, value: Any, known: Collection[Any]) -> Any:
    """Give the value back if it is one of those known; otherwise raise, listing them.

    >>> choice("estimate", "ml", ("ml", "unbiased"))
    'ml'
    """
    plain = value.item() if isinstance(value, np.generic) else value  # grids of arrays hold numpy's own text and bools
    for option in known:
        if type(option) is type(plain) and option == plain:
            return option
    raise DataError(f"{parameter}={value!r} is not known: use one of {quote(list(known), most=20)}.")


def non_negative(parameter: str, value: Any) -> float:
    """Give the value back as a float if it is a finite number from zero up; otherwise raise."""
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not number or not np.isfinite(value) or value < 0:
        raise DataError(f"{parameter}={value!r} must be a number from zero up.")
    return float(value)


def check_stopping(tol: Any, max_iter: Any) -> None:
    """Refuse a tol that is no positive number, and a max_iter that is neither None nor a whole number from 1 up."""
    if not isinstance(tol, int | float | np.integer | np.floating) or isinstance(tol, bool) or not tol > 0:
        raise DataError(f"tol={tol!r} must be positive.")
    whole = isinstance(max_iter, int | np.integer) and not isinstance(max_iter, bool)
    if max_iter is not None and not (whole and max_iter >= 1):
        raise DataError(f"max_iter={max_iter!r} must be a whole number from 1 up.")


def read_priors(class_priors: Any, n_classes: int) -> Array:
    """Check class priors: one a class, none negative or NaN, summing to one."""
    refuse_masked(class_priors, "class_priors")
    priors = np.asarray(class_priors)
    if priors.dtype.kind not in "fiu" or priors.shape != (n_classes,):
        raise DataError(f"class_priors must be {n_classes} numbers, one for each class, not {class_priors!r}.")
    priors = priors.astype(np.float64)
    for bad, word in ((~np.isfinite(priors), "not finite"), (priors < 0, "negative")):
        if bad.any():
            raise DataError(f"class_priors: {int(bad.sum())} are {word}, the first is number {int(bad.argmax())}.")
    if abs(priors.sum() - 1.0) > 1e-8:
        raise DataError(f"class_priors sum to {priors.sum():g}; they must sum to 1.")
    return priors
