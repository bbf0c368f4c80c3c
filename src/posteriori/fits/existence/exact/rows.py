"""The rows of an objective as exact constraints, and the map from their directions to coefficients of the fit."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Indices
from posteriori.designs.units import Units
from posteriori.fits.existence.exact.coordinates import Coordinates, coordinates_of
from posteriori.fits.existence.exact.pairs import Pairs
from posteriori.links.base import LinkFunction
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.priors.penalized_space import penalized_space
from posteriori.priors.quadratic import Quadratic

#: Entries of distinct rows up to which equal rows are merged.
MERGED = 2_000_000


@dataclass(frozen=True)
class RawRows:
    """All rows of an objective's table, in the user's own columns."""

    objective: PenalizedLikelihood

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.objective.n_rows

    @property
    def link(self) -> LinkFunction:
        """The link of the objective."""
        return self.objective.link

    @property
    def prior(self) -> Quadratic:
        """The prior, in the user's units where it is known in them."""
        return self.objective.stated or self.objective.prior

    @property
    def units(self) -> Units:
        """The units of the fit, column by column."""
        units = self.objective.units
        return units if units.by_column else units.plain()  # type: ignore[attr-defined, no-any-return]

    def read(self, rows: Indices) -> tuple[Array, NDArray[np.bool_]]:
        """Return rows (n, d) as an array of floats, and which classes each of them has, (n, K)."""
        block = self.objective.engine.table.gather(rows)
        return np.asarray(block.dense(), dtype=np.float64), block.counts(self.link.n_classes) > 0

    def free(self) -> Indices | None:
        """Return the columns of the design, intercept first, without a prior; None for a prior of another form."""
        prior, q, p = self.prior, self.link.n_scores, self.units.n_coefficients
        if prior.is_flat:
            return np.arange(p)
        if prior.precision.ndim != 1:
            return None
        penalized = prior.precision.reshape(q, p) > 0
        return np.flatnonzero(~penalized[0]) if (penalized == penalized[0]).all() else None

    def coordinates(self, x: Array, whole: bool) -> Coordinates:
        """Choose exact coordinates from some rows, or from the whole of them."""
        free, intercept = self.free(), self.units.intercept
        columns = np.arange(self.units.n_coefficients) if free is None else free
        centred = intercept and 0 in columns and free is not None
        return coordinates_of(x, columns, intercept, centred, whole and free is not None)

    def blocks(self) -> NDArray[np.intp]:
        """Return the place of each class's coefficients, -1 for the class that has none."""
        K = self.link.n_classes
        if self.free() is None and self.link.n_scores == K:
            return np.arange(K)
        return np.arange(K) - 1

    def pairs(self, x: Array, classes: NDArray[np.bool_], coordinates: Coordinates) -> Pairs:
        """Return the pairs of distinct rows with the classes each has."""
        K = self.link.n_classes
        row, own = np.nonzero(classes)
        other = np.broadcast_to(np.arange(K), (len(row), K))
        keep = other != own[:, None]
        pairs = Pairs(
            x, coordinates, np.repeat(row, K - 1), np.repeat(own, K - 1), other[keep], self.blocks(),
            np.zeros((0, 0)), coordinates.floats(x),
        )  # fmt: skip
        return replace(pairs, extra=self._penalized(pairs))

    def _penalized(self, pairs: Pairs) -> Array:
        """Return the directions that a prior penalises, with both signs, as constraints."""
        if self.free() is not None:
            return np.zeros((0, pairs.width))
        to_prior = self.to_fit(pairs) if self.objective.stated is None else self.to_data(pairs)
        rows = penalized_space(self.prior).rows @ to_prior
        rows = np.ldexp(rows, -np.frexp(np.abs(rows).max(axis=1, keepdims=True))[1])  # exactly the same direction
        return np.concatenate([rows, -rows])

    def to_fit(self, pairs: Pairs) -> Array:
        """Return the matrix from directions over exact columns (q p,) to coefficients of the fit."""
        return self._by_score(pairs, self._one(pairs.coordinates))

    def to_data(self, pairs: Pairs) -> Array:
        """Return the matrix from directions over exact columns (q p,) to coefficients in the user's units.

        Its entries are powers of two, hence exact, where columns are neither centred nor replaced.
        """
        coordinates = pairs.coordinates
        lead, whole = int(self.units.intercept), coordinates.to_design(np.eye(coordinates.width)).T
        slopes = np.ldexp(whole[lead:], -coordinates.exponent[:, None])
        one = slopes if not lead else np.vstack([whole[:1] - coordinates.centre @ slopes, slopes])
        return self._by_score(pairs, one)

    def _by_score(self, pairs: Pairs, one: Array) -> Array:
        K = self.link.n_classes
        contrast = np.eye(K) if pairs.n_scores == K else self.link.contrast(np.eye(K))
        return np.asarray(np.kron(contrast @ self._places(pairs), one), dtype=np.float64)

    def scores(self, pairs: Pairs) -> Array:
        """Return the scores of the link in terms of those of the pairs, up to a term common to all classes."""
        places, K = self._places(pairs), self.link.n_classes
        return places if self.link.n_scores == K else np.asarray(self.link.contrast(np.eye(K)) @ places)

    def _places(self, pairs: Pairs) -> Array:
        """Return the indicator of each class's block of coefficients, (K, q)."""
        places = np.zeros((len(pairs.blocks), pairs.n_scores))
        places[np.flatnonzero(pairs.blocks >= 0), pairs.blocks[pairs.blocks >= 0]] = 1.0
        return places

    def all_pairs(self, coordinates: Coordinates) -> Pairs:
        """Return the pairs of all distinct rows."""
        x, classes, _ = merged(*self.read(np.arange(self.n)))
        return self.pairs(x, classes, coordinates)

    def from_fit(self, pairs: Pairs, w: Array | None) -> Array:
        """Return coefficients of the fit, (q p,), as a direction over exact columns; zero for None."""
        if w is None or not pairs.p:
            return np.zeros(pairs.width)
        by_class = self.link.expand(w.reshape(self.link.n_scores, -1).T)
        over, *_ = np.linalg.lstsq(self._one(pairs.coordinates), by_class, rcond=None)
        reference = over[:, pairs.blocks < 0]
        classes = np.flatnonzero(pairs.blocks >= 0)
        moved = over[:, classes] - (reference if reference.size else 0.0)
        whole: Array = moved.T.ravel()
        return whole if np.isfinite(whole).all() else np.zeros(pairs.width)

    def _one(self, coordinates: Coordinates) -> Array:
        """Return the matrix for one score, from exact columns to the units of the fit."""
        units, whole = self.units, coordinates.to_design(np.eye(coordinates.width)).T
        lead = int(units.intercept)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            slopes = np.ldexp(units.scale, -coordinates.exponent)[:, None] * whole[lead:]
            if not lead:
                return slopes
            off = np.ldexp(units.centre - coordinates.centre, -coordinates.exponent)
            return np.vstack([whole[:1] + off @ whole[1:], slopes])


def merged(x: Array, classes: NDArray[np.bool_]) -> tuple[Array, NDArray[np.bool_], Indices]:
    """Return the distinct rows, the classes of each, and the number of the distinct row of each row."""
    if x.size > MERGED or not x.shape[1]:
        return x, classes, np.arange(len(x))
    distinct, back = np.unique(x, axis=0, return_inverse=True)
    back = back.ravel()
    joined = np.zeros((len(distinct), classes.shape[1]), dtype=bool)
    np.logical_or.at(joined, back, classes)
    return distinct, joined, back
