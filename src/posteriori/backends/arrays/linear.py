"""Linear predictors and their sums in numpy."""

from typing import Any

#: Kernels by the name of the link that the compiled backend has; numpy is faster through the link and the design.
SLOPES: dict[str, Any] = {}
ROOTED: dict[str, Any] = {}
MIDDLES: dict[str, Any] = {}
