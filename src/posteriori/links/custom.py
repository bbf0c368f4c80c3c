"""`Link`: a user's own distribution function, given with its density."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.links.binary import BinaryLink
from posteriori.links.checks import Functions, check_functions, values_of
from posteriori.links.quantile import quantile_of

#: Step of differences, as part of the spread between quartiles and of the distance from the median.
STEP = 4e-3
#: Places of a central difference of sixth order, its coefficients for the first derivative, and for the second.
PLACES = np.array([-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0])
FIRST = np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / 60.0
SECOND = np.array([2.0, -27.0, 270.0, -490.0, 270.0, -27.0, 2.0]) / 180.0
#: Densities below this have lost digits, or are about to.
LEAST = 1e-290


@dataclass(frozen=True, repr=False)
class Link(BinaryLink):
    """P(y = 1) = F(eta) for a distribution function F of one's own, with its density f.

    F must rise from 0 to 1 and lie strictly between; functions take an array and give one of the same shape. That F
    rises, that f is its slope, and that the logs are its logs is checked here on points between the quantiles of one
    in a thousand. The second derivative of the likelihood needs f', which is found by central differences of log f,
    of sixth order: to some twelve digits where f is smooth. Fits take it for granted that the likelihood need not be
    concave.

    Book: [Jordan] §7.3.3.

    Parameters
    ----------
    cdf, density : F and f
    log_cdf, log_sf : log F and log(1 - F), for tails that are exact

    Notes
    -----
    Without `log_cdf` and `log_sf` the tails are as good as F is in floating point. Far below, F keeps its digits until
    it underflows. Far above, 1 - F is a difference, known to 1e-16: at 1 - F = 1e-10 six digits are left, and where F
    rounds to one (a Gaussian's at eta = 8.3) the other class is given no probability at all, a log of -inf. With
    them, log probabilities are right as far as they go; where f itself underflows, slopes are differences of them.

    Such a link is code: `pickle` and `copy` take it, model files refuse it by name.

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

    name: ClassVar[str] = "custom"
    concave: ClassVar[bool] = False
    cdf: Callable[[Array], Array]
    density: Callable[[Array], Array]
    log_cdf: Callable[[Array], Array] | None = None
    log_sf: Callable[[Array], Array] | None = None
    middle: float = field(init=False, compare=False)
    spread_of: float = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Check the functions; keep median and spread between quartiles, which steps of differences go by."""
        middle, spread = check_functions(Functions(self.cdf, self.density, self.log_cdf, self.log_sf))
        object.__setattr__(self, "middle", middle)
        object.__setattr__(self, "spread_of", spread)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Link":
        """Give itself: it never changes, and not every function can be copied."""
        return self

    def __repr__(self) -> str:
        given = {name: getattr(self, name) for name in ("cdf", "density", "log_cdf", "log_sf")}
        named = (f"{name}={getattr(each, '__name__', each)}" for name, each in given.items() if each is not None)
        return f"Link({', '.join(named)})"

    def logs(self, eta: Array) -> Array:
        """Give log(1 - F) and log F: the smaller as given, else from F; the larger by log1p of the smaller."""
        F = values_of("cdf", self.cdf, eta)
        given = [
            None if log is None else values_of(name, log, eta)
            for name, log in (("log_sf", self.log_sf), ("log_cdf", self.log_cdf))
        ]
        columns = []
        for k, (own, other, share) in enumerate(((given[0], given[1], 1.0 - F), (given[1], given[0], F))):
            with np.errstate(divide="ignore"):
                log = np.log1p(-F) if k == 0 else np.log(F)
            log = log if own is None else own
            if other is not None or k == 0:  # of a probability near one the other, which is small, knows more
                large = share > 0.5
                rest = F if other is None else np.exp(np.where(large, other, -1.0))
                log = np.where(large, np.log1p(-np.where(large, rest, 0.0)), log)
            columns.append(log)
        return np.stack(columns, axis=1)

    def hazards(self, eta: Array) -> Array:
        """Give f / P of both classes; where f underflows, the slope of a log that is given, else zero."""
        f, logs = values_of("density", self.density, eta), self.logs(eta)
        sound = f > LEAST
        with np.errstate(over="ignore"):
            plain = np.exp(np.log(np.where(sound, f, 1.0))[:, None] - np.where(np.isfinite(logs), logs, 0.0))
        hazards: Array = np.where(sound[:, None] & np.isfinite(logs), plain, 0.0)
        return self._from_logs(eta, ~sound, hazards, FIRST, 1)

    def bends(self, eta: Array, hazards: Array) -> Array:
        """Give h (h + r) and h (h - r), r = f'/f; where f underflows, the bend of a log that is given, else zero."""
        delta = self._delta(eta)
        near = values_of("density", self.density, (eta[:, None] + delta[:, None] * PLACES).ravel()).reshape(-1, 7)
        sound: NDArray[np.bool_] = np.all(near > LEAST, axis=1)
        r = np.log(np.where(sound[:, None], near, 1.0)) @ FIRST / delta
        bends: Array = np.where(sound[:, None], hazards * (hazards + np.stack([r, -r], axis=1)), 0.0)
        return self._from_logs(eta, ~sound, bends, SECOND, 2)

    def start(self, priors: Array) -> Array:
        """Give the quantile, found by bisection on the log of the smaller probability."""
        return np.array([quantile_of(self.logs, priors)])

    def _delta(self, eta: Array) -> Array:
        delta: Array = STEP * (self.spread_of + 0.5 * np.abs(eta - self.middle))
        return delta

    def _from_logs(self, eta: Array, where: NDArray[np.bool_], found: Array, stencil: Array, order: int) -> Array:
        """Put differences of the logs given in place of what a density that underflows could not give."""
        if not where.any():
            return found
        delta = self._delta(eta[where])
        points = (eta[where][:, None] + delta[:, None] * PLACES).ravel()
        for k, (name, log) in enumerate((("log_sf", self.log_sf), ("log_cdf", self.log_cdf))):
            if log is not None:
                slope = values_of(name, log, points).reshape(-1, 7) @ stencil / delta**order
                found[where, k] = np.where(np.isfinite(slope), slope if k == 1 and order == 1 else -slope, 0.0)
        return found
