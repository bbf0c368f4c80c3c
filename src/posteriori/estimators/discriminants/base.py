"""`LinearDiscriminant`: base class of linear classifiers without probabilities."""

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.decisions.argmax import argmax
from posteriori.estimators.base import Classifier
from posteriori.estimators.linear import LinearMethods, explain, signed_distance
from posteriori.models.discriminant import DiscriminantModel


def _no_probabilities(model: Any) -> NoReturn:
    raise AttributeError(f"{type(model).__name__} has scores, not probabilities: use decision_function.")


class LinearDiscriminant(LinearMethods, Classifier):
    """A linear discriminant function: the sign, or the argmax, of ``scores_`` is the decision; no probabilities.

    Book: [Bishop] §4.1.1-4.1.2; [Deuschle] §3.3.
    """

    model_: DiscriminantModel

    predict_proba = property(_no_probabilities)
    predict_log_proba = property(_no_probabilities)

    def decision_function(self, X: Any) -> Array:
        """Return the scores: (n,) for two classes, positive for ``classes_[1]``; (n, K) for more."""
        scores: Array = self._map(self._engine(X), self.model_.scores)
        return scores[:, 0] if len(self.classes_) == 2 else scores

    explain = explain
    signed_distance = signed_distance

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row; for a score of exactly zero ``classes_[1]``."""
        scores = self._map(self._engine(X), self.model_.scores)
        codes = (scores[:, 0] >= 0).astype(np.intp) if len(self.classes_) == 2 else argmax(scores)
        labels: NDArray[Any] = self.classes_[codes]
        return labels
