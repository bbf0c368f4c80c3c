"""Grouped, weighted and repeated rows are the same data, and give the same inference."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import posteriori as pt

KINDS = ["observed", "expected", "robust"]


def grouped(K, seed=0):
    """Draw class counts over a grid of distinct rows; give them grouped and expanded."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.repeat(np.arange(6.0), 3), np.tile([0.0, 1.0, 4.0], 6), rng.standard_normal(18)])
    counts = rng.integers(0, 5, size=(18, K)).astype(float)
    counts[counts.sum(axis=1) == 0, 0] = 1.0
    row, label = np.nonzero(counts)
    times = counts[row, label].astype(int)
    return X, counts, np.repeat(X[row], times, axis=0), np.repeat(label, times), np.repeat(row, times)


def both(K, **parameters):
    X, counts, rows, labels, origin = grouped(K)
    few = pt.LogisticRegression(**parameters).fit(X, counts)
    many = pt.LogisticRegression(**parameters).fit(rows, labels)
    return X, counts, few, rows, labels, many, origin


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("prior", [None, 0.5])
@pytest.mark.parametrize("K", [2, 3])
def test_covariances_of_grouped_counts_are_those_of_expanded_rows(K, prior, kind):
    _, _, few, _, _, many, _ = both(K, prior=prior)
    units = {"units": "trials"} if kind == "robust" else {}
    np.testing.assert_allclose(few.covariance(kind, **units), many.covariance(kind), rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("K", [2, 3])
def test_the_robust_covariance_of_grouped_counts_is_that_of_rows_as_clusters_of_trials(K):
    X, counts, few, rows, labels, many, origin = both(K)
    wanted = many.covariance("cluster", X=rows, y=labels, groups=origin)
    np.testing.assert_allclose(few.covariance("robust"), wanted, rtol=1e-8, atol=1e-14)
    np.testing.assert_allclose(few.covariance("robust", X=X, y=counts), wanted, rtol=1e-8, atol=1e-14)


@pytest.mark.parametrize("K", [2, 3])
def test_cluster_covariance_of_grouped_counts_is_that_of_expanded_rows(K):
    X, counts, few, rows, labels, many, origin = both(K)
    groups = np.arange(18) % 5
    one = few.covariance("cluster", X=X, y=counts, groups=groups)
    np.testing.assert_allclose(one, many.covariance("cluster", X=rows, y=labels, groups=groups[origin]), rtol=1e-8)


@pytest.mark.parametrize("K", [2, 3])
def test_tests_and_intervals_of_grouped_counts_are_those_of_expanded_rows(K):
    X, counts, few, rows, labels, many, _ = both(K)
    np.testing.assert_allclose(few.wald_test("x1").statistic, many.wald_test("x1").statistic, rtol=1e-9)
    one = few.confidence_interval(method="profile", X=X, y=counts)
    np.testing.assert_allclose(one, many.confidence_interval(method="profile", X=rows, y=labels), rtol=1e-7)
    assert few.pseudo_r2() == pytest.approx(many.pseudo_r2(), rel=1e-10)
    small = [pt.LogisticRegression().fit(part[:, :2], y) for part, y in ((X, counts), (rows, labels))]
    ratios = [pt.likelihood_ratio_test(a, b).statistic for a, b in zip(small, (few, many), strict=True)]
    assert ratios[0] == pytest.approx(ratios[1], rel=1e-9)
    scores = [
        model.score_test(part[:, :2], y, part[:, 2:]).statistic
        for model, part, y in zip(small, (X, rows), (counts, labels), strict=True)
    ]
    assert scores[0] == pytest.approx(scores[1], rel=1e-9)


def test_tjurs_r2_of_grouped_counts_is_that_of_expanded_rows():
    X, counts, few, rows, labels, many, _ = both(2)
    assert few.pseudo_r2("tjur", X=X, y=counts) == pytest.approx(many.pseudo_r2("tjur", X=rows, y=labels), rel=1e-10)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("K", [2, 3])
def test_soft_labels_are_weighted_rows(K, kind):
    rng = np.random.default_rng(3)
    X, soft = rng.standard_normal((40, 2)), rng.dirichlet(np.ones(K), size=40)
    weights = rng.uniform(0.5, 2.0, size=40)
    few = pt.LogisticRegression().fit(X, soft, sample_weight=weights)
    many = pt.LogisticRegression().fit(
        np.repeat(X, K, axis=0), np.tile(np.arange(K), 40), sample_weight=(soft * weights[:, None]).ravel()
    )
    units = {"units": "trials"} if kind == "robust" else {}
    np.testing.assert_allclose(few.covariance(kind, **units), many.covariance(kind), rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_a_frequency_of_counts_is_as_many_copies_of_the_row(kind):
    X, counts, *_ = grouped(3)
    times = 1 + np.arange(len(X)) % 3
    one = pt.LogisticRegression().fit(X, counts, sample_weight=times)
    two = pt.LogisticRegression().fit(np.repeat(X, times, axis=0), np.repeat(counts, times, axis=0))
    np.testing.assert_allclose(one.covariance(kind), two.covariance(kind), rtol=1e-9, atol=1e-14)
    assert one.summary().facts.df_residual == two.summary().facts.df_residual == 2 * times.sum() - 8


@pytest.mark.parametrize("kind", KINDS)
def test_a_frequency_is_as_many_copies(kind):
    _, _, rows, labels, _ = grouped(3)
    times = 1 + np.arange(len(labels)) % 3
    one = pt.LogisticRegression().fit(rows, labels, sample_weight=times)
    two = pt.LogisticRegression().fit(np.repeat(rows, times, axis=0), np.repeat(labels, times))
    np.testing.assert_allclose(one.covariance(kind), two.covariance(kind), rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("factor", [1e-3, 7.0])
def test_the_scale_of_sampling_weights_does_not_matter(kind, factor):
    _, _, rows, labels, _ = grouped(2)
    weights = 1.0 + np.arange(len(labels)) % 3
    one, two = (
        pt.LogisticRegression(weights="importance").fit(rows, labels, sample_weight=w)
        for w in (weights, factor * weights)
    )
    np.testing.assert_allclose(one.covariance(kind), two.covariance(kind), rtol=1e-8)


def test_sampling_weights_have_the_sandwich_of_weighted_scores_by_default():
    _, _, rows, labels, _ = grouped(2)
    weights = 1.0 + np.arange(len(labels)) % 3
    model = pt.LogisticRegression(weights="sampling").fit(rows, labels, sample_weight=weights)
    A = np.column_stack([np.ones(len(rows)), rows])
    p = model.predict_proba(rows)[:, 1]
    H = (A * (weights * p * (1 - p))[:, None]).T @ A
    s = A * (weights * (labels - p))[:, None]
    bread = np.linalg.inv(H)
    np.testing.assert_allclose(model.covariance("robust"), bread @ s.T @ s @ bread, rtol=1e-8)
    np.testing.assert_array_equal(model.covariance(), model.covariance("robust"))
    np.testing.assert_allclose(model.covariance("observed"), bread * weights.mean(), rtol=1e-8)


def test_equal_sampling_weights_are_plain_rows_and_counts_within_them_are_trials():
    X, counts, rows, labels, _ = grouped(3)
    plain = pt.LogisticRegression().fit(rows, labels)
    equal = pt.LogisticRegression(weights="sampling").fit(X, counts, sample_weight=np.full(len(X), 2.5))
    for kind in KINDS:
        units = {"units": "trials"} if kind == "robust" else {}
        np.testing.assert_allclose(equal.covariance(kind, **units), plain.covariance(kind), rtol=1e-8, atol=1e-13)


@pytest.mark.parametrize("weights", ["frequency", "sampling"])
def test_rows_of_weight_zero_change_nothing(weights):
    _, _, rows, labels, _ = grouped(3)
    w = (np.arange(len(labels)) % 4).astype(float)
    groups = np.arange(len(labels)) % 6
    one = pt.LogisticRegression(weights=weights).fit(rows, labels, sample_weight=w)
    some = w > 0
    two = pt.LogisticRegression(weights=weights).fit(rows[some], labels[some], sample_weight=w[some])
    for kind in KINDS:
        np.testing.assert_allclose(one.covariance(kind), two.covariance(kind), rtol=1e-10, atol=1e-14)
    three = one.covariance("cluster", X=rows, y=labels, sample_weight=w, groups=groups)
    four = two.covariance("cluster", X=rows[some], y=labels[some], sample_weight=w[some], groups=groups[some])
    np.testing.assert_allclose(three, four, rtol=1e-10, atol=1e-14)
    influence = one.influence(rows, labels, sample_weight=w)
    assert not influence.leverage[~some].any()
    inner = two.influence(rows[some], labels[some], sample_weight=w[some])
    np.testing.assert_allclose(influence.cooks_distance[some], inner.cooks_distance, rtol=1e-9)
    assert np.isnan(one.residuals(rows, labels, sample_weight=w)[~some]).all()


@pytest.mark.parametrize("K", [2, 3])
def test_sparse_rows_give_what_dense_ones_do(K):
    _, _, rows, labels, _ = grouped(K)
    dense, sparse = pt.LogisticRegression().fit(rows, labels), pt.LogisticRegression().fit(sp.csr_array(rows), labels)
    S = sp.csr_array(rows)
    groups = np.arange(len(labels)) % 6
    for kind in KINDS:
        np.testing.assert_allclose(sparse.covariance(kind), dense.covariance(kind), rtol=1e-8, atol=1e-13)
    np.testing.assert_allclose(
        sparse.covariance("cluster", X=S, y=labels, groups=groups),
        dense.covariance("cluster", X=rows, y=labels, groups=groups),
        rtol=1e-8,
    )
    np.testing.assert_allclose(sparse.predict_interval(S), dense.predict_interval(rows), atol=1e-10)
    np.testing.assert_allclose(sparse.marginal_effects(S).errors, dense.marginal_effects(rows).errors, rtol=1e-8)
    np.testing.assert_allclose(
        sparse.influence(S, labels).cooks_distance, dense.influence(rows, labels).cooks_distance, rtol=1e-8
    )


@pytest.mark.parametrize("K", [2, 3])
def test_each_row_its_own_group_is_the_robust_covariance(K):
    _, _, rows, labels, _ = grouped(K)
    model = pt.LogisticRegression().fit(rows, labels)
    own = model.covariance("cluster", X=rows, y=labels, groups=[f"row {i}" for i in range(len(labels))])
    np.testing.assert_allclose(own, model.covariance("robust"), rtol=1e-9, atol=1e-14)


def test_units_of_columns_carry_through():
    _, _, rows, labels, _ = grouped(3)
    units = np.array([1e-7, 1.0, 1e9])
    one, two = (pt.LogisticRegression().fit(X, labels) for X in (rows, (rows + 5.0) * units))
    for kind in KINDS:
        first, second = one.standard_errors(kind).reshape(2, 4), two.standard_errors(kind).reshape(2, 4)
        np.testing.assert_allclose(first[:, 1:], second[:, 1:] * units, rtol=1e-9)
    x0 = np.zeros((1, 3))
    np.testing.assert_allclose(one.predict_interval(x0), two.predict_interval(x0 + 5.0 * units), rtol=1e-8)


def test_a_large_table_in_many_blocks_gives_what_the_formula_does():
    rng = np.random.default_rng(8)
    X = rng.standard_normal((30_000, 12))
    y = (rng.random(30_000) < 1 / (1 + np.exp(-X[:, 0]))).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = pt.LogisticRegression().fit(X, y)
    A = np.column_stack([np.ones(len(X)), X])
    p = model.predict_proba(X)[:, 1]
    bread = np.linalg.inv((A * (p * (1 - p))[:, None]).T @ A)
    s = A * (y - p)[:, None]
    np.testing.assert_allclose(model.covariance(), bread, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(model.covariance("robust"), bread @ s.T @ s @ bread, rtol=1e-8, atol=1e-12)
    groups = rng.integers(0, 50, len(X))
    sums = np.stack([s[groups == g].sum(axis=0) for g in range(50)])
    found = model.covariance("cluster", X=X, y=y, groups=groups)
    np.testing.assert_allclose(found, bread @ sums.T @ sums @ bread, rtol=1e-7, atol=1e-12)
