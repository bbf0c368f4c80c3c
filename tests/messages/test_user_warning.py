"""Warnings point at the line of the user, however deep in the package or in scikit-learn they arise."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import posteriori as pt

X = np.random.default_rng(0).standard_normal((30, 2))
SEPARATED = X[:, 0] > 0
FRAME = pd.DataFrame(X, columns=["a", "b"])


@pytest.mark.parametrize(
    "fit",
    [
        lambda: pt.LogisticRegression().fit(X, SEPARATED),
        lambda: pt.TableClassifier(pt.LogisticRegression()).fit(FRAME, SEPARATED),
        lambda: pt.LogisticRegression.from_formula("y ~ a + b", FRAME.assign(y=SEPARATED)),
        lambda: make_pipeline(StandardScaler(), pt.LogisticRegression()).fit(X, SEPARATED),
        lambda: pt.OneVsRest(pt.LogisticRegression()).fit(X, np.digitize(X[:, 0], [-0.3, 0.3])),
        lambda: pt.compare([pt.LogisticRegression()], X, SEPARATED, cv=3, random_state=0),
    ],
    ids=["estimator", "table", "formula", "pipeline", "wrapper", "comparison"],
)
def test_a_warning_of_separation_names_this_file(fit):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit()
    assert caught
    assert {warning.filename for warning in caught} == {__file__}
