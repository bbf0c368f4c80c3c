"""One attempt: a model is fitted on some rows and asked about others; what goes wrong is part of the answer."""

import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from posteriori.arrays import Array
from posteriori.comparisons.rows import Numbers, Rows
from posteriori.estimators.log_probabilities import log_probabilities_of
from posteriori.messages.errors import DataError, NotIdentifiedWarning
from posteriori.messages.notes import ADVICE, listed
from posteriori.messages.recording import recorded_warnings


@dataclass(frozen=True)
class Attempt:
    """What came of fitting one model once.

    Parameters
    ----------
    logs : (n_held, K) log probabilities over all classes, or None where the attempt failed
    probabilistic : whether the model has probabilities; otherwise `logs` are 0 for the class predicted, else -inf
    fit_seconds, predict_seconds : how long it took
    warned : kinds and first texts of the warnings given, once each
    failure : the error that ended it, as ``Kind: text``, or None
    advice : codes and texts of the fit's notes that no warning tells of but a comparison should
    """

    logs: Array | None
    probabilistic: bool
    fit_seconds: float
    predict_seconds: float
    warned: tuple[tuple[type[Warning], str], ...] = ()
    failure: str | None = None
    advice: tuple[tuple[str, str], ...] = ()


def attempt(model: Any, rows: Rows, train: Numbers, held: Numbers) -> Attempt:
    """Fit a clone of the model on some rows and give its log probabilities of others.

    An exception ends this attempt and no other; warnings are recorded.
    """
    probabilistic = hasattr(model, "predict_proba")
    logs, failure = None, None
    advice: tuple[tuple[str, str], ...] = ()
    began = fitted_at = time.perf_counter()
    with recorded_warnings() as caught:
        try:
            fitted = clone(model).fit(rows.features(train), rows.labels(train))
            fitted_at = time.perf_counter()
            advice = tuple(advised(fitted).items())
            logs = log_probabilities(fitted, rows.features(held), rows.classes, len(train))
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
    ended = time.perf_counter()
    said = {warning.category: str(warning.message) for warning in reversed(caught)}
    return Attempt(logs, probabilistic, fitted_at - began, ended - fitted_at, tuple(said.items()), failure, advice)


def advised(model: Any) -> dict[str, str]:
    """Give the notes of a fitted model that are advice, by their codes."""
    return {note.code: str(note) for note in getattr(model, "fit_notes_", ()) if getattr(note, "code", None) in ADVICE}


def log_probabilities(model: Any, X: Any, classes: NDArray[Any], n_train: int) -> Array:
    """Give log P over the full class list.

    A class that the n training rows lack gets its smoothed prior, 1 / (n + K) ([Mitchell] Eq. 9 with l = 1), the
    others share the rest as the model says. A model without probabilities is sure of what it predicts.
    """
    if not hasattr(model, "predict_proba"):
        sure: Array = np.where(np.asarray(model.predict(X))[:, None] == classes, 0.0, -np.inf)
        return sure
    known = log_probabilities_of(model, X, {})
    strange = np.isnan(known).any(axis=1) | (known > 1e-6).any(axis=1)
    if strange.any():
        raise DataError(
            f"the probabilities of {int(strange.sum())} of {len(known)} held-out rows are NaN or above one, the first "
            f"that of held-out row {int(strange.argmax())}."
        )
    absent = len(classes) - len(model.classes_)
    logs = np.full((known.shape[0], len(classes)), -np.log(n_train + len(classes)))
    logs[:, np.searchsorted(classes, model.classes_)] = known + np.log1p(-absent / (n_train + len(classes)))
    if absent:
        lacking = listed(np.setdiff1d(classes, model.classes_).tolist())
        warnings.warn(
            f"{absent} of {len(classes)} classes are absent from the training rows: {lacking}. Each is given its "
            "smoothed prior, one over the number of rows and classes.",
            NotIdentifiedWarning,
            stacklevel=2,
        )
    return logs
