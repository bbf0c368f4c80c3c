"""`Explanation`: scores taken apart into what each column contributes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.tables.frames import frame_of

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Explanation:
    """Log odds (two classes) or scores (more) as a sum: baseline + contributions of the columns (+ offset).

    Book: [Mitchell] §3.1, Eq. 22; [Bishop] §4.1.1.

    Parameters
    ----------
    contributions : (n, d) for two classes, (n, K, d) for more
    baseline : number for two classes, (K,) for more; what is left when no column has anything to say
    names : of the d columns
    classes : the classes, in the order of ``classes_``
    offset : (n,) or (n, K), given with the rows, or None
    native : the library of frames that the rows came from, or None

    Examples
    --------
    >>> told = Explanation(np.array([[2.0, -0.5]]), np.array(-1.0), ("age", "dose"), ("no", "yes"))
    >>> told.total.tolist(), told.top(0)
    ([0.5], [('age', 2.0), ('dose', -0.5)])
    """

    contributions: Array
    baseline: Array
    names: tuple[str, ...]
    classes: tuple[Any, ...]
    offset: Array | None = None
    native: str | None = None

    @property
    def total(self) -> Array:
        """The linear predictor: baseline, contributions and offset summed, (n,) or (n, K)."""
        sums: Array = self.contributions.sum(axis=-1) + self.baseline
        return sums if self.offset is None else sums + self.offset

    def top(self, row: int, label: Any = None) -> list[tuple[str, float]]:
        """List the columns of one row, the largest contributions first; for more than two classes, to one class."""
        parts = self.contributions[row]
        if parts.ndim == 2:
            parts = parts[len(self.classes) - 1 if label is None else self.classes.index(label)]
        order = np.argsort(-np.abs(parts), kind="stable")
        return [(self.names[j], float(parts[j])) for j in order]

    def to_frame(self, native: str | None = None) -> Any:
        """Give a frame: a row for each row, and each class where there are more than two; a column for each part.

        Parameters
        ----------
        native : "pandas" | "polars" | "pyarrow", default the library the rows came in, else the first installed
        """
        total = self.total
        columns: dict[str, NDArray[Any]] = {}
        if total.ndim == 2:
            n, n_classes = total.shape
            columns["row"] = np.repeat(np.arange(n), n_classes)
            columns["class"] = np.tile(np.array(self.classes), n)
        columns["baseline"] = np.broadcast_to(self.baseline, total.shape).ravel()
        if self.offset is not None:
            columns["offset"] = np.broadcast_to(self.offset, total.shape).ravel()
        parts = self.contributions.reshape(-1, len(self.names))
        named = {_free(name, columns): parts[:, j] for j, name in enumerate(self.names)}
        return frame_of({**columns, **named, _free("total", named): total.ravel()}, native=native or self.native)


def _free(name: str, taken: dict[str, Any]) -> str:
    """Give a column's name, marked where the frame has another of that name."""
    return name if name not in taken else _free(f"{name}_", taken)
