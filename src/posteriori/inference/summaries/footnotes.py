"""The footnotes of a summary: how its numbers were computed, and why some are missing."""

from typing import TYPE_CHECKING

from posteriori.inference.coefficients.covariance import Covariance
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.sandwich import FEW, SANDWICHES
from posteriori.inference.coefficients.validity import why_no_tests
from posteriori.inference.summaries.fit_facts import FitFacts
from posteriori.models.infinite_codes import BOTH, FINITE, UNDECIDED
from posteriori.solvers.base import Solution

if TYPE_CHECKING:
    from posteriori.inference.summaries.build import SummaryOptions

INFORMATION = {
    "observed": "Standard errors are from the observed information matrix",
    "expected": "Standard errors are from the expected information matrix, as in R's glm",
    "robust": "Standard errors are robust (sandwich of White 1980, {})",
    "cluster": "Standard errors are robust to dependence within the {} clusters (sandwich, {})",
}
CANONICAL = " (equal to the expected information of R's glm, as the link is canonical)"
NONCANONICAL = ' (R\'s glm uses the expected information: covariance="expected")'
WEIGHTS = {
    "frequency": "Frequency weights: a row of weight k counts as k rows.",
    "sampling": "Sampling (probability) weights: a row of weight w is one observation, so standard errors are robust "
    "by default and there is no likelihood-ratio test, AIC or BIC.",
}
JEFFREYS = (
    "Estimates maximise the likelihood times Jeffreys' prior (Firth 1993), so they are always finite; "
    "standard errors are from the information at the estimates."
)
#: The same under a link whose observed and expected information differ.
JEFFREYS_EXPECTED = (
    "Estimates maximise the likelihood times Jeffreys' prior, so they are always finite; under this link "
    "this is not the bias reduction of Firth (1993). Standard errors are always from the expected information."
)
#: The exponential of the intercept, by the name of the ratio.
BASELINES = {
    "odds ratio": " (for the intercept: baseline odds)",
    "relative-risk ratio": " (for the intercept: baseline relative risk)",
}
CONSERVATIVE = (
    'Where the classes are separated or nearly so, Wald tests and intervals are conservative: interval="profile" gives '
    "penalised likelihood-ratio tests and intervals (Heinze & Schemper 2002)."
)

#: The meaning of the states of coefficients without a finite estimate, by code.
SEPARATED = {
    BOTH: ' "not identified" (separation): the likelihood approaches its supremum whatever the coefficient, so the '
    "data determine neither its value nor its sign.",
    UNDECIDED: ' "undecided": no finite estimate; its sign was not determined, because the computation would take '
    "too long.",
}


def foot_of(fitted: Fitted, solution: Solution, options: "SummaryOptions", covariance: Covariance) -> tuple[str, ...]:
    """Return the footnotes of a summary."""
    why = why_no_tests(fitted)
    sentences = (
        _information(fitted, options, covariance),
        _few(fitted, covariance),
        _ratios(fitted, options),
        _weights(fitted),
        _jeffreys(fitted, options),
        _profile(fitted, options, covariance),
        f"No p-values: {why}" if why else "",
        _infinite(fitted),
        _aliased(fitted),
        _certificate(fitted, solution),
    )
    return tuple(sentence for sentence in sentences if sentence)


def grouped(facts: FitFacts) -> tuple[str, ...]:
    """Return which constants the likelihoods of grouped data include; nothing for rows of one trial."""
    if not facts.log_coefficients:
        return ()
    own, null = (value - facts.log_coefficients for value in (facts.log_likelihood, facts.null_log_likelihood))
    return (
        f"Grouped data: log likelihoods, AIC and BIC include the binomial coefficients (sum of logs "
        f"{facts.log_coefficients:.3f}), and BIC counts rows, not trials, as in R. The pseudo R-squared is that of "
        f"single trials, 1 - ({own:.3f}) / ({null:.3f}), which does not depend on the grouping.",
    )


