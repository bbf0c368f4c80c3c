"""`FromScatter`: fits of linear discriminants from class means and the scatter about them, in one sweep."""

from abc import abstractmethod
from typing import Any

from posteriori.engines.blas import single_threaded_blas
from posteriori.engines.select import engine_for
from posteriori.estimators.from_statistics import FromStatistics
from posteriori.estimators.learned import Learned
from posteriori.input.faults import refuse_cells, refuse_subnormal
from posteriori.input.training import Reading, read_training
from posteriori.models.base import InputColumns
from posteriori.models.discriminant import ScatterModel
from posteriori.sweeps.least_squares import WithinSummary, WithinSweep

FILL = "Fill missing values, leave out their rows, or use NaiveBayes, which needs no imputation."


class FromScatter(FromStatistics):
    """A mixin for linear discriminants computed from class weights, class means and the pooled scatter about them."""

    statistics_ = Learned[WithinSummary]("statistics")

    @abstractmethod
    def _check_parameters(self, n_classes: int) -> None:
        """Raise if a parameter has no meaning, or none for this number of classes."""

    @abstractmethod
    def _solve(self, summary: WithinSummary, reading: Reading | None, columns: InputColumns) -> ScatterModel:
        """Compute the model from the statistics; `reading` is that of the rows, if the fit has no others."""

    @abstractmethod
    def _needs_fourth(self) -> bool:
        """Return whether fourth moments are needed."""

    def _summarize(
        self: Any, X: Any, y: Any, sample_weight: Any, classes: Any = None, before: Any = None
    ) -> tuple[WithinSummary, Reading]:
        known = before is not None
        reading = read_training(self, X, y, sample_weight, classes=classes, known_names=known)
        reading = self._through_basis(reading, self.model_.columns.phi if known else None)
        self._check_parameters(reading.targets.n_classes)
        table, n_classes = reading.table, reading.targets.n_classes
        tally, within, *fourth = engine_for(table).run(WithinSweep(n_classes, self._needs_fourth())).parts
        refuse_cells(table, tally, "finite numbers", remedy=FILL)
        refuse_subnormal(table.schema, within.scale, range(table.n_columns))
        return WithinSummary(reading.targets.classes, table.schema, within.triangular(), tuple(fourth)), reading

    def _learn(self: Any, summary: WithinSummary, noted: dict[str, Any], reading: Reading | None = None) -> Any:
        with single_threaded_blas():  # small matrices
            return self._hold(self._solve(summary, reading, InputColumns.of(noted)))
