"""How a report words numbers and names."""

import math
from typing import Any

from posteriori.messages.escape import escape_controls

#: A minus, and the sign of what is not there.
MINUS, NONE = "\u2212", "\u2013"
#: Names longer than this are shortened in tables.
LONGEST = 60


def short(value: Any) -> str:
    """Give a name, a long one with its middle left out.

    >>> len(short("x" * 200))
    60
    """
    text = escape_controls(value)
    half = (LONGEST - 1) // 2
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1 - half]}…{text[-half:]}"


def number(value: Any) -> str:
    """Word a number to four places; words stay.

    >>> number(0.12345), number(1234.5), number(1e-9), number(math.inf), number("+inf"), number(3)
    ('0.1235', '1234.5', '1.000e-09', 'infinite', '+inf', '3')
    """
    if value is None:
        return NONE
    if isinstance(value, bool) or not isinstance(value, float):
        return escape_controls(value)
    if math.isnan(value):
        return NONE
    if math.isinf(value):
        return "infinite" if value > 0 else f"{MINUS}infinite"
    if value and not 1e-4 <= abs(value) < 1e6:
        told = f"{value:.3e}"
    else:
        told = f"{value:.6g}" if abs(value) >= 1000 else f"{value:.4g}" if abs(value) >= 1 else f"{value:.4f}"
    return told.replace("-", MINUS, 1) if value < 0 else told


def percent(value: float) -> str:
    """Word a share, never rounding what is not all to all.

    >>> percent(0.98507), percent(0.99999), percent(1.0), percent(1e-5)
    ('98.5 %', '> 99.9 %', '100 %', '< 0.1 %')
    """
    if math.isnan(value):
        return NONE
    if value in (0.0, 1.0):
        return f"{100 * value:.0f} %"
    if value > 0.9995:
        return "> 99.9 %"
    return "< 0.1 %" if value < 0.0005 else f"{100 * value:.1f} %"


def count(n: float, what: str, many: str = "") -> str:
    """Word a number of things.

    >>> count(1, "row"), count(1234, "row"), count(2, "class", "classes")
    ('1 row', '1,234 rows', '2 classes')
    """
    told = f"{n:,.0f}" if float(n).is_integer() else f"{n:,.6g}"
    return f"{told} {what if n == 1 else many or what + 's'}"


def some(names: list[Any], most: int = 12) -> str:
    """List the first names of many.

    >>> some(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    shown = ", ".join(short(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
