"""`Sketch`: a random projection of the columns of a fit, which identifies nested fits."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array

#: Part of a column outside a space above which it is not in it; rounding makes less.
OUTSIDE = 1e-7


#: Singular values, relative to the largest, that count as zero.
ZERO = 1e-11


@dataclass(frozen=True)
class Sketch:
    """A random projection of a fit's rows: of its design (buckets, p), and of its class counts and offset."""

    design: Array
    targets: Array

    def same_rows(self, other: "Sketch") -> bool:
        """Return whether both are of the same targets, weights and offset, row by row."""
        size = max(float(np.abs(self.targets).max()), float(np.abs(other.targets).max()))
        return bool(np.allclose(self.targets, other.targets, rtol=0, atol=1e-8 * size))

    def outside(self, other: "Sketch") -> NDArray[np.bool_]:
        """Return which columns of this design are not in the space of the other's."""
        basis = self._space(other.design)
        size = np.sqrt((self.design**2).sum(axis=0))
        columns = self.design / np.where(size > 0, size, 1.0)
        rest = columns - basis @ (basis.T @ columns)
        marks: NDArray[np.bool_] = (rest**2).sum(axis=0) > OUTSIDE**2
        return marks

    def embedding(self, large: "Sketch") -> Array:
        """Return A (p_large, p) for which the large design times A is this one."""
        return np.asarray(np.linalg.lstsq(large.design, self.design, rcond=ZERO)[0], dtype=np.float64)

    @staticmethod
    def _space(columns: Array) -> Array:
        size = np.sqrt((columns**2).sum(axis=0))
        left, values, _ = np.linalg.svd(columns / np.where(size > 0, size, 1.0), full_matrices=False)
        return left[:, values > ZERO * values.max(initial=0.0)]
