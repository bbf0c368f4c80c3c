"""The directions in which a linear classifier tells its classes apart, and its rule in the space they span."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.estimators.discriminants.fisher_discriminant import FisherDiscriminant
from posteriori.estimators.wrappers.layers import layers
from posteriori.input.classes.class_values import as_objects, texts_of
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame, pick
from posteriori.messages.errors import DataError
from posteriori.models.margins import distances_of
from posteriori.plots.shared.coded_rows import model_inside, without
from posteriori.plots.shared.rows import read_labels

#: Directions in which scores differ less than this, relative to the first, are rounding.
NEGLIGIBLE = 1e-12
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True)
class Projected:
    """Rows projected on q directions z, and the scores slopes z + leads whose argmax is the decision.

    Parameters
    ----------
    values : (n, q) the projected rows
    codes : (n,) their classes
    classes : (K,)
    slopes, leads : (K, q) and (K,)
    titles : of the directions, for axes
    """

    values: Array
    codes: NDArray[np.intp]
    classes: tuple[str, ...]
    slopes: Array
    leads: Array
    titles: tuple[str, ...]

    @property
    def means(self) -> Array:
        """The mean of each class, (K, q); NaN for a class without rows."""
        count = np.bincount(self.codes, minlength=len(self.classes))
        sums = np.stack([np.bincount(self.codes, z, len(self.classes)) for z in self.values.T], axis=1)
        means: Array = np.divide(sums, count[:, None], out=np.full(sums.shape, np.nan), where=count[:, None] > 0)
        return means

    def thresholds(self) -> Array:
        """Give the places on a single direction where the decision changes, in order; none where there are more.

        The rule is the highest of K lines, and it changes where two of those cross that are highest there.
        """
        if self.values.shape[1] != 1:
            return np.empty(0)
        i, j = np.triu_indices(len(self.leads), 1)
        apart = self.slopes[i, 0] - self.slopes[j, 0]
        cross = np.divide(self.leads[j] - self.leads[i], apart, out=np.full(len(i), np.nan), where=apart != 0)
        heights = cross[:, None] * self.slopes[:, 0] + self.leads
        own = heights[np.arange(len(i)), i]
        slack = 1e-9 * (1.0 + np.abs(own))
        return np.unique(cross[np.isfinite(cross) & (heights.max(axis=1) <= own + slack)])


def project_rows(estimator: Any, X: Any, y: Any) -> Projected:
    """Project rows on the directions of a fitted linear classifier.

    `FisherDiscriminant`: its own, as `transform` gives them. Any other of two classes: w, and the projection is the
    signed distance y(x) / |w|. Of more: orthonormal directions that span the differences of the w_k, those of the
    largest differences first; the decision depends on nothing else of x.

    Book: [Bishop] Eq. 4.7, §4.1.1, 4.10, §4.1.2, and 4.20, §4.1.4.
    """
    check_is_fitted(estimator)
    frame, named = as_frame(X), y
    y = aligned(X, pick(frame, y) if frame is not None else y, "y")
    estimator, X = _opened(estimator, X, named)
    if not hasattr(estimator, "coding_") or isinstance(estimator.estimator_, FisherDiscriminant):
        estimator, X = model_inside(estimator, X, named)
    if isinstance(estimator, FisherDiscriminant):
        values, slopes, leads, titles = _by_fisher(estimator, X)
    else:
        values, slopes, leads, titles = _by_scores(estimator, X)
    words = tuple(texts_of(label)[0] for label in as_objects(np.asarray(estimator.classes_)).tolist())
    codes = read_labels(y, len(values), estimator.classes_, words).codes
    if codes is None:
        raise DataError("a projection is drawn class by class: give y.")
    return Projected(values, codes, words, slopes, leads, titles)


def _opened(estimator: Any, X: Any, y: Any) -> tuple[Any, Any]:
    """Return the classifier inside pipelines, searches and frozen ones, and X transformed by the pipelines."""
    for layer in layers(estimator):
        if layer.kind == "pipeline" and len(layer.model.steps) > 1:
            X = layer.model[:-1].transform(without(X, y))
        if layer.kind in ("decision", "table"):
            break
    return layer.model, X


def _by_fisher(model: FisherDiscriminant, X: Any) -> tuple[Array, Array, Array, tuple[str, ...]]:
    """Give Fisher's own directions; the scores, centred at the same row, are linear in them."""
    values = np.asarray(model.transform(X), dtype=np.float64)
    directions, w = model.projection_.w[:, 1:], model.scores_.w
    slopes = np.linalg.lstsq(directions.T, w[:, 1:].T, rcond=None)[0].T
    leads = w[:, 0]
    if len(model.classes_) == 2:
        slopes, leads = np.vstack([np.zeros_like(slopes), slopes]), np.append(0.0, leads)
    count = values.shape[1]
    alone = len(model.classes_) == 2
    titles = ("Fisher's discriminant",) if alone else tuple(f"{_ordinal(i)} discriminant" for i in range(count))
    return values, slopes, leads, titles


def _by_scores(model: Any, X: Any) -> tuple[Array, Array, Array, tuple[str, ...]]:
    """Give directions by the scores alone, so that whatever a model does to its columns first is done."""
    if not hasattr(model, "coef_") or not hasattr(model, "decision_function"):
        hint = " Give the classifier inside it." if hasattr(model, "_decide") else ""
        raise DataError(
            f"{type(model).__name__} has no coef_: a projection needs a classifier with linear scores.{hint}"
        )
    scores, coef = np.asarray(model.decision_function(X), dtype=np.float64), np.atleast_2d(model.coef_)
    if scores.ndim == 1:
        if not coef.any():
            raise DataError("all coefficients are zero: the classifier has no direction.")
        values = distances_of(scores, coef)[:, None]
        return values, np.array([[0.0], [1.0]]), np.zeros(2), ("signed distance to the boundary, $y(x)/|w|$",)
    leads = np.asarray(model.intercept_, dtype=np.float64)
    leads, coef, scores = leads - leads.mean(), coef - coef.mean(axis=0), scores - scores.mean(axis=1, keepdims=True)
    left, size, _ = np.linalg.svd(coef, full_matrices=False)
    kept = int((size > NEGLIGIBLE * size[0]).sum())
    if not kept:
        raise DataError("the classes have the same coefficients: the classifier has no direction.")
    slopes = left[:, :kept] * size[:kept]
    slopes = slopes * np.where(slopes[np.abs(slopes).argmax(axis=0), np.arange(kept)] < 0, -1.0, 1.0)
    values = (scores - leads) @ (slopes / size[:kept] ** 2)
    return values, slopes, leads, tuple(f"{_ordinal(i)} direction" for i in range(kept))


def _ordinal(i: int) -> str:
    return ORDINALS[i] if i < len(ORDINALS) else f"{i + 1}th"
