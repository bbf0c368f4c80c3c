"""`single_threaded_blas`: BLAS limited to one thread while the threads of an engine run, and always restored."""

import os
import threading
from contextlib import suppress
from functools import cache
from types import TracebackType
from typing import Any

from threadpoolctl import ThreadpoolController

#: Reentrant: a holder may be garbage-collected, and released, while its thread adds another.
_lock = threading.RLock()
#: The contexts that need BLAS to have one thread, by identity, with the thread of each.
_holders: dict[int, int] = {}
#: The numbers of threads to restore; kept until all are restored, so that an interrupt loses none.
_before: list[int] | None = None
_limited = False


@cache
def _libraries() -> list[Any]:
    import scipy.linalg  # noqa: F401  threadpoolctl controls loaded libraries only

    return list(ThreadpoolController().select(user_api="blas").lib_controllers)  # takes milliseconds, so once


class single_threaded_blas:  # noqa: N801  used as a function
    """Limit BLAS to one thread; the last of several contexts, in any threads, restores the earlier numbers.

    After an interrupt, too: what was not restored when a context was left is restored when it is garbage-collected, or
    when the next one is left.
    """

    def __enter__(self) -> None:
        with _lock:
            _holders[id(self)] = threading.get_ident()
            _apply()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def __del__(self) -> None:
        if id(self) in _holders or (_before is not None and not _holders):
            self._release()

    def _release(self) -> None:
        with _lock:
            _holders.pop(id(self), None)
            _apply()


def _apply() -> None:
    """Set the numbers of threads that the holders need; a second call completes what an interrupt prevented."""
    global _before, _limited  # noqa: PLW0603  the setting is the process's own
    if _holders and not _limited:
        if _before is None:
            _before = [library.num_threads for library in _libraries()]
        _set([1] * len(_before))
        _limited = True
    elif not _holders and _before is not None:
        _limited = False
        _set(_before)
        _before = None


def _set(numbers: list[int]) -> None:
    for library, number in zip(_libraries(), numbers, strict=True):
        _free(library)
        library.set_num_threads(number)
        _free(library)


def _free(library: Any) -> None:
    """Let any thread change the setting: threadpoolctl may reserve it for the thread that set it first."""
    if hasattr(library, "clear_controlling_thread"):
        library.clear_controlling_thread(force=True)


def _in_child() -> None:
    """Remove, in a child process, the holders of threads that it does not have; the next holder restores BLAS."""
    global _limited, _lock  # noqa: PLW0603
    mine = threading.get_ident()
    for key in [key for key, thread in _holders.items() if thread != mine]:
        del _holders[key]
    _limited = bool(_holders)
    _lock = threading.RLock()


def _before_fork() -> None:
    _lock.acquire()


def _in_parent() -> None:
    """Release the lock, which was not acquired if another thread imported this module while the fork began."""
    with suppress(RuntimeError):
        _lock.release()


if hasattr(os, "register_at_fork"):  # no thread changes the setting, or has the lock, during a fork
    os.register_at_fork(before=_before_fork, after_in_parent=_in_parent, after_in_child=_in_child)
