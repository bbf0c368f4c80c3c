"""`Sample`: the rows of each class whose numbers have the smallest hashes."""

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np

from posteriori.arrays import Codes, Hashes, Integers
from posteriori.statistics.base import APPENDED, SAME, Statistics


@dataclass(frozen=True)
class Sample(Statistics):
    """Up to ``quota[k]`` rows of each class k: those whose row-number hashes are smallest.

    Which rows those are depends on the table alone, so a warm start from them is the same on every engine.

    Parameters
    ----------
    quota : (K,) the number of rows of each class
    hashes : (m,) of the rows' numbers
    codes : (m,) classes of the rows
    rows : (m,) their numbers in the table
    """

    quota: Annotated[Integers, SAME]
    hashes: Annotated[Hashes, APPENDED]
    codes: Annotated[Codes, APPENDED]
    rows: Annotated[Integers, APPENDED]

    def merge(self, other: Self) -> Self:
        """Combine the rows; drop those over the quota once there are twice as many as it allows."""
        both = super().merge(other)
        return both.trimmed() if len(both.rows) > 2 * int(self.quota.sum()) else both

    def trimmed(self, fraction: float = 1.0) -> Self:
        """Return the sample cut to its quota, or to a fraction of it; the order of the rows stays."""
        cutoff = np.full(len(self.quota), np.iinfo(np.uint64).max)
        for k, quota in enumerate(self.quota):
            hashes = self.hashes[self.codes == k]
            most = int(np.ceil(min(quota, len(hashes)) * fraction))
            if most < len(hashes):
                cutoff[k] = np.partition(hashes, most - 1)[most - 1] if most else 0
        rows = self.hashes <= cutoff[self.codes]
        # the quota does not change: later rows may be of a class that is absent so far
        return type(self)(self.quota, self.hashes[rows], self.codes[rows], self.rows[rows])
