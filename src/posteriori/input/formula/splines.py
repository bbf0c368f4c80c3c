"""Transforms of one column that learn from the rows of a fit: centring, polynomials, splines.

Each is two functions: `learn` gives what must be kept (numbers and arrays by name), `apply` the columns (n, p).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.input.formula.arguments import MOST
from posteriori.messages.errors import DataError

Kept = dict[str, Any]
#: The highest degree of a B-spline; beyond it the basis is rounding alone.
MOST_DEGREE = 25


@dataclass(frozen=True)
class Learner:
    """A transform that learns.

    Parameters
    ----------
    learn : from the column (n,) and the arguments written in the formula, what to keep
    apply : from what was kept and a column, the columns (n, p)
    arguments : names and defaults of the arguments, in order
    first : the number of the first column, or None where there is only one
    """

    learn: Callable[..., Kept]
    apply: Callable[[Kept, Array], Array]
    arguments: Mapping[str, Any]
    first: int | None = None


def _learn_scale(x: Array, center: Any, scale: Any, ddof: Any) -> Kept:
    mean = float(x.mean()) if center is True else float(center)
    spread = float(np.sqrt(((x - mean) ** 2).sum() / max(len(x) - ddof, 1))) if scale is True else float(scale or 1.0)
    if spread == 0:
        raise DataError("a constant column cannot be scaled to a standard deviation of one.")
    return {"mean": mean, "spread": spread}


def _apply_scale(kept: Kept, x: Array) -> Array:
    columns: Array = ((x - kept["mean"]) / kept["spread"])[:, None]
    return columns


def _learn_poly(x: Array, degree: Any, raw: Any) -> Kept:
    """Keep the three-term recurrence of the polynomials that are orthogonal over the rows."""
    if degree < 1:
        raise DataError("degree=0 leaves a polynomial no column: use 1 or more.")
    if len(np.unique(x)) <= degree:
        raise DataError(f"a polynomial of degree {degree} needs more than {degree} different values.")
    if raw:
        return {"alpha": np.zeros(degree), "norms": np.ones(degree + 1), "raw": True}
    alpha, norms, before, now = [], [float(len(x))], np.zeros_like(x), np.ones_like(x)
    for k in range(degree):
        alpha.append(float((x * now**2).sum() / norms[k]))
        back = norms[k] / norms[k - 1] if k else 0.0
        before, now = now, (x - alpha[k]) * now - back * before
        norms.append(float((now**2).sum()))
    return {"alpha": np.array(alpha), "norms": np.array(norms), "raw": False}


def _apply_poly(kept: Kept, x: Array) -> Array:
    alpha, norms = kept["alpha"], kept["norms"]
    if kept["raw"]:
        return np.power(x[:, None], np.arange(1, len(alpha) + 1))
    columns, before, now = [], np.zeros_like(x), np.ones_like(x)
    for k, centre in enumerate(alpha):
        back = norms[k] / norms[k - 1] if k else 0.0
        before, now = now, (x - centre) * now - back * before
        columns.append(now / np.sqrt(norms[k + 1]))
    return np.stack(columns, axis=1)


def _learn_bs(
    x: Array, df: Any, knots: Any, degree: Any, include_intercept: Any, lower_bound: Any, upper_bound: Any,
    extrapolation: Any,
) -> Kept:  # fmt: skip
    """Keep the knots of a B-spline basis: those given, or quantiles, as many as the degrees of freedom leave."""
    if degree > MOST_DEGREE:
        raise DataError(f"degree={degree} is too high for a spline: the highest is {MOST_DEGREE}.")
    kept = _bounds(x, lower_bound, upper_bound, extrapolation)
    inside = _inside(kept, x)
    if knots is None:
        _refuse_too_many(df, inside)
        n_knots = 0 if df is None else df - degree - bool(include_intercept)
        if n_knots < 0:
            raise DataError(f"df={df} is too few for a spline of degree {degree}: it needs {degree} or more.")
        knots = np.quantile(inside, np.linspace(0, 1, n_knots + 2)[1:-1])
    elif df is not None:
        raise DataError("give a spline df or knots, not both.")
    kept |= {"knots": _sorted(knots, kept), "degree": int(degree), "whole": bool(include_intercept)}
    if len(kept["knots"]) + degree + include_intercept < 1:
        raise DataError("degree=0 without knots leaves a spline no column: give df or knots.")
    return kept


def _apply_bs(kept: Kept, x: Array) -> Array:
    from scipy.interpolate import BSpline

    degree, ends = kept["degree"], (kept["lower"], kept["upper"])
    at = np.concatenate([np.repeat(ends[0], degree + 1), kept["knots"], np.repeat(ends[1], degree + 1)])
    basis = BSpline(at, np.eye(len(at) - degree - 1), degree, extrapolate=True)
    columns = _within(kept, x, lambda cells: np.asarray(basis(cells), dtype=np.float64))
    return columns if kept["whole"] else columns[:, 1:]


def _learn_cr(
    x: Array, df: Any, knots: Any, lower_bound: Any, upper_bound: Any, constraints: Any, extrapolation: Any
) -> Kept:
    """Keep the knots of a natural cubic spline, and the directions left when its mean is to be zero."""
    kept = _bounds(x, lower_bound, upper_bound, extrapolation)
    if knots is None:
        _refuse_too_many(df, _inside(kept, x))
        n_knots = -1 if df is None else df - 2 + (constraints is not None)
        if n_knots < 0:
            raise DataError("cr needs df of 2 or more, or knots.")
        knots = np.quantile(np.unique(_inside(kept, x)), np.linspace(0, 1, n_knots + 2)[1:-1])
    elif df is not None:
        raise DataError("give a spline df or knots, not both.")
    places = np.unique(np.concatenate([[kept["lower"], kept["upper"]], _sorted(knots, kept)]))
    if len(places) > MOST:
        raise DataError(f"cr has {len(places)} knots, those at the ends among them; the most are {MOST}.")
    kept |= {"knots": places, "turn": np.eye(len(places))}
    if constraints is not None:
        mean = _apply_cr(kept, x).mean(axis=0)
        kept["turn"] = np.linalg.qr(mean[:, None], mode="complete")[0][:, 1:]
    return kept


def _apply_cr(kept: Kept, x: Array) -> Array:
    columns: Array = _within(kept, x, lambda cells: natural_cubic(kept["knots"], cells)) @ kept["turn"]
    return columns


def natural_cubic(knots: Array, x: Array) -> Array:
    """Give the basis of natural cubic splines that are 1 at one knot and 0 at the others, (n, k).

    Linear beyond the outermost knots (Wood 2017, Generalized Additive Models, 5.3.1).
    """
    width, k = np.diff(knots), len(knots)
    bend = np.zeros((k, k))  # second derivatives at the knots, by the values there
    if k > 2:
        D, B = np.zeros((k - 2, k)), np.zeros((k - 2, k - 2))
        i = np.arange(k - 2)
        D[i, i], D[i, i + 1], D[i, i + 2] = 1 / width[:-1], -1 / width[:-1] - 1 / width[1:], 1 / width[1:]
        B[i, i] = (width[:-1] + width[1:]) / 3
        B[i[:-1], i[:-1] + 1] = B[i[:-1] + 1, i[:-1]] = width[1:-1] / 6
        bend[1:-1] = np.linalg.solve(B, D)
    inside = np.clip(x, knots[0], knots[-1])
    j = np.clip(np.searchsorted(knots, inside) - 1, 0, k - 2)
    h, right, left = width[j], knots[j + 1] - inside, inside - knots[j]
    unit = np.eye(k)
    columns = (
        (right / h)[:, None] * unit[j]
        + (left / h)[:, None] * unit[j + 1]
        + ((right**3 / h - h * right) / 6)[:, None] * bend[j]
        + ((left**3 / h - h * left) / 6)[:, None] * bend[j + 1]
    )
    slopes = (
        (unit[j + 1] - unit[j]) / h[:, None]
        + ((-3 * right**2 / h + h) / 6)[:, None] * bend[j]
        + ((3 * left**2 / h - h) / 6)[:, None] * bend[j + 1]
    )
    whole: Array = columns + (x - inside)[:, None] * slopes
    return whole


def _bounds(x: Array, lower: Any, upper: Any, extrapolation: Any) -> Kept:
    low, high = float(x.min() if lower is None else lower), float(x.max() if upper is None else upper)
    if not low < high:
        raise DataError(f"a spline needs a column with different values: it goes from {low:g} to {high:g}.")
    return {"lower": low, "upper": high, "outside": extrapolation}


def _refuse_too_many(df: Any, inside: Array) -> None:
    """Raise if a spline is to have more columns than the rows have values, none of which could be estimated."""
    n_values = len(np.unique(inside))
    if n_values == 0:
        raise DataError("no cell is between lower_bound and upper_bound: the knots cannot be chosen.")
    if df is not None and df > n_values:
        raise DataError(f"df={df} is more than the {n_values} different values of the column: the most is {n_values}.")


def _inside(kept: Kept, x: Array) -> Array:
    found: Array = x[(x >= kept["lower"]) & (x <= kept["upper"])]
    return found


def _sorted(knots: Any, kept: Kept) -> Array:
    places: Array = np.sort(np.asarray(knots, dtype=np.float64).ravel())
    if len(places) and (places[0] < kept["lower"] or places[-1] > kept["upper"]):
        raise DataError(f"the knots {places.tolist()} are not all between {kept['lower']:g} and {kept['upper']:g}.")
    return places


def _within(kept: Kept, x: Array, basis: Callable[[Array], Array]) -> Array:
    """Evaluate a spline, treating cells outside its range as was asked."""
    out = (x < kept["lower"]) | (x > kept["upper"])
    if not out.any() or kept["outside"] == "extend":
        return basis(x)
    if kept["outside"] == "raise":
        raise DataError(
            f"{int(out.sum())} cell(s) are outside the range {kept['lower']:g} to {kept['upper']:g} that the spline "
            "was fitted on. Give lower_bound= and upper_bound=, or extrapolation='clip' or 'extend', in the formula."
        )
    columns = basis(np.clip(x, kept["lower"], kept["upper"]))
    if kept["outside"] == "zero":
        columns[out] = 0.0
    return columns


#: The transforms by the names they have in formulas.
LEARNERS: dict[str, Learner] = {
    "center": Learner(lambda x: _learn_scale(x, True, 1.0, 0), _apply_scale, {}),
    "scale": Learner(_learn_scale, _apply_scale, {"center": True, "scale": True, "ddof": 1}),
    "standardize": Learner(
        lambda x, center, rescale, ddof: _learn_scale(x, center, scale=rescale, ddof=ddof),
        _apply_scale,
        {"center": True, "rescale": True, "ddof": 0},
    ),
    "poly": Learner(_learn_poly, _apply_poly, {"degree": 1, "raw": False}, 1),
    "bs": Learner(
        _learn_bs,
        _apply_bs,
        {"df": None, "knots": None, "degree": 3, "include_intercept": False, "lower_bound": None, "upper_bound": None,
         "extrapolation": "raise"},
        1,
    ),
    "cr": Learner(
        _learn_cr,
        _apply_cr,
        {"df": None, "knots": None, "lower_bound": None, "upper_bound": None, "constraints": None,
         "extrapolation": "extend"},
        1,
    ),
}  # fmt: skip
