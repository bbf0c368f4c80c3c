"""The two files of class-wise kernels compute the same, with missing cells."""

import numpy as np
import pytest
import scipy.sparse as sp

from posteriori.backends.arrays import classwise as classwise_arrays
from posteriori.backends.compiled import classwise as classwise_compiled

BOTH = pytest.mark.parametrize("kernel", [classwise_arrays, classwise_compiled], ids=["arrays", "compiled"])


def some(seed=0, n=200, d=5, n_classes=4, missing=0.2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * [1, 10, 1e-3, 5, 2] + [0, 1e6, 3, -4, 0]
    X[rng.random((n, d)) < missing] = np.nan
    return X, rng.integers(0, n_classes, n), rng.random(n), n_classes


@BOTH
@pytest.mark.slow
def test_moments_are_those_of_each_class_and_column_without_missing_cells(kernel):
    X, codes, weights, K = some()
    unit = np.array([1.0, 2.0**-20, 1.0, 0.5, 1.0])
    weight, mean, scatter = kernel.moments(X, unit, codes, weights, K)
    for k in range(K):
        for j in range(X.shape[1]):
            used = (codes == k) & ~np.isnan(X[:, j])
            x, w = X[used, j] * unit[j], weights[used]
            np.testing.assert_allclose(weight[k, j], w.sum(), rtol=1e-13)
            np.testing.assert_allclose(mean[k, j], np.average(x, weights=w), rtol=1e-13)
            np.testing.assert_allclose(scatter[k, j], (w * (x - np.average(x, weights=w)) ** 2).sum(), rtol=1e-9)


@BOTH
def test_centred_rows_have_weighted_mean_zero_in_each_class(kernel):
    X, codes, weights, K = some(missing=0.0)
    weight, mean, rows = kernel.centred(X, np.ones(5), codes, weights, K)
    root = np.sqrt(weights)[:, None]
    np.testing.assert_allclose(rows, root * (X - mean[codes]), atol=1e-9)
    for k in range(K):
        np.testing.assert_allclose((root * rows)[codes == k].sum(axis=0), 0, atol=1e-9)
        np.testing.assert_allclose(weight[k], weights[codes == k].sum())


@BOTH
def test_a_class_without_rows_and_a_column_of_missing_cells_are_zero(kernel):
    X, codes, weights, _ = some()
    X[:, 2] = np.nan
    weight, _, scatter = kernel.moments(X, np.ones(5), codes, weights, 6)
    assert (weight[4:] == 0).all()
    assert (weight[:, 2] == 0).all()
    assert (scatter[:, 2] == 0).all()
    assert kernel.peaks(X)[2] == 0


def test_peaks_and_scores_agree():
    X, _, _, _ = some()
    rng = np.random.default_rng(1)
    centre, root, norm = rng.normal(size=(3, 5)), rng.random((3, 5)), rng.normal(size=(3, 5))
    unit = np.array([1.0, 2.0**-20, 1.0, 0.5, 1.0])
    np.testing.assert_array_equal(classwise_arrays.peaks(X), classwise_compiled.peaks(X))
    np.testing.assert_allclose(
        classwise_compiled.scores(X, unit, centre, root, norm),
        classwise_arrays.scores(X, unit, centre, root, norm),
        rtol=1e-12,
    )
    whole = np.nan_to_num(X)
    np.testing.assert_allclose(
        classwise_compiled.scores(whole, unit, centre, root, norm),
        classwise_arrays.scores(whole, unit, centre, root, norm),
        rtol=1e-12,
    )


@BOTH
def test_cells_are_counted_and_scored_by_their_codes(kernel):
    X = np.array([[0.0, 2.0], [1.0, np.nan], [1.0, 5.0], [0.5, 0.0]])
    starts, sizes = np.array([0, 2]), np.array([2, 3])
    counts = kernel.cell_counts(X, starts, sizes, np.array([0, 1, 1, 0]), np.array([1.0, 2.0, 4.0, 8.0]), 2, 5)
    assert counts.tolist() == [[1, 0, 8, 0, 1], [0, 6, 0, 0, 0]]
    table = np.arange(10.0).reshape(5, 2)
    assert kernel.cell_scores(X, starts, sizes, table, 0.0).tolist() == [[8, 10], [2, 3], [2, 3], [4, 5]]
    marked = kernel.cell_scores(X, starts, sizes, table, np.nan)
    assert np.isnan(marked).tolist() == [[False] * 2, [False] * 2, [True] * 2, [True] * 2]


@BOTH
def test_small_levels_are_marked_and_others_reported(kernel):
    X = np.array([[0.0, 2.0, 1e9], [3.0, np.nan, 1.0], [3.0, -1.0, 0.0]])
    occurs, plain = kernel.small_levels(X, 8)
    assert plain.tolist() == [True, False, False]
    assert np.flatnonzero(occurs[0]).tolist() == [0, 3]


@pytest.mark.parametrize("shared", [True, False])
def test_a_fit_is_the_same_by_either_file(shared, monkeypatch):
    import posteriori as pt
    from posteriori.backends import backend

    X, y, weights, _ = some()
    found = []
    for least in (0, 2**40):
        monkeypatch.setattr(backend, "COMPILED_FROM", least)
        bayes = pt.NaiveBayes(shared=shared).fit(X, y, weights)
        gauss = pt.GaussianClassifier(shared=shared).fit(np.nan_to_num(X), y, weights)
        tables = pt.NaiveBayes(families="categorical").fit(np.floor(np.abs(np.nan_to_num(X[:, [0, 4]]))), y, weights)
        found.append([bayes.predict_proba(X), gauss.predict_proba(np.nan_to_num(X)),
                      tables.predict_proba(np.floor(np.abs(np.nan_to_num(X[:, [0, 4]]))))])  # fmt: skip
    for compiled, arrays in zip(*found, strict=True):
        np.testing.assert_allclose(compiled, arrays, atol=1e-12)


@BOTH
def test_means_are_those_of_each_class_and_column_without_missing_cells(kernel):
    X, codes, weights, K = some()
    unit = np.array([1.0, 2.0**-20, 1.0, 0.5, 1.0])
    weight, mean = kernel.means(X, unit, codes, weights, K)
    wanted, centre, _ = kernel.moments(X, unit, codes, weights, K)
    np.testing.assert_allclose(weight, wanted, rtol=1e-13)
    np.testing.assert_allclose(mean, centre, rtol=1e-12)


@BOTH
def test_sums_of_dense_and_sparse_cells_agree_and_a_missing_cell_changes_its_own_sum_only(kernel):
    X, codes, weights, K = some(missing=0.0)
    X[np.random.default_rng(1).random(X.shape) < 0.5] = 0.0
    X[3, 2] = np.nan
    S = sp.csr_array(X)
    dense = kernel.sums(X, codes, weights, K)
    sparse = kernel.sparse_sums(S.data, S.indices, S.indptr, codes, weights, K, X.shape[1])
    wanted = np.stack([(weights[codes == k, None] * X[codes == k]).sum(axis=0) for k in range(K)])
    np.testing.assert_allclose(dense, wanted, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(sparse, wanted, rtol=1e-12, atol=1e-12)
    assert np.argwhere(np.isnan(dense)).tolist() == [[codes[3], 2]]


@BOTH
@pytest.mark.parametrize(("cell", "fine"), [(3.0, True), (-0.0, True), (0.5, False), (-1.0, False), (np.nan, False),
                                            (np.inf, False)])  # fmt: skip
def test_counts_are_distinguished_from_other_numbers(kernel, cell, fine):
    assert kernel.all_counts(np.array([[1.0, cell], [0.0, 1e300]])) is fine
