"""Target, weight and offset columns, checked while their names are known."""

import math
from dataclasses import dataclass, field
from typing import Any

import click

from posteriori.cli.commands.flags import TYPES
from posteriori.messages.errors import DataError

#: The types that ``--type`` may declare for the column of each role.
ALLOWED = {"target": ("category",), "weight": ("number",), "offset": ("number",)}


def read_to_learn(
    data: str, types: dict[str, str], reserved: dict[str, str | None], options: dict[str, Any], missing: str
) -> tuple[str, Any]:
    """Read the data of a fit; return its name and the table, with the columns named by options checked.

    A target that a formula computes, such as cbind(successes, failures), is no column.
    """
    from posteriori.cli.reading.files import read_table
    from posteriori.cli.reading.sources import Source

    source = Source.to_learn_from(data, types, options)
    table = read_table(source)
    checks = ReservedColumns.of(source.name, table.schema, reserved, types, options, missing)
    checks.add(table)
    checks.refuse()
    return source.name, table


@dataclass
class BadCells:
    """The number of cells that cannot be used, and the row and the value of the first."""

    count: int = 0
    row: int = 0
    value: float = math.nan

    def add(self, bad: Any, before: int, values: Any = None) -> None:
        """Count the cells that are True in a mask; `before` is the number of rows before these."""
        if bad.any() and self.count == 0:
            first = int(bad.argmax())
            self.row, self.value = before + first + 1, math.nan if values is None else float(values[first])
        self.count += int(bad.sum())


@dataclass
class ReservedColumns:
    """The columns of the target, the weights and the offset, checked as they are read.

    Parameters
    ----------
    name : of the file, for messages
    roles : {"target", "weight", "offset": the column}
    kinds : their Arrow types
    missing : value of ``--missing``; with "drop" the model drops the rows with missing values
    """

    name: str
    roles: dict[str, str]
    kinds: dict[str, Any]
    missing: str
    n_rows: int = 0
    examples: dict[str, Any] = field(default_factory=dict)
    bad: dict[tuple[str, str], BadCells] = field(default_factory=dict)
    labels: dict[Any, None] = field(default_factory=dict)

    @classmethod
    def of(
        cls, name: str, schema: Any, reserved: dict[str, str | None], types: dict[str, str], options: dict[str, Any],
        missing: str,
    ) -> "ReservedColumns":  # fmt: skip
        """Return the checks of some columns; raise for unknown columns, and for types that columns cannot have."""
        computed = reserved["target"] if options.get("formula") and "(" in str(reserved["target"]) else None
        for column in [*reserved.values(), *types]:
            if column not in (None, computed, *schema.names):
                from posteriori.input.frames.native import no_column

                raise DataError(f"{name}: {no_column(str(column), schema.names)}")
        _refuse_nested(name, schema, types)
        columns = [column for column in reserved.values() if column is not None]
        roles = {role: column for role, column in reserved.items() if column in schema.names and column is not None}
        if len(set(columns)) < len(columns):
            roles = {}  # one column with two roles: the model raises
        for role, column in roles.items():
            if types.get(column) in TYPES and types[column] not in ALLOWED[role]:
                allowed = " or ".join(ALLOWED[role])
                raise click.BadParameter(
                    f"{column!r} is the {role}, whose type can only be {allowed}.", param_hint="--type"
                )
        return cls(name, roles, {column: schema.field(column).type for column in roles.values()}, missing)

    def add(self, table: Any) -> None:
        """Check the next rows, an Arrow table."""
        for role, column in self.roles.items():
            if role == "target":
                self._add_labels(column, table.column(column))
            else:
                self._add_numbers(role, column, table.column(column))
        self.n_rows += table.num_rows

    def _add_labels(self, column: str, cells: Any) -> None:
        if _is_no_label(self.kinds[column]):
            return
        self.labels |= dict.fromkeys(cells.unique().to_pylist())
        missing = cells.is_null().to_numpy()
        self.bad.setdefault(("target", "missing"), BadCells()).add(missing, self.n_rows)

    def _add_numbers(self, role: str, column: str, cells: Any) -> None:
        import numpy as np
        import pyarrow as pa

        if not _is_number(self.kinds[column]):
            if column not in self.examples and cells.null_count < len(cells):
                self.examples[column] = next(value for value in cells.to_pylist() if value is not None)
            return
        values = np.asarray(cells.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
        not_finite = np.isinf(values) if self.missing == "drop" else ~np.isfinite(values)
        self.bad.setdefault((role, "not finite"), BadCells()).add(not_finite, self.n_rows, values)
        if role == "weight":
            self.bad.setdefault((role, "negative"), BadCells()).add(values < 0, self.n_rows, values)

    def refuse(self) -> None:
        """Raise if the target has no classes, or weights or offsets are not numbers."""
        for role, column in self.roles.items():
            kind = self.kinds[column]
            if role == "target":
                self._refuse_labels(column, kind)
            elif not _is_number(kind):
                known = column in self.examples
                cause = f"is of type {kind}, such as {self.examples[column]!r}" if known else "is empty"
                raise DataError(
                    f"{self.name}: column {column!r} cannot be the {role}: expected numbers, but it {cause}."
                )
            for word in ("not finite", "negative"):
                cells = self.bad.get((role, word), BadCells())
                if cells.count:
                    raise DataError(
                        f"{self.name}: the {role} {column!r} is {word} in {cells.count} of {self.n_rows} rows, the "
                        f"first in row {cells.row} below the header ({cells.value:g}). Correct these cells or drop the "
                        "rows."
                    )

    def _refuse_labels(self, column: str, kind: Any) -> None:
        if _is_no_label(kind):
            raise DataError(
                f"{self.name}: the target {column!r} is of type {kind}; classes must be text, integers, booleans or "
                "dates."
            )
        cells = self.bad.get(("target", "missing"), BadCells())
        if cells.count and self.missing != "drop":
            raise DataError(
                f"{self.name}: the target {column!r} has {cells.count} missing label(s), the first in row {cells.row} "
                "below the header. Drop these rows (--missing drop) or fill in their classes."
            )


def _is_no_label(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_nested(kind) or pa.types.is_time(kind) or pa.types.is_duration(kind))


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind))


def _refuse_nested(name: str, schema: Any, types: dict[str, str]) -> None:
    import pyarrow as pa

    for column, kind in types.items():
        arrow = schema.field(column).type
        if kind != "ignore" and pa.types.is_nested(arrow):
            raise DataError(
                f"{name}: column {column!r} is of type {arrow}: lists and records cannot be used as {kind}. Leave the "
                f"column out (--type {column}=ignore)."
            )
