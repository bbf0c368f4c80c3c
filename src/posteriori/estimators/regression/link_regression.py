"""`LinkRegression`: base class of regressions with a link function: fits and predictions."""

from abc import abstractmethod
from dataclasses import field
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.checks.parameters import check_stopping, choice
from posteriori.decisions.argmax import argmax
from posteriori.engines.base import Engine
from posteriori.estimators.base import Classifier, as_given, logs_as_given
from posteriori.estimators.bases.base import Basis
from posteriori.estimators.learned import Learned
from posteriori.estimators.linear import LinearMethods, signed_distance
from posteriori.estimators.parameters import parameters
from posteriori.estimators.regression.formula import FromFormula
from posteriori.estimators.regression.fractional_weights import fractional_notes
from posteriori.estimators.regression.inference import CoefficientInference
from posteriori.estimators.regression.row_inference import RowInference
from posteriori.fits.information import INFERENCE, WEIGHTS, information_of
from posteriori.fits.link_regression import Regression, Settings, cured, regress
from posteriori.fits.online_stream import fit_stream, state_after
from posteriori.inference.bayes.evidence.choose import choose_precision, precision_notes
from posteriori.inference.prior_notes import binding_notes
from posteriori.input.frames.alignment import aligned
from posteriori.input.row_values import with_offset
from posteriori.input.training import Reading, read_training
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import DataError
from posteriori.models.base import InputColumns
from posteriori.models.explanation import Explanation
from posteriori.models.information import Information, is_sampling
from posteriori.models.linear_scores import LinearScores
from posteriori.models.posterior.precision import ChosenPrecision
from posteriori.models.regression import RegressionModel
from posteriori.priors.evidence import EvidencePrior
from posteriori.priors.gaussian import GaussianPrior, as_prior
from posteriori.priors.jeffreys import JeffreysPrior
from posteriori.priors.weights import read_weights_of
from posteriori.solvers.base import Solution
from posteriori.solvers.catalogue import FIRST_ORDER, check_rate, check_solver
from posteriori.solvers.ordered.online_pass import OnlineState
from posteriori.solvers.trace import Trace
from posteriori.sweeps.row_functions import Then, offset_of
from posteriori.tables.views import ContrastedOffset

#: The end of the note on frequency weights that are not whole numbers, and its remedy.
FREQUENCIES = (
    "weights='frequency' takes a weight as the number of copies of a row: probabilities are not affected, standard "
    "errors, intervals, tests, AIC and BIC are.",
    "For sampling (probability) weights use weights='sampling'.",
)


def _is_online(model: Any) -> bool:
    """Return whether the solver is the online one; otherwise there is no `partial_fit`."""
    if model.solver != "online":
        raise AttributeError(f"partial_fit needs solver='online', not solver={model.solver!r}.")
    return True


