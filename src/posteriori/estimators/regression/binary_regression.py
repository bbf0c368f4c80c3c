"""`BinaryRegression`: two classes with any link: logit, probit, complementary log-log and others, or a user's."""

from typing import Any

from numpy.typing import NDArray

from posteriori.estimators.parameters import parameters
from posteriori.estimators.regression.link_regression import LinkRegression
from posteriori.links.base import LinkFunction
from posteriori.links.catalogue import read_link
from posteriori.messages.errors import DataError
from posteriori.storable import storable


@storable
@parameters()
class BinaryRegression(LinkRegression):
    """Binary regression with a distribution function F as inverse link: P(y = 1 | x) = F(w'x + b).

    y is 1 if w'x + b exceeds a random threshold with distribution function F. The coefficients maximise the log
    likelihood, plus the log of the prior if there is one. Covariances, tests, intervals, offsets, counts and the
    treatment of separation are those of `LogisticRegression`. For links other than the logit the observed information
    (the second derivative at the maximum) differs from the expected information (its mean under the model), which R's
    summary.glm uses: ``standard_errors("observed")`` and ``standard_errors("expected")``.

    Book: [Jordan] Eq. 7.93-7.94, §7.3.3, and 7.105, §7.3.5; [Bishop] §4.3.5, Fig. 4.13.

    Parameters
    ----------
    link : "logit" | "probit" | "cloglog" | "loglog" | "cauchit" | Link | GaussianMixtureLink
        F: the logistic function, Phi(eta), 1 - exp(-exp(eta)), exp(-exp(-eta)), 1/2 + arctan(eta)/pi, or a user's.
    prior : None | float | GaussianPrior | "jeffreys"
        As for `LogisticRegression`. "jeffreys" maximises log likelihood + log det I(w) / 2 with I the expected
        information, from which standard errors are then computed: finite also for separated classes.
    solver : "auto" | "irls" | "gradient" | "conjugate-gradient" | "online"
        As for `LogisticRegression`; "irls" is Newton-Raphson with the observed Hessian.
    fit_intercept, basis, on_separation, weights, inference, tol, max_iter, rate, trace, random_state :
        as for `LogisticRegression`

    Attributes
    ----------
    coef_, intercept_ : (1, d) and (1,)
    link_ : the link
    solution_ : objective, decrement, gap, overlap, sweeps, converged, reason
    fit_status_ : "ok" | "separated" | "aliased" | "not_converged"
    fit_notes_ : notes on the fit

    Notes
    -----
    With cauchit, a mixture or a user's `Link` the likelihood need not be concave. The fit then starts at
    two points, the model without columns and the logit's solution, uses the expected information if the observed one
    is not positive definite, and takes the better of the two results. It is certified as a (local) maximum only if the
    observed Hessian is positive definite; see ``solution_.reason``.

    With cloglog and loglog log probabilities fall like exp(eta), so ordinary rows have probabilities below the
    smallest float. `predict_log_proba` returns -inf for these, the log of the result of `predict_proba`. For all other
    links, and in all sums of a fit, logs are accurate however small the probability.

    Firth's bias reduction is Jeffreys' prior for the logit only; for other links the two differ.

    Examples
    --------
    Dose and response of eight groups of beetles (Bliss 1935), with three links:

    >>> import posteriori as pt
    >>> dose = [[1.6907], [1.7242], [1.7552], [1.7842], [1.8113], [1.8369], [1.8610], [1.8839]]
    >>> y = pt.counts(successes=[6, 13, 18, 28, 52, 53, 61, 60], trials=[59, 60, 62, 56, 63, 59, 62, 60])
    >>> for link in ("logit", "probit", "cloglog"):
    ...     print(link, round(pt.BinaryRegression(link=link).fit(dose, y).deviance_, 4))
    logit 11.2322
    probit 10.1198
    cloglog 3.4464
    >>> model = pt.BinaryRegression(link="cloglog").fit(dose, y)
    >>> model.standard_errors("observed").round(3).tolist(), model.standard_errors("expected").round(3).tolist()
    ([3.229, 1.793], [3.24, 1.799])
    """

    link: str | LinkFunction = "probit"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _check_link(self) -> None:
        read_link(self.link)

    def _link(self, classes: NDArray[Any]) -> LinkFunction:
        """Return the link of the parameter; for more than two classes, raise and name alternatives."""
        if len(classes) != 2:
            raise DataError(
                "Only binary classification is supported. The type of the target is multiclass: BinaryRegression is "
                f"for two classes, not {len(classes)}. Use LogisticRegression, or OneVsRest(BinaryRegression(...))."
            )
        return read_link(self.link)
