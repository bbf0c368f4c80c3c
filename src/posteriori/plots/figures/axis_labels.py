"""The labels of two features, as in the books."""

from typing import Any, TypeVar

Drawn = TypeVar("Drawn")


def label_features(display: Drawn, *, shared: bool = False, **first: Any) -> Drawn:
    """Label the axes of every panel x_1 and x_2; return the Display.

    Parameters
    ----------
    display : drawn
    shared : whether only the first panel has a label of the y axis
    first : other properties of the first panel, such as its title
    """
    drawn: Any = display
    for place, ax in enumerate(getattr(drawn, "axes_", [drawn.ax_])):
        ax.set(xlabel="$x_1$", ylabel="" if shared and place else "$x_2$")
    drawn.ax_.set(**first)
    return display
