"""Logistic and softmax regression: dense, many classes, sparse, small; with prior=1.0, which is C=1.0 there."""

from types import SimpleNamespace
from typing import Any

from sklearn.linear_model import LogisticRegression as Sklearn

import posteriori as pt
from benchmarks.data import (
    Rows,
    breast_cancer,
    independent_two_classes,
    softmax_classes,
    sparse_classes,
    two_classes,
)
from benchmarks.job import Contender, Job
from benchmarks.judges import no_worse


def ours(prior: float | None) -> Contender:
    return Contender("posteriori", lambda rows: pt.LogisticRegression(prior=prior).fit(rows.X, rows.y))


def sklearn(solver: str, *, tol: float = 1e-4, **promised: Any) -> Contender:
    """Give scikit-learn's solver; its default limit of 100 iterations is raised so that `tol` decides."""

    def fit(rows: Rows) -> Any:
        return Sklearn(C=1.0, solver=solver, tol=tol, max_iter=10_000).fit(rows.X, rows.y)

    return Contender(f"scikit-learn {solver}, tol {tol:g}", fit, **promised)


def fit_glum(rows: Rows) -> Any:
    """Fit by glum, whose objective is ours divided by n."""
    from glum import GeneralizedLinearRegressor

    alpha = 1.0 / len(rows.y)
    return GeneralizedLinearRegressor(family="binomial", alpha=alpha, l1_ratio=0).fit(rows.X, rows.y)


def with_constant(rows: Rows) -> Any:
    """Build statsmodels' design, which has the column of ones inside; not timed."""
    import statsmodels.api as sm

    return sm.add_constant(rows.X), rows.y


def fit_statsmodels(design: Any) -> Any:
    import statsmodels.api as sm

    w = sm.Logit(design[1], design[0]).fit(disp=False, warn_convergence=False).params
    return SimpleNamespace(coef_=w[1:], intercept_=w[:1])


JOBS = (
    Job(
        name="logistic",
        title="logistic regression, 50 columns, two classes",
        rows=1_000_000,
        data=two_classes,
        ours=ours(1.0),
        peers=(
            sklearn("lbfgs", floor=5.0, aim=6.0),
            sklearn("lbfgs", tol=1e-8, aim=14.0),
            sklearn("newton-cholesky", floor=8.0, aim=10.0),
            Contender("glum", fit_glum, aim=10.0),
        ),
        judge=no_worse(1.0),
    ),
    Job(
        name="logistic-independent",
        title="logistic regression, 50 independent columns, two classes",
        rows=1_000_000,
        data=independent_two_classes,
        ours=ours(1.0),
        peers=(sklearn("lbfgs"), sklearn("newton-cholesky")),
        judge=no_worse(1.0),
    ),
    Job(
        name="logistic-ml",
        title="logistic regression without a prior, 50 columns, two classes",
        rows=1_000_000,
        data=two_classes,
        ours=ours(None),
        peers=(Contender("statsmodels Logit", fit_statsmodels, with_constant, aim=40.0, slow=True),),
        judge=no_worse(0.0),
    ),
    Job(
        name="softmax",
        title="softmax regression, 50 columns, ten classes",
        rows=200_000,
        data=softmax_classes,
        ours=ours(1.0),
        peers=(
            sklearn("lbfgs"),
            sklearn("lbfgs", tol=1e-6, aim=6.0),
            sklearn("newton-cholesky", aim=50.0, slow=True),
        ),
        judge=no_worse(1.0),
    ),
    Job(
        name="sparse",
        title="logistic regression, 50,000 sparse columns, 68 cells a row",
        rows=200_000,
        data=sparse_classes,
        ours=ours(1.0),
        peers=(sklearn("newton-cg"), sklearn("newton-cg", tol=1e-6, aim=4.0)),
        judge=no_worse(1.0),
    ),
    Job(
        name="small",
        title="logistic regression, breast cancer, 30 columns",
        rows=569,
        data=breast_cancer,
        ours=ours(1.0),
        peers=(sklearn("newton-cholesky", floor=1.0),),
        judge=no_worse(1.0),
        rounds=200,
    ),
)
