"""`BayesianLogisticRegression`: logistic and softmax regression with a posterior over the coefficients."""

from dataclasses import field, replace
from functools import partial
from typing import Any, Literal, Self

from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.checks.levels import tail
from posteriori.checks.parameters import choice
from posteriori.engines.select import engine_for
from posteriori.estimators.base import Classifier, ProbabilityMethods
from posteriori.estimators.bases.base import Basis
from posteriori.estimators.learned import Learned
from posteriori.estimators.linear import LinearMethods, explain
from posteriori.estimators.parameters import parameters
from posteriori.estimators.regression.fractional_weights import CODE, fractional_notes
from posteriori.estimators.regression.label_links import link_for
from posteriori.inference.bayes.posterior_fit import (
    BayesianPrior,
    PosteriorFit,
    fit_posterior,
    read_prior,
    update_posterior,
)
from posteriori.inference.summaries.build_posterior import foot_of_posterior, summarize_posterior
from posteriori.inference.summaries.posterior_table import PosteriorSummary
from posteriori.input.classes.class_values import as_objects, known_as
from posteriori.input.training import Reading, read_training
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import DataError
from posteriori.models.base import InputColumns
from posteriori.models.margins import distances_of
from posteriori.models.posterior.corrected import CorrectedPosterior
from posteriori.models.posterior.gaussian import GaussianPosterior
from posteriori.models.posterior.model import DeferredPosterior, PosteriorModel
from posteriori.models.posterior.precision import ChosenPrecision
from posteriori.models.posterior.predictive import PREDICTIVES
from posteriori.models.posterior.warm_up import WarmUp
from posteriori.priors.gaussian import GaussianPrior
from posteriori.solvers.base import Solution
from posteriori.storable import storable
from posteriori.tables.block import Block

#: The end of the note on weights that are not whole numbers, and its remedy.
FREQUENCIES = (
    "a weight is the number of copies of a row: ten times the weights give a posterior as narrow as ten times the "
    "rows, and other intervals, probabilities and evidence.",
    "For sampling (probability) weights use LogisticRegression(weights='sampling').",
)


