"""`Comparison`: what `compare` found, as a frame, as text, as a name."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.comparisons.metrics import METRICS
from posteriori.tables.frames import frame_of


@dataclass(frozen=True)
class Standing:
    """One model's scores: means over held-out rows, their standard errors, and seconds a fit took."""

    name: str
    scores: dict[str, float]
    errors: dict[str, float]
    fit_seconds: float


@dataclass(frozen=True)
class Comparison:
    """Models side by side.

    Parameters
    ----------
    standings : one for each model, in the order given
    metrics : names of the scores; the first ranks the models
    n_rows, n_folds : how many rows were held out once each, in how many folds
    library : the frame library of the data, or None
    """

    standings: tuple[Standing, ...]
    metrics: tuple[str, ...]
    n_rows: int
    n_folds: int
    library: str | None = None

    @property
    def best(self) -> str:
        """The name of the model with the best first metric; of equals, the first."""
        metric = self.metrics[0]
        sign = 1.0 if METRICS[metric].lower_is_better else -1.0
        return min(self.standings, key=lambda standing: sign * standing.scores[metric]).name

    def to_frame(self, native: str | None = None) -> Any:
        """Give a frame, one row a model: of the library named (pandas, polars, pyarrow), else the data's."""
        columns = {"model": np.array([standing.name for standing in self.standings], dtype=object)}
        for metric in self.metrics:
            columns[metric] = np.array([standing.scores[metric] for standing in self.standings])
            columns[f"{metric}_se"] = np.array([standing.errors[metric] for standing in self.standings])
        columns["fit_seconds"] = np.array([standing.fit_seconds for standing in self.standings])
        return frame_of(columns, native=native or self.library)

    def __rich__(self) -> Any:
        from rich.table import Table
        from rich.text import Text

        table = Table(title=f"{self.n_folds}-fold cross-validation, {self.n_rows} rows", title_justify="left")
        table.add_column("model")
        for metric in self.metrics:
            table.add_column(metric.replace("_", " "), justify="right")
        table.add_column("seconds a fit", justify="right")
        for standing in self.standings:
            cells = [f"{standing.scores[m]:.4f} ± {standing.errors[m]:.4f}" for m in self.metrics]
            style = "bold" if standing.name == self.best else ""
            table.add_row(Text(standing.name), *cells, f"{standing.fit_seconds:.3f}", style=style)
        return table

    def __str__(self) -> str:
        from io import StringIO

        from rich.console import Console

        console = Console(file=StringIO(), width=100, color_system=None)
        console.print(self)
        text: str = console.file.getvalue()  # type: ignore[attr-defined]
        return text.rstrip()
