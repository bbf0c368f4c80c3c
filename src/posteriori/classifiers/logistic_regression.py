"""`LogisticRegression`: two classes and softmax, by maximum likelihood or with a Gaussian prior."""

from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.bases.base import Basis
from posteriori.classifiers.explanation import Explanation
from posteriori.classifiers.inferential import Inferential
from posteriori.engines.base import Engine
from posteriori.inference.information import INFERENCE, WEIGHTS, Information, information_of
from posteriori.inference.regression import Regression, Settings, cured, regress
from posteriori.inference.rows import importance_of
from posteriori.links.select import link_for, narrowed
from posteriori.priors.gaussian import GaussianPrior, as_prior
from posteriori.priors.jeffreys import JeffreysPrior
from posteriori.priors.weights import read_weights_of
from posteriori.solvers.select import check_solver
from posteriori.sweeps.scores import LinearScores
from posteriori.tables.block import Block
from posteriori.tables.border import Reading, read_training
from posteriori.tables.complaints import choice
from posteriori.tables.errors import DataError
from posteriori.tables.weights import read_offset

Array = NDArray[np.float64]


class LogisticRegression(Inferential):
    """Logistic regression for two classes, softmax regression for more; unpenalised unless a prior is given.

    Two classes: P(y = 1 | x) = 1 / (1 + exp(-(w'x + b))). More: P(y = k | x) is proportional to
    exp(w_k'x + b_k). The coefficients maximise the log likelihood, plus the log of a Gaussian prior where one is
    given. Columns are centred and scaled inside, so their units change nothing but the units of ``coef_``.

    Book: [Jordan] §7.3.1-7.3.2; [Bishop] Eq. 4.87-4.110, §4.3.2-4.3.4; [Mitchell] §3; [Deuschle] §3.5.1;
    [Sugiyama] §28.1.

    Parameters
    ----------
    prior : None | float | GaussianPrior | "jeffreys"
        None is plain maximum likelihood; a number is the precision of a Gaussian prior on every weight but the
        intercept (scikit-learn's 1/C), added to the sum over rows. "jeffreys" is Firth's bias reduction, which
        maximises log likelihood + log det I(w) / 2: finite even where the classes are separated.
    solver : "auto" | "irls"
        "irls" is Newton-Raphson on all rows; "auto" the fastest that reaches the certified optimum.
    parametrization : "symmetric" | "reference"
        K coefficient vectors (unpenalised ones sum to zero), or none for the class `reference`. Two classes have
        one vector either way. Under a prior the two are different models.
    reference : the class without coefficients, default ``classes_[0]``
    fit_intercept : whether there is an intercept
    basis : None | PolynomialBasis | GaussianBasis | SigmoidBasis | KernelBasis | CustomBasis
        Fixed functions phi of the columns, in place of which the model is then linear: w'phi(x) + b. ``coef_`` is
        over the columns of phi.
    on_separation : "warn" | "raise" | "jeffreys"
        What to do when the classes are separated, so that no finite maximum exists; "jeffreys" fits again with
        ``prior="jeffreys"`` and says so in ``fit_notes_``.
    weights : "frequency" | "importance"
        What standard errors take ``sample_weight`` for. A frequency w is w copies of the row. An importance says how
        much a row counts: model-based covariances are then those of weights rescaled to sum to the number of rows,
        the robust one has squared weights in its middle, and likelihood-ratio and score tests are refused.
    inference : "auto" | True | False
        Whether fit sums the information that standard errors need; "auto" where n (K-1)^2 (d+1)^2 is at most 1e9.
    tol : float
        The Newton decrement to reach: no linear combination of coefficients is further than this many standard
        errors from the optimum.
    max_iter : the most iterations, default 100

    Attributes
    ----------
    coef_, intercept_ : (1, d) and (1,) for two classes, (K, d) and (K,) for more
    coefficient_names_ : names of the d columns that ``coef_`` is over: of X, or of the basis
    coefficient_labels_ : names of the coefficients in the order of ``covariance()``
    information_ : what standard errors are made of
    solution_ : objective, decrement, gap, overlap, sweeps, converged, reason
    infinite_ : (1, d + 1) or (K, d + 1), the sign of each coefficient that has no finite estimate (intercept
        first), 0 where it has one
    fit_status_, fit_notes_ : "ok" | "separated" | "aliased" | "not_converged", and what there is to say
    log_likelihood_, null_log_likelihood_, deviance_, null_deviance_, aic_, bic_ : of the unpenalised likelihood

    Notes
    -----
    [Bishop] 4.3.3 calls the minimum unique; under separation or dependent columns it is not, and both are named
    here. [Mitchell] flips the sign of w between Eq. 16-23 and 24-25; ours is that of 24-25.

    Examples
    --------
    Dose and response of eight groups of beetles (Bliss 1935):

    >>> import posteriori as pt
    >>> dose = [[1.6907], [1.7242], [1.7552], [1.7842], [1.8113], [1.8369], [1.8610], [1.8839]]
    >>> y = pt.counts(successes=[6, 13, 18, 28, 52, 53, 61, 60], trials=[59, 60, 62, 56, 63, 59, 62, 60])
    >>> model = pt.LogisticRegression().fit(dose, y)
    >>> model.coef_.round(3).tolist(), round(model.deviance_, 4)
    ([[34.27]], 11.2322)
    >>> model.standard_errors().round(3).tolist()
    [5.181, 2.912]
    >>> model.wald_test("x0")
    Wald test: statistic=138.488, df=1, p_value=5.7e-32
    """

    _takes_sparse = True

    def __init__(
        self,
        *,
        prior: float | GaussianPrior | str | None = None,
        solver: str = "auto",
        parametrization: Literal["symmetric", "reference"] = "symmetric",
        reference: Any = None,
        fit_intercept: bool = True,
        basis: Basis | None = None,
        on_separation: Literal["warn", "raise", "jeffreys"] = "warn",
        weights: Literal["frequency", "importance"] = "frequency",
        inference: bool | Literal["auto"] = "auto",
        tol: float = 1e-8,
        max_iter: int | None = None,
    ) -> None:
        self.prior = prior
        self.solver = solver
        self.parametrization = parametrization
        self.reference = reference
        self.fit_intercept = fit_intercept
        self.basis = basis
        self.on_separation = on_separation
        self.weights = weights
        self.inference = inference
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None, start: Any = None) -> Self:
        """Fit to rows X and their classes y.

        Parameters
        ----------
        X : (n, d) array, sparse matrix or frame of numbers
        y : (n,) labels, or class counts of shape (n, K) (one-hot rows, soft labels, grouped data; `counts`)
        sample_weight : (n,) weights, zero or positive
        offset : (n,) known part of the linear predictor; (n, K) for more than two classes
        start : where to begin, a fitted linear model, what ``as_linear()`` of a generative one gives, or
            (coef, intercept) over the same columns. It changes the number of sweeps, not the maximum reached.
        """
        self._check_parameters()
        prior = as_prior(self.prior)
        known = None if start is None else read_weights_of(start, "start")
        reading = read_training(self, X, y, sample_weight, offset=offset, sparse=True, allow_counts=True)
        reading = self._through_basis(reading)
        link = link_for(reading.targets.classes, self.parametrization, self.reference)
        labels = tuple(reading.targets.classes.tolist())
        settings = Settings(self.solver, self.fit_intercept, self.tol, self.max_iter, labels)
        fitted = regress(reading.table, link, prior, settings, known)
        if fitted.found.status == "separated" and self.on_separation == "raise":
            raise DataError(str(fitted.found.notes[0]))
        if fitted.found.status == "separated" and self.on_separation == "jeffreys":
            fitted = cured(fitted, regress(reading.table, link, JeffreysPrior(), settings))
        importance = importance_of(self.weights, sample_weight, reading.table)
        return self._keep(reading, fitted, information_of(fitted, self.inference, importance))

    def _check_parameters(self) -> None:
        check_solver(self.solver)
        choice("parametrization", self.parametrization, ("symmetric", "reference"))
        choice("on_separation", self.on_separation, ("warn", "raise", "jeffreys"))
        choice("weights", self.weights, WEIGHTS)
        choice("inference", self.inference, INFERENCE)
        if not self.tol > 0:
            raise DataError(f"tol={self.tol} must be positive.")
        if self.max_iter is not None and self.max_iter < 1:
            raise DataError(f"max_iter={self.max_iter} must be a whole number from 1 up.")

    def _keep(self, reading: Reading, fitted: Regression, information: Information) -> Self:
        """Turn the maximum into the attributes of a fitted classifier, in the user's units."""
        found, judged, link = fitted.found, fitted.judged, fitted.link
        lead, weights = fitted.coefficients()
        return self._adopt(
            found.notes,
            **reading.noted,
            classes_=reading.targets.classes,
            coef_=weights,
            intercept_=lead,
            infinite_=fitted.infinite(),
            scores_=LinearScores(fitted.units, fitted.w),
            link_=link,
            information_=information,
            takes_offset_=reading.table.offset is not None,
            solution_=found.solution,
            fit_status_=found.status,
            n_iter_=found.solution.iterations,
            n_parameters_=(link.n_classes - 1) * fitted.units.n_coefficients,
            log_likelihood_=judged.log_likelihood,
            null_log_likelihood_=judged.null_log_likelihood,
            deviance_=judged.deviance,
            null_deviance_=judged.null_deviance,
            aic_=2.0 * (fitted.n_free - judged.log_likelihood),
            bic_=float(fitted.n_free * np.log(fitted.totals.sum()) - 2.0 * judged.log_likelihood),
        )

    def _engine(self, X: Any, offset: Any = None) -> Engine:  # type: ignore[override]
        check_is_fitted(self)
        if self.takes_offset_ and offset is None:
            raise DataError("the model was fitted with an offset, so it cannot predict without one: give offset=.")
        engine = super()._engine(X)
        n_scores = 1 if len(self.classes_) == 2 else len(self.classes_)
        checked = narrowed(self.link_, read_offset(offset, engine.table.n_rows, n_scores))
        engine.table = replace(engine.table, offset=checked)  # type: ignore[type-var]
        return engine

    def _log_probabilities(self, block: Block) -> Array:
        logs: Array = self.link_.log_probabilities(self.scores_(block))
        return logs

    def predict_log_proba(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Give log P(class | x), (n, K), exact where the probability itself would round to zero."""
        return self._logs(X, self._engine(X, offset))

    def predict_proba(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Give P(class | x), (n, K) in the order of ``classes_``."""
        return self._probabilities(X, self._engine(X, offset))

    def predict(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Give the most probable class of each row."""
        return self._labels(self._engine(X, offset))

    def linear_predictor(self, X: Any, offset: Any = None) -> Array:
        """Give eta: (n,) for two classes, (n, K) for more."""
        eta = self._map(self._engine(X, offset), self.scores_)
        spread: Array = eta[:, 0] if len(self.classes_) == 2 else self.link_.spread(eta)
        return spread

    def decision_function(self, X: Any, offset: Any = None) -> Array:
        """Give eta, whose sign (or argmax) is the prediction: under the logit link its zero is the boundary."""
        return self.linear_predictor(X, offset)

    def explain(self, X: Any, offset: Any = None) -> Explanation:
        """Take the linear predictor apart: baseline, contributions of the columns, and the offset if there is one."""
        engine = self._engine(X, offset)
        known = engine.table.offset  # type: ignore[attr-defined]
        spread = None if known is None else known[:, 0] if len(self.classes_) == 2 else self.link_.spread(known)
        return self._explained(X, engine, spread)

    def _spread(self, scores: Array) -> Array:
        spread: Array = scores if len(self.classes_) == 2 else self.link_.spread(scores[None])[0]
        return spread
