"""The rows in a figure by class: which are drawn, and with which colour and marker."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.input.classes.class_values import as_objects, texts_of
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame, pick
from posteriori.input.targets import ClassCounts, read_targets
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.plots.shared.canvas import colour, mark
from posteriori.plots.shared.wording import ROOM, plain

#: Largest number of rows drawn; of more rows, this many, evenly spaced: more markers would hide each other.
MOST = 4000


@dataclass(frozen=True, eq=False)
class Labels:
    """The classes of the rows drawn.

    Parameters
    ----------
    classes : the classes as text
    codes : (n,) the class of each row; None without classes
    title : the name of the target, or empty
    """

    classes: tuple[str, ...]
    codes: NDArray[np.intp] | None = None
    title: str = ""

    def groups(self, n_rows: int) -> list[tuple[int | None, NDArray[np.intp]]]:
        """Return the rows to draw by class; all in one group without classes."""
        shown = np.arange(n_rows)
        if n_rows > MOST:
            shown = np.linspace(0, n_rows - 1, MOST).astype(np.intp)
        if self.codes is None:
            return [(None, shown)]
        return [(k, shown[self.codes[shown] == k]) for k in range(len(self.classes))]

    def legend_title(self, n_rows: int) -> str:
        """Return the title of a legend: the target, and the number of rows drawn if not all are."""
        few = f"{MOST:,} of {n_rows:,} rows" if n_rows > MOST else ""
        return "\n".join(part for part in (self.title or "class", few) if part)


def read_labels(y: Any, n_rows: int, classes: NDArray[Any], words: tuple[str, ...], title: str = "") -> Labels:
    """Check the labels of rows to be drawn against the classes of a model.

    Parameters
    ----------
    y : (n,) labels; None to draw rows without classes
    n_rows : number of rows of X
    classes, words : (K,) classes of the model, as labels and as text
    title : the name of the target
    """
    if y is None:
        return Labels(words, None, title)
    counted = isinstance(y, ClassCounts) or (np.ndim(y) == 2 and np.shape(y)[1] > 1)
    if counted:
        raise DataTypeError(
            "class counts cannot be drawn as rows of one class each: pass one label per row as y, or omit y."
        )
    named = getattr(y, "name", None)
    return Labels(words, codes_of(y, n_rows, classes), title or (plain(named, ROOM) if isinstance(named, str) else ""))


def codes_of(y: Any, n_rows: int, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the index of each label among the classes of a model; raise if it does not know some of them."""
    codes = read_targets(y, n_rows, classes=classes).codes
    assert codes is not None
    return codes


def labels_of(X: Any, y: Any, n_rows: int, classes: NDArray[Any]) -> Labels:
    """Read the labels of the rows of X, passed as values or as the name of a column of X."""
    words = class_words(classes)
    if not isinstance(y, str):
        return read_labels(aligned(X, y, "y"), n_rows, classes, words)
    frame = as_frame(X)
    if frame is None:
        raise DataError(f"y={y!r} names a column, but X is not a frame: pass the labels.")
    return read_labels(pick(frame, y), n_rows, classes, words, plain(y, ROOM))


def class_words(classes: NDArray[Any]) -> tuple[str, ...]:
    """Return the classes of a model as text for a legend; matplotlib ignores names that begin with an underscore."""
    words = [plain(texts_of(label)[0], ROOM) for label in as_objects(classes).tolist()]
    return tuple(f" {word}" if word.startswith("_") else word for word in words)


def style(code: int | None, *, size: float = 26.0) -> dict[str, Any]:
    """Return the options of a scatter plot for the rows of a class; grey dots without classes."""
    if code is None:
        return {"color": "0.35", "marker": "o", "s": 0.5 * size, "linewidths": 0.3, "edgecolors": "white"}
    area = size * (1.4 if mark(code) in "XP*" else 1.0)  # markers with arms look smaller
    return {"color": colour(code), "marker": mark(code), "s": area, "linewidths": 0.5, "edgecolors": "white"}
