"""`OneVsRest`: each class against all others."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.estimators.parameters import parameters
from posteriori.estimators.wrappers.decomposition import Decomposition, inner_has, log_probabilities, score
from posteriori.storable import storable


@storable
@parameters()
class OneVsRest(Decomposition):
    """One classifier of two classes for each class against the rest; any, of this library or scikit-learn's.

    The class whose classifier is surest is predicted, y(x) = argmax_k y_k(x). Where no classifier, or more than
    one, claims x, the regions of the classifiers do not settle the matter: `is_ambiguous` says where.

    Book: [Bishop] Fig. 4.2, §4.1.2; [Deuschle] Fig. 3.2, §3.3.

    Parameters
    ----------
    estimator : a classifier of two classes
    rest : "all" | "last"
        K problems, a class each ([Deuschle]); or K - 1, the last class being "none of them" ([Bishop], Fig. 4.2
        left). Two classes are one problem either way, which the classifier inside decides alone.

    Attributes
    ----------
    classes_ : (K,)
    estimators_ : the fitted classifiers; of labels 0 (the rest) and 1 (the class) where K > 2
    n_features_in_, feature_names_in_ : those of the classifiers inside

    Notes
    -----
    Probabilities, where the classifier inside has them: each problem gives p_k = P(class k, not the rest | x), fitted
    without regard to the others, so that they need not sum to one. With ``rest="all"`` they are divided by their
    sum (by K where all are zero). With ``rest="last"`` classes are in proportion to their odds p_k / (1 - p_k), the
    last class to 1: what independent claims come to, given that at most one holds. Either way the most probable
    class is the one with the largest log odds.

    Examples
    --------
    Three classes in a row, by lines: the one in the middle cannot be told from the rest.

    >>> import posteriori as pt
    >>> X, y = [[0.0], [1.0], [4.0], [5.0], [8.0], [9.0]], ["a", "a", "b", "b", "c", "c"]
    >>> model = pt.OneVsRest(pt.LogisticRegression(prior=0.1)).fit(X, y)
    >>> model.votes([[0.0], [4.5], [9.0]]).tolist()
    [[1, 0, 0], [0, 0, 0], [0, 0, 1]]
    >>> model.is_ambiguous([[0.0], [4.5], [9.0]]).tolist()
    [False, True, False]
    """

    rest: Literal["all", "last"] = "all"

    def _sizes(self, n_classes: int, n_rows: int) -> tuple[int, float]:
        return n_classes, n_rows

    def _problems(self, n_classes: int) -> list[Any]:
        choice("rest", self.rest, ("all", "last"))
        if n_classes == 2:
            return [None]
        return list(range(n_classes if self.rest == "all" else n_classes - 1))

    def _problem(self, problem: Any, labels: NDArray[Any], codes: NDArray[np.intp]) -> tuple[Any, NDArray[Any]]:
        return None, labels if problem is None else (codes == problem).astype(np.intp)

    @property
    def _has_last(self) -> bool:
        """Whether a class is "none of them"."""
        return len(self.estimators_) < len(self.classes_)

    def decision_function(self, X: Any) -> Array:
        """Give each class's score against the rest, (n, K); for two classes that of ``classes_[1]``, (n,).

        With ``rest="last"`` the last class has 0, which is what the others must exceed to claim a row.
        """
        scores = self._each(X, score)
        if len(self.classes_) == 2:
            return scores[:, 0]
        return np.column_stack([scores, np.zeros(len(scores))]) if self._has_last else scores

    def votes(self, X: Any) -> NDArray[np.int64]:
        """Say which classes claim each row, 1 or 0, (n, K).

        With ``rest="last"`` the last class claims what no other does; of two classes exactly one claims each row.
        """
        claims = self._each(X, lambda model, X: model.predict(X) == model.classes_[1]).astype(np.int64)
        if len(self.classes_) == 2:
            return np.column_stack([1 - claims, claims])
        return np.column_stack([claims, ~claims.any(axis=1)]) if self._has_last else claims

    def is_ambiguous(self, X: Any) -> NDArray[np.bool_]:
        """Mark the rows that no class, or more than one, claims, (n,)."""
        ambiguous: NDArray[np.bool_] = self.votes(X).sum(axis=1) != 1
        return ambiguous

    @inner_has("predict_proba")
    def predict_log_proba(self, X: Any) -> Array:
        """Give log P(class | x), (n, K), made to sum to one as the class's notes say."""
        check_is_fitted(self)
        if len(self.classes_) == 2:
            return self._each(X, log_probabilities)[:, 0]
        logs = self._each(X, log_probabilities)
        claims = logs[:, :, 1]
        if self._has_last:
            with np.errstate(invalid="ignore"):
                odds = claims - logs[:, :, 0]
            claims = np.column_stack([odds, np.zeros(len(odds))])
        claims[np.isneginf(claims).all(axis=1)] = 0.0
        certain = np.isposinf(claims).any(axis=1)
        claims[certain] = np.where(np.isposinf(claims[certain]), 0.0, -np.inf)
        summed: Array = claims - logsumexp(claims, axis=1, keepdims=True)
        return summed

    @inner_has("predict_proba")
    def predict_proba(self, X: Any) -> Array:
        """Give P(class | x), (n, K), made to sum to one as the class's notes say."""
        check_is_fitted(self)
        if len(self.classes_) == 2:
            alone: Array = self.estimators_[0].predict_proba(X)
            return alone
        p: Array = np.exp(self.predict_log_proba(X))
        return p
