"""`LinkDisplay`: inverse link functions, which map a linear predictor to a probability."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.links.base import LinkFunction
from posteriori.links.catalogue import LINKS, read_link
from posteriori.messages.errors import DataError
from posteriori.plots.shared.canvas import axes_for, colour, ink, stroke
from posteriori.plots.shared.wording import plain

#: Half the range drawn of each link, in interquartile ranges: the logit from -6 to 6.
HALF_RANGE = 2.75
#: Points per curve, if eta is not passed.
POINTS = 601


class LinkDisplay:
    """Inverse link functions F(eta) = P(y = 1 | eta), one curve per link.

    F is the distribution function of a random threshold Z: y = 1 if eta exceeds Z. Its density f = F' is largest where
    a change in eta changes the probability most.

    Book: [Jordan] Eq. 7.93-7.94, §7.3.3, Fig. 7.14; [Bishop] Fig. 4.9 and 4.13, §4.3.5.

    Parameters
    ----------
    eta : (n,) linear predictors, ascending
    responses : {name: (n,) F(eta)}
    densities : {name: (n,) f(eta)}, or None to draw no densities
    points : {name: (m, 3) eta, F, f of points to show on the curve}, or None

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    lines_, densities_ : the curves of F and of f, by name
    points_ : by name, the marks on F; empty without points
    tangents_, areas_ : by name, if there are points and densities: the tangents of F, with slope f, and the areas
        under f, which equal F

    Examples
    --------
    >>> import posteriori as pt
    >>> display = pt.LinkDisplay.from_links(["logit", "probit", "cloglog"], eta=[-1.0, 0.0, 1.0])
    >>> {name: line.get_ydata().round(4).tolist() for name, line in display.lines_.items()}
    {'logit': [0.2689, 0.5, 0.7311], 'probit': [0.1587, 0.5, 0.8413], 'cloglog': [0.3078, 0.6321, 0.934]}
    """

    def __init__(
        self,
        eta: Array,
        responses: Mapping[str, Array],
        densities: Mapping[str, Array] | None = None,
        points: Mapping[str, Array] | None = None,
    ) -> None:
        self.eta, self.responses, self.densities, self.points = eta, responses, densities, points

    @classmethod
    def from_links(
        cls,
        links: Any = tuple(LINKS),
        *,
        eta: Any = None,
        density: bool = False,
        at: Any = None,
        ax: Any = None,
    ) -> Self:
        """Evaluate links and draw them.

        Parameters
        ----------
        links : one or several of "logit", "probit", "cloglog", "loglog", "cauchit" or link objects; or {label: link}
        eta : (n,) linear predictors, default the range over which the links rise; nothing is drawn outside the domain
            of a link
        density : whether to draw f = F' as well
        at : number or (m,) predictors at which to mark F; with densities also its tangent, with slope f, and the area
            under f, which equals F
        ax : matplotlib axes, default new ones
        """
        known = _by_label(links)
        grid = _default_range(known.values()) if eta is None else np.sort(_numbers("eta", eta))
        curves = {name: _evaluate(link, grid) for name, link in known.items()}
        return cls(
            grid,
            {name: curve[:, 1] for name, curve in curves.items()},
            {name: curve[:, 2] for name, curve in curves.items()} if density else None,
            None if at is None else {name: _evaluate(link, _numbers("at", at)) for name, link in known.items()},
        ).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones."""
        ax = axes_for(ax)
        self.ax_, self.figure_ = ax, ax.figure
        self.lines_: dict[str, Any] = {}
        self.densities_: dict[str, Any] = {}
        self.points_: dict[str, Any] = {}
        self.tangents_: dict[str, list[Any]] = {}
        self.areas_: dict[str, list[Any]] = {}
        for level in (0.0, 0.5, 1.0):
            ax.axhline(level, color=ink(0.15), lw=0.8, zorder=0)
        for code, name in enumerate(self.responses):
            self._draw_link(name, {"color": colour(code), "ls": stroke(code)})
        probability, thin = r"probability $P(y = 1) = F(\eta)$", r"density $f(\eta)$"
        ax.set(xlabel=r"linear predictor $\eta$", ylabel=probability)
        if self.densities is not None:
            ax.set_ylabel(f"{probability}, {thin} (thin)")
        ax.margins(x=0.0)
        if len(self.responses) > 1:
            ax.legend(loc="upper left", handlelength=3.2)
        return self

    def _draw_link(self, name: str, style: dict[str, Any]) -> None:
        """Draw F of one link, with its density and points."""
        (self.lines_[name],) = self.ax_.plot(self.eta, self.responses[name], label=plain(name), lw=1.8, **style)
        if self.densities is not None:
            (self.densities_[name],) = self.ax_.plot(self.eta, self.densities[name], lw=1.0, **style)
        if self.points is None:
            return
        eta, F, _ = self.points[name].T
        (self.points_[name],) = self.ax_.plot(eta, F, "o", color=style["color"], ms=5, zorder=3)
        self.ax_.vlines(eta, 0.0, F, color=ink(0.4), lw=0.8, ls=":", zorder=1)
        self.tangents_[name], self.areas_[name] = [], []
        for place in self.points[name][np.isfinite(F)].tolist():
            if self.densities is not None:
                self._draw_tangent(name, self.densities[name], place, style["color"])
            if len(self.responses) == 1:  # the numbers of several curves would overlap
                self._annotate(*place)

    def _annotate(self, eta: float, F: float, f: float) -> None:
        """Write the values at a point."""
        text = f"{F:.2g}" if self.densities is None else f"$F$ = {F:.2f}, area\n$f$ = {f:.2f}, slope"
        self.ax_.annotate(text, (eta, F), (7, -4), textcoords="offset points", va="top")

    def _draw_tangent(self, name: str, density: Array, place: Sequence[float], hue: str) -> None:
        """Draw the tangent of F, with slope f, and the area under f, which equals F, at one predictor."""
        eta, F, f = place
        half = 0.12 * float(np.ptp(self.eta))
        ends = np.array([eta - half, eta + half])
        (tangent,) = self.ax_.plot(ends, F + f * (ends - eta), color=ink(0.7), lw=1.0)
        self.tangents_[name].append(tangent)
        left = self.eta <= eta
        under = np.append(self.eta[left], eta), np.append(density[left], f)
        self.areas_[name].append(self.ax_.fill_between(*under, color=hue, alpha=0.2, lw=0))


