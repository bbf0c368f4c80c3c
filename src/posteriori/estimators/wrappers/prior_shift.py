"""`PriorShift`: a classifier in a place where the classes are more or less common than in training."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.decisions.prior_shift import Adaptation, estimate_priors, shift
from posteriori.engines.progress import job
from posteriori.estimators.base import as_given, logs_as_given
from posteriori.estimators.log_probabilities import log_odds, log_probabilities_of
from posteriori.estimators.parameters import parameters
from posteriori.estimators.wrappers.base import Wrapper, inner_has
from posteriori.estimators.wrappers.parts import checked
from posteriori.estimators.wrappers.training_priors import kept_priors, seen_priors
from posteriori.input.classes.priors import read_class_priors, refuse_unseen
from posteriori.input.frames.alignment import aligned
from posteriori.input.weights import read_weights
from posteriori.messages.errors import ConvergenceWarning, DataError, NotIdentifiedWarning
from posteriori.messages.notes import Note
from posteriori.storable import storable


class UnknownPriorsError(DataError, AttributeError):
    """The priors of training are not known."""


@storable
@parameters(kw_only=False)
class PriorShift(Wrapper):
    """A classifier under new class priors.

    Where only the shares of the classes changed, and rows of a class look as they did in training,

        P'(k | x) = P(k | x) (pi'_k / pi_k) / sum_j P(j | x) (pi'_j / pi_j),

    with pi the priors of training and pi' the new ones; computed in log space.

    Book: [Bishop] Eq. 4.62, §4.2; Saerens, Latinne & Decaestecker (2002).

    Parameters
    ----------
    estimator : a classifier with probabilities, of this library or scikit-learn's, fitted or not
    class_priors : (K,) | {class: p}, optional
        The new priors, summing to one; a class at 0 is never predicted. None changes nothing, until `adapt`
        estimates them.
    training_priors : (K,) | {class: p}, optional
        Those of training. By default the priors that the classifier keeps (``class_priors_``), else the classes'
        shares in `fit`, by weight.

    Attributes
    ----------
    classes_ : (K,)
    class_priors_ : (K,) the priors in force: estimated by `adapt`, given, or those of training
    training_priors_ : (K,)
    adaptation_ : the estimate of `adapt` and its certificate; not there before
    estimator_ : the fitted classifier, a clone of the one given; not there until `fit` is called
    n_features_in_, feature_names_in_ : those of the classifier inside

    Notes
    -----
    Around a fitted classifier it answers at once; `fit` clones and fits, and forgets what `adapt` found. A decision
    inside, by cost or with rejection, is made on the new probabilities. A row whose classes of positive prior are
    all impossible is given the new priors, with a warning.

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

    def _learn(self, inner: Any, X: Any, y: Any, given: dict[str, Any]) -> dict[str, Any]:
        classes = np.asarray(inner.classes_)
        new = None if self.class_priors is None else read_class_priors(self.class_priors, classes, "class_priors")
        learned: dict[str, Any] = {}
        training = kept_priors(inner)
        if self.training_priors is not None:
            training = read_class_priors(self.training_priors, classes, "training_priors")
        elif training is None:
            training = seen_priors(inner, X, y, given)
            learned = {} if training is None else {"seen_priors_": training}
        if new is not None:
            refuse_unseen(self._known(training, inner), new, classes)
        return learned

    def _known(self, training: Array | None, inner: Any) -> Array:
        if training is None:
            raise UnknownPriorsError(
                f"the class priors that {type(inner).__name__} was trained under are not known: it does not keep them "
                "and was not fitted here. Give training_priors."
            )
        return training

    @property
    def training_priors_(self) -> Array:
        """The priors that the probabilities of the classifier inside were learned under, (K,)."""
        check_is_fitted(self)
        if self.training_priors is not None:
            return read_class_priors(self.training_priors, self.classes_, "training_priors")
        seen = vars(self).get("seen_priors_")
        return self._known(kept_priors(self._inner) if seen is None else seen, self._inner)

    @property
    def class_priors_(self) -> Array:
        """The priors in force, (K,)."""
        check_is_fitted(self)
        if "adaptation_" in vars(self):
            priors: Array = self.adaptation_.priors
            return priors
        if self.class_priors is None:
            return self.training_priors_
        return read_class_priors(self.class_priors, self.classes_, "class_priors")

    def adapt(self, X: Any, sample_weight: Any = None, **given: Any) -> Self:
        """Estimate the priors of rows without labels, and use them from now on.

        They maximise the likelihood of the rows, by EM (Saerens et al. 2002) helped by Newton steps, to a certified
        gap: see ``adaptation_``. `predict` never adapts: a row's answer does not depend on its neighbours.

        Parameters
        ----------
        X : (n, d) rows, as they come where the classifier is used
        sample_weight : (n,) weights
        **given : passed on to the classifier inside

        Returns
        -------
        The classifier itself, with ``class_priors_`` and ``adaptation_``
        """
        training = self.training_priors_
        with job("estimating the class priors"):
            logs = self._logs_inside(X, given)
            weights = read_weights(aligned(X, sample_weight, "sample_weight"), len(logs))
            if not np.isfinite(logs[:, training > 0]).any():
                raise DataError(f"adapt needs rows that some class makes possible; of {len(logs)} none is.")
            found = estimate_priors(logs, training, weights)
        self.adaptation_ = found
        if not found.converged:
            _not_converged(found).warn()
        return self

    def set_params(self, **params: Any) -> Self:
        """Set parameters; priors given anew replace those that `adapt` has found."""
        if "adaptation_" in vars(self) and params.keys() & {"class_priors", "training_priors"}:
            del self.adaptation_
        super().set_params(**params)
        return self

    # --- probabilities

    def _changes_nothing(self) -> bool:
        if "adaptation_" not in vars(self) and self.class_priors is None:
            return True
        return np.array_equal(self.class_priors_, self.training_priors_)

    def _logs_inside(self, X: Any, given: dict[str, Any], caller: str = "predict") -> Array:
        inner = self._fitted()
        method = "predict_log_proba" if hasattr(inner, "predict_log_proba") else "predict_proba"
        logs = log_probabilities_of(inner, X, self._routed(caller, method, given))
        checked(np.exp(logs), inner, len(self.classes_))
        return logs

    def _logs(self, X: Any, given: dict[str, Any], caller: str = "predict") -> Array:
        """Give log P'(k | x); a row impossible under the new priors is given the priors themselves."""
        return self._shifted(self._logs_inside(X, given, caller), warn=True)

    def _shifted(self, inside: Array, warn: bool = False) -> Array:
        training, new = self.training_priors_, self.class_priors_
        refuse_unseen(training, new, self.classes_)
        logs = shift(inside, training, new)
        lost = np.isneginf(logs).all(axis=1)
        if lost.any():
            with np.errstate(divide="ignore"):
                logs[lost] = np.log(new)
            if warn:
                _impossible(int(lost.sum())).warn(stacklevel=6)
        return logs

    def _probabilities(self, X: Any, given: dict[str, Any], caller: str = "predict") -> Array:
        if self._changes_nothing():
            return super()._probabilities(X, given, caller)
        return np.exp(self._logs(X, given, caller))

    def predict_proba(self, X: Any, **given: Any) -> NDArray[Any]:
        """Give P'(class | x), (n, K) in the order of ``classes_``."""
        if self._changes_nothing():
            return super().predict_proba(X, **given)
        return as_given(X, np.exp(self._logs(X, given, "predict_proba")))

    def predict_log_proba(self, X: Any, **given: Any) -> NDArray[Any]:
        """Give log P'(class | x), (n, K)."""
        if self._changes_nothing():
            return logs_as_given(X, self._logs_inside(X, given, "predict_log_proba"))
        return logs_as_given(X, self._logs(X, given, "predict_log_proba"))

    @inner_has("predict_interval")
    def predict_interval(self, X: Any, level: float = 0.95, **given: Any) -> NDArray[Any]:
        """Give intervals for the probability of each class, (n, K, 2).

        Of two classes the new probability rises with the old one, so the bounds are shifted as probabilities are. Of
        more, bounds of each class do not say how far the sum in Bayes' rule may go, and there are none.
        """
        bounds: NDArray[Any] = super().predict_interval(X, level, **given)
        if self._changes_nothing():
            return bounds
        if len(self.classes_) != 2:
            raise DataError(f"PriorShift has intervals of two classes only, not of {len(self.classes_)}: leave level "
                            "out, or ask the classifier inside.")  # fmt: skip
        with np.errstate(divide="ignore"):  # a bound may be zero
            logs = np.log(bounds.astype(np.float64))
        low = np.exp(self._shifted(np.column_stack([logs[:, 0, 0], logs[:, 1, 1]])))  # of class 0, so high of class 1
        high = np.exp(self._shifted(np.column_stack([logs[:, 0, 1], logs[:, 1, 0]])))
        shifted: Array = np.stack([np.stack([low[:, 0], high[:, 0]], 1), np.stack([high[:, 1], low[:, 1]], 1)], axis=1)
        return shifted

    def decision_function(self, X: Any, **given: Any) -> NDArray[Any]:
        """Give log odds of ``classes_[1]``, (n,), or log P'(class | x), (n, K); unshifted, the scores inside."""
        if self._changes_nothing() and hasattr(self._inner, "decision_function"):
            return self._ask("decision_function", X, given)
        if self._changes_nothing():
            return log_odds(self._logs_inside(X, given, "decision_function"))
        return log_odds(self._logs(X, given, "decision_function"))


def _impossible(count: int) -> Note:
    return Note(
        "impossible-rows",
        f"{count} row(s) are impossible under every class of positive prior: they were given the class priors.",
        remedy="A prior above zero for every class gives each a chance.",
        category=NotIdentifiedWarning,
    )


def _not_converged(found: Adaptation) -> Note:
    return Note(
        "not-converged",
        f"after {found.iterations} iterations the log likelihood may still be {found.gap:.2g} below its maximum.",
        remedy="Give class_priors, or more rows.",
        category=ConvergenceWarning,
    )
