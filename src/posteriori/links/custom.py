"""`Link`: a user's own distribution function, with its density."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from posteriori.arrays import Array, Mask
from posteriori.links.binary import BinaryLink
from posteriori.links.function_checks import DistributionFunctions, check_functions, values_of

#: Step of differences, as part of the interquartile range and of the distance from the median.
STEP = 4e-3
#: Places of a sixth-order central difference, with its coefficients for the first and second derivative.
PLACES = np.array([-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0])
FIRST = np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / 60.0
SECOND = np.array([2.0, -27.0, 270.0, -490.0, 270.0, -27.0, 2.0]) / 180.0
#: Densities below this may have lost digits to underflow.
SMALLEST_DENSITY = 1e-290


@dataclass(frozen=True, repr=False)
class Link(BinaryLink):
    """P(y = 1) = F(eta) for a user-defined distribution function F with density f; public as ``posteriori.Link``.

    F must rise from 0 to 1 and lie strictly between them; functions map an array to one of the same shape. The
    constructor checks that F rises, that f is its derivative and that the logs are its logs, at points between the
    0.001 and 0.999 quantiles. The second derivative of the likelihood needs f', computed by sixth-order central
    differences of log f: to about twelve digits where f is smooth. Fits assume that the likelihood need not be concave.

    Book: [Jordan] §7.3.3.

    Parameters
    ----------
    cdf, density : F and f
    log_cdf, log_sf : log F and log(1 - F), for accurate tails

    Notes
    -----
    Without `log_cdf` and `log_sf` the tails are as accurate as F is in floating point. Far below the median, F keeps
    its digits until it underflows. Far above, 1 - F is a difference, accurate to 1e-16: at 1 - F = 1e-10 six digits
    are left, and where F rounds to one (for a Gaussian at eta = 8.3) the other class has probability zero and a log
    of -inf. With them, log probabilities are accurate in both tails; where f itself underflows, derivatives are
    differences of the logs.

    Such a link is code: it can be pickled and copied, but not stored in a model file.

    Examples
    --------
    The logistic function, written by hand:

    >>> import posteriori as pt
    >>> logistic = pt.Link(
    ...     cdf=lambda eta: 1.0 / (1.0 + np.exp(-eta)),
    ...     density=lambda eta: 0.25 / np.cosh(0.5 * eta) ** 2,
    ... )
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0, 1, 0, 1, 0, 1]
    >>> own, logit = (pt.BinaryRegression(link=link).fit(X, y) for link in (logistic, "logit"))
    >>> bool(abs(own.standard_errors() / logit.standard_errors() - 1.0).max() < 1e-9)
    True
    """

    name = "custom"
    is_concave = False
    cdf: Callable[[Array], Array]
    density: Callable[[Array], Array]
    log_cdf: Callable[[Array], Array] | None = None
    log_sf: Callable[[Array], Array] | None = None
    median: float = field(init=False, compare=False)
    interquartile_range: float = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Check the functions; store median and interquartile range, the scale of difference steps."""
        functions = DistributionFunctions(self.cdf, self.density, self.log_cdf, self.log_sf)
        median, interquartile_range = check_functions(functions)
        object.__setattr__(self, "median", median)
        object.__setattr__(self, "interquartile_range", interquartile_range)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Link":
        """Return itself: it is immutable, and not every function can be copied."""
        return self

    def __repr__(self) -> str:
        functions = {name: getattr(self, name) for name in ("cdf", "density", "log_cdf", "log_sf")}
        named = (f"{name}={getattr(each, '__name__', each)}" for name, each in functions.items() if each is not None)
        return f"Link({', '.join(named)})"

    def logs(self, eta: Array) -> Array:
        """Return log(1 - F) and log F: the smaller from its own log or F, the larger by log1p of the smaller."""
        F = values_of("cdf", self.cdf, eta)
        log_sf, log_cdf = (None if log is None else values_of(name, log, eta) for name, log in self._tail_logs)
        columns = []
        for k, (own, other, p) in enumerate(((log_sf, log_cdf, 1.0 - F), (log_cdf, log_sf, F))):
            with np.errstate(divide="ignore"):
                log = np.log1p(-F) if k == 0 else np.log(F)
            log = log if own is None else own
            if other is not None or k == 0:  # the log of a probability near one is more accurate from the other
                large = p > 0.5
                rest = F if other is None else np.exp(np.where(large, other, -1.0))
                log = np.where(large, np.log1p(-np.where(large, rest, 0.0)), log)
            columns.append(log)
        return np.stack(columns, axis=1)

    def hazards(self, eta: Array) -> Array:
        """Return f / P of both classes; where f underflows, the derivative of its log if there is one, else zero."""
        f, logs = values_of("density", self.density, eta), self.logs(eta)
        accurate = f > SMALLEST_DENSITY
        with np.errstate(over="ignore"):
            plain = np.exp(np.log(np.where(accurate, f, 1.0))[:, None] - np.where(np.isfinite(logs), logs, 0.0))
        hazards: Array = np.where(accurate[:, None] & np.isfinite(logs), plain, 0.0)
        return self._from_logs(eta, ~accurate, hazards, FIRST, 1)

    def second_derivatives(self, eta: Array, hazards: Array) -> Array:
        """Return h (h + r) and h (h - r), r = f'/f; where f underflows, from its log if there is one, else zero."""
        delta = self._step(eta)
        near = values_of("density", self.density, (eta[:, None] + delta[:, None] * PLACES).ravel()).reshape(-1, 7)
        accurate: Mask = np.all(near > SMALLEST_DENSITY, axis=1)
        r = np.log(np.where(accurate[:, None], near, 1.0)) @ FIRST / delta
        second: Array = np.where(accurate[:, None], hazards * (hazards + np.stack([r, -r], axis=1)), 0.0)
        return self._from_logs(eta, ~accurate, second, SECOND, 2)

    @property
    def _tail_logs(self) -> tuple[tuple[str, Callable[[Array], Array] | None], ...]:
        return ("log_sf", self.log_sf), ("log_cdf", self.log_cdf)

    def _step(self, eta: Array) -> Array:
        return STEP * (self.interquartile_range + 0.5 * np.abs(eta - self.median))

    def _from_logs(self, eta: Array, where: Mask, values: Array, stencil: Array, order: int) -> Array:
        """Replace values where the density underflows by differences of the user's logs."""
        if not where.any():
            return values
        delta = self._step(eta[where])
        points = (eta[where][:, None] + delta[:, None] * PLACES).ravel()
        for k, (name, log) in enumerate(self._tail_logs):
            if log is not None:
                slope = values_of(name, log, points).reshape(-1, 7) @ stencil / delta**order
                values[where, k] = np.where(np.isfinite(slope), slope if k == 1 and order == 1 else -slope, 0.0)
        return values
