"""The rows of a figure by class: what is drawn of them, in which colour and with which mark."""

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

#: The most rows that are drawn; of more, as many, evenly spaced: more marks hide each other and what is below them.
MOST = 4000


@dataclass(frozen=True, eq=False)
class Labels:
    """The classes of the rows drawn.

    Parameters
    ----------
    classes : the classes as text
    codes : (n,) the class of each row; None where no classes were given
    title : what the classes are of: the name of the target, or nothing
    """

    classes: tuple[str, ...]
    codes: NDArray[np.intp] | None = None
    title: str = ""

    def groups(self, n_rows: int) -> list[tuple[int | None, NDArray[np.intp]]]:
        """List the rows to draw, class by class; all in one where they have none."""
        shown = np.arange(n_rows)
        if n_rows > MOST:
            shown = np.linspace(0, n_rows - 1, MOST).astype(np.intp)
        if self.codes is None:
            return [(None, shown)]
        return [(k, shown[self.codes[shown] == k]) for k in range(len(self.classes))]

    def legend_title(self, n_rows: int) -> str:
        """Say what the classes are of, and of how many rows some are drawn."""
        few = f"{MOST:,} of {n_rows:,} rows" if n_rows > MOST else ""
        return "\n".join(part for part in (self.title or "class", few) if part)


def read_labels(y: Any, n_rows: int, classes: NDArray[Any], words: tuple[str, ...], title: str = "") -> Labels:
    """Check the labels of rows that are to be drawn, against the classes of a model.

    Parameters
    ----------
    y : (n,) labels; None to draw rows without a class
    n_rows : of X
    classes, words : (K,) of the model, and as text
    title : the name of the target
    """
    if y is None:
        return Labels(words, None, title)
    counted = isinstance(y, ClassCounts) or (np.ndim(y) == 2 and np.shape(y)[1] > 1)
    if counted:
        raise DataTypeError(
            "class counts cannot be drawn as rows of one class each: give y as one label for each row, or leave it out."
        )
    named = getattr(y, "name", None)
    return Labels(words, codes_of(y, n_rows, classes), title or (plain(named, ROOM) if isinstance(named, str) else ""))


def codes_of(y: Any, n_rows: int, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Give the place of each label among the classes of a model; labels that it does not know are refused by name."""
    try:
        codes = read_targets(y, n_rows, classes=classes).codes
    except DataError as error:
        raise type(error)(str(error).replace("not in the list given first", "that the model does not know")) from error
    assert codes is not None
    return codes


def labels_of(X: Any, y: Any, n_rows: int, classes: NDArray[Any]) -> Labels:
    """Read the labels of rows X: given, or by the name of a column of X."""
    words = class_words(classes)
    if not isinstance(y, str):
        return read_labels(aligned(X, y, "y"), n_rows, classes, words)
    frame = as_frame(X)
    if frame is None:
        raise DataError(f"y={y!r} names a column, and X is not a frame: give the labels themselves.")
    return read_labels(pick(frame, y), n_rows, classes, words, plain(y, ROOM))


def class_words(classes: NDArray[Any]) -> tuple[str, ...]:
    """Write the classes of a model for a legend; a blank keeps matplotlib from hiding names that begin with _."""
    words = [plain(texts_of(label)[0], ROOM) for label in as_objects(classes).tolist()]
    return tuple(f" {word}" if word.startswith("_") else word for word in words)


def style(code: int | None, *, size: float = 26.0) -> dict[str, Any]:
    """Give how a scatter draws the rows of a class; grey dots where there is none."""
    if code is None:
        return {"color": "0.35", "marker": "o", "s": 0.5 * size, "linewidths": 0.3, "edgecolors": "white"}
    area = size * (1.4 if mark(code) in "XP*" else 1.0)  # marks with arms look smaller than they are
    return {"color": colour(code), "marker": mark(code), "s": area, "linewidths": 0.5, "edgecolors": "white"}
