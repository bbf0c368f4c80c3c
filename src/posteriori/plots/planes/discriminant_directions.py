"""The directions in which a linear classifier separates its classes, and its scores in the space they span."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.estimators.discriminants.fisher_discriminant import FisherDiscriminant
from posteriori.estimators.wrappers.layers import layers
from posteriori.messages.errors import DataError
from posteriori.models.margins import distances_of
from posteriori.plots.shared.coded_rows import model_inside, without
from posteriori.plots.shared.rows import labels_of

#: Directions with singular values below this, relative to the first, are rounding errors.
NEGLIGIBLE = 1e-12
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True)
class ProjectedRows:
    """Rows projected onto q directions z, and the scores slopes z + intercepts whose argmax is the decision.

    Parameters
    ----------
    values : (n, q) the projected rows
    codes : (n,) their classes
    classes : (K,)
    slopes, intercepts : (K, q) and (K,)
    titles : names of the directions, for axes
    """

    values: Array
    codes: NDArray[np.intp]
    classes: tuple[str, ...]
    slopes: Array
    intercepts: Array
    titles: tuple[str, ...]

    @property
    def means(self) -> Array:
        """The mean of each class, (K, q); NaN for a class without rows."""
        count = np.bincount(self.codes, minlength=len(self.classes))
        sums = np.stack([np.bincount(self.codes, z, len(self.classes)) for z in self.values.T], axis=1)
        means: Array = np.divide(sums, count[:, None], out=np.full(sums.shape, np.nan), where=count[:, None] > 0)
        return means

    def thresholds(self) -> Array:
        """Return where the decision changes along a single direction, ascending; empty for several directions.

        The decision is the highest of K lines, and changes where two lines cross that are the highest there.
        """
        if self.values.shape[1] != 1:
            return np.empty(0)
        i, j = np.triu_indices(len(self.intercepts), 1)
        apart = self.slopes[i, 0] - self.slopes[j, 0]
        cross = np.divide(self.intercepts[j] - self.intercepts[i], apart, out=np.full(len(i), np.nan), where=apart != 0)
        heights = cross[:, None] * self.slopes[:, 0] + self.intercepts
        own = heights[np.arange(len(i)), i]
        slack = 1e-9 * (1.0 + np.abs(own))
        return np.unique(cross[np.isfinite(cross) & (heights.max(axis=1) <= own + slack)])


def project_rows(estimator: Any, X: Any, y: Any) -> ProjectedRows:
    """Project rows onto the directions of a fitted linear classifier.

    For `FisherDiscriminant` these are its own, as `transform` returns them. For any other classifier of two classes the
    direction is w, and the projection is the signed distance y(x) / |w|. For more classes they are orthonormal
    directions that span the differences of the w_k, in decreasing order of the differences; the decision depends on
    nothing else.

    Book: [Bishop] Eq. 4.7, §4.1.1, 4.10, §4.1.2, and 4.20, §4.1.4.
    """
    check_is_fitted(estimator)
    original = X
    estimator, X = _unwrapped(estimator, X, y)
    if not hasattr(estimator, "coding_") or isinstance(estimator.estimator_, FisherDiscriminant):
        estimator, X = model_inside(estimator, X, y)
    if isinstance(estimator, FisherDiscriminant):
        values, slopes, intercepts, titles = _by_fisher(estimator, X)
    else:
        values, slopes, intercepts, titles = _by_scores(estimator, X)
    labels = labels_of(original, y, len(values), np.asarray(estimator.classes_))
    if labels.codes is None:
        raise DataError("a projection needs the classes of the rows: pass y.")
    return ProjectedRows(values, labels.codes, labels.classes, slopes, intercepts, titles)


def _unwrapped(estimator: Any, X: Any, y: Any) -> tuple[Any, Any]:
    """Return the classifier inside pipelines, searches and frozen ones, and X transformed by the pipelines."""
    for layer in layers(estimator):
        if layer.kind == "pipeline" and len(layer.model.steps) > 1:
            X = layer.model[:-1].transform(without(X, y))
        if layer.kind in ("decision", "table"):
            break
    return layer.model, X


def _by_fisher(model: FisherDiscriminant, X: Any) -> tuple[Array, Array, Array, tuple[str, ...]]:
    """Return Fisher's directions; the scores, centred at the same point, are linear in them."""
    values = np.asarray(model.transform(X), dtype=np.float64)
    directions, w = model.projection_.w[:, 1:], model.scores_.w
    slopes = np.asarray(np.linalg.lstsq(directions.T, w[:, 1:].T, rcond=None)[0].T, dtype=np.float64)
    intercepts = w[:, 0]
    if len(model.classes_) == 2:
        slopes, intercepts = np.vstack([np.zeros_like(slopes), slopes]), np.append(0.0, intercepts)
    count = values.shape[1]
    binary = len(model.classes_) == 2
    titles = ("Fisher's discriminant",) if binary else tuple(f"{_ordinal(i)} discriminant" for i in range(count))
    return values, slopes, intercepts, titles


def _by_scores(model: Any, X: Any) -> tuple[Array, Array, Array, tuple[str, ...]]:
    """Return directions computed from the scores, which include any transformation of the columns by the model."""
    if not hasattr(model, "coef_") or not hasattr(model, "decision_function"):
        hint = " Pass the classifier inside it." if hasattr(model, "_decide") else ""
        raise DataError(
            f"{type(model).__name__} has no coef_: a projection needs a classifier with linear scores.{hint}"
        )
    scores, coef = np.asarray(model.decision_function(X), dtype=np.float64), np.atleast_2d(model.coef_)
    if scores.ndim == 1:
        if not coef.any():
            raise DataError("all coefficients are zero: the classifier has no direction.")
        values = distances_of(scores, coef)[:, None]
        return values, np.array([[0.0], [1.0]]), np.zeros(2), ("signed distance to the boundary, $y(x)/|w|$",)
    intercepts = np.asarray(model.intercept_, dtype=np.float64)
    intercepts, coef = intercepts - intercepts.mean(), coef - coef.mean(axis=0)
    scores = scores - scores.mean(axis=1, keepdims=True)
    left, size, _ = np.linalg.svd(coef, full_matrices=False)
    rank = int((size > NEGLIGIBLE * size[0]).sum())
    if not rank:
        raise DataError("the classes have the same coefficients: the classifier has no direction.")
    slopes = left[:, :rank] * size[:rank]
    slopes = slopes * np.where(slopes[np.abs(slopes).argmax(axis=0), np.arange(rank)] < 0, -1.0, 1.0)
    values = (scores - intercepts) @ (slopes / size[:rank] ** 2)
    return values, slopes, intercepts, tuple(f"{_ordinal(i)} direction" for i in range(rank))


def _ordinal(i: int) -> str:
    return ORDINALS[i] if i < len(ORDINALS) else f"{i + 1}th"
