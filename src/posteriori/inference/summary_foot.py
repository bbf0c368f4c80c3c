"""The sentences below a summary: how its numbers came about, and why some are not there."""

from typing import TYPE_CHECKING

from posteriori.inference.fitted import Fitted
from posteriori.inference.summary_table import RATIOS
from posteriori.inference.validity import why_no_tests
from posteriori.solvers.base import Solution

if TYPE_CHECKING:
    from posteriori.inference.summarize import Asked

INFORMATION = {
    "observed": "Standard errors are from the observed information",
    "expected": "Standard errors are from the expected information, as R's summary.glm prints",
    "robust": "Standard errors are robust (sandwich of White 1980, no small-sample factor)",
    "cluster": "Standard errors are robust to dependence within groups (sandwich over groups, no small-sample factor)",
}
WEIGHTS = {
    "frequency": "Weights are frequencies: a row of weight k counts as k rows.",
    "importance": "Weights are importances: they say how much a row counts, not how often it was seen.",
}
JEFFREYS = (
    "Estimates maximise the likelihood times Jeffreys' prior (Firth 1993), so they are finite whatever the data; "
    "standard errors are from the information there. Where an estimate owes its being finite to the prior, Wald "
    "tests are too cautious."
)
#: The same under a link whose observed and expected information differ.
JEFFREYS_EXPECTED = (
    "Estimates maximise the likelihood times Jeffreys' prior, so they are finite whatever the data; under this link "
    "that is not the bias reduction of Firth (1993). Standard errors are from the expected information there, "
    "whichever is asked for. Where an estimate owes its being finite to the prior, Wald tests are too cautious."
)


def foot_of(fitted: Fitted, solution: Solution, asked: "Asked") -> tuple[str, ...]:
    """Give the sentences of a summary's foot."""
    why = why_no_tests(fitted)
    sentences = (
        _information(fitted, asked),
        _ratios(fitted, asked),
        WEIGHTS[fitted.weights],
        _jeffreys(fitted),
        f"No p-values: {why}" if why else "",
        _infinite(fitted),
        _aliased(fitted),
        _certificate(fitted, solution),
    )
    return tuple(sentence for sentence in sentences if sentence)


def _jeffreys(fitted: Fitted) -> str:
    if fitted.prior != "jeffreys":
        return ""
    return JEFFREYS if fitted.link.canonical else JEFFREYS_EXPECTED


def _information(fitted: Fitted, asked: "Asked") -> str:
    if asked.without_errors:
        return f"No standard errors: {asked.without_errors}"
    if fitted.status == "not_converged":
        return "No standard errors: the fit did not converge."
    expected = fitted.prior == "jeffreys" and not fitted.link.canonical and asked.covariance == "observed"
    source = INFORMATION["expected" if expected else asked.covariance]
    if asked.covariance == "observed" and not expected:
        same = ", and under this link the two are one" if fitted.link.canonical else ""
        source += f' ("expected" is what R\'s summary.glm prints{same})'
    if fitted.prior == "gaussian":
        source += ", the prior's curvature included: they are the spread of the posterior"
    kind = "Wald" if asked.interval == "wald" else "profile-likelihood"
    return f"{source}; {100 * asked.level:g}% {kind} intervals."


def _ratios(fitted: Fitted, asked: "Asked") -> str:
    if not asked.exponentiate:
        return ""
    ratio = RATIOS[fitted.link.name]
    return (
        f"Estimates are {ratio}s: standard errors by the delta method; z and p-values are those of the log "
        f"{ratio}s, bounds their exponentials."
    )


def _infinite(fitted: Fitted) -> str:
    n = int((fitted.information.infinite != 0).sum())
    if not n:
        return ""
    return (
        f"{n} of {fitted.size} estimates do not exist as finite numbers: the likelihood still rises as they go to "
        "infinity, so they have no standard error and no p-value. The others are the limits they tend to."
    )


def _aliased(fitted: Fitted) -> str:
    if not fitted.information.aliased.shape[1]:
        return ""
    return (
        "Coefficients marked as aliased are not identified: their columns are combinations of one another, so any "
        "number for them would be invented. Probabilities are not affected."
    )


def _certificate(fitted: Fitted, solution: Solution) -> str:
    if solution.overlap is False:
        return "Certificate: overlap refuted; the classes are separated, so the maximum is at infinity."
    exists = "overlap proved, so the maximum exists" if solution.overlap else "overlap neither proved nor refuted"
    if fitted.prior != "none":
        exists = "the prior makes the maximum exist"
    return (
        f"Certificate: Newton decrement {solution.decrement:.1e} (no combination of coefficients is further from the "
        f"maximum than that many standard errors); {exists}."
    )
