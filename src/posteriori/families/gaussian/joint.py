"""`JointGaussian`: a group of columns with a covariance, inside a naive Bayes model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Codes
from posteriori.families.gaussian.full import FullGaussian, FullParameters
from posteriori.families.gaussian.variances import LOG_2PI
from posteriori.families.gaussian.whitening import whiten
from posteriori.messages.notes import Note
from posteriori.statistics.gram import Gram
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class JointGaussian(FullGaussian):
    """A group of columns that depend on each other: p(x | k) = N(x; mu_k, S_k).

    In predict a missing cell is integrated out exactly. In fit a row with a gap in the group says nothing of
    it: maximum likelihood would have to iterate.

    Book: [Jordan] Fig. 7.4(b), §7.2: dependent within groups, independent between them.
    """

    name: ClassVar[str] = "gaussian"
    is_joint: ClassVar[bool] = True
    not_linear: ClassVar[str] = "each class has a covariance of its own. shared=True gives them one."

    def invalid(self, columns: Array) -> NDArray[np.bool_]:
        """Mark infinite cells."""
        return np.isinf(columns)

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, size: int) -> Gram:
        """Give the class means and the scatter about them, of the rows without gaps."""
        whole = ~np.isnan(columns).any(axis=1)
        if whole.all():
            return super().summarize(columns, codes, weights, n_classes, size)
        if whole.any():
            return super().summarize(columns[whole], codes[whole], weights[whole], n_classes, size)
        nothing = super().summarize(np.zeros_like(columns[:1]), codes[:1], weights[:1], n_classes, size)
        return nothing.zero()

    def log_density(self, parameters: FullParameters, columns: Array, size: int) -> Array:
        """Give log p(x | k) of the cells present."""
        return self._by_pattern("log_density", parameters, columns, size)

    def discriminant(self, parameters: FullParameters, columns: Array, size: int) -> Array:
        """Give log p(x | k) of the cells present, up to a term common to the classes."""
        return self._by_pattern("discriminant", parameters, columns, size)

    def notes(self, statistics: Gram, names: Sequence[str | int], classes: NDArray[Any]) -> tuple[Note, ...]:
        """Say the same as `FullGaussian`, with the remedy that naive Bayes has."""
        found = super().notes(statistics, names, classes)
        remedy = "More rows, fewer columns in the group, or estimate='map' would settle it."
        return tuple(replace(note, remedy=remedy) if "shrinkage" in note.remedy else note for note in found)

    def _by_pattern(self, method: str, parameters: FullParameters, columns: Array, size: int) -> Array:
        """Take the rows with the same cells missing together: each pattern has its own marginal density."""
        missing = np.isnan(columns)
        if not missing.any():
            scores: Array = getattr(super(), method)(parameters, columns, size)
            return scores
        patterns, which = np.unique(missing, axis=0, return_inverse=True)
        result = np.zeros((len(columns), len(parameters.mean)))
        for number, pattern in enumerate(patterns):
            rows, kept = np.flatnonzero(which.ravel() == number), np.flatnonzero(~pattern)
            if len(kept):
                part = marginal(parameters, kept)
                result[rows] = getattr(super(), method)(part, columns[np.ix_(rows, kept)], size)
        return result


def marginal(parameters: FullParameters, kept: NDArray[np.intp]) -> FullParameters:
    """Give the density of some of the columns: their means and the covariances between them."""
    p, pick = parameters, np.ix_(kept, kept)
    scale = p.scale[kept]
    matrices = [(colour @ colour.T)[pick] for colour in p.colour]
    parts = [whiten(matrix, np.zeros(len(kept))) for matrix in matrices]
    log_unit = np.log(np.where(scale > 0, scale, 1.0))
    norms = [-0.5 * (q.rank * LOG_2PI + q.log_determinant) - log_unit[q.spread].sum() for q in parts]
    return replace(
        p,
        mean=p.mean[:, kept],
        covariance=p.covariance[:, kept][:, :, kept],
        scale=scale,
        centre=p.centre[:, kept],
        whiten=np.stack([q.whiten for q in parts]),
        colour=np.stack([q.colour for q in parts]),
        log_norm=np.array(norms),
    )
