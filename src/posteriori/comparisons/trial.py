"""One trial: a model is fitted to training rows and scored on test rows; errors are recorded, not raised."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from posteriori.arrays import Array, Indices
from posteriori.comparisons.labelled_rows import LabelledRows
from posteriori.estimators.log_probabilities import log_probabilities_of
from posteriori.messages.errors import DataError, NotIdentifiedWarning
from posteriori.messages.notes import ADVICE, quote
from posteriori.messages.recording import recorded_warnings
from posteriori.messages.user_warning import warn


@dataclass(frozen=True)
class Trial:
    """The result of fitting one model once.

    Parameters
    ----------
    logs : (n_test, K) log probabilities over all classes, or None if the trial failed
    probabilistic : whether the model has probabilities; if not, `logs` are 0 for the predicted class and -inf elsewhere
    fit_seconds, predict_seconds : elapsed time
    warned : categories of the warnings and the first text of each
    failure : the error, as ``Kind: text``, or None
    advice : codes and texts of notes of the fit that a comparison should report although no warning does
    """

    logs: Array | None
    probabilistic: bool
    fit_seconds: float
    predict_seconds: float
    warned: tuple[tuple[type[Warning], str], ...] = ()
    failure: str | None = None
    advice: tuple[tuple[str, str], ...] = ()


def run_trial(model: Any, rows: LabelledRows, train: Indices, test: Indices) -> Trial:
    """Fit a clone of the model to the training rows and compute log probabilities of the test rows.

    An exception ends only this trial; warnings are recorded.
    """
    logs, failure = None, None
    advice: dict[str, str] = {}
    start = fit_end = time.perf_counter()
    with recorded_warnings() as caught:
        try:
            fitted = clone(model).fit(rows.features(train), rows.labels(train))
            fit_end = time.perf_counter()
            notes = [note for note in getattr(fitted, "fit_notes_", ()) if getattr(note, "code", None) in ADVICE]
            advice = {note.code: str(note) for note in notes}
            logs = log_probabilities(fitted, rows.features(test), rows.classes, len(train))
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
    end = time.perf_counter()
    warned = {warning.category: str(warning.message) for warning in reversed(caught)}
    return Trial(
        logs,
        hasattr(model, "predict_proba"),
        fit_end - start,
        end - fit_end,
        tuple(warned.items()),
        failure,
        tuple(advice.items()),
    )


def log_probabilities(model: Any, X: Any, classes: NDArray[Any], n_train: int) -> Array:
    """Return log P over all classes.

    A class that is absent from the n training rows gets its smoothed prior, 1 / (n + K) ([Mitchell] Eq. 9 with l = 1);
    the other probabilities are scaled to sum to the rest. A model without probabilities gets probability one for the
    class that it predicts.
    """
    if not hasattr(model, "predict_proba"):
        certain: Array = np.where(np.asarray(model.predict(X))[:, None] == classes, 0.0, -np.inf)
        return certain
    known = log_probabilities_of(model, X, {})
    invalid = np.isnan(known).any(axis=1) | (known > 1e-6).any(axis=1)
    if invalid.any():
        raise DataError(
            f"the probabilities of {int(invalid.sum())} of {len(known)} held-out rows are NaN or above one; the first "
            f"is held-out row {int(invalid.argmax())}."
        )
    absent = len(classes) - len(model.classes_)
    logs = np.full((known.shape[0], len(classes)), -np.log(n_train + len(classes)))
    logs[:, np.searchsorted(classes, model.classes_)] = known + np.log1p(-absent / (n_train + len(classes)))
    if absent:
        labels = quote(np.setdiff1d(classes, model.classes_).tolist())
        warn(
            f"{absent} of {len(classes)} classes are absent from the training rows: {labels}. Each gets its smoothed "
            "prior, one over the number of rows and classes.",
            NotIdentifiedWarning,
        )
    return logs
