"""The border for class priors, given in order or by class."""

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
    given = read_by_class(priors, classes, what)
    try:
        return read_priors(given, len(classes))
    except DataError as error:
        raise type(error)(str(error).replace("class_priors", what)) from None


def refuse_unseen(training: Array, new: Array, classes: NDArray[Any]) -> None:
    """Refuse a new prior above zero for a class that had none in training."""
    lost = (training == 0) & (new > 0)
    if lost.any():
        raise DataError(
            f"{int(lost.sum())} class(es) had a prior of 0 in training, and are given more: "
            f"{quote(classes[lost].tolist())}. Nothing is known of how their rows look; fit on rows of them, or "
            "give them 0."
        )
