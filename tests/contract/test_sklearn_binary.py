"""scikit-learn's own checks of regression through any link, with no expected failures, on the instances users build."""

import warnings

import numpy as np
import pytest

import posteriori as pt
from posteriori.links.catalogue import LINKS
from tests.contract.instances import parametrize_with_checks
from tests.links.own_links import NORMAL, STUDENT, TAILS

INSTANCES = [
    pt.BinaryRegression(),
    *(pt.BinaryRegression(link=link) for link in LINKS),
    *(pt.BinaryRegression(link=link, prior=1.0) for link in LINKS),
    pt.BinaryRegression(link=TAILS, prior=1.0),
    pt.BinaryRegression(link=NORMAL, prior=1.0),
    pt.BinaryRegression(prior="jeffreys"),
    pt.BinaryRegression(link="cauchit", solver="irls", fit_intercept=False),
    pt.BinaryRegression(link="cloglog", solver="online", random_state=0, max_iter=5),
]


@parametrize_with_checks(INSTANCES)
def test_scikit_learn_finds_nothing_amiss(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # separated and aliased data are part of the checks, and ours to warn of
        check(estimator)


@pytest.mark.parametrize("link", [*LINKS, TAILS, STUDENT], ids=repr)
def test_it_works_in_pipelines_searches_and_frames(link):
    import pandas as pd
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((120, 3)), columns=["a", "b", "c"])
    y = np.where(X["a"] + rng.logistic(size=120) > 0, "up", "down")
    pipe = make_pipeline(StandardScaler().set_output(transform="pandas"), pt.BinaryRegression(link=link))
    search = GridSearchCV(pipe, {"binaryregression__prior": [None, 1.0]}, cv=3, scoring="neg_log_loss").fit(X, y)
    assert set(search.predict(X)) <= {"up", "down"}
    assert search.best_estimator_[-1].coefficient_labels_ == ("(Intercept)", "a", "b", "c")


def test_several_classes_go_through_one_against_the_rest():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 2))
    y = np.digitize(X[:, 0] + 0.5 * rng.standard_normal(150), [-0.5, 0.5])
    with pytest.raises(pt.DataError, match=r"two classes, not 3. Use LogisticRegression, or OneVsRest"):
        pt.BinaryRegression().fit(X, y)
    assert pt.OneVsRest(pt.BinaryRegression(link="cloglog")).fit(X, y).score(X, y) > 0.5