def _by_label(links: Any) -> dict[str, LinkFunction]:
    """Return the links by label: by default their names, numbered if several have the same name."""
    if isinstance(links, Mapping):
        named = {str(label): read_link(link) for label, link in links.items()}
    else:
        several: Iterable[Any] = links if isinstance(links, Sequence) and not isinstance(links, str) else [links]
        named = {}
        for link in map(read_link, several):
            same = sum(label.split(" (")[0] == link.name for label in named)
            named[f"{link.name} ({same + 1})" if same else link.name] = link
    if not named:
        raise DataError(f"no link to draw: pass some of {', '.join(map(repr, LINKS))}, or links of your own.")
    return named


def _numbers(name: str, values: Any) -> Array:
    try:
        read = np.atleast_1d(np.asarray(values, dtype=np.float64))
    except (TypeError, ValueError):
        raise DataError(f"{name} must be finite numbers, not {values!r}.") from None
    if read.ndim != 1 or not len(read) or not np.isfinite(read).all():
        raise DataError(f"{name} must be finite numbers, at least one; got {read!r}.")
    return read


def _default_range(links: Iterable[LinkFunction]) -> Array:
    """Return predictors over which every link rises from near zero to near one, within the domains."""
    ends = []
    for link in links:
        lower, middle, upper = (float(link.start(np.array([1.0 - p, p]))[0]) for p in (0.25, 0.5, 0.75))
        ends.append(np.clip(middle + HALF_RANGE * (upper - lower) * np.array([-1.0, 1.0]), *link.domain))
    low, high = np.min(ends), np.max(ends)
    return np.linspace(low, high, POINTS)


def _evaluate(link: LinkFunction, eta: Array) -> Array:
    """Return eta, F and f, (n, 3); NaN outside the domain.

    f is computed as the hazard of the more probable class times its probability, which neither overflows nor cancels.
    """
    in_domain = (eta >= link.domain[0]) & (eta <= link.domain[1])
    at = np.where(in_domain, eta, 1.0)[:, None]
    logs = link.log_probabilities(at)
    likely = np.eye(2)[logs.argmax(axis=1)]
    hazard = np.abs(link.parts(at, likely, curvature=False).score[:, 0])
    values = np.column_stack([np.exp(logs[:, 1]), hazard * np.exp(logs.max(axis=1))])
    return np.column_stack([eta, np.where(in_domain[:, None], values, np.nan)])
