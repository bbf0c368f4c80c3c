"""`options`: settings of the run that do not belong to a model."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

from posteriori.checks.memory import allowed_bytes, read_bytes
from posteriori.checks.parameters import is_whole
from posteriori.messages.errors import DataError


@dataclass(frozen=True)
class Options:
    """Number of threads, whether to show progress (None: on a terminal, after two seconds), and bytes allowed."""

    threads: int | None = None
    progress: bool | None = None
    max_memory: int | None = None

    @property
    def n_threads(self) -> int:
        """The number of threads: the option, else POSTERIORI_NUM_THREADS, else the cores available to the process."""
        if self.threads is not None:
            return self.threads
        setting = os.environ.get("POSTERIORI_NUM_THREADS", "")
        return int(setting) if setting.isdigit() and int(setting) > 0 else available_cores()


def available_cores() -> int:
    """Return the number of cores available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_current: ContextVar[Options] = ContextVar("posteriori_options", default=Options())  # noqa: B039  frozen


def current() -> Options:
    """Return the options of the current context."""
    return _current.get()


@contextmanager
def options(
    *, threads: int | None = None, progress: bool | None = None, max_memory: int | str | None = None
) -> Iterator[Options]:
    """Set how fits and predictions are executed inside the context; results do not depend on it.

    Parameters
    ----------
    threads : number of threads, default all cores available to the process
    progress : whether to show progress; None shows it on a terminal after two seconds
    max_memory : bytes, or text such as "2 GB"; data and model files that need more raise an error before anything of
        that size is allocated. Default: the memory available to the machine, the container and the process

    Examples
    --------
    >>> import posteriori as pt
    >>> with pt.options(threads=1):
    ...     model = pt.GaussianClassifier().fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
    """
    if threads is not None and not is_whole(threads, least=1):
        raise DataError(f"threads must be a whole number from 1 up, not {threads!r}.")
    before = _current.get()
    chosen = replace(
        before,
        threads=before.threads if threads is None else threads,
        progress=before.progress if progress is None else progress,
        max_memory=before.max_memory if max_memory is None else read_bytes(max_memory),
    )
    token, allowed = _current.set(chosen), allowed_bytes.set(chosen.max_memory)
    try:
        yield chosen
    finally:
        _current.reset(token)
        allowed_bytes.reset(allowed)
