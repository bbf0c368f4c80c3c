"""Numbers as summaries print them: at least four significant places, and words for those that do not exist."""

import math
from typing import TYPE_CHECKING

from posteriori.messages.escape import escape_controls

if TYPE_CHECKING:
    from posteriori.inference.summary_table import Row, Summary


def number(value: float, missing: str = "") -> str:
    """Word a number with at least three decimals and four significant places.

    >>> [number(value) for value in (34.2703, -0.0421834, 1715.75, 4.2e7, math.inf, math.nan)]
    ['34.270', '-0.04218', '1715.750', '4.200e+07', 'inf', '']
    """
    if math.isnan(value):
        return missing
    if math.isinf(value) or value == 0:
        return f"{value:g}" if value else "0.000"
    size = math.floor(math.log10(abs(value)))
    return f"{value:.{max(3, 3 - size)}f}" if -4 <= size < 5 else f"{value:.3e}"


def decimals(value: float, missing: str = "") -> str:
    """Word a z value or a p-value: three decimals.

    >>> decimals(0.00061), decimals(-3.4328)
    ('0.001', '-3.433')
    """
    return missing if math.isnan(value) else f"{value:.3f}"


def count(value: float) -> str:
    """Word a count, which weights may have made a fraction.

    >>> count(79.0), count(12.25)
    ('79', '12.25')
    """
    return f"{value:.0f}" if value == int(value) else f"{value:.6g}"


def bounds_of(level: float) -> tuple[str, str]:
    """Name the two bounds of an interval by the probability below them.

    >>> bounds_of(0.95)
    ('[0.025', '0.975]')
    """
    tail = (1.0 - level) / 2.0
    return f"[{tail:.4g}", f"{1.0 - tail:.4g}]"


def header_facts(summary: "Summary") -> list[tuple[str, str]]:
    """Give the facts of a summary by name, in statsmodels' order; those that do not hold are left out."""
    facts = summary.facts
    ratio = "" if math.isnan(facts.lr_p_value) else f"{facts.lr_p_value:.4g}"
    rows = count(facts.n_rows) if facts.n_rows != facts.n_observations else ""
    named = [
        ("Dep. Variable", escape_controls(summary.target)),
        ("Model", facts.model),
        ("Method", facts.method),
        ("Status", facts.status),
        ("Covariance Type", summary.covariance),
        ("No. Observations", count(facts.n_observations)),
        ("No. Rows", rows),
        ("Df Residuals", str(facts.df_residual)),
        ("Df Model", str(facts.df_model)),
        ("Pseudo R-squ.", f"{facts.pseudo_r2:.4f}"),
        ("Log-Likelihood", f"{facts.log_likelihood:.3f}"),
        ("LL-Null", f"{facts.null_log_likelihood:.3f}"),
        ("LLR p-value", ratio),
    ]
    return [(name, value) for name, value in named if value]


def headings(summary: "Summary") -> list[str]:
    """Name the columns of numbers; z and P>|z| only where tests hold."""
    estimate = summary.ratio if summary.exponentiated else "coef"
    tests = ["z", "P>|z|"] if summary.tested else []
    return [estimate, "std err", *tests, *bounds_of(summary.level)]


def cells(row: "Row", summary: "Summary", missing: str = "") -> list[str]:
    """Word the numbers of a row, in the order of `headings`."""
    estimate = "aliased" if row.state == "aliased" else number(row.estimate, missing)
    tests = [decimals(row.z, missing), decimals(row.p, missing)] if summary.tested else []
    return [estimate, number(row.error, missing), *tests, number(row.lower, missing), number(row.upper, missing)]
