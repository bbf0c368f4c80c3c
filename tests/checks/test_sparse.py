"""Sparse matrices whose indices point outside are refused before compiled code follows them."""

import io

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import posteriori as pt

MODELS = {
    "logistic": pt.LogisticRegression(prior=1.0),
    "bayes": pt.BayesianLogisticRegression(),
    "poisson": pt.NaiveBayes(families="poisson"),
    "multinomial": pt.NaiveBayes(families="multinomial"),
    "diagonal": pt.GaussianClassifier(covariance="diagonal"),
    "noisy-or": pt.NoisyOr(),
    "rest": pt.OneVsRest(pt.NaiveBayes(families="poisson")),
}
N, D = 90, 7


def rows():
    rng = np.random.default_rng(3)
    X = sp.csr_array(rng.poisson(0.5, (N, D)).astype(float))
    return X, rng.integers(0, 2, N)


def far_column(X, value=10**8):
    X.indices[5] = value
    return X


def negative_column(X):
    return far_column(X, -3)


def column_just_outside(X):
    return far_column(X, D)


def falling_pointer(X):
    X.indptr[4] = X.indptr[3] - 1
    return X


def far_pointer(X):
    X.indptr[4:] += 10**7
    return X


def shifted_pointer(X):
    X.indptr[0] = 2
    return X


def short_indices(X):
    X.indices = X.indices[:-5]
    return X


def short_pointer(X):
    X.indptr = X.indptr[:-2]
    return X


def of_columns(X):
    X = X.tocsc()
    X.indices[5] = N
    return X


def of_blocks(X):
    X = sp.bsr_array(X[:, :6], blocksize=(2, 2))
    X.indices[1] = 3
    return X


def of_coordinates(X):
    X = X.tocoo()
    X.row[0] = -1
    return X


def of_diagonals(X):
    X = sp.dia_array(X)
    X.offsets = X.offsets[:-1]
    return X


def without_values(X):
    X.data = None
    return X


def listed_indices(X):
    X.indices = X.indices.tolist()
    return X


def masked_values(X):
    X.data = np.ma.masked_array(X.data, X.data > 1)
    return X


def one_coordinate(X):
    X = X.tocoo()
    X.coords = X.coords[:1]
    return X


MALFORMED = (
    far_column, negative_column, column_just_outside, falling_pointer, far_pointer, shifted_pointer, short_indices,
    short_pointer, of_columns, of_blocks, of_coordinates, of_diagonals, without_values, listed_indices, masked_values,
    one_coordinate,
)  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("spoil", MALFORMED)
def test_a_malformed_sparse_matrix_is_rejected_in_fit_and_predict(name, spoil):
    X, y = rows()
    fitted = clone(MODELS[name]).fit(X, y)
    with pytest.raises(pt.DataError, match=r"the sparse matrix X.* is malformed"):
        clone(MODELS[name]).fit(spoil(X.copy()), y)
    with pytest.raises(pt.DataError, match=r"the sparse matrix X.* is malformed"):
        fitted.predict_proba(spoil(X.copy()))


def test_a_malformed_file_that_scipy_loads_is_rejected_at_the_size_where_kernels_are_compiled():
    n, d = 30_000, 40
    rng = np.random.default_rng(0)
    X = sp.csr_array((np.ones(n * 8), (np.repeat(np.arange(n), 8), rng.integers(0, d, n * 8))), shape=(n, d))
    X.indices[77] = 100_000_000
    file = io.BytesIO()
    sp.save_npz(file, X)
    with pytest.raises(pt.DataError, match=r"1 of its .* column indices lie outside 0 to 39, the first is 100000000"):
        pt.NaiveBayes(families="poisson").fit(sp.load_npz(io.BytesIO(file.getvalue())), rng.integers(0, 2, n))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("claim", [True, False])
def test_duplicate_and_unsorted_entries_are_summed_whatever_the_matrix_claims(name, claim):
    X, y = rows()
    coordinates = X.tocoo()
    order = np.argsort(coordinates.row, kind="stable")[::-1]
    order = order[np.argsort(coordinates.row[order], kind="stable")]
    columns = np.repeat(coordinates.col[order], 2)
    values = np.repeat(coordinates.data[order], 2)
    values[::2] -= 1.0
    values[1::2] = 1.0
    twice = sp.csr_array((N, D))
    twice.data, twice.indices, twice.indptr = values, columns, 2 * X.indptr
    if claim:
        twice.has_canonical_format = twice.has_sorted_indices = True
    before = twice.indices.copy(), twice.data.copy()
    one, two = (clone(MODELS[name]).fit(given, y).predict_proba(given) for given in (X, twice))
    np.testing.assert_allclose(two, one, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(twice.indices, before[0])
    np.testing.assert_array_equal(twice.data, before[1])


def test_comparisons_and_displays_check_the_indices_too():
    X, y = rows()
    model = pt.NaiveBayes(families="poisson").fit(X, y)
    spoiled = of_coordinates(X)
    for call in (
        lambda: pt.compare([model], spoiled, y, cv=2),
        lambda: pt.ReliabilityDisplay.from_estimator(model, spoiled, y),
        lambda: pt.PosteriorDisplay.from_estimator(model, spoiled, features=0),
    ):
        with pytest.raises(pt.DataError, match="malformed"):
            call()


@pytest.mark.parametrize("kind", [sp.csr_array, sp.coo_array, sp.csr_matrix])
def test_more_columns_than_memory_has_room_for_are_rejected_at_once(kind):
    with pytest.raises(pt.DataError, match="1,000,000,000,000 columns, most of them without any value"):
        pt.LogisticRegression(prior=1.0).fit(kind((60, 10**12)), np.arange(60) % 2)
