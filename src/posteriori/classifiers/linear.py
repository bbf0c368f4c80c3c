"""What classifiers with linear scores share: scores, distances and margins."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.classifiers.base import Classifier
from posteriori.tables.errors import DataError
from posteriori.tables.targets import read_targets

Array = NDArray[np.float64]


class LinearClassifier(Classifier):
    """A classifier whose decision is the sign, or the argmax, of linear scores.

    Concrete ones give `decision_function`; ``coef_`` is (1, d) for two classes and (K, d) for more.
    """

    coef_: Array

    def decision_function(self, X: Any) -> Array:
        """Give the scores: (n,) for two classes, positive for ``classes_[1]``; (n, K) for more."""
        raise NotImplementedError

    def signed_distance(self, X: Any) -> Array:
        """Give the distance of each row to the decision boundary, negative on the side of ``classes_[0]``.

        Two classes: y(x) / |w|, (n,). More: (n, K, K), entry (j, k) the distance to the boundary between j and
        k, positive on the side of k; the diagonal is zero.

        Book: [Bishop] Eq. 4.7, §4.1.1, and 4.10, §4.1.2.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            distances: Array = scores / np.linalg.norm(self.coef_[0])
            return distances
        apart = scores[:, None, :] - scores[:, :, None]
        size = np.linalg.norm(self.coef_[None, :, :] - self.coef_[:, None, :], axis=2)
        pairs: Array = np.divide(apart, size, out=np.zeros_like(apart), where=size > 0)
        return pairs

    def margins(self, X: Any, y: Any) -> Array:
        """Give how far each row is on the right side: t y(x), or its class's score less the best other's, (n,).

        Book: [Sugiyama] §28.1.2; [Deuschle] §3.4.3.
        """
        scores = self.decision_function(X)
        targets = read_targets(y, len(scores), classes=self.classes_)
        codes = targets.codes
        if codes is None:
            raise DataError("margins need one label for each row, not class counts.")
        if scores.ndim == 1:
            return np.where(codes == 1, scores, -scores)
        rows = np.arange(len(scores))
        own = scores[rows, codes]
        others = scores.copy()
        others[rows, codes] = -np.inf
        best: Array = others.max(axis=1)
        return own - best
