"""Marginal effects: how much a probability changes with a column, with delta-method errors; and odds ratios."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from posteriori.engines.base import Engine
from posteriori.inference.fitted import Fitted
from posteriori.inference.intervals import quantile
from posteriori.inference.summarize import estimates, states
from posteriori.inference.summary_table import RATIOS
from posteriori.inference.validity import why_no_tests
from posteriori.sweeps.effects import EffectsSweep
from posteriori.tables.errors import DataError
from posteriori.tables.frames import frame_of

Array = NDArray[np.float64]

PLACES = ("average", "mean")


@dataclass(frozen=True, eq=False)
class MarginalEffects:
    """dP(class)/dx_j of each column: its mean over rows, or its value at the mean row.

    Parameters
    ----------
    effects, errors : (d,) for two classes (of the second class), (K, d) for more; delta-method standard errors
    names, classes : of columns, and of the classes that effects are of
    tests_refused : why there are no p-values, or nothing
    """

    effects: Array
    errors: Array
    names: tuple[str, ...]
    classes: tuple[Any, ...]
    tests_refused: str = ""
    native: str | None = None

    @property
    def p_values(self) -> Array:
        """Of the hypothesis of no effect, two-sided."""
        if self.tests_refused:
            raise DataError(f"p-values are refused: {self.tests_refused}")
        values: Array = 2.0 * ndtr(-np.abs(self.effects / self.errors))
        return values

    def interval(self, level: float = 0.95) -> Array:
        """Give effect -+ z error, (..., 2)."""
        reach = quantile(level) * self.errors
        return np.stack([self.effects - reach, self.effects + reach], axis=-1)

    def to_frame(self, native: str | None = None) -> Any:
        """Give a frame: a row for each class and column, with effect, error and a 95 % interval."""
        effects, bounds = np.atleast_2d(self.effects), self.interval().reshape(-1, 2)
        columns = {
            "class": np.repeat(np.array(self.classes, dtype=object), effects.shape[1]),
            "column": np.tile(np.array(self.names, dtype=object), len(effects)),
            "effect": effects.ravel(),
            "error": self.errors.ravel(),
            "lower": bounds[:, 0],
            "upper": bounds[:, 1],
        }
        return frame_of(columns, native=native or self.native)

    def __repr__(self) -> str:
        lines = [
            f"{f'{label}: ' if len(self.classes) > 1 else ''}{name:<16s} {effect: .5g} ({error:.3g})"
            for label, effects, errors in zip(
                self.classes, np.atleast_2d(self.effects), np.atleast_2d(self.errors), strict=True
            )
            for name, effect, error in zip(self.names, effects, errors, strict=True)
        ]
        return "\n".join(["Marginal effects (standard errors)", *lines])


def marginal_effects(fitted: Fitted, engine: Engine, covariance: Array, native: str | None) -> MarginalEffects:
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
    variance = np.einsum("rm,mn,rn->r", flat, covariance, flat, optimize=True)
    unseen = np.linalg.norm(flat @ fitted.information.null, axis=1) > 1e-7 * np.linalg.norm(flat, axis=1)
    errors = np.where(unseen, np.nan, np.sqrt(np.maximum(variance, 0.0))).reshape(effects.shape)
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
    if not fitted.link.canonical:
        ratio = RATIOS.get(fitted.link.name)
        what = f"is a {ratio}, which summary(exponentiate=True) gives" if ratio else "is no ratio of any kind"
        raise DataError(f"there are no odds ratios: under the {fitted.link.name} link exp(coefficient) {what}.")
    with np.errstate(over="ignore"):
        low, high = np.exp(interval).T
        return OddsRatios(fitted.labels, np.exp(estimates(fitted)), low, high, level, native, tuple(states(fitted)))
