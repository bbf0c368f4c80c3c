"""What linear classifiers without probabilities share."""

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.decisions.argmax import argmax
from posteriori.engines.base import Engine
from posteriori.estimators.linear import LinearClassifier
from posteriori.models.linear_scores import LinearScores


def _no_probabilities(model: Any) -> NoReturn:
    raise AttributeError(f"{type(model).__name__} has scores, not probabilities: use decision_function.")


class LinearDiscriminant(LinearClassifier):
    """A linear discriminant function: scores whose sign, or argmax, is the decision; no probabilities.

    Concrete ones leave ``scores_``, the scores of any block.

    Book: [Bishop] §4.1.1-4.1.2; [Deuschle] §3.3.
    """

    scores_: LinearScores

    predict_proba = property(_no_probabilities)  # type: ignore[assignment]
    predict_log_proba = property(_no_probabilities)  # type: ignore[assignment]

    def decision_function(self, X: Any) -> Array:
        """Give the scores: (n,) for two classes, positive for ``classes_[1]``; (n, K) for more."""
        engine = self._engine(X)
        scores: Array = self._map(engine, self.scores_)
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def _labels(self, engine: Engine) -> NDArray[Any]:
        """Give the class of each row; a score of exactly zero is ``classes_[1]``."""
        scores = self._map(engine, self.scores_)
        codes = (scores[:, 0] >= 0).astype(np.intp) if len(self.classes_) == 2 else argmax(scores)
        labels: NDArray[Any] = self.classes_[codes]
        return labels
