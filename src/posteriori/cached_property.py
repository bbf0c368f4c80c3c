"""`cached_property` without a lock: that of Python 3.11 has one, which a forked child may inherit locked for ever."""

from typing import TYPE_CHECKING, Any

__all__ = ["cached_property"]

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:  # noqa: N801  it replaces functools.cached_property
        """An attribute that is computed when first read; two threads may compute it at once, to the same value.

        >>> class Table:
        ...     @cached_property
        ...     def n_rows(self):
        ...         print("counted")
        ...         return 3
        >>> table = Table()
        >>> table.n_rows, table.n_rows
        counted
        (3, 3)
        """

        def __init__(self, function: Any) -> None:
            self.function, self.__doc__ = function, function.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.function(instance)
            return value
