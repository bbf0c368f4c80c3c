"""`learning_curves`: error against the number of training rows, model by model."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.comparisons.contestants import line_up
from posteriori.comparisons.learning_curves_result import LearningCurves
from posteriori.comparisons.rows import Numbers, Rows, read_rows
from posteriori.comparisons.scores_by_size import CURVES, Tally
from posteriori.comparisons.splits import Splits, splits_of
from posteriori.comparisons.trial import Attempt, attempt
from posteriori.comparisons.usable_rows import Levels, levels_of
from posteriori.comparisons.workers import carry_out
from posteriori.messages.errors import DataError

#: What comes of a training part that lacks a level of every other row.
NOT_ASKED = Attempt(None, True, 0.0, 0.0, failure="every held-out row has a level that the training part lacks")


def learning_curves(
    models: Any, X: Any, y: Any = None, *, sizes: Any = None, repeats: int = 100, random_state: Any = None
) -> LearningCurves:
    """Train models on random parts of the rows, small to large, and score them on the rest.

    For each size m and each repeat, m rows are drawn at random among the parts that have every class (Ng and Jordan
    2002); all models are fitted to them and scored over all classes on the n - m others. A generative model with few
    parameters to learn is often ahead at first and overtaken later: `LearningCurves.crossing` says where.

    Book: [Mitchell] §4-5; [Jordan] §7.4.

    Parameters
    ----------
    models : list of classifiers, or {name: classifier}
        Any with fit and predict. Classifiers of this library are wrapped in a `TableClassifier` where X is a frame;
        others are given the frame as it is.
    X : (n, d) array, sparse matrix or frame
    y : (n,) classes, or the name of a column of X
    sizes : numbers of training rows, or shares of the rows between 0 and 1
        By default ten on a log scale, from ten rows (or two a class) to four fifths of all.
    repeats : random parts of each size
    random_state : seed of the parts

    Returns
    -------
    LearningCurves : ``.to_frame()``, ``.crossing()``, ``.plot()``; printed, a table

    Notes
    -----
    Error (0-1), log loss and Brier score (two classes: (p - y)^2; more: the sum over classes) are means over held-out
    rows; bias and variance of the probabilities over the repeats are defined on `LearningCurves`. A fit that raises or
    warns, as under separation in few rows, stops nothing: it is counted by model and size and told in ``notes``. Where
    a linear model learns from a frame with categories, held-out rows with a level that the training part lacks are left
    out for all models; ``held_out`` counts the others. The result is the same for any number of threads
    (`options`) and of workers (``joblib.parallel_config``).

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
    named = line_up(models, rows)
    splits = splits_of(rows.codes, len(rows.classes), sizes, repeats, random_state)
    run = _Run(tuple(named.values()), rows, splits, levels_of(named, rows))
    tallies = [[Tally(rows.n_rows, len(rows.classes), splits.repeats) for _ in splits.sizes] for _ in named]
    tasks = [(size, repeat) for size in range(len(splits.sizes)) for repeat in range(splits.repeats)]
    held_out = np.zeros(len(splits.sizes))
    answers = carry_out(run, tasks, "learning curves", f"splits of {len(named)} fits")
    for (size, repeat), (held, attempts) in zip(tasks, answers, strict=True):
        held_out[size] += len(held) / splits.repeats
        for number, tried in enumerate(attempts):
            tallies[number][size].add(repeat, tried, held, rows.codes[held])
    return _curves(tuple(named), rows, splits, tallies, held_out)


@dataclass(frozen=True)
class _Run:
    """The models and the random parts of the rows."""

    models: tuple[Any, ...]
    rows: Rows
    splits: Splits
    levels: Levels

    def __call__(self, task: tuple[int, int]) -> tuple[Numbers, list[Attempt]]:
        train, held = self.splits(*task)
        held = self.levels.asked(train, held)
        if not len(held):
            return held, [NOT_ASKED] * len(self.models)
        return held, [attempt(model, self.rows, train, held) for model in self.models]


def _curves(
    names: tuple[str, ...], rows: Rows, splits: Splits, tallies: list[list[Tally]], held_out: NDArray[np.float64]
) -> LearningCurves:
    """Lay the tallies out by model and size."""
    failed = np.array([[tally.failed for tally in line] for line in tallies])
    notes = _notes(names, tallies, splits.repeats)
    if (failed == splits.repeats).all():
        raise DataError(f"no fit of any model succeeded. {' '.join(notes)}")
    scores = {metric: np.array([[tally.scores[metric] for tally in line] for line in tallies]) for metric in CURVES}
    spread = np.array([[tally.bias_and_variance() for tally in line] for line in tallies])
    return LearningCurves(
        models=names,
        sizes=splits.sizes,
        scores=scores,
        bias2=spread[..., 0],
        variance=spread[..., 1],
        failed=failed,
        warned=np.array([[tally.warned for tally in line] for line in tallies]),
        held_out=held_out,
        notes=notes,
        n_rows=rows.n_rows,
        seed=splits.seed[0],
        library=rows.library,
        n_classes=len(rows.classes),
    )


def _notes(names: tuple[str, ...], tallies: list[list[Tally]], repeats: int) -> tuple[str, ...]:
    """Say of each model and kind of trouble how many fits had it, and the first text."""
    notes = []
    for name, line in zip(names, tallies, strict=True):
        for kind in dict.fromkeys(kind for tally in line for kind in tally.notes):
            found = [tally.notes[kind] for tally in line if kind in tally.notes]
            count, of = sum(count for count, _ in found), len(line) * repeats
            what = "failed" if kind == "failed" else f"gave a {kind}"
            notes.append(f"{name}: {count} of {of} fits {what}; the first: {found[0][1]}")
    return tuple(notes)
