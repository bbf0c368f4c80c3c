"""`LabelsInOrder`: labels that say in which order their classes are to be listed."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray


class LabelsInOrder(np.ndarray[Any, Any]):
    """Labels whose classes come in a stated order in place of the sorted one, so that of two the last is y = 1.

    An array in every other respect: pipelines pass it on, rows of it keep the order, and classifiers of other
    libraries, which know nothing of it, sort the classes as ever. What is computed from it is a plain array.

    Examples
    --------
    >>> labels = in_order(np.array(["no", "yes", "no"]), ["yes", "no"])
    >>> labels[1:].classes, type(labels == "no").__name__
    (('yes', 'no'), 'ndarray')
    """

    classes: tuple[Any, ...] | None

    def __array_finalize__(self, other: Any) -> None:
        """Take the order over to rows that were picked."""
        self.classes = getattr(other, "classes", None)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Give what is computed from labels as a plain array: it is no label."""
        plain = np.asarray(array)
        return plain[()] if return_scalar else plain

    def __reduce__(self) -> Any:
        """Keep the order in a copy for another process."""
        return in_order, (np.asarray(self), self.classes)


def in_order(labels: Any, classes: Sequence[Any] | NDArray[Any] | None) -> NDArray[Any]:
    """Give labels with the order of their classes; a plain array where that is the sorted one.

    >>> type(in_order(np.array([0, 1]), [0, 1])).__name__
    'ndarray'
    """
    plain = np.asarray(labels)
    if classes is None or np.array_equal(np.sort(np.asarray(classes)), np.asarray(classes)):
        return plain
    ordered = cast("LabelsInOrder", plain.view(LabelsInOrder))
    ordered.classes = tuple(np.asarray(classes).tolist())
    return ordered


def order_of(y: Any, seen: NDArray[Any]) -> NDArray[np.intp]:
    """Give the places of the sorted classes seen, in the order that labels y state; as they are where they state none.

    >>> order_of(in_order(np.array(["no", "yes"]), ["yes", "no"]), np.array(["no", "yes"])).tolist()
    [1, 0]
    """
    stated = y.classes if isinstance(y, LabelsInOrder) else None
    values = seen.tolist()
    if stated is None or not set(values) <= set(stated):
        return np.arange(len(seen))
    return np.array([values.index(label) for label in stated if label in values], dtype=np.intp)
