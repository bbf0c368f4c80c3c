"""`Perceptron`: weights updated at each misclassified row, until there is none."""

from dataclasses import field
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils import check_random_state

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.designs.units import Units
from posteriori.engines.base import Engine
from posteriori.engines.progress import job
from posteriori.engines.select import engine_for
from posteriori.estimators.bases.base import Basis
from posteriori.estimators.discriminants.base import LinearDiscriminant
from posteriori.estimators.learned import Learned
from posteriori.estimators.parameters import parameters
from posteriori.input.faults import refuse_cells
from posteriori.input.training import Reading, read_training
from posteriori.messages.errors import ConvergenceWarning, DataError
from posteriori.messages.notes import Note
from posteriori.models.base import InputColumns
from posteriori.models.discriminant import PerceptronModel
from posteriori.models.linear_scores import LinearScores
from posteriori.solvers.ordered.perceptron import Passes, PerceptronState, run_passes
from posteriori.solvers.ordered.perceptron_trace import PerceptronTrace
from posteriori.storable import storable
from posteriori.sweeps.survey import Survey
from posteriori.tables.table import Table

ORDERS = ("cyclic", "shuffled")
#: The weights that `keep` selects, as messages describe them.
KEPT = {
    "last": "the weights after the last row",
    "pocket": "the weights with the fewest mistakes",
    "average": "the average of the weights over all rows visited",
}
#: Sums over rows of squares of values beyond 2 to this power would be beyond the range of floats.
LARGEST = 460


@storable
@parameters()
class Perceptron(LinearDiscriminant):
    """The perceptron: an update of the weights at each misclassified row, until a pass has none.

    With t = 1 for ``classes_[1]``, t = -1 for ``classes_[0]`` and phi = (1, x), weights start at zero. A row is a
    mistake if t w'phi <= 0 (rows on the boundary count as mistakes), and then

        w <- w + rate t phi.

    This decreases E_P(w) = - sum over mistakes of t w'phi. If a plane separates the classes one is found, after at
    most (R / gamma)^2 updates for rows |phi| <= R of margin gamma; if none does, the fit warns. More than two classes
    have a weight vector each: on a mistake phi is added to that of the true class and subtracted from that of the other
    class with the largest score (Kesler's construction). There are no probabilities. Columns are not scaled, and their
    units affect the result.

    Book: [Bishop] Eq. 4.54-4.55, §4.1.7; [Deuschle] §3.4.3.

    Parameters
    ----------
    rate : float
        The length of a step. Since weights start at zero, it scales the weights and changes no decision.
    max_iter : int
        The most passes over the rows.
    order : "cyclic" | "shuffled"
        Rows in their own order, or in a new random one for each pass.
    keep : "last" | "pocket" | "average"
        Which weights to use: the last; among those unchanged for the most rows in each pass, the ones with the fewest
        mistakes on all rows (the pocket algorithm; in `partial_fit`, those unchanged for the most rows); or the average
        over all rows visited.
    trace : bool
        Whether to store every update in ``trace_``. It contains rows of the training data, also in model files.
    basis : None | PolynomialBasis | GaussianBasis | SigmoidBasis | KernelBasis | CustomBasis
        Fixed functions phi(x) in place of x; ``coef_`` has one column per function.
    random_state : None, a seed, or a numpy RandomState
        For ``order="shuffled"``.

    Attributes
    ----------
    classes_ : (K,)
    coef_, intercept_ : (1, d) and (1,) for two classes, (K, d) and (K,) for more
    n_updates_ : number of updates
    n_iter_ : number of passes, including the last one without a mistake
    converged_ : whether there was a pass without a mistake
    trace_ : step, row, weights before, weights after (intercept first) of every update
    fit_status_ : "ok" | "not_converged"
    fit_notes_ : notes on the fit
    n_parameters_ : d + 1 for two classes, K (d + 1) for more

    Notes
    -----
    The notes on [Bishop] state that there is no perceptron for K > 2; the K-class rule is one. The loss is zero at
    w = 0 ([Deuschle] 3.7), the starting point, so rows on the boundary must count as mistakes.

    Examples
    --------
    The logical "and" of two inputs:

    >>> import posteriori as pt
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> model = pt.Perceptron().fit(X, [0, 0, 0, 1])
    >>> model.coef_.tolist(), model.intercept_.tolist(), model.n_updates_
    ([[3.0, 2.0]], [-4.0], 18)
    >>> model.predict(X).tolist()
    [0, 0, 0, 1]
    """

    rate: float = 1.0
    max_iter: int = 1000
    order: Literal["cyclic", "shuffled"] = "cyclic"
    keep: Literal["last", "pocket", "average"] = "last"
    trace: bool = False
    basis: Basis | None = None
    random_state: Any = None

    _model_type = PerceptronModel

    model_: PerceptronModel = field(init=False)
    state_ = Learned[PerceptronState]("state")
    n_updates_ = Learned[int]("state.updates")
    n_iter_ = Learned[int]("n_iter")
    converged_ = Learned[bool]("converged")
    trace_ = Learned[PerceptronTrace]("trace", optional=True)

    # --- fitting

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to rows X, visited in order, and their classes y.

        Parameters
        ----------
        X : (n, d) array or frame of numbers
        y : (n,) labels
        """
        self._check_parameters()
        reading = self._through_basis(read_training(self, X, y))
        engine = engine_for(reading.table).numbered()
        peaks = _peaks(engine, float(self.rate))
        state = PerceptronState.start(reading.targets.n_classes, reading.table.n_columns)
        with job("Perceptron"):
            result = self._passes(engine, state, peaks, int(self.max_iter), pocket=self.keep == "pocket")
        notes = () if result.mistakes == 0 else (self._not_separated(result),)
        return self._store(reading, result, result.passes, notes)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Make one pass over more rows, starting at the weights of the earlier calls.

        Parameters
        ----------
        X, y : as in `fit`
        classes : all classes that will occur, in the first call; by default those of the first call's y
        """
        self._check_parameters()
        earlier: PerceptronModel | None = self._earlier_model
        reading = self._read_more(X, y, classes, None, known=earlier is not None)
        engine = engine_for(reading.table).numbered()
        peaks = _peaks(engine, float(self.rate))
        start = PerceptronState.start(reading.targets.n_classes, reading.table.n_columns)
        state = start if earlier is None else earlier.state
        _refuse_overflow(reading.table, state, peaks)
        result = self._passes(engine, state, peaks, 1)
        passes, before = (0, None) if earlier is None else (earlier.n_iter, earlier.trace)
        return self._store(reading, result, passes + 1, before=before)

    def _check_parameters(self) -> None:
        choice("order", self.order, ORDERS)
        choice("keep", self.keep, tuple(KEPT))
        choice("trace", self.trace, (False, True))
        number = isinstance(self.rate, int | float | np.integer | np.floating) and not isinstance(self.rate, bool)
        if not number or not np.isfinite(self.rate) or self.rate <= 0:
            raise DataError(f"rate={self.rate!r} must be a positive number.")
        whole = isinstance(self.max_iter, int | np.integer) and not isinstance(self.max_iter, bool)
        if not whole or self.max_iter < 1:
            raise DataError(f"max_iter={self.max_iter!r} must be a whole number from 1 up.")

    def _passes(self, engine: Engine, state: PerceptronState, peaks: Array, most: int, pocket: bool = False) -> Passes:
        shuffle = check_random_state(self.random_state) if self.order == "shuffled" else None
        rate = float(self.rate)
        return run_passes(engine, state, peaks, rate=rate, most=most, pocket=pocket, trace=self.trace, shuffle=shuffle)

    def _store(
        self,
        reading: Reading,
        result: Passes,
        passes: int,
        notes: tuple[Note, ...] = (),
        before: PerceptronTrace | None = None,
    ) -> Self:
        """Store the result of the passes as a model."""
        state, d = result.state, reading.table.n_columns
        pocket = state.longest if result.pocket is None else result.pocket
        w = pocket if self.keep == "pocket" else state.average if self.keep == "average" else state.w
        return self._hold(
            PerceptronModel(
                classes=reading.targets.classes,
                columns=InputColumns.of(reading.noted),
                status="not_converged" if notes else "ok",
                notes=notes,
                linear=LinearScores(Units(np.zeros(d), np.ones(d), True), w),
                state=state,
                n_iter=passes,
                converged=result.mistakes == 0,
                trace=_appended(before, result.trace) if self.trace else None,
            )
        )

    def _not_separated(self, result: Passes) -> Note:
        others = [f"keep={name!r} uses {KEPT[name]}" for name in ("pocket", "average") if name != self.keep]
        mistakes = f" They make {result.pocket_mistakes}." if result.pocket is not None else ""
        return Note(
            "not-separated",
            f"the classes were not separated within {result.passes} passes (max_iter): the last pass had "
            f"{result.mistakes} mistake(s). Either no plane separates them or more passes are needed. The model has "
            f"{KEPT[self.keep]} (keep={self.keep!r}).{mistakes}",
            remedy=f"Increase max_iter; {', '.join(others)}; LogisticRegression needs no separation.",
            category=ConvergenceWarning,
        )


