"""scikit-learn's own checks of logistic regression, with no expected failures, on the instances that users build."""

import warnings

import numpy as np

import posteriori as pt
from tests.contract.instances import parametrize_with_checks


class ByColumn(pt.GaussianPrior):
    """A prior with a mean and a precision for each column, however many the checks give."""

    def quadratic(self, n_scores, n_columns, intercept, sds):
        own = pt.GaussianPrior(mean=np.linspace(-0.1, 0.1, n_columns), precision=np.linspace(1.0, 2.0, n_columns))
        return own.quadratic(n_scores, n_columns, intercept, sds)


INSTANCES = [
    pt.LogisticRegression(),
    pt.LogisticRegression(prior=1.0),
    pt.LogisticRegression(prior=pt.GaussianPrior(precision=0.5, intercept_precision=0.1, units="sd")),
    pt.LogisticRegression(prior=ByColumn(precision=1.0)),
    pt.LogisticRegression(solver="irls"),
    pt.LogisticRegression(parametrization="reference"),
    pt.LogisticRegression(fit_intercept=False),
    pt.LogisticRegression(solver="gradient"),
    pt.LogisticRegression(solver="gradient", rate=1e-3, max_iter=500),
    pt.LogisticRegression(solver="gradient", prior=1.0, trace=True),
    pt.LogisticRegression(solver="conjugate-gradient"),
    pt.LogisticRegression(solver="conjugate-gradient", prior=1.0, parametrization="reference"),
    pt.LogisticRegression(solver="online"),
    pt.LogisticRegression(solver="online", prior=1.0),
]


@parametrize_with_checks(INSTANCES)
def test_scikit_learn_finds_nothing_amiss(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # separated and aliased data are part of the checks, and ours to warn of
        check(estimator)


def test_it_works_in_pipelines_searches_and_frames():
    import pandas as pd
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((150, 3)), columns=["a", "b", "c"])
    y = np.where(X["a"] + rng.logistic(size=150) > 0, "up", "down")
    pipe = make_pipeline(StandardScaler().set_output(transform="pandas"), pt.LogisticRegression())
    search = GridSearchCV(pipe, {"logisticregression__prior": [None, 1.0, 10.0]}, scoring="neg_log_loss").fit(X, y)
    assert set(search.predict(X)) <= {"up", "down"}
    assert cross_val_score(pipe, X, y).mean() > 0.5


def test_sample_weights_are_routed():
    import sklearn
    from sklearn.model_selection import cross_validate

    rng = np.random.default_rng(0)
    X, y, weights = rng.standard_normal((100, 2)), rng.integers(0, 2, 100), rng.uniform(0, 2, 100)
    with sklearn.config_context(enable_metadata_routing=True):
        model = pt.LogisticRegression().set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        found = cross_validate(model, X, y, params={"sample_weight": weights}, return_estimator=True)
    assert all(hasattr(fitted, "coef_") for fitted in found["estimator"])
