"""`learning_curves`: scores of several models against the number of training rows."""

from functools import partial
from typing import Any

import numpy as np

from posteriori.arrays import Array, Indices
from posteriori.comparisons.candidates import candidates_of
from posteriori.comparisons.labelled_rows import LabelledRows, read_rows
from posteriori.comparisons.learning_curves_result import LearningCurves
from posteriori.comparisons.repeated_scores import CURVES, RepeatedScores
from posteriori.comparisons.scorable_rows import ScorableRows, scorable_rows
from posteriori.comparisons.splits import Splits, splits_of
from posteriori.comparisons.trial import Trial, run_trial
from posteriori.comparisons.workers import run_tasks
from posteriori.messages.errors import DataError

#: The result if every test row has a level that is absent from the training rows.
NOT_SCORED = Trial(None, True, 0.0, 0.0, failure="every held-out row has a level that is absent from the training part")


def learning_curves(
    models: Any, X: Any, y: Any = None, *, sizes: Any = None, repeats: int = 100, random_state: Any = None
) -> LearningCurves:
    """Fit models to random training parts of increasing size and score them on the other rows.

    For each size m and each repeat, m rows are drawn at random such that every class occurs (Ng and Jordan 2002). All
    models are fitted to them and scored over all classes on the other n - m rows. A generative model with few
    parameters often has the lower error at small sizes and the higher one at large sizes: `LearningCurves.crossing`
    estimates where the curves cross.

    Book: [Mitchell] §4-5; [Jordan] §7.4.

    Parameters
    ----------
    models, X, y : as for `compare`
    sizes : numbers of training rows, or proportions of the rows between 0 and 1
        Default: ten on a log scale, from ten rows (or two per class) to 80 % of all.
    repeats : random parts of each size
    random_state : seed of the parts

    Returns
    -------
    LearningCurves : ``.to_frame()``, ``.crossing()``, ``.plot()``; printed, a table

    Notes
    -----
    Error (0-1), log loss and Brier score (two classes: (p - y)^2; more: the sum over classes) are means over held-out
    rows; bias and variance of the probabilities over the repeats are defined in `LearningCurves`. Fits that raise or
    warn, for instance because few rows are separated, are counted by model and size and reported in ``notes``. If a
    linear model is fitted to a frame with categories, held-out rows with a level that is absent from the training part
    are excluded for all models; ``held_out`` is the number of the others. The result does not depend on the number
    of threads (`options`) or of workers (``joblib.parallel_config``).

    Examples
    --------
    >>> import numpy as np
    >>> import posteriori as pt
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(2, size=600)
    >>> X = rng.normal(size=(600, 6)) + 0.5 * y[:, None]
    >>> X[:, 3:] = X[:, [0]] + 0.5 * rng.normal(size=(600, 3))              # columns that naive Bayes counts four times
    >>> models = {"naive Bayes": pt.NaiveBayes(shared=True), "logistic": pt.LogisticRegression()}
    >>> curves = pt.learning_curves(models, X, y, sizes=[20, 80, 320], repeats=20, random_state=1)
    >>> curves.mean("brier").round(2).tolist()
    [[0.28, 0.26, 0.25], [0.35, 0.23, 0.22]]
    >>> print(curves.crossing(metric="brier"))
    54 rows (95% interval: 47 to 62): naive Bayes has the lower Brier score below, logistic above
    """
    rows = read_rows(X, y)
    candidates = candidates_of(models, rows)
    splits = splits_of(rows.codes, len(rows.classes), sizes, repeats, random_state)
    run = partial(_run_split, list(candidates.values()), rows, splits, scorable_rows(candidates, rows))
    scores = [
        [RepeatedScores(rows.n_rows, len(rows.classes), splits.repeats) for _ in splits.sizes] for _ in candidates
    ]
    tasks = [(size, repeat) for size in range(len(splits.sizes)) for repeat in range(splits.repeats)]
    n_test = np.zeros(len(splits.sizes))
    results = run_tasks(run, tasks, "learning curves", f"splits of {len(candidates)} fits")
    for (size, repeat), (test, trials) in zip(tasks, results, strict=True):
        n_test[size] += len(test) / splits.repeats
        for of_model, trial in zip(scores, trials, strict=True):
            of_model[size].add(repeat, trial, test, rows.codes[test])
    return _curves(tuple(candidates), rows, splits, scores, n_test)


def _run_split(
    models: list[Any], rows: LabelledRows, splits: Splits, scorable: ScorableRows, task: tuple[int, int]
) -> tuple[Indices, list[Trial]]:
    """Fit and score all models on a random split: its size and repeat are the task. Return the test rows, too."""
    train, test = splits(*task)
    test = scorable.scorable(train, test)
    if not len(test):
        return test, [NOT_SCORED] * len(models)
    return test, [run_trial(model, rows, train, test) for model in models]


def _curves(
    names: tuple[str, ...],
    rows: LabelledRows,
    splits: Splits,
    scores: list[list[RepeatedScores]],
    n_test: Array,
) -> LearningCurves:
    """Arrange the scores by model and size."""
    failed = np.array([[each.failed for each in of_model] for of_model in scores])
    notes = _notes(names, scores, splits.repeats)
    if (failed == splits.repeats).all():
        raise DataError(f"no fit of any model succeeded. {' '.join(notes)}")
    bias_and_variance = np.array([[each.bias_and_variance() for each in of_model] for of_model in scores])
    return LearningCurves(
        models=names,
        sizes=splits.sizes,
        scores={
            metric: np.array([[each.scores[metric] for each in of_model] for of_model in scores]) for metric in CURVES
        },
        bias2=bias_and_variance[..., 0],
        variance=bias_and_variance[..., 1],
        failed=failed,
        warned=np.array([[each.warned for each in of_model] for of_model in scores]),
        held_out=n_test,
        notes=notes,
        n_rows=rows.n_rows,
        seed=splits.seed[0],
        library=rows.library,
        n_classes=len(rows.classes),
    )


def _notes(names: tuple[str, ...], scores: list[list[RepeatedScores]], repeats: int) -> tuple[str, ...]:
    """Return, for each model and kind of warning or failure, how many fits had it, and the first text."""
    notes = []
    for name, of_model in zip(names, scores, strict=True):
        for kind in dict.fromkeys(kind for each in of_model for kind in each.notes):
            counts = [each.notes[kind] for each in of_model if kind in each.notes]
            event = "failed" if kind == "failed" else f"emitted a {kind}"
            n_fits = sum(count for count, _ in counts)
            notes.append(f"{name}: {n_fits} of {len(of_model) * repeats} fits {event}; the first: {counts[0][1]}")
    return tuple(notes)
