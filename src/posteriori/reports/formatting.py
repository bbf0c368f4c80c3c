"""Numbers, percentages and names as text in a report."""

import math
from typing import Any

from posteriori.messages.escape import escape_controls

#: The minus sign, and the sign in an empty cell.
MINUS, NONE = "\u2212", "\u2013"
#: Longer names are shortened in tables.
LONGEST = 60


def short(value: Any) -> str:
    """Return a name, without its middle if it is long.

    >>> len(short("x" * 200))
    60
    """
    text = escape_controls(value)
    half = (LONGEST - 1) // 2
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1 - half]}…{text[-half:]}"


def number(value: Any) -> str:
    """Format a number with four digits; return text unchanged.

    >>> number(0.12345), number(1234.5), number(1e-9), number(math.inf), number("+inf"), number(3)
    ('0.1235', '1234.5', '1.000e-09', 'infinite', '+inf', '3')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return NONE
    if not isinstance(value, float):
        return escape_controls(value)
    if math.isinf(value):
        return "infinite" if value > 0 else f"{MINUS}infinite"
    size = abs(value)
    if size and not 1e-4 <= size < 1e6:
        text = f"{value:.3e}"
    else:
        text = f"{value:.6g}" if size >= 1000 else f"{value:.4g}" if size >= 1 else f"{value:.4f}"
    return text.replace("-", MINUS, 1) if value < 0 else text


def percent(value: float) -> str:
    """Format a proportion as a percentage; only 0 and 1 are rounded to 0 % and 100 %.

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


def counted(n: float) -> str:
    """Format a count, which with weights may be fractional."""
    return f"{n:,.0f}" if float(n).is_integer() else f"{n:,.6g}"


def count(n: float, singular: str, plural: str = "") -> str:
    """Format a count with its noun.

    >>> count(1, "row"), count(1234, "row"), count(2, "class", "classes")
    ('1 row', '1,234 rows', '2 classes')
    """
    return f"{counted(n)} {singular if n == 1 else plural or singular + 's'}"


def some(names: list[Any], most: int = 12) -> str:
    """Format a list of names, of which at most some are shown.

    >>> some(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    shown = ", ".join(short(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def capitalized(sentence: str) -> str:
    """Return a sentence with a capital first letter."""
    return sentence[:1].upper() + sentence[1:]
