"""`OnlinePass`: gradient steps row by row, folded over the blocks of a table in order."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.backends.arrays import online as online_arrays
from posteriori.backends.backend import ARRAYS, Backend, backend_for
from posteriori.cached_property import cached_property
from posteriori.designs.design import DenseDesign
from posteriori.designs.units import Units
from posteriori.links.base import LinkFunction
from posteriori.priors.quadratic import Quadratic
from posteriori.storable import storable
from posteriori.tables.block import Block
from posteriori.tables.table import BLOCK_VALUES

#: Power of the number of rows by which steps shrink: between 1/2 and 1 (Robbins & Monro 1951).
DECAY = 0.75
#: Rows over which a step stays about as long as the first.
LEVEL = 500.0
#: Weight of recent rows in the average: after t rows the last has (1 + FADING) / (t + FADING).
FADING = 3.0
#: Values that are visited in about the time of one row outside compiled loops.
PRICE = 64
#: Links with a compiled loop, by name.
COMPILED = {"logit": online_arrays.LOGIT, "softmax": online_arrays.SOFTMAX}


@storable
@dataclass(frozen=True)
class OnlineState:
    """The state from row to row.

    Parameters
    ----------
    w : (q, p) the weights, intercept first, in `units`
    average : (q, p) their average, with more weight on late rows
    rows : how many rows were visited
    rate : the length of the first step
    units : of the columns
    """

    w: Array
    average: Array
    rows: int
    rate: float
    units: Units


def step_lengths(rate: float, rows: int, n: int) -> Array:
    """Return the lengths of the n steps after the first `rows`: rate (1 + t / 500)^-0.75.

    Their sum diverges, that of their squares converges.

    >>> step_lengths(1.0, 0, 3).round(4).tolist()
    [1.0, 0.9985, 0.997]
    """
    return rate * (1.0 + (rows + np.arange(n)) / LEVEL) ** -DECAY


@dataclass(frozen=True)
class OnlinePass:
    """w <- w + rho_t (y_n - mu_n) phi_n for each row n of a block in order, with its share of the prior.

    Book: [Jordan] Eq. 7.65, §7.3.1, and 7.92, §7.3.2; [Sugiyama] Fig. 28.1. The average is that of Shamir & Zhang
    (2013).

    Parameters
    ----------
    link, prior : the model; the prior in the units of the state
    share : each row's share of the prior, 1 / n; 0 for one over the rows visited so far
    cap : largest rho times weight times phi'phi; infinite for no limit
    backend : the kernels, by the number of values visited so far
    gain : (q, p) factors of the steps, or None for 1
    anchors : computes scores (n, q) of a block that are subtracted from those of the rows, or None for 0
    mean : (q, p) their mean gradient, added in exchange, or None for 0
    level : whether all steps have the length of the first
    """

    link: LinkFunction
    prior: Quadratic
    share: float
    cap: float = np.inf
    backend: Backend = ARRAYS
    gain: Array | None = None
    anchors: Callable[[Block], Array] | None = None
    mean: Array | None = None
    level: bool = False

    def __call__(self, state: OnlineState, block: Block) -> OnlineState:
        """Visit the rows of a block; sparse ones are made dense a few at a time."""
        w, average = state.w.copy(), state.average.copy()
        many = max(BLOCK_VALUES // max(w.shape[1], 1), 1)
        anchors = None if self.anchors is None else self.anchors(block)
        for first in range(0, block.n_rows, many):
            self._visit(state, block, slice(first, min(first + many, block.n_rows)), w, average, anchors)
        return replace(state, w=w, average=average, rows=state.rows + block.n_rows)

    def _visit(
        self, state: OnlineState, block: Block, some: slice, w: Array, average: Array, anchors: Array | None
    ) -> None:
        features = block.features[some]
        design = state.units.design(features if isinstance(features, np.ndarray) else features.toarray())
        assert isinstance(design, DenseDesign)
        n, q, before = len(design.rows), len(w), state.rows + some.start
        at = np.arange(before, before + n)
        none = np.empty((0, q))
        arguments = (
            design.rows,
            np.ascontiguousarray(block.counts(self.link.n_classes)[some]),
            none if block.offset is None else np.ascontiguousarray(block.offset[some]),
            none if anchors is None else anchors[some],
            np.zeros_like(w) if self.mean is None else self.mean,
            np.full(n, state.rate) if self.level else step_lengths(state.rate, before, n),
            (1.0 + FADING) / (at + 1.0 + FADING),
            np.ones_like(w) if self.gain is None else self.gain,
            self.cap,
            self._precision,
            self.prior.mean,
            np.full(n, self.share) if self.share else 1.0 / (at + 1.0),
            self._limit,
            w,
            average,
        )
        number = COMPILED.get(self.link.name)
        reference = self.link.reference
        with np.errstate(all="ignore"):  # overflow is reported at the end of the pass
            if number is None:
                online_arrays.visit_with(self._score, *arguments)
            else:
                self.backend.online.visit(number, -1 if reference is None else reference, *arguments)

    def _score(self, eta: Array, counts: Array) -> Array:
        """Return the score of a row for a link without a compiled loop."""
        score: Array = self.link.parts(eta[None], counts[None], curvature=False).score[0]
        return score

    @cached_property
    def _precision(self) -> Array:
        """The prior's precision in the form the kernels expect: no row, one row, or a matrix."""
        if self.prior.is_flat:
            return np.empty((0, len(self.prior.mean)))
        return np.atleast_2d(self.prior.precision)

    @cached_property
    def _limit(self) -> float:
        """The longest stable step under a full precision matrix: one over its largest eigenvalue."""
        if self.prior.precision.ndim == 1:
            return np.inf
        return float(1.0 / max(np.linalg.eigvalsh(self.prior.precision)[-1], 1e-300))


def backend_after(n_rows: int, n_coefficients: int) -> Backend:
    """Return the backend once so many rows have been visited in all; each costs its values and `PRICE` more."""
    return backend_for(n_rows * (n_coefficients + PRICE))


def shuffled(n_rows: int, random: np.random.RandomState) -> NDArray[np.intp]:
    """Return a random order of the rows."""
    order: NDArray[np.intp] = random.permutation(n_rows)
    return order
