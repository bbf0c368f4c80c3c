"""`CustomPhi`: columns computed by user-defined functions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.base import Phi
from posteriori.messages.errors import DataError


@dataclass(frozen=True, eq=False)
class CustomPhi(Phi):
    """Columns made by functions of a block of rows.

    Parameters
    ----------
    functions : each from (n, d) to (n,) or (n, m)
    names : of the functions
    widths : how many columns each gives
    """

    functions: tuple[Callable[[Array], Any], ...]
    names: tuple[str, ...]
    widths: tuple[int, ...]

    @property
    def n_columns(self) -> int:
        """What all functions give together."""
        return sum(self.widths)

    def __call__(self, rows: Array) -> Array:
        """Call every function on the rows; it may not write into them."""
        rows = rows.view()
        rows.flags.writeable = False
        parts = [columns_of(*pair, rows) for pair in zip(self.functions, self.names, strict=True)]
        for part, name, width in zip(parts, self.names, self.widths, strict=True):
            if part.shape[1] != width:
                raise DataError(
                    f"basis function {name!r} gave {part.shape[1]} column(s), and {width} when it was tried."
                )
        return np.concatenate(parts, axis=1)

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Write the function's name, numbered where it gives several columns: ``"f[0]"``."""
        return tuple(
            name if width == 1 else f"{name}[{number}]"
            for name, width in zip(self.names, self.widths, strict=True)
            for number in range(width)
        )


def columns_of(function: Callable[[Array], Any], name: str, rows: Array) -> Array:
    """Call a function on rows and check that it gives numbers, (n,) or (n, m)."""
    try:
        found = np.asarray(function(rows), dtype=np.float64)
    except DataError:
        raise
    except Exception as error:
        raise DataError(
            f"basis function {name!r} failed on rows of shape {rows.shape}: {type(error).__name__}: {error}"
        ) from error
    if found.ndim not in (1, 2) or len(found) != len(rows) or (found.ndim == 2 and not found.shape[1]):
        raise DataError(
            f"basis function {name!r} must give ({len(rows)},) or ({len(rows)}, m) for {len(rows)} row(s); it gave "
            f"{found.shape}."
        )
    return found[:, None] if found.ndim == 1 else found
