"""Sweeps that look at the rows themselves: a sample of them, and the triangle of the design."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Hashes, Integers
from posteriori.backends.select import linear
from posteriori.designs.design import DenseDesign, design
from posteriori.designs.units import Units
from posteriori.statistics.sample import Sample
from posteriori.statistics.triangle import Triangle
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class SampleSweep(Sweep):
    """Up to `quota` rows of each class, by row-number hash; `threshold` keeps blocks from offering too many."""

    quota: Integers
    threshold: Hashes
    size: int

    def __call__(self, block: Block) -> Sample:
        """Give the `Sample` of a block."""
        codes = block.codes()
        picked, hashes = linear(self.size).pick_rows(block.first_row, codes, self.threshold)
        return Sample(self.quota, hashes, codes[picked], picked + block.first_row)


@dataclass(frozen=True)
class TriangleSweep(Sweep):
    """The triangle of the design in units, from which ranks are read; weights do not enter."""

    units: Units

    def __call__(self, block: Block) -> Triangle:
        """Factor a block."""
        features = block.features if isinstance(block.features, np.ndarray) else block.features.toarray()
        rows = design(features, self.units.centre, self.units.scale, self.units.intercept)
        assert isinstance(rows, DenseDesign)
        return Triangle.of(rows.rows)
