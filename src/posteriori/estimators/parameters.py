"""`parameters`: a class decorator that generates `__init__` from annotated class attributes."""

from collections.abc import Callable
from dataclasses import MISSING, Field, field, make_dataclass
from inspect import get_annotations
from typing import Any, TypeVar, dataclass_transform

Estimator = TypeVar("Estimator")


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(field,))
def parameters(*, kw_only: bool = True) -> Callable[[type[Estimator]], type[Estimator]]:
    """Return a class decorator that generates an `__init__` that only stores the annotated attributes.

    It is the `__init__` of a dataclass: the attributes are the parameters, with their types and defaults, followed by
    those of decorated base classes. Learned attributes are declared with ``field(init=False)``. The class does not
    become a dataclass, because dask and streamlit identify dataclasses by their fields alone and would confuse two
    fits.

    Parameters
    ----------
    kw_only : whether the parameters are keyword-only

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> @parameters()
    ... class Ridge(BaseEstimator):
    ...     precision: float = 0.1
    ...     coef_: list[float] = field(init=False)
    >>> Ridge(precision=2.0).get_params()
    {'precision': 2.0}
    """

    def decorated(estimator: type[Estimator]) -> type[Estimator]:
        declared = _declared(estimator)
        own, inherited = make_dataclass("_Own", declared, kw_only=kw_only), getattr(estimator, "_parameters", _Nothing)
        bases = (inherited, own) if kw_only else (own, inherited)  # the fields of the last base are first
        every: Any = make_dataclass(estimator.__qualname__, declared, bases=bases, kw_only=kw_only)
        estimator._parameters, estimator.__init__ = every, every.__init__  # type: ignore[attr-defined, method-assign, misc]
        return estimator

    return decorated


class _Nothing:
    """The inherited parameters of a class without decorated base classes."""


def _declared(estimator: type) -> list[Any]:
    """Return name, type and default of the declared parameters; delete the declarations of learned attributes."""
    declared: list[Any] = []
    for name, kind in get_annotations(estimator).items():
        default = vars(estimator).get(name, MISSING)
        described = default if isinstance(default, Field) else field(default=default)
        if isinstance(default, Field):
            delattr(estimator, name)
        if described.init:
            declared.append((name, kind, described))
    return declared
