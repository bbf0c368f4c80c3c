"""`compare`: models side by side, by cross-validation."""

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import FitFailedWarning

from posteriori.comparisons.comparison import Comparison, Standing
from posteriori.comparisons.contestants import line_up
from posteriori.comparisons.folds import Fold, folds_of
from posteriori.comparisons.infinite_losses import ruled_out, say_ruled_out
from posteriori.comparisons.metrics import METRICS, read_metrics
from posteriori.comparisons.rows import Rows, read_rows
from posteriori.comparisons.trial import Attempt, attempt
from posteriori.comparisons.uncertainty import FoldSizes, bounds, row_error
from posteriori.comparisons.usable_rows import ask_about, levels_of
from posteriori.comparisons.workers import carry_out
from posteriori.messages.errors import DataError


def compare(
    models: Any,
    X: Any,
    y: Any = None,
    *,
    cv: Any = 5,
    metrics: Sequence[str] | str | None = None,
    random_state: Any = None,
) -> Comparison:
    """Fit each model on parts of the rows and score it on the rest.

    Every row is held out once; the scores of a model are means over held-out rows. All models see the same folds,
    which are stratified over the full class list, and are scored over all classes, whatever a fold may lack.
    Differences between models are paired by fold and allow for the training rows that folds share (the corrected
    resampled t-test of Nadeau and Bengio 2003; see `Comparison.difference`).

    Book: [Mitchell] §4-5; [Jordan] §7.4.

    Parameters
    ----------
    models : list of classifiers, or {name: classifier}
        Any with fit and predict. Classifiers of this library are wrapped in a `TableClassifier` where X is a frame;
        others are given the frame as it is.
    X : (n, d) array, sparse matrix or frame
    y : (n,) classes, or the name of a column of X
    cv : number of folds, a scikit-learn splitter, or a list of (training, held out) row numbers
    metrics : names out of "log_loss", "brier", "accuracy", "calibration_error"; the first ranks the models
        By default all four, or accuracy alone where a model has no probabilities. Log loss is -log P(true class). The
        Brier score of two classes is the mean of (p - y)^2 (0 to 1); of more it is the sum of (p_k - y_k)^2 over
        classes (0 to 2), and tables say so. Accuracy is the share of rows whose most probable class is the true one,
        calibration error the gap between probability and frequency in ten bins of equally many rows, averaged over
        classes.
    random_state : seed of the shuffling of rows where `cv` is a number

    Returns
    -------
    Comparison : ``.best``, ``.within_noise``, ``.to_frame()``, ``.difference(a, b)``, ``.plot()``; printed, a table

    Notes
    -----
    Where a linear model is compared on a frame with categories, held-out rows with a level that their training part
    lacks are left out for all models, with an `UnseenCategoryWarning` that counts them; so are rows with gaps where a
    model leaves them out (``missing="drop"``), with a warning. A class that a training part
    lacks is given its smoothed prior, 1 / (n + K), with a `NotIdentifiedWarning`.

    A model that gives a held-out row's true class probability zero has an infinite log loss; a warning says how many
    rows that is, and what to do. A model that raises in a fold is named in a `FitFailedWarning` and not ranked; the
    others go on. Intervals of scores are of level 0.95 and regard the folds' models as given: normal, Wilson's for the
    accuracy; that of the calibration error also regards the sign of each bin's gap as given. The scores are the same
    for any number of threads (`options`) and of workers (``joblib.parallel_config``).

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
    rows = read_rows(X, y)
    named = line_up(models, rows)
    names = read_metrics(metrics, named)
    folds = ask_about(folds_of(cv, rows, random_state), levels_of(named, rows))
    trial = _Trial(named, rows, folds)
    tasks = [(name, number) for name in named for number in range(len(folds))]
    attempts = dict(zip(tasks, carry_out(trial, tasks, "compare", "fits"), strict=True))
    by_model = {name: [attempts[name, number] for number in range(len(folds))] for name in named}
    _refuse_if_all_failed(by_model)
    for name, tried in by_model.items():
        _say(name, tried)
    standings = tuple(_standing(name, tried, trial, names) for name, tried in by_model.items())
    if "log_loss" in names:
        say_ruled_out(by_model, named, rows, np.concatenate([held for _, held in folds]))
    sizes = FoldSizes(*(np.array([len(fold[part]) for fold in folds], dtype=np.float64) for part in (0, 1)))
    held = np.unique(np.concatenate([held for _, held in folds]))
    return Comparison(standings, names, len(held), len(folds), sizes, rows.library, len(rows.classes))


@dataclass(frozen=True)
class _Trial:
    """The models, and the rows and folds that each is tried on."""

    models: dict[str, Any]
    rows: Rows
    folds: list[Fold]

    def __call__(self, task: tuple[str, int]) -> Attempt:
        name, number = task
        return attempt(self.models[name], self.rows, *self.folds[number])


def _standing(name: str, tried: list[Attempt], trial: _Trial, metrics: tuple[str, ...]) -> Standing:
    """Score one model on the held-out rows of all folds."""
    failures = tuple(each.failure for each in tried if each.failure is not None)
    fit_seconds, predict_seconds = (
        float(np.mean([getattr(each, name) for each in tried])) for name in ("fit_seconds", "predict_seconds")
    )
    warned = sum(bool(each.warned) for each in tried)
    if failures:
        absent = dict.fromkeys(metrics, float("nan"))
        nothing = dict.fromkeys(metrics, (float("nan"), float("nan")))
        blank = {metric: np.full(len(tried), np.nan) for metric in metrics}
        return Standing(name, absent, absent, fit_seconds, predict_seconds, nothing, blank, failures, warned)
    numbers = np.concatenate([held for _, held in trial.folds])
    logs = np.concatenate([each.logs for each in tried if each.logs is not None])
    values = {metric: METRICS[metric].score(logs, trial.rows.codes[numbers]) for metric in metrics}
    scores = {metric: float(each.mean()) for metric, each in values.items()}
    errors = {metric: row_error(each, numbers) for metric, each in values.items()}
    n_rows, K = len(np.unique(numbers)), logs.shape[1]
    intervals = {metric: bounds(METRICS[metric], scores[metric], errors[metric], n_rows, K) for metric in metrics}
    ends = np.cumsum([len(held) for _, held in trial.folds])[:-1]
    by_fold = {metric: np.array([part.mean() for part in np.split(each, ends)]) for metric, each in values.items()}
    forecast = all(each.probabilistic for each in tried)  # others are taken for certain of what they predict
    never = int(ruled_out(logs, trial.rows.codes[numbers]).sum()) if forecast else 0
    return Standing(name, scores, errors, fit_seconds, predict_seconds, intervals, by_fold, failures, warned, never)


def _refuse_if_all_failed(by_model: dict[str, list[Attempt]]) -> None:
    """Raise where no model is left to compare, with the first reason of each."""
    reasons = {
        name: next((each.failure for each in tried if each.failure is not None), None)
        for name, tried in by_model.items()
    }
    if None not in reasons.values():
        told = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
        raise DataError(f"no model could be fitted and asked in every fold. {told}")


def _say(name: str, tried: list[Attempt]) -> None:
    """Give each kind of warning once, with the number of folds it came from and its first text."""
    failures = [each.failure for each in tried if each.failure is not None]
    if failures:
        warnings.warn(
            f"{name} failed in {len(failures)} of {len(tried)} folds and is not ranked. The first time: {failures[0]}",
            FitFailedWarning,
            stacklevel=3,
        )
    counts = Counter(category for each in tried for category, _ in each.warned)
    texts = {category: text for each in reversed(tried) for category, text in each.warned}
    for category, count in counts.items():
        warnings.warn(f"{name}, in {count} of {len(tried)} folds: {texts[category]}", category, stacklevel=3)
    codes = Counter(code for each in tried for code, _ in each.advice)
    advice = {code: text for each in reversed(tried) for code, text in each.advice}
    for code, count in codes.items():
        warnings.warn(f"{name}, in {count} of {len(tried)} folds: {advice[code]}", UserWarning, stacklevel=3)
