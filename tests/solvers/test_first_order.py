"""Solvers of the books that go by gradients: they reach what `auto` reaches, or say that they did not."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy.special import expit, softmax

import posteriori as pt
from posteriori.solvers.catalogue import RATED, SOLVERS
from posteriori.solvers.select import DENSE_LIMIT

FIRST_ORDER = ["gradient", "conjugate-gradient", "online"]


def rows(n=150, d=3, K=2, seed=0, signal=0.8):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * np.array([1.0, 30.0, 0.1])[:d] + np.array([0.0, 100.0, -5.0])[:d]
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    scores = signal * Z @ rng.standard_normal((d, K)) + rng.gumbel(size=(n, K))
    return X, scores.argmax(axis=1)


def soft(X, K, seed=1):
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.ones(K), size=len(X))


def offset(X, K, seed=2):
    rng = np.random.default_rng(seed)
    return rng.standard_normal(len(X)) if K == 2 else rng.standard_normal((len(X), K))


def labels(X, y, K):
    return X, y, {}


def frames(X, y, K):
    return pd.DataFrame(X, columns=["a", "b", "c"]), np.array(list("pqr"))[y], {}


def one_hot(X, y, K):
    return X, np.eye(K)[y], {}


def soft_labels(X, y, K):
    return X, soft(X, K), {}


def grouped(X, y, K):
    return X[:40], np.random.default_rng(3).multinomial(7, np.ones(K) / K, size=40), {}


def weighted(X, y, K):
    return X, y, {"sample_weight": np.random.default_rng(4).uniform(0, 3, len(X)) * (np.arange(len(X)) % 5 > 0)}


def with_offset(X, y, K):
    return X, y, {"offset": offset(X, K)}


def sparse(X, y, K):
    cells = np.where(np.random.default_rng(5).random(X.shape) < 0.5, X, 0.0)
    return sp.csr_array(cells), y, {}


FORMS = [labels, frames, one_hot, soft_labels, grouped, weighted, with_offset, sparse]


def distance(model, other):
    """Give how far two fits are apart, in standard errors of the second."""
    precision = np.linalg.inv(other.covariance())

    def contrasts(fit):
        whole = np.column_stack([fit.intercept_, fit.coef_])
        if len(whole) > 1:
            at = 0 if other.parametrization == "symmetric" else list(other.classes_).index(other.reference or 0)
            whole = np.delete(whole - whole[at], at, axis=0)
        return whole.ravel()

    off = contrasts(model) - contrasts(other)
    return float(np.sqrt(off @ precision @ off))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("solver", FIRST_ORDER)
def test_every_form_of_target_gives_what_auto_gives(solver, K, form):
    X, y, more = form(*rows(K=K), K)
    best = pt.LogisticRegression().fit(X, y, **more)
    model = pt.LogisticRegression(solver=solver, random_state=0).fit(X, y, **more)
    assert model.fit_status_ == best.fit_status_ == "ok"
    assert model.solution_.converged
    assert model.solution_.overlap is True
    assert model.solution_.decrement <= 1e-8
    assert distance(model, best) < 2e-8
    assert model.log_likelihood_ == pytest.approx(best.log_likelihood_, rel=1e-12)
    np.testing.assert_allclose(model.standard_errors(), best.standard_errors(), rtol=1e-6)


PRIORS = {
    "none": None,
    "number": 2.0,
    "by column": pt.GaussianPrior(mean=[0.1, 0.0, -0.2], precision=[1.0, 100.0, 0.01]),
    "matrix": pt.GaussianPrior(precision=np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 0.3]])),
    "intercept": pt.GaussianPrior(precision=0.5, intercept_precision=0.1, intercept_mean=1.0),
    "deviations": pt.GaussianPrior(precision=3.0, units="sd"),
}


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("kind", ["two classes", "symmetric", "reference"])
@pytest.mark.parametrize("solver", FIRST_ORDER)
def test_every_prior_and_parametrization_gives_what_auto_gives(solver, kind, prior):
    X, y = rows(K=2 if kind == "two classes" else 3)
    given = {"prior": PRIORS[prior], "parametrization": "symmetric" if kind == "two classes" else kind}
    best = pt.LogisticRegression(**given).fit(X, y)
    model = pt.LogisticRegression(solver=solver, random_state=0, **given).fit(X, y)
    assert model.fit_status_ == "ok"
    assert model.solution_.objective == pytest.approx(best.solution_.objective, rel=1e-12)
    np.testing.assert_allclose(model.predict_proba(X), best.predict_proba(X), rtol=0, atol=1e-7)
    np.testing.assert_allclose(model.intercept_, best.intercept_, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(model.coef_, best.coef_, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("solver", FIRST_ORDER)
def test_both_parametrizations_agree_without_a_prior(solver):
    X, y = rows(K=3)
    fits = [
        pt.LogisticRegression(solver=solver, parametrization=kind, random_state=0).fit(X, y)
        for kind in ("symmetric", "reference")
    ]
    np.testing.assert_allclose(fits[0].predict_proba(X), fits[1].predict_proba(X), rtol=0, atol=1e-7)
    np.testing.assert_allclose(fits[0].coef_.sum(axis=0), 0.0, atol=1e-9 * np.abs(fits[0].coef_).max())
    assert not fits[1].coef_[0].any()


@pytest.mark.parametrize("solver", FIRST_ORDER)
@pytest.mark.parametrize("more", [{"basis": pt.PolynomialBasis(2)}, {"fit_intercept": False}], ids=["basis", "bare"])
def test_a_basis_and_no_intercept_are_fitted_too(solver, more):
    X, y = rows(300, 2)
    best = pt.LogisticRegression(**more).fit(X, y)
    model = pt.LogisticRegression(solver=solver, random_state=0, **more).fit(X, y)
    assert model.fit_status_ == best.fit_status_ == "ok"
    np.testing.assert_allclose(model.predict_proba(X), best.predict_proba(X), rtol=0, atol=1e-7)


@pytest.mark.parametrize("solver", FIRST_ORDER)
@pytest.mark.parametrize("K", [2, 3])
def test_separated_classes_give_the_very_point_of_auto(solver, K):
    X, _ = rows(60)
    y = np.digitize(X[:, 0], [-0.3, 0.4][: K - 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.SeparationWarning)
        best = pt.LogisticRegression().fit(X, y)
        model = pt.LogisticRegression(solver=solver, random_state=0).fit(X, y)
    assert model.fit_status_ == "separated"
    assert model.coef_.tobytes() == best.coef_.tobytes()
    assert (model.infinite_ == best.infinite_).all()


@pytest.mark.parametrize("solver", FIRST_ORDER)
def test_aliased_columns_are_named_and_shared_as_by_auto(solver):
    X, y = rows()
    X = np.column_stack([X, X[:, 0] + X[:, 2], np.ones(len(X))])
    with pytest.warns(pt.CollinearityWarning, match="combinations of others"):
        model = pt.LogisticRegression(solver=solver, random_state=0).fit(X, y)
    with pytest.warns(pt.CollinearityWarning):
        best = pt.LogisticRegression().fit(X, y)
    assert model.fit_status_ == "aliased"
    np.testing.assert_allclose(model.coef_, best.coef_, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("solver", FIRST_ORDER)
def test_nearly_dependent_columns_are_fitted_as_by_auto(solver):
    X, y = rows()
    X = np.column_stack([X, X[:, 0] + 1e-9 * np.random.default_rng(8).standard_normal(len(X))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.CollinearityWarning)
        best = pt.LogisticRegression().fit(X, y)
        model = pt.LogisticRegression(solver=solver, random_state=0).fit(X, y)
    assert model.fit_status_ == best.fit_status_
    np.testing.assert_allclose(model.predict_proba(X), best.predict_proba(X), rtol=0, atol=1e-6)


@pytest.mark.parametrize("solver", FIRST_ORDER)
def test_more_coefficients_than_a_matrix_has_room_for(solver):
    rng = np.random.default_rng(0)
    X = sp.random_array((300, DENSE_LIMIT + 10), density=0.01, rng=rng, format="csr")
    y = rng.integers(0, 2, 300)
    given = {"prior": 1.0, "inference": False, "tol": 1e-5}
    best = pt.LogisticRegression(**given).fit(X, y)
    model = pt.LogisticRegression(solver=solver, random_state=0, **given).fit(X, y)
    assert model.fit_status_ == "ok"
    np.testing.assert_allclose(model.predict_proba(X), best.predict_proba(X), rtol=0, atol=1e-4)


@pytest.mark.parametrize("scale", [1e-12, 1e9])
@pytest.mark.parametrize("solver", FIRST_ORDER)
def test_weights_of_any_size_give_the_same_maximum(solver, scale):
    X, y = rows()
    best = pt.LogisticRegression().fit(X, y)
    model = pt.LogisticRegression(solver=solver, random_state=0).fit(X, y, sample_weight=np.full(len(X), scale))
    assert model.fit_status_ == "ok"
    assert distance(model, best) < 1e-6


def test_the_safe_gradient_never_goes_down():
    for seed in range(5):
        for K in (2, 3):
            X, y = rows(80, K=K, seed=seed, signal=2.0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", pt.SeparationWarning)
                model = pt.LogisticRegression(solver="gradient", trace=True, prior=0.01).fit(X, y)
            values = model.trace_.objective
            assert len(values) > 5
            assert (np.diff(values) <= 1e-11 * values[0]).all()


def test_a_fixed_rate_is_the_rule_of_the_book():
    X, y = rows()
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = pt.LogisticRegression(solver="gradient", rate=0.01, trace=True).fit(X, y)
    phi, w = np.column_stack([np.ones(len(X)), X]), np.zeros(4)
    for number in range(30):
        np.testing.assert_allclose(model.trace_.weights[number], w, atol=1e-13)
        mu = expit(phi @ w)
        norm = np.linalg.norm(phi.T @ (y - mu))
        assert model.trace_.gradient_norm[number] == pytest.approx(norm, rel=1e-10)
        w = w + 0.01 * phi.T @ (y - mu)
    assert model.fit_status_ == "ok"
    assert distance(model, pt.LogisticRegression().fit(X, y)) < 2e-8


def test_a_fixed_rate_is_in_the_users_units_with_a_prior_and_many_classes():
    X, y = rows(K=3)
    X = X / np.array([1.0, 100.0, 5.0])
    prior = pt.GaussianPrior(mean=0.3, precision=2.0, intercept_precision=0.7, intercept_mean=-0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.ConvergenceWarning)
        model = pt.LogisticRegression(solver="gradient", rate=0.003, prior=prior, trace=True, max_iter=20).fit(X, y)
    phi, W = np.column_stack([np.ones(len(X)), X]), np.zeros((3, 4))
    held, mean = np.array([0.7, 2.0, 2.0, 2.0]), np.array([-0.1, 0.3, 0.3, 0.3])
    for number in range(20):
        np.testing.assert_allclose(model.trace_.weights[number], W, atol=1e-12)
        W = W + 0.003 * ((np.eye(3)[y] - softmax(phi @ W.T, axis=1)).T @ phi - held * (W - mean))


@pytest.mark.parametrize("rate", [1.0, 1e150, 1e308])
def test_a_rate_that_is_too_large_is_reported(rate):
    X, y = rows()
    with pytest.warns(pt.ConvergenceWarning, match=r"the rate is too large\. Use a smaller rate"):
        model = pt.LogisticRegression(solver="gradient", rate=rate, max_iter=100).fit(X, y)
    assert model.fit_status_ == "not_converged"
    assert not model.solution_.converged
    assert np.isfinite(model.coef_).all()
    assert np.isfinite(model.predict_proba(X)).all()


def test_a_rate_that_is_too_small_is_reported_as_not_converged():
    X, y = rows()
    with pytest.warns(pt.ConvergenceWarning, match="limit of 50 iterations") as caught:
        model = pt.LogisticRegression(solver="gradient", rate=1e-9, max_iter=50).fit(X, y)
    assert "too large" not in str(caught[0].message)
    assert model.n_iter_ == 50


@pytest.mark.parametrize("solver", FIRST_ORDER)
def test_an_iteration_limit_is_obeyed_and_reported(solver):
    X, y = rows()
    with pytest.warns(pt.ConvergenceWarning, match="limit of 2 iterations"):
        model = pt.LogisticRegression(solver=solver, max_iter=2, random_state=0).fit(X, y)
    assert model.fit_status_ == "not_converged"
    assert model.n_iter_ == 2
    assert model.solution_.decrement > 1e-8


@pytest.mark.parametrize("solver", sorted(set(SOLVERS) - set(RATED)))
def test_a_rate_for_a_solver_without_one_is_refused_with_the_list(solver):
    with pytest.raises(pt.DataError, match="'gradient', 'online'"):
        pt.LogisticRegression(solver=solver, rate=0.1).fit(*rows())


@pytest.mark.parametrize("rate", [0.0, -1.0, np.inf, np.nan, "fast", True])
def test_a_rate_must_be_a_positive_number(rate):
    with pytest.raises(pt.DataError, match="must be a positive number"):
        pt.LogisticRegression(solver="gradient", rate=rate).fit(*rows())


@pytest.mark.parametrize("solver", FIRST_ORDER)
def test_jeffreys_prior_is_an_error_and_as_a_remedy_uses_fisher_scoring(solver):
    X, y = rows(60)
    with pytest.raises(pt.DataError, match="use solver='auto' or 'irls'"):
        pt.LogisticRegression(solver=solver, prior="jeffreys").fit(X, y)
    z = X[:, 0] > 0
    model = pt.LogisticRegression(solver=solver, on_separation="jeffreys").fit(X, z)
    np.testing.assert_allclose(model.coef_, pt.LogisticRegression(prior="jeffreys").fit(X, z).coef_, rtol=1e-9)


@pytest.mark.parametrize("solver", FIRST_ORDER)
def test_a_start_at_the_optimum_saves_iterations(solver):
    X, y = rows()
    best = pt.LogisticRegression().fit(X, y)
    model = pt.LogisticRegression(solver=solver, random_state=0).fit(X, y, start=best)
    assert model.n_iter_ == 0
    assert model.solution_.converged


@pytest.mark.parametrize("link", ["probit", "cloglog", "loglog", "cauchit"])
@pytest.mark.parametrize("solver", FIRST_ORDER)
def test_other_links_are_fitted_too(solver, link):
    X, y = rows(120, 2)
    best = pt.BinaryRegression(link=link).fit(X, y)
    model = pt.BinaryRegression(link=link, solver=solver, random_state=0).fit(X, y)
    assert model.fit_status_ == best.fit_status_ == "ok"
    np.testing.assert_allclose(model.predict_proba(X), best.predict_proba(X), rtol=0, atol=1e-7)


@pytest.mark.parametrize("size", [50.0, 300.0, 1e5])
@pytest.mark.parametrize("kind", ["level", "slope", "noise"])
@pytest.mark.parametrize("K", [2, 3])
def test_a_very_large_offset_does_not_strand_the_fit_at_its_start(K, kind, size):
    X, y = rows(K=K)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    noise = np.random.default_rng(6).standard_normal(len(X))
    known = size * {"level": np.ones(len(X)), "slope": Z[:, 0], "noise": noise}[kind]
    given = known if K == 2 else np.column_stack([known, np.zeros((len(X), 2))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.SeparationWarning)
        model = pt.LogisticRegression().fit(Z, y, offset=given)
    assert model.fit_status_ == "ok"
    if kind != "noise":  # the columns can take the offset back
        plain = pt.LogisticRegression().fit(Z, y)
        np.testing.assert_allclose(
            model.predict_proba(Z, offset=given), plain.predict_proba(Z), rtol=0, atol=1e-9 * max(size, 10.0)
        )
    if kind == "level":
        assert model.null_deviance_ == pytest.approx(plain.null_deviance_, rel=1e-9)
