"""`LinkRegression`: what regressions through a link share: from rows to a certified maximum, and prediction."""

from abc import abstractmethod
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.classifiers.explanation import Explanation
from posteriori.classifiers.inferential import Inferential
from posteriori.engines.base import Engine
from posteriori.inference.information import INFERENCE, WEIGHTS, Information, information_of
from posteriori.inference.regression import Regression, Settings, cured, regress
from posteriori.inference.rows import importance_of
from posteriori.links.base import Link
from posteriori.links.select import narrowed
from posteriori.priors.gaussian import as_prior
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


class LinkRegression(Inferential):
    """A linear predictor, a link from it to class probabilities, and coefficients of largest (penalised) likelihood.

    Concrete ones store their parameters and choose the link.
    """

    _takes_sparse = True

    @abstractmethod
    def _link(self, classes: NDArray[Any]) -> Link:
        """Give the link for these classes, or say why there is none."""

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
        link = self._link(reading.targets.classes)
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
