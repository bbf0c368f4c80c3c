"""`Inferential`: what a regression through a link can say about its coefficients; the mathematics is in `inference`."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.engines.base import Engine
from posteriori.engines.select import engine_for
from posteriori.estimators.linear import LinearClassifier
from posteriori.estimators.regression.profiles import profiled, restricted_statistic, sketch_of_rows
from posteriori.estimators.regression.summaries import summary_of
from posteriori.fits.information import Information, Sums, contrasts, in_triangle, is_sampling, row_weights
from posteriori.fits.sketch import Sketch
from posteriori.inference.coefficients.covariance import (
    Covariance,
    covariance_in_units,
    read_covariance,
    standard_errors,
    to_user_units,
)
from posteriori.inference.coefficients.effects import PLACES, MarginalEffects, OddsRatios, marginal_effects, odds_ratios
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.influence import RESIDUALS, Influence, influence_of, residuals
from posteriori.inference.coefficients.intervals import wald_interval
from posteriori.inference.coefficients.probability_intervals import probability_intervals
from posteriori.inference.coefficients.pseudo_r2 import fitted_probabilities, mcfadden, tjur
from posteriori.inference.coefficients.sandwich import KINDS, Sandwich
from posteriori.inference.coefficients.tests import TestResult, score_test, wald_test
from posteriori.inference.coefficients.training_rows import Rows, mean_row, placed, read_extra, weighted
from posteriori.inference.coefficients.validity import refuse_likelihood, refuse_separated
from posteriori.inference.summaries.table import Summary
from posteriori.input.classes.class_values import as_objects
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import native_of
from posteriori.input.training import read_training
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import DataError, NoCriterionError
from posteriori.models.linear_scores import LinearScores
from posteriori.tables.block import Block
from posteriori.tables.memory import MemoryTable

_NO_ROWS = {"X": None, "y": None, "sample_weight": None, "offset": None}


class Inferential(LinearClassifier):
    """Covariances, standard errors, tests, intervals, residuals and effects of a fitted regression.

    Coefficients come in one order everywhere: the intercept first, then the columns, class by class, the reference
    class left out; m = (K - 1)(d + 1) of them. Two classes have the one vector of ``coef_``. With more, they are
    contrasts to the reference: ``reference`` where ``parametrization="reference"``, and ``classes_[0]`` for the
    symmetric parametrisation, whose K vectors are known only up to a vector common to all.
    `coefficient_labels_` names them.

    `kind` of a covariance: "observed" is the inverse of the second derivative of minus the log likelihood, "expected"
    that of its mean under the model (what R's summary.glm prints; for logit and softmax the two are one), "robust" the
    sandwich of White (1980), "cluster" the same over sums of scores within `groups`. By default it is "cluster" where
    `groups` are given, "robust" under ``weights="sampling"`` and otherwise "observed". The sums are computed by fit
    where that is cheap (parameter ``inference``); otherwise, and for "cluster", the rows are given again as X=, y=,
    sample_weight=, offset=, and must give the log likelihood that fit saw.

    Options of "robust" and "cluster", with n rows, k coefficients and G groups:

    - ``small_sample``: False for no finite-sample factor (R's ``sandwich``); "stata" or True for n / (n - 1), or
      G / (G - 1) with groups (Stata's ``logit``, R's ``vcovCL`` and ``svyglm``); "HC1" for n / (n - k), or
      G / (G - 1) (n - 1) / (n - k) with groups (R's ``vcovHC`` and ``vcovCL`` with ``type = "HC1"``).
    - ``units``: which scores of grouped data (class counts) are squared, those of "rows" (R, Stata's ``glm``) or of
      single "trials", which gives what the expanded rows give.
    - ``bread``: "observed" (Stata) or "expected" information (R); for logit and softmax the two are one.
    """

    scores_: LinearScores
    link_: LinkFunction
    information_: Information
    log_likelihood_: float
    null_log_likelihood_: float

    if not TYPE_CHECKING:  # a type checker would take every name for one that exists

        def __getattr__(self, name: str) -> Any:
            """Explain why a fit with sampling weights has no AIC and no BIC."""
            if name in ("aic_", "bic_") and "information_" in vars(self) and is_sampling(self.weights):
                raise NoCriterionError(
                    f"{name} is refused: under weights='sampling' the weighted likelihood is that of no sample. "
                    "Compare models by wald_test, or by cross-validation (posteriori.compare)."
                )
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _fitted(self) -> Fitted:
        """Return the fit as inference sees it."""
        check_is_fitted(self)
        prior = "none" if self.information_.prior is None else "gaussian"
        prior = "jeffreys" if self.information_.jeffreys else prior
        known = self.information_
        units, w = in_triangle(self.scores_.units, contrasts(self.link_, self.scores_.w), known.triangle)
        return Fitted(
            link=self.link_.as_contrasts(),
            own=self.link_,
            units=units,
            w=w,
            information=known.reparameterised(self.link_.n_scores),
            names=self.coefficient_names_,
            classes=tuple(as_objects(self.classes_).tolist()),
            status=self.fit_status_,
            notes=tuple(self.fit_notes_),
            prior=prior,
            weights="sampling" if is_sampling(self.weights) else "frequency",
        )

    @property
    def coefficient_labels_(self) -> tuple[str, ...]:
        """Names of the m coefficients in the order of `covariance`: "(Intercept)", columns; "class:column" if K > 2."""
        return self._fitted().labels

    # --- rows given again

    def _rows(self, X: Any, y: Any, sample_weight: Any, offset: Any) -> Rows:
        """Read rows as fit did, the offset in contrasts."""
        if X is None or y is None:
            raise DataError("this needs the rows of the fit: give X= and y= (and sample_weight=, offset= if fit had).")
        self._refuse_no_offset(offset)
        reading = read_training(
            self, X, y, sample_weight, offset=offset, sparse=True, allow_counts=True, classes=self.classes_,
            known_names=True,
        )  # fmt: skip
        if reading.targets.n_classes != len(self.classes_):
            raise DataError(f"y counts {reading.targets.n_classes} classes; the model has {len(self.classes_)}.")
        table = self._through_basis(reading, known=getattr(self, "phi_", None)).table
        table = replace(table, offset=self.link_.as_contrasts().contrast_offset(table.offset))
        table = table.counted(2) if len(self.classes_) == 2 else table
        return Rows(engine_for(table), row_weights(self.weights, table))

    def _refuse_no_offset(self, offset: Any) -> None:
        if getattr(self, "takes_offset_", False) and offset is None:
            raise DataError("the model was fitted with an offset: give offset=.")

    def _sums(self, fitted: Fitted, X: Any, y: Any, sample_weight: Any, offset: Any) -> Sums:
        if X is not None or y is not None:
            return self._rows(X, y, sample_weight, offset).sums(fitted)
        if fitted.information.sums is None:
            raise DataError(
                f"fit did not sum the information of {fitted.size} coefficients over {fitted.information.n_rows} rows "
                f"(inference={self.inference!r}): give X= and y= of the fit, or fit with inference=True."
            )
        return fitted.information.sums

    def _covariance_of(self, fitted: Fitted, kind: str | None, given: dict[str, Any]) -> Covariance:
        """Compute a covariance in the units of the fit from rows and options `given` by name."""
        given = {**_NO_ROWS, **given}
        groups = given.pop("groups", None)
        if kind is None:
            kind = fitted.default_kind if groups is None else "cluster"
        options = Sandwich.pop_from(given, choice("kind", kind, KINDS))
        if kind != "cluster":
            if groups is not None:
                raise DataError(f"groups= is for kind='cluster', not {kind!r}.")
            return Covariance(covariance_in_units(fitted, kind, self._sums(fitted, **given), options), kind, options)
        rows = self._rows(**given)
        clusters = rows.clusters(fitted, aligned(given["X"], groups, "groups"))
        matrix = covariance_in_units(fitted, kind, rows.sums(fitted), options, clusters)
        return Covariance(matrix, kind, options, len(clusters.keys))

    def _spread_of(self, fitted: Fitted, kind: str | None, given: dict[str, Any]) -> Array:
        """Compute the matrix of a covariance in the units of the fit."""
        matrix = self._covariance_of(fitted, kind, given).matrix
        assert matrix is not None
        return matrix

    # --- coefficients

    def covariance(
        self, kind: str | None = None, *, X: Any = None, y: Any = None, sample_weight: Any = None, offset: Any = None,
        groups: Any = None, small_sample: bool | str = False, units: str = "rows", bread: str = "observed",
    ) -> Array:  # fmt: skip
        """Return the covariance matrix of the coefficients, (m, m), in the units of X.

        Under a Gaussian prior it is the inverse curvature of the penalised likelihood: the covariance of the Laplace
        approximation to the posterior. Entries of coefficients without a finite, unique estimate are NaN.

        Book: [Bishop] Eq. 4.143, §4.5.1; [Jordan] Eq. 7.72-7.74, §7.3.1.

        Parameters
        ----------
        kind : None | "observed" | "expected" | "robust" | "cluster"
            None is "cluster" with `groups`, "robust" under sampling weights, otherwise "observed"
        X, y, sample_weight, offset : the rows of the fit, where it did not sum what is asked for
        groups : (n,) the group of each row, for "cluster"
        small_sample : False | True | "stata" | "HC1", the finite-sample factor of "robust" and "cluster"
        units : "rows" | "trials", the units of grouped data for "robust"
        bread : "observed" | "expected", the information in "robust" and "cluster"
        """
        fitted = self._fitted()
        given = {"X": X, "y": y, "sample_weight": sample_weight, "offset": offset, "groups": groups,
                 "small_sample": small_sample, "units": units, "bread": bread}  # fmt: skip
        return to_user_units(fitted, self._spread_of(fitted, kind, given))

    def standard_errors(self, kind: str | None = None, **rows: Any) -> Array:
        """Return the standard errors of the coefficients, (m,): square roots of the diagonal of `covariance`."""
        fitted = self._fitted()
        return standard_errors(fitted, self._spread_of(fitted, kind, rows))

    def confidence_interval(
        self, level: float = 0.95, method: str = "wald", *, kind: str | None = None, X: Any = None, y: Any = None,
        sample_weight: Any = None, offset: Any = None, groups: Any = None, **options: Any,
    ) -> Array:  # fmt: skip
        """Return an interval for each coefficient, (m, 2).

        "wald" is estimate -+ z standard errors, NaN where there are none; `kind` and `options` (small_sample, units,
        bread) are those of `covariance`. "profile" holds the values that a likelihood-ratio test does not reject; it
        needs the rows, and is infinite on a side where the likelihood never falls: under separation. With Jeffreys'
        prior it is the penalised likelihood that is profiled (Heinze & Schemper 2002). Under a Gaussian prior a Wald
        interval is one of the posterior, and there is no profile.
        """
        choice("method", method, ("wald", "profile"))
        fitted = self._fitted()
        given = {"X": X, "y": y, "sample_weight": sample_weight, "offset": offset}
        if method == "wald":
            errors = self.standard_errors(kind, **given, groups=groups, **options)
            return wald_interval(fitted.coefficients, errors, level)
        return profiled(self, fitted, level, given, tests=False).bounds

    def odds_ratios(self, level: float = 0.95, method: str = "wald", **rows: Any) -> OddsRatios:
        """Give exp of the coefficients with their intervals: factors on the odds against the reference class."""
        fitted = self._fitted()
        return odds_ratios(fitted, self.confidence_interval(level, method, **rows), level, self._library())

    def summary(
        self, *, level: float = 0.95, exponentiate: bool = False, covariance: str | None = None,
        interval: str = "wald", reference: Any = None, **rows: Any,
    ) -> Summary:  # fmt: skip
        """Give the table of coefficients: text in a terminal, a table in a notebook.

        An estimate that does not exist is shown as infinite or as aliased, without standard error; p-values that do
        not hold are left out, and the foot says why. P-values are those of the tests that the intervals invert: Wald
        tests, or with ``interval="profile"`` likelihood-ratio tests, which exist for infinite estimates too. With
        Jeffreys' prior these are the penalised likelihood-ratio tests of logistf; Wald tests of such fits are
        conservative where the classes are separated or nearly so.

        Parameters
        ----------
        level : of the intervals
        exponentiate : whether to give odds ratios
        covariance : None | "observed" | "expected" | "robust" | "cluster", as `kind` of `covariance`
        interval : "wald" | "profile" (needs the rows)
        reference : the class that the others are compared with, default the reference of the fit, or ``classes_[0]``
        rows : X=, y=, sample_weight=, offset=, groups= of the fit and small_sample=, units=, bread=, as for
            `covariance`

        Returns
        -------
        Summary : ``to_text(style)``, ``to_frame()``, ``to_dict()``, ``to_latex()``
        """
        found = summary_of(self, level, exponentiate, covariance, interval, reference, rows)
        return replace(found, native=self._library())

    # --- tests

    def wald_test(self, R: Any, r: Any = 0.0, *, kind: str | None = None, **rows: Any) -> TestResult:
        """Test that R times the coefficients is r.

        Parameters
        ----------
        R : (k, m) matrix, (m,) vector, or names (`coefficient_labels_`, or columns: then in every contrast)
        r : number or (k,)
        kind : of the covariance; rows and options as for `covariance`

        Returns
        -------
        TestResult : ``statistic``, ``df``, ``p_value``; refused where no p-value holds
        """
        fitted = self._fitted()
        found = wald_test(fitted, lambda: self._spread_of(fitted, kind, rows), R, r)
        return replace(found, native=self._library())

    def score_test(self, X: Any, y: Any, extra: Any, *, sample_weight: Any = None, offset: Any = None) -> TestResult:
        """Test whether columns `extra` (n, e), not in the model, have any effect, without fitting them (Rao 1948)."""
        fitted = self._fitted()
        refuse_likelihood(fitted, "a score test")
        rows = self._rows(X, y, sample_weight, offset)
        rows.objective(fitted)
        assert isinstance(rows.engine.table, MemoryTable)
        found = score_test(fitted, rows.engine, read_extra(aligned(X, extra, "extra"), rows.engine.table))
        return replace(found, native=self._library())

    def _sketch(self, X: Any) -> Sketch:
        return sketch_of_rows(self, X)

    def _restricted_statistic(
        self, embedding: Array, X: Any, y: Any, sample_weight: Any = None, offset: Any = None
    ) -> float:
        return restricted_statistic(self, embedding, X, y=y, sample_weight=sample_weight, offset=offset)

    # --- the fit as a whole, and its rows

    def pseudo_r2(
        self, kind: str = "mcfadden", *, X: Any = None, y: Any = None, sample_weight: Any = None, offset: Any = None
    ) -> float:
        """Return McFadden's 1 - log L / log L_0, or Tjur's difference of mean probabilities (two classes; needs rows).

        Both are of single trials, so grouped rows give what expanded ones do: the likelihoods of McFadden's are those
        of `log_likelihood_` and `null_log_likelihood_` without the binomial coefficients.
        """
        choice("kind", kind, ("mcfadden", "tjur"))
        fitted = self._fitted()
        if kind == "mcfadden":
            return mcfadden(fitted, self.log_likelihood_, self.null_log_likelihood_)
        rows = self._rows(X, y, sample_weight, offset)
        return tjur(fitted, rows.engine.map(lambda block: fitted_probabilities(fitted, block)))

    def residuals(
        self, X: Any, y: Any, kind: str = "deviance", *, sample_weight: Any = None, offset: Any = None
    ) -> Array:
        """Give the residuals of any rows: "deviance", "pearson", "response" or "working".

        Two classes: (n,), of ``classes_[1]``. More: (n, K), but (n,) without sign for the deviance. Rows of weight zero
        have NaN.
        """
        choice("kind", kind, RESIDUALS)
        fitted = self._fitted()
        rows = self._rows(X, y, sample_weight, offset)
        scores = LinearScores(fitted.units, fitted.w)
        found = self._map(
            rows.engine, lambda block: residuals(fitted.link, scores(block), block.counts(len(fitted.classes)), kind)
        )
        return placed(found, rows.engine, np.nan)

    def influence(self, X: Any, y: Any, *, sample_weight: Any = None, offset: Any = None) -> Influence:
        """Give leverage, Cook's distance and dfbetas of each row of the fit (Pregibon 1981); a row of counts is one."""
        fitted = self._fitted()
        refuse_separated(fitted, "influence")
        rows = self._rows(X, y, sample_weight, offset)
        spread = covariance_in_units(fitted, "expected", rows.sums(fitted)) / fitted.information.scale
        errors = standard_errors(fitted, spread)
        found = placed(rows.engine.map(lambda block: influence_of(fitted, spread, errors, block)), rows.engine, 0.0)
        return Influence(found[:, 0], found[:, 1], found[:, 2:], fitted.labels, native_of(X))

    def marginal_effects(
        self, X: Any, at: str = "average", *, kind: str | None = None, sample_weight: Any = None, offset: Any = None,
        covariance: Any = None,
    ) -> MarginalEffects:  # fmt: skip
        """Return marginal effects dP(class)/dx_j with standard errors by the delta method, one per column of X.

        Every column is taken as continuous: for a column of zeros and ones that is a slope, not the difference between
        its two values. Columns made from others (categories, interactions, powers, splines, a basis) have no such
        effects, and where the model knows of them an error says so; in a plain array such columns cannot be told from
        variables.

        Parameters
        ----------
        X : rows to average over, weighed by `sample_weight`
        at : "average" over the rows, or at their "mean"
        kind : of the covariance that fit summed: None | "observed" | "expected" | "robust"
        covariance : (m, m), in place of it: what `covariance` returns, for instance for "cluster", or from the rows of
            a fit that summed none (``covariance=model.covariance(X=X_fit, y=y_fit)``)
        """
        choice("at", at, PLACES)
        if getattr(self, "phi_", None) is not None:
            raise DataError("marginal effects are of the columns of X; this model is linear in those of a basis.")
        fitted = self._fitted()
        spread = self._spread_for_rows(fitted, kind, covariance)
        engine = self._predicting(X, offset)
        table = engine.table
        assert isinstance(table, MemoryTable)
        table = table if sample_weight is None else weighted(table, aligned(X, sample_weight, "sample_weight"))
        engine = engine_for(mean_row(table) if at == "mean" else table)
        return marginal_effects(fitted, engine, spread, native_of(X), at)

    def predict_interval(
        self, X: Any, level: float = 0.95, offset: Any = None, *, kind: str | None = None, covariance: Any = None
    ) -> Array:
        """Return an interval for each class's probability, (n, K, 2), made on the scale of the link.

        Two classes: the interval of eta through the link. More: the delta method on the log odds of each class
        against the rest. Rows whose predictor has no finite, unique estimate have (0, 1).

        `kind` and `covariance` are those of `marginal_effects`.
        """
        fitted = self._fitted()
        spread = self._spread_for_rows(fitted, kind, covariance)
        engine = self._predicting(X, offset)

        def bounds(block: Block) -> Array:
            self.scores_(replace(block, offset=None))  # which refuses cells that are not finite
            return probability_intervals(fitted, spread, block, level)

        return self._map(engine, bounds)

    def _spread_for_rows(self, fitted: Fitted, kind: str | None, covariance: Any) -> Array:
        """Return a covariance in the units of the fit, summed or as given, where X= are rows to predict."""
        given = read_covariance(fitted, kind, covariance, self.inference)
        return self._spread_of(fitted, kind, {}) if given is None else given

    def _predicting(self, X: Any, offset: Any) -> Engine:
        """Read rows to predict, the offset in contrasts."""
        engine = self._engine(X, offset)
        assert isinstance(engine.table, MemoryTable)
        return engine_for(replace(engine.table, offset=self.link_.as_contrasts().contrast_offset(engine.table.offset)))
