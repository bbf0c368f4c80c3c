"""`Comparison`: the result of `compare`, as a table, a frame or a figure."""

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.comparisons.metrics import METRICS
from posteriori.comparisons.uncertainty import Difference, FoldSizes, frame_columns, paired
from posteriori.input.frames.native import frame_of
from posteriori.messages.errors import DataError
from posteriori.plots.curves.comparison import ComparisonDisplay


@dataclass(frozen=True)
class ModelScores:
    """The scores of one model over all held-out rows; NaN if it failed in a fold.

    Parameters
    ----------
    name : of the model
    scores, errors : mean over held-out rows and standard error of that mean, by metric
    intervals : (low, high) of level 0.95, by metric
    fit_seconds, predict_seconds : means over folds
    by_fold : (folds,) means over the held-out rows of each fold, by metric
    failures : error messages of the folds that failed
    warned : number of folds in which the model warned
    impossible : number of held-out rows whose true class got probability zero, each an infinite log loss
    """

    name: str
    scores: dict[str, float]
    errors: dict[str, float]
    fit_seconds: float
    predict_seconds: float
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    by_fold: dict[str, Array] = field(default_factory=dict, repr=False)
    failures: tuple[str, ...] = ()
    warned: int = 0
    impossible: int = 0


@dataclass(frozen=True)
class Comparison:
    """Cross-validated scores of several models.

    Parameters
    ----------
    standings : the scores of each model, in the order in which the models were passed
    metrics : names of the scores; the first ranks the models
    n_rows, n_folds : number of held-out rows and of folds
    sizes : numbers of training and test rows of each fold
    library : the frame library of the data, or None
    n_classes : of the data
    """

    standings: tuple[ModelScores, ...]
    metrics: tuple[str, ...]
    n_rows: int
    n_folds: int
    sizes: FoldSizes = field(repr=False)
    library: str | None = None
    n_classes: int = 2

    def title(self, metric: str) -> str:
        """Return the label of a metric: "Brier score (sum over classes)" if there are more than two."""
        return METRICS[metric].title(self.n_classes)

    @property
    def ranking(self) -> tuple[ModelScores, ...]:
        """The standings, best first by the first metric; ties in the order of the models; failed models last."""
        metric = self.metrics[0]
        sign = 1.0 if METRICS[metric].lower_is_better else -1.0
        return tuple(sorted(self.standings, key=lambda each: _rank(sign * each.scores[metric])))

    @property
    def best(self) -> str:
        """The name of the model with the best first metric; ties go to the first."""
        return self.ranking[0].name

    @property
    def within_noise(self) -> tuple[str, ...]:
        """Names of the other models whose first metric is not significantly different from the best, in rank order."""
        return tuple(
            each.name
            for each in self.ranking[1:]
            if not np.isnan(each.scores[self.metrics[0]]) and self.difference(each.name, self.best).within_noise
        )

    @property
    def verdict(self) -> str:
        """One line: ``Best: a (log loss 0.31 ± 0.02); not significantly different from the best: b``."""
        best, metric = self.ranking[0], self.metrics[0]
        score = f"{self.title(metric)} {best.scores[metric]:.4f} ± {best.errors[metric]:.4f}"
        failed = [each.name for each in self.standings if each.failures]
        end = f"; failed: {', '.join(failed)}" if failed else ""
        close = ", ".join(self.within_noise) or "none"
        return f"Best: {best.name} ({score}); not significantly different from the best: {close}{end}"

    def difference(self, model: str, other: str, metric: str | None = None) -> Difference:
        """Compare two models by name on one metric, by default the first; paired by fold.

        The interval is that of the corrected resampled t-test (Nadeau and Bengio 2003): with d_j the difference in
        fold j of J and s^2 its variance, d ± t_(J-1) sqrt((1/J + n_test/n_train) s^2).
        """
        metric = self.metrics[0] if metric is None else choice("metric", metric, self.metrics)
        first, second = (self.scores_of(name).by_fold[metric] for name in (model, other))
        return Difference(model, other, metric, *paired(first, second, self.sizes))

    def differences(self, metric: str | None = None, native: str | None = None) -> Any:
        """Return a frame of all pairs of models, the better first: value, low, high, p_value, within_noise."""
        names = [each.name for each in self.ranking]
        pairs = [self.difference(a, b, metric) for a, b in combinations(names, 2)]
        return frame_of(frame_columns(pairs), native=native or self.library)

    def scores_of(self, name: str) -> ModelScores:
        """Return the scores of the model of this name."""
        by_name = {each.name: each for each in self.standings}
        if name not in by_name:
            raise DataError(f"there is no model {name!r}; the models are {', '.join(map(repr, by_name))}.")
        return by_name[name]

    def to_frame(self, native: str | None = None) -> Any:
        """Return a frame with one row per model, best first, in the library of the data.

        `native` names another library: "pandas", "polars" or "pyarrow". For each metric there are its score, standard
        error (``_se``) and interval of level 0.95 (``_low``, ``_high``). The other columns are the difference in the
        first metric from the best model with its interval, and whether that difference is not significant
        (``within_noise``); the seconds to fit and to predict a fold; the number of folds in which the model failed or
        warned; and the number of held-out rows whose true class got probability zero (``impossible``).
        """
        ranking = self.ranking
        differences = [self.difference(each.name, self.best) for each in ranking]
        columns: dict[str, list[Any]] = {"model": [each.name for each in ranking]}
        for metric in self.metrics:
            columns[metric] = [each.scores[metric] for each in ranking]
            columns[f"{metric}_se"] = [each.errors[metric] for each in ranking]
            columns[f"{metric}_low"] = [each.intervals[metric][0] for each in ranking]
            columns[f"{metric}_high"] = [each.intervals[metric][1] for each in ranking]
        for name, part in (("difference", "value"), ("difference_low", "low"), ("difference_high", "high")):
            columns[name] = [vars(each)[part] for each in differences]
        columns["within_noise"] = [
            each.within_noise and not scores.failures for each, scores in zip(differences, ranking, strict=True)
        ]
        columns |= {name: [vars(each)[name] for each in ranking] for name in ("fit_seconds", "predict_seconds")}
        columns["failed"] = [len(each.failures) for each in ranking]
        columns |= {name: [vars(each)[name] for each in ranking] for name in ("warned", "impossible")}
        arrays = {name: np.array(cells, object if name == "model" else None) for name, cells in columns.items()}
        return frame_of(arrays, native=native or self.library)

    def plot(self, metric: str | None = None, *, ax: Any = None) -> ComparisonDisplay:
        """Plot each model's score with its interval, the best on top; requires matplotlib."""
        metric = self.metrics[0] if metric is None else choice("metric", metric, self.metrics)
        ranked = [each for each in self.ranking if not each.failures]
        display = ComparisonDisplay(
            names=tuple(each.name for each in ranked),
            scores=np.array([each.scores[metric] for each in ranked]),
            lows=np.array([each.intervals[metric][0] for each in ranked]),
            highs=np.array([each.intervals[metric][1] for each in ranked]),
            metric=self.title(metric),
            close=tuple(each.name in (self.best, *self.within_noise) for each in ranked),
        )
        return display.plot(ax=ax)

    def __rich__(self) -> Any:
        from rich.table import Table
        from rich.text import Text

        title = f"{self.n_folds}-fold cross-validation, {self.n_rows} rows; ± standard error"
        table = Table(title=title, title_justify="left")
        table.add_column("model", no_wrap=True)
        for heading in (*map(self.title, self.metrics), "fit time (s)", "predict time (s)"):
            table.add_column(heading, justify="right")
        close = (self.best, *self.within_noise)
        for each in self.ranking:
            cells = [_cell(each.scores[m], each.errors[m], each.impossible) for m in self.metrics]
            style = "bold" if each.name == self.best else "" if each.name in close else "dim"
            seconds = f"{each.fit_seconds:.3f}", f"{each.predict_seconds:.3f}"
            table.add_row(Text(each.name), *cells, *seconds, style=style)
        return table

    def __repr__(self) -> str:
        return f"{self}\n{self.verdict}"

    def __str__(self) -> str:
        from posteriori.comparisons.text import plain_text

        return plain_text(self, width=160)


def _rank(score: float) -> tuple[bool, float]:
    """Return a sort key: NaN after infinity."""
    return np.isnan(score), 0.0 if np.isnan(score) else score


def _cell(score: float, error: float, impossible: int) -> str:
    if np.isinf(score):
        return f"inf ({impossible} row{'' if impossible == 1 else 's'} with P = 0)"
    return "failed" if np.isnan(score) else f"{score:.4f} ± {error:.4f}"
