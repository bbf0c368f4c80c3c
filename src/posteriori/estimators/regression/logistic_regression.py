"""`LogisticRegression`: logistic and softmax regression, by maximum likelihood or with a Gaussian prior."""

from typing import Any, Literal

from numpy.typing import NDArray

from posteriori.checks.parameters import choice
from posteriori.estimators.parameters import parameters
from posteriori.estimators.regression.label_links import link_for
from posteriori.estimators.regression.link_regression import LinkRegression
from posteriori.links.base import LinkFunction
from posteriori.priors.gaussian import GaussianPrior
from posteriori.storable import storable


@storable
@parameters()
class LogisticRegression(LinkRegression):
    """Logistic regression for two classes, softmax regression for more; without a penalty by default.

    Two classes: P(y = 1 | x) = 1 / (1 + exp(-(w'x + b))). More: P(y = k | x) is proportional to
    exp(w_k'x + b_k). The coefficients maximise the log likelihood, plus the log of the prior if there is one. Columns
    are centred and scaled internally, so their units affect nothing but the units of ``coef_``.

    Book: [Jordan] §7.3.1-7.3.2; [Bishop] Eq. 4.87-4.110, §4.3.2-4.3.4; [Mitchell] §3; [Deuschle] §3.5.1;
    [Sugiyama] §28.1.

    Parameters
    ----------
    prior : None | float | GaussianPrior | "jeffreys" | "evidence" | "evidence-ard"
        None is maximum likelihood; a number is the precision of a Gaussian prior on every weight but the intercept
        (scikit-learn's 1/C), added to the sum over rows. "jeffreys" is Firth's bias reduction, which maximises log
        likelihood + log det I(w) / 2: finite also for separated classes; it also shrinks predicted probabilities
        towards one half (Puhr et al. 2017, Stat. Med. 36, 2302-2317). "evidence" is a Gaussian prior on standardised
        columns with the precision that maximises the probability of the rows (Laplace's approximation; see
        ``evidence_``), and precision 0.01 for the intercept; "evidence-ard" has one precision per column.
    solver : "auto" | "irls" | "gradient" | "conjugate-gradient" | "online"
        "auto" is the fastest that reaches the certified optimum, "irls" Newton-Raphson on all rows, "gradient" batch
        gradient ascent, "conjugate-gradient" the nonlinear conjugate gradient method, "online" stochastic gradient
        ascent, one row at a time in random order, the only one with `partial_fit`. All reach the optimum to `tol`, or
        warn that they did not.
    parametrization : "symmetric" | "reference"
        K coefficient vectors (without a penalty they sum to zero), or K - 1, without the class `reference`. Two classes
        have one vector in both cases. With a prior these are different models.
    reference : the class without coefficients, default ``classes_[0]``
    fit_intercept : whether there is an intercept
    basis : None | PolynomialBasis | GaussianBasis | SigmoidBasis | KernelBasis | CustomBasis
        Fixed functions phi of the columns, in which the model is then linear: w'phi(x) + b. ``coef_`` has one column
        per function.
    on_separation : "warn" | "raise" | "jeffreys"
        What to do if the classes are separated, so that no finite maximum exists; "jeffreys" fits again with
        ``prior="jeffreys"`` and adds a note to ``fit_notes_``.
    weights : "frequency" | "sampling"
        The meaning of ``sample_weight`` for standard errors. A frequency w is w copies of the row; weights that are not
        whole numbers cause a warning. A sampling (probability) weight w is one row that represents w of the population
        (Stata's pweight, R's svyglm): standard errors are then robust by default, model-based ones are those of
        weights rescaled to mean one, and there are no likelihood-ratio and score tests, ``aic_`` and ``bic_``.
        "importance" is an earlier name of "sampling".
    inference : "auto" | True | False
        Whether `fit` computes the information for standard errors; "auto" if n (K-1)^2 (d+1)^2 is at most 1e9.
    tol : float
        The Newton decrement to reach: no linear combination of coefficients is further than this many standard
        errors from the optimum.
    max_iter : int, optional
        The maximum number of iterations, default 100; for "gradient" 10,000, for "conjugate-gradient" 2,000, and for
        "online" 1,000 passes over the rows.
    rate : float, optional
        For "gradient" and "online". A number is the rule of the book: weights start at zero, columns are not scaled,
        and steps have this length; for "online" it decreases as rate (1 + t / 500)^(-3/4) after t rows, and the result
        is the average of the weights. The fit warns if the length is too large, or too small to converge. By default
        step lengths are chosen and columns standardised: "gradient" uses a bound on the curvature and momentum,
        "online" makes one pass of Eq. 7.65 and then subtracts from each row's step its value at the start of the pass
        (SVRG), so that the noise vanishes and `tol` is reached.
    trace : bool
        Whether to store the iterates in ``trace_``: one entry per step, for "online" one per pass.
    random_state : None, a seed, or a numpy RandomState
        For the order of rows in "online"; no effect on other solvers.

    Attributes
    ----------
    coef_, intercept_ : (1, d) and (1,) for two classes, (K, d) and (K,) for more
    coefficient_names_ : names of the d columns of ``coef_``: of X, or of the basis
    coefficient_labels_ : names of the coefficients in the order of ``covariance()``
    information_ : the information matrices for standard errors
    n_iter_ : number of iterations; for "online" of passes over the rows (or calls of `partial_fit`)
    trace_ : step, objective, gradient_norm, rate, weights (m, d + 1), or (m, K, d + 1) for more than two classes, in
        the units of X, intercept first; with ``trace=True``
    state_ : the state from which `partial_fit` continues; for "online" only
    solution_ : objective, decrement, gap, overlap, sweeps, converged, reason
    infinite_ : (1, d + 1) or (K, d + 1), intercept first: 0 where there is a finite estimate; under separation 1 or -1
        for coefficients that diverge to plus or to minus infinity, 2 for those that can diverge to both and are not
        identified, 3 if the computation of the sign was too long
    fit_status_ : "ok" | "separated" | "aliased" | "not_converged"
    fit_notes_ : notes on the fit
    log_likelihood_, null_log_likelihood_, deviance_, null_deviance_, aic_, bic_ : of the unpenalised likelihood

    Notes
    -----
    [Mitchell] 3.2 states that gradient ascent converges to a global maximum: this holds if there is one,
    and if the step is small enough. For "online" `tol` is compared with the exact decrement after each pass.

    [Bishop] 4.3.3 calls the minimum unique; under separation or with collinear columns it is not, and warnings name
    the columns. [Mitchell] changes the sign of w between Eq. 16-23 and 24-25; it is that of 24-25 here.

    Examples
    --------
    Dose and response of eight groups of beetles (Bliss 1935):

    >>> import posteriori as pt
    >>> dose = [[1.6907], [1.7242], [1.7552], [1.7842], [1.8113], [1.8369], [1.8610], [1.8839]]
    >>> y = pt.counts(successes=[6, 13, 18, 28, 52, 53, 61, 60], trials=[59, 60, 62, 56, 63, 59, 62, 60])
    >>> model = pt.LogisticRegression().fit(dose, y)
    >>> model.coef_.round(3).tolist(), round(model.deviance_, 4)
    ([[34.27]], 11.2322)
    >>> model.standard_errors().round(3).tolist()
    [5.181, 2.912]
    >>> model.wald_test("x0")
    Wald test: statistic=138.488, df=1, p_value<2.2e-16
    """

    prior: float | GaussianPrior | str | None = None
    solver: str = "auto"
    parametrization: Literal["symmetric", "reference"] = "symmetric"
    reference: Any = None

    def _check_link(self) -> None:
        choice("parametrization", self.parametrization, ("symmetric", "reference"))

    def _link(self, classes: NDArray[Any]) -> LinkFunction:
        """Return the logit for two classes, the softmax for more."""
        return link_for(classes, self.parametrization, self.reference)
