"""Held-out rows whose true class got probability zero: a single one makes the log loss infinite."""

from typing import Any

import numpy as np

from posteriori.arrays import Array, Indices, Mask
from posteriori.comparisons.labelled_rows import LabelledRows
from posteriori.comparisons.trial import Trial
from posteriori.input.classes.class_values import as_objects
from posteriori.messages.notes import quote
from posteriori.messages.user_warning import warn

#: How to avoid probabilities of zero, by class name.
REMEDIES = {
    "LSPC": "Negative outputs are rounded up to zero: units='sd', bandwidth='cv' or precision='cv' may reduce the "
    "number of such rows, and KernelLogisticRegression has none.",
    "JointTable": "With smoothing above zero no combination has probability zero.",
    "NaiveBayes": "With smoothing above zero no category has probability zero.",
}


def ruled_out(logs: Array, codes: Indices) -> Mask:
    """Return whether the true class of each row has probability zero, (n,).

    >>> ruled_out(np.array([[0.0, -900.0], [0.0, -np.inf], [-np.inf, 0.0]]), np.array([1, 1, 1])).tolist()
    [False, True, False]
    """
    impossible: Mask = np.isneginf(logs[np.arange(len(codes)), codes])
    return impossible


def warn_infinite_losses(
    trials: dict[str, list[Trial]], models: dict[str, Any], rows: LabelledRows, test_rows: Indices
) -> None:
    """Warn of every model with an infinite log loss; `test_rows` are the held-out rows, fold after fold."""
    codes = rows.codes[test_rows]
    for name, of_model in trials.items():
        parts = [trial.logs for trial in of_model if trial.logs is not None]
        if len(parts) < len(of_model):
            continue  # it failed in a fold, and has no log loss
        impossible = ruled_out(np.concatenate(parts), codes)
        if impossible.any():
            classes = quote(as_objects(rows.classes[np.unique(codes[impossible])]).tolist())
            warn(
                f"{name} assigned probability zero to the true class of {int(impossible.sum())} of {len(impossible)} "
                f"held-out rows (class {classes}), so its log loss is infinite; its Brier score and accuracy are "
                f"still comparable. {_remedy(models[name])}",
                UserWarning,
            )


def _remedy(model: Any) -> str:
    while type(model).__name__ not in REMEDIES and hasattr(model, "estimator"):
        model = model.estimator
    return REMEDIES.get(type(model).__name__, "A ModelAverage with a model without zero probabilities has none either.")
