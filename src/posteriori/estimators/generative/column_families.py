"""The family of each column, or group of columns, of a naive Bayes model."""

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
from posteriori.tables.schema import Schema


def read_settings(smoothing: Any, shared: Any, estimate: Any) -> FamilySettings:
    """Check the settings of all families that are chosen by name."""
    if not isinstance(estimate, NormalInverseGamma):
        choice("estimate", estimate, DiagonalGaussian.estimates)
    return FamilySettings(
        non_negative("smoothing", smoothing), choice("shared", shared, (False, True, "all")), estimate
    )


def groups_for(families: Any, settings: FamilySettings, schema: Schema) -> tuple[Group, ...]:
    """Group the columns by family; a group with a joint family stays by itself."""
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
    assigned = {j for group in joint for j in group.columns} | set(single)
    if len(assigned) < len(schema.columns):
        rest = (j for j in range(len(schema.columns)) if j not in assigned)
        single |= {j: DEFAULTS[schema.columns[j].kind].from_settings(settings) for j in rest}
    return sized((*_grouped(single), *joint), schema)


def _chosen(families: Any, schema: Schema) -> dict[tuple[int, ...], Any]:
    """Return the choice per column or group, by column numbers; raise if a column is named twice."""
    if not isinstance(families, Mapping):
        return {} if isinstance(families, str) and families == "auto" else {tuple(range(len(schema.columns))): families}
    chosen: dict[tuple[int, ...], Any] = {}
    for key, value in families.items():
        many = isinstance(key, tuple) and list(schema.names).count(key) == 0  # type: ignore[arg-type]
        columns = tuple(index_of(schema, name) for name in key) if many else (index_of(schema, key),)
        before = [j for other in chosen for j in other]
        twice = [j for at, j in enumerate(columns) if j in before or j in columns[:at]]
        if twice or not columns:
            problem = f"{schema.describe(twice[0])} is named twice" if twice else "a group has no columns"
            raise DataError(f"families: {problem}; each column has one family, or belongs to one group.")
        chosen[columns] = value
    return chosen


def family_for(chosen: Any, settings: FamilySettings, group: bool = False) -> Family:
    """Return the family of a name, or the family itself."""
    if isinstance(chosen, Family):
        return chosen
    name = choice("families", chosen, COLUMN_FAMILIES)
    family = GROUP_FAMILIES.get(name, COLUMN_FAMILIES[name]) if group else COLUMN_FAMILIES[name]
    return family.from_settings(settings)


def _refuse_text(family: Family, schema: Schema, columns: tuple[int, ...]) -> None:
    text = schema.text.intersection(columns) if schema.text and not family.takes_levels else ()
    if text:
        raise DataError(
            f"{schema.describe(min(text))} has text, and family {family.name!r} takes {family.domain()}: use family "
            "'categorical', or pass the column as numbers."
        )


def _refuse_single(family: Family, schema: Schema, columns: tuple[int, ...]) -> None:
    if len(columns) < 2:
        raise DataError(
            f"family {family.name!r} is for a group of columns, and {schema.describe(columns[0])} is a single one: use "
            "a tuple of two or more columns as the key."
        )


def _grouped(families: dict[int, Family]) -> list[Group]:
    """Group the columns of equal families, which are summed together."""
    groups: dict[Family, list[int]] = {}
    for j in sorted(families):
        groups.setdefault(families[j], []).append(j)
    return [Group(family, tuple(columns)) for family, columns in groups.items()]


def sized(groups: tuple[Group, ...], schema: Schema) -> tuple[Group, ...]:
    """Set the number of categories of each column in the families of categories."""

    def with_levels(group: Group) -> Group:
        levels = (schema.columns[j].levels for j in group.columns)
        sizes = tuple(0 if values is None else len(values) for values in levels)
        return replace(group, family=group.family.with_levels(sizes))

    return tuple(with_levels(group) if group.family.takes_levels else group for group in groups)


def refuse_sparse(groups: tuple[Group, ...]) -> None:
    """Raise a `DataError` if a family does not take sparse rows, naming those that do."""
    for group in groups:
        if not group.family.takes_sparse:
            names = [repr(name) for name, family in COLUMN_FAMILIES.items() if family.takes_sparse]
            raise DataError(
                f"family {group.family.name!r} ({len(group.columns)} column(s)) does not take a sparse matrix, only "
                f"{', '.join(names[:-1])} and {names[-1]} do: pass those columns as a dense array or a frame."
            )


def index_of(schema: Schema, key: Any) -> int:
    """Return the number of a column by name or number; raise, listing the columns, if there is none."""
    try:
        return schema.index(key)
    except (KeyError, TypeError):
        raise DataError(f"there is no column {key!r}; the columns are {quote(list(schema.names), most=20)}.") from None
