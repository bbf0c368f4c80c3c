"""`LinearMethods`: methods of classifiers with linear scores: basis functions, distances, explanations."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.bases.base import Phi
from posteriori.engines.base import Engine
from posteriori.estimators.bases.base import bound
from posteriori.estimators.learned import Learned
from posteriori.input.classes.later_calls import refuse_unknown_classes
from posteriori.input.frames.native import installed, native_of
from posteriori.input.targets import read_classes
from posteriori.input.training import Reading, read_training
from posteriori.messages.errors import DataError
from posteriori.models.explanation import Explanation
from posteriori.models.linear_scores import LinearScores
from posteriori.models.margins import distances_of

if TYPE_CHECKING:
    from posteriori.estimators.base import Classifier as Methods  # whose methods the mixin uses
else:
    Methods = object


class LinearMethods(Methods):
    """A mixin for classifiers whose decision is the sign, or the argmax, of linear scores.

    ``coef_`` is (1, d) for two classes and (K, d) for more. A subclass with a parameter ``basis`` passes the rows
    through `_through_basis` in `fit`; the model then holds the basis functions.
    """

    model_: Any
    coef_ = Learned[Any]("coef", optional=True)
    intercept_ = Learned[Any]("intercept", optional=True)
    scores_ = Learned[LinearScores]("linear")
    phi_ = Learned[Phi | None]("columns.phi")

    def _through_basis(self, reading: Reading, known: Phi | None = None) -> Reading:
        """Replace the columns of X by those of ``basis``; the basis functions are noted as ``phi_``.

        `known` are the basis functions of an earlier fit that these rows continue.
        """
        table, phi = bound(self.basis, reading.table, known)
        return replace(reading, table=table, noted={**reading.noted, "phi_": phi})

    def _read_more(self, X: Any, y: Any, classes: Any, weights: Any, *, known: bool, **accepted: Any) -> Reading:
        """Read rows for `partial_fit`; if `known`, check them against columns, classes and basis of earlier calls."""
        if known:
            refuse_unknown_classes(classes, self.classes_)
            classes = self.classes_
        labels = classes if known or classes is None else read_classes(classes)
        reading = read_training(self, X, y, weights, classes=labels, known_names=known, **accepted)
        if labels is not None and not np.array_equal(reading.targets.classes, labels):
            raise DataError(
                f"y has counts of {reading.targets.n_classes} classes (columns); the model has {len(labels)} classes."
            )
        reading = self._through_basis(reading, self.model_.columns.phi if known else None)
        return replace(reading, noted=self.model_.columns.noted) if known else reading

    def _library(self) -> str | None:
        """Return the library of frames for tables of results: that of the fit, if it is installed."""
        return installed(self.model_.columns.library)

    @property
    def coefficient_names_(self) -> tuple[str, ...]:
        """Names of the columns of ``coef_``: those of X, or of the basis."""
        check_is_fitted(self)
        names: tuple[str, ...] = self.model_.columns.coefficient_names
        return names

    def _explained(self, X: Any, engine: Engine, offset: Array | None = None) -> Explanation:
        """Return the contributions of the columns to the linear predictor of each row."""
        _, baseline = self.model_.origin
        parts = self._map(engine, self.model_.contributions)
        two = self.model_.n_classes == 2
        return Explanation(
            contributions=parts[:, 0] if two else parts,
            baseline=baseline[0] if two else baseline,
            names=self.coefficient_names_,
            classes=tuple(self.model_.classes.tolist()),
            offset=offset,
            native=native_of(X),
        )


def explain(self: Any, X: Any) -> Explanation:
    """Return the contribution of each column to the linear predictor of each row.

    eta(x) = baseline + sum_j w_j (x_j - m_j). If the fit centred the columns, m is the mean training row (of a
    large table, the mean of a sample) and the baseline is its predictor; otherwise m = 0 and the baseline is the
    intercept. With a basis the columns are those of the basis. The contributions and the baseline sum to the
    predictor, up to rounding.

    Book: [Bishop] §4.1.1; [Mitchell] §3.1.

    Returns
    -------
    Explanation : ``contributions`` (n, d) for two classes and (n, K, d) for more, ``baseline``, ``names``
    """
    explanation: Explanation = self._explained(X, self._engine(X))
    return explanation


def signed_distance(self: Any, X: Any) -> Array:
    """Return the distance of each row to the decision boundary, negative on the side of ``classes_[0]``.

    Two classes: y(x) / |w|, (n,). More: (n, K, K), entry (j, k) the distance to the boundary between j and
    k, positive on the side of k; the diagonal is zero.

    Book: [Bishop] Eq. 4.7, §4.1.1, and 4.10, §4.1.2.
    """
    return distances_of(self.decision_function(X), self.coef_)
