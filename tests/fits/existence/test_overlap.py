"""The proof of existence by the multipliers of the fit: no false claims, and ordinary fits of every link have it."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

import posteriori as pt
from posteriori.engines.select import engine_for
from posteriori.fits.existence.overlap import overlap_is_proved
from posteriori.input.training import read_training
from posteriori.links.logit import Logit
from posteriori.links.probit import Probit
from posteriori.links.softmax import Softmax
from posteriori.objectives.prepare import objective_of, survey
from tests.fits.existence.exact_separation import truth
from tests.fits.existence.hostile_rows import hostile


def objective(X, y, link, *, intercept=True, **reading):
    rows = read_training(pt.LogisticRegression(), X, y, reading.get("sample_weight"), sparse=True, allow_counts=True)
    return objective_of(survey(engine_for(rows.table)), link, None, intercept, 4000)


def two_classes(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) + rng.integers(-3, 4, d)
    return X, (rng.random(n) < 1 / (1 + np.exp(1.0 - X[:, 0] + X[:, 1]))).astype(int)


@pytest.mark.parametrize("block", range(2))
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.slow
def test_nothing_false_is_proved_of_hostile_rows(block, intercept):
    proved = overlapping = 0
    for seed in range(60 * block, 60 * block + 60):
        X, y, K = hostile(seed)
        so = truth([[Fraction(v) for v in row] for row in X.tolist()], y, K, intercept=intercept).kind == "none"
        for link in (Logit(), Probit()) if K == 2 else (Softmax(K), Softmax(K, reference=K - 1)):
            asked = objective(X, y, link, intercept=intercept)
            for w in (np.zeros(asked.n_parameters), np.random.default_rng(seed).standard_normal(asked.n_parameters)):
                claim = overlap_is_proved(asked, w)
                assert so or not claim, seed
                proved, overlapping = proved + claim, overlapping + so
    assert proved > 0.25 * overlapping > 0


@pytest.mark.parametrize("n", [300, 30_000])
def test_ordinary_fits_of_every_link_are_proved_to_exist(n):
    X, y = two_classes(n, 4)
    for name in ("logit", "probit", "cloglog", "loglog", "cauchit"):
        model = pt.BinaryRegression(link=name).fit(X, y)
        asked = objective(X, y, model.link_)
        assert overlap_is_proved(asked, asked.units.from_data(model.intercept_, model.coef_).ravel()), name
    third = y + (np.arange(n) % 5 == 0)
    model = pt.LogisticRegression().fit(X, third)
    asked = objective(X, third, Softmax(3))
    assert overlap_is_proved(asked, asked.units.from_data(model.intercept_, model.coef_).ravel())
    assert not overlap_is_proved(objective(np.column_stack([X, third]), third, Softmax(3)), np.zeros(18))


def test_sparse_rows_counts_and_weights_are_proved_to_overlap_too():
    X, y = two_classes(400, 3)
    weights = np.where(np.arange(400) % 3 == 0, 0.0, 2.5)
    sparse, counts = sp.csr_array(np.where(np.abs(X) > 1, X, 0.0)), np.eye(2)[y] + np.eye(2)[1 - y] * (X[:, :1] > 0)
    for rows, targets, given in ((sparse, y, None), (X, counts, None), (X, y, weights)):
        assert overlap_is_proved(objective(rows, targets, Logit(), sample_weight=given), np.zeros(4))
    apart = np.where(weights > 0, (X[:, 0] > 0).astype(int), y)  # only rows of weight zero overlap
    assert not overlap_is_proved(objective(X, apart, Logit(), sample_weight=weights), np.zeros(4))


def test_rare_classes_are_among_the_rows_looked_at():
    X, y = two_classes(60_000, 3)
    y = y & (np.arange(60_000) % 50 == 0)
    model = pt.LogisticRegression().fit(X, y)
    asked = objective(X, y, Logit())
    assert overlap_is_proved(asked, asked.units.from_data(model.intercept_, model.coef_).ravel())


def test_a_direction_that_some_coefficient_does_not_see_stops_no_fit():
    X = np.array([[-1, 0], [1, 0], [1, 0], [-1, 1], [-1, -1], [-1, 1], [0, 1], [0, -1], [-1, 1], [0, -1], [-1, -1.0]])
    X = np.column_stack([X, [-0.1, 0.1, 0.1, -0.1, -0.1, -0.1, 0.0, 0.0, -0.1, 0.0, -0.1]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.NotIdentifiedWarning)
        model = pt.LogisticRegression().fit(X, [2, 1, 1, 3, 1, 2, 2, 0, 3, 0, 0])
    assert model.fit_status_ == "separated"
