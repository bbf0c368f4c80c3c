"""`Progress`: a bar on standard error for work that takes longer than two seconds."""

import sys
import time
from types import TracebackType
from typing import Any, Self, TypeVar

from posteriori.engines.options import current

T = TypeVar("T")

#: Seconds of silence before a bar appears.
PATIENCE = 2.0


class Progress:
    """Counts finished parts and, once patience has run out, shows them with rich."""

    def __init__(self, label: str, total: int) -> None:
        shown = current().progress
        self.wanted = sys.stderr.isatty() if shown is None else shown
        self.label, self.total, self.done = label, total, 0
        self.started = time.monotonic()
        self.bar: Any = None

    def __enter__(self) -> Self:
        return self

    def tick(self, result: T) -> T:
        """Count one part as finished and pass its result through."""
        self.done += 1
        if self.wanted and (self.bar is not None or time.monotonic() - self.started > PATIENCE):
            self._show()
        return result

    def _show(self) -> None:
        if self.bar is None:
            from rich.console import Console
            from rich.progress import Progress as Bar

            self.bar = Bar(console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task(self.label, total=self.total)
            self.bar.start()
        self.bar.update(self.task, completed=self.done)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()
