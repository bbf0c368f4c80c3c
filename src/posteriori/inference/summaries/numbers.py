"""Numbers as summaries print them: at least four significant places, and words for those that do not exist."""

import math
from typing import TYPE_CHECKING

from posteriori.messages.escape import escape_controls

if TYPE_CHECKING:
    from posteriori.inference.summaries.table import Row, Summary


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
    """Format a p-value with three decimals; one that would round to zero is "<0.001".

    >>> p_value(0.0381), p_value(0.00061), p_value(1e-9), p_value(math.nan, "--")
    ('0.038', '0.001', '<0.001', '--')
    """
    return missing if math.isnan(value) else "<0.001" if value < 0.0005 else f"{value:.3f}"


def small(value: float) -> str:
    """Format the p-value of a whole model with four significant digits, down to the rounding of its computation.

    >>> small(1.0159e-10), small(0.0), small(math.nan)
    ('1.016e-10', '<2.2e-16', '')
    """
    return "" if math.isnan(value) else "<2.2e-16" if value < 2.2e-16 else f"{value:.4g}"


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
    likelihood = "Log-Likelihood" if facts.weights == "frequency" else "Log pseudolikelihood"
    wald = "" if math.isnan(facts.wald_statistic) else f"{facts.wald_statistic:.5g}"
    rows = count(facts.n_rows) if facts.n_rows != facts.n_observations else ""
    named = [
        ("Dep. Variable", escape_controls(summary.target)),
        ("Model", facts.model),
        ("Method", facts.method),
        ("Status", facts.status),
        ("Covariance Type", summary.covariance),
        ("No. Observations", count(facts.n_observations)),
        ("No. Rows", rows),
        ("No. Excluded", str(facts.n_excluded) if facts.n_excluded else ""),
        ("No. Clusters", "" if facts.n_clusters is None else str(facts.n_clusters)),
        ("Df Residuals", count(facts.df_residual)),
        ("Df Model", str(facts.df_model)),
        ("Pseudo R-squ.", f"{facts.pseudo_r2:z.4f}"),
        (likelihood, decimals(facts.log_likelihood)),
        ("LL-Null", decimals(facts.null_log_likelihood)),
        ("LLR p-value", small(facts.lr_p_value)),
        (f"Wald chi2({facts.df_model})", wald),
        ("Prob > chi2", small(facts.wald_p_value)),
    ]
    return [(name, value) for name, value in named if value]


def headings(summary: "Summary") -> list[str]:
    """Return the names of the columns of numbers; those of tests only where tests hold."""
    estimate = summary.ratio if summary.exponentiated else "coef"
    names = ["LR chi2", "P>chi2"] if summary.interval == "profile" else ["z", "P>|z|"]
    tests = names if summary.tested else []
    return [estimate, "std err", *tests, *bounds_of(summary.level)]


def cells(row: "Row", summary: "Summary", missing: str = "") -> list[str]:
    """Word the numbers of a row, in the order of `headings`."""
    statistic = row.z**2 if summary.interval == "profile" else row.z
    tests = [decimals(statistic, missing), p_value(row.p, missing)] if summary.tested else []
    estimate = number(row.estimate, missing) if row.state in ("ok", "infinite") else row.state
    return [estimate, number(row.error, missing), *tests, number(row.lower, missing), number(row.upper, missing)]
