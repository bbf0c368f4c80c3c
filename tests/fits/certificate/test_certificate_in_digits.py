"""The decrement that a fit claims, recomputed in 60 digits at its coefficients, on data that rounding harms."""

import numpy as np
import pytest
import scipy.sparse as sp

import posteriori as pt
from tests.fits.certificate.exact_decrement import binary_decrement, noisy_or_decrement, softmax_decrement

pytestmark = [
    pytest.mark.filterwarnings("ignore::posteriori.CollinearityWarning"),
    pytest.mark.filterwarnings("ignore::posteriori.ConvergenceWarning"),
]

LINKS = ["logit", "probit", "cloglog", "loglog", "cauchit"]
#: Decrements below this are no claim worth checking.
TINY = 1e-11


def draw(seed, kind, n=30, d=3):
    """Draw rows and classes: columns far from zero, nearly dependent, of odd scales."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = (X[:, 0] - 0.5 * X[:, 1] + rng.logistic(size=n) > 0).astype(int)
    y[:4] = [0, 1, 0, 1]
    if kind == "near":
        X[:, -1] = X[:, 0] + 1e-7 * X[:, -1]
    elif kind == "far":
        X += 1e6
    elif kind == "very far":
        X += 1e9
    elif kind == "far and near":
        X[:, -1] = X[:, 0] + 1e-4 * X[:, -1]
        X += 1e4
    elif kind == "scales":
        X *= [1e100, 1e-100, 1e6]
    return X, y, rng


def check_claim(model, true):
    """Check the claim of a fit."""
    claimed = model.solution_.decrement
    assert true <= max(1.5 * claimed, TINY)
    assert model.solution_.gap >= 0.4 * true**2 or true <= TINY
    if model.solution_.converged and claimed > model.tol:
        assert "rounding of the coefficients" in model.solution_.reason


@pytest.mark.parametrize("kind", ["near", "far", "very far", "far and near", "scales"])
@pytest.mark.parametrize("link", LINKS)
def test_a_claim_holds_with_and_without_an_intercept(link, kind):
    X, y, rng = draw(1, kind)
    weights = 10.0 ** rng.uniform(-2, 6, len(y))
    for fit_intercept in (True, False):
        model = pt.BinaryRegression(link=link, fit_intercept=fit_intercept).fit(X, y, sample_weight=weights)
        assert model.fit_status_ in ("ok", "not_converged")
        check_claim(model, binary_decrement(model, X, y, link=link, weights=weights))


@pytest.mark.parametrize("solver", ["auto", "irls", "gradient", "conjugate-gradient"])
def test_a_claim_holds_whatever_the_solver(solver):
    X, y, _ = draw(2, "far")
    model = pt.LogisticRegression(solver=solver).fit(sp.csr_array(X), y)
    check_claim(model, binary_decrement(model, X, y))


@pytest.mark.parametrize("weight", [1e-10, 1.0, 1e10])
@pytest.mark.parametrize("kind", ["far", "near"])
def test_a_claim_holds_for_several_classes(kind, weight):
    X, y, rng = draw(3, kind, n=40)
    y = y + (rng.random(len(y)) < 0.4)
    weights = weight * rng.uniform(0.5, 2.0, len(y))
    model = pt.LogisticRegression().fit(X, y, sample_weight=weights)
    check_claim(model, softmax_decrement(model, X, y, 3, weights=weights))


def test_no_decrement_is_claimed_where_the_hessian_is_singular_to_rounding():
    """Weights from 1e-10 to 1e10: a pivot of 2e-6 passed for one of a nonsingular matrix."""
    rng = np.random.default_rng(87)
    X, y = rng.normal(size=(20, 2)), rng.integers(0, 3, 20)
    y[:3] = [0, 1, 2]
    weights = 10.0 ** rng.uniform(-10, 10, 20)
    with pytest.warns(pt.ConvergenceWarning, match="singular to rounding"):
        model = pt.LogisticRegression().fit(X, y, sample_weight=weights)
    assert softmax_decrement(model, X, y, 3, weights=weights) > 1e4  # where it stops depends on the processor
    assert model.solution_.decrement == np.inf


@pytest.mark.parametrize("kind", ["plain", "far", "near", "far and near"])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_mean_of_a_prior_common_to_all_classes_is_reached_however_little_it_holds(kind, sparse):
    X, y, rng = draw(8, kind, n=40)
    y = y + (rng.random(len(y)) < 0.4)
    weights = 10.0 ** rng.uniform(0, 8, len(y))
    prior = pt.GaussianPrior(mean=[1.0, -5.0, 3.0], precision=0.1, intercept_mean=2.0, intercept_precision=0.3)
    model = pt.LogisticRegression(prior=prior).fit(sp.csr_array(X) if sparse else X, y, sample_weight=weights)
    np.testing.assert_allclose(model.coef_.mean(axis=0), [1.0, -5.0, 3.0], rtol=1e-7)
    held, mean = np.tile([0.3, 0.1, 0.1, 0.1], (3, 1)), np.tile([2.0, 1.0, -5.0, 3.0], (3, 1))
    check_claim(model, softmax_decrement(model, X, y, 3, weights=weights, precision=held, mean=mean))


@pytest.mark.parametrize("seed", [25, 38, 44])
def test_a_claim_allows_for_the_hessian_of_sparse_columns_far_from_zero(seed):
    X, y, rng = draw(seed, "plain", n=60, d=2)
    X, weights = X + 2e7, 1e10 * rng.uniform(0.5, 2.0, len(y))
    model = pt.LogisticRegression().fit(sp.csr_array(X), y, sample_weight=weights)
    true = binary_decrement(model, X, y, weights=weights)
    assert true <= 1.01 * model.solution_.decrement


def test_standard_deviations_of_full_sparse_columns_far_from_zero_are_those_of_dense_ones():
    X, y, rng = draw(12, "plain")
    X, weights = X + 1e7, 1e-12 * 10.0 ** rng.uniform(-3, 3, len(y))
    prior = pt.GaussianPrior(sd=1.0, units="sd", mean=2.0)
    dense = pt.LogisticRegression(prior=prior).fit(X, y, sample_weight=weights)
    model = pt.LogisticRegression(prior=prior).fit(sp.csr_array(X), y, sample_weight=weights)
    np.testing.assert_allclose(model.coef_, dense.coef_, rtol=1e-6)


@pytest.mark.parametrize("intercept_precision", [0.0, 2.0])
def test_a_claim_holds_under_priors_in_the_user_s_units(intercept_precision):
    X, y, rng = draw(4, "far")
    root = rng.standard_normal((4, 4))
    full = root @ root.T
    for precision in ([2.0, 1e-3, 1e4], full):
        prior = pt.GaussianPrior(precision=precision, intercept_precision=intercept_precision)
        model = pt.LogisticRegression(prior=prior).fit(X, y)
        held = precision if np.ndim(precision) == 2 else np.concatenate([[intercept_precision], precision])
        check_claim(model, binary_decrement(model, X, y, precision=held))


def test_a_claim_holds_for_grouped_counts_offsets_and_single_precision():
    X, y, rng = draw(5, "far")
    counts = np.column_stack([rng.integers(0, 10**7, len(y)), rng.integers(1, 10**7, len(y))]).astype(float)
    offset = 3.0 * rng.standard_normal(len(y))
    X32 = X.astype(np.float32)
    model = pt.LogisticRegression().fit(X32, counts, offset=offset)
    check_claim(model, binary_decrement(model, X32, y, counts=counts, offset=offset))


def test_where_rounding_allows_no_smaller_decrement_the_reason_says_so():
    X, y, rng = draw(6, "very far")
    weights = 1e8 * rng.uniform(0.5, 2.0, len(y))
    model = pt.LogisticRegression(fit_intercept=False).fit(X, y, sample_weight=weights)
    assert model.solution_.decrement > model.tol
    assert "rounding of the coefficients" in model.solution_.reason
    check_claim(model, binary_decrement(model, X, y, weights=weights))


def test_a_fit_standard_errors_from_the_optimum_is_not_called_converged_whatever_its_weights():
    rng = np.random.default_rng(6)
    X, y, _ = draw(6, "near")
    weights = 1e10 * rng.uniform(0.5, 2.0, len(y))
    model = pt.LogisticRegression(fit_intercept=False).fit(1e6 + X, y, sample_weight=weights)
    true = binary_decrement(model, 1e6 + X, y, weights=weights)
    assert true > 0.1
    assert model.solution_.decrement > 0.1
    assert not model.solution_.converged
    assert model.fit_status_ == "not_converged"


@pytest.mark.parametrize("solver", ["auto", "irls", "gradient", "conjugate-gradient"])
@pytest.mark.parametrize("kind", ["plain", "far", "near"])
def test_a_factor_that_no_frequency_has_changes_neither_estimates_nor_status(kind, solver):
    X, y, rng = draw(8, kind)
    weights = rng.uniform(0.5, 2.0, len(y))
    fits = [
        pt.LogisticRegression(solver=solver).fit(X, y, sample_weight=factor * weights)
        for factor in (1.0, 2.0**60, 2.0**150, 2.0**1000)
    ]
    for model in fits[1:]:
        assert model.fit_status_ == fits[0].fit_status_
        assert model.solution_.converged == fits[0].solution_.converged
        np.testing.assert_allclose(model.predict_proba(X), fits[0].predict_proba(X), rtol=0, atol=1e-8)


@pytest.mark.parametrize("factor", [2.0**-40, 2.0**53, 2.0**54, 2.0**190])
def test_the_decrement_is_that_of_the_rows_as_weighted_whatever_their_weights(factor):
    X, y, _ = draw(9, "plain")
    weights = np.full(len(y), factor)
    model = pt.LogisticRegression().fit(X, y, sample_weight=weights)
    assert model.fit_status_ == "ok"
    check_claim(model, binary_decrement(model, X, y, weights=weights))


def test_ordinary_data_are_certified_without_another_sweep():
    X, y, _ = draw(7, "plain")
    model = pt.LogisticRegression().fit(X, y)
    assert model.solution_.converged
    assert model.solution_.sweeps == model.n_iter_ + 1
    check_claim(model, binary_decrement(model, X, y))


@pytest.mark.parametrize("leak", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_a_noisy_or_under_heavy_weights_claims_what_rounding_hides_too(seed, leak):
    rng = np.random.default_rng(seed)
    X = rng.exponential(size=(200, 2)) + 10.0 ** rng.uniform(0, 4)
    y, weights = rng.integers(0, 2, 200), 10.0 ** rng.uniform(-10, 12, 200)
    model = pt.NoisyOr(leak=leak).fit(X, y, sample_weight=weights)
    assert model.fit_status_ in ("ok", "aliased")
    true = noisy_or_decrement(model, X, y, weights)
    assert true <= max(model.solution_.decrement, TINY)
    assert model.solution_.gap >= 0.4 * true**2 or true <= TINY
