"""`LSPC`: least-squares probabilistic classification, in closed form."""

from dataclasses import field
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.engines.progress import job
from posteriori.estimators.kernels.base import Ground, KernelClassifier
from posteriori.estimators.parameters import parameters
from posteriori.fits.bandwidth import bandwidth_grid, positive
from posteriori.fits.kernels.lspc import PRECISIONS, NormalEquations, leave_one_out, shares_of, solve_lspc
from posteriori.links.softmax import Softmax
from posteriori.storable import storable
from posteriori.tables.block import Block


@storable
@parameters()
class LSPC(KernelClassifier):
    """Least-squares probabilistic classification: class posteriors fitted by least squares on Gaussian kernels.

    With Phi the kernels k(x, c) = exp(-|x - c|^2 / (2 bandwidth^2)) of the rows and pi_y the rows of class y marked by
    ones,

        theta_y = (Phi'Phi + precision I)^-1 Phi'pi_y    for each class by itself,
        P(y | x) = max(0, theta_y'k(x)) / sum over classes of the same.

    No iteration, and nearly the posteriors of `KernelLogisticRegression`. Weighted rows have Phi'S Phi and Phi'S pi_y.

    Book: [Sugiyama] Eq. 28.3-28.5, §28.2, Fig. 28.5-28.6.

    Parameters
    ----------
    bandwidth : float | "median" | "cv"
        "median": the median distance between two distinct rows (of more than 4,000, the 4,000 of smallest hash).
    precision : float | "cv"
        The penalty, added to the sum over rows, not multiplied by their number.
    centers : "all" | "own-class" | int | (m, d)
        "all": the distinct rows of positive weight, in the order of their first appearance. "own-class": for class y
        those of them that class y has, as in the book's code. A number: that many distinct rows as landmarks, by
        hashes of what they hold and of `random_state`. Or the points themselves.
    random_state : None, a seed, or a numpy RandomState
        For landmarks.
    units : "data" | "sd"
        What distances are measured in. "data": |x - c|^2 in the columns as they are, so that a column in grams drowns
        one in kilograms; ``fit_notes_`` says where one column makes over 99 % of the distances. "sd": each column is
        divided by its standard deviation in the training rows (weighted; a column of one value by 1), and the
        bandwidth, given or found, is in those units. ``centers_`` are in the user's units in both.

    Attributes
    ----------
    classes_ : (K,)
    coef_ : (K, m) theta; with ``centers="own-class"`` zero at the centres of other classes
    centers_ : (m, d)
    bandwidth_, precision_ : those used
    scale_ : (d,) the standard deviations with ``units="sd"``, else None
    class_priors_ : (K,) the shares of the classes in the training rows
    n_parameters_ : how many coefficients there are: K m, or the number of own centres of all classes
    fit_status_, fit_notes_ : "ok", and what there is to say
    cross_validation_ : with "cv", the bandwidths and precisions tried and the error (b, l) of each pair

    Notes
    -----
    With "cv", bandwidths are the median rule's times 1/8, 1/4, 1/2, 1/sqrt 2, 1, sqrt 2, 2 and 4, precisions from 1e-4
    to 100 by factors of sqrt 10. The error is that of leave-one-out: every distinct row's outputs by the fit without
    it, on the same centres, against its class shares, squared: the criterion that the fit itself minimises, (28.4) up
    to a constant. (The log loss would not do: it is infinite as soon as one row's own class is rounded to zero.) It
    needs no refits: one eigendecomposition a bandwidth serves all precisions.

    Where the outputs of all classes are rounded to zero, or every kernel vanishes, Eq. 28.5 is 0/0; the answer is
    ``class_priors_``, and `uses_prior` says where. Eq. 28.3 has all centres for every class, Fig. 28.5 only those of
    class y: both are offered. ``centers_`` are rows of the training data, and `save` writes them to the model file.

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

    _center_words = ("all", "own-class")

    class_priors_: Array = field(init=False)
    precision_: float = field(init=False)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows X and their classes y.

        Parameters
        ----------
        X : (n, d) array or frame of numbers
        y : (n,) labels, or (n, K) class counts
        sample_weight : (n,) how often each row counts
        """
        if isinstance(self.precision, str):
            choice("precision", self.precision, ("cv",))
            tried = PRECISIONS
        else:
            tried = np.array([positive("precision", self.precision, "or 'cv'")])
        with job("LSPC"):
            ground = self._read(X, y, sample_weight, validated=isinstance(self.precision, str))
            bandwidth, precision, validated = self._chosen(ground, tried)
            theta = self._theta(ground, bandwidth, precision)
        _, totals = ground.reading.table.class_sizes(ground.n_classes)
        members = self._members(ground)
        return self._adopt(
            ground.notes,
            **ground.reading.noted,
            classes_=ground.reading.targets.classes,
            coef_=theta,
            centers_=ground.centers,
            bandwidth_=bandwidth,
            scale_=ground.scale,
            precision_=precision,
            class_priors_=totals / totals.sum(),
            n_parameters_=theta.size if members is None else int(members.sum()),
            fit_status_="ok",
            **validated,
        )

    def _members(self, ground: Ground) -> NDArray[np.bool_] | None:
        """Say which centres each class has, (m, K), where it is to have its own only."""
        if not isinstance(self.centers, str) or self.centers != "own-class":
            return None
        assert ground.distinct is not None
        return ground.distinct.counts > 0

    def _theta(self, ground: Ground, bandwidth: float, precision: float) -> Array:
        design, n_classes = ground.design(bandwidth), ground.n_classes
        shares = shares_of(design, self._members(ground), n_classes)
        normal = NormalEquations.of(design.table, n_classes)
        return solve_lspc(normal, shares, precision, (n_classes, len(ground.centers)))

    def _chosen(self, ground: Ground, tried: Array) -> tuple[float, float, dict[str, Any]]:
        """Give bandwidth and precision, of least leave-one-out error where they are to be chosen."""
        grid = bandwidth_grid(ground.bandwidth) if self.bandwidth == "cv" else np.array([ground.bandwidth])
        if ground.distinct is None or len(grid) * len(tried) == 1:
            return ground.bandwidth, float(tried[0]), {}
        errors = np.array([self._errors(ground, bandwidth, tried) for bandwidth in grid.tolist()])
        best = np.unravel_index(int(errors.argmin()), errors.shape)
        validated = {"cross_validation_": {"bandwidth": grid, "precision": tried, "error": errors}}
        return float(grid[best[0]]), float(tried[best[1]]), validated

    def _errors(self, ground: Ground, bandwidth: float, tried: Array) -> Array:
        design = ground.design(bandwidth)
        shares = shares_of(design, self._members(ground), ground.n_classes)
        return leave_one_out(design, NormalEquations.of(design.table, ground.n_classes), shares, tried)

    # --- predicting

    def scores(self, X: Any) -> Array:
        """Give the outputs theta_y'k(x) themselves, (n, K): they may be negative and need not sum to one.

        Book: [Sugiyama] Eq. 28.3, §28.2.
        """
        outputs: Array = self._map(self._engine(X), self._scores())
        return outputs

    def uses_prior(self, X: Any) -> NDArray[np.bool_]:
        """Mark the rows whose outputs were all rounded to zero, (n,): their answer is ``class_priors_``."""
        marked: NDArray[np.bool_] = self._map(self._engine(X), lambda block: self._rounded(block)[1])
        return marked

    def decision_function(self, X: Any) -> Array:
        """Give the posteriors, (n, K); for two classes their difference, (n,), positive for ``classes_[1]``."""
        p: Array = self._map(self._engine(X), lambda block: np.exp(self._log_probabilities(block)))
        return p[:, 1] - p[:, 0] if len(self.classes_) == 2 else p

    def _rounded(self, block: Block) -> tuple[Array, NDArray[np.bool_]]:
        """Give the outputs, up to a factor for each row, rounded up to zero, and the rows where nothing is left."""
        scaled, peaks = self._scores().scaled(block)
        left = np.maximum(scaled, 0.0)
        with np.errstate(under="ignore"):
            return left, (np.exp(peaks) == 0.0) | ~left.any(axis=1)

    def _log_probabilities(self, block: Block) -> Array:
        left, none = self._rounded(block)
        left[none] = self.class_priors_
        with np.errstate(divide="ignore"):
            return Softmax(len(self.classes_)).log_probabilities(np.log(left))
