"""`FromStatistics`: `fit`, `partial_fit` and `merge` of classifiers that are fitted from sums over the rows."""

from abc import ABC, abstractmethod
from typing import Any, Self

from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from posteriori.estimators.bases.base import same
from posteriori.input.classes.later_calls import refuse_unknown_classes
from posteriori.input.targets import read_classes
from posteriori.input.training import Reading
from posteriori.messages.errors import DataError


def _through_statistics(model: Any) -> bool:
    """Return True; raise for a model that needs all rows at once."""
    if model._needs_all_rows:
        raise AttributeError(f"{model._needs_all_rows}: partial_fit and merge are not available.")
    return True


class FromStatistics(ABC):
    """A mixin for classifiers that are fitted from ``statistics_``, which the rows of several calls can be added to."""

    statistics_: Any
    classes_: NDArray[Any]

    #: Why the model needs all rows at once, if it does.
    _needs_all_rows: str = ""

    @abstractmethod
    def _summarize(
        self, X: Any, y: Any, sample_weight: Any, classes: Any = None, before: Any = None
    ) -> tuple[Any, Reading]:
        """Compute the statistics of the rows; `before` are those of earlier calls, None in the first call."""

    @abstractmethod
    def _learn(self, summary: Any, noted: dict[str, Any], reading: Reading | None = None) -> Self:
        """Compute all learned attributes from statistics; `reading` is that of the rows, if the fit has no others."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows and their classes.

        Parameters
        ----------
        X : (n, d) array or frame
        y : (n,) classes
        sample_weight : (n,) weights; a row of weight zero is left out

        Returns
        -------
        The fitted classifier itself
        """
        summary, reading = self._summarize(X, y, sample_weight)
        return self._learn(summary, reading.noted, reading)

    @available_if(_through_statistics)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add more rows to the fit; after all parts the model equals that of one fit to all rows.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`
        classes : all classes that will occur, in the first call; by default those of the first call's y
        """
        earlier = vars(self).get("model_")
        before = None if earlier is None else earlier.statistics
        if before is None:
            summary, reading = self._summarize(X, y, sample_weight, None if classes is None else read_classes(classes))
            return self._learn(summary, reading.noted)
        refuse_unknown_classes(classes, before.classes)
        summary, _ = self._summarize(X, y, sample_weight, before.classes, before)
        return self._learn(before.merge(summary), self.model_.columns.noted)  # type: ignore[attr-defined]

    @available_if(_through_statistics)
    def merge(self, other: Any) -> Self:
        """Return a new model: that of one fit to the rows of both models."""
        check_is_fitted(self)
        mine: Any = self
        if type(other) is not type(mine) or repr(other.get_params()) != repr(mine.get_params()):
            raise DataError(f"{self!r} merges only with a model of the same class and parameters, not {other!r}.")
        check_is_fitted(other)
        if not same(mine.model_.columns.phi, other.model_.columns.phi):
            raise DataError(
                "the bases of these models learned different centers from their rows: to merge models, pass centers to "
                "the basis."
            )
        model: Self = clone(self)
        return model._learn(self.statistics_.merge(other.statistics_), mine.model_.columns.noted)
