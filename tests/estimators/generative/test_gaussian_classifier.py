"""Gaussian classes at the edges: few rows, odd units, far queries, weights, parts."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy.special import softmax

import posteriori as pt

WISHART = pt.NormalInverseWishart(mean=0.5, kappa=2.0, df=5.0, scale=1.5)
KINDS = [
    {"covariance": covariance, "shared": shared, "estimate": estimate}
    for covariance in ("full", "diagonal", "spherical", "low-rank")
    for shared in (True, False)
    for estimate in ("ml", "unbiased", "map")
    if (covariance, estimate) != ("low-rank", "map")
] + [
    {"covariance": "full", "shared": shared, **more}
    for shared in (True, False)
    for more in ({"shrinkage": 0.2}, {"shrinkage": "ledoit-wolf"}, {"shrinkage": "oas"}, {"estimate": WISHART})
]
every_kind = pytest.mark.parametrize(
    "kind", KINDS, ids=lambda kind: "-".join(str(value)[:12] for value in kind.values())
)

#: A prior in the units of the data is about them, and about classes without rows.
UNTOLD = [kind for kind in KINDS if kind.get("estimate") is not WISHART]
every_untold_kind = pytest.mark.parametrize(
    "kind", UNTOLD, ids=lambda kind: "-".join(str(value)[:12] for value in kind.values())
)


def data(seed=0, n=90, d=3, n_classes=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    spread = np.array([1.0, 2.0, 0.5])[y % 3][:, None]
    return rng.normal(size=(n, d)) * spread @ (np.eye(d) + 0.3) + y[:, None], y


def same(one, other, X, tolerance=1e-10):
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=0, atol=tolerance)
    np.testing.assert_allclose(one.means_, other.means_, rtol=1e-9, atol=1e-10)


# --- what it computes


def test_the_book_s_numbers_of_two_gaussians():
    model = pt.GaussianClassifier().fit([[0.0], [2.0], [4.0], [6.0]], [0, 0, 1, 1])
    assert model.coef_.tolist() == [[4.0]]
    assert model.intercept_.tolist() == [-12.0]
    assert model.decision_function([[3.0], [4.0]]).tolist() == [0.0, 4.0]
    assert model.mahalanobis([[3.0], [1.0]]).tolist() == [[4.0, 4.0], [0.0, 16.0]]


@every_kind
def test_probabilities_are_bayes_rule_on_the_fitted_densities(kind):
    import scipy.stats as st

    X, y = data()
    model = pt.GaussianClassifier(**kind).fit(X, y)
    covariances = [model.covariance_] * 3 if kind["shared"] else model.covariances_
    joint = np.column_stack([
        np.log(model.class_priors_[k]) + st.multivariate_normal(model.means_[k], covariances[k]).logpdf(X)
        for k in range(3)
    ])  # fmt: skip
    np.testing.assert_allclose(model.predict_proba(X), softmax(joint, axis=1), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.log_density(X), np.logaddexp.reduce(joint, axis=1), rtol=1e-10)
    if not kind["shared"]:
        np.testing.assert_allclose(model.decision_function(X), joint, rtol=1e-10)
    distance = [np.einsum("ni,ij,nj->n", X - m, np.linalg.inv(c), X - m)
                for m, c in zip(model.means_, covariances, strict=True)]  # fmt: skip
    np.testing.assert_allclose(model.mahalanobis(X), np.column_stack(distance), rtol=1e-9)


@every_kind
def test_the_linear_form_gives_the_same_probabilities_or_is_refused(kind):
    X, y = data()
    model = pt.GaussianClassifier(**kind).fit(X, y)
    if not kind["shared"]:
        with pytest.raises(pt.DataError, match="quadratic"):
            model.as_linear()
        assert not hasattr(model, "coef_")
        assert not hasattr(model, "covariance_")
        return
    form = model.as_linear()
    scores = form.transform(X) @ form.coef.T + form.intercept
    np.testing.assert_allclose(softmax(scores, axis=1), model.predict_proba(X), atol=1e-10)
    np.testing.assert_allclose(model.decision_function(X), X @ model.coef_.T + model.intercept_, rtol=1e-9, atol=1e-9)
    assert form.feature_names == ("x0", "x1", "x2")
    assert not hasattr(model, "covariances_")


@pytest.mark.parametrize(("kind", "wanted"), [
    ({}, 4 * 9 // 2 + 1),
    ({"shared": False}, 2 * (4 + 10) + 1),
    ({"covariance": "diagonal"}, 8 + 4 + 1),
    ({"covariance": "diagonal", "shared": False}, 16 + 1),
    ({"covariance": "spherical"}, 8 + 1 + 1),
    ({"covariance": "spherical", "shared": False}, 8 + 2 + 1),
    ({"class_priors": [0.5, 0.5]}, 4 * 9 // 2),
    ({"shrinkage": "oas"}, 4 * 9 // 2 + 1),
    ({"covariance": "low-rank"}, 8 + (4 + 4) + 1),
    ({"covariance": "low-rank", "rank": 2, "shared": False}, 8 + 2 * (4 + 8 - 1) + 1),
])  # fmt: skip
def test_free_parameters_are_counted_as_in_the_books(kind, wanted):
    X, y = data(d=4, n_classes=2)
    assert pt.GaussianClassifier(**kind).fit(X, y).n_parameters_ == wanted


def test_given_priors_are_used_and_checked():
    X, y = data()
    model = pt.GaussianClassifier(class_priors=[0.2, 0.3, 0.5]).fit(X, y)
    assert model.class_priors_.tolist() == [0.2, 0.3, 0.5]
    for bad, word in (
        ([0.5, 0.6, 0.1], "sum to 1.2"),
        ([-0.2, 0.6, 0.6], "negative"),
        ([np.nan, 0.5, 0.5], "not finite"),
        ([0.5, 0.5], "3 numbers"),
        ("equal", "3 numbers"),
    ):
        with pytest.raises(pt.DataError, match=word):
            pt.GaussianClassifier(class_priors=bad).fit(X, y)


@pytest.mark.parametrize("wrong", [
    {"covariance": "ful"}, {"shared": "all"}, {"shared": 1}, {"estimate": "mle"}, {"covariance": None},
    {"shrinkage": "lw"}, {"covariance": "low-rank", "estimate": "map"},
])  # fmt: skip
def test_an_unknown_choice_is_refused_with_the_known_ones(wrong):
    X, y = data()
    with pytest.raises(pt.DataError, match="use one of"):
        pt.GaussianClassifier(**wrong).fit(X, y)


@pytest.mark.parametrize(("wrong", "word"), [
    ({"rank": 2}, "belongs to covariance='low-rank'"),
    ({"covariance": "low-rank", "rank": 0}, "whole number from 1 up"),
    ({"covariance": "low-rank", "rank": 1.5}, "whole number from 1 up"),
    ({"shrinkage": 1.5}, "from 0 to 1"),
    ({"shrinkage": True}, "from 0 to 1"),
    ({"covariance": "diagonal", "shrinkage": 0.5}, "belongs to covariance='full'"),
    ({"estimate": "map", "shrinkage": 0.5}, "a prior shrinks already"),
    ({"covariance": "spherical", "estimate": WISHART}, "takes a NormalInverseGamma"),
    ({"covariance": "low-rank", "estimate": WISHART}, "takes no prior"),
    ({"estimate": pt.NormalInverseWishart(0.0, 1.0, 1.5, 1.0)}, "df=1.5 must be above 2"),
    ({"estimate": pt.NormalInverseWishart([0.0, 1.0], 1.0, 5.0, 1.0)}, "for 3 columns"),
    ({"estimate": pt.NormalInverseWishart(0.0, 1.0, 5.0, -np.eye(3))}, "positive definite"),
])  # fmt: skip
def test_parameters_that_do_not_go_together_are_refused_in_a_sentence(wrong, word):
    X, y = data()
    with pytest.raises(pt.DataError, match=word):
        pt.GaussianClassifier(**wrong).fit(X, y)


@pytest.mark.parametrize("wrong", [{"kappa": 0.0}, {"df": -1.0}, {"mean": np.nan}, {"scale": np.zeros((2, 2, 2))}])
def test_a_prior_that_cannot_be_is_refused_when_made(wrong):
    with pytest.raises(pt.DataError, match="NormalInverseWishart"):
        pt.NormalInverseWishart(**{"mean": 0.0, "kappa": 1.0, "df": 5.0, "scale": 1.0, **wrong})


# --- geometry


def test_signed_distances_are_those_to_the_plane_and_refused_where_there_is_none():
    X, y = data(n_classes=2)
    model = pt.GaussianClassifier().fit(X, y)
    w, b = model.coef_[0], model.intercept_[0]
    np.testing.assert_allclose(model.signed_distance(X), (X @ w + b) / np.linalg.norm(w), rtol=1e-10)
    np.testing.assert_allclose(model.margins(X, y), np.where(y == 1, 1, -1) * (X @ w + b), rtol=1e-9, atol=1e-12)
    on_the_plane = X - np.outer(model.signed_distance(X), w / np.linalg.norm(w))
    np.testing.assert_allclose(model.decision_function(on_the_plane), 0.0, atol=1e-12)
    curved = pt.GaussianClassifier(shared=False).fit(X, y)
    with pytest.raises(pt.DataError, match=r"quadratic in x.*shared=True"):
        curved.signed_distance(X)
    with pytest.raises(pt.DataError, match=r"quadratic in x.*shared=True"):
        curved.explain(X)
    assert (curved.margins(X, y) > 0).mean() == curved.score(X, y)


def test_the_boundary_of_a_class_without_rows_is_infinitely_far_away():
    X, y = data(n_classes=2)
    known = pt.GaussianClassifier().fit(X, y).signed_distance(X)
    three = pt.GaussianClassifier().partial_fit(X, y, classes=[0, 1, 2]).signed_distance(X)
    np.testing.assert_allclose(three[:, 0, 1], known)
    assert (three[:, :2, 2] == -np.inf).all()
    assert (three[:, 2, :2] == np.inf).all()
    four = pt.GaussianClassifier().partial_fit(X, y, classes=[0, 1, 2, 3]).signed_distance(X)
    assert (four[:, 2:, 2:] == 0.0).all()
    one = pt.GaussianClassifier().partial_fit(X[y == 0], y[y == 0], classes=[0, 1])
    assert (one.signed_distance(X) == -np.inf).all()


def test_with_equal_priors_the_boundary_is_where_the_distances_are_equal():
    X, y = data(n_classes=2)
    model = pt.GaussianClassifier(class_priors=[0.5, 0.5]).fit(X, y)
    w = model.coef_[0]
    on_the_plane = X - np.outer(model.signed_distance(X), w / np.linalg.norm(w))
    distances = model.mahalanobis(on_the_plane)
    np.testing.assert_allclose(distances[:, 0], distances[:, 1], rtol=1e-10)


def test_classes_that_share_a_covariance_meet_in_a_line_even_where_a_third_does_not():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = np.repeat([0, 1, 2], 100)
    X[y == 1] = X[y == 0] + [3.0, 1.0]  # the same scatter, to the last digits
    X[y == 2] *= 3.0
    model = pt.GaussianClassifier(shared=False).fit(X, y)
    shared = pt.GaussianClassifier(class_priors=[0.5, 0.5]).fit(X[y < 2], y[y < 2])
    w = shared.coef_[0]
    line = X - np.outer(shared.signed_distance(X), w / np.linalg.norm(w))
    logs = model.predict_log_proba(line)
    np.testing.assert_allclose(logs[:, 0], logs[:, 1], atol=1e-9)


# --- shrinkage


def standardised(X, y):
    away = X - np.array([X[y == k].mean(axis=0) for k in np.unique(y)])[y]
    return away / away.std(axis=0), away.std(axis=0)


@pytest.mark.parametrize("estimate", ["ml", "unbiased"])
@pytest.mark.parametrize("amount", [0.0, 0.3, 1.0])
def test_a_given_amount_shrinks_the_correlations(amount, estimate):
    X, y = data()
    plain = pt.GaussianClassifier(estimate=estimate).fit(X, y).covariance_
    shrunk = pt.GaussianClassifier(estimate=estimate, shrinkage=amount).fit(X, y).covariance_
    np.testing.assert_allclose(shrunk, (1 - amount) * plain + amount * np.diag(np.diag(plain)), rtol=1e-12)


@pytest.mark.parametrize("name", ["ledoit-wolf", "oas"])
@pytest.mark.parametrize("n", [12, 90, 400])
def test_amounts_found_from_the_data_agree_with_scikit_learn(name, n):
    import sklearn.covariance

    known = {"ledoit-wolf": sklearn.covariance.ledoit_wolf, "oas": sklearn.covariance.oas}[name]
    X, y = data(n=n, d=7)
    Z, sd = standardised(X, y)
    wanted, _ = known(Z, assume_centered=True)
    model = pt.GaussianClassifier(shrinkage=name).fit(X, y)
    np.testing.assert_allclose(model.covariance_, wanted * sd * sd[:, None], rtol=1e-10)
    own = pt.GaussianClassifier(shrinkage=name, shared=False).fit(X, y)
    for k in range(3):
        Z, sd = standardised(X[y == k], np.zeros((y == k).sum(), int))
        wanted, _ = known(Z, assume_centered=True)
        np.testing.assert_allclose(own.covariances_[k], wanted * sd * sd[:, None], rtol=1e-10)


@pytest.mark.parametrize("shrinkage", [0.1, "ledoit-wolf", "oas"])
@pytest.mark.parametrize("shared", [True, False])
def test_shrinkage_makes_fewer_rows_than_columns_regular(shrinkage, shared):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 30)), np.arange(20) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = pt.GaussianClassifier(shrinkage=shrinkage, shared=shared).fit(X, y)
    assert model.fit_notes_ == []
    assert np.isfinite(model.predict_log_proba(X)).all()


def test_the_note_on_a_singular_covariance_offers_shrinkage():
    rng = np.random.default_rng(0)
    with pytest.warns(pt.DegenerateVarianceWarning, match="shrinkage="):
        pt.GaussianClassifier().fit(rng.normal(size=(12, 30)), np.arange(12) % 2)


# --- priors


def test_the_mode_under_a_given_prior_is_that_of_the_formula():
    X, y = data(d=2)
    A = np.array([[2.0, 0.3], [0.3, 1.0]])
    prior = pt.NormalInverseWishart(mean=[1.0, -1.0], kappa=3.0, df=6.0, scale=A)
    own = pt.GaussianClassifier(estimate=prior, shared=False).fit(X, y)
    shared = pt.GaussianClassifier(estimate=prior).fit(X, y)
    total, m0 = A.copy(), np.array([1.0, -1.0])
    for k in range(3):
        rows = X[y == k]
        n, mean = len(rows), rows.mean(axis=0)
        pulled = (rows - mean).T @ (rows - mean) + 3.0 * n / (3.0 + n) * np.outer(mean - m0, mean - m0)
        total += pulled
        np.testing.assert_allclose(own.means_[k], (3.0 * m0 + n * mean) / (3.0 + n), rtol=1e-12)
        np.testing.assert_allclose(own.covariances_[k], (A + pulled) / (6.0 + n + 2 + 2), rtol=1e-12)
    np.testing.assert_allclose(shared.covariance_, total / (6.0 + 90 + 2 + 1 + 3), rtol=1e-12)
    np.testing.assert_array_equal(shared.means_, own.means_)


def test_the_mode_is_where_likelihood_times_prior_is_largest():
    import scipy.stats as st

    X, y = data(d=2)
    prior = pt.NormalInverseWishart(mean=0.5, kappa=2.0, df=5.0, scale=1.5)
    model = pt.GaussianClassifier(estimate=prior, shared=False).fit(X, y)

    def log_posterior(mean, covariance):
        rows = st.multivariate_normal(mean, covariance).logpdf(X[y == 0]).sum()
        about = st.multivariate_normal([0.5, 0.5], covariance / 2.0).logpdf(mean)
        return rows + about + st.invwishart(5.0, 1.5 * np.eye(2)).logpdf(covariance)

    mean, covariance = model.means_[0], model.covariances_[0]
    best = log_posterior(mean, covariance)
    rng = np.random.default_rng(0)
    for _ in range(50):
        tilt = 1e-3 * rng.normal(size=(2, 2))
        assert log_posterior(mean + 1e-3 * rng.normal(size=2), covariance + tilt @ tilt.T) < best
        assert log_posterior(mean, covariance - 1e-3 * rng.random() * covariance) < best


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical"])
@pytest.mark.parametrize("shared", [True, False])
def test_the_weak_prior_cures_a_class_without_spread_and_hardly_moves_the_rest(covariance, shared):
    X, y = data(n=3000)
    plain = pt.GaussianClassifier(covariance=covariance, shared=shared).fit(X, y)
    weak = pt.GaussianClassifier(covariance=covariance, shared=shared, estimate="map").fit(X, y)
    np.testing.assert_allclose(weak.means_, plain.means_, atol=1e-4)
    np.testing.assert_allclose(weak.predict_proba(X), plain.predict_proba(X), atol=0.02)
    kept = (y != 1) | (np.cumsum(y == 1) == 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pt.GaussianClassifier(covariance=covariance, shared=shared, estimate="map").fit(X[kept], y[kept])


# --- low rank


def factor_data(n=4000, d=6, q=2, seed=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    L = rng.normal(size=(d, q))
    noise = rng.uniform(0.5, 1.5, d)
    X = rng.normal(size=(n, q)) @ L.T + rng.normal(size=(n, d)) * np.sqrt(noise) + y[:, None] * rng.normal(size=d)
    return X, y, L @ L.T + np.diag(noise)


def test_a_low_rank_covariance_is_recovered_and_is_a_stationary_point_of_the_likelihood():
    X, y, wanted = factor_data()
    model = pt.GaussianClassifier(covariance="low-rank", rank=2).fit(X, y)
    parameters = model.density_.parameters[0]
    np.testing.assert_allclose(model.covariance_, wanted, atol=0.2)
    L, noise, S = parameters.loadings[0], parameters.noise[0], model.covariance_
    np.testing.assert_allclose(L @ L.T + np.diag(noise), S, rtol=1e-12)
    scatter = pt.GaussianClassifier().fit(X, y).covariance_
    inverse = np.linalg.inv(S)
    slope = inverse - inverse @ scatter @ inverse  # of (log|S| + tr S^-1 scatter) in S
    np.testing.assert_allclose(np.diag(slope), 0.0, atol=1e-10)
    np.testing.assert_allclose(slope @ L, 0.0, atol=1e-10)


@pytest.mark.slow
def test_the_likelihood_of_the_factors_never_falls_and_is_no_worse_than_scikit_learn_s():
    from sklearn.decomposition import FactorAnalysis

    from posteriori.families.gaussian.factor_analysis import fit_factors

    X, y, _ = factor_data(n=400)
    Z, _ = standardised(X, y)
    R = Z.T @ Z / len(Z)
    for q in (1, 2, 3):
        found = fit_factors(R, q)
        assert found.converged
        assert (np.diff(found.trace) > -1e-11).all()
        assert len(found.trace) > 2
        S = found.loadings @ found.loadings.T + np.diag(found.noise)
        mine = -0.5 * (np.linalg.slogdet(S)[1] + np.trace(np.linalg.solve(S, R)))
        assert mine == pytest.approx(found.trace[-1], abs=1e-12)
        T = FactorAnalysis(q, tol=1e-6, max_iter=20_000, svd_method="lapack").fit(Z).get_covariance()
        assert mine >= -0.5 * (np.linalg.slogdet(T)[1] + np.trace(np.linalg.solve(T, R))) - 1e-9


def test_a_rank_of_all_but_one_column_is_a_full_covariance():
    X, y = data(d=4)
    full = pt.GaussianClassifier(shared=False).fit(X, y)
    for rank in (3, 10):
        low = pt.GaussianClassifier(covariance="low-rank", rank=rank, shared=False).fit(X, y)
        np.testing.assert_allclose(low.covariances_, full.covariances_, rtol=1e-6, atol=1e-8)


def test_columns_that_factors_explain_wholly_are_named():
    X, y, _ = factor_data(n=200)
    X[:, 1] = 2.0 * X[:, 0]
    with pytest.warns(pt.DegenerateVarianceWarning, match="no variance of their own"):
        model = pt.GaussianClassifier(covariance="low-rank", rank=2).fit(X, y)
    assert set(model.fit_notes_[0].columns) <= {0, 1}
    assert np.isfinite(model.predict_log_proba(X)).all()


# --- weights, order, parts


@every_kind
def test_weight_two_is_two_copies_and_weight_zero_no_row(kind):
    X, y = data()
    w = np.arange(len(y)) % 3
    rows = np.repeat(np.arange(len(y)), w)
    weighted = pt.GaussianClassifier(**kind).fit(X, y, sample_weight=w)
    same(weighted, pt.GaussianClassifier(**kind).fit(X[rows], y[rows]), X)


def test_a_class_of_weight_zero_is_not_learned():
    X, y = data()
    model = pt.GaussianClassifier().fit(X, y, sample_weight=(y != 1).astype(float))
    assert model.classes_.tolist() == [0, 2]


@every_kind
@settings(max_examples=6, deadline=None)
@given(cuts=some.lists(some.integers(1, 89), max_size=4, unique=True), seed=some.integers(0, 99))
def test_parts_in_any_split_give_the_batch_fit(kind, cuts, seed):
    X, y = data(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    parts = np.split(order, sorted(cuts))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.DegenerateVarianceWarning)  # a part may hold one row of a class
        whole = pt.GaussianClassifier(**kind).fit(X, y)
        streamed = pt.GaussianClassifier(**kind)
        for part in parts:
            streamed.partial_fit(X[part], y[part], classes=[0, 1, 2])
        models = [pt.GaussianClassifier(**kind).fit(X[p], y[p]) for p in parts if len(set(y[p])) > 1]
        merged = pt.merge(models)
    same(streamed, whole, X)
    if len(models) == len(parts):
        same(merged, whole, X)


def test_merging_unites_the_classes_by_value():
    X, y = data()
    names = np.array(["c", "a", "b"])[y]
    one = pt.GaussianClassifier().fit(X[names != "b"], names[names != "b"])
    two = pt.GaussianClassifier().fit(X[names != "c"], names[names != "c"])
    merged = one.merge(two)
    assert merged.classes_.tolist() == ["a", "b", "c"]
    rows = np.r_[np.flatnonzero(names != "b"), np.flatnonzero(names != "c")]
    same(merged, pt.GaussianClassifier().fit(X[rows], names[rows]), X)
    assert one.classes_.tolist() == ["a", "c"]


def test_models_of_different_kinds_or_columns_do_not_merge():
    X, y = data()
    model = pt.GaussianClassifier().fit(X, y)
    for other in (
        pt.NaiveBayes().fit(X, y),
        pt.GaussianClassifier(shared=False).fit(X, y),
        pt.GaussianClassifier().fit(pd.DataFrame(X, columns=list("abc")), y),
        pt.GaussianClassifier().fit(X, y.astype(str)),
    ):
        with pytest.raises(pt.DataError):
            model.merge(other)
    with pytest.raises(pt.DataError, match="at least one"):
        pt.merge([])
    with pytest.raises(pt.DataError, match="cannot be merged"):
        pt.merge([object()])


def test_partial_fit_refuses_classes_it_was_not_told_of():
    X, y = data()
    model = pt.GaussianClassifier().partial_fit(X[y < 2], y[y < 2])
    with pytest.raises(pt.DataError, match="1 unknown class"):
        model.partial_fit(X, y)
    with pytest.raises(pt.DataError, match="first call"):
        model.partial_fit(X, y, classes=[0, 1, 2])
    assert model.classes_.tolist() == [0, 1]


def test_the_order_of_rows_and_columns_changes_nothing():
    X, y = data()
    rows, columns = np.random.default_rng(1).permutation(len(y)), [2, 0, 1]
    plain, shuffled = pt.GaussianClassifier().fit(X, y), pt.GaussianClassifier().fit(X[rows][:, columns], y[rows])
    np.testing.assert_allclose(shuffled.predict_proba(X[:, columns]), plain.predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_the_same_bits_from_any_number_of_threads(threads):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40_000, 8)), rng.integers(0, 3, 40_000)
    with pt.options(threads=1):
        one = pt.GaussianClassifier(shared=False).fit(X, y)
        wanted = one.predict_proba(X)
    with pt.options(threads=threads):
        model = pt.GaussianClassifier(shared=False).fit(X, y)
        assert (model.predict_proba(X) == wanted).all()


def test_a_refit_that_raises_leaves_the_old_fit_whole():
    X, y = data()
    model = pt.GaussianClassifier().fit(X, y)
    before = model.predict_proba(X)
    for bad_X, bad_y in ((np.full_like(X, np.nan), y), (X[:, :2], np.zeros(len(y))), (X[:5], y)):
        with pytest.raises(pt.DataError):
            model.fit(bad_X, bad_y)
        assert (model.predict_proba(X) == before).all()
    with pytest.raises(pt.DataError):
        model.partial_fit(np.full_like(X, np.inf), y)
    assert (model.predict_proba(X) == before).all()


# --- units and far rows


@every_untold_kind
@pytest.mark.parametrize("scale", [1e-170, 1e-150, 1e-9, 1e9, 1e150, 1e160])
def test_units_change_no_probability(kind, scale):
    X, y = data()
    units = np.full(3, scale) if kind["covariance"] == "spherical" else np.array([1.0, scale, 1.0])
    plain, scaled = pt.GaussianClassifier(**kind).fit(X, y), pt.GaussianClassifier(**kind).fit(X * units, y)
    np.testing.assert_allclose(scaled.predict_proba(X * units), plain.predict_proba(X), atol=1e-8)


@every_untold_kind
@pytest.mark.parametrize("offset", [1e6, 1e9])
def test_an_offset_changes_probabilities_by_less_than_a_millionth(kind, offset):
    X, y = data()
    moved = X + np.array([0.0, offset, -offset])
    plain, shifted = pt.GaussianClassifier(**kind).fit(X, y), pt.GaussianClassifier(**kind).fit(moved, y)
    np.testing.assert_allclose(shifted.predict_proba(moved), plain.predict_proba(X), atol=1e-6)


@every_kind
def test_a_query_at_the_end_of_the_floats_is_decided_in_the_limit(kind):
    X, y = data()
    model = pt.GaussianClassifier(**kind).fit(X, y)
    directions = np.array([[1.0, 1.0, 1.0], [-1.0, -1.0, -1.0], [1.0, 0.0, 0.0], [0.3, -0.2, 1.0]])
    wanted = model.predict(directions * 1e6)
    for size in (1e20, 1e200, 1e308):
        p = model.predict_proba(directions * size)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        assert (model.predict(directions * size) == wanted).all()
        assert (model.classes_[p.argmax(axis=1)] == wanted).all()
        assert not np.isnan(model.decision_function(directions * size)).any()
        assert not np.isnan(model.log_density(directions * size)).any()


@every_kind
def test_no_log_density_or_distance_is_nan_at_the_end_of_the_floats(kind):
    X, y = data()
    model = pt.GaussianClassifier(**kind).fit(1e-3 * X, y)
    far = np.random.default_rng(0).choice([-1.0, -0.4, 0.3, 1.0], (200, 3)) * 1.7e308
    assert not np.isnan(model.log_density(far)).any()
    assert not np.isnan(model.mahalanobis(far)).any()
    assert not np.isnan(model.predict_proba(far)).any()


def test_logs_at_large_margins_are_exact():
    model = pt.GaussianClassifier().fit([[0.0], [2.0], [4.0], [6.0]], [0, 0, 1, 1])
    logs = model.predict_log_proba([[253.0], [-247.0]])
    np.testing.assert_allclose(logs, [[-1000.0, 0.0], [0.0, -1000.0]], rtol=1e-14, atol=1e-300)


def test_a_subnormal_column_is_refused_by_name():
    X, y = data()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["b"] *= 1e-310
    with pytest.raises(pt.DataError, match="column 'b' is below the normal float range"):
        pt.GaussianClassifier().fit(frame, y)


# --- few rows, no spread


def notes(model, X, y):
    with pytest.warns(pt.DegenerateVarianceWarning) as heard:
        model.fit(X, y)
    assert len(heard) == len(model.fit_notes_)
    assert all(note.code == "degenerate-variance" for note in model.fit_notes_)
    assert np.isfinite(model.predict_proba(X)).all()
    return model.fit_notes_


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical"])
def test_one_row_in_a_class_takes_the_pooled_covariance(covariance):
    X, y = data()
    kept = (y != 1) | (np.cumsum(y == 1) == 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pt.GaussianClassifier(covariance=covariance).fit(X[kept], y[kept])  # shared: nothing to say
    model = pt.GaussianClassifier(covariance=covariance, shared=False)
    (note,) = notes(model, X[kept], y[kept])
    assert note.classes == ("1",)
    pooled = pt.GaussianClassifier(covariance=covariance).fit(X[kept], y[kept]).covariance_
    np.testing.assert_allclose(model.covariances_[1], pooled, rtol=1e-12)


@every_untold_kind
def test_one_row_a_class_everywhere_gives_the_prior_and_says_so(kind):
    model = pt.GaussianClassifier(**kind)
    (note,) = notes(model, np.array([[1.0, 5.0], [2.0, 7.0], [4.0, 4.0]]), np.array(["a", "b", "c"]))
    assert "zero variance" in note.message
    np.testing.assert_allclose(model.predict_proba([[0.0, 0.0]]), 1 / 3)


@pytest.mark.parametrize("shared", [True, False])
def test_fewer_rows_than_columns_use_the_pseudo_inverse(shared):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 30)), np.arange(12) % 2
    model = pt.GaussianClassifier(shared=shared)
    (note,) = notes(model, X, y)
    assert "singular" in note.message
    assert "rank" in note.message
    p = model.predict_proba(rng.normal(size=(5, 30)))
    np.testing.assert_allclose(p.sum(axis=1), 1)


def test_a_class_constant_in_one_column_takes_its_pooled_variance():
    X, y = data()
    X[y == 2, 1] = 3.0
    model = pt.GaussianClassifier(shared=False)
    found = notes(model, X, y)
    assert [(note.classes, note.columns) for note in found] == [(("2",), (1,))]
    # column 1 then stands alone in class 2, with its pooled within-class variance
    away = X[:, 1] - np.array([X[y == k, 1].mean() for k in range(3)])[y]
    assert model.covariances_[2][1, 1] == pytest.approx((away**2).mean(), rel=1e-12)
    assert model.covariances_[2][1, 0] == 0


# --- sparse rows


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("covariance", ["diagonal", "spherical"])
def test_sparse_rows_give_what_dense_ones_give(covariance, shared):
    import scipy.sparse as sp

    X, y = data()
    X[np.abs(X) < 0.8] = 0.0
    kind = {"covariance": covariance, "shared": shared}
    dense, sparse = pt.GaussianClassifier(**kind).fit(X, y), pt.GaussianClassifier(**kind).fit(sp.csr_array(X), y)
    for method in ("predict_proba", "decision_function", "log_density", "mahalanobis"):
        mine, yours = getattr(sparse, method)(sp.csr_array(X)), getattr(dense, method)(X)
        np.testing.assert_allclose(mine, yours, rtol=1e-11, atol=1e-11)
    with pytest.raises(pt.DataError, match="dense"):
        pt.GaussianClassifier(shared=shared).fit(sp.csr_array(X), y)


# --- what is refused


@pytest.mark.parametrize(("value", "word"), [(np.nan, "Input X contains NaN"), (np.inf, "Input X contains infinity")])
@every_kind
def test_gaps_and_infinities_are_refused_in_fit_and_predict(kind, value, word):
    X, y = data()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = pt.GaussianClassifier(**kind).fit(frame, y)
    bad = frame.copy()
    bad.loc[[4, 7], "b"] = value
    for call in (
        lambda: pt.GaussianClassifier(**kind).fit(bad, y),
        lambda: model.partial_fit(bad, y),
        lambda: model.predict(bad),
        lambda: model.predict_proba(bad),
        lambda: model.predict_log_proba(bad),
        lambda: model.decision_function(bad),
        lambda: model.log_density(bad),
        lambda: model.mahalanobis(bad),
    ):
        with pytest.raises(pt.DataError, match=rf"{word}.*column 'b': 2 cell\(s\), the first in row 4"):
            call()


def test_rows_of_weight_zero_are_not_even_looked_at():
    X, y = data()
    w = np.ones(len(y))
    X[5], w[5] = np.nan, 0.0
    model = pt.GaussianClassifier().fit(X, y, sample_weight=w)
    kept = np.arange(len(y)) != 5
    same(model, pt.GaussianClassifier().fit(X[kept], y[kept]), X[kept])
    X[9] = np.nan
    with pytest.raises(pt.DataError, match="row 9"):
        pt.GaussianClassifier().fit(X, y, sample_weight=w)


def test_text_is_refused_with_a_way_out():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", "y", "x"]})
    with pytest.raises(pt.DataError, match="TableClassifier"):
        pt.GaussianClassifier().fit(frame, [0, 1, 1])


# --- the rest


@pytest.mark.parametrize(
    "labels", [np.array([False, True, True]), np.array([b"x", b"y", b"y"]), np.array(["u", "v", "v"])]
)
def test_labels_come_back_as_they_were_given(labels):
    X = np.array([[0.0], [3.0], [4.0], [1.0]])
    model = pt.GaussianClassifier().fit(X, np.r_[labels, labels[:1]])
    assert model.predict(X).dtype == labels.dtype


def test_sampling_draws_rows_like_those_of_the_model():
    X, y = data(n=300)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = pt.GaussianClassifier(class_priors=[0.5, 0.3, 0.2]).fit(frame, np.array(["x", "y", "z"])[y])
    drawn, labels = model.sample(20_000, random_state=0)
    assert list(drawn.columns) == ["a", "b", "c"]
    again = pt.GaussianClassifier().fit(drawn, labels)
    np.testing.assert_allclose(again.class_priors_, [0.5, 0.3, 0.2], atol=0.02)
    np.testing.assert_allclose(again.means_, model.means_, atol=0.1)
    np.testing.assert_allclose(again.covariance_, model.covariance_, atol=0.15)
    assert (model.sample(5, random_state=3)[1] == model.sample(5, random_state=3)[1]).all()
    with pytest.raises(pt.DataError, match="from 1 up"):
        model.sample(0)


def test_float32_rows_give_the_probabilities_of_their_values():
    X, y = data()
    X = (X * 1e20).astype(np.float32)
    single, double = pt.GaussianClassifier().fit(X, y), pt.GaussianClassifier().fit(X.astype(float), y)
    assert single.predict_proba(X).dtype == np.float32
    np.testing.assert_allclose(single.predict_proba(X), double.predict_proba(X.astype(float)), atol=1e-5)
