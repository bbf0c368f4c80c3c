"""BLAS held to one thread while our own threads run over blocks, and given back however that ends."""

import os
import threading
from functools import cache
from types import TracebackType
from typing import Any

from threadpoolctl import ThreadpoolController

#: Taken again by its own thread: a holder may be collected, and let go, while another is being added.
_lock = threading.RLock()
#: Who needs BLAS to have one thread, by identity, with the thread each belongs to.
_holders: dict[int, int] = {}
#: The numbers of threads to go back to; kept until they are all set again, so that an interrupt loses none.
_before: list[int] | None = None
_limited = False


@cache
def _libraries() -> list[Any]:
    import scipy.linalg  # noqa: F401  its BLAS must be loaded to be found

    return list(ThreadpoolController().select(user_api="blas").lib_controllers)  # takes milliseconds, so once


class single_threaded_blas:  # noqa: N801  used as a function
    """Hold BLAS to one thread; the last of several holders, in any threads, restores what was before.

    Interrupts leave nothing behind: what was not restored when a context was left is when it is collected, or by the
    next that is left.
    """

    def __enter__(self) -> None:
        with _lock:
            _holders[id(self)] = threading.get_ident()
            _settle()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._let_go()

    def __del__(self) -> None:
        if id(self) in _holders or (_before is not None and not _holders):
            self._let_go()

    def _let_go(self) -> None:
        with _lock:
            _holders.pop(id(self), None)
            _settle()


def _settle() -> None:
    """Bring the libraries into the state that the holders want; done again, it does what an interrupt left undone."""
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
    """Let any thread change the setting: threadpoolctl may keep it to the thread that set it first."""
    if hasattr(library, "clear_controlling_thread"):
        library.clear_controlling_thread(force=True)


def _forked() -> None:
    """In a child process, forget the holders of threads that it does not have; the next holder restores BLAS."""
    global _limited  # noqa: PLW0603
    mine = threading.get_ident()
    for key in [key for key, thread in _holders.items() if thread != mine]:
        del _holders[key]
    _limited = bool(_holders)
    _lock.release()


if hasattr(os, "register_at_fork"):  # no thread is changing the setting, or holds the lock, while a child is made
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_forked)
