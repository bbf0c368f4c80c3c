"""`CustomBasis`: user-defined functions of the rows."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.custom import CustomPhi, columns_of
from posteriori.estimators.bases.base import Basis
from posteriori.estimators.parameters import parameters
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.tables.table import Table, first_rows

#: Number of rows on which functions are tested before a fit.
TEST_ROWS = 8


@parameters(kw_only=False)
class CustomBasis(Basis):
    """User-defined functions of the rows as basis functions.

    phi(x) = (f_1(x), f_2(x), …). Each function takes rows of shape (n, d), as float64, and returns (n,), or (n, m)
    for m columns. It is called on blocks of rows, in several threads, so the value of a row may depend on that row
    only; this is tested with the first rows.

    Book: [Bishop] §4.3.1; [Deuschle] §3.3.3.

    Parameters
    ----------
    functions : {name: function}, a list of functions, or one function

    Notes
    -----
    `posteriori.save` raises for a model with this basis: functions are code.

    Examples
    --------
    >>> import posteriori as pt
    >>> basis = pt.CustomBasis({"radius": lambda rows: np.hypot(rows[:, 0], rows[:, 1])})
    >>> basis.fit_transform([[3.0, 4.0], [0.0, 2.0]]).tolist()
    [[5.0], [2.0]]
    >>> basis.get_feature_names_out().tolist()
    ['radius']
    """

    functions: Any

    def bind(self, table: Table) -> CustomPhi:
        """Test every function on the first rows, together and on one row."""
        named = read_functions(self.functions)
        rows = first_rows(table, TEST_ROWS).dense()
        rows = np.where(np.isfinite(rows), rows, 0.0)  # the first sweep raises for cells that are not finite
        rows.flags.writeable = False
        widths = []
        with np.errstate(all="ignore"):
            for name, function in named.items():
                every, one = columns_of(function, name, rows), columns_of(function, name, rows[:1])
                if one.shape[1] != every.shape[1] or not np.allclose(one, every[:1], rtol=1e-9, equal_nan=True):
                    raise DataError(
                        f"basis function {name!r} returns a different value for a row among others than for the row "
                        "alone: it may depend on that row only. Compute quantities of other rows beforehand."
                    )
                widths.append(every.shape[1])
        return CustomPhi(tuple(named.values()), tuple(named), tuple(widths), table.n_columns)


def read_functions(functions: Any) -> dict[str, Callable[[Array], Any]]:
    """Return the functions by name: their keys, else their ``__name__``, else f0, f1 and so on."""
    if callable(functions):
        functions = [functions]
    if isinstance(functions, Mapping):
        named = {str(name): function for name, function in functions.items()}
    elif isinstance(functions, Sequence) and not isinstance(functions, str):
        names = [getattr(function, "__name__", "<none>") for function in functions]
        named = {
            f"f{i}" if name.startswith("<") or names.count(name) > 1 else name: function
            for i, (name, function) in enumerate(zip(names, functions, strict=True))
        }
    else:
        raise DataTypeError(f"functions must be a dict, a list or a function, not {functions!r}.")
    invalid = [name for name, function in named.items() if not callable(function)]
    if invalid or not named:
        problem = f"{named[invalid[0]]!r} of {invalid[0]!r} is not one" if invalid else "there is none"
        raise DataTypeError(f"functions must be one or more functions of the rows; {problem}.")
    return named
