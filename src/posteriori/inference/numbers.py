"""Formats of the numbers that summaries print, and tables of them."""

import math
from collections.abc import Iterable

from posteriori.checks.levels import tail


def number(value: float, missing: str = "") -> str:
    """Format a number with at least three decimals and four significant places; an exact zero as 0.

    >>> [number(value) for value in (34.2703, -0.0421834, 1715.75, 4.2e7, math.inf, math.nan)]
    ['34.270', '-0.04218', '1715.750', '4.200e+07', 'inf', '']
    """
    if math.isnan(value):
        return missing
    if math.isinf(value) or value == 0:
        return f"{value:g}" if value else "0"
    size = math.floor(math.log10(abs(value)))
    return f"{value:.{max(3, 3 - size)}f}" if -4 <= size < 5 else f"{value:.3e}"


def decimals(value: float, missing: str = "") -> str:
    """Format a test statistic or a log likelihood with three decimals, without a minus before zero.

    >>> decimals(-3.4328), decimals(-0.0001)
    ('-3.433', '0.000')
    """
    return missing if math.isnan(value) else f"{value:z.3f}"


def p_value(value: float, missing: str = "") -> str:
    """Format a probability with three decimals; "<0.001" and ">0.999" where it would round to zero or one.

    >>> p_value(0.0381), p_value(0.00061), p_value(1e-9), p_value(math.nan, "--"), p_value(1.0), p_value(0.99999)
    ('0.038', '0.001', '<0.001', '--', '1.000', '>0.999')
    """
    if math.isnan(value):
        return missing
    return "<0.001" if value < 0.0005 else ">0.999" if 0.9995 < value < 1.0 else f"{value:.3f}"


def small(value: float) -> str:
    """Format the p-value of a whole model with four significant digits, down to the rounding of its computation.

    >>> small(1.0159e-10), small(0.0), small(math.nan)
    ('1.016e-10', '<2.2e-16', '')
    """
    return "" if math.isnan(value) else "<2.2e-16" if value < 2.2e-16 else f"{value:.4g}"


def count(value: float) -> str:
    """Format a count, which is a fraction under fractional weights.

    >>> count(79.0), count(12.25)
    ('79', '12.25')
    """
    return f"{value:.0f}" if value == int(value) else f"{value:.6g}"


def bounds_of(level: float) -> tuple[str, str]:
    """Return the names of the bounds of an interval: the probabilities below them.

    >>> bounds_of(0.95)
    ('[0.025', '0.975]')
    """
    below = tail(level)
    return f"[{below:.4g}", f"{1.0 - below:.4g}]"


def text_table(title: str, heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Return a title, the heads of columns and rows of cells as text; the first cell of a row is its name."""
    lines = [("", *heads), *rows]
    lead = max(12, *(len(name) for name, *_ in lines))
    cells = (f"{name:<{lead}}" + "".join(f" {cell:>10}" for cell in values) for name, *values in lines)
    return "\n".join([title, *cells])
