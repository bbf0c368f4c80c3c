"""`LogisticRegression`: two classes and softmax, by maximum likelihood or with a Gaussian prior."""

from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.classifiers.linear import LinearClassifier
from posteriori.engines.base import Engine
from posteriori.engines.progress import job
from posteriori.inference.likelihood import likelihoods_of
from posteriori.inference.maximum import Maximum, maximize
from posteriori.links.base import Link
from posteriori.links.select import link_for, narrowed
from posteriori.objectives.prepare import objective_of, survey
from posteriori.priors.gaussian import GaussianPrior, as_prior
from posteriori.solvers.sampled import sample_tables
from posteriori.solvers.select import DENSE_LIMIT, check_solver, method, sample_quota, sample_rows
from posteriori.sweeps.scores import LinearScores
from posteriori.tables.block import Block
from posteriori.tables.border import Reading, read_training
from posteriori.tables.errors import DataError
from posteriori.tables.weights import read_offset

Array = NDArray[np.float64]


class LogisticRegression(LinearClassifier):
    """Logistic regression for two classes, softmax regression for more; unpenalised unless a prior is given.

    Two classes: P(y = 1 | x) = 1 / (1 + exp(-(w'x + b))). More: P(y = k | x) is proportional to
    exp(w_k'x + b_k). The coefficients maximise the log likelihood, plus the log of a Gaussian prior where one is
    given. Columns are centred and scaled inside, so their units change nothing but the units of ``coef_``.

    Book: [Jordan] §7.3.1-7.3.2; [Bishop] Eq. 4.87-4.110, §4.3.2-4.3.4; [Mitchell] §3; [Deuschle] §3.5.1;
    [Sugiyama] §28.1.

    Parameters
    ----------
    prior : None | float | GaussianPrior
        None is plain maximum likelihood; a number is the precision of a Gaussian prior on every weight but the
        intercept (scikit-learn's 1/C), added to the sum over rows.
    solver : "auto" | "irls"
        "irls" is Newton-Raphson on all rows; "auto" the fastest that reaches the certified optimum.
    parametrization : "symmetric" | "reference"
        K coefficient vectors (unpenalised ones sum to zero), or none for the class `reference`. Two classes have
        one vector either way. Under a prior the two are different models.
    reference : the class without coefficients, default ``classes_[0]``
    fit_intercept : whether there is an intercept
    on_separation : "warn" | "raise"
        What to do when the classes are separated, so that no finite maximum exists.
    tol : float
        The Newton decrement to reach: no linear combination of coefficients is further than this many standard
        errors from the optimum.
    max_iter : the most iterations, default 100

    Attributes
    ----------
    coef_, intercept_ : (1, d) and (1,) for two classes, (K, d) and (K,) for more
    solution_ : objective, decrement, gap, overlap, sweeps, converged, reason
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
    """

    _takes_sparse = True

    def __init__(
        self,
        *,
        prior: float | GaussianPrior | None = None,
        solver: str = "auto",
        parametrization: Literal["symmetric", "reference"] = "symmetric",
        reference: Any = None,
        fit_intercept: bool = True,
        on_separation: Literal["warn", "raise"] = "warn",
        tol: float = 1e-8,
        max_iter: int | None = None,
    ) -> None:
        self.prior = prior
        self.solver = solver
        self.parametrization = parametrization
        self.reference = reference
        self.fit_intercept = fit_intercept
        self.on_separation = on_separation
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Self:
        """Fit to rows X and their classes y.

        Parameters
        ----------
        X : (n, d) array, sparse matrix or frame of numbers
        y : (n,) labels, or class counts of shape (n, K) (one-hot rows, soft labels, grouped data; `counts`)
        sample_weight : (n,) weights, zero or positive
        offset : (n,) known part of the linear predictor; (n, K) for more than two classes
        """
        self._check_parameters()
        prior = as_prior(self.prior)
        reading = read_training(self, X, y, sample_weight, offset=offset, sparse=True, allow_counts=True)
        link = link_for(reading.targets.classes, self.parametrization, self.reference)
        with job("LogisticRegression"):
            found, totals = self._maximize(reading, link, prior)
            if found.status == "separated" and self.on_separation == "raise":
                raise DataError(str(found.notes[0]))
            return self._keep(reading, found, totals)

    def _check_parameters(self) -> None:
        check_solver(self.solver)
        for name, choices in (
            ("parametrization", ("symmetric", "reference")),
            ("on_separation", ("warn", "raise")),
        ):
            if getattr(self, name) not in choices:
                raise DataError(f"{name}={getattr(self, name)!r} is none of {', '.join(map(repr, choices))}.")
        if not self.tol > 0:
            raise DataError(f"tol={self.tol} must be positive.")
        if self.max_iter is not None and self.max_iter < 1:
            raise DataError(f"max_iter={self.max_iter} must be a whole number from 1 up.")

    def _maximize(self, reading: Reading, link: Link, prior: GaussianPrior | None) -> tuple[Maximum, Array]:
        """Survey, choose a method by shape, and go to the maximum."""
        table = replace(reading.table, offset=narrowed(link, reading.table.offset))
        if link.n_classes == 2:
            table = table.counted(2)  # the fused kernel reads counts; made here once, not in every sweep
        rows, totals = table.class_sizes(link.n_classes)
        n_parameters = link.n_scores * (table.n_columns + self.fit_intercept)
        chosen = method(self.solver, table.n_rows, n_parameters)
        quota = sample_quota(rows, sample_rows(table.n_rows, n_parameters)) if chosen == "sampled" else None
        surveyed = survey(table, quota)
        objective = objective_of(surveyed, link, prior, self.fit_intercept, DENSE_LIMIT)
        start = np.zeros((link.n_scores, objective.units.n_coefficients))
        if self.fit_intercept:
            start[:, 0] = link.start(np.maximum(totals, 1e-300) / totals.sum())
        samples = () if surveyed.sample is None else sample_tables(surveyed.sample, table, rows)
        found = maximize(objective, chosen, start.ravel(), tol=self.tol, max_iter=self.max_iter, samples=samples)
        return found, totals

    def _keep(self, reading: Reading, found: Maximum, totals: Array) -> Self:
        """Turn the maximum into the attributes of a fitted classifier, in the user's units."""
        objective, link, units = found.objective, found.objective.link, found.objective.units
        table = objective.engine.table
        w = found.point.w.reshape(link.n_scores, units.n_coefficients)
        lead, weights = units.to_data(w)
        if link.n_scores > 1:
            lead, weights = link.spread(lead[None])[0], link.spread(weights.T).T
        judged = likelihoods_of(table, link, found.point.loss, totals, self.fit_intercept)  # type: ignore[arg-type]
        free = min(objective.n_free, (link.n_classes - 1) * units.n_coefficients)
        return self._adopt(
            found.notes,
            **reading.noted,
            classes_=reading.targets.classes,
            coef_=weights,
            intercept_=lead,
            scores_=LinearScores(units, w),
            link_=link,
            takes_offset_=table.offset is not None,  # type: ignore[attr-defined]
            solution_=found.solution,
            fit_status_=found.status,
            n_iter_=found.solution.iterations,
            n_parameters_=(link.n_classes - 1) * units.n_coefficients,
            log_likelihood_=judged.log_likelihood,
            null_log_likelihood_=judged.null_log_likelihood,
            deviance_=judged.deviance,
            null_deviance_=judged.null_deviance,
            aic_=2.0 * (free - judged.log_likelihood),
            bic_=float(free * np.log(totals.sum()) - 2.0 * judged.log_likelihood),
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
