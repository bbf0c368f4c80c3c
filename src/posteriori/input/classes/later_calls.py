"""The classes named by later calls of `partial_fit`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.input.targets import read_classes
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


def refuse_unknown_classes(classes: Any, known: NDArray[Any]) -> None:
    """Raise a `DataError` if a later call of partial_fit names other classes than the first."""
    if classes is not None and not np.array_equal(read_classes(classes), np.sort(known)):
        raise DataError(
            f"classes={quote(list(classes))} differs from the classes of the first call of partial_fit, which are "
            f"{quote(known.tolist())}. Leave it out, or start again with fit."
        )
