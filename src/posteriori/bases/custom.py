"""`CustomPhi`: columns computed by user-defined functions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.base import ColumnsPhi
from posteriori.messages.errors import DataError


@dataclass(frozen=True, eq=False)
class CustomPhi(ColumnsPhi):
    """Columns that functions compute from a block of rows.

    Parameters
    ----------
    functions : each maps (n, d) to (n,) or (n, m)
    names : of the functions
    widths : the number of columns of each
    n_inputs : the number of columns of x
    """

    functions: tuple[Callable[[Array], Any], ...]
    names: tuple[str, ...]
    widths: tuple[int, ...]
    n_inputs: int

    @property
    def n_columns(self) -> int:
        """The number of columns of all functions together."""
        return sum(self.widths)

    def __call__(self, rows: Array) -> Array:
        """Return the columns of every function; the rows are read-only."""
        rows = rows.view()
        rows.flags.writeable = False
        parts = [columns_of(*pair, rows) for pair in zip(self.functions, self.names, strict=True)]
        for part, name, width in zip(parts, self.names, self.widths, strict=True):
            if part.shape[1] != width:
                raise DataError(
                    f"basis function {name!r} returned {part.shape[1]} column(s), and {width} when it was tried."
                )
        return np.concatenate(parts, axis=1)

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the name of each function, with a number if it has several columns: ``"f[0]"``."""
        return tuple(
            name if width == 1 else f"{name}[{number}]"
            for name, width in zip(self.names, self.widths, strict=True)
            for number in range(width)
        )


def columns_of(function: Callable[[Array], Any], name: str, rows: Array) -> Array:
    """Return a function of rows as (n, m); raise if it does not return numbers, (n,) or (n, m)."""
    try:
        columns = np.asarray(function(rows), dtype=np.float64)
    except DataError:
        raise
    except Exception as error:
        raise DataError(
            f"basis function {name!r} failed on rows of shape {rows.shape}: {type(error).__name__}: {error}"
        ) from error
    if columns.ndim not in (1, 2) or len(columns) != len(rows) or (columns.ndim == 2 and not columns.shape[1]):
        raise DataError(
            f"basis function {name!r} must return shape ({len(rows)},) or ({len(rows)}, m) for {len(rows)} row(s); it "
            f"returned {columns.shape}."
        )
    return columns[:, None] if columns.ndim == 1 else columns
