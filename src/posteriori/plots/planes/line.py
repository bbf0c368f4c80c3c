"""A line w'x + w0 = 0 in the plane of two features, and the rows in that plane."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.messages.errors import DataError
from posteriori.plots.shared.canvas import ink
from posteriori.plots.shared.columns import columns_of
from posteriori.plots.shared.rows import Labels, labels_of, style
from posteriori.plots.shared.wording import ROOM, plain

#: Limits of axes: left, right, bottom, top.
Window = tuple[float, float, float, float]


@dataclass(frozen=True)
class Line:
    """The line w'x + w0 = 0 in the plane; w points to the side of the second class.

    Parameters
    ----------
    w : (2,)
    w0 : the bias
    """

    w: Array
    w0: float

    @property
    def norm(self) -> float:
        """The Euclidean norm of w."""
        return float(np.hypot(*self.w))

    def height(self, points: Array) -> Array:
        """Return y(x) = w'x + w0 of points (…, 2)."""
        heights: Array = np.asarray(points) @ self.w + self.w0
        return heights

    def foot(self, points: Array) -> Array:
        """Return the projections of points onto the line, x - y(x) w / |w|^2, (…, 2).

        Book: [Bishop] Eq. 4.6-4.7, §4.1.1.

        >>> Line(np.array([0.0, 2.0]), -2.0).foot(np.array([3.0, 5.0])).tolist()
        [3.0, 1.0]
        """
        nearest: Array = points - (self.height(points) / self.norm)[..., None] * (self.w / self.norm)
        return nearest

    def clip(self, window: Window) -> Array:
        """Return the ends of the part of the line in a window, (2, 2); NaN if there is none.

        >>> Line(np.array([1.0, 1.0]), 0.0).clip((-1.0, 1.0, -1.0, 1.0)).tolist()
        [[-1.0, 1.0], [1.0, -1.0]]
        """
        left, right, bottom, top = window
        middle = self.foot(np.array([0.5 * (left + right), 0.5 * (bottom + top)]))
        along = np.array([-self.w[1], self.w[0]]) / self.norm
        low, high = -np.inf, np.inf
        for start, step, (near, far) in zip(middle, along, ((left, right), (bottom, top)), strict=True):
            if step == 0:
                if not near <= start <= far:
                    return np.full((2, 2), np.nan)
                continue
            with np.errstate(over="ignore"):  # almost parallel to an edge
                first, last = sorted(((near - start) / step, (far - start) / step))
            low, high = max(low, first), min(high, last)
        if low >= high:
            return np.full((2, 2), np.nan)
        ends: Array = middle + np.array([[low], [high]]) * along
        return ends[np.argsort(ends[:, 0], kind="stable")]


@dataclass(frozen=True)
class PlaneRows:
    """Rows of two features, and their classes.

    Parameters
    ----------
    points : (n, 2)
    names : names of the features
    labels : classes of the model and of the rows
    """

    points: Array
    names: tuple[str, str]
    labels: Labels

    def window(self, more: Any = (), margin: float = 0.12) -> Window:
        """Return limits of axes that contain the rows and more points, with a margin."""
        every = np.vstack([self.points, np.reshape(np.asarray(more, dtype=np.float64), (-1, 2))])
        low, high = every.min(axis=0), every.max(axis=0)
        space = margin * np.where(high > low, high - low, 1.0)
        return (*(low - space)[:1], *(high + space)[:1], *(low - space)[1:], *(high + space)[1:])  # type: ignore[return-value]

    def draw(self, ax: Any, suffixes: tuple[str, str] = ("", ""), **options: Any) -> list[Any]:
        """Draw the rows by class; return one collection per class.

        Parameters
        ----------
        ax : matplotlib axes
        suffixes : text after the names of the two classes in the legend
        options : options of the scatter plot
        """
        names = [f"{name}{suffix}" for name, suffix in zip(self.labels.classes, suffixes, strict=True)]
        return [
            ax.scatter(*self.points[rows].T, label=None if k is None else names[k], **options, **style(k))
            for k, rows in self.labels.groups(len(self.points))
        ]


def draw_normal(ax: Any, line: Line, start: Array, length: float, **options: Any) -> tuple[Any, Array]:
    """Draw an arrow in the direction of w; return it and its end."""
    arrow = {"arrowstyle": "-|>", "lw": 2.0, "color": ink(0.9), "shrinkA": 0, "shrinkB": 0, "mutation_scale": 16}
    end = start + length * line.w / line.norm
    return ax.annotate("", end, start, arrowprops=arrow, **options), end


def read_plane_rows(estimator: Any, X: Any, y: Any) -> PlaneRows:
    """Read rows of two numeric features, and their classes, for a fitted classifier of two classes."""
    check_is_fitted(estimator)
    classes = np.asarray(estimator.classes_)
    if len(classes) != 2:
        raise DataError(f"a boundary in the plane needs two classes; this classifier has {len(classes)}.")
    columns = columns_of(X, [estimator], y if isinstance(y, str) else None)
    if len(columns.names) != 2:
        raise DataError(f"a boundary in the plane needs two columns; X has {len(columns.names)}.")
    read = [columns.column(j) for j in (0, 1)]
    if any(column.categorical for column in read) or not all(np.isfinite(column.values).all() for column in read):
        raise DataError("a boundary in the plane needs two columns of finite numbers without missing values.")
    names = (plain(columns.names[0], ROOM), plain(columns.names[1], ROOM))
    return PlaneRows(
        np.column_stack([column.values for column in read]), names, labels_of(X, y, columns.n_rows, classes)
    )


def read_line(estimator: Any, X: Any, points: Array) -> Line:
    """Return the boundary of a fitted linear classifier of two classes, from its coefficients and signed distances."""
    coef = np.atleast_2d(getattr(estimator, "coef_", np.empty(0)))
    if coef.shape != (1, 2) or not hasattr(estimator, "signed_distance"):
        raise DataError(f"{type(estimator).__name__} has no linear boundary in the two columns of X.")
    if not coef.any():
        raise DataError("both coefficients are zero: there is no boundary.")
    w = coef[0].astype(np.float64)
    # for links with F(0) != 1/2 the boundary is not w'x + intercept = 0
    heights = np.asarray(estimator.signed_distance(X)) * np.hypot(*w)
    return Line(w, float(np.mean(heights - points @ w)))
