"""`KernelLogisticRegression`: softmax regression on Gaussian kernels."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils import check_random_state

from posteriori.arrays import Array
from posteriori.bases.kernel_centers import distinct_rows
from posteriori.checks.parameters import choice, non_negative
from posteriori.engines.progress import job
from posteriori.engines.select import engine_for
from posteriori.estimators.kernels.base import ALL_ROWS, KernelClassifier, KernelProblem
from posteriori.estimators.learned import Learned
from posteriori.estimators.parameters import parameters
from posteriori.fits.kernels.cross_validation import cross_validate
from posteriori.fits.kernels.kernel_logistic import by_class, maximize_kernel, online_solution
from posteriori.links.catalogue import canonical_link
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note
from posteriori.models.base import InputColumns
from posteriori.models.kernel import KernelLogisticModel
from posteriori.solvers.base import Solution
from posteriori.solvers.ordered.kernel_online import run_online
from posteriori.storable import storable

SOLVERS = ("auto", "online")


@storable
@parameters()
class KernelLogisticRegression(KernelClassifier):
    """Logistic regression on Gaussian kernels: P(y | x) proportional to exp(theta_y'k(x)), without an intercept.

    k_j(x) = exp(-|x - c_j|^2 / (2 bandwidth^2)) about centres c_j. The K vectors theta_y minimise

        - sum_i log P(y_i | x_i) + precision / 2 sum_y |theta_y|^2,

    which has one minimum, where the theta_y sum to zero. Each class has a vector, also for two classes.

    Book: [Sugiyama] Eq. 28.1, §28.1.1, Fig. 28.1-28.3.

    Parameters
    ----------
    bandwidth : float | "median" | "cv"
        "median": the median distance between two distinct rows (of more than 4,000, the 4,000 of smallest hash).
        "cv": the median rule times 1/8, 1/4, 1/2, 1/sqrt 2, 1, sqrt 2, 2 or 4, whichever has the smallest log loss in
        five-fold cross-validation, with folds of distinct rows by their hashes and with fixed centres.
    precision : float
        Precision of a Gaussian prior on every coefficient. With 0 the n kernels can separate any sample and the
        likelihood has no maximum, so 0 is only for ``solver="online"``.
    centers : "all" | int | (m, d)
        "all": the distinct rows of positive weight, in the order of their first appearance. A number: that many of
        them as landmarks, by hashes of their values and of `random_state`, so that neither order nor repetition of rows
        has an effect. Or the points themselves.
    solver : "auto" | "online"
        "auto" reaches the optimum, to a Newton decrement of 1e-8. "online" is the book's algorithm: theta starts at
        N(0, 1) and takes steps of 0.1 along the gradient at a random row, at most 1,000 per row, until a step is
        shorter than 1e-6. This stopping rule does not test convergence, and a note states that.
    random_state : None, a seed, or a numpy RandomState
        For landmarks, and for the draws of ``solver="online"``.
    units : "data" | "sd"
        The units of distances. "data": |x - c|^2 of the columns as they are, so a column in grams dominates one in
        kilograms; ``fit_notes_`` has a note if one column makes up over 99 % of the distances. "sd": each column is
        divided by its standard deviation in the training rows (weighted; a constant column by 1), and the bandwidth is
        in those units. ``centers_`` are in the units of X in both cases.

    Attributes
    ----------
    classes_ : (K,)
    coef_ : (K, m) theta
    centers_ : (m, d)
    bandwidth_ : the bandwidth used
    scale_ : (d,) the standard deviations with ``units="sd"``, else None
    solution_ : objective, decrement, gap, overlap, sweeps, converged, reason
    n_iter_ : number of Newton steps, or of steps of the online algorithm
    fit_status_ : "ok" | "not_converged"
    fit_notes_ : notes on the fit
    n_parameters_ : K m
    cross_validation_ : with ``bandwidth="cv"``, the candidate bandwidths and the log loss of each

    Notes
    -----
    ``centers_`` are rows of the training data, and `save` writes them to the model file. Far from all of them every
    kernel underflows and each class has probability 1/K: there is no intercept.

    In [Sugiyama] the algorithm has no penalty; Fig. 28.2 divides by 1 + sum(ci), as if there were one more class, where
    Fig. 28.1 and Eq. 28.1 have sum(ci), as here; and the kernel model before it needs theta^(y), one vector per class.

    With centres on all rows the kernel matrix is replaced by a factorisation of its numerical rank, which is small for
    dense points in few dimensions; at full rank the time is proportional to n^3. With landmarks rows are read block by
    block and their kernels are not stored.

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[-2.0], [-1.0], [0.0], [1.0], [2.0]], ["out", "out", "in", "in", "out"]
    >>> model = pt.KernelLogisticRegression(bandwidth=1.0).fit(X, y)
    >>> model.predict_proba([[0.5]]).round(3).tolist(), model.solution_.decrement < 1e-8
    ([[0.902, 0.098]], True)
    >>> model.predict([[-1.5], [0.5], [1.9]]).tolist()
    ['out', 'in', 'out']
    """

    bandwidth: float | Literal["median", "cv"] = "median"
    precision: float = 0.1
    centers: Any = "all"
    solver: Literal["auto", "online"] = "auto"
    random_state: Any = None
    units: Literal["data", "sd"] = "data"

    _model_type = KernelLogisticModel

    model_: KernelLogisticModel = field(init=False)
    solution_ = Learned[Solution]("solution")
    n_iter_ = Learned[int]("solution.iterations")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = self.solver == "online"  # its stopping rule may hold after the first step
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows X and their classes y.

        Parameters
        ----------
        X : (n, d) array or frame of numbers
        y : (n,) labels, or (n, K) class counts
        sample_weight : (n,) frequency of each row
        """
        precision = self._check_parameters()
        with job("KernelLogisticRegression"), np.errstate(all="ignore"):  # the certificate rejects overflow
            problem = self._read(X, y, sample_weight, validated=False)
            bandwidth, validated = self._bandwidth(problem, precision)
            if self.solver == "online":
                return self._run(problem, bandwidth, precision, validated)
            link = canonical_link(problem.n_classes)
            fitted = maximize_kernel(problem.design(bandwidth), link, precision)
        notes = (*problem.notes, *fitted.notes)
        return self._store(problem, by_class(link, fitted.theta), bandwidth, fitted.solution, notes, validated)

    def _check_parameters(self) -> float:
        choice("solver", self.solver, SOLVERS)
        precision = non_negative("precision", self.precision)
        if precision == 0 and self.solver != "online":
            raise DataError(
                "with precision=0 the likelihood has no maximum: with a kernel on every point, some coefficients "
                "separate any sample and grow without bound. Use a precision above zero, or solver='online', which "
                "has another stopping rule."
            )
        return precision

    def _bandwidth(self, problem: KernelProblem, precision: float) -> tuple[float, Mapping[str, Array] | None]:
        """Return the bandwidth, cross-validated for "cv" if there are at least two distinct rows."""
        if self.bandwidth != "cv" or problem.distinct is None or len(problem.distinct.rows) < 2:
            return problem.bandwidth, None
        if precision == 0:
            raise DataError(
                "bandwidth='cv' compares optima, and precision=0 has none: pass a bandwidth, or a precision above zero."
            )
        centers = None if problem.on_all else problem.centers
        candidates, losses = cross_validate(
            problem.distinct, centers, canonical_link(problem.n_classes), precision, problem.bandwidth, problem.scale
        )
        return float(candidates[losses.argmin()]), {"bandwidth": candidates, "log_loss": losses}

    def _run(
        self, problem: KernelProblem, bandwidth: float, precision: float, validated: Mapping[str, Array] | None
    ) -> Self:
        """Run the online algorithm of the book."""
        rows = engine_for(problem.reading.table)
        distinct = problem.distinct or distinct_rows(rows.collect(ALL_ROWS), problem.n_classes)
        kernel, rng = problem.kernel(bandwidth), check_random_state(self.random_state)
        run = run_online(kernel, distinct, precision, rng)
        solution, note = online_solution(kernel, distinct, run, precision)
        return self._store(problem, run.theta, bandwidth, solution, (*problem.notes, note), validated)

    def _store(
        self,
        problem: KernelProblem,
        theta: Array,
        bandwidth: float,
        solution: Solution,
        notes: tuple[Note, ...],
        validated: Mapping[str, Array] | None,
    ) -> Self:
        return self._hold(
            KernelLogisticModel(
                classes=problem.reading.targets.classes,
                columns=InputColumns.of(problem.reading.noted),
                status="ok" if solution.converged else "not_converged",
                notes=notes,
                centers=problem.centers,
                coef=theta,
                bandwidth=bandwidth,
                scale=problem.scale,
                n_free=theta.size,
                cross_validation=validated,
                solution=solution,
            )
        )

    def decision_function(self, X: Any) -> Array:
        """Return theta_y'k of each class, (n, K); for two the difference, (n,), positive for ``classes_[1]``."""
        scores: Array = self._map(self._engine(X), self.model_.scores)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores
