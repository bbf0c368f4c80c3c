"""The sweep that chooses landmarks: distinct rows with the smallest hashes of their cells."""

from dataclasses import dataclass

import numpy as np

from posteriori.bases.distances import seeded_hashes
from posteriori.statistics.smallest_hashes import SmallestHashes
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class LandmarkSweep(Sweep):
    """Up to `count` distinct rows, those with the smallest hashes of their cells and of a seed.

    The choice depends neither on the order of the rows nor on repetitions.
    """

    count: int
    seed: int | None = None

    def __call__(self, block: Block) -> SmallestHashes:
        """Return the distinct rows of a block with the smallest hashes; -0.0 and 0.0 are one number."""
        rows = block.dense() + 0.0
        numbers = block.first_row + np.arange(len(rows))
        return SmallestHashes(self.count, seeded_hashes(rows, self.seed), rows, numbers).trimmed()
