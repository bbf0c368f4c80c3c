"""`Learned`: a learned attribute of an estimator, read from its fitted model."""

from operator import attrgetter
from typing import Any, Generic, TypeVar

from sklearn.utils.validation import check_is_fitted

T = TypeVar("T")


class Learned(Generic[T]):
    """A read-only attribute of an estimator: a value of ``model_``, the result of its last fit.

    Before `fit` the access raises scikit-learn's `NotFittedError`, which is an `AttributeError`; a value that the fit
    does not have raises an `AttributeError`, too.

    Parameters
    ----------
    path : of the value in the model
    optional : whether None stands for a value that a fit need not have

    >>> import posteriori as pt
    >>> model = pt.LogisticRegression()
    >>> hasattr(model, "coef_")
    False
    >>> model.fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]).coef_ is model.model_.coef
    True
    >>> model.coef_ = 1.0
    Traceback (most recent call last):
    AttributeError: coef_ is read from the fitted model and cannot be set: fit again, or change a copy of it.
    """

    def __init__(self, path: str, *, optional: bool = False) -> None:
        self._read, self._optional = attrgetter(path), optional

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, estimator: Any, owner: type | None = None) -> T:
        if estimator is None:
            return self  # type: ignore[return-value]
        model = vars(estimator).get("model_")
        if model is None:
            check_is_fitted(estimator)  # raises
        value: T = self._read(model)
        if value is None and self._optional:
            raise AttributeError(f"this {type(estimator).__name__} has no {self._name}: its fit did not compute it.")
        return value

    def __set__(self, estimator: Any, value: Any) -> None:
        raise AttributeError(
            f"{self._name} is read from the fitted model and cannot be set: fit again, or change a copy of it."
        )


def replace_learned(estimator: Any, **learned: Any) -> None:
    """Delete all learned attributes of an estimator (their names end in an underscore) and set the new ones."""
    for name in [name for name in vars(estimator) if name.endswith("_") and not name.startswith("__")]:
        delattr(estimator, name)
    for name, value in learned.items():
        setattr(estimator, name, value)
