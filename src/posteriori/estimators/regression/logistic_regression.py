"""`LogisticRegression`: two classes and softmax, by maximum likelihood or with a Gaussian prior."""

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
    """Logistic regression for two classes, softmax regression for more; unpenalised unless a prior is given.

    Two classes: P(y = 1 | x) = 1 / (1 + exp(-(w'x + b))). More: P(y = k | x) is proportional to
    exp(w_k'x + b_k). The coefficients maximise the log likelihood, plus the log of a Gaussian prior where one is
    given. Columns are centred and scaled inside, so their units change nothing but the units of ``coef_``.

    Book: [Jordan] §7.3.1-7.3.2; [Bishop] Eq. 4.87-4.110, §4.3.2-4.3.4; [Mitchell] §3; [Deuschle] §3.5.1;
    [Sugiyama] §28.1.

    Parameters
    ----------
    prior : None | float | GaussianPrior | "jeffreys" | "evidence" | "evidence-ard"
        None is plain maximum likelihood; a number is the precision of a Gaussian prior on every weight but the
        intercept (scikit-learn's 1/C), added to the sum over rows. "jeffreys" is Firth's bias reduction, which
        maximises log likelihood + log det I(w) / 2: finite even where the classes are separated; it also pulls
        predicted probabilities towards one half (Puhr et al. 2017, Stat. Med. 36, 2302-2317). "evidence" is a
        Gaussian prior on standardised columns with the precision under which the rows are most probable (Laplace's
        estimate; ``evidence_`` has it), the intercept held by 0.01; "evidence-ard" gives each column its own.
    solver : "auto" | "irls" | "gradient" | "conjugate-gradient" | "online"
        "auto" is the fastest that reaches the certified optimum, "irls" Newton-Raphson on all rows, "gradient" batch
        gradient ascent, "conjugate-gradient" its quicker relative, "online" stochastic gradient ascent, one row at a
        time in a random order, the only one with `partial_fit`. All reach the optimum to `tol`, or say that they did
        not.
    parametrization : "symmetric" | "reference"
        K coefficient vectors (unpenalised ones sum to zero), or none for the class `reference`. Two classes have
        one vector either way. Under a prior the two are different models.
    reference : the class without coefficients, default ``classes_[0]``
    fit_intercept : whether there is an intercept
    basis : None | PolynomialBasis | GaussianBasis | SigmoidBasis | KernelBasis | CustomBasis
        Fixed functions phi of the columns, in place of which the model is then linear: w'phi(x) + b. ``coef_`` is
        over the columns of phi.
    on_separation : "warn" | "raise" | "jeffreys"
        What to do when the classes are separated, so that no finite maximum exists; "jeffreys" fits again with
        ``prior="jeffreys"`` and says so in ``fit_notes_``.
    weights : "frequency" | "sampling"
        What standard errors take ``sample_weight`` for. A frequency w is w copies of the row; weights that are not
        whole numbers get a warning. A sampling (probability) weight w is one row that stands for w of the population
        (Stata's pweight, R's svyglm): standard errors are then robust by default, model-based ones are those of
        weights rescaled to mean one, and likelihood-ratio and score tests, ``aic_`` and ``bic_`` are refused.
        "importance" is an earlier name of "sampling".
    inference : "auto" | True | False
        Whether fit sums the information that standard errors need; "auto" where n (K-1)^2 (d+1)^2 is at most 1e9.
    tol : float
        The Newton decrement to reach: no linear combination of coefficients is further than this many standard
        errors from the optimum.
    max_iter : int, optional
        The most iterations, default 100; of "gradient" 10,000, of "conjugate-gradient" 2,000, and of "online" 1,000
        passes over the rows.
    rate : float, optional
        For "gradient" and "online". A number is the book's own rule: weights start at zero, columns keep the user's
        units, and steps have this length, of "online" shrinking from it as rate (1 + t / 500)^(-3/4) after t rows,
        the average of the weights being kept. It may be too large, or never arrive: the fit then says so. By
        default steps are safe and columns standardised: "gradient" bounds the curvature and adds momentum, "online"
        takes one pass of Eq. 7.65 and then corrects each row's step by what it was where the pass began (SVRG), so
        that its noise fades and `tol` is reached.
    trace : bool
        Whether to keep the way of the solver in ``trace_``: an entry for each step, of "online" for each pass.
    random_state : None, a seed, or a numpy RandomState
        For the order of rows in "online"; no effect on the others.

    Attributes
    ----------
    coef_, intercept_ : (1, d) and (1,) for two classes, (K, d) and (K,) for more
    coefficient_names_ : names of the d columns that ``coef_`` is over: of X, or of the basis
    coefficient_labels_ : names of the coefficients in the order of ``covariance()``
    information_ : what standard errors are made of
    n_iter_ : how many iterations there were, of "online" passes over the rows (or calls of `partial_fit`)
    trace_ : step, objective, gradient_norm, rate, weights (m, d + 1), or (m, K, d + 1) for more than two classes, in
        the user's units, intercept first; with ``trace=True``
    state_ : what `partial_fit` goes on from; of "online" only
    solution_ : objective, decrement, gap, overlap, sweeps, converged, reason
    infinite_ : (1, d + 1) or (K, d + 1), intercept first: 0 where there is a finite estimate; under separation 1 or -1
        where the coefficient can only go to plus or to minus infinity, 2 where it can go to both and is not
        identified, 3 where which of these holds was too long to compute
    fit_status_, fit_notes_ : "ok" | "separated" | "aliased" | "not_converged", and what there is to say
    log_likelihood_, null_log_likelihood_, deviance_, null_deviance_, aic_, bic_ : of the unpenalised likelihood

    Notes
    -----
    [Mitchell] 3.2 says that gradient ascent converges to a global maximum: if there is one, and the step is small
    enough. `tol` of "online" is judged by the exact decrement after each pass.

    [Bishop] 4.3.3 calls the minimum unique; under separation or dependent columns it is not, and both are named
    here. [Mitchell] flips the sign of w between Eq. 16-23 and 24-25; ours is that of 24-25.

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

    def _link(self, classes: NDArray[Any]) -> LinkFunction:
        """Give the logit for two classes, the softmax for more."""
        choice("parametrization", self.parametrization, ("symmetric", "reference"))
        return link_for(classes, self.parametrization, self.reference)
