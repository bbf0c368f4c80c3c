"""Columns that depend on each other are flat directions only where no prior, however light, determines them."""

import numpy as np
import pytest

import posteriori as pt
from tests.fits.certificate.exact_decrement import binary_decrement

pytestmark = pytest.mark.filterwarnings(
    "ignore::posteriori.ConvergenceWarning", "ignore::posteriori.NonIntegerWeightsWarning"
)


@pytest.mark.parametrize("intercept_precision", [0.0, 1e5])
@pytest.mark.parametrize("parametrization", ["symmetric", "reference"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_light_prior_on_equal_columns_counts_beside_a_heavy_one(n_classes, parametrization, intercept_precision):
    rng = np.random.default_rng(0)
    x, z = rng.standard_normal((2, 200))
    y = (x[:, None] * np.arange(n_classes) + rng.gumbel(size=(200, n_classes))).argmax(axis=1)
    prior = pt.GaussianPrior(precision=[1e-6, 4e-6, 5e7], intercept_precision=intercept_precision)
    model = pt.LogisticRegression(prior=prior, parametrization=parametrization).fit(np.column_stack([x, x, z]), y)
    # of all coefficients with the same sum, the prior prefers those in inverse proportion to its precisions
    assert model.fit_status_ == "ok"
    assert model.coef_[:, 0] == pytest.approx(4.0 * model.coef_[:, 1], rel=1e-3, abs=1e-6)


def test_equal_columns_that_no_prior_distinguishes_stay_aliased():
    rng = np.random.default_rng(0)
    x, z = rng.standard_normal((2, 200))
    y = x + rng.logistic(size=200) > 0
    prior = pt.GaussianPrior(precision=[0.0, 0.0, 5e7])
    with pytest.warns(pt.CollinearityWarning):
        model = pt.LogisticRegression(prior=prior).fit(np.column_stack([x, x, z]), y)
    assert model.fit_status_ == "aliased"
    assert model.coef_[0, 0] == pytest.approx(model.coef_[0, 1], rel=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_the_decrement_counts_the_lightest_precision_of_dependent_columns(seed):
    rng = np.random.default_rng(seed)
    X = np.round(rng.standard_normal((30, 3)))
    X = np.column_stack([X, 2.0 * X.sum(axis=1), X[:, 0]])
    y, weights = rng.integers(0, 2, 30), 10.0 ** rng.uniform(-10, 10, 30)
    precision = np.array([7e4, 1e-6, 5e7, 9e-6, 2e5, 4e-6])
    prior = pt.GaussianPrior(precision=precision[1:], intercept_precision=precision[0])
    model = pt.BinaryRegression(link="cloglog", prior=prior).fit(X, y, sample_weight=weights)
    truth = binary_decrement(model, X, y, link="cloglog", weights=weights, precision=precision)
    assert truth <= model.solution_.decrement * (1.0 + 1e-12)
