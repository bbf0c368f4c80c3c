"""Validation of class priors, in the order of the classes or by class."""

from typing import Any

from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.parameters import read_priors
from posteriori.input.classes.class_values import read_by_class
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


def read_class_priors(priors: Any, classes: NDArray[Any], what: str) -> Array:
    """Check priors, (K,) or {class: p}, and put them in the order of the classes; `what` names them in errors.

    >>> import numpy as np
    >>> read_class_priors({"b": 0.75, "a": 0.25}, np.array(["a", "b"]), "class_priors").tolist()
    [0.25, 0.75]
    """
    values = read_by_class(priors, classes, what)
    try:
        return read_priors(values, len(classes))
    except DataError as error:
        raise type(error)(str(error).replace("class_priors", what)) from None


def refuse_unseen(training: Array, new: Array, classes: NDArray[Any]) -> None:
    """Raise for a new prior above zero of a class whose training prior is zero."""
    unseen = (training == 0) & (new > 0)
    if unseen.any():
        raise DataError(
            f"{int(unseen.sum())} class(es) had a prior of 0 in training and have a positive one now: "
            f"{quote(classes[unseen].tolist())}. The model cannot predict them; fit to rows of these classes, or set "
            "their priors to 0."
        )
