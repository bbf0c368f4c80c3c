"""Progress on standard error for work that takes longer than two seconds.

A `job` is a call that a user waits for: a fit, a prediction. Its sweeps share one line, which appears when the job has
lasted longer than `PATIENCE`.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from types import TracebackType
from typing import Any, Self, TypeVar

from posteriori.engines.blas import single_threaded_blas
from posteriori.engines.options import current

T = TypeVar("T")

#: Seconds before the line appears.
PATIENCE = 2.0


class Job:
    """A call that a user waits for, and its progress line on standard error."""

    def __init__(self, label: str) -> None:
        shown = current().progress
        self.wanted = sys.stderr.isatty() if shown is None else shown
        self.label, self.sweeps = label, 0
        self.started = time.monotonic()
        self.line: Any = None
        self.whole: Progress | None = None

    def show(self, what: str, done: int, total: int) -> None:
        """Update the line, once the job has lasted longer than `PATIENCE`."""
        if not self.wanted or (self.line is None and time.monotonic() - self.started < PATIENCE):
            return
        if self.line is None:
            from rich.console import Console
            from rich.progress import Progress as Line

            self.line = Line(console=Console(stderr=True), transient=True)
            self.task = self.line.add_task(self.label)
            with suppress(RuntimeError):  # where no thread can be started to redraw it, the line stays as it is
                self.line.start()
        text = f"{self.label}: sweep {self.sweeps} ({what})"
        if self.whole is not None:
            text = f"{self.label}: {done} of {total} {what}"
        self.line.update(self.task, description=text, completed=done, total=total)

    def close(self) -> None:
        """Remove the line."""
        if self.line is not None:
            self.line.stop()


_job: ContextVar[Job | None] = ContextVar("posteriori_job", default=None)


@contextmanager
def job(label: str) -> Iterator[None]:
    """Limit BLAS to one thread and show one progress line for all sweeps inside; nested jobs count as one."""
    if _job.get() is not None:
        yield
        return
    mine = Job(label)
    token = _job.set(mine)
    try:
        with single_threaded_blas():
            yield
    finally:
        _job.reset(token)
        mine.close()


class Progress:
    """Counts the finished parts of one sweep for its job.

    If it counts the parts of the `whole` job, such as the fits of a comparison, the line shows nothing else.
    """

    def __init__(self, what: str, total: int, *, whole: bool = False) -> None:
        self.what, self.total, self.done = what, total, 0
        self.job = _job.get() or Job(what)
        self.own = _job.get() is None
        self.job.sweeps += 1
        if whole and self.job.whole is None:
            self.job.whole = self

    def __enter__(self) -> Self:
        return self

    def tick(self, result: T) -> T:
        """Count one part as finished; return its result."""
        self.done += 1
        if self.job.whole in (None, self):
            self.job.show(self.what, self.done, self.total)
        return result

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.job.whole is self:
            self.job.whole = None
        if self.own:
            self.job.close()
