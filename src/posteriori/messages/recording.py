"""`recorded_warnings`: the warnings of a thread in a list; the filters of the process are the same before and after."""

import os
import threading
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


class _Shared:
    """What all recordings of the process share: one change of the filters, made by the first and undone by the last.

    `warnings.catch_warnings` keeps and restores the filters of the process, so two that overlap in two threads leave
    the filters of one of them for good.
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
                self.show, warnings.showwarning = warnings.showwarning, self.keep
            self.count += 1

    def end(self) -> None:
        with self.lock:
            self.count -= 1
            if self.count == 0:
                self.context.__exit__(None, None, None)

    def keep(
        self, message: Any, category: type[Warning], filename: str, lineno: int, file: Any = None, line: Any = None
    ) -> None:
        """Keep a warning of a thread that records; show that of another."""
        lists: list[list[warnings.WarningMessage]] = getattr(self.own, "lists", [])
        if lists:
            lists[-1].append(warnings.WarningMessage(message, category, filename, lineno, file, line))
        else:
            self.show(message, category, filename, lineno, file, line)


_shared = _Shared()


def _renew() -> None:
    """Let a forked child begin anew: threads that recorded are not there, and nobody would undo their change."""
    global _shared  # noqa: PLW0603  a lock held by a thread that is gone can only be replaced
    if _shared.count:
        _shared.context.__exit__(None, None, None)
    _shared = _Shared()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)


@contextmanager
def recorded_warnings() -> Iterator[list[warnings.WarningMessage]]:
    """Keep the warnings of this thread in a list in place of showing them.

    Recordings may overlap in any number of threads; when none is left, filters are what they were before.

    Examples
    --------
    >>> with recorded_warnings() as caught:
    ...     warnings.warn("mind the gap", stacklevel=1)
    >>> [str(each.message) for each in caught]
    ['mind the gap']
    """
    shared, kept = _shared, list[warnings.WarningMessage]()
    shared.begin()
    shared.own.lists = [*getattr(shared.own, "lists", []), kept]
    try:
        yield kept
    finally:
        shared.own.lists = shared.own.lists[:-1]
        shared.end()


def warn_again(
    caught: Iterable[warnings.WarningMessage], but: tuple[type[Warning], ...] = (), stacklevel: int = 3
) -> None:
    """Give recorded warnings again, each text once, without those of some kinds."""
    for message, category in {(str(each.message), each.category): None for each in caught}:
        if not issubclass(category, but):
            warnings.warn(message, category, stacklevel=stacklevel)
