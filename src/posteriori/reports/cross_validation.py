"""Cross-validation of a model on the rows of a report, beside a baseline that predicts the class frequencies."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier

from posteriori.arrays import Array, Indices
from posteriori.checks.parameters import choice, is_whole
from posteriori.comparisons import compare
from posteriori.comparisons.comparison import Comparison
from posteriori.comparisons.uncertainty import Difference
from posteriori.estimators.wrappers.decision_rules import decide
from posteriori.estimators.wrappers.layers import innermost, is_frozen
from posteriori.messages.errors import DataError
from posteriori.messages.recording import recorded_warnings
from posteriori.reports.refit import unfitted
from posteriori.reports.rows import ScoredRows
from posteriori.reports.scores import Score, index_predictions

MODEL, BASELINE = "model", "class frequencies"
#: Default number of folds.
FOLDS = 5
#: Models whose fits take quadratic time, and the largest number of rows for which "auto" cross-validates them.
PAIRWISE, FEW = ("KernelLogisticRegression", "LSPC"), 1000
#: Largest number of cells for which "auto" cross-validates other models: of this library, and of others.
CHEAP, CHEAP_FOREIGN = 2_000_000, 200_000
#: Largest product of columns and classes for which it does.
WIDE = 1000


def read_folds(cv: Any) -> int | str | None:
    """Check `cv`: "auto", None, or a number of folds."""
    if cv is None or is_whole(cv, least=2):
        return None if cv is None else int(cv)
    if isinstance(cv, str):
        return str(choice("cv", cv, ("auto",)))
    raise DataError(f"cv must be 'auto', None or a number of folds of at least 2; got {cv!r}.")


def _obstacle(model: Any, rows: ScoredRows, cv: int | str) -> str:
    """Return why the model is not cross-validated on these rows; empty if it is."""
    sizes = np.unique(rows.codes, return_counts=True)[1]
    folds = FOLDS if cv == "auto" else int(cv)
    obstacles = {
        "weights and class counts are not supported": rows.weighted,
        "offsets are not supported": bool(rows.options),
        "the model is frozen, so it cannot be refitted": is_frozen(model),
        "all rows are of one class": len(sizes) < 2,
        "one class has a single row": sizes.min() < 2,
        f"there are fewer rows than the {folds} folds": rows.n_cases < folds,
    }
    first = next((reason for reason, holds in obstacles.items() if holds), "")
    return first or (_too_long(model, rows) if cv == "auto" else "")


def _too_long(model: Any, rows: ScoredRows) -> str:
    """Return why cross-validation may take long, or an empty text: decided by sizes, so that it is reproducible."""
    inner, n = innermost(model), rows.n_cases
    name, columns = type(inner).__name__, getattr(inner, "n_features_in_", 1)
    if name in PAIRWISE and n > FEW:
        return f"it would take long, since the cost of {name} is quadratic in the {n:,} rows; cv=5 runs it anyway"
    own = type(inner).__module__.startswith("posteriori.")
    if n * columns > (CHEAP if own else CHEAP_FOREIGN) or columns * len(rows.classes) > WIDE:
        return f"it might take long with {n:,} rows of {columns:,} columns; cv=5 runs it anyway"
    return ""


@dataclass(frozen=True)
class CrossValidation:
    """Cross-validated scores of a model, and its predictions for held-out rows.

    Parameters
    ----------
    comparison : of the model with the baseline
    cases : (m,) indices of the cases that are predicted, each by a clone fitted to the other folds
    logs : (m, K) log probabilities; 0 and -inf for a model without probabilities
    outcomes : the possible predictions
    confusion : (K, A) number of cases of each class with each prediction
    """

    comparison: Comparison
    cases: Indices
    logs: Array
    outcomes: tuple[Any, ...]
    confusion: Array

    @property
    def scores(self) -> dict[str, Score]:
        """The scores of the model and of the baseline, by metric."""
        own, baseline = (self.comparison.scores_of(name) for name in (MODEL, BASELINE))
        return {
            name: Score(own.scores[name], own.errors[name], *own.intervals[name], baseline.scores[name])
            for name in self.comparison.metrics
        }

    @property
    def difference(self) -> Difference:
        """The difference of the first metric from the baseline."""
        return self.comparison.difference(MODEL, BASELINE)


def cross_validate(
    model: Any, rows: ScoredRows, cv: int | str, seed: int, values: bool
) -> tuple[CrossValidation | None, str]:
    """Cross-validate a model beside the baseline; return the result, or None and the reason why there is none.

    Parameters
    ----------
    model : fitted; clones of it are fitted to the folds
    rows, cv, values : as in `evaluate`
    seed : of the folds
    """
    if reason := _obstacle(model, rows, cv):
        return None, reason
    candidates = {MODEL: unfitted(model, rows.X), BASELINE: DummyClassifier(strategy="prior")}
    n_folds = FOLDS if cv == "auto" else int(cv)
    try:
        with recorded_warnings():  # the fit itself emitted them
            comparison, trials, folds = compare.cross_validate(
                candidates, rows.X, rows.labels, cv=n_folds, random_state=seed
            )
        failures = comparison.scores_of(MODEL).failures
    except DataError as error:
        failures = (f"DataError: {error}",)
    if failures:
        return None, _failure(failures[0], values)
    of_folds = [trial.logs for trial in trials[MODEL] if trial.logs is not None]
    return _with_predictions(comparison, model, rows, [test for _, test in folds], of_folds), ""


def _with_predictions(
    comparison: Comparison, model: Any, rows: ScoredRows, tests: list[Indices], of_folds: list[Array]
) -> CrossValidation:
    """Add the predictions of the held-out cases, from their log probabilities in each fold."""
    cases = np.concatenate(tests)
    _, first = np.unique(rows.labels, return_index=True)  # the classes of the comparison are those of the rows, sorted
    logs = np.full((len(cases), len(rows.classes)), -np.inf)
    logs[:, rows.codes[first]] = np.concatenate(of_folds)
    labels = decide(model, np.exp(logs)) if hasattr(model, "predict_proba") else rows.classes[logs.argmax(axis=1)]
    outcomes, predicted = index_predictions(model, labels)
    confusion = np.zeros((len(rows.classes), len(outcomes)))
    np.add.at(confusion, (rows.codes[cases], predicted), 1.0)
    return CrossValidation(comparison, cases, logs, outcomes, confusion)


def _failure(text: str, values: bool) -> str:
    """Return the reason of a failure, without the message of the error if that may contain values of rows."""
    kind, _, message = text.partition(": ")
    return f"a fold failed with {kind}" + (f": {message.rstrip('.')}" if values else "; pt.compare shows the message")
