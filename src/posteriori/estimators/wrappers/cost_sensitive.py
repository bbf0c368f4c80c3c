"""`CostSensitive`: decisions of least expected cost."""

from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.decisions.cost import expected_cost, least_cost, saving, threshold_of
from posteriori.estimators.parameters import parameters
from posteriori.estimators.wrappers.decision_rules import apply_rejections, cost_table, decide, outcomes, rejected
from posteriori.estimators.wrappers.decision_wrapper import (
    DecisionWrapper,
    predict,
    predict_interval,
    predict_log_proba,
    predict_proba,
)
from posteriori.input.classes.costs import CostTable, read_costs
from posteriori.storable import storable


def _has_scores(self: "CostSensitive") -> bool:
    """Whether there is one score per class: the inner classifier's, or one per action where there are as many."""
    if self._is_identity():
        return hasattr(self._inner, "decision_function")
    return not self.__sklearn_is_fitted__() or len(self.actions_) == len(self.classes_)


@storable
@parameters(kw_only=False)
class CostSensitive(DecisionWrapper):
    """A classifier that takes the action of least expected cost.

    With L_ak the cost of action a when the class is k, the action is argmin_a sum_k P(k | x) L_ak. An action need
    not be a class: "ask an expert" is one too. Ties go to the action that is first in the list.

    Book: [Jordan] ch. 7, introduction.

    Parameters
    ----------
    estimator : a classifier with probabilities, of this library or scikit-learn's, fitted or not
    costs : None | {action: {class: cost}} | frame | (A, K) array
        None is 0-1 loss: every mistake costs one, and predictions do not change. A frame has one row per action
        (named by its index or its first column) and one column per class; an array has its columns in the order of
        ``classes_``. Costs are not negative.
    actions : list of names, optional
        The rows of an array of costs; by default the classes, where there are as many. Where the costs name their
        actions, the order in which ties are broken.

    Attributes
    ----------
    classes_ : (K,)
    actions_ : (A,) what `predict` may return
    costs_ : (A, K) actions by classes
    threshold_ : for two classes and two actions, the value of P(``classes_[1]`` | x) above which the action that
        costs less under ``classes_[1]`` is taken
    estimator_ : the fitted clone of the classifier; only after `fit`
    n_features_in_, feature_names_in_ : those of the inner classifier

    Notes
    -----
    Around a fitted classifier it predicts without `fit`; `fit` clones and fits. ``predict_proba`` is the inner
    classifier's. Costs change decisions, never probabilities, so ``costs`` may be changed without a new fit. Rows that
    an inner `RejectOption` rejects stay rejected.

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["well", "well", "ill", "well", "ill", "ill"]
    >>> model = pt.LogisticRegression(prior=0.1).fit(X, y)
    >>> costs = {"send home": {"well": 0, "ill": 20}, "ask": {"well": 1, "ill": 1}, "treat": {"well": 5, "ill": 0}}
    >>> careful = pt.CostSensitive(model, costs)
    >>> careful.predict([[-2.0], [0.5], [6.0]]).tolist()
    ['send home', 'ask', 'treat']
    >>> careful.expected_cost([[6.0]]).round(2).tolist()
    [[19.62, 1.0, 0.1]]
    >>> pt.CostSensitive(model, [[0, 9], [1, 0]]).threshold_
    0.1
    """

    costs: Any = None
    actions: Any = None

    def _check_parameters(self) -> None:
        """Do nothing: the parameters are checked against the classes."""

    def _learn(self, inner: Any, X: Any, y: Any, params: dict[str, Any]) -> dict[str, Any]:
        if not self._is_identity():
            read_costs(self.costs, self.actions, np.asarray(inner.classes_))
        return {}

    def _is_identity(self) -> bool:
        return self.costs is None and self.actions is None

    def _cost_table(self) -> CostTable | None:
        """Return the costs; without any those of an inner `CostSensitive`, if there is one."""
        check_is_fitted(self)
        if self._is_identity():
            return cost_table(self._inner)
        return read_costs(self.costs, self.actions, self.classes_)

    def _table(self) -> CostTable:
        return self._cost_table() or read_costs(None, None, self.classes_)

    @property
    def actions_(self) -> NDArray[Any]:
        """What `predict` may return, (A,)."""
        return self._table().actions

    @property
    def costs_(self) -> Array:
        """The cost of each action under each class, (A, K)."""
        return self._table().values

    @property
    def threshold_(self) -> float:
        """The value of P(``classes_[1]`` | x) above which the action suited to that class is taken."""
        costs = self.costs_
        if costs.shape != (2, 2):
            raise AttributeError(
                f"costs define a threshold where there are two classes and two actions, not {costs.shape[1]} "
                f"classes and {costs.shape[0]} actions; use expected_cost(X), the expected cost of each action."
            )
        return threshold_of(costs)

    def expected_cost(self, X: Any, **params: Any) -> Array:
        """Return the expected cost of each action, sum_k P(k | x) L_ak, (n, A) in the order of ``actions_``."""
        return expected_cost(self._probabilities(X, params), self.costs_)

    @available_if(_has_scores)
    def decision_function(self, X: Any, **params: Any) -> NDArray[Any]:
        """Return scores whose sign, or argmax, is the action: the saving of each over the most expensive action.

        Two actions: the second's saving minus the first's, (n,); more: (n, A). Without costs: the scores of the inner
        classifier. Only available where there are as many actions as classes.
        """
        if self._is_identity():
            return self._predict_inside("decision_function", X, params)
        saved = saving(self._probabilities(X, params, "decision_function"), self.costs_)
        return saved if saved.shape[1] > 2 else saved[:, 1] - saved[:, 0]

    def _decide(self, probabilities: Array) -> NDArray[Any]:
        if self._is_identity():
            return decide(self._inner, probabilities)
        table = self._table()
        return self._apply_rejections(probabilities, table.actions[least_cost(probabilities, table.values)])

    def _outcomes(self) -> NDArray[Any]:
        return outcomes(self._inner) if self._is_identity() else self.actions_

    def _apply_rejections(self, probabilities: Array, labels: NDArray[Any]) -> NDArray[Any]:
        return apply_rejections(self._inner, probabilities, labels)

    def _rejected(self, probabilities: Array) -> NDArray[np.bool_]:
        return rejected(self._inner, probabilities)

    def _probabilities(self, X: Any, params: dict[str, Any], caller: str = "predict") -> Array:
        return self._inner_probabilities(X, params, caller)

    predict = predict
    predict_proba = predict_proba
    predict_log_proba = predict_log_proba
    predict_interval = predict_interval

    def for_storage(self) -> Self:
        """Return a copy whose costs, if they are a frame, are a plain mapping."""
        stored = copy(self)
        if hasattr(self.costs, "columns") or hasattr(self.costs, "column_names"):
            table, classes = self._table(), self.classes_.tolist()
            rows = zip(table.actions.tolist(), table.values.tolist(), strict=True)
            stored.costs = {action: dict(zip(classes, row, strict=True)) for action, row in rows}
        return stored
