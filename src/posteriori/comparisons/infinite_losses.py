"""Held-out rows whose true class a model ruled out: one of them makes the log loss infinite."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.comparisons.rows import Numbers, Rows
from posteriori.comparisons.trial import Attempt
from posteriori.input.classes.class_values import as_objects
from posteriori.messages.notes import listed

#: What keeps a model from ruling classes out, by its class.
CURES = {
    "LSPC": "Outputs below zero are rounded up to it: units='sd', bandwidth='cv' or precision='cv' may leave fewer "
    "such rows, and KernelLogisticRegression leaves none.",
    "JointTable": "With smoothing above zero no combination is impossible.",
    "NaiveBayes": "With smoothing above zero no category is impossible.",
}
ANY = "Averaged with a model that rules nothing out (ModelAverage), it rules nothing out either."


def ruled_out(logs: Array, codes: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Mark the rows whose true class has probability zero, (n,).

    >>> ruled_out(np.array([[0.0, -900.0], [0.0, -np.inf], [-np.inf, 0.0]]), np.array([1, 1, 1])).tolist()
    [False, True, False]
    """
    marked: NDArray[np.bool_] = np.isneginf(logs[np.arange(len(codes)), codes])
    return marked


def say_ruled_out(tried: dict[str, list[Attempt]], models: dict[str, Any], rows: Rows, numbers: Numbers) -> None:
    """Warn of every model with an infinite log loss; `numbers` are the rows held out, fold after fold."""
    codes = rows.codes[numbers]
    for name, attempts in tried.items():
        parts = [each.logs for each in attempts if each.logs is not None]
        if len(parts) < len(attempts):
            continue  # it failed in a fold, and has no log loss
        marked = ruled_out(np.concatenate(parts), codes)
        if marked.any():
            classes = listed(as_objects(rows.classes[np.unique(codes[marked])]).tolist())
            warnings.warn(word(name, models[name], marked, classes), UserWarning, stacklevel=3)


def word(name: str, model: Any, marked: NDArray[np.bool_], classes: str) -> str:
    """Say which model ruled out the true classes of how many rows, and what to do; `classes` names those classes."""
    while type(model).__name__ not in CURES and hasattr(model, "estimator"):
        model = model.estimator
    cure = CURES.get(type(model).__name__, ANY)
    return (
        f"{name} gave probability zero to the true class of {int(marked.sum())} of {len(marked)} held-out rows (class "
        f"{classes}), so that its log loss is infinite; its Brier score and accuracy still compare. {cure}"
    )
