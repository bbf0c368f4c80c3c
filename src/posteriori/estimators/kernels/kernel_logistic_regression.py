"""`KernelLogisticRegression`: softmax over sums of Gaussian kernels, at the certified optimum."""

from dataclasses import field
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils import check_random_state

from posteriori.arrays import Array
from posteriori.bases.kernel_centers import distinct_rows
from posteriori.checks.parameters import choice, non_negative
from posteriori.engines.progress import job
from posteriori.estimators.kernels.base import Ground, KernelClassifier
from posteriori.estimators.parameters import parameters
from posteriori.fits.kernels.cross_validation import cross_validate
from posteriori.fits.kernels.kernel_logistic import by_class, maximize_kernel, online_solution
from posteriori.links.catalogue import canonical_link
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note
from posteriori.solvers.base import Solution
from posteriori.solvers.ordered.kernel_online import run_online
from posteriori.storable import storable
from posteriori.tables.block import Block

SOLVERS = ("auto", "online")


@storable
@parameters()
class KernelLogisticRegression(KernelClassifier):
    """Logistic regression on Gaussian kernels: P(y | x) proportional to exp(theta_y'k(x)), without an intercept.

    k_j(x) = exp(-|x - c_j|^2 / (2 bandwidth^2)) about centres c_j. The K vectors theta_y minimise

        - sum_i log P(y_i | x_i) + precision / 2 sum_y |theta_y|^2,

    which has one minimum; there the theta_y sum to zero. Every class has a vector, also where there are two.

    Book: [Sugiyama] Eq. 28.1, §28.1.1, Fig. 28.1-28.3.

    Parameters
    ----------
    bandwidth : float | "median" | "cv"
        "median": the median distance between two distinct rows (of more than 4,000, the 4,000 of smallest hash).
        "cv": of the median rule's times 1/8, 1/4, 1/2, 1/sqrt 2, 1, sqrt 2, 2 and 4, the one of least log loss in
        five-fold cross-validation, with folds of distinct rows by their hashes and the centres left where they are.
    precision : float
        Of a Gaussian prior on every coefficient. Without one (0) the n kernels can separate any sample and the
        likelihood has no maximum, so that 0 is only for ``solver="online"``.
    centers : "all" | int | (m, d)
        "all": the distinct rows of positive weight, in the order of their first appearance. A number: that many of
        them as landmarks, by hashes of what they hold and of `random_state`, so that neither order nor repetition of
        rows matters. Or the points themselves.
    solver : "auto" | "online"
        "auto" reaches the optimum, to a Newton decrement of 1e-8. "online" is the book's run: theta starts at N(0, 1)
        and climbs by steps of 0.1 along the gradient at a random row, at most 1,000 for each row, until one step is
        shorter than 1e-6. That rule says nothing of convergence, and the fit says so.
    random_state : None, a seed, or a numpy RandomState
        For landmarks, and the draws of ``solver="online"``.
    units : "data" | "sd"
        What distances are measured in. "data": |x - c|^2 in the columns as they are, so that a column in grams drowns
        one in kilograms; ``fit_notes_`` says where one column makes over 99 % of the distances. "sd": each column is
        divided by its standard deviation in the training rows (weighted; a column of one value by 1), and the
        bandwidth, given or found, is in those units. ``centers_`` are in the user's units in both.

    Attributes
    ----------
    classes_ : (K,)
    coef_ : (K, m) theta
    centers_ : (m, d)
    bandwidth_ : the one used
    scale_ : (d,) the standard deviations with ``units="sd"``, else None
    solution_ : objective, decrement, gap, overlap, sweeps, converged, reason
    n_iter_ : Newton steps, or steps of the run
    fit_status_, fit_notes_ : "ok" | "not_converged", and what there is to say
    n_parameters_ : K m
    cross_validation_ : with ``bandwidth="cv"``, the bandwidths tried and the log loss of each

    Notes
    -----
    ``centers_`` are rows of the training data, and `save` writes them to the model file. Far from all of them every
    kernel vanishes and each class has probability 1/K: there is no intercept.

    In [Sugiyama] the run is unpenalised; Fig. 28.2 divides by 1 + sum(ci), as if there were one more class, where Fig.
    28.1 and Eq. 28.1 have sum(ci), as here; and the kernel model before it needs theta^(y), a vector for each class.

    With centres on all rows the matrix of kernels is worked with at the rank it has, so that points dense in few
    dimensions cost little; at full rank the time grows as n^3. Landmarks are read block by block and never laid out.

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

    solution_: Solution = field(init=False)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = self.solver == "online"  # its rule may end the run at once
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows X and their classes y.

        Parameters
        ----------
        X : (n, d) array or frame of numbers
        y : (n,) labels, or (n, K) class counts
        sample_weight : (n,) how often each row counts
        """
        precision = self._check_parameters()
        with job("KernelLogisticRegression"), np.errstate(all="ignore"):  # what overflows is not certified
            ground = self._read(X, y, sample_weight, validated=False)
            bandwidth, validated = self._bandwidth(ground, precision)
            if self.solver == "online":
                return self._run(ground, bandwidth, precision, validated)
            link = canonical_link(ground.n_classes)
            found = maximize_kernel(ground.design(bandwidth), link, precision)
        notes = (*ground.notes, *found.notes)
        return self._keep(ground, by_class(link, found.theta), bandwidth, found.solution, notes, validated)

    def _check_parameters(self) -> float:
        choice("solver", self.solver, SOLVERS)
        precision = non_negative("precision", self.precision)
        if precision == 0 and self.solver != "online":
            raise DataError(
                "precision=0 leaves the likelihood without a maximum: with a kernel on every point, some coefficients "
                "separate any sample and grow without end. Give a precision above zero, or solver='online', whose run "
                "of steps ends by a rule of its own."
            )
        return precision

    def _bandwidth(self, ground: Ground, precision: float) -> tuple[float, dict[str, Any]]:
        """Give the bandwidth, cross-validated where asked for and more than one row can be told apart."""
        if self.bandwidth != "cv" or ground.distinct is None or len(ground.distinct.rows) < 2:
            return ground.bandwidth, {}
        if precision == 0:
            raise DataError("bandwidth='cv' compares optima, and precision=0 has none: give one of them as a number.")
        centers = None if ground.on_all else ground.centers
        tried, losses = cross_validate(
            ground.distinct, centers, canonical_link(ground.n_classes), precision, ground.bandwidth, ground.scale
        )
        return float(tried[losses.argmin()]), {"cross_validation_": {"bandwidth": tried, "log_loss": losses}}

    def _run(self, ground: Ground, bandwidth: float, precision: float, validated: dict[str, Any]) -> Self:
        """Make the book's run."""
        distinct = ground.distinct or distinct_rows(ground.reading.table, ground.n_classes)
        kernel, rng = ground.kernel(bandwidth), check_random_state(self.random_state)
        run = run_online(kernel, distinct, precision, rng)
        solution, note = online_solution(kernel, distinct, run, precision)
        return self._keep(ground, run.theta, bandwidth, solution, (*ground.notes, note), validated)

    def _keep(
        self,
        ground: Ground,
        theta: Array,
        bandwidth: float,
        solution: Solution,
        notes: tuple[Note, ...],
        validated: dict[str, Any],
    ) -> Self:
        return self._adopt(
            notes,
            **ground.reading.noted,
            classes_=ground.reading.targets.classes,
            coef_=theta,
            centers_=ground.centers,
            bandwidth_=bandwidth,
            scale_=ground.scale,
            solution_=solution,
            n_iter_=solution.iterations,
            n_parameters_=theta.size,
            fit_status_="ok" if solution.converged else "not_converged",
            **validated,
        )

    def decision_function(self, X: Any) -> Array:
        """Give theta_y'k of every class, (n, K); for two the difference, (n,), positive for ``classes_[1]``."""
        scores: Array = self._map(self._engine(X), self._scores())
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def _log_probabilities(self, block: Block) -> Array:
        scores, link = self._scores()(block), canonical_link(len(self.classes_))
        return link.log_probabilities(scores[:, 1:] - scores[:, :1] if link.n_scores == 1 else scores)
