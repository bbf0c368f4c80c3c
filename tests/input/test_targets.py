"""Validation of y, weights and offsets: labels are returned unchanged, errors name and count what is invalid."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import posteriori as pt
from posteriori.input.targets import read_targets
from posteriori.input.weights import read_offset, read_weights

MODELS = {"logistic": pt.LogisticRegression(), "gaussian": pt.GaussianClassifier(), "bayes": pt.NaiveBayes()}
every_model = pytest.mark.parametrize("name", MODELS)
RNG = np.random.default_rng(0)
CODES = RNG.permutation(np.arange(80) % 2)
X = RNG.standard_normal((80, 2)) + 0.5 * CODES[:, None]


def labels(*values):
    """Return labels of the rows above: the first value for class 0, the second for class 1."""
    return [values[code] for code in CODES]


KINDS = {
    "str": (np.array(labels("no", "yes")), "U"),
    "bytes": (np.array(labels(b"no", b"yes")), "S"),
    "bool": (np.array(labels(False, True)), "b"),
    "int64": (np.array(labels(-5, 3)), "i"),
    "int8": (np.array(labels(-5, 3), dtype=np.int8), "i"),
    "uint8": (np.array(labels(0, 255), dtype=np.uint8), "u"),
    "uint64": (np.array(labels(2**63, 2**63 + 5), dtype=np.uint64), "u"),
    "wide int": (np.array(labels(-(2**62), 2**62)), "i"),
    "whole floats": (np.array(labels(0.0, 1.0)), "f"),
    "float32": (np.array(labels(1.0, 2.0), dtype=np.float32), "f"),
    "date": (np.array(labels("2020-01-01", "2021-05-05"), dtype="datetime64[D]"), "M"),
    "object of str": (np.array(labels("no", "yes"), dtype=object), "O"),
}


@every_model
@pytest.mark.parametrize("kind", KINDS)
def test_labels_come_back_with_the_type_given(name, kind):
    y, letter = KINDS[kind]
    model = MODELS[name].fit(X, y)
    assert model.classes_.dtype == y.dtype
    assert model.classes_.dtype.kind == letter
    assert model.predict(X).dtype == y.dtype
    assert set(model.predict(X).tolist()) <= set(y.tolist())
    assert model.classes_.tolist() == sorted(set(y.tolist()))
    np.testing.assert_array_equal(model.predict_proba(X), MODELS[name].fit(X, CODES).predict_proba(X))


LISTS = {
    "list of str": (labels("no", "yes"), ["no", "yes"]),
    "list of int": (labels(1, 4), [1, 4]),
    "list of bool": (labels(False, True), [False, True]),
    "list of bytes": (labels(b"no", b"yes"), [b"no", b"yes"]),
    "tuple": (tuple(labels(1, 4)), [1, 4]),
    "object of int": (np.array(labels(1, 4), dtype=object), [1, 4]),
    "object of bool": (np.array(labels(False, True), dtype=object), [False, True]),
    "pandas str": (pd.Series(labels("no", "yes")), ["no", "yes"]),
    "pandas category": (pd.Series(labels("no", "yes"), dtype="category"), ["no", "yes"]),
    "pandas nullable int": (pd.Series(labels(1, 4), dtype="Int64"), [1, 4]),
    "pandas nullable bool": (pd.Series(labels(False, True), dtype="boolean"), [False, True]),
    "pandas arrow str": (pd.Series(labels("no", "yes"), dtype="string[pyarrow]"), ["no", "yes"]),
    "pandas with an index": (pd.Series(labels("no", "yes"), index=np.arange(80)[::-1]), ["no", "yes"]),
    "polars str": (pl.Series(labels("no", "yes")), ["no", "yes"]),
    "polars category": (pl.Series(labels("no", "yes"), dtype=pl.Categorical), ["no", "yes"]),
    "polars int": (pl.Series(labels(1, 4)), [1, 4]),
    "pyarrow str": (pa.chunked_array([labels("no", "yes")]), ["no", "yes"]),
}


@every_model
@pytest.mark.parametrize("kind", LISTS)
def test_labels_in_any_container_are_the_classes(name, kind):
    y, classes = LISTS[kind]
    model = MODELS[name].fit(X, y)
    assert model.classes_.tolist() == classes
    assert [type(value) for value in model.classes_.tolist()] == [type(value) for value in classes]
    np.testing.assert_array_equal(model.predict_proba(X), MODELS[name].fit(X, CODES).predict_proba(X))


@every_model
def test_minus_zero_is_the_class_zero(name):
    model = MODELS[name].fit(X, np.where(CODES == 1, 1.0, np.where(np.arange(80) % 3, 0.0, -0.0)))
    assert model.classes_.tolist() == [0.0, 1.0]
    assert not np.signbit(model.classes_).any()


MIXED = {
    "list of int and str": (labels(0, "yes"), "int and str"),
    "object of int and str": (np.array(labels(0, "yes"), dtype=object), "int and str"),
    "list of str and bytes": (labels("no", b"yes"), "bytes and str"),
    "object of bool and int": (np.array(labels(False, 1), dtype=object), "bool and int"),
    "object of float and str": (np.array(labels(0.0, "yes"), dtype=object), "float and str"),
    "pandas of int and str": (pd.Series(labels(0, "yes"), dtype=object), "int and str"),
}


@every_model
@pytest.mark.parametrize("kind", MIXED)
def test_labels_of_two_types_are_refused_by_type(name, kind):
    y, message = MIXED[kind]
    with pytest.raises(pt.DataError, match=f"labels mix {message}"):
        MODELS[name].fit(X, y)


def with_gap(gap, dtype=None):
    y = labels("no", "yes")
    y[5] = y[9] = gap
    return y if dtype is None else pd.Series(y, dtype=dtype)


GAPS = {
    "None in a list": with_gap(None),
    "nan in a list": with_gap(float("nan")),
    "nan": np.where(np.isin(np.arange(80), [5, 9]), np.nan, CODES),
    "NaT": np.where(np.isin(np.arange(80), [5, 9]), np.datetime64("NaT", "D"), np.datetime64("2020-01-01")),
    "pandas NA": with_gap(pd.NA, "string"),
    "pandas None": with_gap(None, object),
    "pandas Int64": pd.Series(CODES, dtype="Int64").mask(np.isin(np.arange(80), [5, 9])),
    "pandas category": with_gap(None, "category"),
    "polars null": pl.Series(with_gap(None)),
    "object of None": np.array(with_gap(None), dtype=object),
}


@every_model
@pytest.mark.parametrize("kind", GAPS)
def test_missing_labels_are_counted(name, kind):
    with pytest.raises(pt.DataError, match=r"Input y contains NaN\. 2 label\(s\) are missing"):
        MODELS[name].fit(X, GAPS[kind])


def test_the_first_missing_label_is_named():
    with pytest.raises(pt.DataError, match="the first is row 5"):
        pt.LogisticRegression().fit(X, GAPS["nan"])


@every_model
@pytest.mark.parametrize("y", [["spam"] * 80, np.zeros(80, int), np.ones(80, bool)], ids=["str", "int", "bool"])
def test_one_class_is_refused_by_name_and_count(name, y):
    value = y[0] if isinstance(y[0], str) else y[0].item()
    with pytest.raises(pt.DataError, match=rf"target 'y' has one class \({value!r}, 80 rows\); two are needed"):
        MODELS[name].fit(X, y)


@every_model
def test_one_class_left_by_the_weights_is_refused(name):
    with pytest.raises(pt.DataError, match=rf"has one class \(1, {CODES.sum()} rows\)"):
        MODELS[name].fit(X, CODES, sample_weight=CODES)


@every_model
def test_a_class_without_weight_is_as_if_its_rows_were_not_there(name):
    y = CODES.copy()
    y[:4] = 7
    weights = np.where(y == 7, 0.0, 1.0)
    model = MODELS[name].fit(X, y, sample_weight=weights)
    assert model.classes_.tolist() == [0, 1]


@every_model
def test_continuous_labels_are_refused(name):
    with pytest.raises(pt.DataError, match="Unknown label type"):
        MODELS[name].fit(X, X[:, 0])


@every_model
def test_infinite_labels_are_refused(name):
    with pytest.raises(pt.DataError, match="infinity"):
        MODELS[name].fit(X, np.where(CODES, np.inf, 0.0))


@every_model
def test_a_wrong_number_of_labels_is_counted(name):
    with pytest.raises(pt.DataError, match="X has 80 rows and y has 79"):
        MODELS[name].fit(X, CODES[:-1])


@every_model
@pytest.mark.parametrize("y", [None, CODES + 1j, np.array([{} for _ in CODES])], ids=["none", "complex", "dict"])
def test_labels_that_are_none_are_refused(name, y):
    with pytest.raises(pt.DataError):
        MODELS[name].fit(X, y)


@pytest.mark.parametrize("name", ["gaussian", "bayes"])
def test_models_of_labels_refuse_counts(name):
    with pytest.raises(pt.DataError, match=r"class counts|1d array"):
        MODELS[name].fit(X, pt.counts(successes=CODES, trials=np.ones(80)))
    with pytest.raises(pt.DataError, match="1d array"):
        MODELS[name].fit(X, np.eye(2)[CODES])


def test_dates_of_python_are_labels():
    model = pt.GaussianClassifier().fit(X, np.array(labels(datetime.date(2020, 1, 1), datetime.date(2021, 1, 1))))
    assert model.classes_.tolist() == [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)]


def test_classes_known_before_are_matched_by_value():
    found = read_targets(np.array(["b", "a"]), 2, classes=np.array(["a", "b", "c"]))
    assert found.codes.tolist() == [1, 0]
    with pytest.raises(pt.DataError, match=r"1 unknown class\(es\): 'z'"):
        read_targets(np.array(["z", "a"]), 2, classes=np.array(["a", "b", "c"]))


# --- counts


def test_counts_refuse_what_cannot_be():
    with pytest.raises(pt.DataError, match="one of trials and failures"):
        pt.counts(successes=[1], trials=[2], failures=[1])
    with pytest.raises(pt.DataError, match="one of trials and failures"):
        pt.counts(successes=[1])
    with pytest.raises(pt.DataError, match=r"1 rows .* the first is row 1 \(3 successes, -1 failures\)"):
        pt.counts(successes=[1, 3], trials=[2, 2])
    with pytest.raises(pt.DataError, match="vectors of equal length"):
        pt.counts(successes=[1, 3], trials=[2, 2, 2])
    for bad, message in (
        ([[1.0, -1.0]] * 3, "3 rows are not"),
        ([[1.0, np.nan]] * 3, "3 rows are not"),
        ([[0.0, 2.0]] * 3, "one class"),
    ):
        with pytest.raises(pt.DataError, match=message):
            pt.LogisticRegression().fit(X[:3], np.array(bad))
    with pytest.raises(pt.DataError, match="X has 80 rows and y has 3"):
        pt.LogisticRegression().fit(X, np.array([[1.0, 2.0]] * 3))


# --- weights and offsets


WEIGHTS = {
    "negative": (np.where(np.arange(80) == 3, -1.0, 1.0), r"1 of 80 weights are negative, the first at row 3 \(-1\)"),
    "nan": (np.where(np.arange(80) > 77, np.nan, 1.0), "2 of 80 weights are not finite, the first at row 78"),
    "inf": (np.where(np.arange(80) == 0, np.inf, 1.0), "1 of 80 weights are not finite, the first at row 0"),
    "all zero": (np.zeros(80), "all 80 weights are zero"),
    "too few": (np.ones(79), r"expected \(80,\)"),
    "a column": (np.ones((80, 1)), "Sample weights must be 1D array or scalar"),
    "text": (np.array(["1"] * 80), "sample_weight must be numbers"),
    "objects": (np.array(["a"] * 80, dtype=object), "sample_weight must be numbers"),
}


@every_model
@pytest.mark.parametrize("kind", WEIGHTS)
def test_weights_that_cannot_be_are_named_and_counted(name, kind):
    weights, message = WEIGHTS[kind]
    with pytest.raises(pt.DataError, match=message):
        MODELS[name].fit(X, CODES, sample_weight=weights)


@every_model
@pytest.mark.parametrize("value", [1e-12, 1e12, 1e307, 1e-300])
def test_weights_of_any_size_throughout_change_nothing(name, value):
    wanted = MODELS[name].fit(X, CODES).predict_proba(X)
    found = MODELS[name].fit(X, CODES, sample_weight=np.full(80, value)).predict_proba(X)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9)


@every_model
def test_a_number_is_the_weight_of_every_row_and_integers_are_weights(name):
    wanted = MODELS[name].fit(X, CODES, sample_weight=np.full(80, 2.0)).predict_proba(X)
    for weights in (2, np.full(80, 2), np.full(80, 2, np.int8), [2] * 80, pd.Series([2.0] * 80)):
        np.testing.assert_array_equal(MODELS[name].fit(X, CODES, sample_weight=weights).predict_proba(X), wanted)


def test_weights_whose_sum_would_overflow_are_scaled_by_a_power_of_two():
    weights = read_weights(np.array([1e308, 5e307]), 2)
    assert np.isfinite(weights.sum())
    assert weights[0] / weights[1] == 2.0


def test_an_offset_has_one_number_for_each_row_and_score():
    assert read_offset(None, 3, 1) is None
    assert read_offset(2.0, 3, 1).tolist() == [[2.0]] * 3
    assert read_offset([1, 2, 3], 3, 1).tolist() == [[1.0], [2.0], [3.0]]
    with pytest.raises(pt.DataError, match=r"offset has shape \(2,\), expected \(3,\)"):
        read_offset([1, 2], 3, 1)
    with pytest.raises(pt.DataError, match=r"expected \(3, 4\)"):
        read_offset([1, 2, 3], 3, 4)
    with pytest.raises(pt.DataError, match="1 rows are not finite, the first is row 1"):
        read_offset([1, np.nan, 3], 3, 1)


# --- scikit-learn's names


NAMES = {
    "C": (0.5, r"corresponds to prior=2\.0 in posteriori"),
    "penalty": ("l2", "prior="),
    "l1_ratio": (0.5, "Gaussian"),
    "class_weight": ("balanced", "sample_weight"),
    "n_jobs": (2, r"posteriori\.options\(threads=2\)"),
    "var_smoothing": (1e-9, "no constant is added to variances"),
    "alpha": (1.0, r"corresponds to smoothing=1\.0"),
}


@every_model
@pytest.mark.parametrize("parameter", NAMES)
def test_the_names_of_scikit_learn_are_translated(name, parameter):
    value, message = NAMES[parameter]
    kind = type(MODELS[name])
    with pytest.raises(TypeError, match=f"{kind.__name__} has no parameter {parameter}: .*{message}"):
        kind(**{parameter: value})
    with pytest.raises(TypeError, match=message):
        kind().set_params(**{parameter: value})


@every_model
def test_an_unknown_name_is_scikit_learns_error(name):
    with pytest.raises(TypeError):
        type(MODELS[name])(nonsense=1)
    with pytest.raises(ValueError, match="Invalid parameter 'nonsense'"):
        type(MODELS[name])().set_params(nonsense=1)
