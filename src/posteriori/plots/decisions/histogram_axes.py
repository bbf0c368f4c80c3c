"""Axes for a histogram below other axes, which give up their lowest part."""

from dataclasses import dataclass
from typing import Any

#: The attribute under which axes know the axes below them.
BELOW = "_posteriori_below"


def axes_below(ax: Any) -> Any:
    """Return the axes below others; the first call divides the others."""
    below = getattr(ax, BELOW, None)
    if below is None or below not in ax.figure.axes:
        below = _divided(ax)
        setattr(ax, BELOW, below)
    return below


def _divided(ax: Any) -> Any:
    """Shrink axes to their upper part; return new axes in the rest."""
    place, locator = ax.get_subplotspec(), ax.get_axes_locator()
    if place is not None:
        upper, lower = place.subgridspec(2, 1, height_ratios=(5, 1), hspace=0.06)
        ax.set_subplotspec(upper)
        return ax.figure.add_subplot(lower)
    if locator is not None:  # inset axes: located anew whenever they are drawn
        below = ax.figure.add_axes(ax.get_position(), zorder=ax.get_zorder())
        below.set_axes_locator(_PartLocator(ax, locator, 0.0, 0.17))
        ax.set_axes_locator(_PartLocator(ax, locator, 0.22, 1.0))
        return below
    left, bottom, width, height = ax.get_position().bounds
    ax.set_position((left, bottom + 0.22 * height, width, 0.78 * height))
    return ax.figure.add_axes((left, bottom, width, 0.17 * height))


@dataclass(frozen=True)
class _PartLocator:
    """Locate a horizontal strip of the box in which another locator places axes."""

    whole: Any
    locator: Any
    low: float
    high: float

    def __call__(self, ax: Any, renderer: Any) -> Any:
        from matplotlib.transforms import Bbox

        x, y, width, height = self.locator(self.whole, renderer).bounds
        return Bbox.from_bounds(x, y + self.low * height, width, (self.high - self.low) * height)
