"""`LabelsInOrder`: labels with an order of their classes."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray


class LabelsInOrder(np.ndarray[Any, Any]):
    """Labels whose classes have another order than the sorted one, so that the last of two is y = 1.

    In other respects a plain array: pipelines pass it on, selected rows keep the order, and classifiers of other
    libraries sort the classes as usual. Results of computations are plain arrays.

    Examples
    --------
    >>> labels = in_order(np.array(["no", "yes", "no"]), ["yes", "no"])
    >>> labels[1:].classes, type(labels == "no").__name__
    (('yes', 'no'), 'ndarray')
    """

    classes: tuple[Any, ...] | None

    def __array_finalize__(self, other: Any) -> None:
        """Copy the order to selected rows."""
        self.classes = getattr(other, "classes", None)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Return the result of a computation as a plain array."""
        plain = np.asarray(array)
        return plain[()] if return_scalar else plain

    def __reduce__(self) -> Any:
        """Pickle the order, too."""
        return in_order, (np.asarray(self), self.classes)


def in_order(labels: Any, classes: Sequence[Any] | NDArray[Any] | None) -> NDArray[Any]:
    """Return labels with an order of their classes; a plain array if it is the sorted one.

    >>> type(in_order(np.array([0, 1]), [0, 1])).__name__
    'ndarray'
    """
    plain = np.asarray(labels)
    if classes is None or np.array_equal(np.sort(np.asarray(classes)), np.asarray(classes)):
        return plain
    ordered = cast("LabelsInOrder", plain.view(LabelsInOrder))
    ordered.classes = tuple(np.asarray(classes).tolist())
    return ordered


def order_of(y: Any, present: NDArray[Any]) -> NDArray[np.intp]:
    """Return the positions of sorted classes in the order of the labels y; unchanged if they have none.

    >>> order_of(in_order(np.array(["no", "yes"]), ["yes", "no"]), np.array(["no", "yes"])).tolist()
    [1, 0]
    """
    stated = y.classes if isinstance(y, LabelsInOrder) else None
    values = present.tolist()
    if stated is None or not set(values) <= set(stated):
        return np.arange(len(present))
    return np.array([values.index(label) for label in stated if label in values], dtype=np.intp)
