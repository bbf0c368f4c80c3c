"""Marginal effects: how much a probability changes with a column, with delta-method errors; and odds ratios."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.intervals import quantile
from posteriori.inference.coefficients.validity import why_no_tests
from posteriori.inference.summaries.build import estimates, states
from posteriori.inference.summaries.numbers import bounds_of, decimals, number, p_value
from posteriori.input.frames.native import frame_of
from posteriori.linalg.scaled_products import in_powers
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.sweeps.marginal_effects import EffectsSweep

PLACES = ("average", "mean")


@dataclass(frozen=True, eq=False)
class MarginalEffects:
    """dP(class)/dx_j of each column: its mean over rows, or its value at the mean row.

    Parameters
    ----------
    effects, errors : (d,) for two classes (of the second class), (K, d) for more; delta-method standard errors
    names, classes : of columns, and of the classes that effects are of
    tests_refused : why there are no p-values, or nothing
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
        """Effects over their standard errors."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios: Array = self.effects / self.errors
        return ratios

    @property
    def p_values(self) -> Array:
        """Of the hypothesis of no effect, two-sided."""
        if self.tests_refused:
            raise DataError(f"p-values are refused: {self.tests_refused}")
        values: Array = 2.0 * ndtr(-np.abs(self.z))
        return values

    def interval(self, level: float = 0.95) -> Array:
        """Give effect -+ z error, (..., 2)."""
        reach = quantile(level) * self.errors
        return np.stack([self.effects - reach, self.effects + reach], axis=-1)

    def to_frame(self, native: str | None = None) -> Any:
        """Return a frame, one row per class and column: effect, standard error, z, p-value and a 95 % interval.

        Where p-values do not hold they are NaN.
        """
        effects, bounds = np.atleast_2d(self.effects), self.interval().reshape(-1, 2)
        columns = {
            "class": np.repeat(np.array(self.classes, dtype=object), effects.shape[1]),
            "column": np.tile(np.array(self.names, dtype=object), len(effects)),
            "effect": effects.ravel(),
            "standard_error": self.errors.ravel(),
            "z": self._tested(self.z).ravel(),
            "p_value": (self._tested(self.z) if self.tests_refused else self.p_values).ravel(),
            "lower": bounds[:, 0],
            "upper": bounds[:, 1],
        }
        return frame_of(columns, native=native or self.native)

    def _tested(self, values: Array) -> Array:
        return np.full_like(values, np.nan) if self.tests_refused else values

    def __repr__(self) -> str:
        title = "Average marginal effects" if self.at == "average" else "Marginal effects at the mean row"
        names = [f"{label}: {name}" if len(self.classes) > 1 else name for label in self.classes for name in self.names]
        lead = max([12, *(len(str(name)) for name in names)])
        heads = ("dP/dx", "std. err.", "z", "P>|z|", *bounds_of(0.95))
        effects, errors, z = (each.ravel() for each in (self.effects, self.errors, self._tested(self.z)))
        p, bounds = 2.0 * ndtr(-np.abs(z)), self.interval().reshape(-1, 2)
        lines = [
            f"{title}, standard errors by the delta method",
            " " * lead + "".join(f" {head:>10}" for head in heads),
        ]
        for at, name in enumerate(names):
            cells = (
                number(effects[at], "--"), number(errors[at], "--"), decimals(z[at], "--"), p_value(p[at], "--"),
                *(number(bound, "--") for bound in bounds[at]),
            )  # fmt: skip
            lines.append(f"{name!s:<{lead}}" + "".join(f" {cell:>10}" for cell in cells))
        return "\n".join(lines)


def refuse_derived(terms: tuple[str, ...]) -> None:
    """Raise where columns of a model are made from others: a derivative in one of them is no effect of a variable."""
    if terms:
        raise DataError(
            f"marginal_effects gives derivatives in single columns of numbers, which are no effects of variables here: "
            f"{quote(terms)} {'is a term' if len(terms) == 1 else 'are terms'} with a category, an interaction or a "
            "function of a column. Compare predict_proba on copies of the rows with the variable set to two values."
        )


def marginal_effects(fitted: Fitted, engine: Engine, covariance: Array, native: str | None, at: str) -> MarginalEffects:
    """Average dP_k/dx_j = sum_a dp_k/deta_a w_aj over the rows of a table, with errors by the delta method.

    A column is taken as continuous: for a column of zeros and ones this is a slope, not the difference between them.
    """
    weight, slopes, bends = (
        part.values for part in engine.run(EffectsSweep(fitted.link, fitted.units, fitted.w, engine.table.size)).parts
    )
    slopes, bends = slopes / weight, bends / weight
    _, weights = fitted.units.to_data(fitted.w)
    effects = slopes @ weights  # (K, d)
    lead = int(fitted.units.intercept)
    # derivative in the coefficient (b, l) of the fit's units: through eta, and through w_bj itself
    gradient = np.einsum("kabl,aj->kjbl", bends, weights)
    gradient += np.einsum("kb,jl->kjbl", slopes, fitted.units.jacobian()[lead:])
    flat = gradient.reshape(-1, fitted.size)
    flat, sizes = in_powers(flat)
    with np.errstate(over="ignore"):  # an error above all floats is infinite
        variance = np.einsum("rm,mn,rn->r", flat, covariance, flat, optimize=True)
        sizes = sizes * np.sqrt(np.maximum(variance, 0.0))
    unseen = np.linalg.norm(flat @ fitted.information.null, axis=1) > 1e-7 * np.linalg.norm(flat, axis=1)
    errors = np.where(unseen, np.nan, sizes).reshape(effects.shape)
    effects = np.where(np.isnan(errors), np.nan, effects)  # of a coefficient without a finite, unique estimate
    shown = slice(1, None) if len(fitted.classes) == 2 else slice(None)
    squeeze = len(fitted.classes) == 2
    return MarginalEffects(
        effects=effects[1] if squeeze else effects,
        errors=errors[1] if squeeze else errors,
        names=fitted.names,
        classes=fitted.classes[shown],
        tests_refused=why_no_tests(fitted),
        native=native,
        at=at,
    )


@dataclass(frozen=True, eq=False)
class OddsRatios:
    """exp(coefficient): by what the odds against the reference class are multiplied per unit of a column.

    Parameters
    ----------
    labels : names of the coefficients, intercept first (the odds where all columns are zero)
    estimate, lower, upper : (m,) each
    level : of the interval
    states : (m,) as those of `summary`: "ok", "infinite", "not identified", "undecided" or "aliased"
    """

    labels: tuple[str, ...]
    estimate: Array
    lower: Array
    upper: Array
    level: float
    native: str | None = None
    states: tuple[str, ...] = ()

    def __repr__(self) -> str:
        words = [f"{value:.5g}" for value in self.estimate]
        if self.states:
            shown = ("ok", "infinite")
            words = [word if state in shown else state for word, state in zip(words, self.states, strict=True)]
        rows = zip(self.labels, words, self.lower, self.upper, strict=True)
        lines = [f"{label:<20s} {word}  [{low:.5g}, {high:.5g}]" for label, word, low, high in rows]
        return "\n".join([f"Odds ratios [{self.level:.0%} interval]", *lines])

    def to_frame(self, native: str | None = None) -> Any:
        """Give a frame: a row for each coefficient."""
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
        what = f"is a {ratio}, which summary(exponentiate=True) gives" if ratio else "is no ratio of any kind"
        raise DataError(f"there are no odds ratios: under the {fitted.link.name} link exp(coefficient) {what}.")
    with np.errstate(over="ignore"):
        low, high = np.exp(interval).T
        return OddsRatios(fitted.labels, np.exp(estimates(fitted)), low, high, level, native, tuple(states(fitted)))
