"""Types of arrays."""

import numpy as np
from numpy.typing import NDArray

#: Real numbers.
Array = NDArray[np.float64]
#: Codes of classes or of a column's levels, one per row.
Codes = NDArray[np.intp]
#: Numbers of rows or columns, to index with.
Indices = NDArray[np.intp]
#: True where an element is selected.
Mask = NDArray[np.bool_]
#: Whole numbers.
Counts = NDArray[np.int64]
