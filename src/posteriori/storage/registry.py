"""`Registry`: functions by the class that they are for."""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


class Registry:
    """Functions by class; those of a class hold for its subclasses too.

    >>> lengths = Registry()
    >>> @lengths.of(str, list)
    ... def length(value): return len(value)
    >>> [function("abc") for function in lengths.functions("abc")], lengths.functions(1)
    ([3], [])
    """

    def __init__(self) -> None:
        self._functions: dict[type, list[Callable[..., Any]]] = {}

    def of(self, *kinds: type) -> Callable[[Function], Function]:
        """Return a decorator that registers a function for some classes."""

        def register(function: Function) -> Function:
            for kind in kinds:
                self._functions.setdefault(kind, []).append(function)
            return function

        return register

    def functions(self, value: Any) -> list[Callable[..., Any]]:
        """Return the functions for a value: those of its base classes first."""
        return [each for kind in reversed(type(value).__mro__) for each in self._functions.get(kind, ())]


#: Checks of one value, called with the value and its place in the file.
RULES = Registry()
