"""The contract of a sweep."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from posteriori.statistics.base import Joined, Statistics
from posteriori.tables.block import Block


class Sweep(ABC):
    """A pure function of its parameters (its fields) and a block; it knows nothing of where rows live."""

    @abstractmethod
    def __call__(self, block: Block) -> Any:
        """Turn a block into statistics."""


@dataclass(frozen=True)
class Together(Sweep):
    """Several sweeps in one reading of the data."""

    sweeps: tuple[Sweep, ...]

    def __call__(self, block: Block) -> Joined:
        """Give the statistics of each sweep, joined."""
        parts: tuple[Statistics, ...] = tuple(sweep(block) for sweep in self.sweeps)
        return Joined(parts)
