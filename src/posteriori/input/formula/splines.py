"""Transforms of one column that are fitted to the rows: centring, polynomials, splines.

Each is two functions: `learn` returns what is stored (numbers and arrays by name), `apply` the columns (n, p).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.input.formula.arguments import MOST
from posteriori.messages.errors import DataError

State = dict[str, Any]
#: The highest degree of a B-spline; beyond it rounding errors dominate the basis.
MOST_DEGREE = 25


@dataclass(frozen=True)
class Learner:
    """A transform that is fitted to the rows.

    Parameters
    ----------
    learn : the state, from the column (n,) and the arguments of the formula
    apply : the columns (n, p), from the state and a column
    arguments : names and defaults of the arguments, in order
    first : the number of the first column, or None for a single column
    """

    learn: Callable[..., State]
    apply: Callable[[State, Array], Array]
    arguments: Mapping[str, Any]
    first: int | None = None


def _learn_scale(x: Array, center: Any = True, scale: Any = 1.0, ddof: Any = 0) -> State:
    mean = float(x.mean()) if center is True else float(center)
    spread = float(np.sqrt(((x - mean) ** 2).sum() / max(len(x) - ddof, 1))) if scale is True else float(scale or 1.0)
    if spread == 0:
        raise DataError("a constant column cannot be scaled to a standard deviation of one.")
    return {"mean": mean, "spread": spread}


def _apply_scale(state: State, x: Array) -> Array:
    columns: Array = ((x - state["mean"]) / state["spread"])[:, None]
    return columns


def _learn_poly(x: Array, degree: Any, raw: Any) -> State:
    """Return the three-term recurrence of the polynomials that are orthogonal over the rows."""
    if degree < 1:
        raise DataError("degree=0 leaves a polynomial without columns: use 1 or more.")
    if len(np.unique(x)) <= degree:
        raise DataError(f"a polynomial of degree {degree} needs more than {degree} different values.")
    if raw:
        return {"alpha": np.zeros(degree), "norms": np.ones(degree + 1), "raw": True}
    alpha, norms, before, now = [], [float(len(x))], np.zeros_like(x), np.ones_like(x)
    for k in range(degree):
        alpha.append(float((x * now**2).sum() / norms[k]))
        before, now = now, _next_polynomial(x, alpha[k], norms, k, now, before)
        norms.append(float((now**2).sum()))
    return {"alpha": np.array(alpha), "norms": np.array(norms), "raw": False}


def _apply_poly(state: State, x: Array) -> Array:
    alpha, norms = state["alpha"], state["norms"]
    if state["raw"]:
        return np.power(x[:, None], np.arange(1, len(alpha) + 1))
    columns, before, now = [], np.zeros_like(x), np.ones_like(x)
    for k, centre in enumerate(alpha):
        before, now = now, _next_polynomial(x, centre, norms, k, now, before)
        columns.append(now / np.sqrt(norms[k + 1]))
    return np.stack(columns, axis=1)


def _next_polynomial(x: Array, centre: float, norms: Any, k: int, now: Array, before: Array) -> Array:
    return (x - centre) * now - (norms[k] / norms[k - 1] if k else 0.0) * before


def _learn_bs(x: Array, df: Any, knots: Any, degree: Any, include_intercept: Any, **bounds: Any) -> State:
    """Return the knots of a B-spline basis: the user's, or quantiles, as many as the degrees of freedom allow."""
    if degree > MOST_DEGREE:
        raise DataError(f"degree={degree} is too high for a spline: the highest is {MOST_DEGREE}.")
    state = _range(x, **bounds)
    if knots is None:
        inside = _inside(state, x, df)
        n_knots = 0 if df is None else df - degree - bool(include_intercept)
        if n_knots < 0:
            raise DataError(f"df={df} is too few for a spline of degree {degree}: it needs {degree} or more.")
        df, knots = None, np.quantile(inside, np.linspace(0, 1, n_knots + 2)[1:-1])
    state |= {"knots": _sorted(knots, df, state), "degree": int(degree), "whole": bool(include_intercept)}
    if len(state["knots"]) + degree + include_intercept < 1:
        raise DataError("degree=0 without knots leaves a spline without columns: set df or knots.")
    return state


def _apply_bs(state: State, x: Array) -> Array:
    from scipy.interpolate import BSpline

    degree, ends = state["degree"], (state["lower"], state["upper"])
    at = np.concatenate([np.repeat(ends[0], degree + 1), state["knots"], np.repeat(ends[1], degree + 1)])
    basis = BSpline(at, np.eye(len(at) - degree - 1), degree, extrapolate=True)
    columns = _evaluate(state, x, lambda cells: np.asarray(basis(cells), dtype=np.float64))
    return columns if state["whole"] else columns[:, 1:]


def _learn_cr(x: Array, df: Any, knots: Any, constraints: Any, **bounds: Any) -> State:
    """Return the knots of a natural cubic spline, and the directions that remain if its mean is constrained to zero."""
    state = _range(x, **bounds)
    if knots is None:
        inside = _inside(state, x, df)
        n_knots = -1 if df is None else df - 2 + (constraints is not None)
        if n_knots < 0:
            raise DataError("cr needs df of 2 or more, or knots.")
        df, knots = None, np.quantile(np.unique(inside), np.linspace(0, 1, n_knots + 2)[1:-1])
    places = np.unique(np.concatenate([[state["lower"], state["upper"]], _sorted(knots, df, state)]))
    if len(places) > MOST:
        raise DataError(f"cr has {len(places)} knots, with the boundary knots; the limit is {MOST}.")
    state |= {"knots": places, "turn": np.eye(len(places))}
    if constraints is not None:
        mean = _apply_cr(state, x).mean(axis=0)
        state["turn"] = np.linalg.qr(mean[:, None], mode="complete")[0][:, 1:]
    return state


