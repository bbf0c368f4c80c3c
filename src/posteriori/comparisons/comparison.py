"""`Comparison`: what `compare` found, as a frame, as text, as a name, as a figure."""

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.comparisons.metrics import METRICS
from posteriori.comparisons.uncertainty import Difference, FoldSizes, frame_columns, paired
from posteriori.input.frames.native import frame_of
from posteriori.messages.errors import DataError
from posteriori.plots.curves.comparison import ComparisonDisplay


@dataclass(frozen=True)
class Standing:
    """One model's scores over all held-out rows; NaN where it failed in a fold.

    Parameters
    ----------
    name : of the model
    scores, errors : mean over held-out rows and standard error of that mean, by metric
    intervals : (low, high) of level 0.95, by metric
    fit_seconds, predict_seconds : means over folds
    by_fold : (folds,) means over the held-out rows of each fold, by metric
    failures : what ended the folds that failed
    warned : in how many folds the model warned
    impossible : how many held-out rows it gave the true class of probability zero, each an infinite log loss
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
    """Models side by side.

    Parameters
    ----------
    standings : one for each model, in the order given
    metrics : names of the scores; the first ranks the models
    n_rows, n_folds : how many rows were held out, in how many folds
    sizes : rows trained on and held out in each fold
    library : the frame library of the data, or None
    n_classes : of the data
    """

    standings: tuple[Standing, ...]
    metrics: tuple[str, ...]
    n_rows: int
    n_folds: int
    sizes: FoldSizes = field(repr=False)
    library: str | None = None
    n_classes: int = 2

    def title(self, metric: str) -> str:
        """Return what tables call a metric: "Brier score (sum over classes)" where there are more than two."""
        return METRICS[metric].title(self.n_classes)

    @property
    def ranking(self) -> tuple[Standing, ...]:
        """The standings, best first by the first metric; of equals the first given; failed models last."""
        metric = self.metrics[0]
        sign = 1.0 if METRICS[metric].lower_is_better else -1.0
        scores = [sign * standing.scores[metric] for standing in self.standings]
        order = sorted(range(len(scores)), key=lambda i: (np.isnan(scores[i]), np.nan_to_num(scores[i], posinf=np.inf)))
        return tuple(self.standings[i] for i in order)

    @property
    def best(self) -> str:
        """The name of the model with the best first metric; of equals, the first."""
        return self.ranking[0].name

    @property
    def within_noise(self) -> tuple[str, ...]:
        """Names of the other models that the first metric does not tell from the best, better ones first."""
        return tuple(
            standing.name
            for standing in self.ranking[1:]
            if not np.isnan(standing.scores[self.metrics[0]]) and self.difference(standing.name, self.best).within_noise
        )

    @property
    def verdict(self) -> str:
        """The answer in a line: ``Best: a (log loss 0.31 ± 0.02); within noise: b``."""
        best, metric = self.ranking[0], self.metrics[0]
        score = f"{self.title(metric)} {best.scores[metric]:.4f} ± {best.errors[metric]:.4f}"
        failed = [standing.name for standing in self.standings if standing.failures]
        foot = f"; failed: {', '.join(failed)}" if failed else ""
        return f"Best: {best.name} ({score}); within noise: {', '.join(self.within_noise) or 'none'}{foot}"

    def difference(self, model: str, other: str, metric: str | None = None) -> Difference:
        """Compare two models by name on one metric, the first by default; paired by fold.

        The interval is that of the corrected resampled t-test (Nadeau and Bengio 2003): with d_j the difference in
        fold j of J and s^2 its variance, d ± t_(J-1) sqrt((1/J + n_held/n_trained) s^2).
        """
        metric = self.metrics[0] if metric is None else choice("metric", metric, self.metrics)
        first, second = (self._standing(name).by_fold[metric] for name in (model, other))
        return Difference(model, other, metric, *paired(first, second, self.sizes))

    def differences(self, metric: str | None = None, native: str | None = None) -> Any:
        """Give a frame of all pairs of models, the better first: value, low, high, p_value, within_noise."""
        names = [standing.name for standing in self.ranking]
        found = [self.difference(a, b, metric) for a, b in combinations(names, 2)]
        return frame_of(frame_columns(found), native=native or self.library)

    def _standing(self, name: str) -> Standing:
        names = [standing.name for standing in self.standings]
        if name not in names:
            raise DataError(f"there is no model {name!r}; the models are {', '.join(map(repr, names))}.")
        return self.standings[names.index(name)]

    def to_frame(self, native: str | None = None) -> Any:
        """Give a frame, one row a model, best first: of the library named (pandas, polars, pyarrow), else the data's.

        For each metric its score, standard error (``_se``) and interval of level 0.95 (``_low``, ``_high``); the
        difference in the first metric from the best model with its interval and whether it is within noise; seconds
        to fit and to predict a fold; the folds in which the model failed or warned; the held-out rows whose true
        class it gave probability zero (``impossible``).
        """
        ranking = self.ranking
        columns: dict[str, NDArray[Any]] = {"model": np.array([each.name for each in ranking], dtype=object)}
        for metric in self.metrics:
            columns[metric] = np.array([each.scores[metric] for each in ranking])
            columns[f"{metric}_se"] = np.array([each.errors[metric] for each in ranking])
            columns[f"{metric}_low"] = np.array([each.intervals[metric][0] for each in ranking])
            columns[f"{metric}_high"] = np.array([each.intervals[metric][1] for each in ranking])
        apart = [self.difference(each.name, self.best) for each in ranking]
        columns["difference"] = np.array([each.value for each in apart])
        columns["difference_low"] = np.array([each.low for each in apart])
        columns["difference_high"] = np.array([each.high for each in apart])
        columns["within_noise"] = np.array(
            [each.within_noise and not one.failures for each, one in zip(apart, ranking, strict=True)], dtype=np.bool_
        )
        for name in ("fit_seconds", "predict_seconds"):
            columns[name] = np.array([getattr(each, name) for each in ranking])
        columns["failed"] = np.array([len(each.failures) for each in ranking])
        columns["warned"] = np.array([each.warned for each in ranking])
        columns["impossible"] = np.array([each.impossible for each in ranking])
        return frame_of(columns, native=native or self.library)

    def plot(self, metric: str | None = None, *, ax: Any = None) -> ComparisonDisplay:
        """Draw each model's score with its interval, best on top; needs matplotlib."""
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
        for metric in self.metrics:
            table.add_column(self.title(metric), justify="right")
        for heading in ("fit, s", "predict, s"):
            table.add_column(heading, justify="right")
        close = (self.best, *self.within_noise)
        for standing in self.ranking:
            cells = [_cell(standing.scores[m], standing.errors[m], standing.impossible) for m in self.metrics]
            style = "bold" if standing.name == self.best else "" if standing.name in close else "dim"
            seconds = f"{standing.fit_seconds:.3f}", f"{standing.predict_seconds:.3f}"
            table.add_row(Text(standing.name), *cells, *seconds, style=style)
        return table

    def __repr__(self) -> str:
        return f"{self}\n{self.verdict}"

    def __str__(self) -> str:
        from io import StringIO

        from rich.console import Console

        console = Console(file=StringIO(), width=160, color_system=None)
        console.print(self)
        text: str = console.file.getvalue()  # type: ignore[attr-defined]
        return "\n".join(line.rstrip() for line in text.rstrip().split("\n"))


def _cell(score: float, error: float, impossible: int) -> str:
    if np.isinf(score):
        return f"inf ({impossible} row{'' if impossible == 1 else 's'} at P = 0)"
    return "failed" if np.isnan(score) else f"{score:.4f} ± {error:.4f}"
