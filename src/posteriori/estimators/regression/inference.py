"""`CoefficientInference`: covariances, intervals, tests and summaries of the coefficients of a regression."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.estimators.regression.rows import (
    check_arguments,
    covariance_matrix,
    read_rows,
    refuse_for_profile,
    refuse_other_rows,
    restricted_statistic,
    sketch_of_rows,
)
from posteriori.estimators.regression.summaries import profile_results, summary_of
from posteriori.inference.coefficients.covariance import standard_errors, to_user_units
from posteriori.inference.coefficients.effects import OddsRatios, odds_ratios
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.intervals import wald_interval
from posteriori.inference.coefficients.tests import TestResult, score_test, wald_test
from posteriori.inference.coefficients.validity import refuse_likelihood
from posteriori.inference.summaries.table import CoefficientTable
from posteriori.input.frames.alignment import aligned
from posteriori.input.row_values import read_extra
from posteriori.models.regression import RegressionModel
from posteriori.models.sketch import Sketch

if TYPE_CHECKING:
    from posteriori.estimators.linear import LinearMethods as Methods  # whose methods the mixin uses
else:
    Methods = object


class CoefficientInference(Methods):
    """A mixin: covariances, standard errors, intervals and tests of the coefficients of a fitted regression.

    Coefficients always have the same order: the intercept first, then the columns, class by class, without the
    reference class; m = (K - 1)(d + 1) of them. Two classes have the one vector of ``coef_``. More classes have
    contrasts to the reference: ``reference`` with ``parametrization="reference"``, and ``classes_[0]`` for the
    symmetric parametrisation, whose K vectors are identified only up to a vector common to all.
    `coefficient_labels_` has their names.

    `kind` of a covariance: "observed" is the inverse of the second derivative of minus the log likelihood, "expected"
    that of its mean under the model (what R's summary.glm prints; for logit and softmax both are equal), "robust" the
    sandwich of White (1980), "cluster" the sandwich with scores summed within `groups`. The default is "cluster" if
    `groups` are passed, "robust" under ``weights="sampling"`` and otherwise "observed". `fit` computes the sums if that
    is cheap (parameter ``inference``); otherwise, and for "cluster", the rows of the fit must be passed again as X=,
    y=, sample_weight=, offset=, and must have the log likelihood of the fit.

    Options of "robust" and "cluster", with n rows, k coefficients and G groups:

    - ``small_sample``: False for no finite-sample factor (R's ``sandwich``); "stata" or True for n / (n - 1), or
      G / (G - 1) with groups (Stata's ``logit``, R's ``vcovCL`` and ``svyglm``); "HC1" for n / (n - k), or
      G / (G - 1) (n - 1) / (n - k) with groups (R's ``vcovHC`` and ``vcovCL`` with ``type = "HC1"``).
    - ``units``: the units of grouped data (class counts) whose scores are squared: "rows" (R, Stata's ``glm``) or
      single "trials", which is equal to expanding the rows.
    - ``bread``: "observed" (Stata) or "expected" information (R); for logit and softmax both are equal.
    """

    model_: RegressionModel
    inference: Any

    def _fitted(self) -> Fitted:
        """Return the fit as a value for inference."""
        check_is_fitted(self)
        return Fitted.of(self.model_)

    @property
    def coefficient_labels_(self) -> tuple[str, ...]:
        """Names of the m coefficients in the order of `covariance`: "(Intercept)", columns; "class:column" if K > 2."""
        return self._fitted().labels

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
        X, y, sample_weight, offset : the rows of the fit, if `fit` did not compute the sums for this kind
        groups : (n,) the group of each row, for "cluster"
        small_sample : False | True | "stata" | "HC1", the finite-sample factor of "robust" and "cluster"
        units : "rows" | "trials", the units of grouped data for "robust"
        bread : "observed" | "expected", the information in "robust" and "cluster"
        """
        fitted = self._fitted()
        named = {"X": X, "y": y, "sample_weight": sample_weight, "offset": offset, "groups": groups,
                 "small_sample": small_sample, "units": units, "bread": bread}  # fmt: skip
        return to_user_units(fitted, covariance_matrix(self, fitted, kind, named))

    def standard_errors(self, kind: str | None = None, **rows: Any) -> Array:
        """Return the standard errors of the coefficients, (m,): square roots of the diagonal of `covariance`."""
        check_arguments("standard_errors", rows)
        fitted = self._fitted()
        return standard_errors(fitted, covariance_matrix(self, fitted, kind, rows))

    def confidence_interval(
        self, level: float = 0.95, method: str = "wald", *, kind: str | None = None, X: Any = None, y: Any = None,
        sample_weight: Any = None, offset: Any = None, groups: Any = None, **options: Any,
    ) -> Array:  # fmt: skip
        """Return an interval for each coefficient, (m, 2).

        "wald" is estimate -+ z standard errors, NaN if there are none; `kind`, `groups` and `options` (small_sample,
        units, bread) are those of `covariance`. "profile" contains the values that a likelihood-ratio test does not
        reject; it needs the rows, and is infinite on a side where the likelihood never falls, that is, under
        separation. It uses no covariance, and raises if options of one are passed. With Jeffreys' prior it is the
        profile of the penalised likelihood (Heinze & Schemper 2002). Under a Gaussian prior a Wald interval is one of
        the posterior, and there is no profile.
        """
        choice("method", method, ("wald", "profile"))
        check_arguments("confidence_interval", options)
        fitted = self._fitted()
        rows = {"X": X, "y": y, "sample_weight": sample_weight, "offset": offset}
        if method == "profile":
            refuse_for_profile({"kind": kind, "groups": groups, **options})
            return profile_results(self, fitted, level, rows, tests=False).bounds
        errors = self.standard_errors(kind, **rows, groups=groups, **options)
        return wald_interval(fitted.coefficients, errors, level)

    def odds_ratios(self, level: float = 0.95, method: str = "wald", **rows: Any) -> OddsRatios:
        """Return exp of the coefficients with their intervals: factors on the odds against the reference class."""
        check_arguments("odds_ratios", (name for name in rows if name != "kind"))
        fitted = self._fitted()
        return odds_ratios(fitted, self.confidence_interval(level, method, **rows), level, self._library())

    def summary(
        self, *, level: float = 0.95, exponentiate: bool = False, covariance: str | None = None,
        interval: str = "wald", reference: Any = None, **rows: Any,
    ) -> CoefficientTable:  # fmt: skip
        """Return the table of coefficients: text in a terminal, a table in a notebook.

        An estimate that does not exist is shown as infinite or as aliased, without standard error; p-values that are
        not valid are omitted, and a footnote explains why. P-values are those of the tests that the intervals invert:
        Wald tests, or with ``interval="profile"`` likelihood-ratio tests, which exist for infinite estimates too. With
        Jeffreys' prior these are the penalised likelihood-ratio tests of logistf; Wald tests of such fits are
        conservative if the classes are separated or nearly so.

        Parameters
        ----------
        level : level of the intervals
        exponentiate : whether to show odds ratios
        covariance : None | "observed" | "expected" | "robust" | "cluster", as `kind` of `covariance`
        interval : "wald" | "profile" (needs the rows)
        reference : the class that the others are compared with, default the reference of the fit, or ``classes_[0]``
        rows : X=, y=, sample_weight=, offset=, groups= of the fit and small_sample=, units=, bread=, as for
            `covariance`

        Returns
        -------
        CoefficientTable : ``to_text(style)``, ``to_frame()``, ``to_dict()``, ``to_latex()``
        """
        summary = summary_of(self, level, exponentiate, covariance, interval, reference, rows)
        return replace(summary, native=self._library())

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
        TestResult : ``statistic``, ``df``, ``p_value``; raises if no p-value is valid
        """
        check_arguments("wald_test", rows)
        fitted = self._fitted()
        result = wald_test(fitted, lambda: covariance_matrix(self, fitted, kind, rows), R, r)
        return replace(result, native=self._library())

    def score_test(self, X: Any, y: Any, extra: Any, *, sample_weight: Any = None, offset: Any = None) -> TestResult:
        """Test whether columns `extra` (n, e), not in the model, have any effect, without fitting them (Rao 1948)."""
        fitted = self._fitted()
        refuse_likelihood(fitted, "a score test")
        rows = read_rows(self, X, y, sample_weight, offset)
        rows.objective(fitted)
        result = score_test(fitted, rows.engine, read_extra(aligned(X, extra, "extra"), rows.engine.table))
        return replace(result, native=self._library())

    def _sketch(self, X: Any) -> Sketch:
        return sketch_of_rows(self, X)

    def _refuse_other_rows(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> None:
        refuse_other_rows(self, X, y, sample_weight=sample_weight, offset=offset)

    def _restricted_statistic(
        self, embedding: Array, X: Any, y: Any, sample_weight: Any = None, offset: Any = None
    ) -> float:
        return restricted_statistic(self, embedding, X, y, sample_weight=sample_weight, offset=offset)
