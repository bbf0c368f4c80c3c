"""`Perceptron`: weights corrected at each mistake, until there is none."""

from dataclasses import field
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils import check_random_state

from posteriori.arrays import Array
from posteriori.bases.base import Phi
from posteriori.checks.parameters import choice
from posteriori.designs.units import Units
from posteriori.engines.progress import job
from posteriori.engines.select import engine_for
from posteriori.estimators.bases.base import Basis
from posteriori.estimators.discriminants.base import LinearDiscriminant
from posteriori.estimators.parameters import parameters
from posteriori.input.classes.later_calls import refuse_unknown_classes
from posteriori.input.faults import refuse_cells
from posteriori.input.training import Reading, read_training
from posteriori.messages.errors import ConvergenceWarning, DataError
from posteriori.messages.notes import Note
from posteriori.models.linear_scores import LinearScores
from posteriori.solvers.ordered.perceptron import Passes, PerceptronState, PerceptronTrace, run_passes
from posteriori.storable import storable
from posteriori.sweeps.survey import Survey
from posteriori.tables.memory import MemoryTable

ORDERS = ("cyclic", "shuffled")
#: What is kept when the passes are over, and how a message calls it.
KEPT = {
    "last": "the weights after the last row",
    "pocket": "the weights with the fewest mistakes",
    "average": "the average of the weights over all rows visited",
}
#: Squares of values beyond 2 to this, summed over rows, would leave the range of floats.
LARGEST = 460


