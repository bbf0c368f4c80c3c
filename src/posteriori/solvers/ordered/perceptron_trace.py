"""`PerceptronTrace`: the updates of a perceptron, step by step."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from posteriori.arrays import Array, Integers
from posteriori.checks import requirements as require
from posteriori.input.frames.native import frame_of
from posteriori.storable import storable


class Update(NamedTuple):
    """One update: its number, the misclassified row, and the weights before and after, intercept first."""

    step: int
    row: int
    before: Array
    after: Array


@storable
@dataclass(frozen=True)
class PerceptronTrace:
    """All updates, in order; a sequence of `Update`.

    Book: [Bishop] Fig. 4.7, §4.1.7.

    Parameters
    ----------
    row : (m,) the misclassified rows
    before, after : (m, p) weights, intercept first; (m, K, p) for more than two classes
    """

    row: Integers
    before: Array
    after: Array

    @property
    def step(self) -> Integers:
        """The numbers of the updates, from zero, (m,)."""
        return np.arange(len(self.row))

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, step: int) -> Update:
        at = range(len(self.row))[step]
        return Update(at, int(self.row[at]), self.before[at], self.after[at])

    def __iter__(self) -> Iterator[Update]:
        return (self[step] for step in range(len(self.row)))

    def to_frame(self, native: str | None = None) -> Any:
        """Return a data frame: step, row, and one column per weight before and after."""
        columns: dict[str, Any] = {"step": self.step, "row": self.row}
        for name in ("before", "after"):
            values = getattr(self, name)
            for place in np.ndindex(values.shape[1:]):
                columns[f"{name}[{','.join(map(str, place))}]"] = values[(slice(None), *place)]
        return frame_of(columns, native=native)

    def check(self, where: str) -> None:
        """Raise unless there are weights before and after every update."""
        for name in ("before", "after"):
            require.FINITE.check(getattr(self, name), (len(self.row), *self.before.shape[1:]), f"{where}.{name}")
