"""`OneVsOne`: one-versus-one classification."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.decisions.coupling import couple
from posteriori.estimators.wrappers.decomposition import Decomposition, binary_score
from posteriori.estimators.wrappers.meta_classifier import available_inside
from posteriori.models.decomposition import count_wins, tie_breaks
from posteriori.storable import storable


@storable
class OneVsOne(Decomposition):
    """One-versus-one classification: one binary classifier per pair of classes, K(K - 1)/2 in all.

    Each classifier is fitted to the rows of its two classes and votes for one of them. The class with the most votes
    is predicted; ties go to the class with the larger sum of scores. `is_ambiguous` marks the rows where no class wins
    against every other (votes are tied or cyclic).

    Book: [Bishop] Fig. 4.2, §4.1.2; [Deuschle] Fig. 3.3, §3.3.

    Parameters
    ----------
    estimator : a binary classifier, of this library or scikit-learn's

    Attributes
    ----------
    classes_ : (K,)
    estimators_ : the fitted classifiers, in the order of ``pairs_``
    pairs_ : (K(K - 1)/2, 2) positions in ``classes_`` of the two classes of each classifier
    n_features_in_, feature_names_in_ : those of the inner classifiers

    Notes
    -----
    Probabilities, where the inner classifier has them, are obtained by pairwise coupling (Wu, Lin & Weng 2004, second
    method); for two classes they are the classifier's own. The class with the most votes usually, but not always, has
    the largest coupled probability; `predict` follows the votes.

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0], [1.0], [4.0], [5.0], [8.0], [9.0]], ["a", "a", "b", "b", "c", "c"]
    >>> model = pt.OneVsOne(pt.LogisticRegression(prior=0.1)).fit(X, y)
    >>> model.votes([[0.0], [5.0], [9.0]]).tolist()
    [[2, 1, 0], [0, 2, 1], [0, 1, 2]]
    >>> model.predict([[0.0], [5.0], [9.0]]).tolist()
    ['a', 'b', 'c']
    """

    def _sizes(self, n_classes: int, n_rows: int) -> tuple[int, float]:
        return n_classes * (n_classes - 1) // 2, 2 * n_rows / n_classes

    def _problems(self, n_classes: int) -> list[Any]:
        return list(combinations(range(n_classes), 2))

    def _problem(self, problem: Any, labels: NDArray[Any], codes: NDArray[np.intp]) -> tuple[Any, NDArray[Any]]:
        pair = (codes == problem[0]) | (codes == problem[1])
        return (None if pair.all() else np.flatnonzero(pair)), labels

    @property
    def pairs_(self) -> NDArray[np.intp]:
        """The positions in ``classes_`` of the two classes of each classifier."""
        return np.array(list(combinations(range(len(self.classes_)), 2)), dtype=np.intp)

    def decision_function(self, X: Any) -> Array:
        """Return the votes, plus less than half a vote for the sum s of a class's scores, (n, K).

        The term s / (3 (1 + |s|)) breaks ties between classes with equally many votes and changes no other order. For
        two classes: the score of ``classes_[1]``, (n,).
        """
        scores = self._by_classifier(X, binary_score)
        if len(self.classes_) == 2:
            return scores[:, 0]
        return self.votes(X) + tie_breaks(scores, self.pairs_, len(self.classes_))

    def votes(self, X: Any) -> NDArray[np.int64]:
        """Return how many pairwise comparisons each class wins, (n, K)."""
        second = self._by_classifier(X, lambda model, X: model.predict(X) == model.classes_[1])
        return count_wins(second, self.pairs_, len(self.classes_))

    def is_ambiguous(self, X: Any) -> NDArray[np.bool_]:
        """Return which rows have no class that wins against every other, (n,): votes are tied or cyclic."""
        ambiguous: NDArray[np.bool_] = self.votes(X).max(axis=1) < len(self.classes_) - 1
        return ambiguous

    @available_inside("predict_proba")
    def predict_proba(self, X: Any) -> Array:
        """Return P(class | x) by pairwise coupling, (n, K)."""
        if len(self._fitted_classes) == 2:
            p: Array = self.estimators_[0].predict_proba(X)
            return p
        pairs = self._by_classifier(X, lambda model, X: np.asarray(model.predict_proba(X), dtype=np.float64))
        n_classes = len(self.classes_)
        pairwise = np.zeros((len(pairs), n_classes, n_classes))
        i, j = self.pairs_.T
        pairwise[:, i, j], pairwise[:, j, i] = pairs[:, :, 0], pairs[:, :, 1]
        return couple(pairwise)

    @available_inside("predict_proba")
    def predict_log_proba(self, X: Any) -> Array:
        """Return log P(class | x), (n, K)."""
        if len(self._fitted_classes) == 2 and hasattr(self.estimators_[0], "predict_log_proba"):
            logs: Array = self.estimators_[0].predict_log_proba(X)
            return logs
        with np.errstate(divide="ignore"):  # the log of a probability of zero is -inf
            return np.asarray(np.log(self.predict_proba(X)))