@storable
@parameters()
class Perceptron(LinearDiscriminant):
    """The perceptron: on each mistake the weights take a step towards the row, until a pass is without one.

    With t = 1 for ``classes_[1]``, t = -1 for ``classes_[0]`` and phi = (1, x), weights start at zero, a row is a
    mistake when t w'phi <= 0 (the boundary counts as wrong), and then

        w <- w + rate t phi.

    This lowers E_P(w) = - sum over mistakes of t w'phi. If a plane separates the classes one is found, after at
    most (R / gamma)^2 updates for rows |phi| <= R of margin gamma; if none does, the fit says so. More classes have
    a weight vector each: on a mistake phi is added to the true class and taken from the best other (Kesler's
    construction). There are no probabilities. Columns keep the user's units, which do matter here.

    Book: [Bishop] Eq. 4.54-4.55, §4.1.7; [Deuschle] §3.4.3.

    Parameters
    ----------
    rate : float
        The length of a step. From weights of zero it scales the weights and changes no decision.
    max_iter : int
        The most passes over the rows.
    order : "cyclic" | "shuffled"
        Rows in their own order, or in a new random one for each pass.
    keep : "last" | "pocket" | "average"
        Which weights to keep: the last; of those that stood longest in each pass, the ones with the fewest mistakes
        on all rows (the pocket; through `partial_fit`, those that stood longest); or the average over all rows
        visited.
    trace : bool
        Whether to keep every update in ``trace_``. Its steps are rows of the training data, and are saved as such.
    basis : None | PolynomialBasis | GaussianBasis | SigmoidBasis | KernelBasis | CustomBasis
        Fixed functions phi(x) to take the place of x; ``coef_`` is over their columns.
    random_state : None, a seed, or a numpy RandomState
        For ``order="shuffled"``.

    Attributes
    ----------
    classes_ : (K,)
    coef_, intercept_ : (1, d) and (1,) for two classes, (K, d) and (K,) for more
    n_updates_ : how many mistakes were corrected
    n_iter_ : how many passes there were, the last one without a mistake included
    converged_ : whether a pass was without a mistake
    trace_ : step, row, weights before, weights after (intercept first) of every update
    fit_status_, fit_notes_ : "ok" | "not_converged", and what there is to say
    n_parameters_ : d + 1 for two classes, K (d + 1) for more

    Notes
    -----
    The notes on [Bishop] say that it cannot be done for K > 2; the single K-class rule does it. The loss has kinks
    and is zero at w = 0 ([Deuschle] 3.7), so it cannot tell that nothing has been learned yet: hence the boundary
    counts as wrong.

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

    state_: PerceptronState = field(init=False)
    phi_: Phi | None = field(init=False)

    # --- learning

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from rows X, visited in order, and their classes y.

        Parameters
        ----------
        X : (n, d) array or frame of numbers
        y : (n,) labels
        """
        self._check_parameters()
        reading = self._through_basis(read_training(self, X, y))
        peaks = _peaks(reading.table, float(self.rate))
        state = PerceptronState.start(reading.targets.n_classes, reading.table.n_columns)
        with job("Perceptron"):
            done = self._passes(reading.table, state, peaks, int(self.max_iter), pocket=self.keep == "pocket")
        notes = () if done.mistakes == 0 else (self._not_separated(done),)
        return self._keep(reading, done, done.passes, reading.noted, notes)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go once over more rows, with the weights as earlier calls left them.

        Parameters
        ----------
        X, y : as in `fit`
        classes : all classes there will be, in the first call; by default those of the first call's y
        """
        self._check_parameters()
        fitted = hasattr(self, "state_")
        if fitted:
            refuse_unknown_classes(classes, self.classes_)
            classes = self.classes_
        known = classes if fitted or classes is None else np.unique(np.asarray(classes))
        reading = read_training(self, X, y, classes=known, known_names=fitted)
        reading = self._through_basis(reading, getattr(self, "phi_", None) if fitted else None)
        peaks = _peaks(reading.table, float(self.rate))
        state = self.state_ if fitted else PerceptronState.start(reading.targets.n_classes, reading.table.n_columns)
        _refuse_overflow(reading.table, state, peaks)
        done = self._passes(reading.table, state, peaks, 1)
        names = ("n_features_in_", "feature_names_in_", "phi_")
        noted = {name: getattr(self, name) for name in names if hasattr(self, name)} if fitted else reading.noted
        before = getattr(self, "trace_", None)
        return self._keep(reading, done, (self.n_iter_ if fitted else 0) + 1, noted, before=before)

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

    def _passes(
        self, table: MemoryTable, state: PerceptronState, peaks: Array, most: int, pocket: bool = False
    ) -> Passes:
        shuffle = check_random_state(self.random_state) if self.order == "shuffled" else None
        rate = float(self.rate)
        return run_passes(table, state, peaks, rate=rate, most=most, pocket=pocket, trace=self.trace, shuffle=shuffle)

    def _keep(
        self,
        reading: Reading,
        done: Passes,
        passes: int,
        noted: dict[str, Any],
        notes: tuple[Note, ...] = (),
        before: PerceptronTrace | None = None,
    ) -> Self:
        """Turn the passes into the attributes of a fitted classifier."""
        state, d = done.state, reading.table.n_columns
        pocket = state.longest if done.pocket is None else done.pocket
        w = pocket if self.keep == "pocket" else state.average if self.keep == "average" else state.w
        traced = {"trace_": _appended(before, done.trace)} if self.trace else {}
        return self._adopt(
            notes,
            **noted,
            **traced,
            classes_=reading.targets.classes,
            coef_=w[:, 1:].copy(),
            intercept_=w[:, 0].copy(),
            scores_=LinearScores(Units(np.zeros(d), np.ones(d), True), w),
            state_=state,
            n_updates_=state.updates,
            n_iter_=passes,
            converged_=done.mistakes == 0,
            n_parameters_=w.size,
            fit_status_="not_converged" if notes else "ok",
        )

    def _not_separated(self, done: Passes) -> Note:
        others = [f"keep={name!r} gives {KEPT[name]}" for name in ("pocket", "average") if name != self.keep]
        made = f" They make {done.pocket_mistakes}." if done.pocket is not None else ""
        return Note(
            "not-separated",
            f"the classes were not separated within {done.passes} passes (max_iter): the last one still made "
            f"{done.mistakes} mistake(s). Either no plane separates them or it takes more passes. What is kept is "
            f"{KEPT[self.keep]} (keep={self.keep!r}).{made}",
            remedy=f"{', '.join(others)}; LogisticRegression needs no separation.",
            category=ConvergenceWarning,
        )


def _peaks(table: MemoryTable, rate: float) -> Array:
    """Refuse cells that are not finite, and give bounds on |phi|, (d + 1,)."""
    tally, moments = engine_for(table).run(Survey(table.size)).parts
    refuse_cells(table, tally, "finite numbers", remedy="Fill the gaps or leave their rows out.")
    peaks: Array = np.concatenate([[1.0], moments.scale])
    power = np.log2(peaks[peaks > 0])
    worst = int(peaks.argmax()) - 1
    if 2 * power.max() + np.log2(rate) > 2 * LARGEST:
        raise DataError(
            f"{table.schema.describe(max(worst, 0))} holds values up to {peaks[worst + 1]:.3g} and rate is {rate:g}: "
            "sums of their products leave the range of floats. Give the column in other units."
        )
    return peaks


def _refuse_overflow(table: MemoryTable, state: PerceptronState, peaks: Array) -> None:
    """Raise a `DataError` where products of the weights so far and of these rows leave the range of floats."""
    largest = max(np.abs(part).max() for part in (state.w, state.lagged, state.best))
    if largest > 0 and np.log2(largest) + np.log2(peaks.max()) > 2 * LARGEST:
        raise DataError(
            f"{table.schema.describe(max(int(peaks.argmax()) - 1, 0))} holds values up to {peaks.max():.3g} and "
            f"weights are up to {largest:.3g}: their products leave the range of floats. Give it in other units."
        )


def _appended(before: PerceptronTrace | None, new: PerceptronTrace | None) -> PerceptronTrace | None:
    """Give the trace of earlier calls of `partial_fit` with this one's."""
    if before is None or new is None:
        return new
    names = ("row", "before", "after")
    return PerceptronTrace(*(np.concatenate([getattr(part, name) for part in (before, new)]) for name in names))
