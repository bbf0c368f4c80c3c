"""Rules for columns, their coding and their units."""

import numpy as np

from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.input.coding.coding import Coded, Coding
from posteriori.input.formula.coding import FormulaCoding
from posteriori.storage.registry import RULES
from posteriori.tables.schema import Schema

#: Characters that the names of all columns of a design matrix may have.
NAME_CHARACTERS = 2**24


@RULES.of(Schema, Coding, FormulaCoding)
def names(value: Schema | Coding | FormulaCoding, where: str) -> None:
    """Check that no two columns have one name."""
    require.distinct(value.names, f"{where}.columns")


@RULES.of(Coded)
def coded(value: Coded, where: str) -> None:
    """Check that the reference and the fill value are among the levels."""
    require.distinct(value.levels, f"{where}.levels")
    if (value.kind == "number") != (not value.levels) and value.kind != "category":
        fail(f"{where}.levels", f"does not go with a column of kind {value.kind!r}")
    if value.reference >= max(len(value.levels), 1):
        fail(f"{where}.reference", f"is {value.reference} of {len(value.levels)} levels")
    if value.fill is not None and not np.isfinite(value.fill):
        fail(f"{where}.fill", "is not finite")
    if value.fill is not None and value.levels and value.fill not in range(len(value.levels)):
        fail(f"{where}.fill", f"is {value.fill} of {len(value.levels)} levels")


def check_columns(value: Coding | FormulaCoding, n_columns: int, where: str) -> None:
    """Raise unless a coding has so many columns, with different names; they are counted before they are listed."""
    count, longest = value.size_out
    if count != n_columns:
        fail(where, f"gives {count} columns, the model takes {n_columns}")
    if count * longest > NAME_CHARACTERS:
        fail(where, f"gives {count} columns with names of up to {longest} characters")
    require.distinct(value.names_out, where)
