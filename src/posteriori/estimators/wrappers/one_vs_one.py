"""`OneVsOne`: each class against each other class."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.decisions.coupling import couple
from posteriori.estimators.wrappers.decomposition import Decomposition, inner_has, score
from posteriori.storable import storable


@storable
class OneVsOne(Decomposition):
    """One classifier for each pair of classes, K(K - 1)/2 of them, fitted to the rows of the pair alone.

    Each classifier votes for one of its pair, and the class with the most votes is predicted; of equal ones that
    with the larger sum of scores. Where no class wins all its duels (votes are tied, or go round in a circle)
    `is_ambiguous` says so.

    Book: [Bishop] Fig. 4.2, §4.1.2; [Deuschle] Fig. 3.3, §3.3.

    Parameters
    ----------
    estimator : a classifier of two classes, of this library or scikit-learn's

    Attributes
    ----------
    classes_ : (K,)
    estimators_ : the fitted classifiers, in the order of ``pairs_``
    pairs_ : (K(K - 1)/2, 2) places in ``classes_`` of the two classes of each
    n_features_in_, feature_names_in_ : those of the classifiers inside

    Notes
    -----
    Probabilities, where the classifier inside has them, are coupled from those of the pairs (Wu, Lin & Weng 2004,
    second method); for two classes they are the classifier's own. Votes and coupled probabilities mostly, but not
    always, agree on the first class; `predict` goes by the votes.

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
        """The places in ``classes_`` of the two classes of each classifier."""
        return np.array(list(combinations(range(len(self.classes_)), 2)), dtype=np.intp)

    def decision_function(self, X: Any) -> Array:
        """Give votes, and less than half a vote for the sum s of scores in a class's duels, (n, K).

        The latter is s / (3 (1 + |s|)): it orders classes of equal votes and no others. For two classes the score
        of ``classes_[1]``, (n,).
        """
        scores = self._each(X, score)
        if len(self.classes_) == 2:
            return scores[:, 0]
        summed = np.zeros((len(scores), len(self.classes_)))
        for column, (i, j) in zip(scores.T, self.pairs_, strict=True):
            summed[:, i] -= column
            summed[:, j] += column
        with np.errstate(invalid="ignore"):
            part = summed / (3.0 * (1.0 + np.abs(summed)))
        part = np.where(np.isinf(summed), np.sign(summed) / 3.0, np.where(np.isnan(summed), 0.0, part))
        return self.votes(X) + part

    def votes(self, X: Any) -> NDArray[np.int64]:
        """Count the duels each class wins, (n, K)."""
        second = self._each(X, lambda model, X: model.predict(X) == model.classes_[1])
        counts = np.zeros((len(second), len(self.classes_)), dtype=np.int64)
        for column, (i, j) in zip(second.T, self.pairs_, strict=True):
            counts[:, i] += column == 0
            counts[:, j] += column != 0
        return counts

    def is_ambiguous(self, X: Any) -> NDArray[np.bool_]:
        """Mark the rows where no class wins all its duels, since votes are tied or go round in a circle, (n,)."""
        ambiguous: NDArray[np.bool_] = self.votes(X).max(axis=1) < len(self.classes_) - 1
        return ambiguous

    @inner_has("predict_proba")
    def predict_proba(self, X: Any) -> Array:
        """Give P(class | x), coupled from the pairs, (n, K)."""
        check_is_fitted(self)
        if len(self.classes_) == 2:
            alone: Array = self.estimators_[0].predict_proba(X)
            return alone
        pairs = self._each(X, lambda model, X: np.asarray(model.predict_proba(X), dtype=np.float64))
        n_classes = len(self.classes_)
        pairwise = np.zeros((len(pairs), n_classes, n_classes))
        i, j = self.pairs_.T
        pairwise[:, i, j], pairwise[:, j, i] = pairs[:, :, 0], pairs[:, :, 1]
        return couple(pairwise)

    @inner_has("predict_proba")
    def predict_log_proba(self, X: Any) -> Array:
        """Give log P(class | x), (n, K)."""
        check_is_fitted(self)
        if len(self.classes_) == 2 and hasattr(self.estimators_[0], "predict_log_proba"):
            alone: Array = self.estimators_[0].predict_log_proba(X)
            return alone
        with np.errstate(divide="ignore"):  # a probability of zero has the log -inf
            logs: Array = np.log(self.predict_proba(X))
        return logs
