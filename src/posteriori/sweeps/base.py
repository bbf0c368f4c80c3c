"""The interface of a sweep."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from posteriori.statistics.base import Joined, Statistics
from posteriori.tables.block import Block


class Sweep(ABC):
    """A pure function of its parameters (its fields) and a block; it does not depend on where the rows are stored."""

    @abstractmethod
    def __call__(self, block: Block) -> Any:
        """Return the statistics of a block."""


@dataclass(frozen=True)
class Together(Sweep):
    """Several sweeps in one pass over the rows."""

    sweeps: tuple[Sweep, ...]

    def __call__(self, block: Block) -> Joined:
        """Return the statistics of each sweep, joined."""
        parts: tuple[Statistics, ...] = tuple(sweep(block) for sweep in self.sweeps)
        return Joined(parts)