def _peaks(engine: Engine, rate: float) -> Array:
    """Raise for cells that are not finite; return bounds on |phi|, (d + 1,)."""
    table = engine.table
    tally, moments = engine.run(Survey()).parts
    refuse_cells(table, tally, "finite numbers", remedy="Fill missing values or leave out their rows.")
    peaks: Array = np.concatenate([[1.0], moments.scale])
    power = np.log2(peaks[peaks > 0])
    worst = int(peaks.argmax()) - 1
    if 2 * power.max() + np.log2(rate) > 2 * LARGEST:
        raise DataError(
            f"{table.schema.describe(max(worst, 0))} has values up to {peaks[worst + 1]:.3g} and rate is {rate:g}: "
            "sums of their products are beyond the range of floats. Use other units for the column."
        )
    return peaks


def _refuse_overflow(table: Table, state: PerceptronState, peaks: Array) -> None:
    """Raise if products of the weights of earlier calls and of these rows are beyond the range of floats."""
    largest = max(np.abs(part).max() for part in (state.w, state.lagged, state.best))
    if largest > 0 and np.log2(largest) + np.log2(peaks.max()) > 2 * LARGEST:
        raise DataError(
            f"{table.schema.describe(max(int(peaks.argmax()) - 1, 0))} has values up to {peaks.max():.3g} and "
            f"weights are up to {largest:.3g}: their products are beyond the range of floats. Use other units for it."
        )


def _appended(before: PerceptronTrace | None, new: PerceptronTrace | None) -> PerceptronTrace | None:
    """Return the trace of earlier calls of `partial_fit` followed by that of this call."""
    if before is None or new is None:
        return new
    names = ("row", "before", "after")
    return PerceptronTrace(*(np.concatenate([getattr(part, name) for part in (before, new)]) for name in names))
