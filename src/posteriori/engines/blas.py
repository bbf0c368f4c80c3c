"""BLAS held to one thread while our own threads run over blocks."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController

_lock = threading.Lock()
_holders = 0
_limit: Any = None


@cache
def _controller() -> ThreadpoolController:
    import scipy.linalg  # noqa: F401  its BLAS must be loaded to be found

    return ThreadpoolController()  # finding the libraries takes milliseconds, so once


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Hold BLAS to one thread; the last of several holders, in any threads, restores what was before."""
    global _holders, _limit  # noqa: PLW0603  the setting is the process's own
    with _lock:
        if _holders == 0:
            _limit = _controller().limit(limits=1, user_api="blas")  # set from here on
            _let_go()
        _holders += 1
    try:
        yield
    finally:
        with _lock:
            _holders -= 1
            if _holders == 0:
                _limit.restore_original_limits()
                _let_go()
                _limit = None


def _let_go() -> None:
    """Let any thread change the setting: threadpoolctl may keep it to the thread that set it first."""
    for library in _controller().lib_controllers:
        if hasattr(library, "clear_controlling_thread"):
            library.clear_controlling_thread(force=True)
