"""`PriorShift`: a classifier under class priors other than those of training."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.decisions.prior_shift import Adaptation, estimate_priors, shift
from posteriori.engines.progress import job
from posteriori.estimators.base import as_given, logs_as_given
from posteriori.estimators.log_probabilities import log_odds
from posteriori.estimators.parameters import parameters
from posteriori.estimators.wrappers.decision_rules import apply_rejections, cost_table, decide, outcomes, rejected
from posteriori.estimators.wrappers.decision_wrapper import DecisionWrapper, predict
from posteriori.estimators.wrappers.meta_classifier import available_inside
from posteriori.estimators.wrappers.training_priors import stored_priors, training_frequencies
from posteriori.input.classes.costs import CostTable
from posteriori.input.classes.priors import read_class_priors, refuse_unseen
from posteriori.input.frames.alignment import aligned
from posteriori.input.weights import read_weights
from posteriori.messages.errors import ConvergenceWarning, DataError, NotIdentifiedWarning
from posteriori.messages.notes import Note
from posteriori.storable import storable


class UnknownPriorsError(DataError, AttributeError):
    """The class priors of training are unknown."""


@storable
@parameters(kw_only=False)
class PriorShift(DecisionWrapper):
    """A classifier under new class priors.

    If only the class frequencies have changed, and rows of each class are distributed as in training (label shift),

        P'(k | x) = P(k | x) (pi'_k / pi_k) / sum_j P(j | x) (pi'_j / pi_j),

    with pi the training priors and pi' the new ones; computed in log space.

    Book: [Bishop] Eq. 4.62, §4.2; Saerens, Latinne & Decaestecker (2002).

    Parameters
    ----------
    estimator : a classifier with probabilities, of this library or scikit-learn's, fitted or not
    class_priors : (K,) | {class: p}, optional
        The new priors, summing to one; a class with prior 0 is never predicted. None keeps the training priors, until
        `adapt` estimates new ones.
    training_priors : (K,) | {class: p}, optional
        The training priors. By default those stored by the classifier (``class_priors_``), else the class frequencies
        in `fit`, by weight.

    Attributes
    ----------
    classes_ : (K,)
    class_priors_ : (K,) the priors in use: estimated by `adapt`, else the parameter, else the training priors
    training_priors_ : (K,)
    adaptation_ : the estimate of `adapt` and its certificate; only after `adapt`
    estimator_ : the fitted clone of the classifier; only after `fit`
    n_features_in_, feature_names_in_ : those of the inner classifier

    Notes
    -----
    Around a fitted classifier it predicts without `fit`; `fit` clones and fits, and discards the estimate of `adapt`.
    An inner `CostSensitive` or `RejectOption` decides by the new probabilities. Where every class of positive prior is
    impossible, the probabilities are the new priors, and a warning says so.

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "a", "b", "b"]
    >>> model = pt.LogisticRegression(prior=0.1).fit(X, y)
    >>> model.predict_proba([[2.5]]).round(6).tolist()
    [[0.5, 0.5]]
    >>> rare = pt.PriorShift(model, {"a": 0.9, "b": 0.1})
    >>> rare.predict_proba([[2.5]]).round(6).tolist()
    [[0.9, 0.1]]
    >>> pt.PriorShift(model).adapt([[4.0], [5.0], [4.5], [0.5], [5.5]]).class_priors_.round(3).tolist()
    [0.127, 0.873]
    """

    class_priors: Any = None
    training_priors: Any = None

    # --- priors

    def _check_parameters(self) -> None:
        """Do nothing: the parameters are checked against the classes."""

    def _learn(self, inner: Any, X: Any, y: Any, params: dict[str, Any]) -> dict[str, Any]:
        classes = np.asarray(inner.classes_)
        new = None if self.class_priors is None else read_class_priors(self.class_priors, classes, "class_priors")
        learned: dict[str, Any] = {}
        training = stored_priors(inner)
        if self.training_priors is not None:
            training = read_class_priors(self.training_priors, classes, "training_priors")
        elif training is None:
            training = training_frequencies(inner, X, y, params)
            learned = {} if training is None else {"seen_priors_": training}
        if new is not None:
            refuse_unseen(self._require_known(training, inner), new, classes)
        return learned

    def _require_known(self, training: Array | None, inner: Any) -> Array:
        if training is None:
            raise UnknownPriorsError(
                f"the class priors that {type(inner).__name__} was trained under are unknown: it does not store them "
                "and was not fitted here. Pass training_priors."
            )
        return training

    @property
    def training_priors_(self) -> Array:
        """The class priors that the inner classifier was trained under, (K,)."""
        check_is_fitted(self)
        if self.training_priors is not None:
            return read_class_priors(self.training_priors, self.classes_, "training_priors")
        learned = vars(self).get("seen_priors_")
        return self._require_known(stored_priors(self._inner) if learned is None else learned, self._inner)

    @property
    def class_priors_(self) -> Array:
        """The priors in use, (K,)."""
        check_is_fitted(self)
        if "adaptation_" in vars(self):
            return self.adaptation_.priors
        if self.class_priors is None:
            return self.training_priors_
        return read_class_priors(self.class_priors, self.classes_, "class_priors")

    def adapt(self, X: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Estimate the class priors of rows without labels, and use them from then on.

        They maximise the likelihood of the rows, by EM (Saerens et al. 2002) with Newton steps, to a certified gap: see
        ``adaptation_``. `predict` never adapts: the prediction for a row does not depend on other rows.

        Parameters
        ----------
        X : (n, d) rows from where the classifier is used
        sample_weight : (n,) weights
        **params : passed on to the inner classifier

        Returns
        -------
        The classifier itself, with ``class_priors_`` and ``adaptation_``
        """
        training = self.training_priors_
        with job("estimating the class priors"):
            logs = self._unshifted_logs(X, params)
            weights = read_weights(aligned(X, sample_weight, "sample_weight"), len(logs))
            if not np.isfinite(logs[:, training > 0]).any():
                raise DataError(f"adapt needs a row that is possible under some class; none of {len(logs)} is.")
            adaptation = estimate_priors(logs, training, weights)
        self.adaptation_ = adaptation
        if not adaptation.converged:
            _not_converged(adaptation).warn()
        return self

    def set_params(self, **params: Any) -> Self:
        """Set parameters; new priors replace those estimated by `adapt`."""
        if "adaptation_" in vars(self) and params.keys() & {"class_priors", "training_priors"}:
            del self.adaptation_
        super().set_params(**params)
        return self

    def _decide(self, probabilities: Array) -> NDArray[Any]:
        return decide(self._inner, probabilities)

    def _apply_rejections(self, probabilities: Array, labels: NDArray[Any]) -> NDArray[Any]:
        return apply_rejections(self._inner, probabilities, labels)

    def _rejected(self, probabilities: Array) -> NDArray[np.bool_]:
        return rejected(self._inner, probabilities)

    def _outcomes(self) -> NDArray[Any]:
        return outcomes(self._inner)

    def _cost_table(self) -> CostTable | None:
        return cost_table(self._inner)

    predict = predict

    # --- probabilities

    def _is_identity(self) -> bool:
        if "adaptation_" not in vars(self) and self.class_priors is None:
            return True
        return np.array_equal(self.class_priors_, self.training_priors_)

    def _unshifted_logs(self, X: Any, params: dict[str, Any], caller: str = "predict") -> Array:
        (inner,) = self._fitted_inner()
        return self._inner_log_probabilities(inner, X, params, caller)

    def _logs(self, X: Any, params: dict[str, Any], caller: str = "predict") -> Array:
        """Return log P'(k | x); a row impossible under the new priors gets the log priors."""
        return self._shifted(self._unshifted_logs(X, params, caller), warn=True)

    def _shifted(self, unshifted: Array, warn: bool = False) -> Array:
        training, new = self.training_priors_, self.class_priors_
        refuse_unseen(training, new, self.classes_)
        logs = shift(unshifted, training, new)
        impossible = np.isneginf(logs).all(axis=1)
        if impossible.any():
            with np.errstate(divide="ignore"):
                logs[impossible] = np.log(new)
            if warn:
                _impossible_rows(int(impossible.sum())).warn()
        return logs

    def _probabilities(self, X: Any, params: dict[str, Any], caller: str = "predict") -> Array:
        if self._is_identity():
            return self._inner_probabilities(X, params, caller)
        return np.exp(self._logs(X, params, caller))

    def predict_proba(self, X: Any, **params: Any) -> NDArray[Any]:
        """Return P'(class | x), (n, K) in the order of ``classes_``."""
        if self._is_identity():
            return self._predict_inside("predict_proba", X, params)
        return as_given(X, np.exp(self._logs(X, params, "predict_proba")))

    def predict_log_proba(self, X: Any, **params: Any) -> NDArray[Any]:
        """Return log P'(class | x), (n, K)."""
        if self._is_identity():
            return logs_as_given(X, self._unshifted_logs(X, params, "predict_log_proba"))
        return logs_as_given(X, self._logs(X, params, "predict_log_proba"))

    @available_inside("predict_interval")
    def predict_interval(self, X: Any, level: float = 0.95, **params: Any) -> NDArray[Any]:
        """Return intervals for the probability of each class, (n, K, 2), for two classes only.

        For two classes the new probability increases with the old one, so the bounds are shifted as probabilities are.
        For more, the bounds of each class do not bound the sum in Bayes' rule.
        """
        (inner,) = self._fitted_inner()
        bounds: NDArray[Any] = inner.predict_interval(X, level, **params)
        if self._is_identity():
            return bounds
        if len(self.classes_) != 2:
            raise DataError(f"PriorShift has intervals for two classes only, not for {len(self.classes_)}: omit level, "
                            "or use the intervals of the inner classifier.")  # fmt: skip
        with np.errstate(divide="ignore"):  # a bound may be zero
            logs = np.log(bounds.astype(np.float64))
        # the low bound of one class belongs to the high bound of the other
        low = np.exp(self._shifted(np.column_stack([logs[:, 0, 0], logs[:, 1, 1]])))
        high = np.exp(self._shifted(np.column_stack([logs[:, 0, 1], logs[:, 1, 0]])))
        return np.stack([np.stack([low[:, 0], high[:, 0]], 1), np.stack([high[:, 1], low[:, 1]], 1)], axis=1)

    def decision_function(self, X: Any, **params: Any) -> NDArray[Any]:
        """Return log odds of ``classes_[1]``, (n,), or log P'(class | x), (n, K); unshifted, the inner scores."""
        if self._is_identity() and hasattr(self._inner, "decision_function"):
            return self._predict_inside("decision_function", X, params)
        if self._is_identity():
            return log_odds(self._unshifted_logs(X, params, "decision_function"))
        return log_odds(self._logs(X, params, "decision_function"))


def _impossible_rows(count: int) -> Note:
    return Note(
        "impossible-rows",
        f"{count} row(s) are impossible under every class of positive prior: their probabilities are the class priors.",
        remedy="Use a prior above zero for every class.",
        category=NotIdentifiedWarning,
    )


def _not_converged(adaptation: Adaptation) -> Note:
    return Note(
        "not-converged",
        f"after {adaptation.iterations} iterations the log likelihood may be {adaptation.gap:.2g} below its maximum.",
        remedy="Use more rows, or pass class_priors.",
        category=ConvergenceWarning,
    )