def _apply_cr(state: State, x: Array) -> Array:
    columns: Array = _evaluate(state, x, lambda cells: natural_cubic(state["knots"], cells)) @ state["turn"]
    return columns


def natural_cubic(knots: Array, x: Array) -> Array:
    """Return the basis of natural cubic splines that are 1 at one knot and 0 at the others, (n, k).

    Linear beyond the boundary knots (Wood 2017, Generalized Additive Models, 5.3.1).
    """
    width, k = np.diff(knots), len(knots)
    second = np.zeros((k, k))  # second derivatives at the knots, by the values there
    if k > 2:
        D, B = np.zeros((k - 2, k)), np.zeros((k - 2, k - 2))
        i = np.arange(k - 2)
        D[i, i], D[i, i + 1], D[i, i + 2] = 1 / width[:-1], -1 / width[:-1] - 1 / width[1:], 1 / width[1:]
        B[i, i] = (width[:-1] + width[1:]) / 3
        B[i[:-1], i[:-1] + 1] = B[i[:-1] + 1, i[:-1]] = width[1:-1] / 6
        second[1:-1] = np.linalg.solve(B, D)
    inside = np.clip(x, knots[0], knots[-1])
    j = np.clip(np.searchsorted(knots, inside) - 1, 0, k - 2)
    h, right, left = width[j], knots[j + 1] - inside, inside - knots[j]
    unit = np.eye(k)
    columns = (
        (right / h)[:, None] * unit[j]
        + (left / h)[:, None] * unit[j + 1]
        + ((right**3 / h - h * right) / 6)[:, None] * second[j]
        + ((left**3 / h - h * left) / 6)[:, None] * second[j + 1]
    )
    slopes = (
        (unit[j + 1] - unit[j]) / h[:, None]
        + ((-3 * right**2 / h + h) / 6)[:, None] * second[j]
        + ((3 * left**2 / h - h) / 6)[:, None] * second[j + 1]
    )
    basis: Array = columns + (x - inside)[:, None] * slopes
    return basis


def _range(x: Array, lower_bound: Any, upper_bound: Any, extrapolation: Any) -> State:
    low, high = (
        float(x.min() if lower_bound is None else lower_bound),
        float(x.max() if upper_bound is None else upper_bound),
    )
    if not low < high:
        raise DataError(f"a spline needs a column with different values: its range is {low:g} to {high:g}.")
    return {"lower": low, "upper": high, "outside": extrapolation}


def _inside(state: State, x: Array, df: Any) -> Array:
    """Return the cells within the range; raise if a spline has more columns than different values."""
    inside: Array = x[(x >= state["lower"]) & (x <= state["upper"])]
    n_values = len(np.unique(inside))
    if n_values == 0:
        raise DataError("no cell is between lower_bound and upper_bound: the knots cannot be chosen.")
    if df is not None and df > n_values:
        raise DataError(f"df={df} is more than the {n_values} different values of the column, which is the limit.")
    return inside


def _sorted(knots: Any, df: Any, state: State) -> Array:
    if df is not None:
        raise DataError("set df or knots of a spline, not both.")
    places: Array = np.sort(np.asarray(knots, dtype=np.float64).ravel())
    if len(places) and (places[0] < state["lower"] or places[-1] > state["upper"]):
        raise DataError(f"the knots {places.tolist()} are not all between {state['lower']:g} and {state['upper']:g}.")
    return places


def _evaluate(state: State, x: Array, basis: Callable[[Array], Array]) -> Array:
    """Evaluate a spline, with the chosen extrapolation outside its range."""
    out = (x < state["lower"]) | (x > state["upper"])
    if not out.any() or state["outside"] == "extend":
        return basis(x)
    if state["outside"] == "raise":
        raise DataError(
            f"{int(out.sum())} cell(s) are outside the range {state['lower']:g} to {state['upper']:g} that the spline "
            "was fitted on. Set lower_bound= and upper_bound=, or extrapolation='clip' or 'extend', in the formula."
        )
    columns = basis(np.clip(x, state["lower"], state["upper"]))
    if state["outside"] == "zero":
        columns[out] = 0.0
    return columns


#: Arguments of both splines.
_KNOTS = {"df": None, "knots": None}
_BOUNDS = {"lower_bound": None, "upper_bound": None}
#: The transforms by their names in formulas.
LEARNERS: dict[str, Learner] = {
    "center": Learner(_learn_scale, _apply_scale, {}),
    "scale": Learner(_learn_scale, _apply_scale, {"center": True, "scale": True, "ddof": 1}),
    "standardize": Learner(
        lambda x, rescale, **others: _learn_scale(x, scale=rescale, **others),
        _apply_scale,
        {"center": True, "rescale": True, "ddof": 0},
    ),
    "poly": Learner(_learn_poly, _apply_poly, {"degree": 1, "raw": False}, 1),
    "bs": Learner(
        _learn_bs,
        _apply_bs,
        {**_KNOTS, "degree": 3, "include_intercept": False, **_BOUNDS, "extrapolation": "raise"},
        1,
    ),
    "cr": Learner(_learn_cr, _apply_cr, {**_KNOTS, **_BOUNDS, "constraints": None, "extrapolation": "extend"}, 1),
}