@storable
@parameters()
class BayesianLogisticRegression(LinearMethods, ProbabilityMethods, Classifier):
    """Logistic regression (softmax for more than two classes) with a posterior distribution over the coefficients.

    The prior N(m0, S0) and the rows have, in Laplace's approximation, the posterior N(w_MAP, S_N) with S_N^-1 = S0^-1
    + sum_n y_n (1 - y_n) phi_n phi_n'. A predicted probability is the mean over it: closer to 1/K than at w_MAP if the
    rows have little information, and with an interval. With ``prior="evidence"`` the precision of the prior maximises
    the probability of the rows, so nothing is tuned and no validation rows are needed.

    Book: [Bishop] Eq. 4.140-4.155, §4.5.

    Parameters
    ----------
    prior : "evidence" | "evidence-ard" | number | GaussianPrior | None
        "evidence": one precision for all weights on standardised columns, the maximum of the Laplace evidence;
        "evidence-ard": one per column (automatic relevance determination; of several maxima, the one reached uphill
        from a common precision; with fewer rows than columns rounding may decide between them). A number is the
        precision of every weight, in the units of its column. In these cases the intercept has a prior, too: precision
        0.01 on the log odds of the mean row, so that the evidence exists. A `GaussianPrior` is used unchanged: its
        intercept is flat by default, and then ``log_evidence_`` does not exist. None is flat in all coefficients.
    predictive : "probit" | "quadrature" | "sampling"
        How the probability is averaged over the posterior. "probit": logistic(mu / sqrt(1 + pi s^2 / 8)), for more
        classes the same for each pair of classes. "quadrature": the integral, up to rounding; two classes only.
        "sampling": the mean over 4096 draws, the same for all rows, with seed `random_state`.
    fit_intercept : whether there is an intercept
    basis : fixed functions of the columns, as in `LogisticRegression`
    random_state : None, a seed, or a numpy RandomState, for "sampling" and the intervals of more than two classes

    Attributes
    ----------
    posterior_ : the Gaussian of Laplace's approximation: ``mean`` (m,), the mode w_MAP, ``covariance`` (m, m), S_N,
        ``sd``, ``sample(n)``; the intercept first, class by class
    coef_, intercept_ : the mode: (1, d) and (1,) for two classes, (K, d) and (K,) for more
    log_evidence_ : log p(rows), by Laplace's approximation, for comparing models and bases; multinomial coefficients of
        grouped rows included, as in ``log_likelihood_``
    evidence_ : with "evidence", the precision in both units, its certificate and its cost; else None
    log_likelihood_ : at the mode (of the last batch, after `partial_fit`)
    solution_, fit_status_, fit_notes_, n_parameters_ : as in `LogisticRegression`

    Notes
    -----
    [Bishop] 4.5.2 calls its approximation variational; it is Laplace's. Along the direction common to all
    K vectors the posterior equals the prior: no probability depends on it. `decision_function` has the log odds of the
    predictive probabilities, not the mean scores (`linear_predictor`): a row with a larger mean score may be less
    certain. Under (near) separation the posterior at the precision of maximum Laplace evidence is not Gaussian, and
    the Gaussian at its mode is far too wide: if its draws fall more than twice as far below the mode as they should,
    "evidence" uses the precision that maximises E_q[log p(D, w) - log q(w)], a lower bound on the log evidence, with a
    note ("laplace-inaccurate"). Other priors are not changed.

    `summary` and `predict_interval` do not rely on the Gaussian: they use the mean, covariance and skewness of the
    posterior, from the first terms beyond Laplace's approximation, or, if these move a bound of a 95 % interval by
    more than 0.4 standard deviations, from draws (the same for the same rows, computed at the first request). A note
    ("laplace-inaccurate") names those columns, and has the log evidence if it differs by more than 0.5. Until the
    first request a model contains the rows needed for the draws, at most 2^15 numbers; a model file contains none.
    Probabilities are averages over the Gaussian. Posteriors of more than 64 coefficients are not corrected: the note
    then has the error of the intervals; nor are those of `partial_fit`. docs/bayesian.md measures all these errors.

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[-2.0], [-1.0], [0.0], [0.0], [1.0], [2.0]], [0, 0, 1, 0, 1, 1]
    >>> model = pt.BayesianLogisticRegression(prior=1.0).fit(X, y)
    >>> model.coef_.round(3).tolist(), model.posterior_.sd.round(3).tolist(), round(model.log_evidence_, 3)
    ([[1.007]], [0.949, 0.671], -5.521)
    >>> model.predict_proba([[3.0], [30.0]])[:, 1].round(3).tolist()
    [0.853, 0.916]
    >>> model.predict_interval([[3.0]])[0, 1].round(3).tolist()
    [0.348, 1.0]
    """

    prior: float | GaussianPrior | str | None = "evidence"
    predictive: Literal["probit", "quadrature", "sampling"] = "probit"
    fit_intercept: bool = True
    basis: Basis | None = None
    random_state: Any = None

    _takes_sparse = True

    _model_type = PosteriorModel

    model_: PosteriorModel = field(init=False)
    posterior_ = Learned[GaussianPosterior]("posterior")
    corrected_ = Learned[CorrectedPosterior | DeferredPosterior | None]("correction")
    evidence_ = Learned[ChosenPrecision | None]("precision")
    log_evidence_ = Learned[float]("log_evidence")
    log_likelihood_ = Learned[float]("log_likelihood")
    link_ = Learned[LinkFunction]("link")
    seed_ = Learned[int]("seed")
    n_batches_ = Learned[int]("n_batches")
    warm_up_ = Learned[WarmUp | None]("warm_up")
    solution_ = Learned[Solution]("solution")

    # --- fitting

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows X and their classes y.

        Parameters
        ----------
        X : (n, d) array, sparse matrix or frame of numbers
        y : (n,) labels, or class counts of shape (n, K)
        sample_weight : (n,) weights, zero or positive: a weight of two equals two rows
        """
        prior = self._checked_prior()
        reading = read_training(self, X, y, sample_weight, sparse=True, allow_counts=True)
        return self._fit_first(self._through_basis(reading), prior)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Update the posterior by further rows: the posterior of earlier rows is their prior.

        A posterior of few rows is not Gaussian. While there are fewer than 50 rows per coefficient, a model whose first
        call was `partial_fit` therefore stores the rows (up to 32 MiB), and its posterior is that of `fit` to all of
        them, independent of batches and order; ``prior="evidence"`` estimates the precision again. After that, and
        directly after `fit` or `load`, only the Gaussian is stored: the precision does not change, the result depends
        slightly on the order of batches, and ``log_evidence_`` is the sum of log p(batch | batches before it). A model
        file never contains rows.

        Book: [Bishop] §4.5.1.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`
        classes : all classes that will occur, in the first call; by default those of the first call's y
        """
        prior, known = self._checked_prior(), self._earlier_model is not None
        reading = self._read_more(X, y, classes, sample_weight, known=known, sparse=True, allow_counts=True)
        return self._fit_further(reading, prior) if known else self._fit_first(reading, prior, streaming=True)

    def _fit_further(self, reading: Reading, prior: BayesianPrior) -> Self:
        """Continue from the stored rows, or from the Gaussian posterior."""
        before = self.model_
        labels, warm_up = tuple(as_objects(before.classes).tolist()), before.warm_up
        if warm_up is None or not len(warm_up.rows):
            gaussian = not any(note.code == "laplace-inaccurate" for note in before.notes)
            fit = update_posterior(reading.table, before.link, before.posterior, before.precision, labels, gaussian)
            return self._store(reading, fit, before.seed, before.n_batches + 1)
        warm_up = warm_up.joined(WarmUp.of(engine_for(reading.table).numbered(), before.n_classes))
        fit = fit_posterior(warm_up.table(reading.table.schema), before.link, prior, self.fit_intercept, labels)
        stored = WarmUp.has_room(len(warm_up.rows), warm_up.rows.shape[1], fit.posterior.w.size)
        return self._store(reading, fit, before.seed, before.n_batches + 1, warm_up if stored else None)

    def _checked_prior(self) -> BayesianPrior:
        choice("predictive", self.predictive, PREDICTIVES)
        return read_prior(self.prior)

    def _fit_first(self, reading: Reading, prior: BayesianPrior, streaming: bool = False) -> Self:
        link = link_for(reading.targets.classes, "symmetric", None)
        if self.predictive == "quadrature" and link.n_classes > 2:
            raise DataError(
                f"predictive='quadrature' is for two classes; there are {link.n_classes}. Use 'sampling', or 'probit'."
            )
        labels = tuple(as_objects(reading.targets.classes).tolist())
        table, engine = reading.table, engine_for(reading.table).numbered()
        fit = fit_posterior(table, link, prior, self.fit_intercept, labels)
        seed = int(check_random_state(self.random_state).randint(0, 2**31 - 1))
        stored = streaming and WarmUp.has_room(engine.n_rows, table.n_columns, fit.posterior.w.size)
        return self._store(reading, fit, seed, 1, WarmUp.of(engine, link.n_classes) if stored else None)

    def _store(
        self, reading: Reading, fit: PosteriorFit, seed: int, n_batches: int, warm_up: WarmUp | None = None
    ) -> Self:
        fitted, objective = fit.fitted, fit.fitted.maximum.objective
        before = [note for note in self.model_.notes if note.code == CODE] if n_batches > 1 else []
        return self._hold(
            PosteriorModel(
                classes=reading.targets.classes,
                columns=InputColumns.of(reading.noted),
                status=fitted.maximum.status,
                notes=(*fit.notes, *(fractional_notes(objective.engine, objective.rows, *FREQUENCIES) or before)),
                posterior=fit.posterior,
                correction=fit.corrected,
                link=fitted.link,
                precision=fit.chosen,
                predictive=self.predictive,
                seed=seed,
                n_batches=n_batches,
                warm_up=warm_up,
                solution=fitted.maximum.solution,
                log_likelihood=fitted.likelihoods.log_likelihood,
            )
        )

    # --- predicting

    def _log_probabilities(self, block: Block) -> Array:
        choice("predictive", self.predictive, PREDICTIVES)
        return replace(self.model_, predictive=self.predictive).log_probabilities(block)

    explain = explain

    def predict_interval(self, X: Any, level: float = 0.95) -> Array:
        """Return an equal-tailed credible interval for each class's probability, (n, K, 2).

        Two classes: the interval of the predictor a through the logistic function, which is monotone. Mean, standard
        deviation and skewness of a are those of the posterior, as in `summary`. More: quantiles of 4096 draws of the
        predictors with the mean, the covariance and the third cumulants of the posterior. Intervals of larger level
        contain those of smaller level. If only the Gaussian is stored (`partial_fit`, more than 64 coefficients), the
        intervals are those of Laplace's approximation.

        Book: [Bishop] Eq. 4.149-4.150, §4.5.2.
        """
        engine, model = self._engine(X), self.model_
        tail(level)
        return self._map(engine, partial(model.intervals, level=level))

    def linear_predictor(self, X: Any) -> Array:
        """Return the posterior mean of eta: (n,) for two classes, (n, K) for more."""
        eta = self._map(self._engine(X), self.model_.scores)
        return eta[:, 0] if len(self.classes_) == 2 else eta

    def decision_function(self, X: Any) -> Array:
        """Return scores whose sign, or argmax, is the prediction: the log odds of the predictive probabilities.

        Two classes: log p_1 - log p_0, (n,); more: log p_k, (n, K). The mean of eta is `linear_predictor`.
        """
        logs = self._map(self._engine(X), self._log_probabilities)
        return logs[:, 1] - logs[:, 0] if len(self.classes_) == 2 else logs

    def signed_distance(self, X: Any) -> Array:
        """Return the distance of each row to the boundary of the mean scores, as for every linear classifier.

        For more than two classes the boundaries of the predictive probabilities are close to these, but not planes.
        """
        return distances_of(self.linear_predictor(X), self.coef_)

    # --- summary

    def summary(self, *, level: float = 0.95, exponentiate: bool = False, reference: Any = None) -> PosteriorSummary:
        """Return the table of the posterior: mode, mean, sd, interval and P(< 0) of each coefficient, and the prior.

        Parameters
        ----------
        level : level of the credible intervals
        exponentiate : whether to show odds ratios: exp of the mode, medians and quantiles of exp of the coefficients
        reference : the class that the others are compared with; by default ``classes_[0]`` for two classes, and none
        for
            more, where each class has its own vector
        """
        check_is_fitted(self)
        choice("exponentiate", exponentiate, (True, False))
        model = self.model_
        facts = {
            "model": type(self).__name__,
            "status": model.status,
            "log_likelihood": model.log_likelihood,
            "log_evidence": model.posterior.log_evidence,
            "batches": model.n_batches,
        }
        classes = tuple(as_objects(model.classes).tolist())
        foot = foot_of_posterior(model.solution, model.precision, model.corrected)
        summary = summarize_posterior(
            model.posterior, model.corrected, classes, self.coefficient_names_, level, exponentiate,
            known_as(reference, classes), facts, foot, tuple(map(str, model.notes)),
        )  # fmt: skip
        return replace(summary, native=self._library())
