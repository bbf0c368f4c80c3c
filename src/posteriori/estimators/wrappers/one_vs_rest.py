"""`OneVsRest`: one-versus-rest classification."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.estimators.log_probabilities import log_probabilities_of
from posteriori.estimators.parameters import parameters
from posteriori.estimators.wrappers.decomposition import Decomposition, binary_score
from posteriori.estimators.wrappers.meta_classifier import available_inside
from posteriori.models.decomposition import combine_one_vs_rest
from posteriori.storable import storable


@storable
@parameters()
class OneVsRest(Decomposition):
    """One-versus-rest classification: one binary classifier per class, against all other classes.

    The class with the largest score is predicted, y(x) = argmax_k y_k(x). `is_ambiguous` marks the rows that no
    classifier, or more than one, assigns to its class.

    Book: [Bishop] Fig. 4.2, §4.1.2; [Deuschle] Fig. 3.2, §3.3.

    Parameters
    ----------
    estimator : a binary classifier, of this library or scikit-learn's
    rest : "all" | "last"
        "all": K problems, one per class ([Deuschle]). "last": K - 1 problems; the last class is "none of the others"
        ([Bishop], Fig. 4.2 left). Two classes are one problem either way.

    Attributes
    ----------
    classes_ : (K,)
    estimators_ : the fitted classifiers; of labels 0 (the rest) and 1 (the class) where K > 2
    n_features_in_, feature_names_in_ : those of the inner classifiers

    Notes
    -----
    Each problem yields p_k = P(class k, not the rest | x). The problems are fitted separately, so the p_k need not sum
    to one. With ``rest="all"`` they are divided by their sum (and are 1/K where all are zero). With ``rest="last"``
    class probabilities are proportional to the odds p_k / (1 - p_k), and to 1 for the last class: the probabilities of
    independent events given that at most one occurs. Either way the most probable class has the largest log odds.

    Examples
    --------
    Three classes on a line: no linear score separates the class in the middle from the rest.

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
        """Whether the last class is "none of the others"."""
        return len(self.estimators_) < len(self.classes_)

    def decision_function(self, X: Any) -> Array:
        """Return each class's score against the rest, (n, K); for two classes that of ``classes_[1]``, (n,).

        With ``rest="last"`` the last class has the score 0.
        """
        scores = self._by_classifier(X, binary_score)
        if len(self.classes_) == 2:
            return scores[:, 0]
        return np.column_stack([scores, np.zeros(len(scores))]) if self._has_last else scores

    def votes(self, X: Any) -> NDArray[np.int64]:
        """Return 1 where a class's classifier predicts it, else 0, (n, K).

        With ``rest="last"`` the last class has 1 where no other has. For two classes exactly one has 1.
        """
        votes = self._by_classifier(X, lambda model, X: model.predict(X) == model.classes_[1]).astype(np.int64)
        if len(self.classes_) == 2:
            return np.column_stack([1 - votes, votes])
        return np.column_stack([votes, ~votes.any(axis=1)]) if self._has_last else votes

    def is_ambiguous(self, X: Any) -> NDArray[np.bool_]:
        """Return which rows have no vote, or votes for more than one class, (n,)."""
        ambiguous: NDArray[np.bool_] = self.votes(X).sum(axis=1) != 1
        return ambiguous

    @available_inside("predict_proba")
    def predict_log_proba(self, X: Any) -> Array:
        """Return log P(class | x), (n, K), normalised as described in the notes of the class."""
        logs = self._by_classifier(X, log_probabilities_of)
        if len(self.classes_) == 2:
            return logs[:, 0]
        return combine_one_vs_rest(logs, self._has_last)

    @available_inside("predict_proba")
    def predict_proba(self, X: Any) -> Array:
        """Return P(class | x), (n, K), normalised as described in the notes of the class."""
        two = len(self._fitted_classes) == 2
        p: Array = self.estimators_[0].predict_proba(X) if two else np.exp(self.predict_log_proba(X))
        return p
