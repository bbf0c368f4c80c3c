"""Functions of blocks for `Table.view`: other columns, other offsets, targets as class counts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol

import numpy as np

from posteriori.arrays import AnyArray, Array
from posteriori.tables.block import Block, class_counts
from posteriori.tables.features import RowMap, code_of, mapped_rows, mapped_schema, no_columns
from posteriori.tables.schema import Schema, numbered
from posteriori.tables.table import BlockMap


class HasContrasts(Protocol):
    """A link, as far as offsets are concerned."""

    def contrast_offset(self, offset: Array | None) -> Array | None:
        """Return an offset of K scores as one of the link's own scores."""

    def expand(self, scores: Array) -> Array:
        """Return the link's own scores as scores of all classes."""


@dataclass(frozen=True)
class Mapped(BlockMap):
    """The columns of a basis in the place of the user's."""

    phi: RowMap

    def __call__(self, block: Block) -> Block:
        """Return the block with phi of its rows; NaN in all columns for a row with a cell that is not finite."""
        return replace(block, features=mapped_rows(self.phi, block.features), scratch=None)

    def schema(self, schema: Schema) -> Schema:
        """Return the columns of the basis."""
        return mapped_schema(self.phi, schema)


@dataclass(frozen=True)
class CodedColumns(BlockMap):
    """Some columns as codes of their values.

    Parameters
    ----------
    levels : by column the sorted values whose positions are the codes; an unknown value is `UNSEEN`
    names : by column the categories that the schema names instead, if the values are codes themselves
    """

    levels: Mapping[int, AnyArray]
    names: Mapping[int, AnyArray] = field(default_factory=dict)

    def __call__(self, block: Block) -> Block:
        """Return the block with the codes."""
        features = block.features.copy()
        for column, levels in self.levels.items():
            features[:, column] = code_of(features[:, column], levels)
        return replace(block, features=features, scratch=None)

    def schema(self, schema: Schema) -> Schema:
        """Return the columns, those that are coded as categories."""
        named = {**self.levels, **self.names}
        columns = tuple(
            replace(column, kind="category", levels=named[j]) if j in named else column
            for j, column in enumerate(schema.columns)
        )
        return replace(schema, columns=columns)


@dataclass(frozen=True)
class WithoutColumns(BlockMap):
    """No columns: what is computed from targets, weights and offsets does not read the features."""

    def __call__(self, block: Block) -> Block:
        """Return the block without its features."""
        return replace(block, features=no_columns(block.n_rows), scratch=None)

    def schema(self, schema: Schema) -> Schema:
        """Return the schema without columns."""
        return numbered(0)


@dataclass(frozen=True)
class Counted(BlockMap):
    """Targets as class counts, so that sweeps need not compute them again."""

    per_row_only: ClassVar[bool] = True
    n_classes: int

    def __call__(self, block: Block) -> Block:
        """Return the block with class counts."""
        if block.targets is None or block.targets.ndim == 2:
            return block
        return replace(block, tallied=class_counts(block.targets, block.weights, self.n_classes))


@dataclass(frozen=True)
class ContrastedOffset(BlockMap):
    """The offset in the scores of a link: contrasts to its reference class, where it has one."""

    per_row_only: ClassVar[bool] = True
    link: HasContrasts

    def __call__(self, block: Block) -> Block:
        """Return the block with the offset of the link's scores."""
        return replace(block, offset=self.link.contrast_offset(block.offset))


@dataclass(frozen=True)
class ExpandedOffset(BlockMap):
    """The offset of a link's scores as one of all classes."""

    per_row_only: ClassVar[bool] = True
    link: HasContrasts

    def __call__(self, block: Block) -> Block:
        """Return the block with the offset of all classes."""
        return block if block.offset is None else replace(block, offset=self.link.expand(block.offset))


@dataclass(frozen=True)
class ScaledOffset(BlockMap):
    """The offset times a factor."""

    per_row_only: ClassVar[bool] = True
    factor: float

    def __call__(self, block: Block) -> Block:
        """Return the block with another offset."""
        return block if block.offset is None else replace(block, offset=block.offset * self.factor)


@dataclass(frozen=True)
class ComputedOffset(BlockMap):
    """An offset computed from each block."""

    offset: Callable[[Block], Array]

    def __call__(self, block: Block) -> Block:
        """Return the block with another offset."""
        return replace(block, offset=self.offset(block))


@dataclass(frozen=True)
class OneClass(BlockMap):
    """All rows in class 0: what a sweep computes without targets."""

    per_row_only: ClassVar[bool] = True

    def __call__(self, block: Block) -> Block:
        """Return the block with other targets."""
        return replace(block, targets=np.zeros(block.n_rows, dtype=np.intp), tallied=None)
