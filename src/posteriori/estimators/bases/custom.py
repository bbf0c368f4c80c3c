"""`CustomBasis`: user-defined functions of the rows."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.custom import CustomPhi, columns_of
from posteriori.estimators.bases.base import Basis
from posteriori.estimators.parameters import parameters
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.tables.memory import MemoryTable

#: Rows on which functions are tried before a fit.
TRIED = 8


@parameters(kw_only=False)
class CustomBasis(Basis):
    """Any functions of the rows as basis functions.

    phi(x) = (f_1(x), f_2(x), …). Each function takes rows of shape (n, d), as float64, and gives (n,), or (n, m)
    for m columns. It is called on blocks of rows, in several threads, so a row's value may depend on that row alone:
    a function for which the first rows tell otherwise is refused.

    Book: [Bishop] §4.3.1; [Deuschle] §3.3.3.

    Parameters
    ----------
    functions : {name: function}, a list of functions, or one function

    Notes
    -----
    `posteriori.save` refuses a model with this basis: functions are code.

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

    def bind(self, table: MemoryTable) -> CustomPhi:
        """Try every function on the first rows, together and one row alone."""
        named = read_functions(self.functions)
        first = table.block(0, min(TRIED, table.n_rows)).features
        rows: Array = first if isinstance(first, np.ndarray) else first.toarray()
        rows = np.where(np.isfinite(rows), rows, 0.0)  # cells that are not finite are refused in the first sweep
        rows.flags.writeable = False
        widths = []
        with np.errstate(all="ignore"):
            for name, function in named.items():
                whole, alone = columns_of(function, name, rows), columns_of(function, name, rows[:1])
                if alone.shape[1] != whole.shape[1] or not np.allclose(alone, whole[:1], rtol=1e-9, equal_nan=True):
                    raise DataError(
                        f"basis function {name!r} gives a row another value in company than alone; a basis function "
                        "may depend on its own row only. Put what it learns from other rows in before."
                    )
                widths.append(whole.shape[1])
        return CustomPhi(tuple(named.values()), tuple(named), tuple(widths))


def read_functions(functions: Any) -> dict[str, Callable[[Array], Any]]:
    """Name the functions: by their keys, else by their own names, else f0, f1 and so on."""
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
    strange = [name for name, function in named.items() if not callable(function)]
    if strange or not named:
        what = f"{named[strange[0]]!r} of {strange[0]!r} is none" if strange else "there is none"
        raise DataTypeError(f"functions must be one or more functions of the rows; {what}.")
    return named