@parameters()
class LinkRegression(FromFormula, RowInference, CoefficientInference, LinearMethods, Classifier):
    """A linear predictor, a link that subclasses choose, and coefficients of maximum (penalised) likelihood."""

    prior: float | GaussianPrior | str | None = None
    solver: str = "auto"
    fit_intercept: bool = True
    basis: Basis | None = None
    on_separation: Literal["warn", "raise", "jeffreys"] = "warn"
    weights: Literal["frequency", "sampling", "importance"] = "frequency"
    inference: bool | Literal["auto"] = "auto"
    tol: float = 1e-8
    max_iter: int | None = None
    rate: float | None = None
    trace: bool = False
    random_state: Any = None

    _takes_sparse = True
    _fits_null_model = True
    _model_type = RegressionModel

    model_: RegressionModel = field(init=False)
    link_ = Learned[LinkFunction]("link")
    information_ = Learned[Information]("information")
    solution_ = Learned[Solution]("solution")
    infinite_ = Learned[NDArray[np.int8]]("infinite")
    takes_offset_ = Learned[bool]("takes_offset")
    n_iter_ = Learned[int]("n_iter")
    log_likelihood_ = Learned[float]("likelihoods.log_likelihood")
    null_log_likelihood_ = Learned[float]("likelihoods.null_log_likelihood")
    deviance_ = Learned[float]("likelihoods.deviance")
    null_deviance_ = Learned[float]("likelihoods.null_deviance")
    aic_ = Learned[float]("aic")
    bic_ = Learned[float]("bic")
    evidence_ = Learned[ChosenPrecision]("precision", optional=True)
    state_ = Learned[OnlineState]("state", optional=True)
    trace_ = Learned[Trace]("trace", optional=True)

    @abstractmethod
    def _link(self, classes: NDArray[Any]) -> LinkFunction:
        """Return the link for these classes, or raise."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None, start: Any = None) -> Self:
        """Fit to rows X and their classes y.

        Parameters
        ----------
        X : (n, d) array, sparse matrix or frame of numbers
        y : (n,) labels, or class counts of shape (n, K) (one-hot rows, soft labels, grouped data; `counts`)
        sample_weight : (n,) weights, zero or positive
        offset : (n,) known part of the linear predictor; (n, K) for more than two classes
        start : the starting point: a fitted linear model, the result of ``as_linear()`` of a generative model, or
            (coef, intercept) of the same columns. It affects the number of sweeps, not the result.
        """
        self._check_parameters()
        prior = as_prior(self.prior)
        init = None if start is None else read_weights_of(start, "start")
        reading = read_training(self, X, y, sample_weight, offset=offset, sparse=True, allow_counts=True)
        reading = self._through_basis(reading)
        link = self._link(reading.targets.classes)
        settings = self._settings(reading)
        precision = None
        if isinstance(prior, EvidencePrior):
            precision, init = choose_precision(reading.table, link, prior, self.fit_intercept)
            prior = precision.prior
        fitted = regress(reading.table, link, prior, settings, init)
        if fitted.maximum.status == "separated" and self.on_separation == "raise":
            raise DataError(str(fitted.maximum.notes[0]))
        if fitted.maximum.status == "separated" and self.on_separation == "jeffreys":
            fitted = cured(fitted, regress(reading.table, link, JeffreysPrior(), settings.for_jeffreys()))
        state = state_after(fitted, settings) if self.solver == "online" else None
        return self._store(reading, fitted, information_of(fitted, self.inference, self.weights), state, precision)

    @available_if(_is_online)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Take one online step per row, in the order of the rows; only with ``solver="online"``.

        w <- w + rho_t (y_n - mu_n) phi_n, with rho_t = rate (1 + t / 500)^(-3/4) after t rows; ``coef_`` is an average
        of w with larger weights for later rows. With a `rate` columns are not standardised. Without one, the rows of
        the first call (or of `fit`) determine centre and scale of the columns and the first step length, and steps are
        limited so that no row overshoots; the first call should have enough rows for that. No optimum is certified:
        ``fit_status_`` is "not_converged", and likelihoods are those of the last call's rows.

        Book: [Jordan] Eq. 7.65, §7.3.1; [Sugiyama] Fig. 28.1.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`
        classes : all classes that will occur, in the first call; by default those of the first call's y
        """
        self._check_parameters()
        prior = as_prior(self.prior)
        assert not isinstance(prior, JeffreysPrior)  # `_check_parameters` raises
        if isinstance(prior, EvidencePrior):
            raise DataError(
                f"prior={self.prior!r} needs all rows at once, which partial_fit does not have. Use a number."
            )
        earlier = self._earlier_model
        if earlier is not None and earlier.state is not None and earlier.takes_offset:
            raise DataError("the model was fitted with an offset, which partial_fit does not take. Use fit.")
        before = None if earlier is None else earlier.state
        known = before is not None
        reading = self._read_more(X, y, classes, sample_weight, known=known, sparse=True, allow_counts=True)
        link = self._link(reading.targets.classes)
        settings = self._settings(reading)
        fitted, after = fit_stream(reading.table, link, prior, settings, before)
        if before is not None and earlier is not None:
            fitted = fitted.after(earlier.n_iter, earlier.trace)
        return self._store(reading, fitted, information_of(fitted, False, self.weights), after)

    def _settings(self, reading: Reading) -> Settings:
        labels = tuple(reading.targets.classes.tolist())
        random = check_random_state(self.random_state) if self.solver == "online" else None
        return Settings(self.solver, self.fit_intercept, self.tol, self.max_iter, labels, self.rate, self.trace, random)

    @abstractmethod
    def _check_link(self) -> None:
        """Raise unless the parameters of the link are ones that exist."""

    def _check_parameters(self) -> None:
        self._check_link()
        check_solver(self.solver)
        check_rate(self.rate, self.solver)
        choice("trace", self.trace, (False, True))
        if self.solver in FIRST_ORDER and isinstance(as_prior(self.prior), JeffreysPrior):
            raise DataError(
                f"prior='jeffreys' has the information matrix in its objective, which solver={self.solver!r} does not "
                "compute: use solver='auto' or 'irls'."
            )
        choice("on_separation", self.on_separation, ("warn", "raise", "jeffreys"))
        choice("weights", self.weights, WEIGHTS)
        choice("inference", self.inference, INFERENCE)
        choice("fit_intercept", self.fit_intercept, (True, False))
        check_stopping(self.tol, self.max_iter)

    def _store(
        self,
        reading: Reading,
        fitted: Regression,
        information: Information,
        state: OnlineState | None = None,
        precision: ChosenPrecision | None = None,
    ) -> Self:
        """Store the maximum as a model, and emit its notes."""
        maximum, names = fitted.maximum, reading.table.schema.names
        objective = maximum.objective
        notes = (*maximum.notes, *binding_notes(fitted, information, self.prior, names))
        if not is_sampling(self.weights):
            notes += fractional_notes(objective.engine, objective.rows, *FREQUENCIES)
        finished = maximum.finished
        return self._hold(
            RegressionModel(
                classes=reading.targets.classes,
                columns=InputColumns.of(reading.noted),
                status=maximum.status,
                notes=notes if precision is None else (*notes, *precision_notes(precision, names)),
                linear=LinearScores(fitted.units, fitted.w),
                rounded=None if finished is None else (finished.lead, finished.weights),
                link=fitted.link,
                information=information,
                likelihoods=fitted.likelihoods,
                solution=maximum.solution,
                infinite=fitted.infinite(),
                takes_offset=objective.rows.has_offset,
                weights="sampling" if is_sampling(self.weights) else "frequency",
                precision=precision,
                state=state,
                trace=fitted.trace,
            )
        )

    def _rows(self, X: Any, offset: Any = None) -> Engine:
        """Check X and the offset against the fit and return the engine that reads them."""
        check_is_fitted(self)
        if self.model_.takes_offset and offset is None:
            raise DataError("the model was fitted with an offset, so it cannot predict without one: pass offset=.")
        engine, n_classes = self._engine(X), self.model_.n_classes
        table = with_offset(engine.table, aligned(X, offset, "offset"), 1 if n_classes == 2 else n_classes)
        return engine.on(table).view(ContrastedOffset(self.model_.link))

    def predict_log_proba(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Return log P(class | x), (n, K), exact where the probability itself would round to zero."""
        engine = self._rows(X, offset)
        logs = self._map(engine, self.model_.log_probabilities)
        result, steep = logs_as_given(X, logs), self.model_.link.steep_class
        if steep is not None:  # -inf if the probability underflows, as scikit-learn's checks require
            result[as_given(X, np.exp(logs[:, steep])) == 0, steep] = -np.inf
        return result

    def predict_proba(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Return P(class | x), (n, K) in the order of ``classes_``."""
        engine = self._rows(X, offset)
        return as_given(X, self._map(engine, Then(self.model_.log_probabilities, np.exp)))

    def predict(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """Return the most probable class of each row."""
        codes = self._map(self._rows(X, offset), Then(self.model_.log_probabilities, argmax))
        labels: NDArray[Any] = self.classes_[codes]
        return labels

    def linear_predictor(self, X: Any, offset: Any = None) -> Array:
        """Return eta: (n,) for two classes, (n, K) for more."""
        engine = self._rows(X, offset)
        return self.model_.expanded(self._map(engine, self.model_.scores))

    def decision_function(self, X: Any, offset: Any = None) -> Array:
        """Return scores whose sign, or argmax, is the prediction: for two classes eta - F^-1(1/2), F the link."""
        return self.linear_predictor(X, offset) - self.model_.link.boundary

    signed_distance = signed_distance

    def explain(self, X: Any, offset: Any = None) -> Explanation:
        """Return the parts of the linear predictor: baseline, contributions of the columns, and the offset if any."""
        engine = self._rows(X, offset)
        scores = self.model_.expanded(engine.map(offset_of)) if engine.rows(1).has_offset else None
        return self._explained(X, engine, scores)
