"""Naive Bayes on sparse matrices: the same answers as on dense ones, without making X dense."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

import posteriori as pt

FAMILIES = ["multinomial", "bernoulli", "poisson", "gaussian"]
MIXED = {(0, 1, 2): "multinomial", 3: "bernoulli", 4: "poisson", 5: "gaussian", 6: "gaussian", 7: "poisson"}


def some(family="poisson", n=90, d=8, seed=0):
    """Give mostly zeros, with something of every column in every class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    X = rng.poisson(0.3 + 0.3 * y[:, None], (n, d)).astype(float)
    X[:3] = 1.0
    if family == "bernoulli":
        X = np.minimum(X, 1.0)
    elif family == "gaussian":
        X *= rng.normal(size=(n, d))
    else:
        X[:, 3] = np.minimum(X[:, 3], 1.0)
    return X, np.array(["a", "b", "c"])[y]


def check_same(X, y, sparse, **more):
    dense, model = pt.NaiveBayes(**more).fit(X, y), pt.NaiveBayes(**more).fit(sparse, y)
    for method in ("predict_proba", "predict_log_proba", "decision_function", "log_density"):
        wanted, found = getattr(dense, method)(X), getattr(model, method)(sparse)
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-10, err_msg=method)
    assert (model.predict(sparse) == dense.predict(X)).all()
    np.testing.assert_allclose(model.predict_proba(X), dense.predict_proba(X), rtol=0, atol=1e-10)
    return model


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csc_matrix, sp.coo_array, sp.csr_array, sp.lil_matrix])
def test_every_form_of_sparse_matrix_equals_the_dense_one(family, form):
    X, y = some(family)
    check_same(X, y, form(X), families=family)


@pytest.mark.parametrize("more", [
    {"smoothing": 0.0}, {"shared": True}, {"shared": "all"}, {"estimate": "map"}, {"class_smoothing": 1.0},
    {"estimate": "unbiased"},
], ids=str)  # fmt: skip
def test_mixtures_of_these_families_with_any_settings_equal_the_dense_ones(more):
    X, y = some()
    check_same(X, y, sp.csr_matrix(X), families=MIXED, **more)


@pytest.mark.parametrize("family", FAMILIES)
def test_duplicates_explicit_zeros_unsorted_and_long_indices_change_nothing(family):
    X, y = some(family)
    halves = sp.coo_matrix(X)
    twice = sp.coo_matrix((np.tile(halves.data / 2, 2), (np.tile(halves.row, 2), np.tile(halves.col, 2))), X.shape)
    check_same(X, y, twice, families=family)
    full = sp.csr_matrix((X.ravel().copy(), np.tile(np.arange(8), 90), np.arange(0, 721, 8)), X.shape)
    check_same(X, y, full, families=family)
    turned = sp.csr_matrix((X[:, ::-1].ravel().copy(), np.tile(np.arange(8)[::-1], 90), np.arange(0, 721, 8)), X.shape)
    turned.indices, turned.indptr = turned.indices.astype(np.int64), turned.indptr.astype(np.int64)
    check_same(X, y, turned, families=family)


@pytest.mark.parametrize("family", FAMILIES)
def test_weights_parts_and_float32_agree(family):
    X, y = some(family)
    S, w = sp.csr_matrix(X), np.arange(90) % 3
    wanted = pt.NaiveBayes(families=family).fit(X, y, sample_weight=w).predict_proba(X)
    found = pt.NaiveBayes(families=family).fit(S, y, sample_weight=w).predict_proba(S)
    np.testing.assert_allclose(found, wanted, atol=1e-10)
    whole = pt.NaiveBayes(families=family).fit(S, y)
    parts = pt.NaiveBayes(families=family)
    for i in range(3):
        parts.partial_fit(S[30 * i : 30 * (i + 1)], y[30 * i : 30 * (i + 1)])
    np.testing.assert_allclose(parts.predict_proba(S), whole.predict_proba(S), atol=1e-10)
    single = pt.NaiveBayes(families=family).fit(S.astype(np.float32), y).predict_proba(S.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, whole.predict_proba(S), atol=1e-5)


