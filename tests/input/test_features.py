"""Validation of X: every container, order and type gives the result of a plain numpy array; errors name the column."""

import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import posteriori as pt

MODELS = {"logistic": pt.LogisticRegression(), "gaussian": pt.GaussianClassifier(), "bayes": pt.NaiveBayes()}
every_model = pytest.mark.parametrize("name", MODELS)


def whole_numbers(seed=0, n=120, d=4):
    """Return rows of small integers, which every type represents exactly."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return np.clip(np.round(3 * rng.standard_normal((n, d)) + 20 + y[:, None]), 0, 100), y


def probabilities(name, X, y):
    return MODELS[name].fit(X, y).predict_proba(X)


def same(name, X, atol=1e-12):
    """Check that X gives what the plain array of the same numbers gives."""
    plain, y = whole_numbers()
    found = probabilities(name, X, y)
    np.testing.assert_allclose(found, probabilities(name, plain, y), rtol=0, atol=atol)
    return found


def strided(X):
    wide = np.full((2 * X.shape[0], 3 * X.shape[1]), np.nan)
    wide[::2, ::3] = X
    return wide[::2, ::3]


def read_only(X):
    copy = X.copy()
    copy.flags.writeable = False
    return copy


ARRAYS = {
    "fortran": np.asfortranarray,
    "strided": strided,
    "backwards": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "read-only": read_only,
    "int8": lambda X: X.astype(np.int8),
    "uint8": lambda X: X.astype(np.uint8),
    "int32": lambda X: X.astype(np.int32),
    "int64": lambda X: X.astype(np.int64),
    "uint64": lambda X: X.astype(np.uint64),
    "float16": lambda X: X.astype(np.float16),
    "big-endian": lambda X: X.astype(">f8"),
    "big-endian int": lambda X: X.astype(">i4"),
    "longdouble": lambda X: X.astype(np.longdouble),
    "object": lambda X: X.astype(object),
    "object of ints": lambda X: X.astype(int).astype(object),
    "list": lambda X: X.tolist(),
    "list of arrays": list,
    "tuple": lambda X: tuple(map(tuple, X)),
}


@every_model
@pytest.mark.parametrize("kind", ARRAYS)
def test_arrays_of_any_order_and_type_give_the_plain_result(name, kind):
    X, _ = whole_numbers()
    same(name, ARRAYS[kind](X))


@every_model
def test_single_precision_is_summed_in_double_and_answered_in_single(name):
    X, y = whole_numbers()
    found = same(name, X.astype(np.float32), atol=1e-7)
    assert found.dtype == np.float32
    assert probabilities(name, X, y).dtype == np.float64
    fitted = MODELS[name].fit(X, y)
    np.testing.assert_array_equal(
        fitted.predict_proba(X.astype(np.float32)), fitted.predict_proba(X).astype(np.float32)
    )


@every_model
def test_truth_values_are_zeros_and_ones(name):
    rng = np.random.default_rng(0)
    X, y = rng.random((200, 3)) < 0.5, rng.integers(0, 2, 200)
    model = pt.NaiveBayes(families="gaussian") if name == "bayes" else MODELS[name]
    wanted = model.fit(X.astype(float), y).predict_proba(X.astype(float))
    np.testing.assert_allclose(model.fit(X, y).predict_proba(X), wanted, rtol=0, atol=1e-12)


@every_model
def test_memory_mapped_rows_give_the_plain_result(name, tmp_path):
    X, _ = whole_numbers()
    np.save(tmp_path / "X.npy", X)
    same(name, np.load(tmp_path / "X.npy", mmap_mode="r"))


def with_duplicates(X):
    """Return a COO matrix in which every cell is stored in two parts, with explicit zeros between."""
    row, column = np.indices(X.shape).reshape(2, -1)
    values = np.concatenate([X.ravel() - 1.0, np.ones(X.size), np.zeros(5)])
    rows, columns = np.concatenate([row, row, row[:5]]), np.concatenate([column, column, column[:5]])
    return sp.coo_array((values, (rows, columns)), shape=X.shape)


def wide_indices(X):
    matrix = sp.csr_array(X)
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    return matrix


def duplicated_csr(X):
    """Return a CSR matrix with unsorted duplicates."""
    parts = with_duplicates(X)
    order = np.argsort(parts.row, kind="stable")
    pointers = np.concatenate([[0], np.cumsum(np.bincount(parts.row, minlength=X.shape[0]))])
    return sp.csr_array((parts.data[order], parts.col[order], pointers), shape=X.shape)


def unsorted(X):
    matrix = sp.csr_array(X)
    for i in range(X.shape[0]):
        part = slice(matrix.indptr[i], matrix.indptr[i + 1])
        matrix.indices[part], matrix.data[part] = matrix.indices[part][::-1].copy(), matrix.data[part][::-1].copy()
    matrix.has_sorted_indices = False
    return matrix


SPARSE = {
    "csr": sp.csr_array,
    "csr matrix": sp.csr_matrix,
    "csc": sp.csc_array,
    "coo": sp.coo_array,
    "lil": sp.lil_array,
    "int64 indices": wide_indices,
    "duplicates and explicit zeros": with_duplicates,
    "duplicates in csr": duplicated_csr,
    "unsorted": unsorted,
    "float32": lambda X: sp.csr_array(X.astype(np.float32)),
    "int": lambda X: sp.csr_array(X.astype(int)),
}


def holed():
    """Return integers, most of them zero."""
    X, y = whole_numbers()
    X = np.where(np.random.default_rng(1).random(X.shape) < 0.6, 0.0, X)
    return X, y


@pytest.mark.parametrize("kind", SPARSE)
@pytest.mark.parametrize("classes", [2, 3])
def test_sparse_rows_give_the_dense_result(kind, classes):
    X, y = holed()
    y = y if classes == 2 else (y + np.arange(len(y)) % 2)
    model = pt.LogisticRegression(prior=0.5)
    wanted = model.fit(X, y).predict_proba(X)
    matrix = SPARSE[kind](X)
    model = pt.LogisticRegression(prior=0.5).fit(matrix, y)
    np.testing.assert_allclose(model.predict_proba(matrix), wanted, rtol=0, atol=1e-6 if kind == "float32" else 1e-10)
    np.testing.assert_allclose(model.predict_proba(X), wanted, rtol=0, atol=1e-10)


@pytest.mark.parametrize("kind", ["csr", "csr matrix", "csc", "duplicates in csr", "unsorted", "int64 indices"])
def test_sparse_rows_are_never_changed(kind):
    X, y = holed()
    matrix = SPARSE[kind](X)
    before = matrix.copy()
    pt.LogisticRegression(prior=0.5).fit(matrix, y).predict(matrix)
    for part in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(matrix, part), getattr(before, part))


def test_sparse_rows_without_intercept_and_with_weights_and_offset_give_the_dense_result():
    X, y = holed()
    rng = np.random.default_rng(0)
    more = {"sample_weight": rng.uniform(0, 2, len(y)), "offset": rng.standard_normal(len(y))}
    for fit_intercept in (True, False):
        dense = pt.LogisticRegression(fit_intercept=fit_intercept).fit(X, y, **more)
        sparse = pt.LogisticRegression(fit_intercept=fit_intercept).fit(sp.csr_array(X), y, **more)
        np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=1e-7)
        np.testing.assert_allclose(
            sparse.predict_proba(sp.csr_array(X), offset=more["offset"]),
            dense.predict_proba(X, offset=more["offset"]),
            rtol=0,
            atol=1e-10,
        )


@every_model
def test_a_model_takes_sparse_rows_or_refuses_them_as_its_tags_say(name):
    X, y = holed()
    if MODELS[name].__sklearn_tags__().input_tags.sparse:
        found = MODELS[name].fit(sp.csr_array(X), y).predict_proba(sp.csr_array(X))
        np.testing.assert_allclose(found, probabilities(name, X, y), rtol=0, atol=1e-10)
    else:
        with pytest.raises(pt.DataError, match=r"[Ss]parse"):
            MODELS[name].fit(sp.csr_array(X), y)


NAMES = ["a", "b", "c", "d"]


def mixed(X):
    """Return a pandas frame whose columns have four types."""
    frame = pd.DataFrame(X, columns=NAMES)
    return frame.astype({"a": "int64", "b": "float32", "c": "Int64", "d": "Float64"})


FRAMES = {
    "pandas": lambda X: pd.DataFrame(X, columns=NAMES),
    "pandas ints": lambda X: pd.DataFrame(X.astype(int), columns=NAMES),
    "pandas nullable": lambda X: pd.DataFrame(X.astype(int), columns=NAMES).astype("Int64"),
    "pandas Float64": lambda X: pd.DataFrame(X, columns=NAMES).astype("Float64"),
    "pandas arrow": lambda X: pd.DataFrame(X, columns=NAMES).astype("double[pyarrow]"),
    "pandas arrow int": lambda X: pd.DataFrame(X.astype(int), columns=NAMES).astype("int64[pyarrow]"),
    "pandas mixed": mixed,
    "pandas numbered": pd.DataFrame,
    "polars": lambda X: pl.DataFrame(X, schema=NAMES),
    "polars ints": lambda X: pl.DataFrame(X.astype(int), schema=NAMES),
    "polars small ints": lambda X: pl.DataFrame(X.astype(int), schema=NAMES).cast(pl.Int16),
    "pyarrow": lambda X: pa.table({name: X[:, j] for j, name in enumerate(NAMES)}),
    "pyarrow ints": lambda X: pa.table({name: X[:, j].astype(int) for j, name in enumerate(NAMES)}),
    "pyarrow chunked": lambda X: pa.concat_tables(
        [pa.table({name: part[:, j] for j, name in enumerate(NAMES)}) for part in np.array_split(X, 5)]
    ),
}


@every_model
@pytest.mark.parametrize("kind", FRAMES)
def test_frames_of_any_library_give_the_plain_result(name, kind):
    X, y = whole_numbers()
    frame = FRAMES[kind](X)
    same(name, frame)
    model = MODELS[name].fit(frame, y)
    assert model.n_features_in_ == 4
    if kind == "pandas numbered":
        assert not hasattr(model, "feature_names_in_")
    else:
        assert model.feature_names_in_.tolist() == NAMES


@every_model
def test_boolean_columns_of_a_frame_are_taken(name):
    rng = np.random.default_rng(0)
    X, y = rng.random((200, 2)) < 0.5, rng.integers(0, 2, 200)
    for frame in (pd.DataFrame(X, columns=["a", "b"]), pl.DataFrame(X, schema=["a", "b"])):
        assert MODELS[name].fit(frame, y).predict_proba(frame).shape == (200, 2)


def test_a_gap_in_a_nullable_column_is_named_like_a_nan():
    X, y = whole_numbers()
    for frame in (
        pd.DataFrame(X.astype(int), columns=NAMES)
        .astype("Int64")
        .mask(pd.DataFrame(np.isin(X, X[7, 2]), columns=NAMES)),
        pl.DataFrame(X, schema=NAMES).with_columns(
            pl.when(pl.col("c") == X[7, 2]).then(None).otherwise(pl.col("c")).alias("c")
        ),
    ):
        with pytest.raises(pt.DataError, match=r"Input X contains NaN\. In column '.'"):
            pt.LogisticRegression().fit(frame, y)


# --- what is refused


BAD = [(np.nan, "Input X contains NaN"), (np.inf, "contains infinity"), (-np.inf, "contains infinity")]


@pytest.mark.parametrize(("value", "message"), BAD)
@pytest.mark.parametrize("name", ["logistic", "gaussian"])
def test_a_cell_that_is_not_finite_is_named_in_fit_and_predict(name, value, message):
    X, y = whole_numbers()
    bad = X.copy()
    bad[[11, 50, 51], 2] = value
    where = r"column 2: 3 cell\(s\), the first in row 11"
    with pytest.raises(pt.DataError, match=rf"{message}.*{where}"):
        MODELS[name].fit(bad, y)
    model = MODELS[name].fit(X, y)
    for method in (model.predict, model.predict_proba, model.predict_log_proba, model.decision_function):
        with pytest.raises(pt.DataError, match=rf"{message}.*{where}"):
            method(bad)
    frame = pd.DataFrame(bad, columns=NAMES)
    with pytest.raises(pt.DataError, match=r"column 'c': 3 cell\(s\), the first in row 11"):
        MODELS[name].fit(frame, y)


def test_an_infinite_cell_is_named_by_naive_bayes_and_a_gap_is_marginalised():
    X, y = whole_numbers()
    bad = X.copy()
    bad[3, 1] = np.inf
    with pytest.raises(pt.DataError, match=r"column 1: 1 cell\(s\), the first in row 3"):
        pt.NaiveBayes().fit(bad, y)
    bad[3, 1] = np.nan
    assert np.isfinite(pt.NaiveBayes().fit(bad, y).predict_proba(bad)).all()


def test_bad_cells_of_several_columns_are_counted():
    X, y = whole_numbers()
    X[5, 0], X[4, 3], X[9, 3] = np.nan, np.nan, np.nan
    with pytest.raises(pt.DataError, match=r"column 3: 2 cell\(s\), the first in row 4; 1 more in column\(s\) 0"):
        pt.LogisticRegression().fit(X, y)


def test_the_row_named_is_the_users_own_where_some_have_no_weight():
    X, y = whole_numbers()
    X[20, 1] = np.nan
    weights = np.ones(len(y))
    weights[:7] = 0
    with pytest.raises(pt.DataError, match="the first in row 20"):
        pt.LogisticRegression().fit(X, y, sample_weight=weights)


def test_a_sparse_cell_that_is_not_finite_is_named():
    X, y = holed()
    X[13, 1] = np.nan
    with pytest.raises(pt.DataError, match=r"column 1: 1 cell\(s\), the first in row 13"):
        pt.LogisticRegression().fit(sp.csr_array(X), y)


@every_model
@pytest.mark.parametrize("text", ["1_000", " 3 ", "1e5", "x"])
def test_text_is_not_read_as_a_number(name, text):
    X, y = whole_numbers()
    cells = X.astype(object)
    cells[4, 2] = text
    with pytest.raises(pt.DataError, match="In column 2, row 4, and 0 more"):
        MODELS[name].fit(cells, y)
    with pytest.raises(pt.DataError):
        MODELS[name].fit(X.astype(str), y)


@pytest.mark.parametrize("name", ["logistic", "gaussian"])
def test_a_text_column_of_a_frame_is_named(name):
    X, y = whole_numbers()
    frame = pd.DataFrame(X, columns=NAMES).assign(c="1_000")
    with pytest.raises(pt.DataError, match=r"1 column\(s\) of the frame are text \('c'\)"):
        MODELS[name].fit(frame, y)


def test_dates_and_nested_cells_are_refused_by_column():
    X, y = whole_numbers()
    frame = pd.DataFrame(X, columns=NAMES).assign(b=pd.Timestamp("2020-01-01"))
    with pytest.raises(pt.DataTypeError, match="column 'b'"):
        pt.LogisticRegression().fit(frame, y)
    nested = pl.DataFrame(X, schema=NAMES).with_columns(pl.lit([1, 2]).alias("b"))
    with pytest.raises(pt.DataTypeError, match="column 'b'"):
        pt.LogisticRegression().fit(nested, y)


@every_model
def test_complex_cells_are_refused(name):
    X, y = whole_numbers()
    with pytest.raises(pt.DataError, match=r"[Cc]omplex"):
        MODELS[name].fit(X + 1j, y)


@every_model
def test_no_rows_and_no_columns_are_refused(name):
    X, y = whole_numbers()
    with pytest.raises(pt.DataError, match=r"0 sample\(s\)|[Nn]o rows"):
        MODELS[name].fit(X[:0], y[:0])
    with pytest.raises(pt.DataError, match=r"0 feature\(s\)|[Nn]o columns"):
        MODELS[name].fit(X[:, :0], y)
    with pytest.raises(pt.DataError, match=r"0 sample\(s\)|[Nn]o rows"):
        MODELS[name].fit(pd.DataFrame(X[:0], columns=NAMES), y[:0])
    with pytest.raises(pt.DataError, match=r"0 feature\(s\)|[Nn]o columns"):
        MODELS[name].fit(pd.DataFrame(index=range(len(y))), y)


@every_model
def test_one_and_three_dimensions_are_refused(name):
    X, y = whole_numbers()
    for bad in (X[:, 0], X[None], 3.0):
        with pytest.raises(pt.DataError):
            MODELS[name].fit(bad, y)


@every_model
def test_another_number_of_columns_in_predict_is_counted(name):
    X, y = whole_numbers()
    model = MODELS[name].fit(X, y)
    with pytest.raises(pt.DataError, match=r"X has 3 features, but .* is expecting 4 features"):
        model.predict(X[:, :3])


@every_model
def test_columns_of_other_names_or_order_are_refused(name):
    X, y = whole_numbers()
    frame = pd.DataFrame(X, columns=NAMES)
    model = MODELS[name].fit(frame, y)
    with pytest.raises(pt.DataError, match="feature names"):
        model.predict(frame[NAMES[::-1]])
    with pytest.raises(pt.DataError, match="feature names"):
        model.predict(frame.rename(columns={"b": "z"}))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(X)


def test_a_column_below_the_normal_range_is_named():
    X, y = whole_numbers()
    X[:, 1] *= 1e-322
    with pytest.raises(pt.DataError, match="column 1 is below the normal float range"):
        pt.LogisticRegression().fit(X, y)


def test_no_numpy_warning_escapes_from_bad_cells():
    X, y = whole_numbers()
    X[0, 0] = np.inf
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(pt.DataError):
            pt.LogisticRegression().fit(X, y)


def test_a_batch_of_arrow_and_its_rare_types_are_read_as_a_table():
    cells = {"word": ["u", "v", "u", "v", "v"], "x": [0.5, 1.5, 1.0, 2.5, 0.0]}
    y = ["a", "b", "a", "b", "a"]
    usual = pa.table(cells)
    rare = pa.table({"word": pa.array(cells["word"], pa.string_view()), "x": cells["x"]})
    model = pt.NaiveBayes(shared=True).fit(usual, y)
    for given in (usual.to_batches()[0], rare, rare.to_batches()[0]):
        other = pt.NaiveBayes(shared=True).fit(given, y)
        assert other.feature_names_in_.tolist() == ["word", "x"]
        for fitted in (model, other):
            np.testing.assert_array_equal(fitted.predict_proba(given), model.predict_proba(usual))


OBJECTS = {
    "numbers": ([Decimal(number) for number in range(12)], list(map(float, range(12)))),
    "booleans": ([True, False, True] * 4, [True, False, True] * 4),
}


@pytest.mark.parametrize("objects", OBJECTS)
@pytest.mark.parametrize("model", [pt.NaiveBayes(), pt.LogisticRegression(prior=1.0)])
def test_columns_of_objects_have_the_kind_that_table_classifier_infers(model, objects):
    cells, plain = OBJECTS[objects]
    y = np.arange(12) % 2
    X = pd.DataFrame({"x": pd.Series(cells, dtype=object)})
    expected = model.fit(pd.DataFrame({"x": plain}), y).predict_proba(pd.DataFrame({"x": plain}))
    np.testing.assert_allclose(model.fit(X, y).predict_proba(X), expected)
    np.testing.assert_allclose(pt.TableClassifier(model).fit(X, y).predict_proba(X), expected)


def test_a_numeric_column_may_be_empty_text_in_predict():
    X, y = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [1.0, 2.0, 1.5, 4.0]}), [0, 1, 0, 1]
    model = pt.NaiveBayes(shared=True).fit(X, y)
    expected = model.predict_proba(X.assign(b=np.nan))
    np.testing.assert_array_equal(model.predict_proba(X.assign(b=pd.Series([None] * 4, dtype=object))), expected)
    np.testing.assert_array_equal(
        model.predict_proba(pl.DataFrame(X[["a"]]).with_columns(b=pl.lit(None, pl.String))), expected
    )
