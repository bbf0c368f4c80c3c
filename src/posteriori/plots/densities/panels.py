"""The panels of a `DensityDisplay`: curves, bars or contour lines over one or two features."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array, Codes
from posteriori.plots.shared.canvas import colour, ink, mark, stroke
from posteriori.plots.shared.wording import ROOM, plain

#: Hatches, which distinguish bars without colour.
HATCHES = ("", "//", "..", "xx", "\\\\\\\\", "oo", "--", "++")


@dataclass(frozen=True)
class Curves:
    """One density per class over a numeric feature, with the rows as ticks below.

    Parameters
    ----------
    name : name of the feature
    at : (m,) values of the feature
    densities : (m, K)
    rows : (n,) values to draw as ticks
    codes : (n,) classes of the rows, or None
    steps : whether the feature has integer values, with probabilities in place of densities
    """

    name: str
    at: Array
    densities: Array
    rows: Array
    codes: Codes | None
    steps: bool = False

    def draw(self, ax: Any, classes: Sequence[str]) -> dict[str, list[Any]]:
        """Draw on axes; return the artists by kind."""
        lines = []
        style = {"drawstyle": "steps-mid"} if self.steps else {}
        for k, label in enumerate(classes):
            (line,) = ax.plot(self.at, self.densities[:, k], color=colour(k), ls=stroke(k), label=label, **style)
            if not self.steps:
                ax.fill_between(self.at, self.densities[:, k], color=colour(k), alpha=0.12, lw=0)
            lines.append(line)
        top = float(np.max(self.densities[np.isfinite(self.densities)], initial=0.0)) or 1.0
        points = self._ticks(ax, len(classes), top)
        ax.axhline(0.0, color=ink(0.4), lw=0.8, zorder=0)
        ax.set(xlabel=self.name, xlim=(self.at[0], self.at[-1]), ylim=(None, 1.06 * top))
        heights = ax.get_yticks()
        ax.set_yticks(heights[(heights >= 0) & (heights <= 1.06 * top)])  # only the rows are below zero
        return {"lines": lines, "points": points}

    def _ticks(self, ax: Any, n_classes: int, top: float) -> list[Any]:
        """Draw the rows below the axis, one line per class."""
        if self.codes is None:
            return ax.plot(self.rows, np.full(len(self.rows), -0.05 * top), "|", color=ink(0.65), ms=7)  # type: ignore[no-any-return]
        drawn = []
        for k in range(n_classes):
            rows = self.rows[self.codes == k]
            depth = np.full(len(rows), -0.05 * top * (k + 1))
            drawn += ax.plot(rows, depth, "|", color=colour(k), ms=6, alpha=0.7)
        return drawn


@dataclass(frozen=True)
class Bars:
    """One probability per class and value of a discrete feature; markers show the relative frequencies of the rows.

    Parameters
    ----------
    name : name of the feature
    labels : its values as text
    probabilities : (J, K)
    observed : (J, K) relative frequencies by class (times the class prior if the bars are), or None
    """

    name: str
    labels: tuple[str, ...]
    probabilities: Array
    observed: Array | None

    def draw(self, ax: Any, classes: Sequence[str]) -> dict[str, list[Any]]:
        """Draw on axes; return the artists by kind."""
        places, width = np.arange(len(self.labels)), 0.8 / len(classes)
        bars, points = [], []
        for k, label in enumerate(classes):
            at = places + (k - 0.5 * (len(classes) - 1)) * width
            height = self.probabilities[:, k]
            style = {"color": colour(k), "alpha": 0.55, "edgecolor": colour(k), "hatch": HATCHES[k % len(HATCHES)]}
            bars.append(ax.bar(at, height, 0.94 * width, label=label, **style))
            if self.observed is not None:
                points += ax.plot(at, self.observed[:, k], mark(k), color=colour(k), mec="white", mew=0.7, ms=6.5)
        if points:
            points[0].set_label("relative frequency")
        top = np.nanmax([self.probabilities, self.probabilities if self.observed is None else self.observed])
        long = max(len(label) for label in self.labels) * len(self.labels) > 60
        ax.set_xticks(
            places, [plain(label, ROOM) for label in self.labels], **({"rotation": 40, "ha": "right"} if long else {})
        )
        ax.set(xlabel=self.name, ylim=(0, 1.35 * top))  # space for a legend above the bars
        return {"bars": bars, "points": points}


@dataclass(frozen=True)
class Contours:
    """Contour lines of the density of each class over two features, with the rows as markers.

    Parameters
    ----------
    names : names of the features
    across, up : (m,) and (n,) values of the features
    logs : (n, m, K) log densities
    levels : (K, L) log heights of the lines of each class; NaN for none
    meaning : what the lines are, in words
    rows : (r, 2) values
    codes : (r,) classes of the rows, or None
    """

    names: tuple[str, str]
    across: Array
    up: Array
    logs: Array
    levels: Array
    meaning: str
    rows: Array
    codes: Codes | None

    def draw(self, ax: Any, classes: Sequence[str]) -> dict[str, list[Any]]:
        """Draw on axes; return the artists by kind."""
        contours, points = [], []
        for k, label in enumerate(classes):
            own = None if self.codes is None else self.rows[self.codes == k]
            (markers,) = ax.plot(
                *(np.empty((0, 2)) if own is None else own).T, mark(k), color=colour(k), ms=4.5, alpha=0.55, mew=0,
                label=label if own is not None else None,
            )  # fmt: skip
            points.append(markers)
            contours.append(self._lines(ax, k))
            if own is None:
                ax.plot([], [], color=colour(k), ls=stroke(k), label=label)
        if self.codes is None:
            points = ax.plot(*self.rows.T, ".", color=ink(0.5), ms=4, zorder=0)
        ax.set(xlabel=self.names[0], ylabel=self.names[1])
        note = {"xycoords": "axes fraction", "fontsize": "small", "color": ink(0.65)}
        ax.annotate(self.meaning, (0.015, 0.015), **note)
        ax.set(xlim=(self.across[0], self.across[-1]), ylim=(self.up[0], self.up[-1]))
        return {"contours": contours, "points": points}

    def _lines(self, ax: Any, k: int) -> Any:
        """Draw the contour lines of one class; return None if the grid contains none of them."""
        logs = np.ma.masked_invalid(self.logs[..., k])
        levels = np.unique(self.levels[k][np.isfinite(self.levels[k])])
        shown = levels[(levels > logs.min()) & (levels < logs.max())] if logs.count() else levels[:0]
        if not len(shown):
            return None
        widths = np.linspace(1.0, 1.8, len(shown))
        return ax.contour(
            self.across, self.up, logs, shown, colors=colour(k), linestyles=[stroke(k)], linewidths=widths
        )
