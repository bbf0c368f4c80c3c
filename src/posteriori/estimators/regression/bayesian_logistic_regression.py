"""`BayesianLogisticRegression`: logistic and softmax regression with error bars on every probability."""

from dataclasses import field, replace
from typing import Any, Literal, Self

from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.estimators.bases.base import Basis
from posteriori.estimators.linear import LinearClassifier
from posteriori.estimators.parameters import parameters
from posteriori.estimators.regression.fractional_weights import CODE, fractional_notes
from posteriori.estimators.regression.label_links import link_for
from posteriori.inference.bayes.corrected.correct import DeferredSampling
from posteriori.inference.bayes.corrected.posterior import CorrectedPosterior
from posteriori.inference.bayes.posterior import GaussianPosterior
from posteriori.inference.bayes.posterior_fit import (
    BayesianPrior,
    PosteriorFit,
    fit_posterior,
    read_prior,
    update_posterior,
)
from posteriori.inference.bayes.predictive import PREDICTIVES
from posteriori.inference.bayes.row_posterior import averaging, intervals, row_posterior, skewed_intervals
from posteriori.inference.bayes.warm_up import WarmUp
from posteriori.inference.summaries.build_posterior import foot_of_posterior, summarize_posterior
from posteriori.inference.summaries.posterior_table import PosteriorSummary
from posteriori.input.classes.class_values import as_objects, known_as
from posteriori.input.training import Reading, read_training
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import DataError
from posteriori.models.linear_scores import LinearScores
from posteriori.models.margins import distances_of
from posteriori.priors.gaussian import GaussianPrior
from posteriori.storable import storable
from posteriori.tables.block import Block

#: What a note on weights that are not whole numbers says.
FREQUENCIES = (
    "a weight is taken as the number of copies of a row: ten times the weights give a posterior as narrow as ten times "
    "the rows, and other intervals, probabilities and evidence.",
    "For sampling (probability) weights use LogisticRegression(weights='sampling').",
)


class NoEvidenceError(DataError, AttributeError):
    """There is no evidence, because the prior is flat in some direction."""


