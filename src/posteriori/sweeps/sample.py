"""Sweeps of the rows themselves: a sample of them, and the triangular factor of the design."""

from dataclasses import dataclass

from posteriori.arrays import Hashes, Integers
from posteriori.designs.design import design
from posteriori.designs.units import Units
from posteriori.statistics.sample import Sample
from posteriori.statistics.triangle import Triangle
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class SampleSweep(Sweep):
    """Up to `quota` rows of each class, those with the smallest hashes; `threshold` limits those of each block."""

    quota: Integers
    threshold: Hashes

    def __call__(self, block: Block) -> Sample:
        """Return the `Sample` of a block."""
        codes = block.codes()
        picked, hashes = block.backend.survey.pick_rows(block.first_row, codes, self.threshold)
        return Sample(self.quota, hashes, codes[picked], picked + block.first_row)


@dataclass(frozen=True)
class TriangleSweep(Sweep):
    """The triangular factor of the design in units, which shows its rank; weights do not matter."""

    units: Units

    def __call__(self, block: Block) -> Triangle:
        """Factor a block."""
        rows = design(block.features, self.units.centre, self.units.scale, self.units.intercept)
        return Triangle.of(rows.dense())
