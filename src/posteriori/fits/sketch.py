"""Whether the columns of one fit span those of another, from the sketches of both."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.engines.base import Engine
from posteriori.links.base import LinkFunction
from posteriori.sweeps.sketch import BUCKETS, SketchSweep

#: Cells (rows times coefficients of a class) up to which fit makes a sketch: a few hundredths of a second.
CHEAP = 5e5
#: Coefficients of a class up to which a sketch distinguishes spaces.
MOST = BUCKETS - 32
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


def sketch_of(engine: Engine, link: LinkFunction, units: Units) -> Sketch:
    """Compute the sketch of a table in one sweep."""
    whole = engine.run(SketchSweep(link, units)).values
    p = units.n_coefficients
    return Sketch(whole[:, :p], whole[:, p:])


def is_cheap(n_rows: int, n_coefficients: int) -> bool:
    """Return whether fit makes a sketch of so many rows, by the coefficients of a class."""
    return n_coefficients <= MOST and n_rows * n_coefficients <= CHEAP
