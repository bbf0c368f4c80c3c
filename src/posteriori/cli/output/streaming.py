"""A function applied to a data file in batches: what predict and explain have in common."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Full, Queue
from threading import Event, Thread
from typing import Any, TypeVar

from posteriori.cli.failures import print_stderr
from posteriori.cli.models.requirements import requirements
from posteriori.cli.reading.files import Stream
from posteriori.cli.reading.infinite_cells import refuse_infinite
from posteriori.cli.reading.sources import Source
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote

T = TypeVar("T")


def each_batch(model: Any, data: str, options: dict[str, Any], function: Callable[[Any], T]) -> Iterator[T]:
    """Yield the function's result for each batch of DATA, an Arrow table of the columns that the model needs.

    Extra columns and each category of warning are noted once. An error names the rows of its batch.
    """
    from posteriori.engines.options import options as run_options
    from posteriori.engines.progress import job

    needs = requirements(model)
    source = Source(data, options["delimiter"], options["encoding"], options["decimal"], needs.texts)
    stream = Stream(source, needs.columns, needs.numbers, needs.texts)
    notes = Notes(options["quiet"])
    before = 0
    with run_options(progress=False if options["quiet"] else None), job("reading and predicting"):
        for table in stream if data == "-" else ahead(iter(stream)):
            if before == 0:
                _note_extra(stream.names, needs.columns, notes)
            refuse_infinite(source.name, table, needs.numbers, before)
            with notes.record(), _located(source.name, before, table.num_rows):
                result = function(table)
            yield result
            before += table.num_rows
    notes.close()


def ahead(batches: Iterator[T]) -> Iterator[T]:
    """Yield batches while a thread reads the next one: reading and predicting take about equally long.

    Not for standard input: an interrupt could not stop a thread that waits for rows.
    """
    ready: Queue[tuple[Any, BaseException | None]] = Queue(maxsize=1)
    stopped = Event()

    def put(batch: Any, error: BaseException | None) -> None:
        while not stopped.is_set():
            with suppress(Full):
                ready.put((batch, error), timeout=0.1)
                return

    def read() -> None:
        try:
            for batch in batches:
                put(batch, None)
                if stopped.is_set():
                    return
            put(None, StopIteration())
        except BaseException as error:  # raised again by the consumer
            put(None, error)

    thread = Thread(target=read, daemon=True)
    thread.start()
    try:
        while True:
            batch, error = ready.get()
            if isinstance(error, StopIteration):
                return
            if error is not None:
                raise error
            yield batch
    finally:
        stopped.set()
        thread.join(5.0)


@contextmanager
def _located(name: str, before: int, n_rows: int) -> Iterator[None]:
    """Add the row numbers of a batch, other than the first, to an error."""
    try:
        yield
    except DataError as error:
        if before == 0:
            raise
        raise type(error)(
            f"{name}, rows {before + 1} to {before + n_rows} below the header (row numbers in this message count from "
            f"the first of these rows): {error}"
        ) from None


def _note_extra(names: list[str], used: tuple[str, ...] | None, notes: "Notes") -> None:
    known = set(names if used is None else used)
    extra = [name for name in names if name not in known]
    if extra:
        notes.add(f"ignored {len(extra)} column(s) that the model does not use: {quote(extra)}.")


class Notes:
    """Warnings as notes on standard error: the first of each category is printed, the others are counted."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.more: dict[type[Warning], int] = {}

    def add(self, text: str) -> None:
        """Print a note, unless quiet."""
        if not self.quiet:
            print_stderr(f"Note: {text}")

    @contextmanager
    def record(self) -> Iterator[None]:
        """Print the warnings of a batch as notes."""
        with warnings.catch_warnings(record=True) as recorded:
            warnings.simplefilter("always")
            yield
        earlier = set(self.more)
        for text, category in {str(warning.message): warning.category for warning in recorded}.items():
            if category in earlier:
                self.more[category] += 1
            else:
                self.more[category] = 0
                self.add(text)

    def close(self) -> None:
        """Print how many more notes of each category there were."""
        for count in self.more.values():
            if count:
                self.add(f"{count} more note(s) of this kind for later rows.")
