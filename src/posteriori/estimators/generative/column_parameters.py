"""`ColumnTable`: the fitted parameters of one column of a naive Bayes model."""

from collections.abc import Iterator, KeysView
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.checks.requirements import fail
from posteriori.input.classes.class_values import as_objects
from posteriori.input.frames.native import frame_of
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class ColumnTable:
    """Parameters by name, as in a dict, with classes as the first axis; prints as a small table.

    Parameters
    ----------
    column : name or number
    family : name of the family
    classes : (K,)
    parameters : such as ``mean`` and ``variance`` (K,), or ``probability`` (K, J)
    levels : (J,) the categories, or None
    native : the default library of `to_frame`, or None

    Examples
    --------
    >>> import posteriori as pt
    >>> print(pt.NaiveBayes().fit([[0.0], [2.0], [4.0], [6.0]], ["a", "a", "b", "b"]).table(0))
    0 (gaussian)
       mean  variance
    a     1         1
    b     5         1
    """

    column: str | int
    family: str
    classes: NDArray[Any]
    parameters: dict[str, NDArray[np.float64]]
    levels: NDArray[Any] | None = None
    native: str | None = field(default=None, repr=False, compare=False)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self.parameters[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.parameters)

    def keys(self) -> KeysView[str]:
        """Return the names of the parameters."""
        return self.parameters.keys()

    def to_frame(self, native: str | None = None) -> Any:
        """Return a frame: one row per class, one column per parameter, or per level (``probability[red]``).

        Parameters
        ----------
        native : "pandas" | "polars" | "pyarrow", default the library of the fit, else the first installed
        """
        columns: dict[str, NDArray[Any]] = {"class": as_objects(self.classes)}
        for name, values in self.parameters.items():
            wide = values.reshape(len(self.classes), -1)
            known = self.levels is not None and len(self.levels) == wide.shape[1]
            levels = self.levels if known and self.levels is not None else np.arange(wide.shape[1])
            titles = [name] if wide.shape[1] == 1 else [f"{name}[{level}]" for level in levels]
            columns |= dict(zip(titles, np.ascontiguousarray(wide.T), strict=True))
        return frame_of(columns, native=native or self.native)

    def __str__(self) -> str:
        titles, cells = [], []
        for name, values in self.parameters.items():
            wide = values.reshape(len(self.classes), -1)
            titles += [name] if wide.shape[1] == 1 or self.levels is None else [str(level) for level in self.levels]
            cells.append(wide)
        rows = [["", *titles]]
        rows += [[str(c), *(f"{x:.6g}" for x in row)] for c, row in zip(self.classes, np.hstack(cells), strict=True)]
        widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
        lines = [_line(row, widths) for row in rows]
        return "\n".join([f"{self.column} ({self.family})", *lines])

    def check(self, where: str) -> None:
        """Raise unless parameters are by class."""
        for name, array in self.parameters.items():
            if len(array) != len(self.classes):
                fail(f"{where}.{name}", f"is for {len(array)} classes, not {len(self.classes)}")


def _line(cells: list[str], widths: list[int]) -> str:
    numbers = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
    return "  ".join([cells[0].ljust(widths[0]), *numbers]).rstrip()