@pytest.mark.parametrize("family", ["bernoulli", "poisson", "gaussian", "multinomial"])
def test_an_explicit_nan_is_missing_and_an_absent_cell_is_zero(family):
    X, y = some(family)
    X[5, 2] = X[40, 0] = np.nan
    check_same(X, y, sp.csr_matrix(X), families=family)
    with pytest.raises(pt.DataError, match=r"NaN.*column 2: 1 cell\(s\), the first in row 5; 1 more"):
        pt.NaiveBayes(families=family, missing="error").fit(sp.csr_matrix(X), y)
    whole, _ = some(family)
    model = pt.NaiveBayes(families=family, missing="error").fit(sp.csr_matrix(whole), y)
    with pytest.raises(pt.DataError, match=r"NaN.*column 2: 1 cell\(s\), the first in row 5; 1 more"):
        model.predict(sp.csr_matrix(X))


@pytest.mark.parametrize(("family", "cell"), [
    ("multinomial", 0.5), ("poisson", -1.0), ("bernoulli", 2.0), ("gaussian", np.inf),
])  # fmt: skip
def test_bad_cells_are_refused_by_column_and_row(family, cell):
    X, y = some(family)
    good = pt.NaiveBayes(families=family).fit(sp.csr_matrix(X), y)
    X[7, 4] = X[20, 4] = cell
    for call in (lambda S: pt.NaiveBayes(families=family).fit(S, y), good.predict, good.log_density):
        with pytest.raises(pt.DataError, match=r"column 4: 2 cell\(s\), the first in row 7"):
            call(sp.csr_matrix(X))


def test_probabilities_of_zero_are_exact():
    X, y = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), [0, 0, 1, 1]
    check_same(X, y, sp.csr_matrix(X), families="bernoulli", smoothing=0.0)
    model = pt.NaiveBayes(families="bernoulli", smoothing=0.0).fit(sp.csr_matrix(X), y)
    assert model.predict_proba(sp.csr_matrix([[1.0, 0.0]])).tolist() == [[1.0, 0.0]]
    with pytest.warns(pt.NotIdentifiedWarning):
        assert model.predict_proba(sp.csr_matrix([[0.0, 0.0]])).tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize("family", ["categorical", "gamma", "beta", "exponential", "dirichlet", pt.Binomial(5)])
def test_other_families_refuse_by_name(family):
    X, y = some()
    with pytest.raises(
        pt.DataError, match=r"family '\w+' \(\d+ column\(s\)\) does not take a sparse matrix, only 'gaussian'"
    ):
        pt.NaiveBayes(families=family).fit(sp.csr_matrix(X), y)
    if family == "categorical":
        with pytest.raises(pt.DataError, match="does not take a sparse matrix"):
            pt.NaiveBayes(families=family).fit(X, y).predict(sp.csr_matrix(X))


def test_the_linear_form_takes_sparse_rows():
    X, y = some()
    form = pt.NaiveBayes(families="poisson").fit(sp.csr_matrix(X), y).as_linear()
    np.testing.assert_array_equal(form.transform(sp.csr_matrix(X)), X)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_wide_table_is_never_made_dense(family):
    rng = np.random.default_rng(0)
    n, d = 3000, 20_000
    S = sp.random(n, d, 0.0005, "csr", rng=rng)
    S.data[:] = 1.0
    y = np.arange(n) % 2
    tracemalloc.start()
    with pytest.warns() if family in ("gaussian", "poisson") else _nothing():
        model = pt.NaiveBayes(families=family).fit(S, y)
    if family in ("multinomial", "bernoulli"):
        model.predict_proba(S)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < n * d * 8 / 8  # a dense copy is 480 MB


def _nothing():
    from contextlib import nullcontext

    return nullcontext()
