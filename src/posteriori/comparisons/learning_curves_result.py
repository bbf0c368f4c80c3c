"""`LearningCurves`: the result of `learning_curves`, as a table, a frame, a crossing or a figure."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Integers
from posteriori.checks.parameters import choice
from posteriori.comparisons.crossover import Crossing, find_crossing
from posteriori.comparisons.repeated_scores import CURVES
from posteriori.input.frames.native import frame_of
from posteriori.messages.errors import DataError


@dataclass(frozen=True)
class LearningCurves:
    """Scores of models by training size.

    Parameters
    ----------
    models : names
    sizes : (S,) numbers of training rows, ascending
    scores : by metric ("error", "log_loss", "brier") an array (models, S, repeats): means over the held-out rows; NaN
        if a fit failed or a model has no probabilities
    bias2, variance : (models, S) squared bias and variance of the probabilities over the repeats; see Notes
    failed, warned : (models, S) numbers of fits that raised, and that warned
    held_out : (S,) number of scored rows, mean over the repeats
    notes : one sentence per model and kind of failure or warning
    n_rows : of the data
    seed : of the bootstrap of the crossing
    library : the frame library of the data, or None
    n_classes : of the data

    Notes
    -----
    Let row i be scored R_i times, with probability vectors p_ir (r = 1..R_i) of mean p_i, and let y_i be the indicator
    vector of its class. The variance is s_i^2 = sum_r |p_ir - p_i|^2 / (R_i - 1) and the squared bias
    |p_i - y_i|^2 - s_i^2 / R_i; both estimates are unbiased. They are averaged over the rows scored at least twice,
    weighted by R_i, and add up to the Brier score if those are all rows and the repeats have equally many test rows.
    |.|^2 is the squared length, halved for two classes, so that the Brier score is (p - y)^2. Since y_i is a draw from
    P(class | x), the squared bias contains the class noise, which is the same for all models: differences between
    models are differences of bias.

    Book: [Mitchell] §4-5.
    """

    models: tuple[str, ...]
    sizes: tuple[int, ...]
    scores: dict[str, Array] = field(repr=False)
    bias2: Array = field(repr=False)
    variance: Array = field(repr=False)
    failed: Integers = field(repr=False)
    warned: Integers = field(repr=False)
    held_out: Array = field(repr=False)
    notes: tuple[str, ...] = ()
    n_rows: int = 0
    seed: int = 0
    library: str | None = None
    n_classes: int = 2

    @property
    def repeats(self) -> int:
        """Number of training parts of each size."""
        return int(self.scores["error"].shape[2])

    def mean(self, metric: str = "error") -> Array:
        """Return the means over the successful repeats, (models, S)."""
        values = self.scores[choice("metric", metric, tuple(CURVES))]
        known = ~np.isnan(values)
        with np.errstate(invalid="ignore"):
            means: Array = np.where(known, values, 0.0).sum(axis=2) / known.sum(axis=2)
        return means

    def standard_error(self, metric: str = "error") -> Array:
        """Return the standard errors of `mean`, (models, S): s / sqrt(R), infinite if a score is or R is 1.

        They measure the variation over random splits of these rows, not over new samples of rows.
        """
        values = self.scores[choice("metric", metric, tuple(CURVES))]
        known = ~np.isnan(values)
        count = known.sum(axis=2)
        with np.errstate(invalid="ignore", divide="ignore"):
            deviations = np.where(known, values - self.mean(metric)[..., None], 0.0)
            errors: Array = np.sqrt(np.square(deviations).sum(axis=2) / (count - 1) / count)
        errors[(count == 1) | (np.isnan(errors) & (count > 0))] = np.inf
        return np.where(count == 0, np.nan, errors)

    def crossing(
        self, first: str | None = None, second: str | None = None, *, metric: str = "error", level: float = 0.95
    ) -> Crossing:
        """Return the last crossing of the mean curves of two models, with a bootstrap interval.

        The curves are interpolated linearly in log m. The repeats are resampled 2,000 times, all sizes together; the
        limits are quantiles of the crossings. If a resampled curve ends on the other side, its crossing is above the
        largest size; if it never changes sides, below the smallest.

        Parameters
        ----------
        first, second : names of two models; required if there are more than two
        metric : "error" | "log_loss" | "brier"
        level : of the interval
        """
        choice("metric", metric, tuple(CURVES))
        if not 0 < level < 1:
            raise DataError(f"level must be between 0 and 1, not {level!r}.")
        if first is None and second is None and len(self.models) == 2:
            first, second = self.models
        for name in (first, second):
            if name not in self.models:
                names = ", ".join(map(repr, self.models))
                raise DataError(f"crossing compares two models by name, out of {names}; got {first!r} and {second!r}.")
        assert first is not None and second is not None  # noqa: PT018  both are names of models
        curves = {name: self.scores[metric][self.models.index(name)] for name in (first, second)}
        return find_crossing(curves[first], curves[second], self.sizes, (first, second), metric, level, self.seed)

    def to_frame(self, native: str | None = None) -> Any:
        """Return a frame with one row per model and size, in the library of the data.

        `native` names another library: "pandas", "polars" or "pyarrow". Columns: model, size, repeats (successful),
        failed, warned, held_out; for each score its mean and standard error (``_se``); bias2, variance.
        """
        n_models, n_sizes = self.failed.shape
        columns: dict[str, NDArray[Any]] = {
            "model": np.repeat(np.array(self.models, dtype=object), n_sizes),
            "size": np.tile(np.array(self.sizes), n_models),
            "repeats": self.repeats - self.failed.ravel(),
            "failed": self.failed.ravel(),
            "warned": self.warned.ravel(),
            "held_out": np.tile(self.held_out, n_models),
        }
        for metric in CURVES:
            columns[metric] = self.mean(metric).ravel()
            columns[f"{metric}_se"] = self.standard_error(metric).ravel()
        columns |= {"bias2": self.bias2.ravel(), "variance": self.variance.ravel()}
        return frame_of(columns, native=native or self.library)

    def plot(self, metric: str = "error", *, ax: Any = None) -> Any:
        """Plot the mean curves with bands of one standard error over a log scale of sizes; requires matplotlib.

        Returns
        -------
        LearningCurvesDisplay
        """
        from posteriori.comparisons.learning_curves_display import LearningCurvesDisplay

        return LearningCurvesDisplay.from_curves(self, metric=metric, ax=ax)

    def __rich__(self) -> Any:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        title = f"Error on held-out rows of {self.n_rows}, mean of {self.repeats} repeats ± standard error"
        table = Table()
        table.add_column("training rows", justify="right")
        for name in self.models:
            table.add_column(name, justify="right")
        means, errors = self.mean(), self.standard_error()
        for i, size in enumerate(self.sizes):
            cells = [f"{means[j, i]:.4f} ± {errors[j, i]:.4f}" for j in range(len(self.models))]
            table.add_row(str(size), *cells)
        return Group(Text(title), table, *map(Text, self.notes))

    def __str__(self) -> str:
        from posteriori.comparisons.text import plain_text

        return plain_text(self, width=120)
