"""A prior per unit of each column that holds coefficients far from the rows is told of."""

import re

import numpy as np
import pandas as pd
import pytest

import posteriori as pt


def rows(K=2, n=4000):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 2))
    scores = np.outer(1.5 * X[:, 0] + 0.5 * X[:, 1], np.arange(K))
    y = (scores + rng.gumbel(size=(n, K))).argmax(axis=1)
    return pd.DataFrame({"length": X[:, 0] * 1e-3, "weight": X[:, 1]}), y


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("prior", [1.0, pt.GaussianPrior(0.0, 1.0)])
def test_a_binding_prior_names_the_column_and_one_in_standard_deviations(K, prior):
    X, y = rows(K)
    (note,) = pt.LogisticRegression(prior=prior).fit(X, y).fit_notes_
    assert note.code == "prior-binds"
    assert note.columns == ("length",)
    assert "pt.GaussianPrior(sd=2.5, units='sd')" in note.remedy
    better = pt.LogisticRegression(prior=pt.GaussianPrior(sd=2.5, units="sd")).fit(X, y)
    assert better.fit_notes_ == []
    assert better.score(X, y) >= pt.LogisticRegression(prior=prior).fit(X, y).score(X, y)


@pytest.mark.parametrize("K", [2, 3])
def test_a_fit_that_summed_no_curvature_has_the_note_too(K):
    X, y = rows(K)
    (summed,) = pt.LogisticRegression(prior=1.0).fit(X, y).fit_notes_
    (note,) = pt.LogisticRegression(prior=1.0, inference=False).fit(X, y).fit_notes_
    assert (note.code, note.columns, note.remedy) == (summed.code, summed.columns, summed.remedy)
    assert "a combination of coefficients by at least" in note.message
    told = [int(re.search(r"(\d+) standard errors", one.message)[1]) for one in (note, summed)]
    assert told[0] <= told[1] + 1
    weak = {"prior": 1.0, "inference": False}
    assert pt.LogisticRegression(**weak).fit(X.assign(length=1e3 * X["length"]), y).fit_notes_ == []


def test_a_prior_that_hardly_moves_coefficients_has_no_note():
    X, y = rows()
    for prior in (None, 1e-9, "evidence", "jeffreys"):
        assert pt.LogisticRegression(prior=prior).fit(X, y).fit_notes_ == []
    assert pt.LogisticRegression(prior=1.0).fit(X.assign(length=1e3 * X["length"]), y).fit_notes_ == []


def test_the_summary_shows_the_note():
    X, y = rows()
    assert "per unit of each column" in " ".join(str(pt.LogisticRegression(prior=1.0).fit(X, y).summary()).split())


@pytest.mark.parametrize("K", [2, 3])
def test_a_bayesian_model_has_the_note_of_the_same_columns(K):
    X, y = rows(K)
    told = {}
    for model in (pt.LogisticRegression(prior=1.0), pt.BayesianLogisticRegression(prior=1.0)):
        (told[type(model)],) = [note for note in model.fit(X, y).fit_notes_ if note.code == "prior-binds"]
    assert len(set(told.values())) == 1
    for prior in ("evidence", pt.GaussianPrior(sd=2.5, units="sd", intercept_precision=0.01), None):
        notes = pt.BayesianLogisticRegression(prior=prior).fit(X, y).fit_notes_
        assert "prior-binds" not in [note.code for note in notes]


@pytest.mark.parametrize("seed", [5, 14, 17])
@pytest.mark.filterwarnings("error::scipy.linalg.LinAlgWarning")
def test_curvatures_of_unlike_sizes_give_no_warning_of_linear_algebra(seed):
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 1.0], (16, 4)) * 10.0 ** rng.uniform(-12, 12, (16, 4))
    held = np.array([[2.0, 2.0, -2.0, 1.0], [-2.0, 0.0, 2.0, 2.0], [2.0, 1.0, -1.0, 0.0]])
    model = pt.LogisticRegression(prior=pt.GaussianPrior(precision=held.T @ held), fit_intercept=False)
    assert model.fit(X, rng.integers(0, 2, 16)).fit_status_ == "ok"
