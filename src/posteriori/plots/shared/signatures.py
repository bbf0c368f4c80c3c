"""Signatures of methods that pass their options on to another one."""

import inspect
from collections.abc import Callable, Collection
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def options_of(reference: Any, *, without: Collection[str] = ()) -> Callable[[Method], Method]:
    """Show the options of one method in the signature of another, which takes them as ``**options`` or ``**params``.

    ``**options`` is replaced by them; ``**params``, which has other arguments as well, remains.

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
        shown = [each for name, each in own.parameters.items() if name != "options"]
        shown += [each for name, each in _options(reference).items() if name not in {*own.parameters, *without}]
        parameters = sorted(shown, key=lambda each: each.kind)  # **params last
        method.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        return method

    return completed


def split_options(reference: Any, params: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the arguments that are options of a function or class method, and the others.

    >>> split_options(lambda X, *, tol=1e-8: X, {"tol": 1e-6, "offset": None})
    ({'tol': 1e-06}, {'offset': None})
    """
    known = _options(reference)
    options = {name: value for name, value in params.items() if name in known}
    return options, {name: value for name, value in params.items() if name not in known}


def _options(reference: Any) -> dict[str, inspect.Parameter]:
    """Return the keyword-only parameters of a function or class method."""
    known = inspect.signature(inspect.unwrap(reference)).parameters
    return {name: each for name, each in known.items() if each.kind is each.KEYWORD_ONLY}
