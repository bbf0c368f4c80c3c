"""`after_fit`: a decorator of methods that an estimator has only after `fit`."""

from collections.abc import Callable
from functools import update_wrapper
from types import MethodType
from typing import Any

from sklearn.utils.validation import check_is_fitted


class after_fit:  # noqa: N801  a decorator
    """Make a method available only after `fit`; before, access raises a `NotFittedError`.

    That error is an `AttributeError`, so ``hasattr`` returns False. scikit-learn's check of decision_function against
    predict_proba fits rows with negative cells to all estimators that have both methods before the fit; an estimator
    with the tag positive_only can pass it in no other way.

    >>> import posteriori as pt
    >>> hasattr(pt.NoisyOr(), "decision_function")
    False
    >>> pt.NoisyOr().decision_function([[1.0]])
    Traceback (most recent call last):
    sklearn.exceptions.NotFittedError: This NoisyOr instance is not fitted yet. ...
    """

    def __init__(self, method: Callable[..., Any]) -> None:
        self.method = method
        update_wrapper(self, method)  # type: ignore[arg-type]

    def __get__(self, estimator: Any, owner: type | None = None) -> Any:
        """Return the function of a class, or the method of a fitted estimator."""
        if estimator is None:
            return self.method
        check_is_fitted(estimator)
        return MethodType(self.method, estimator)
