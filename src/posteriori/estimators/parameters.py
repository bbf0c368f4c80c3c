"""`parameters`: write the `__init__` of an estimator from its annotated class attributes."""

from collections.abc import Callable
from dataclasses import MISSING, Field, field, make_dataclass
from inspect import get_annotations
from typing import Any, TypeVar, dataclass_transform

Estimator = TypeVar("Estimator")


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(field,))
def parameters(*, kw_only: bool = True) -> Callable[[type[Estimator]], type[Estimator]]:
    """Return a class decorator that writes an `__init__` which stores each annotated attribute, and does nothing else.

    It is the `__init__` of a dataclass: the attributes are the parameters, with their types and defaults, and those of
    decorated base classes follow. What `fit` learns is declared with ``field(init=False)``. The class does not become a
    dataclass: tools that meet one (dask, streamlit) identify it by its fields alone, so two fits would be one to them.

    Parameters
    ----------
    kw_only : whether the parameters are given by name only

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
        bases = (inherited, own) if kw_only else (own, inherited)  # a dataclass begins with the fields of its last base
        every: Any = make_dataclass(estimator.__qualname__, declared, bases=bases, kw_only=kw_only)
        estimator._parameters, estimator.__init__ = every, every.__init__  # type: ignore[attr-defined, method-assign, misc]
        return estimator

    return decorated


class _Nothing:
    """The parameters that a class inherits where no base class is decorated."""


def _declared(estimator: type) -> list[Any]:
    """Return name, type and default of the declared parameters; remove the declarations of what is learned."""
    declared: list[Any] = []
    for name, kind in get_annotations(estimator).items():
        default = vars(estimator).get(name, MISSING)
        described = default if isinstance(default, Field) else field(default=default)
        if isinstance(default, Field):
            delattr(estimator, name)
        if described.init:
            declared.append((name, kind, described))
    return declared
