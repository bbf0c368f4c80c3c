"""`LSPC`: least-squares probabilistic classification, in closed form."""

from collections.abc import Mapping
from dataclasses import field
from operator import itemgetter
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.engines.progress import job
from posteriori.engines.select import engine_for
from posteriori.estimators.kernels.base import KernelClassifier, KernelProblem
from posteriori.estimators.learned import Learned
from posteriori.estimators.parameters import parameters
from posteriori.fits.bandwidth import bandwidth_grid, positive
from posteriori.fits.kernels.lspc import PRECISIONS, NormalEquations, leave_one_out, shares_of, solve_lspc
from posteriori.models.base import InputColumns
from posteriori.models.kernel import LspcModel
from posteriori.objectives.kernel_design import KernelDesign
from posteriori.storable import storable
from posteriori.sweeps.row_functions import Then


@storable
@parameters()
class LSPC(KernelClassifier):
    """Least-squares probabilistic classification: class posteriors fitted by least squares on Gaussian kernels.

    With Phi the kernels k(x, c) = exp(-|x - c|^2 / (2 bandwidth^2)) of the rows and pi_y the indicator of class y,

        theta_y = (Phi'Phi + precision I)^-1 Phi'pi_y    for each class separately,
        P(y | x) = max(0, theta_y'k(x)) / sum over classes of the same.

    There is no iteration, and the posteriors are close to those of `KernelLogisticRegression`. With weights S these are
    Phi'S Phi and Phi'S pi_y.

    Book: [Sugiyama] Eq. 28.3-28.5, §28.2, Fig. 28.5-28.6.

    Parameters
    ----------
    bandwidth : float | "median" | "cv"
        "median": the median distance between two distinct rows (of more than 4,000, the 4,000 of smallest hash).
    precision : float | "cv"
        The penalty, added to the sum over rows, not multiplied by their number.
    centers : "all" | "own-class" | int | (m, d)
        "all": the distinct rows of positive weight, in the order of their first appearance. "own-class": for class y
        those that occur in class y, as in the book's code. A number: that many distinct rows as landmarks, by hashes
        of their values and of `random_state`. Or the points themselves.
    random_state : None, a seed, or a numpy RandomState
        For landmarks.
    units : "data" | "sd"
        The units of distances. "data": |x - c|^2 of the columns as they are, so a column in grams dominates one in
        kilograms; ``fit_notes_`` has a note if one column makes up over 99 % of the distances. "sd": each column is
        divided by its standard deviation in the training rows (weighted; a constant column by 1), and the bandwidth is
        in those units. ``centers_`` are in the units of X in both cases.

    Attributes
    ----------
    classes_ : (K,)
    coef_ : (K, m) theta; with ``centers="own-class"`` zero at the centres of other classes
    centers_ : (m, d)
    bandwidth_, precision_ : the values used
    scale_ : (d,) the standard deviations with ``units="sd"``, else None
    class_priors_ : (K,) the class frequencies of the training rows
    n_parameters_ : number of coefficients: K m, or with "own-class" the number of centres summed over classes
    fit_status_ : "ok"
    fit_notes_ : notes on the fit
    cross_validation_ : with "cv", the candidate bandwidths and precisions and the error (b, l) of each pair

    Notes
    -----
    With "cv", candidate bandwidths are the median rule times 1/8, 1/4, 1/2, 1/sqrt 2, 1, sqrt 2, 2 and 4, candidate
    precisions 1e-4 to 100 by factors of sqrt 10. The criterion is the squared leave-one-out error: for each distinct
    row, the difference of the outputs of the fit without it, on the same centres, and its class frequencies. The fit
    itself minimises the same criterion, (28.4) up to a constant. (The log loss is not suitable: it is infinite if the
    output of one row's own class is rounded up to zero.) No refits are needed: one eigendecomposition per bandwidth
    serves all precisions.

    If the outputs of all classes are rounded up to zero, or every kernel underflows, Eq. 28.5 is 0/0; the probabilities
    are then ``class_priors_``, and `uses_prior` returns these rows. Eq. 28.3 has all centres for every class, Fig. 28.5
    only those of class y: both are available. ``centers_`` are rows of the training data, and `save` writes them to the
    model file.

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[-2.0], [-1.0], [0.0], [1.0], [2.0]], ["out", "out", "in", "in", "out"]
    >>> model = pt.LSPC(bandwidth=1.0).fit(X, y)
    >>> model.predict_proba([[0.5], [1.5]]).round(3).tolist()
    [[1.0, 0.0], [0.498, 0.502]]
    >>> model.predict_proba([[1e6]]).tolist(), model.uses_prior([[1e6]]).tolist()
    ([[0.4, 0.6]], [True])
    """

    bandwidth: float | Literal["median", "cv"] = "median"
    precision: float | Literal["cv"] = 0.1
    centers: Any = "all"
    random_state: Any = None
    units: Literal["data", "sd"] = "data"

    _center_options = ("all", "own-class")

    _model_type = LspcModel

    model_: LspcModel = field(init=False)
    class_priors_ = Learned[Array]("class_priors")
    precision_ = Learned[float]("precision")

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows X and their classes y.

        Parameters
        ----------
        X : (n, d) array or frame of numbers
        y : (n,) labels, or (n, K) class counts
        sample_weight : (n,) frequency of each row
        """
        validates = isinstance(self.precision, str)
        if validates:
            choice("precision", self.precision, ("cv",))
        precisions = PRECISIONS if validates else np.array([positive("precision", self.precision, "or 'cv'")])
        with job("LSPC"):
            problem = self._read(X, y, sample_weight, validated=validates)
            bandwidth, precision, validated = self._select(problem, precisions)
            _, normal, shares = self._equations(problem, bandwidth)
            theta = solve_lspc(normal, shares, precision, (problem.n_classes, len(problem.centers)))
        totals = engine_for(problem.reading.table).rows(problem.n_classes).weights
        members = self._members(problem)
        return self._hold(
            LspcModel(
                classes=problem.reading.targets.classes,
                columns=InputColumns.of(problem.reading.noted),
                status="ok",
                notes=problem.notes,
                centers=problem.centers,
                coef=theta,
                bandwidth=bandwidth,
                scale=problem.scale,
                n_free=theta.size if members is None else int(members.sum()),
                cross_validation=validated,
                class_priors=totals / totals.sum(),
                precision=precision,
            )
        )

    def _members(self, problem: KernelProblem) -> NDArray[np.bool_] | None:
        """Return the centres of each class, (m, K), with ``centers="own-class"``; otherwise None."""
        if not isinstance(self.centers, str) or self.centers != "own-class":
            return None
        assert problem.distinct is not None
        return problem.distinct.counts > 0

    def _equations(self, problem: KernelProblem, bandwidth: float) -> tuple[KernelDesign, NormalEquations, Any]:
        design, n_classes = problem.design(bandwidth), problem.n_classes
        shares = shares_of(design, self._members(problem), n_classes)
        return design, NormalEquations.of(design.table, n_classes), shares

    def _select(self, problem: KernelProblem, precisions: Array) -> tuple[float, float, Mapping[str, Array] | None]:
        """Return bandwidth and precision; those of smallest leave-one-out error with "cv"."""
        grid = bandwidth_grid(problem.bandwidth) if self.bandwidth == "cv" else np.array([problem.bandwidth])
        if problem.distinct is None or len(grid) * len(precisions) == 1:
            return problem.bandwidth, float(precisions[0]), None
        errors = np.array([leave_one_out(*self._equations(problem, each), precisions) for each in grid.tolist()])
        best = np.unravel_index(int(errors.argmin()), errors.shape)
        validated = {"bandwidth": grid, "precision": precisions, "error": errors}
        return float(grid[best[0]]), float(precisions[best[1]]), validated

    # --- predicting

    def scores(self, X: Any) -> Array:
        """Return the outputs theta_y'k(x), (n, K); they may be negative and need not sum to one.

        Book: [Sugiyama] Eq. 28.3, §28.2.
        """
        return self._map(self._engine(X), self.model_.scores)

    def uses_prior(self, X: Any) -> NDArray[np.bool_]:
        """Return which rows have all outputs rounded up to zero, (n,): their probabilities are ``class_priors_``."""
        return self._map(self._engine(X), Then(self.model_.rounded, itemgetter(1)))

    def decision_function(self, X: Any) -> Array:
        """Return the posteriors, (n, K); for two classes their difference, (n,), positive for ``classes_[1]``."""
        p: Array = self._map(self._engine(X), Then(self.model_.log_probabilities, np.exp))
        return p[:, 1] - p[:, 0] if len(self.classes_) == 2 else p
