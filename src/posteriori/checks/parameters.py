"""Checks of parameters: one of several options, numbers, stopping rules, class priors."""

from collections.abc import Collection
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.numbers import refuse_masked
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


def is_number(value: Any) -> bool:
    """Return whether a value is a real number; True and False are not."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def is_whole(value: Any, least: int | None = None) -> bool:
    """Return whether a value is an integer, and at least `least`; True and False are not."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return whole and (least is None or bool(value >= least))


def choice(parameter: str, value: Any, known: Collection[Any]) -> Any:
    """Return the value if it is one of those known; else raise and list them.

    >>> choice("estimate", "ml", ("ml", "unbiased"))
    'ml'
    """
    plain = value.item() if isinstance(value, np.generic) else value  # arrays contain numpy's own text and bools
    for option in known:
        if type(option) is type(plain) and option == plain:
            return option
    raise DataError(f"{parameter}={value!r} is not known: use one of {quote(list(known), most=20)}.")


def non_negative(parameter: str, value: Any) -> float:
    """Return the value as a float if it is a finite number from zero up; else raise."""
    if not is_number(value) or not np.isfinite(value) or value < 0:
        raise DataError(f"{parameter}={value!r} must be a number from zero up.")
    return float(value)


def check_stopping(tol: Any, max_iter: Any) -> None:
    """Raise unless tol is a positive number and max_iter is None or a whole number from 1 up."""
    if not is_number(tol) or not tol > 0:
        raise DataError(f"tol={tol!r} must be positive.")
    if max_iter is not None and not is_whole(max_iter, least=1):
        raise DataError(f"max_iter={max_iter!r} must be a whole number from 1 up.")


def read_priors(class_priors: Any, n_classes: int) -> Array:
    """Return class priors: one per class, none negative or NaN, that sum to one; else raise."""
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
