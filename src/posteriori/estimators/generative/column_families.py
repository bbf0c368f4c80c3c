"""Which family each column, or group of columns, of a naive Bayes model follows, and how its cells are coded."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from posteriori.checks.parameters import choice, non_negative
from posteriori.families.base import Family, FamilySettings
from posteriori.families.catalogue import COLUMN_FAMILIES, DEFAULTS, GROUP_FAMILIES
from posteriori.families.gaussian.diagonal import DiagonalGaussian
from posteriori.families.gaussian.normal_inverse_gamma import NormalInverseGamma
from posteriori.families.joint_density import Group
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.tables.features import Features
from posteriori.tables.schema import Schema


def read_settings(smoothing: Any, shared: Any, estimate: Any) -> FamilySettings:
    """Check what is said to all families that are given by name."""
    prior = isinstance(estimate, NormalInverseGamma)
    return FamilySettings(
        non_negative("smoothing", smoothing),
        choice("shared", shared, (False, True, "all")),
        estimate if prior else choice("estimate", estimate, DiagonalGaussian.estimates),
    )


def groups_for(families: Any, settings: FamilySettings, schema: Schema) -> tuple[Group, ...]:
    """Give every column its family: those of one family together, and each group with a joint family alone."""
    joint: list[Group] = []
    single: dict[int, Family] = {}
    for columns, chosen in _chosen(families, schema).items():
        family = family_for(chosen, settings, group=len(columns) > 1 and isinstance(families, Mapping))
        _refuse_text(family, schema, columns)
        if family.is_joint:
            _refuse_single(family, schema, columns)
            joint.append(Group(family, columns))
        else:
            single.update(dict.fromkeys(columns, family))
    taken = {j for group in joint for j in group.columns} | set(single)
    rest = [] if len(taken) == len(schema.columns) else [j for j in range(len(schema.columns)) if j not in taken]
    single.update({j: DEFAULTS[schema.columns[j].kind].from_settings(settings) for j in rest})
    return sized((*_gathered(single), *joint), schema)


def _chosen(families: Any, schema: Schema) -> dict[tuple[int, ...], Any]:
    """Give what was said of columns, by their numbers; the error names a column of which it was said twice."""
    if not isinstance(families, Mapping):
        return {} if isinstance(families, str) and families == "auto" else {tuple(range(len(schema.columns))): families}
    chosen: dict[tuple[int, ...], Any] = {}
    for key, value in families.items():
        many = isinstance(key, tuple) and list(schema.names).count(key) == 0  # type: ignore[arg-type]
        columns = tuple(index_of(schema, name) for name in key) if many else (index_of(schema, key),)
        before = [j for other in chosen for j in other]
        twice = [j for at, j in enumerate(columns) if j in before or j in columns[:at]]
        if twice or not columns:
            word = f"{schema.describe(twice[0])} is named twice" if twice else "a group of no columns is named"
            raise DataError(f"families: {word}; each column has one family, or belongs to one group.")
        chosen[columns] = value
    return chosen


def family_for(chosen: Any, settings: FamilySettings, group: bool = False) -> Family:
    """Look a family up by its name, or take the one given."""
    if isinstance(chosen, Family):
        return chosen
    name = choice("families", chosen, COLUMN_FAMILIES)
    family = GROUP_FAMILIES.get(name, COLUMN_FAMILIES[name]) if group else COLUMN_FAMILIES[name]
    return family.from_settings(settings)


def _refuse_text(family: Family, schema: Schema, columns: tuple[int, ...]) -> None:
    text = schema.text.intersection(columns) if schema.text and not family.takes_levels else ()
    if text:
        raise DataError(
            f"{schema.describe(min(text))} holds text, and family {family.name!r} takes {family.domain()}: "
            "give it the family 'categorical', or give the column as numbers."
        )


def _refuse_single(family: Family, schema: Schema, columns: tuple[int, ...]) -> None:
    if len(columns) < 2:
        raise DataError(
            f"family {family.name!r} is over a group of columns, and {schema.describe(columns[0])} stands alone: give "
            "a tuple of two or more columns as the key."
        )


def _gathered(families: dict[int, Family]) -> list[Group]:
    """Put the columns of equal families together: each group is summed at once."""
    groups: dict[Family, list[int]] = {}
    for j in sorted(families):
        groups.setdefault(families[j], []).append(j)
    return [Group(family, tuple(columns)) for family, columns in groups.items()]


def sized(groups: tuple[Group, ...], schema: Schema) -> tuple[Group, ...]:
    """Tell the families that take categories how many each of their columns has."""
    return tuple(
        replace(group, family=group.family.with_levels(_sizes(group, schema))) if group.family.takes_levels else group
        for group in groups
    )


def _sizes(group: Group, schema: Schema) -> tuple[int, ...]:
    levels = (schema.columns[j].levels for j in group.columns)
    return tuple(0 if values is None else len(values) for values in levels)


def refuse_sparse(groups: tuple[Group, ...]) -> None:
    """Raise a `DataError` if a family does not take sparse rows, naming those that do."""
    for group in groups:
        if not group.family.takes_sparse:
            raise DataError(
                f"family {group.family.name!r} does not take a sparse matrix, as {_sparse_families()} do "
                f"({len(group.columns)} column(s)): give those columns as a dense array or a frame."
            )


def _sparse_families() -> str:
    names = [repr(name) for name, family in COLUMN_FAMILIES.items() if family.takes_sparse]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def index_of(schema: Schema, key: Any) -> int:
    """Find a column by name or number; the error lists them."""
    try:
        return schema.index(key)
    except (KeyError, TypeError):
        raise DataError(f"there is no column {key!r}; the columns are {quote(list(schema.names), most=20)}.") from None


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
