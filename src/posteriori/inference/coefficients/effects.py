"""Marginal effects with standard errors by the delta method, and odds ratios."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr

from posteriori.arrays import Array
from posteriori.checks.levels import quantile
from posteriori.engines.base import Engine
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.validity import estimates, identified, states, why_no_tests
from posteriori.inference.numbers import bounds_of, decimals, number, p_value, text_table
from posteriori.input.frames.native import frame_of
from posteriori.linalg.scaled_products import in_powers
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.sweeps.marginal_effects import EffectsSweep

PLACES = ("average", "mean")


@dataclass(frozen=True, eq=False)
class MarginalEffects:
    """Marginal effects dP(class)/dx_j of the columns: averages over rows, or values at the mean row.

    Parameters
    ----------
    effects, errors : (d,) for two classes (of the second class), (K, d) for more; delta-method standard errors
    names, classes : of the columns, and of the classes whose probabilities are differentiated
    tests_refused : why there are no p-values; "" where there are
    at : "average" or "mean"
    """

    effects: Array
    errors: Array
    names: tuple[str, ...]
    classes: tuple[Any, ...]
    tests_refused: str = ""
    native: str | None = None
    at: str = "average"

    @property
    def z(self) -> Array:
        """Effects divided by their standard errors."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios: Array = self.effects / self.errors
        return ratios

    @property
    def p_values(self) -> Array:
        """Two-sided, of the hypothesis of no effect."""
        if self.tests_refused:
            raise DataError(f"p-values are refused: {self.tests_refused}")
        return self._tested()[1]

    def interval(self, level: float = 0.95) -> Array:
        """Return effect -+ z times its standard error, (..., 2)."""
        reach = quantile(level) * self.errors
        return np.stack([self.effects - reach, self.effects + reach], axis=-1)

    def to_frame(self, native: str | None = None) -> Any:
        """Return a frame, one row per class and column: effect, standard error, z, p-value and a 95 % interval.

        Where p-values are not valid they are NaN.
        """
        effects, bounds, (z, p) = np.atleast_2d(self.effects), self.interval().reshape(-1, 2), self._tested()
        columns = {
            "class": np.repeat(np.array(self.classes, dtype=object), effects.shape[1]),
            "column": np.tile(np.array(self.names, dtype=object), len(effects)),
            "effect": effects.ravel(),
            "standard_error": self.errors.ravel(),
            "z": z.ravel(),
            "p_value": p.ravel(),
            "lower": bounds[:, 0],
            "upper": bounds[:, 1],
        }
        return frame_of(columns, native=native or self.native)

    def _tested(self) -> tuple[Array, Array]:
        """Return z and the p-values, NaN where they are not valid."""
        z = np.full_like(self.effects, np.nan) if self.tests_refused else self.z
        return z, 2.0 * ndtr(-np.abs(z))

    def __repr__(self) -> str:
        title = "Average marginal effects" if self.at == "average" else "Marginal effects at the mean row"
        names = [f"{label}: {name}" if len(self.classes) > 1 else name for label in self.classes for name in self.names]
        values = (*(each.ravel().tolist() for each in (self.effects, self.errors, *self._tested())),)
        rows = zip(names, *values, self.interval().reshape(-1, 2).tolist(), strict=True)
        return text_table(
            f"{title}, standard errors by the delta method",
            ("dP/dx", "std. err.", "z", "P>|z|", *bounds_of(0.95)),
            [
                (name, *(number(x, "--") for x in (effect, error)), decimals(z, "--"), p_value(p, "--"),
                 *(number(x, "--") for x in bounds))
                for name, effect, error, z, p, bounds in rows
            ],
        )  # fmt: skip


def refuse_derived(terms: tuple[str, ...]) -> None:
    """Raise if columns of a model are computed from variables, so that derivatives are no effects of variables."""
    if terms:
        raise DataError(
            "marginal_effects returns derivatives in single columns of numbers, which are no effects of variables "
            f"here: {quote(terms)} {'is a term' if len(terms) == 1 else 'are terms'} with a category, an interaction "
            "or a function of a column. Compare predict_proba on copies of the rows that differ in the variable."
        )


