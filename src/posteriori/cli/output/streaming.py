"""A function of a model's rows, carried through a data file piece by piece: what predict and explain share."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Full, Queue
from threading import Event, Thread
from typing import Any, TypeVar

from posteriori.cli.failures import say
from posteriori.cli.models.requirements import needs_of
from posteriori.cli.reading.files import Stream
from posteriori.cli.reading.infinite_cells import refuse_infinite
from posteriori.cli.reading.sources import Source
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote

T = TypeVar("T")


def each_piece(model: Any, data: str, options: dict[str, Any], function: Callable[[Any], T]) -> Iterator[T]:
    """Give what the function makes of each piece of DATA, an Arrow table of the columns that the model takes.

    Extra columns are noted once, and so is each kind of warning. An error says which rows the piece holds.
    """
    from posteriori.engines.options import options as run_options
    from posteriori.engines.progress import job

    needs = needs_of(model)
    source = Source(data, options["delimiter"], options["encoding"], options["decimal"], needs.texts)
    stream = Stream(source, needs.columns, needs.numbers, needs.texts)
    notes = Notes(options["quiet"])
    before = 0
    with run_options(progress=False if options["quiet"] else None), job("reading and predicting"):
        for table in stream if data == "-" else ahead(iter(stream)):
            if before == 0:
                _note_extra(stream.names, needs.columns, notes)
            refuse_infinite(source.name, table, needs.numbers, before)
            with notes.caught(), _located(source.name, before, table.num_rows):
                result = function(table)
            yield result
            before += table.num_rows
    notes.close()


def ahead(pieces: Iterator[T]) -> Iterator[T]:
    """Give pieces in order while a thread reads the next: reading and predicting take about as long.

    Not for standard input, where a thread waiting for rows could not be stopped by an interrupt.
    """
    ready: Queue[tuple[Any, BaseException | None]] = Queue(maxsize=1)
    stopped = Event()

    def put(piece: Any, error: BaseException | None) -> None:
        while not stopped.is_set():
            with suppress(Full):
                ready.put((piece, error), timeout=0.1)
                return

    def read() -> None:
        try:
            for piece in pieces:
                put(piece, None)
                if stopped.is_set():
                    return
            put(None, StopIteration())
        except BaseException as error:  # raised again where the pieces are asked for
            put(None, error)

    thread = Thread(target=read, daemon=True)
    thread.start()
    try:
        while True:
            piece, error = ready.get()
            if isinstance(error, StopIteration):
                return
            if error is not None:
                raise error
            yield piece
    finally:
        stopped.set()
        thread.join(5.0)


@contextmanager
def _located(name: str, before: int, n_rows: int) -> Iterator[None]:
    """Add to an error which rows it is about, where they are not the first."""
    try:
        yield
    except DataError as error:
        if before == 0:
            raise
        raise type(error)(
            f"{name}, among rows {before + 1} to {before + n_rows} below the header (numbers of rows that follow "
            f"count from the first of these): {error}"
        ) from None


def _note_extra(there: list[str], used: tuple[str, ...] | None, notes: "Notes") -> None:
    known = set(there if used is None else used)
    extra = [name for name in there if name not in known]
    if extra:
        notes.say(f"{len(extra)} column(s) that the model does not use are ignored: {quote(extra)}.")


class Notes:
    """Warnings as notes on standard error: the first of each kind in words, the others counted."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.more: dict[type[Warning], int] = {}

    def say(self, text: str) -> None:
        """Say a note, unless quiet."""
        if not self.quiet:
            say(f"Note: {text}")

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Say the warnings of a piece as notes."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        said: set[str] = set()
        for warning in caught:
            text = str(warning.message)
            if warning.category in self.more and text not in said:
                self.more[warning.category] += 1
            elif text not in said:
                self.say(text)
            said.add(text)
        for category in {warning.category for warning in caught}:
            self.more.setdefault(category, 0)

    def close(self) -> None:
        """Say how many more notes of a kind there were."""
        for count in self.more.values():
            if count:
                self.say(f"{count} more note(s) of that kind came from rows further down.")
