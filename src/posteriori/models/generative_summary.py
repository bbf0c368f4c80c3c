"""`Summary`: the statistics of a generative fit, with the labels by which two of them are merged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.families.beta import Beta
from posteriori.families.dirichlet import Dirichlet
from posteriori.families.joint_density import Group
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.statistics.base import ClassStatistics
from posteriori.statistics.counts import Counts
from posteriori.statistics.joint_counts import JointCounts
from posteriori.statistics.labels import union_of_labels
from posteriori.storable import storable
from posteriori.tables.schema import Schema

#: Logarithms of numbers are above this.
SMALLEST_LOG = -746.0


@storable
@dataclass(frozen=True)
class Summary:
    """Statistics of each group of columns by class, with the labels of classes and categories.

    Parameters
    ----------
    classes : (K,) in sorted order
    schema : the columns, with the levels of those that are categorical
    groups : the columns and their families
    weight : of each class
    statistics : of each group
    """

    classes: NDArray[Any]
    schema: Schema
    groups: tuple[Group, ...]
    weight: Counts
    statistics: tuple[ClassStatistics, ...]

    def merge(self, other: "Summary") -> "Summary":
        """Merge the statistics of two sets of rows; classes and categories are matched by label."""
        self._refuse_other_columns(other)
        classes = union_of_labels(self.classes, other.classes, "the classes")
        mine, yours = (part._with_classes(classes) for part in (self, other))
        mine, yours = mine._with_levels_of(yours), yours._with_levels_of(mine)
        parts = zip(mine.statistics, yours.statistics, strict=True)
        return replace(mine, weight=mine.weight.merge(yours.weight), statistics=tuple(a.merge(b) for a, b in parts))

    def levels(self, group: Group) -> tuple[NDArray[Any], ...]:
        """Return the levels of the columns of a group; empty for columns without levels."""
        columns = (self.schema.columns[j] for j in group.columns)
        return tuple(np.empty(0) if column.levels is None else column.levels for column in columns)

    def _with_classes(self, classes: NDArray[Any]) -> "Summary":
        if len(classes) == len(self.classes):
            return self
        places, n = np.searchsorted(classes, self.classes), len(classes)
        statistics = tuple(part.with_classes(places, n) for part in self.statistics)
        return replace(self, classes=classes, weight=self.weight.with_classes(places, n), statistics=statistics)

    def _with_levels_of(self, other: "Summary") -> "Summary":
        """Add the levels of the other summary."""
        columns = list(self.schema.columns)
        groups, statistics = list(self.groups), list(self.statistics)
        for g, group in enumerate(self.groups):
            if not group.family.takes_levels:
                continue
            old, theirs = self.levels(group), other.levels(group)
            names = [self.schema.describe(j) for j in group.columns]
            new = tuple(union_of_labels(a, b, name) for a, b, name in zip(old, theirs, names, strict=True))
            sizes = tuple(len(values) for values in new)
            places = [np.searchsorted(values, before) for values, before in zip(new, old, strict=True)]
            statistics[g] = group.family.recoded(statistics[g], places, sizes)
            groups[g] = replace(group, family=group.family.with_levels(sizes))
            for j, values in zip(group.columns, new, strict=True):
                columns[j] = replace(columns[j], kind="category", levels=values)
        schema = replace(self.schema, columns=tuple(columns))
        return replace(self, schema=schema, groups=tuple(groups), statistics=tuple(statistics))

    def _refuse_other_columns(self, other: "Summary") -> None:
        if self.schema.names != other.schema.names:
            raise DataError(
                f"these models were fitted to different columns: {quote(list(self.schema.names))} and "
                f"{quote(list(other.schema.names))}."
            )
        if _plain(self.groups) != _plain(other.groups):
            raise DataError(
                "the columns have different families or settings in these models, so their statistics cannot be "
                "merged: fit them with the same parameters."
            )

    def check(self, where: str) -> None:
        """Raise unless every group has statistics of its family, for all classes."""
        n_classes = len(self.classes)
        require.WEIGHT.check(self.weight.values, (n_classes,), f"{where}.weight")
        if not self.weight.values.any():
            fail(f"{where}.weight", "is zero for every class")
        if len(self.groups) != len(self.statistics):
            fail(f"{where}.statistics", f"has {len(self.statistics)} entries for {len(self.groups)} groups")
        for i, (group, part) in enumerate(zip(self.groups, self.statistics, strict=True)):
            field = f"{where}.statistics[{i}]"
            require.instance(part, group.family.statistics_type, field)
            if part.n_classes != n_classes:
                fail(field, f"is for {part.n_classes} classes, not {n_classes}")
            if isinstance(part, JointCounts):
                require.close(part.counts.sum(axis=1), self.weight.values, f"{field}.counts",
                            "do not sum to the weights of the classes", rtol=1e-6)  # fmt: skip
            if isinstance(part, Counts):
                limit = group.family.largest_sum
                require.Numbers(0.0, limit, f"a count above {limit:g}").check(
                    part.values, part.values.shape, f"{field}.values"
                )
            if isinstance(group.family, Beta | Dirichlet) and (part.mean < SMALLEST_LOG).any():  # type: ignore[attr-defined]
                fail(f"{field}.mean", "contains logarithms below that of the smallest number")
            fault = group.family.inconsistency(part, len(group.columns))
            if fault is not None:
                fail(f"{field}{fault[0]}", fault[1])


def _plain(groups: Sequence[Group]) -> list[Group]:
    """Return the groups without the numbers of levels."""
    return [replace(group, family=group.family.with_levels(())) for group in groups]
