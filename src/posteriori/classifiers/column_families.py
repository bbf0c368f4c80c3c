"""Which family each column of a naive Bayes model follows, and how its cells are coded."""

from typing import Any

from posteriori.families.base import Family
from posteriori.families.joint import Group
from posteriori.families.table import COLUMN_FAMILIES, Settings
from posteriori.sweeps.summary import Summary
from posteriori.tables.complaints import choice
from posteriori.tables.errors import DataError
from posteriori.tables.features import Features
from posteriori.tables.notes import listed
from posteriori.tables.schema import Schema


def family_for(chosen: Any, settings: Settings) -> Family:
    """Look a family up by its name, or take the one given."""
    if isinstance(chosen, Family):
        return chosen
    return COLUMN_FAMILIES[choice("families", chosen, COLUMN_FAMILIES)](settings)


def families_of(summary: Summary) -> list[Family]:
    """Give the families of an earlier fit, column by column, without the sizes of their dictionaries."""
    by_column = {j: group.family.with_levels(()) for group in summary.groups for j in group.columns}
    return [by_column[j] for j in range(len(by_column))]


def grouped(families: list[Family], schema: Schema) -> tuple[Group, ...]:
    """Put the columns of equal families together: each group is summed at once."""
    groups: dict[Family, list[int]] = {}
    for j, family in enumerate(families):
        groups.setdefault(family, []).append(j)
    sized = []
    for family, columns in groups.items():
        sizes = tuple(0 if (levels := schema.columns[j].levels) is None else len(levels) for j in columns)
        sized.append(Group(family.with_levels(sizes) if family.takes_levels else family, tuple(columns)))
    return tuple(sized)


def index_of(schema: Schema, key: Any) -> int:
    """Find a column by name or number; the error lists them."""
    try:
        return schema.index(key)
    except (KeyError, TypeError):
        raise DataError(f"there is no column {key!r}; the columns are {listed(list(schema.names), most=20)}.") from None


def coded(features: Features, schema: Schema) -> Features:
    """Code the columns of an array by the dictionaries of fit; those of a frame are coded already."""
    wanted = {
        j: column.levels
        for j, column in enumerate(schema.columns)
        if column.levels is not None and features.schema.columns[j].levels is not column.levels
    }
    for j, levels in wanted.items():
        if levels.dtype.kind not in "fiub" or features.schema.columns[j].kind == "category":
            raise DataError(
                f"{schema.describe(j)} held values such as {levels.tolist()[0]!r} in fit and another type "
                "now; give it in a frame, as in fit."
            )
    return features.coded_by(wanted) if wanted else features
