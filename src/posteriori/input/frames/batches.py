"""`Batches`: a frame that is read in batches of rows, as often as needed; a frame in memory is one of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import Any, Protocol, Self, TypeVar

import narwhals as nw

from posteriori.arrays import Array, Indices
from posteriori.messages.errors import DataError

Frame = nw.DataFrame[Any]


class Mergeable(Protocol):
    """A summary of some rows that can be merged with that of others."""

    def merge(self, other: Self) -> Self:
        """Return the summary of both."""


Summary = TypeVar("Summary", bound=Mergeable)


@dataclass(frozen=True)
class Batch:
    """Some rows of a frame.

    Parameters
    ----------
    frame : the rows
    weights : (n,) their weights, or None
    first_row : the number in its partition of the first row that was read
    rows : positions of the rows among those that were read, if some are left out; otherwise None
    n_dropped : number of rows left out for missing values
    target : (n,) their labels, a series, or None
    offset : (n,) values, or None
    """

    frame: Frame
    weights: Array | None = None
    first_row: int = 0
    rows: Indices | None = None
    n_dropped: int = 0
    target: Any = None
    offset: Array | None = None

    def slice(self, start: int, stop: int) -> "Batch":
        """Return some of the rows, for coding; all of them if they are no more."""
        if start == 0 and stop >= len(self.frame):
            return self
        rows = slice(start, stop)
        weights, target, offset = (
            None if values is None else values[rows] for values in (self.weights, self.target, self.offset)
        )
        return Batch(self.frame[rows], weights, target=target, offset=offset)


class Batches(ABC):
    """A frame in partitions of batches, all with the same columns."""

    @property
    @abstractmethod
    def names(self) -> list[str]:
        """The names of the columns."""

    @property
    def library(self) -> str | None:
        """The library of the batches, if results are to be frames of it."""
        return None

    @property
    def n_partitions(self) -> int:
        """The number of partitions; one by default."""
        return 1

    @abstractmethod
    def batches(self, partition: int) -> Iterator[Batch]:
        """Read one partition, in order; a batch may be empty."""

    @abstractmethod
    def origin(self, partition: int, row: int) -> str:
        """Return where a row is in the user's data, for messages."""


@dataclass(frozen=True)
class FrameBatches(Batches):
    """A frame in memory: one batch, or several of `rows` rows."""

    frame: Frame
    weights: Array | None = None
    rows: int | None = None

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return self.frame.columns

    @property
    def library(self) -> str:
        """The library of the frame."""
        return str(self.frame.implementation.value)

    def batches(self, partition: int) -> Iterator[Batch]:
        """Yield the rows, not copied."""
        if self.rows is None:
            yield Batch(self.frame, self.weights)
            return
        for first in range(0, len(self.frame), self.rows):
            rows = slice(first, first + self.rows)
            yield Batch(self.frame[rows], None if self.weights is None else self.weights[rows], first)

    def origin(self, partition: int, row: int) -> str:
        """Return the number of a row."""
        return f"row {row}"


def survey(source: Batches, summarize: Callable[[Batch], Summary]) -> Summary:
    """Return the summary of all rows, merged in the order of the batches; there is at least one batch."""
    return reduce(lambda before, new: before.merge(new), map(summarize, all_batches(source)))


def all_batches(source: Batches) -> Iterator[Batch]:
    """Yield the batches of all partitions that have rows, or one without rows if none has."""
    empty = None
    for partition in range(source.n_partitions):
        for batch in source.batches(partition):
            if len(batch.frame):
                yield batch
                empty = batch
            empty = empty or batch
    if empty is not None and not len(empty.frame):
        yield empty


@contextmanager
def located(source: Batches, partition: int, batch: Batch) -> Iterator[None]:
    """Add to an error where the rows of a batch are, unless it is the first."""
    try:
        yield
    except DataError as error:
        if partition == 0 and batch.first_row == 0:
            raise
        raise type(error)(
            f"among the rows that begin with {source.origin(partition, batch.first_row)} (row numbers in this message "
            f"count from there): {error}"
        ) from None
