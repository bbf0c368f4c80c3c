"""The perceptron: an ordered fold over the rows, pass after pass, until one is without a mistake."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Codes, Integers, Mask
from posteriori.backends.backend import Backend, backend_for
from posteriori.checks import requirements as require
from posteriori.engines.base import Engine
from posteriori.solvers.ordered.perceptron_trace import PerceptronTrace
from posteriori.storable import storable
from posteriori.sweeps.reductions import SumSweep
from posteriori.tables.block import Block

#: Values that are visited in about the time of one mistake outside compiled loops.
PRICE = 64


@storable
@dataclass(frozen=True)
class PerceptronState:
    """The state from row to row.

    Parameters
    ----------
    w : (q, p) the weights, intercept first; one row for two classes
    lagged : (q, p) sum over updates of the rows visited before times the step: w less lagged / visits is the
        average of the weights over all visits
    best : (q, p) the weights of the longest run without a mistake
    tally : (3,) rows visited, length of the current run, and of the longest
    updates : how many mistakes there were
    """

    w: Array
    lagged: Array
    best: Array
    tally: Integers
    updates: int = 0

    @classmethod
    def start(cls, n_classes: int, n_columns: int) -> "PerceptronState":
        """Begin with weights of zero."""
        nothing = np.zeros((1 if n_classes == 2 else n_classes, n_columns + 1))
        return cls(nothing, nothing, nothing, np.zeros(3, np.int64))

    @property
    def average(self) -> Array:
        """The average of the weights over all visits."""
        mean: Array = self.w - self.lagged / self.tally[0]
        return mean

    @property
    def longest(self) -> Array:
        """The weights of the longest run without a mistake, the current one included."""
        return self.w if self.tally[1] >= self.tally[2] else self.best

    def with_new_run(self) -> "PerceptronState":
        """Return the same state with the longest run reset."""
        return replace(self, best=self.w, tally=np.array([self.tally[0], 0, 0]))

    def check(self, where: str) -> None:
        """Raise unless there are three counts, of one row or more."""
        require.FINITE.check(self.tally, (3,), f"{where}.tally")
        require.integer(self.tally[0], f"{where}.tally[0]", least=1)


@dataclass(frozen=True)
class Pass:
    """The function folded over the blocks of one pass.

    Book: [Bishop] Eq. 4.55, §4.1.7; [Deuschle] §3.4.3.

    Parameters
    ----------
    rate : the length of a step
    peaks : (p,) bounds on |phi|
    backend : the kernels, by the number of values visited so far; a mistake counts as several
    record : a list to which the trace is added, or None
    order : (n,) the table row at each position, or None for the order of the table
    """

    rate: float
    peaks: Array
    backend: Backend
    record: list[PerceptronTrace] | None = None
    order: NDArray[np.intp] | None = None

    def __call__(self, state: PerceptronState, block: Block) -> PerceptronState:
        """Visit the rows of a block in order."""
        w, lagged, best = (part.copy() for part in (state.w, state.lagged, state.best))
        tally = state.tally.copy()
        kernels, codes = self.backend.perceptron, block.codes()
        visit = kernels.two_class_pass if len(w) == 1 else kernels.many_class_pass
        rows, rivals = np.empty(block.n_rows, np.int64), np.empty(block.n_rows, np.int64)
        n_mistakes = visit(block.features, codes, w, lagged, best, tally, self.rate, self.peaks, rows, rivals)
        if self.record is not None and n_mistakes:
            self.record.append(self._trace(state.w, block, codes, rows[:n_mistakes], rivals[:n_mistakes]))
        return PerceptronState(w, lagged, best, tally, state.updates + n_mistakes)

    def _trace(self, w: Array, block: Block, codes: Codes, rows: Integers, rivals: Integers) -> PerceptronTrace:
        """Return the weights before and after each update: the same sums in the same order."""
        steps = np.zeros((len(rows), *w.shape))
        phi = np.column_stack([np.ones(len(rows)), block.features[rows]])
        at = np.arange(len(rows))
        if len(w) == 1:
            steps[:, 0] = np.where(codes[rows] == 1, self.rate, -self.rate)[:, None] * phi
        else:
            steps[at, codes[rows]] = self.rate * phi
            steps[at, rivals] = -self.rate * phi
        path = np.add.accumulate(np.concatenate([w[None], steps]))
        path = path[:, 0] if len(w) == 1 else path
        places = rows + block.first_row
        return PerceptronTrace(places if self.order is None else self.order[places], path[:-1], path[1:])


@dataclass(frozen=True)
class Passes:
    """The result of several passes.

    Parameters
    ----------
    state : after the last row
    passes : their number, including the one without a mistake
    mistakes : in the last pass
    pocket : with `pocket=True`, the weights with the fewest mistakes on all rows
    pocket_mistakes : how many mistakes those make
    trace : with `trace=True`, every update
    """

    state: PerceptronState
    passes: int
    mistakes: int
    pocket: Array | None = None
    pocket_mistakes: int = 0
    trace: PerceptronTrace | None = None


def run_passes(
    engine: Engine,
    state: PerceptronState,
    peaks: Array,
    *,
    rate: float,
    most: int,
    pocket: bool = False,
    trace: bool = False,
    shuffle: np.random.RandomState | None = None,
) -> Passes:
    """Make passes over the rows until one has no mistake, at most `most` of them.

    With `pocket`, the weights of the longest run in each pass are tried on all rows, and those with the fewest
    mistakes are returned (Gallant 1990, with the ratchet).
    """
    record: list[PerceptronTrace] | None = [] if trace else None
    best: Array | None = None
    fewest, mistakes, number = 0, 0, 0
    for number in range(1, most + 1):
        order = None if shuffle is None else shuffle.permutation(engine.n_rows)
        before = state.updates
        state = state.with_new_run() if pocket else state
        visited = number * engine.n_rows * engine.table.n_columns + PRICE * before
        visit = Pass(rate, peaks, backend_for(visited), record, order)
        state = engine.fold(visit, state, order)
        mistakes = state.updates - before
        if pocket:
            wrong = count_mistakes(engine, state.longest)
            if best is None or wrong < fewest:
                best, fewest = state.longest, wrong
        if mistakes == 0:
            break
    return Passes(state, number, mistakes, best, fewest, None if record is None else _joined(record, state.w))


@dataclass(frozen=True)
class Mistakes:
    """Which rows of a block weights (q, p) misclassify, (n,); a row on the boundary counts as misclassified."""

    w: Array

    def __call__(self, block: Block) -> Mask:
        """Mark the rows."""
        scores: Array = block.features @ self.w[:, 1:].T + self.w[:, 0]
        codes, rows = block.codes(), np.arange(block.n_rows)
        if len(self.w) == 1:
            margin: Array = np.where(codes == 1, scores[:, 0], -scores[:, 0])
            return margin <= 0
        own = scores[rows, codes]
        scores[rows, codes] = -np.inf
        return np.asarray(own - scores.max(axis=1) <= 0)


def count_mistakes(engine: Engine, w: Array) -> int:
    """Count the misclassified rows."""
    return int(engine.run(SumSweep(Mistakes(w))).values)


def _joined(parts: list[PerceptronTrace], w: Array) -> PerceptronTrace:
    if not parts:
        nothing = np.zeros((0, *(w.shape[1:] if len(w) == 1 else w.shape)))
        return PerceptronTrace(np.zeros(0, np.int64), nothing, nothing)
    return PerceptronTrace(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("row", "before", "after"))
    )
