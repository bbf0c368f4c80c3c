"""`compare`: scores of several models by cross-validation on the same folds."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn.exceptions import FitFailedWarning

from posteriori.comparisons.candidates import candidates_of
from posteriori.comparisons.comparison import Comparison, ModelScores
from posteriori.comparisons.folds import Fold, folds_of
from posteriori.comparisons.infinite_losses import ruled_out, warn_infinite_losses
from posteriori.comparisons.labelled_rows import LabelledRows, read_rows
from posteriori.comparisons.metrics import METRICS, read_metrics
from posteriori.comparisons.scorable_rows import restrict_folds, scorable_rows
from posteriori.comparisons.trial import Trial, run_trial
from posteriori.comparisons.uncertainty import FoldSizes, bounds, mean_standard_error
from posteriori.comparisons.workers import run_tasks
from posteriori.messages.errors import DataError
from posteriori.messages.user_warning import warn


def compare(
    models: Any,
    X: Any,
    y: Any = None,
    *,
    cv: Any = 5,
    metrics: Sequence[str] | str | None = None,
    random_state: Any = None,
) -> Comparison:
    """Compare models by cross-validation.

    Each row is in the test part of one fold; the scores of a model are means over these held-out rows. All models use
    the same folds, which are stratified by class, and are scored over all classes, including those absent from a
    training part. Differences between models are paired by fold and account for the overlap of the training parts
    (the corrected resampled t-test of Nadeau and Bengio 2003; see `Comparison.difference`).

    Book: [Mitchell] §4-5; [Jordan] §7.4.

    Parameters
    ----------
    models : list of classifiers, or {name: classifier}
        Any with fit and predict. If X is a frame, classifiers of this library are wrapped in a `TableClassifier`;
        others receive the frame unchanged.
    X : (n, d) array, sparse matrix or frame
    y : (n,) classes, or the name of a column of X
    cv : number of folds, a scikit-learn splitter, or a list of (training, test) row numbers
    metrics : names out of "log_loss", "brier", "accuracy", "calibration_error"; the first ranks the models
        Default: all four, or accuracy alone if a model has no probabilities. Log loss is -log P(true class). For two
        classes the Brier score is the mean of (p - y)^2 (0 to 1); for more it is the sum of (p_k - y_k)^2 over classes
        (0 to 2), which tables state. Accuracy is the proportion of rows whose most probable class is the true one.
        Calibration error is the absolute difference between mean predicted probability and observed frequency in ten
        bins of equal size, averaged over classes.
    random_state : seed for shuffling the rows if `cv` is a number

    Returns
    -------
    Comparison : ``.best``, ``.within_noise``, ``.to_frame()``, ``.difference(a, b)``, ``.plot()``; printed, a table

    Notes
    -----
    If a linear model is compared on a frame with categories, held-out rows with a level that is absent from the
    training part are excluded for all models, with an `UnseenCategoryWarning` that counts them. Rows with missing
    values are excluded in the same way if a model drops them (``missing="drop"``). A class that is absent from a
    training part gets its smoothed prior, 1 / (n + K), with a `NotIdentifiedWarning`.

    A model that assigns probability zero to the true class of a held-out row has an infinite log loss; a warning
    reports how many rows that affects, and what to do. A model that raises in a fold is reported in a
    `FitFailedWarning` and is not ranked. Intervals have level 0.95 and are conditional on the fitted models: normal,
    or Wilson's for the accuracy; for the calibration error they are also conditional on the sign of each bin's error.
    The scores do not depend on the number of threads (`options`) or of workers (``joblib.parallel_config``).

    Examples
    --------
    >>> import numpy as np
    >>> import posteriori as pt
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [2.5], [4.0], [5.0], [6.0]])
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> fair, biased = pt.GaussianClassifier(), pt.GaussianClassifier(class_priors=[0.99, 0.01])
    >>> result = pt.compare({"fair": fair, "biased": biased}, X, y, cv=2, random_state=0)
    >>> result.best
    'fair'
    """
    return cross_validate(models, X, y, cv=cv, metrics=metrics, random_state=random_state)[0]


def cross_validate(
    models: Any, X: Any, y: Any, *, cv: Any, metrics: Sequence[str] | str | None = None, random_state: Any = None
) -> tuple[Comparison, dict[str, list[Trial]], list[Fold]]:
    """Return a comparison, with the trials of each model, one per fold, and the folds."""
    rows = read_rows(X, y)
    candidates = candidates_of(models, rows)
    names = read_metrics(metrics, candidates)
    folds = restrict_folds(folds_of(cv, rows, random_state), scorable_rows(candidates, rows))
    run = partial(_run_fold, candidates, rows, folds)
    tasks = [(name, number) for name in candidates for number in range(len(folds))]
    results = dict(zip(tasks, run_tasks(run, tasks, "compare", "fits"), strict=True))
    trials = {name: [results[name, number] for number in range(len(folds))] for name in candidates}
    _raise_if_all_failed(trials)
    for name, of_model in trials.items():
        _warn_by_kind(name, of_model)
    standings = tuple(_scores_of(name, of_model, rows, folds, names) for name, of_model in trials.items())
    test_rows = np.concatenate([test for _, test in folds])
    if "log_loss" in names:
        warn_infinite_losses(trials, candidates, rows, test_rows)
    sizes = FoldSizes(*(np.array([len(fold[part]) for fold in folds], dtype=np.float64) for part in (0, 1)))
    n_rows = len(np.unique(test_rows))
    comparison = Comparison(standings, names, n_rows, len(folds), sizes, rows.library, len(rows.classes))
    return comparison, trials, folds


def _run_fold(models: dict[str, Any], rows: LabelledRows, folds: list[Fold], task: tuple[str, int]) -> Trial:
    """Fit and score a model on a fold: their name and number are the task."""
    name, number = task
    return run_trial(models[name], rows, *folds[number])


def _scores_of(
    name: str, trials: list[Trial], rows: LabelledRows, folds: list[Fold], metrics: tuple[str, ...]
) -> ModelScores:
    """Score one model on the held-out rows of all folds; NaN where it failed in a fold."""
    failures = tuple(trial.failure for trial in trials if trial.failure is not None)
    fit_seconds, predict_seconds = (
        float(np.mean([getattr(trial, name) for trial in trials])) for name in ("fit_seconds", "predict_seconds")
    )
    warned = sum(bool(trial.warned) for trial in trials)
    if failures:
        missing = dict.fromkeys(metrics, float("nan"))
        intervals = dict.fromkeys(metrics, (float("nan"), float("nan")))
        by_fold = {metric: np.full(len(trials), np.nan) for metric in metrics}
        return ModelScores(name, missing, missing, fit_seconds, predict_seconds, intervals, by_fold, failures, warned)
    test_rows = np.concatenate([test for _, test in folds])
    codes = rows.codes[test_rows]
    logs = np.concatenate([trial.logs for trial in trials if trial.logs is not None])
    values = {metric: METRICS[metric].score(logs, codes) for metric in metrics}
    scores = {metric: float(each.mean()) for metric, each in values.items()}
    errors = {metric: mean_standard_error(each, test_rows) for metric, each in values.items()}
    n_rows, K = len(np.unique(test_rows)), logs.shape[1]
    intervals = {metric: bounds(METRICS[metric], scores[metric], errors[metric], n_rows, K) for metric in metrics}
    ends = np.cumsum([len(test) for _, test in folds])[:-1]
    by_fold = {metric: np.array([part.mean() for part in np.split(each, ends)]) for metric, each in values.items()}
    # a model without probabilities has log probability -inf for every class that it does not predict
    impossible = int(ruled_out(logs, codes).sum()) if all(trial.probabilistic for trial in trials) else 0
    return ModelScores(
        name, scores, errors, fit_seconds, predict_seconds, intervals, by_fold, failures, warned, impossible
    )


def _raise_if_all_failed(trials: dict[str, list[Trial]]) -> None:
    """Raise if every model failed in a fold, with the first error of each."""
    errors = {
        name: next((trial.failure for trial in of_model if trial.failure is not None), None)
        for name, of_model in trials.items()
    }
    if None not in errors.values():
        details = "; ".join(f"{name}: {error}" for name, error in errors.items())
        raise DataError(f"every model failed in at least one fold. {details}")


def _warn_by_kind(name: str, trials: list[Trial]) -> None:
    """Emit each kind of warning and note once, with the number of folds it came from and its first text."""
    failures = [trial.failure for trial in trials if trial.failure is not None]
    if failures:
        warn(
            f"{name} failed in {len(failures)} of {len(trials)} folds and is not ranked. First error: {failures[0]}",
            FitFailedWarning,
        )
    messages: list[tuple[Any, type[Warning], str]] = []
    messages += [(category, category, text) for trial in trials for category, text in trial.warned]
    messages += [(code, UserWarning, text) for trial in trials for code, text in trial.advice]
    first = {kind: (category, text) for kind, category, text in reversed(messages)}
    for kind, count in Counter(kind for kind, _, _ in messages).items():
        category, text = first[kind]
        warn(f"{name}, in {count} of {len(trials)} folds: {text}", category)
