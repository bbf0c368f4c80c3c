"""Types of arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Real numbers.
Array = NDArray[np.float64]
#: Codes of classes, or of the levels of a column, one per row.
Codes = NDArray[np.intp]
#: Numbers of rows or columns.
Indices = NDArray[np.intp]
#: Integers of 64 bits.
Integers = NDArray[np.int64]
#: Hashes of rows.
Hashes = NDArray[np.uint64]
#: True for the elements selected.
Mask = NDArray[np.bool_]
#: Values of any type, such as class labels and the levels of a column.
AnyArray = NDArray[Any]