def _jeffreys(fitted: Fitted, options: "SummaryOptions") -> str:
    if fitted.prior != "jeffreys":
        return ""
    estimates = JEFFREYS if fitted.link.is_canonical else JEFFREYS_EXPECTED
    return estimates if options.interval == "profile" else f"{estimates} {CONSERVATIVE}"


def _profile(fitted: Fitted, options: "SummaryOptions", covariance: Covariance) -> str:
    if options.interval != "profile":
        return ""
    penalised = fitted.prior == "jeffreys"
    what = "penalised likelihood-ratio tests (Heinze & Schemper 2002)" if penalised else "likelihood-ratio tests"
    model_based = "; neither they nor the intervals use the robust standard errors"
    return f"P-values are from {what}{model_based if covariance.kind in SANDWICHES else ''}."


def _weights(fitted: Fitted) -> str:
    information = fitted.information
    plain = fitted.weights == "frequency" and information.n_copies == information.n_rows
    return "" if plain else WEIGHTS[fitted.weights]


def _few(fitted: Fitted, covariance: Covariance) -> str:
    if covariance.n_clusters is None or (covariance.n_clusters >= FEW and covariance.n_clusters > fitted.size):
        return ""
    return f"With fewer than about {FEW} clusters these standard errors tend to be too small (Cameron & Miller 2015)."


def _information(fitted: Fitted, options: "SummaryOptions", covariance: Covariance) -> str:
    if options.without_errors:
        return f"No standard errors: {options.without_errors}"
    if fitted.status == "not_converged":
        return "No standard errors: the fit did not converge."
    expected = fitted.prior == "jeffreys" and not fitted.link.is_canonical and covariance.kind == "observed"
    factor = covariance.sandwich.sentence(covariance.n_clusters)
    source = INFORMATION["expected" if expected else covariance.kind]
    source = source.format(*([factor] if covariance.n_clusters is None else [covariance.n_clusters, factor]))
    if covariance.kind == "observed" and not expected:
        source += CANONICAL if fitted.link.is_canonical else NONCANONICAL
    if fitted.prior == "gaussian":
        source += ", including the curvature of the prior: they are standard deviations of the posterior"
    kind = "Wald" if options.interval == "wald" else "profile-likelihood"
    return f"{source}; {100 * options.level:g}% {kind} intervals."


def _ratios(fitted: Fitted, options: "SummaryOptions") -> str:
    if not options.exponentiate:
        return ""
    ratio = fitted.link.ratio_name
    baseline = BASELINES.get(ratio, "") if fitted.units.intercept else ""
    return (
        f"Estimates are {ratio}s{baseline}: standard errors by the delta method; z and p-values are those of the log "
        f"{ratio}s; confidence limits are exponentiated."
    )


def _infinite(fitted: Fitted) -> str:
    codes = fitted.information.infinite
    n = int((codes != FINITE).sum())
    if not n:
        return ""
    lead = (
        f"{n} of the {fitted.size} coefficients have no" if n > 1 else f"One of the {fitted.size} coefficients has no"
    )
    rest = " The others are limiting values."
    if n == fitted.size:
        lead, rest = "No coefficient has a", ""
    return f"{lead} finite maximum likelihood estimate, hence no standard error and no Wald test.{rest}" + "".join(
        sentence for code, sentence in SEPARATED.items() if (codes == code).any()
    )


def _aliased(fitted: Fitted) -> str:
    if not fitted.information.aliased.shape[1]:
        return ""
    return (
        "Coefficients marked as aliased are not identified, because their columns are linear combinations of others. "
        "Predicted probabilities are not affected."
    )


def _certificate(fitted: Fitted, solution: Solution) -> str:
    if solution.overlap is False:
        return "Certificate: the classes are separated, so the likelihood has no finite maximum."
    exists = "no separation, so the maximum exists" if solution.overlap else "separation was not decided"
    if fitted.prior != "none":
        exists = "with this prior the maximum exists"
    return (
        f"Certificate: Newton decrement {solution.decrement:.1e} (no linear combination of coefficients is further "
        f"from the maximum than that many standard errors); {exists}."
    )
