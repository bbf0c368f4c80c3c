"""A linear boundary in the plane: w'x + w0 = 0 over two columns, its foot points, and what of it a window shows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.input.classes.class_values import as_objects, texts_of
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame, pick
from posteriori.messages.errors import DataError
from posteriori.plots.shared.columns import columns_of
from posteriori.plots.shared.rows import Labels, read_labels
from posteriori.plots.shared.wording import ROOM, plain


@dataclass(frozen=True)
class Line:
    """The line w'x + w0 = 0 in the plane; the side that w points to is that of the second class.

    Parameters
    ----------
    w : (2,)
    w0 : the bias
    """

    w: Array
    w0: float

    @property
    def size(self) -> float:
        """The length of w."""
        return float(np.hypot(*self.w))

    def height(self, points: Array) -> Array:
        """Give y(x) = w'x + w0 of points (…, 2)."""
        heights: Array = np.asarray(points) @ self.w + self.w0
        return heights

    def foot(self, points: Array) -> Array:
        """Give the points of the line nearest to others, x - y(x) w / |w|^2, (…, 2).

        Book: [Bishop] Eq. 4.6-4.7, §4.1.1.

        >>> Line(np.array([0.0, 2.0]), -2.0).foot(np.array([3.0, 5.0])).tolist()
        [3.0, 1.0]
        """
        nearest: Array = points - (self.height(points) / self.size)[..., None] * (self.w / self.size)
        return nearest

    def within(self, window: tuple[float, float, float, float]) -> Array:
        """Give the two ends of what a window (left, right, bottom, top) shows of the line, (2, 2); NaN where nothing.

        >>> Line(np.array([1.0, 1.0]), 0.0).within((-1.0, 1.0, -1.0, 1.0)).tolist()
        [[-1.0, 1.0], [1.0, -1.0]]
        """
        left, right, bottom, top = window
        middle = self.foot(np.array([0.5 * (left + right), 0.5 * (bottom + top)]))
        along = np.array([-self.w[1], self.w[0]]) / self.size
        low, high = -np.inf, np.inf
        for start, step, (near, far) in zip(middle, along, ((left, right), (bottom, top)), strict=True):
            if step == 0:
                if not near <= start <= far:
                    return np.full((2, 2), np.nan)
                continue
            with np.errstate(over="ignore"):  # all but parallel to an edge
                first, last = sorted(((near - start) / step, (far - start) / step))
            low, high = max(low, first), min(high, last)
        if low >= high:
            return np.full((2, 2), np.nan)
        ends: Array = middle + np.array([[low], [high]]) * along
        return ends[np.argsort(ends[:, 0], kind="stable")]


@dataclass(frozen=True)
class PlaneRows:
    """Rows of two columns, and their classes.

    Parameters
    ----------
    points : (n, 2)
    names : of the two columns
    labels : the classes, and those of the rows
    """

    points: Array
    names: tuple[str, str]
    labels: Labels

    def window(self, more: Any = (), margin: float = 0.12) -> tuple[float, float, float, float]:
        """Give the limits of axes that hold the rows and more points, with a margin."""
        every = np.vstack([self.points, np.reshape(np.asarray(more, dtype=np.float64), (-1, 2))])
        low, high = every.min(axis=0), every.max(axis=0)
        gap = margin * np.where(high > low, high - low, 1.0)
        return (*(low - gap)[:1], *(high + gap)[:1], *(low - gap)[1:], *(high + gap)[1:])  # type: ignore[return-value]


def read_plane_rows(estimator: Any, X: Any, y: Any) -> PlaneRows:
    """Read rows of two columns of numbers, and their classes, for a fitted classifier of two classes."""
    check_is_fitted(estimator)
    classes = np.asarray(estimator.classes_)
    if len(classes) != 2:
        raise DataError(f"a boundary in the plane is between two classes; this classifier has {len(classes)}.")
    frame = as_frame(X)
    columns = columns_of(X, [estimator], y if isinstance(y, str) else None)
    if len(columns.names) != 2:
        raise DataError(f"a boundary in the plane is over two columns; X has {len(columns.names)}.")
    read = [columns.column(j) for j in (0, 1)]
    if any(column.categorical for column in read) or not all(np.isfinite(column.values).all() for column in read):
        raise DataError("a boundary in the plane is over two columns of finite numbers, without gaps.")
    words = tuple(texts_of(label)[0] for label in as_objects(classes).tolist())
    labels = read_labels(aligned(X, pick(frame, y) if frame is not None else y, "y"), columns.n_rows, classes, words)
    names = (plain(columns.names[0], ROOM), plain(columns.names[1], ROOM))
    return PlaneRows(np.column_stack([column.values for column in read]), names, labels)


def read_line(estimator: Any, X: Any, points: Array) -> Line:
    """Give the boundary of a fitted linear classifier of two classes: its own coefficients, and where it has zero."""
    coef = np.atleast_2d(getattr(estimator, "coef_", np.empty(0)))
    if coef.shape != (1, 2) or not hasattr(estimator, "signed_distance"):
        raise DataError(f"{type(estimator).__name__} has no linear boundary over the two columns of X.")
    if not coef.any():
        raise DataError("both coefficients are zero: there is no boundary.")
    w = coef[0].astype(np.float64)
    # links whose half is not at zero put the boundary beside w'x + intercept = 0
    heights = np.asarray(estimator.signed_distance(X)) * np.hypot(*w)
    return Line(w, float(np.mean(heights - points @ w)))
