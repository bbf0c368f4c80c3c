"""`RowInference`: residuals, influence, marginal effects and intervals of a regression, computed from rows."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.engines.base import Engine
from posteriori.estimators.regression.rows import covariance_matrix, read_rows, refuse_unused
from posteriori.inference.coefficients.covariance import covariance_in_units, read_covariance, standard_errors
from posteriori.inference.coefficients.effects import PLACES, MarginalEffects, marginal_effects
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.influence import RESIDUALS, Influence, influence_of, residuals
from posteriori.inference.coefficients.probability_intervals import probability_intervals
from posteriori.inference.coefficients.pseudo_r2 import fitted_probabilities, mcfadden, tjur
from posteriori.inference.coefficients.training_rows import mean_row
from posteriori.inference.coefficients.validity import refuse_separated
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import native_of
from posteriori.input.row_values import with_weights
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import DataError
from posteriori.models.linear_scores import LinearScores
from posteriori.tables.block import Block
from posteriori.tables.views import ContrastedOffset

if TYPE_CHECKING:
    from posteriori.estimators.regression.inference import CoefficientInference as Methods  # which goes with it
else:
    Methods = object


class RowInference(Methods):
    """A mixin: what inference computes from rows, those of the fit or new ones."""

    _rows: Callable[..., Engine]

    def pseudo_r2(
        self, kind: str = "mcfadden", *, X: Any = None, y: Any = None, sample_weight: Any = None, offset: Any = None
    ) -> float:
        """Return McFadden's 1 - log L / log L_0, or Tjur's difference of mean probabilities (two classes; needs rows).

        Both are of single trials, so they are equal for grouped and for expanded rows: McFadden's likelihoods are
        `log_likelihood_` and `null_log_likelihood_` without the binomial coefficients.
        """
        choice("kind", kind, ("mcfadden", "tjur"))
        fitted = self._fitted()
        rows = {"X": X, "y": y, "sample_weight": sample_weight, "offset": offset}
        if kind == "mcfadden":
            refuse_unused(rows, "kind='mcfadden' is of the likelihoods of the fit; rows are for kind='tjur'.")
            return mcfadden(self.model_.likelihoods)
        engine = read_rows(self, **rows).engine
        return tjur(fitted, engine.map(partial(fitted_probabilities, fitted)))

    def residuals(
        self, X: Any, y: Any, kind: str = "deviance", *, sample_weight: Any = None, offset: Any = None
    ) -> Array:
        """Return the residuals of any rows: "deviance", "pearson", "response" or "working".

        Two classes: (n,), of ``classes_[1]``. More: (n, K), but (n,) without sign for the deviance. Rows of weight zero
        have NaN.
        """
        choice("kind", kind, RESIDUALS)
        fitted = self._fitted()
        engine = read_rows(self, X, y, sample_weight, offset).engine
        values = self._map(engine, partial(_residuals, fitted.link, LinearScores(fitted.units, fitted.w), kind))
        return engine.table.in_user_rows(values, np.nan)

    def influence(self, X: Any, y: Any, *, sample_weight: Any = None, offset: Any = None) -> Influence:
        """Return leverage, Cook's distance and dfbetas of each row, or row of counts, of the fit (Pregibon 1981)."""
        fitted = self._fitted()
        refuse_separated(fitted, "influence")
        rows = read_rows(self, X, y, sample_weight, offset)
        matrix = covariance_in_units(fitted, "expected", rows.sums(fitted)) / fitted.information.scale
        errors = standard_errors(fitted, matrix)
        values = rows.engine.map(partial(influence_of, fitted, matrix, errors))
        values = rows.engine.table.in_user_rows(values, 0.0)
        return Influence(values[:, 0], values[:, 1], values[:, 2:], fitted.labels, native_of(X))

    def marginal_effects(
        self, X: Any, at: str = "average", *, kind: str | None = None, sample_weight: Any = None, offset: Any = None,
        covariance: Any = None,
    ) -> MarginalEffects:  # fmt: skip
        """Return marginal effects dP(class)/dx_j with standard errors by the delta method, one per column of X.

        Every column is treated as continuous: for a column of zeros and ones the effect is a slope, not the difference
        between its two values. Columns computed from others (categories, interactions, powers, splines, a basis) have
        no such effects, and raise an error if the model can recognise them, which it cannot in a plain array.

        Parameters
        ----------
        X : rows to average over, weighted by `sample_weight`
        at : "average" over the rows, or at their "mean"
        kind : of the covariance whose sums `fit` computed: None | "observed" | "expected" | "robust"
        covariance : (m, m), in place of `kind`: the result of `covariance`, for instance for "cluster", or for a fit
            that computed no sums (``covariance=model.covariance(X=X_fit, y=y_fit)``)
        """
        choice("at", at, PLACES)
        if self.model_.columns.phi is not None:
            raise DataError("marginal effects are of the columns of X; this model is linear in those of a basis.")
        fitted = self._fitted()
        matrix = self._covariance_for(fitted, kind, covariance)
        engine = self._rows_to_predict(X, offset)
        if sample_weight is not None:
            engine = engine.on(with_weights(engine.table, aligned(X, sample_weight, "sample_weight")))
        return marginal_effects(fitted, mean_row(engine) if at == "mean" else engine, matrix, native_of(X), at)

    def predict_interval(
        self, X: Any, level: float = 0.95, offset: Any = None, *, kind: str | None = None, covariance: Any = None
    ) -> Array:
        """Return a confidence interval for each class's probability, (n, K, 2), computed on the scale of the link.

        Two classes: the interval of eta through the link. More: the delta method on the log odds of each class
        against the rest. Rows whose predictor has no finite, unique estimate have (0, 1).

        `kind` and `covariance` are those of `marginal_effects`.
        """
        fitted = self._fitted()
        matrix = self._covariance_for(fitted, kind, covariance)
        return self._map(self._rows_to_predict(X, offset), partial(_bounds, self.model_.linear, fitted, matrix, level))

    def _covariance_for(self, fitted: Fitted, kind: str | None, covariance: Any) -> Array:
        """Return a covariance in the units of the fit, from the sums of the fit or from a matrix of the user."""
        matrix: Array | None = read_covariance(fitted, kind, covariance, self.inference)
        return covariance_matrix(self, fitted, kind, {}) if matrix is None else matrix

    def _rows_to_predict(self, X: Any, offset: Any) -> Engine:
        """Read rows to predict, the offset in contrasts."""
        return self._rows(X, offset).view(ContrastedOffset(self.model_.link.as_contrasts()))


def _residuals(link: LinkFunction, scores: LinearScores, kind: str, block: Block) -> Array:
    """Return the residuals of the rows of a block."""
    return residuals(link, scores(block), block.counts(link.n_classes), kind)


def _bounds(scores: LinearScores, fitted: Fitted, matrix: Array, level: float, block: Block) -> Array:
    """Return intervals of the probabilities of the rows of a block, (n, K, 2)."""
    scores(replace(block, offset=None))  # raises for cells that are not finite
    return probability_intervals(fitted, matrix, block, level)