@storable
@parameters()
class BayesianLogisticRegression(LinearClassifier):
    """Logistic regression (softmax for more than two classes) whose coefficients have a distribution, not a value.

    The prior N(m0, S0) and the rows give, by Laplace's approximation, the posterior N(w_MAP, S_N) with
    S_N^-1 = S0^-1 + sum_n y_n (1 - y_n) phi_n phi_n'. A predicted probability is the mean over it: less certain than
    at w_MAP where the rows say little, and with an interval. With ``prior="evidence"`` the strength of the prior is
    that under which the rows are most probable, so nothing is tuned and no rows are held out.

    Book: [Bishop] Eq. 4.140-4.155, §4.5.

    Parameters
    ----------
    prior : "evidence" | "evidence-ard" | number | GaussianPrior | None
        "evidence": one precision for all weights on standardised columns, of largest Laplace evidence; "evidence-ard":
        one for each column (automatic relevance determination; of several tops, the one uphill from a common
        precision, and with fewer rows than columns rounding may decide between them). A number is the precision of
        every weight, per unit of its column. In these cases the intercept has a prior of its own, precision 0.01 on
        the log odds of the mean row, so that the evidence exists. A `GaussianPrior` is taken as it stands: its
        intercept is flat unless it says otherwise, and ``log_evidence_`` is then refused. None is flat everywhere.
    predictive : "probit" | "quadrature" | "sampling"
        How the probability is averaged over the posterior. "probit": logistic(mu / sqrt(1 + pi s^2 / 8)), for more
        classes the same on each pair of them. "quadrature": the integral itself, to rounding; two classes only.
        "sampling": the mean over 4096 draws, the same for all rows, made from `random_state`.
    fit_intercept : whether there is an intercept
    basis : fixed functions of the columns, as for `LogisticRegression`
    random_state : None, a seed, or a numpy RandomState, for "sampling" and the intervals of more than two classes

    Attributes
    ----------
    posterior_ : Laplace's Gaussian: ``mean`` (m,), the mode w_MAP, ``covariance`` (m, m), S_N, ``sd``, ``sample(n)``;
        the intercept first, class by class
    coef_, intercept_ : the mode: (1, d) and (1,) for two classes, (K, d) and (K,) for more
    log_evidence_ : log p(rows), by Laplace's approximation, for comparing models and bases; multinomial coefficients of
        grouped rows included, as in ``log_likelihood_``
    evidence_ : with "evidence", the precision chosen in both units, its certificate and its cost; else None
    log_likelihood_ : at the mode (of the last batch, after `partial_fit`)
    solution_, fit_status_, fit_notes_, n_parameters_ : as everywhere

    Notes
    -----
    [Bishop] 4.5.2 calls its approximation variational; it is Laplace's. Along the direction common to all K vectors
    the posterior is the prior: no probability depends on it. `decision_function` speaks of the predictive
    probabilities, not of the mean scores (`linear_predictor`): a row with a larger mean score may be less certain.
    Under (near) separation the posterior at the precision of largest Laplace evidence is no Gaussian, and the one about
    its mode far too wide: where its draws fall more than twice as deep below the mode as they should, "evidence" takes
    the precision at which E_q[log p(D, w) - log q(w)], a lower bound on the log evidence, is largest, and a note
    ("laplace-inaccurate") says so. A given prior is kept as it is.

    `summary` and `predict_interval` do not rely on the Gaussian: they use the mean, covariance and skewness of the
    posterior, by the first terms beyond Laplace's approximation, or where these move a bound of a 95 % interval by more
    than 0.4 standard deviations by draws (the same for the same rows, made when first asked for). A note
    ("laplace-inaccurate") names those columns, and gives the log evidence where it differs by more than 0.5. Until then
    a model holds the rows it would sample, at most 2^15 numbers; a model file holds none. Probabilities are averages
    over the Gaussian. More than 64 coefficients are not corrected: there the note says how far the intervals are off;
    nor is a Gaussian kept by `partial_fit`. See docs/bayesian.md for how far off it all is.

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

    posterior_: GaussianPosterior = field(init=False)
    link_: LinkFunction = field(init=False)
    seed_: int = field(init=False)
    warm_up_: WarmUp | None = field(init=False)
    corrected_: CorrectedPosterior | DeferredSampling | None = field(init=False)

    # --- learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows X and their classes y.

        Parameters
        ----------
        X : (n, d) array, sparse matrix or frame of numbers
        y : (n,) labels, or class counts of shape (n, K)
        sample_weight : (n,) weights, zero or positive: a weight of two is two rows
        """
        prior = self._checked()
        reading = read_training(self, X, y, sample_weight, sparse=True, allow_counts=True)
        return self._begin(self._through_basis(reading), prior)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from further rows: the posterior so far is their prior.

        A posterior of few rows is not Gaussian. So while there are fewer than 50 rows for each coefficient, a model
        that began with `partial_fit` keeps them (up to 32 MiB), and its posterior is that of `fit` on all of them, in
        whatever batches and order they came; ``prior="evidence"`` chooses anew. From there on, and after `fit` or
        `load` at once, only the Gaussian is kept: the precision stays as it is, the answer depends a little on the
        order of batches, and ``log_evidence_`` goes on as a sum of log p(batch | batches before it). A model file never
        holds rows.

        Book: [Bishop] §4.5.1.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`
        classes : all classes there will be, in the first call; by default those of the first call's y
        """
        prior, known = self._checked(), hasattr(self, "posterior_")
        reading = self._more(X, y, classes, sample_weight, known=known)
        return self._further(reading, prior) if known else self._begin(reading, prior, streaming=True)

    def _further(self, reading: Reading, prior: BayesianPrior) -> Self:
        """Go on from rows that were kept, or from the Gaussian that stands for them."""
        labels = tuple(as_objects(self.classes_).tolist())
        if self.warm_up_ is None or not len(self.warm_up_.rows):
            gaussian = not any(note.code == "laplace-inaccurate" for note in self.fit_notes_)
            found = update_posterior(reading.table, self.link_, self.posterior_, self.evidence_, labels, gaussian)
            return self._keep(reading, found, self.seed_, self.n_batches_ + 1)
        warm = self.warm_up_.joined(WarmUp.of(reading.table, len(self.classes_)))
        found = fit_posterior(warm.table(reading.table.schema), self.link_, prior, self.fit_intercept, labels)
        stays = WarmUp.has_room(len(warm.rows), warm.rows.shape[1], found.posterior.w.size)
        return self._keep(reading, found, self.seed_, self.n_batches_ + 1, warm if stays else None)

    def _checked(self) -> BayesianPrior:
        choice("predictive", self.predictive, PREDICTIVES)
        return read_prior(self.prior)

    def _begin(self, reading: Reading, prior: BayesianPrior, streaming: bool = False) -> Self:
        link = link_for(reading.targets.classes, "symmetric", None)
        if self.predictive == "quadrature" and link.n_classes > 2:
            raise DataError(
                f"predictive='quadrature' is for two classes; there are {link.n_classes}. Use 'sampling', or 'probit'."
            )
        labels = tuple(as_objects(reading.targets.classes).tolist())
        found = fit_posterior(reading.table, link, prior, self.fit_intercept, labels)
        seed = int(check_random_state(self.random_state).randint(0, 2**31 - 1))
        table, size = reading.table, found.posterior.w.size
        stays = streaming and WarmUp.has_room(table.n_rows, table.n_columns, size)
        return self._keep(reading, found, seed, 1, WarmUp.of(table, link.n_classes) if stays else None)

    def _keep(
        self, reading: Reading, believed: PosteriorFit, seed: int, n_batches: int, warm_up: WarmUp | None = None
    ) -> Self:
        posterior, fitted = believed.posterior, believed.fitted
        lead, weights = posterior.units.to_data(posterior.w)
        before = [note for note in self.fit_notes_ if note.code == CODE] if n_batches > 1 else []
        return self._adopt(
            (*believed.notes, *(fractional_notes(reading.table, *FREQUENCIES) or before)),
            **reading.noted,
            classes_=reading.targets.classes,
            coef_=weights,
            intercept_=lead,
            posterior_=posterior,
            corrected_=believed.corrected,
            evidence_=believed.chosen,
            scores_=LinearScores(posterior.units, posterior.w),
            link_=fitted.link,
            seed_=seed,
            n_batches_=n_batches,
            warm_up_=warm_up,
            solution_=fitted.maximum.solution,
            fit_status_=fitted.maximum.status,
            n_parameters_=(fitted.link.n_classes - 1) * fitted.units.n_coefficients,
            log_likelihood_=fitted.likelihoods.log_likelihood,
        )

    @property
    def log_evidence_(self) -> float:
        """Log p(rows), by Laplace's approximation; refused where the prior is flat."""
        check_is_fitted(self)
        if self.posterior_.log_evidence is None:
            raise NoEvidenceError(
                "log_evidence_ does not exist: the prior is flat in some direction, so it gives no rows any "
                "probability. Give a proper prior; for a GaussianPrior that means intercept_precision > 0 too."
            )
        return self.posterior_.log_evidence

    # --- predicting

    def _log_probabilities(self, block: Block) -> Array:
        how = choice("predictive", self.predictive, PREDICTIVES)
        average = averaging(how, len(self.posterior_.w), self.seed_)
        return average(*row_posterior(self.posterior_, block))

    def predict_interval(self, X: Any, level: float = 0.95) -> Array:
        """Return a credible interval for each class's probability, (n, K, 2): as much probability below as above.

        Two classes: the interval of the predictor a through the logistic function, which is monotone. Mean, standard
        deviation and skewness of a are those of the posterior, as in `summary`. More: quantiles over 4096 draws of the
        predictors with the mean, the covariance and the third cumulants of the posterior. Intervals of larger level
        contain those of smaller. Where a fit keeps the Gaussian alone (`partial_fit`, more than 64 coefficients), the
        intervals are those of Laplace's.

        Book: [Bishop] Eq. 4.149-4.150, §4.5.2.
        """
        engine, corrected = self._engine(X), self._corrected()
        if corrected is None:
            bounds = intervals(level, len(self.posterior_.w), self.seed_)
            return self._map(engine, lambda block: bounds(*row_posterior(self.posterior_, block)))
        return self._map(engine, lambda block: skewed_intervals(corrected, block, level, self.seed_))

    def _corrected(self) -> CorrectedPosterior | None:
        """Return what is known beyond the Gaussian: nothing after `partial_fit` and in files of older versions."""
        found: CorrectedPosterior | DeferredSampling | None = vars(self).get("corrected_")
        if isinstance(found, DeferredSampling):  # in place of the rows, which are needed no more
            found = self.corrected_ = found.sampled
        return found

    def for_storage(self) -> Self:
        """Return what a model file holds: the posterior as sampled, and no rows."""
        self._corrected()
        return self

    def linear_predictor(self, X: Any) -> Array:
        """Give the posterior mean of eta: (n,) for two classes, (n, K) for more."""
        eta = self._map(self._engine(X), lambda block: row_posterior(self.posterior_, block)[0])
        return eta[:, 0] if len(self.classes_) == 2 else eta

    def decision_function(self, X: Any) -> Array:
        """Give scores whose sign, or argmax, is the prediction: the log odds of the predictive probabilities.

        Two classes: log p_1 - log p_0, (n,); more: log p_k, (n, K). `linear_predictor` gives the mean of eta.
        """
        logs = self._map(self._engine(X), self._log_probabilities)
        return logs[:, 1] - logs[:, 0] if len(self.classes_) == 2 else logs

    def signed_distance(self, X: Any) -> Array:
        """Give the distance of each row to the boundary of the mean scores, as for every linear classifier.

        For more than two classes the boundaries of the predictive probabilities are near those, and not quite straight.
        """
        return distances_of(self.linear_predictor(X), self.coef_)

    # --- telling

    def summary(self, *, level: float = 0.95, exponentiate: bool = False, reference: Any = None) -> PosteriorSummary:
        """Return the table of the posterior: mode, mean, sd, interval and P(< 0) of each coefficient, and its prior.

        Parameters
        ----------
        level : of the credible intervals
        exponentiate : whether to give odds ratios: exp of the mode, medians and quantiles of exp of the coefficients
        reference : the class that the others are compared with; by default ``classes_[0]`` of two, and none of more,
            where each class has its own vector
        """
        check_is_fitted(self)
        choice("exponentiate", exponentiate, (True, False))
        facts = {
            "model": type(self).__name__,
            "status": self.fit_status_,
            "log_likelihood": self.log_likelihood_,
            "log_evidence": self.posterior_.log_evidence,
            "batches": self.n_batches_,
        }
        classes = tuple(as_objects(self.classes_).tolist())
        found = summarize_posterior(
            self.posterior_,
            self._corrected(),
            classes,
            self.coefficient_names_,
            level,
            exponentiate,
            known_as(reference, classes),
            facts,
            foot_of_posterior(self.solution_, self.evidence_, self._corrected()),
            tuple(map(str, self.fit_notes_)),
        )
        return replace(found, native=self._library())
