"""`Explanation`: contributions of the columns to scores."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.input.frames.native import frame_of
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


@dataclass(frozen=True, eq=False)
class Explanation:
    """Log odds (two classes) or scores (more) as a sum: baseline + contributions of the columns (+ offset).

    Book: [Mitchell] Eq. 22, §3.1; [Bishop] §4.1.1.

    Parameters
    ----------
    contributions : (n, d) for two classes, (n, K, d) for more
    baseline : number for two classes, (K,) for more; the score if all contributions are zero
    names : of the d columns
    classes : the classes, in the order of ``classes_``
    offset : (n,) or (n, K), the offset of the rows, or None
    native : the library of frames of the rows, or None

    Examples
    --------
    >>> explanation = Explanation(np.array([[2.0, -0.5]]), np.array(-1.0), ("age", "dose"), ("no", "yes"))
    >>> explanation.total.tolist(), explanation.top(0)
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

    def gathered(self, sources: Mapping[str, str]) -> "Explanation":
        """Sum the contributions of columns of one source; columns not in `sources` are unchanged.

        >>> parts = np.array([[2.0, -0.5, 1.0]])
        >>> explanation = Explanation(parts, np.array(0.0), ("race=b", "race=c", "age"), ("no", "yes"))
        >>> explanation.gathered({"race=b": "race", "race=c": "race"}).top(0)
        [('race', 1.5), ('age', 1.0)]
        """
        own = [sources.get(name, name) for name in self.names]
        names = tuple(dict.fromkeys(own))
        if names == self.names:
            return self
        sums = np.zeros((*self.contributions.shape[:-1], len(names)))
        for j, name in enumerate(own):
            sums[..., names.index(name)] += self.contributions[..., j]
        return replace(self, contributions=sums, names=names)

    def ordered(self, order: NDArray[np.intp]) -> "Explanation":
        """Return the explanation for classes in another order; for two reversed classes log odds change sign."""
        if np.array_equal(order, np.arange(len(order))):
            return self
        classes, offset = tuple(self.classes[k] for k in order), self.offset
        if self.contributions.ndim == 2:
            parts, baseline, offset = -self.contributions, -self.baseline, None if offset is None else -offset
        else:
            parts, baseline = self.contributions[:, order], self.baseline[order]
            offset = None if offset is None else offset[:, order]
        return replace(self, contributions=parts, baseline=baseline, offset=offset, classes=classes)

    def top(self, row: int, label: Any = None) -> list[tuple[str, float]]:
        """Return the columns of one row by size of their contributions (of more than two classes, to `label`)."""
        parts = self.contributions[row]
        if parts.ndim == 2:
            parts = parts[len(self.classes) - 1 if label is None else self._place(label)]
        order = np.argsort(-np.abs(parts), kind="stable")
        return [(self.names[j], float(parts[j])) for j in order]

    def _place(self, label: Any) -> int:
        if label not in self.classes:
            raise DataError(f"there is no class {label!r}; the classes are {quote(list(self.classes))}.")
        return self.classes.index(label)

    def to_frame(self, native: str | None = None) -> Any:
        """Return a frame: one row per row (and class, if there are more than two), one column per part.

        Parameters
        ----------
        native : "pandas" | "polars" | "pyarrow", default the library of the rows, else the first installed
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
        parts = self.contributions.reshape(int(np.prod(self.contributions.shape[:-1])), len(self.names))
        named = {_free(name, columns): parts[:, j] for j, name in enumerate(self.names)}
        return frame_of({**columns, **named, _free("total", named): total.ravel()}, native=native or self.native)


def _free(name: str, taken: dict[str, Any]) -> str:
    """Return a column name, with underscores added until it is free."""
    return name if name not in taken else _free(f"{name}_", taken)
