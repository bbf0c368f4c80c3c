"""The densities of a fitted model and the rows, from which the panels of a `DensityDisplay` are computed."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.engines.select import engine_for
from posteriori.estimators.generative.levels import coded
from posteriori.families.joint_density import JointDensity
from posteriori.families.marginals import gaussian_modes, group_of, log_marginal
from posteriori.input.classes.class_values import as_objects, texts_of
from posteriori.input.features import read_table
from posteriori.messages.errors import DataError
from posteriori.plots.densities.evaluation_points import (
    MOST_BARS,
    curve_points,
    extended_range,
    integers_near,
    is_discrete,
    mass_levels,
)
from posteriori.plots.densities.panels import Bars, Contours, Curves
from posteriori.plots.shared.rows import MOST, Labels, read_labels
from posteriori.plots.shared.wording import ROOM, plain
from posteriori.sweeps.row_functions import OneColumn
from posteriori.tables.schema import Schema
from posteriori.tables.table import Table

Panel = Curves | Bars | Contours

#: Probabilities that contour lines enclose.
MASSES = (0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class DensityData:
    """A fitted density, the rows to draw, and their classes."""

    density: JointDensity
    schema: Schema
    log_weights: Array
    table: Table
    labels: Labels

    @classmethod
    def of(cls, model: Any, X: Any, y: Any, weighted: bool) -> "DensityData":
        """Read the rows as the model would."""
        schema = model.statistics_.schema
        table = coded(read_table(model, X, sparse=True, categories=True, schema=schema), schema)
        words = tuple(texts_of(label)[0] for label in as_objects(model.classes_).tolist())
        labels = read_labels(y, engine_for(table).n_rows, model.classes_, words)
        with np.errstate(divide="ignore"):  # a class of prior zero has log weight -inf
            log_weights = np.log(model.class_priors_) if weighted else np.zeros(len(model.classes_))
        return cls(model.density_, schema, log_weights, table, labels)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, default x0, x1 and so on."""
        return tuple(name if isinstance(name, str) else f"x{name}" for name in self.schema.names)

    def title(self, j: int) -> str:
        """Return the name of a column as an axis label."""
        return plain(self.names[j], ROOM)

    def column(self, j: int) -> Array:
        """Return the values of a column, with categories as codes; unseen categories are missing."""
        cells = engine_for(self.table).map(OneColumn(j))
        if self.schema.columns[j].levels is not None:
            cells = np.where(cells < 0, np.nan, cells)
        elif not np.isfinite(cells).any():
            raise DataError(f"{self.schema.describe(j)} of X has no number to draw.")
        return np.where(np.isinf(cells), np.nan, cells)

    def is_discrete(self, j: int) -> bool:
        """Return whether a column is categorical or has integer values only."""
        family = group_of(self.density, j)[0].family
        return family.takes_levels or (not family.is_joint and is_discrete(family, self.column(j)))

    def logs(self, columns: tuple[int, ...], cells: Array) -> Array:
        """Return log densities, plus log priors if weighted; raise with the names of columns that have no density."""
        try:
            return log_marginal(self.density, columns, cells) + self.log_weights
        except DataError as error:
            names = " and ".join(self.schema.describe(j) for j in columns)
            raise DataError(f"{names}: {error}") from None

    def single(self, j: int, discrete: bool, resolution: int) -> Panel:
        """Return the panel of one feature."""
        if not discrete:
            at, logs = curve_points(lambda cells: self.logs((j,), cells), *extended_range(self.column(j)), resolution)
            return Curves(self.title(j), at, np.exp(logs), *self._drawn_rows(self.column(j)))
        group, parameters, place = group_of(self.density, j)
        levels = self.schema.columns[j].levels
        if levels is not None and group.family.takes_levels:
            chances = group.family.describe(parameters, place)["probability"].T * np.exp(self.log_weights)
            return self._bars(j, np.arange(len(levels)), tuple(str(level) for level in levels), chances)
        numbers = integers_near(group.family, self.column(j), resolution)
        chances = np.exp(self.logs((j,), numbers[:, None]))
        if len(numbers) > MOST_BARS:
            return Curves(self.title(j), numbers, chances, *self._drawn_rows(self.column(j)), steps=True)
        truth = self.schema.columns[j].kind == "boolean"
        labels = tuple(str(bool(number)) if truth else f"{number:.0f}" for number in numbers)
        return self._bars(j, numbers, labels, chances)

    def _bars(self, j: int, values: NDArray[Any], labels: tuple[str, ...], chances: Array) -> Bars:
        """Return bars, with the relative frequencies by class if the rows have classes."""
        observed = None
        if self.labels.codes is not None:
            cells = self.column(j)
            there = ~np.isnan(cells)
            place = np.searchsorted(values, cells[there]) * chances.shape[1] + self.labels.codes[there]
            counts = np.bincount(place, minlength=chances.size).reshape(chances.shape)
            total = counts.sum(axis=0)
            frequencies = np.divide(counts, total, out=np.full(counts.shape, np.nan), where=total > 0)
            observed = frequencies * np.exp(self.log_weights)
        return Bars(self.title(j), labels, chances, observed)

    def contours(self, a: int, b: int, resolution: int) -> Contours:
        """Return the panel of two numeric features."""
        across, up = (np.linspace(*extended_range(self.column(j)), resolution) for j in (a, b))
        grid = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
        logs = self.logs((a, b), grid).reshape(len(up), len(across), -1)
        log_area = float(np.log(across[1] - across[0]) + np.log(up[1] - up[0]))
        levels = self._levels((a, b), logs, log_area)
        rows, codes = self._drawn_rows(np.column_stack([self.column(a), self.column(b)]))
        percentages = ", ".join(f"{100 * mass:.0f}" for mass in MASSES)
        meaning = "contours at equal heights" if self.log_weights.any() else f"contours enclose {percentages} %"
        return Contours((self.title(a), self.title(b)), across, up, logs, levels, meaning, rows, codes)

    def _levels(self, columns: tuple[int, int], logs: Array, log_area: float) -> Array:
        """Return the log heights of the contour lines of each class, (K, L).

        A bivariate Gaussian has probability m where its density is above (1 - m) times that at its mean; for other
        densities the cells of the grid are summed from the highest.
        """
        modes = gaussian_modes(self.density, columns)
        weighted = self.log_weights.any()
        peaks = logs.max(axis=(0, 1)) if modes is None else np.diagonal(self.logs(columns, modes))
        if weighted:
            return np.broadcast_to(peaks.max() + np.log1p(-np.array(MASSES)), (len(peaks), len(MASSES)))
        if modes is None:
            return mass_levels(logs, MASSES, log_area)
        levels: Array = peaks[:, None] + np.log1p(-np.array(MASSES))
        return levels

    def _drawn_rows(self, cells: Array) -> tuple[Array, NDArray[np.intp] | None]:
        """Return the rows to draw, and their classes: without missing values, and at most `MOST`."""
        there = np.flatnonzero(~np.isnan(cells.reshape(len(cells), -1)).any(axis=1))
        if len(there) > MOST:
            there = there[np.linspace(0, len(there) - 1, MOST).astype(np.intp)]
        return cells[there], None if self.labels.codes is None else self.labels.codes[there]
