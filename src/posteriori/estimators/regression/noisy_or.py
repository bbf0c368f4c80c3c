"""`NoisyOr`: a class that occurs unless all of its causes fail."""

from dataclasses import field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.parameters import check_stopping, choice
from posteriori.estimators.base import Classifier, ProbabilityMethods
from posteriori.estimators.learned import Learned
from posteriori.estimators.linear import LinearMethods, explain
from posteriori.estimators.parameters import parameters
from posteriori.estimators.requires_fit import after_fit
from posteriori.fits.noisy_or.fit import NoisyOrFit, fit_noisy_or
from posteriori.input.training import Reading, read_training
from posteriori.links.noisy_or import NoisyOrLink
from posteriori.messages.errors import DataError
from posteriori.models.base import InputColumns
from posteriori.models.linear_scores import LinearScores
from posteriori.models.margins import distances_of
from posteriori.models.regression import NoisyOrModel
from posteriori.solvers.newton.bounded import BoundedSolution
from posteriori.storable import storable
from posteriori.tables.block import Block


@storable
@parameters()
class NoisyOr(LinearMethods, ProbabilityMethods, Classifier):
    """Noisy-OR: each trigger that is present can cause the class by itself, and each can fail.

    With xi_j the probability that trigger j fails, P(y = 0 | x) = prod_j xi_j^x_j. In theta_j = -log xi_j >= 0 that is

        P(y = 1 | x) = 1 - exp(-(theta'x + leak)),

    for x of zeros and ones, and for any x >= 0 (the probability that a Poisson count of mean theta'x + leak is not
    zero). The leak stands for other causes, with no trigger present. theta is the maximum likelihood estimate under
    theta >= 0, a concave problem. y = 1 is ``classes_[1]``, the class sorted last.

    Book: [Jordan] Eq. 7.99-7.101, §7.3.4, and 7.102-7.104, §7.3.5.

    Parameters
    ----------
    leak : bool
        Whether the class can occur without any trigger; otherwise a row of class 1 whose cells are all zero is
        impossible, and raises an error.
    tol : float
        The Newton decrement to reach: no linear combination of the coefficients above zero is further than this many
        standard errors from the maximum.
    max_iter : int, default 100

    Attributes
    ----------
    theta_ : (d,) minus the log of the failure probability of each trigger, zero or positive
    failure_probabilities_ : (d,) xi = exp(-theta_); 1 for a trigger that never causes the class
    leak_ : the theta of the leak, 0 without one
    coef_, intercept_ : (1, d) and (1,), theta_ and leak_
    classes_ : (2,)
    solution_ : the certificate, the conditions of Karush, Kuhn and Tucker: the gradient is zero for theta > 0 and not
        positive for theta = 0, up to ``violation``; ``n_free`` coefficients are above zero. The decrement is over
        those, and over those at zero that the next step of a fit that has not converged would raise; directions along
        which the likelihood is exactly flat do not count, and it is inf if rounding hides whether there are others.
        ``overlap`` is False if a trigger never fails, so that the maximum is at infinity.
    n_iter_ : number of steps
    n_parameters_ : d, plus one for the leak
    log_likelihood_, deviance_, aic_, bic_
    n_trials_ : the number of trials in ``bic_``: rows, or the sum of their counts, by weight
    infinite_ : (1, d + 1) 1 for coefficients without a finite estimate, the leak first
    fit_status_ : "ok" | "separated" | "aliased" | "not_converged"
    fit_notes_ : notes on the fit

    Notes
    -----
    Columns are scaled internally, not centred. theta_j has no finite estimate if and only if column j is
    positive in some row of class 1 and in no row of class 0: the trigger never failed. ``theta_`` is then a large
    finite value, for which one of these rows fails with a probability of 1e-16, and a `SeparationWarning` names the
    column. If columns are collinear, ``theta_`` is the solution of least norm on scaled columns.

    Examples
    --------
    The first of two switches fails to light a lamp 4 times of 10, the second 6 of 10, both together 6 of 25:

    >>> import posteriori as pt
    >>> y = pt.counts(successes=[6, 4, 19, 0], trials=[10, 10, 25, 10])
    >>> model = pt.NoisyOr(leak=False).fit([[1, 0], [0, 1], [1, 1], [0, 0]], y)
    >>> model.failure_probabilities_.round(3).tolist()
    [0.4, 0.6]
    >>> model.predict_proba([[0, 0], [1, 1]]).round(3).tolist()
    [[1.0, 0.0], [0.24, 0.76]]
    """

    leak: bool = True
    tol: float = 1e-8
    max_iter: int | None = None

    _takes_sparse = True
    _model_type = NoisyOrModel

    model_: NoisyOrModel = field(init=False)
    theta_ = Learned[Array]("theta")
    failure_probabilities_ = Learned[Array]("failure_probabilities")
    leak_ = Learned[float]("leak")
    infinite_ = Learned[NDArray[np.int8]]("infinite")
    link_ = Learned[NoisyOrLink]("link")
    solution_ = Learned[BoundedSolution]("solution")
    n_iter_ = Learned[int]("solution.iterations")
    log_likelihood_ = Learned[float]("likelihoods.log_likelihood")
    deviance_ = Learned[float]("likelihoods.deviance")
    n_trials_ = Learned[float]("n_trials")
    aic_ = Learned[float]("aic")
    bic_ = Learned[float]("bic")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = (
            True  # no column can decrease the probability of class 1, as some data require
        )
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows X, zero or positive, and their classes y.

        Parameters
        ----------
        X : (n, d) array, sparse matrix or frame of numbers, zero or positive
        y : (n,) labels of two classes, or class counts of shape (n, 2)
        sample_weight : (n,) weights, zero or positive
        """
        self._check_parameters()
        reading = read_training(self, X, y, sample_weight, sparse=True, allow_counts=True)
        classes = reading.targets.classes
        if len(classes) != 2:
            raise DataError(
                "Only binary classification is supported. The type of the target is multiclass: NoisyOr is for two "
                f"classes, not {len(classes)}. Use OneVsRest(NoisyOr()), or LogisticRegression."
            )
        return self._store(
            reading, fit_noisy_or(reading.table, self.leak, self.tol, self.max_iter, tuple(classes.tolist()))
        )

    def _check_parameters(self) -> None:
        choice("leak", self.leak, (True, False))
        check_stopping(self.tol, self.max_iter)

    def _store(self, reading: Reading, fitted: NoisyOrFit) -> Self:
        """Store the maximum as a model, and emit its notes."""
        return self._hold(
            NoisyOrModel(
                classes=reading.targets.classes,
                columns=InputColumns.of(reading.noted),
                status=fitted.status,
                notes=fitted.notes,
                linear=LinearScores(fitted.units, fitted.w[None]),
                likelihoods=fitted.likelihoods,
                solution=fitted.solution,
                certain=fitted.certain,
                n_trials=float(fitted.totals.sum()),
            )
        )

    def _log_probabilities(self, block: Block) -> Array:
        return self.model_.log_probabilities(block)

    explain = explain

    def linear_predictor(self, X: Any) -> Array:
        """Return eta = theta'x + leak, minus the log probability that all causes fail, (n,)."""
        engine = self._engine(X)
        return self._map(engine, self.model_.scores)[:, 0]

    @after_fit
    def decision_function(self, X: Any) -> Array:
        """Return theta'x + leak - log 2, (n,): positive if ``classes_[1]`` is more probable."""
        decided: Array = self.linear_predictor(X) - self.model_.link.boundary
        return decided

    def signed_distance(self, X: Any) -> Array:
        """Return the distance of each row to the plane theta'x + leak = log 2, (n,), negative for ``classes_[0]``.

        If every theta is zero there is no plane, and distances are infinite.
        """
        scores = self.decision_function(X)
        return distances_of(scores, self.coef_) if self.coef_.any() else np.copysign(np.inf, scores)
