"""Functions of a block with one value, or one vector, per row: what engines map, or sum in a sweep."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import AnyArray, Array
from posteriori.backends.csr import to_dense
from posteriori.designs.units import Units
from posteriori.links.base import LinkFunction
from posteriori.tables.block import Block


@dataclass(frozen=True)
class Then:
    """A function of blocks followed by one of its values."""

    function: Callable[[Block], Any]
    finish: Callable[[Any], AnyArray]

    def __call__(self, block: Block) -> AnyArray:
        """Return the finished values of a block."""
        return self.finish(self.function(block))


@dataclass(frozen=True)
class Products:
    """The rows times vectors (q, p), plus an intercept for each if there are any, (n, q)."""

    vectors: Array
    intercept: Array | None = None

    def __call__(self, block: Block) -> Array:
        """Return the products of a block."""
        products: Array = block.features @ self.vectors.T
        return products if self.intercept is None else products + self.intercept


@dataclass(frozen=True)
class Predictors:
    """The linear predictors at coefficients w (q, p) in units, without the offset, (n, q)."""

    units: Units
    w: Array

    def __call__(self, block: Block) -> Array:
        """Return the predictors of a block."""
        return self.units.design(block.features).scores(self.w)


@dataclass(frozen=True)
class ClassPredictors:
    """The predictors of all classes at coefficients w (q, p), with the offset or without, (n, K)."""

    link: LinkFunction
    units: Units
    w: Array
    with_offset: bool = False

    def __call__(self, block: Block) -> Array:
        """Return the predictors of a block."""
        eta = self.units.design(block.features).scores(self.w)
        return self.link.expand(eta + block.offset if self.with_offset and block.offset is not None else eta)


@dataclass(frozen=True)
class DesignRows:
    """The rows in units, (n, p)."""

    units: Units

    def __call__(self, block: Block) -> Array:
        """Return the design of a block."""
        return self.units.design(block.features).dense()


@dataclass(frozen=True)
class CountsByRow:
    """The weight of each row by class, (n, K)."""

    n_classes: int

    def __call__(self, block: Block) -> Array:
        """Return the class counts of a block."""
        return block.counts(self.n_classes)


@dataclass(frozen=True)
class AllFeatures:
    """The features themselves, (n, d), of one type of floats."""

    dtype: type

    def __call__(self, block: Block) -> AnyArray:
        """Return the features of a block."""
        return block.dense().astype(self.dtype)


@dataclass(frozen=True)
class OneColumn:
    """The values of one column, (n,)."""

    column: int

    def __call__(self, block: Block) -> Array:
        """Return the column of a block."""
        return to_dense(block.features[:, [self.column]])[:, 0]


def offset_of(block: Block) -> Array:
    """Return the offset, (n, q)."""
    assert block.offset is not None
    return block.offset


def both_signs(block: Block) -> Array:
    """Return the rows beside minus the rows, (n, 2 d): the largest values of both are the range of each column."""
    rows = block.dense()
    return np.hstack([rows, -rows])
