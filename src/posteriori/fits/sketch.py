"""Whether the columns of one fit span those of another, from the sketches of both."""

from posteriori.designs.units import Units
from posteriori.engines.base import Engine
from posteriori.links.base import LinkFunction
from posteriori.models.sketch import Sketch
from posteriori.sweeps.sketch import BUCKETS, SketchSweep

#: Cells (rows times coefficients of a class) up to which fit makes a sketch: a few hundredths of a second.
CHEAP = 5e5
#: Coefficients of a class up to which a sketch distinguishes spaces.
MOST = BUCKETS - 32


def sketch_of(engine: Engine, link: LinkFunction, units: Units) -> Sketch:
    """Compute the sketch of a table in one sweep."""
    whole = engine.run(SketchSweep(link, units)).values
    p = units.n_coefficients
    return Sketch(whole[:, :p], whole[:, p:])


def is_cheap(n_rows: int, n_coefficients: int) -> bool:
    """Return whether fit makes a sketch of so many rows, by the coefficients of a class."""
    return n_coefficients <= MOST and n_rows * n_coefficients <= CHEAP