def marginal_effects(fitted: Fitted, engine: Engine, covariance: Array, native: str | None, at: str) -> MarginalEffects:
    """Average dP_k/dx_j = sum_a dp_k/deta_a w_aj over the rows of a table, with standard errors by the delta method.

    Columns are treated as continuous: for a column of zeros and ones the effect is a slope, not a difference.
    """
    weight, slopes, second_derivatives = (
        part.values for part in engine.run(EffectsSweep(fitted.link, fitted.units, fitted.w)).parts
    )
    slopes, second_derivatives = slopes / weight, second_derivatives / weight
    _, weights = fitted.units.to_data(fitted.w)
    effects = slopes @ weights  # (K, d)
    lead = int(fitted.units.intercept)
    # derivatives with respect to coefficient (b, l) in the units of the fit: through eta, and through w_bj itself
    gradient = np.einsum("kabl,aj->kjbl", second_derivatives, weights)
    gradient += np.einsum("kb,jl->kjbl", slopes, fitted.units.jacobian()[lead:])
    flat, sizes = in_powers(gradient.reshape(-1, fitted.size))
    with np.errstate(over="ignore"):  # an error beyond the largest float is infinite
        variance = np.einsum("rm,mn,rn->r", flat, covariance, flat, optimize=True)
        sizes = sizes * np.sqrt(np.maximum(variance, 0.0))
    errors = np.where(identified(fitted, flat), sizes, np.nan).reshape(effects.shape)
    effects = np.where(np.isnan(errors), np.nan, effects)  # of a coefficient without a finite, unique estimate
    two = len(fitted.classes) == 2  # the effects on the second class alone
    return MarginalEffects(
        effects=effects[1] if two else effects,
        errors=errors[1] if two else errors,
        names=fitted.names,
        classes=fitted.classes[1:] if two else fitted.classes,
        tests_refused=why_no_tests(fitted),
        native=native,
        at=at,
    )


@dataclass(frozen=True, eq=False)
class OddsRatios:
    """exp(coefficient): the factor by which one unit of a column multiplies the odds relative to the reference class.

    Parameters
    ----------
    labels : names of the coefficients, intercept first (the baseline odds, where all columns are zero)
    estimate, lower, upper : (m,) each
    level : of the interval
    states : (m,) as in `summary`: "ok", "infinite", "not identified", "undecided" or "aliased"
    """

    labels: tuple[str, ...]
    estimate: Array
    lower: Array
    upper: Array
    level: float
    native: str | None = None
    states: tuple[str, ...] = ()

    def __repr__(self) -> str:
        states = self.states or ("ok",) * len(self.labels)
        rows = zip(self.labels, states, self.estimate.tolist(), self.lower.tolist(), self.upper.tolist(), strict=True)
        return text_table(
            "Odds ratios",
            ("odds ratio", *bounds_of(self.level)),
            [
                (label, number(ratio) if state in ("ok", "infinite") else state, number(low, "--"), number(high, "--"))
                for label, state, ratio, low, high in rows
            ],
        )

    def to_frame(self, native: str | None = None) -> Any:
        """Return a frame with one row per coefficient."""
        columns = {
            "coefficient": np.array(self.labels, dtype=object),
            "odds_ratio": self.estimate,
            "lower": self.lower,
            "upper": self.upper,
        }
        if self.states:
            columns["state"] = np.array(self.states, dtype=object)
        return frame_of(columns, native=native or self.native)


def odds_ratios(fitted: Fitted, interval: Array, level: float, native: str | None) -> OddsRatios:
    """Return exp of the coefficients and of their interval (m, 2): 0 or inf at infinity, NaN where not identified."""
    if not fitted.link.is_canonical:
        ratio = fitted.link.ratio_name
        what = f"is a {ratio}, which summary(exponentiate=True) returns" if ratio else "is not a ratio"
        raise DataError(f"there are no odds ratios: under the {fitted.link.name} link exp(coefficient) {what}.")
    with np.errstate(over="ignore"):
        low, high = np.exp(interval).T
        return OddsRatios(fitted.labels, np.exp(estimates(fitted)), low, high, level, native, tuple(states(fitted)))
