"""`JointGaussian`: a group of columns with a covariance, in a naive Bayes model."""

from dataclasses import dataclass, replace

import numpy as np

from posteriori.arrays import AnyArray, Array, Codes, Mask
from posteriori.backends.backend import Backend
from posteriori.families.base import FamilySettings, Names, Notes
from posteriori.families.gaussian.full import FullGaussian
from posteriori.families.gaussian.full_parameters import FullParameters, marginal
from posteriori.families.gaussian.normal_inverse_gamma import NormalInverseGamma
from posteriori.messages.errors import DataError
from posteriori.statistics.gram import Gram
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class JointGaussian(FullGaussian):
    """A group of columns that depend on each other: p(x | k) = N(x; mu_k, S_k).

    In predict a missing cell is integrated out exactly. In fit a row with a missing cell in the group contributes
    nothing to it: maximum likelihood would have to iterate.

    Book: [Jordan] Fig. 7.4(b), §7.2: dependent within groups, independent between them.
    """

    name = "gaussian"
    is_joint = True
    not_linear = "each class has a covariance of its own. shared=True gives them one."

    @classmethod
    def from_settings(cls, settings: FamilySettings) -> "JointGaussian":
        """Return the family with these settings; raise for a prior of single columns."""
        if isinstance(settings.estimate_by, NormalInverseGamma):
            raise DataError(
                "a NormalInverseGamma is a prior of single columns, and a group of Gaussian columns has a covariance "
                "matrix: use estimate='map' with it, or give the columns one by one."
            )
        return cls(bool(settings.shared), settings.estimate_by)

    def invalid(self, columns: Array) -> Mask:
        """Mark infinite cells."""
        return np.isinf(columns)

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Gram:
        """Return the class means and the scatter about them, of the rows without missing cells."""
        complete = ~np.isnan(columns).any(axis=1)
        if complete.all():
            return super().summarize(columns, codes, weights, n_classes, backend)
        if complete.any():
            return super().summarize(columns[complete], codes[complete], weights[complete], n_classes, backend)
        one_row = super().summarize(np.zeros_like(columns[:1]), codes[:1], weights[:1], n_classes, backend)
        return one_row.zero()

    def log_density(self, parameters: FullParameters, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k) of the cells present."""
        return self._by_pattern("log_density", parameters, columns, backend)

    def discriminant(self, parameters: FullParameters, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k) of the cells present, up to a term common to the classes."""
        return self._by_pattern("discriminant", parameters, columns, backend)

    def notes(self, statistics: Gram, names: Names, classes: AnyArray) -> Notes:
        """Return the notes of `FullGaussian`, with the remedy that naive Bayes has."""
        notes = super().notes(statistics, names, classes)
        remedy = "More rows, fewer columns in the group, or estimate='map' would fix this."
        return tuple(replace(note, remedy=remedy) if "shrinkage" in note.remedy else note for note in notes)

    def _by_pattern(self, method: str, parameters: FullParameters, columns: Array, backend: Backend) -> Array:
        """Score rows with the same missing cells together: each pattern has its own marginal density."""
        missing = np.isnan(columns)
        if not missing.any():
            return np.asarray(getattr(super(), method)(parameters, columns, backend))
        patterns, which = np.unique(missing, axis=0, return_inverse=True)
        result = np.zeros((len(columns), len(parameters.mean)))
        for number, pattern in enumerate(patterns):
            rows, present = np.flatnonzero(which.ravel() == number), np.flatnonzero(~pattern)
            if len(present):
                part = marginal(parameters, present)
                result[rows] = getattr(super(), method)(part, columns[np.ix_(rows, present)], backend)
        return result
