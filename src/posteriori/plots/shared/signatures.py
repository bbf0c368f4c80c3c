"""Signatures of methods that pass their options on to another one."""

import inspect
from collections.abc import Callable, Collection
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def options_of(reference: Any, *, without: Collection[str] = ()) -> Callable[[Method], Method]:
    """Show the options of one method in the signature of another, which takes them as ``**options``.

    Parameters
    ----------
    reference : the function or class method whose keyword-only parameters are shown
    without : names of those that the other method does not take

    Examples
    --------
    >>> def fit(X, *, tol=1e-8, max_iter=None, **other): ...
    >>> @options_of(fit, without=["max_iter"])
    ... def refit(model, **options): ...
    >>> str(inspect.signature(refit))
    '(model, *, tol=1e-08)'
    """

    def completed(method: Method) -> Method:
        own = inspect.signature(method)
        named = {name: each for name, each in own.parameters.items() if each.kind is not each.VAR_KEYWORD}
        known = inspect.signature(getattr(reference, "__func__", reference)).parameters
        for name, each in known.items():
            if each.kind is each.KEYWORD_ONLY and name not in without:
                named.setdefault(name, each)
        method.__signature__ = own.replace(parameters=list(named.values()))  # type: ignore[attr-defined]
        return method

    return completed
