"""What linear discriminants share in learning: class means and the scatter about them, from one sweep."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from posteriori.engines.blas import single_threaded_blas
from posteriori.engines.select import engine_for
from posteriori.estimators.bases.base import same
from posteriori.estimators.discriminants.base import LinearDiscriminant
from posteriori.input.classes.later_calls import refuse_unknown_classes
from posteriori.input.faults import refuse_cells, refuse_subnormal
from posteriori.input.training import Reading, read_training
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note
from posteriori.sweeps.least_squares import WithinSummary, WithinSweep

FILL = "Fill the gaps, leave their rows out, or use NaiveBayes, which can use them."


class WithinClassifier(LinearDiscriminant):
    """A linear discriminant learned from class weights, class means and the pooled scatter about them.

    Concrete ones say what they make of these.
    """

    statistics_: WithinSummary

    @abstractmethod
    def _check_parameters(self, n_classes: int) -> None:
        """Refuse parameters that cannot be."""

    @abstractmethod
    def _solve(self, summary: WithinSummary, reading: Reading | None = None) -> tuple[tuple[Note, ...], dict[str, Any]]:
        """Compute notes and attributes from the statistics; `reading` has the rows where all of them were just read."""

    def _needs_fourth(self) -> bool:
        """Whether fourth moments are summed."""
        return False

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows and their classes.

        Parameters
        ----------
        X : (n, d) array or frame of numbers
        y : (n,) classes
        sample_weight : (n,) weights; zero is the same as leaving the row out
        """
        summary, reading = self._summarize(X, y, sample_weight)
        return self._learned(summary, reading.noted, reading)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows; after all parts the answer is that of one fit on all rows.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`
        classes : all classes there will be, in the first call; by default those of the first call's y
        """
        if not hasattr(self, "statistics_"):
            known = None if classes is None else np.unique(np.asarray(classes))
            summary, reading = self._summarize(X, y, sample_weight, classes=known)
            return self._learned(summary, reading.noted)
        refuse_unknown_classes(classes, self.classes_)
        part, _ = self._summarize(X, y, sample_weight, classes=self.classes_, known_names=True)
        return self._learned(self.statistics_.merge(part), self._noted())

    def merge(self, other: Any) -> Self:
        """Give a new model: the one a fit on the rows of both would have given."""
        check_is_fitted(self)
        if type(other) is not type(self) or repr(other.get_params()) != repr(self.get_params()):
            raise DataError(f"{self!r} merges only with a model of the same kind and parameters, not {other!r}.")
        check_is_fitted(other)
        if not same(getattr(self, "phi_", None), getattr(other, "phi_", None)):
            raise DataError("each model's basis learned from its own rows; to merge them, give the basis its centers.")
        whole: Self = clone(self)
        return whole._learned(self.statistics_.merge(other.statistics_), self._noted())

    def _noted(self) -> dict[str, Any]:
        names = ("n_features_in_", "feature_names_in_", "phi_")
        return {name: getattr(self, name) for name in names if hasattr(self, name)}

    def _summarize(
        self, X: Any, y: Any, sample_weight: Any, classes: Any = None, known_names: bool = False
    ) -> tuple[WithinSummary, Reading]:
        """Read the rows once and keep their statistics."""
        reading = read_training(self, X, y, sample_weight, classes=classes, known_names=known_names)
        reading = self._through_basis(reading, getattr(self, "phi_", None) if known_names else None)
        self._check_parameters(reading.targets.n_classes)
        table, n_classes = reading.table, reading.targets.n_classes
        tally, within, *fourth = engine_for(table).run(WithinSweep(n_classes, table.size, self._needs_fourth())).parts
        refuse_cells(table, tally, "finite numbers", remedy=FILL)
        refuse_subnormal(table.schema, within.scale, range(table.n_columns))
        return WithinSummary(reading.targets.classes, table.schema, within.triangular(), tuple(fourth)), reading

    def _learned(self, summary: WithinSummary, noted: dict[str, Any], reading: Reading | None = None) -> Self:
        with single_threaded_blas():  # small matrices
            notes, learned = self._solve(summary, reading)
        return self._adopt(notes, **noted, **learned)
