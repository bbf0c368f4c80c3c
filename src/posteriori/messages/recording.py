"""`recorded_warnings`: record the warnings of one thread; the warning filters of the process are restored."""

import os
import threading
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from posteriori.messages.user_warning import warn


class _Filters:
    """The warning filters of the process: the first recording changes them, the last one restores them.

    `warnings.catch_warnings` saves and restores the filters of the process, so two of them that overlap in two threads
    can leave the filters of one in place for good.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.count = 0
        self.own = threading.local()

    def begin(self) -> None:
        with self.lock:
            if self.count == 0:
                self.context = warnings.catch_warnings()
                self.context.__enter__()
                warnings.simplefilter("always")
                self.show, warnings.showwarning = warnings.showwarning, self.record
            self.count += 1

    def end(self) -> None:
        with self.lock:
            self.count -= 1
            if self.count == 0:
                self.context.__exit__(None, None, None)

    def record(
        self, message: Any, category: type[Warning], filename: str, lineno: int, file: Any = None, line: Any = None
    ) -> None:
        """Record the warning if this thread is recording; otherwise show it."""
        lists: list[list[warnings.WarningMessage]] = getattr(self.own, "lists", [])
        if lists:
            lists[-1].append(warnings.WarningMessage(message, category, filename, lineno, file, line))
        else:
            self.show(message, category, filename, lineno, file, line)


_filters = _Filters()


def _reset() -> None:
    """Restore the filters in a forked child: the threads that were recording do not exist there."""
    global _filters  # noqa: PLW0603  a lock held by a thread that no longer exists can only be replaced
    if _filters.count:
        _filters.context.__exit__(None, None, None)
    _filters = _Filters()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset)


@contextmanager
def recorded_warnings() -> Iterator[list[warnings.WarningMessage]]:
    """Record the warnings of this thread in a list instead of showing them.

    Recordings may overlap in any number of threads; when the last one ends, the filters are restored.

    Examples
    --------
    >>> with recorded_warnings() as caught:
    ...     warnings.warn("not converged", stacklevel=1)
    >>> [str(each.message) for each in caught]
    ['not converged']
    """
    filters, recorded = _filters, list[warnings.WarningMessage]()
    filters.begin()
    filters.own.lists = [*getattr(filters.own, "lists", []), recorded]
    try:
        yield recorded
    finally:
        filters.own.lists = filters.own.lists[:-1]
        filters.end()


def warn_again(recorded: Iterable[warnings.WarningMessage], excluded: tuple[type[Warning], ...] = ()) -> None:
    """Emit recorded warnings, each text once, except those of some categories."""
    for message, category in {(str(each.message), each.category): None for each in recorded}:
        if not issubclass(category, excluded):
            warn(message, category)
