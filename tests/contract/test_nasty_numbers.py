"""Nasty numbers, one test an entry: separation, dependence, scale, weights, labels, containers (N1-N51)."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from scipy.special import expit, log_expit
from sklearn.datasets import load_iris

import posteriori as pt


def plain(n=200, d=3, seed=0):
    """Give ordinary rows: overlapping classes, independent columns."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, (X @ np.linspace(1.0, -0.5, d) + rng.logistic(size=n) > 0.2).astype(int)


def logistic(**parameters):
    return pt.LogisticRegression(**parameters)


# --- the maximum that is not there


def test_n01_complete_separation_is_found_named_and_its_cures_offered():
    X = np.column_stack([np.arange(12.0), np.tile([0.3, -0.2, 0.5], 4)])
    y = (X[:, 0] > 5.5).astype(int)
    frame = pd.DataFrame(X, columns=["dose", "noise"])
    with pytest.warns(pt.SeparationWarning, match="dose") as caught:
        model = logistic().fit(frame, y)
    text = str(caught[0].message)
    assert "jeffreys" in text
    assert "prior=" in text
    assert model.fit_status_ == "separated"
    assert np.isfinite(model.coef_).all()
    shown = model.summary().to_frame("pandas")
    row = shown.loc[shown["term"] == "dose"].iloc[0]
    assert np.isinf(row["estimate"])
    assert np.isnan(row["standard_error"])
    np.testing.assert_allclose(model.predict_proba(frame)[:, 1], y, atol=1e-7)
    assert np.isfinite(model.predict_log_proba(frame)).all()


def test_n02_quasi_separation_leaves_the_other_columns_their_estimates():
    rng = np.random.default_rng(3)
    x = rng.standard_normal(300)
    trigger = np.zeros(300)
    trigger[:40] = 1.0
    y = (0.8 * x + rng.logistic(size=300) > 0).astype(int)
    y[:40] = 1  # every row with the trigger is positive
    with pytest.warns(pt.SeparationWarning, match=r"column.* 1 "):
        model = logistic().fit(np.column_stack([x, trigger]), y)
    assert model.infinite_[0].tolist() == [0, 0, 1]
    rest = logistic().fit(x[40:, None], y[40:])
    assert model.coef_[0, 0] == pytest.approx(rest.coef_[0, 0], abs=1e-6)
    assert model.intercept_[0] == pytest.approx(rest.intercept_[0], abs=1e-6)


def test_n03_softmax_separation_is_named_by_class():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    with pytest.warns(pt.SeparationWarning, match="setosa"):
        model = logistic().fit(X, names)
    assert model.fit_status_ == "separated"
    assert pt.separation(X, names).kind == "quasi"  # the other two overlap


@pytest.mark.parametrize("link", ["probit", "cloglog", "loglog", "cauchit"])
def test_n04_separation_does_not_depend_on_the_link(link):
    X = np.arange(12.0)[:, None]
    y = (X[:, 0] > 5.5).astype(int)
    with pytest.warns(pt.SeparationWarning, match=r"column.* 0 "):
        model = pt.BinaryRegression(link=link).fit(X, y)
    assert model.fit_status_ == "separated"


def test_n04_a_trigger_that_never_fails_is_named_under_noisy_or():
    X = np.array([[1, 0], [1, 0], [1, 1], [0, 1], [0, 1], [0, 0], [0, 1], [0, 0]], float)
    y = np.array([1, 1, 1, 0, 1, 0, 0, 1])
    with pytest.warns(pt.SeparationWarning, match=r"column.* 0 "):
        model = pt.NoisyOr().fit(X, y)
    assert model.failure_probabilities_[0] < 1e-6


def test_n05_a_nearly_separated_fit_is_exact_and_raises_no_alarm():
    x = np.concatenate([np.arange(-50.0, 0.0), np.arange(0.0, 50.0)])
    y = (x >= 0).astype(int)
    y[49], y[50] = 1, 0  # one pair the wrong way round is all the overlap there is
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = logistic().fit(x[:, None], y)
    assert model.fit_status_ == "ok"
    p = model.predict_proba(x[:, None])[:, 1]
    np.testing.assert_allclose([(p - y).sum(), x @ (p - y)], 0.0, atol=1e-8)


# --- columns that depend on each other


def test_n06_dependent_columns_are_named_with_their_combination():
    X, y = plain()
    wide = pd.DataFrame(np.column_stack([X, 2 * X[:, 0] - X[:, 1]]), columns=["a", "b", "c", "d"])
    with pytest.warns(pt.CollinearityWarning, match=r"'d'") as caught:
        model = logistic().fit(wide, y)
    assert "a" in str(caught[0].message)
    assert model.fit_status_ == "aliased"
    np.testing.assert_allclose(model.predict_proba(wide), logistic().fit(X, y).predict_proba(X), atol=1e-9)
    shown = model.summary().to_frame("pandas")
    assert np.isnan(shown.loc[shown["term"] == "d", "standard_error"].iloc[0])


def test_n07_a_constant_column_is_called_constant():
    X, y = plain()
    frame = pd.DataFrame(np.column_stack([X, np.full(len(X), 7.0)]), columns=["a", "b", "c", "k"])
    with pytest.warns(pt.CollinearityWarning, match=r"'k'.*constant|constant.*'k'"):
        model = logistic().fit(frame, y)
    np.testing.assert_allclose(model.predict_proba(frame), logistic().fit(X, y).predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("digits", [8, 11])
def test_n08_near_dependence_is_told_with_its_condition_number(digits):
    rng = np.random.default_rng(1)
    X, y = plain(400)
    near = np.column_stack([X, X[:, 0] + 10.0**-digits * rng.standard_normal(400)])
    with pytest.warns(pt.CollinearityWarning, match="condition number"):
        model = logistic().fit(near, y)
    p = model.predict_proba(near)[:, 1]
    # coefficients of 10^digits that all but cancel lose as many digits of the predictor
    np.testing.assert_allclose(X.T @ (p - y), 0.0, atol=10.0 ** (digits - 15))


# --- scale


@pytest.mark.parametrize("factor", [1e150, 1e-150, 1e170, 1e-170, 1e300, 1e-300])
def test_n09_n10_units_change_no_probability(factor):
    X, y = plain()
    scaled = X * [factor, 1.0, 1.0]
    model = logistic().fit(scaled, y)
    np.testing.assert_allclose(model.predict_proba(scaled), logistic().fit(X, y).predict_proba(X), rtol=0, atol=1e-8)


def test_n11_a_column_below_the_normal_range_is_refused_by_name():
    X, y = plain()
    frame = pd.DataFrame(X * [1.0, 1e-310, 1.0], columns=["a", "tiny", "c"])
    with pytest.raises(pt.DataError, match=r"'tiny' is below the normal float range"):
        logistic().fit(frame, y)


@pytest.mark.parametrize("offset", [1e6, 1e9])
def test_n12_a_far_origin_costs_no_digits_that_matter(offset):
    X, y = plain()
    X = np.round(X, 3)  # so that x + 1e9 holds the same numbers to rounding
    moved = X + np.array([offset, 0.0, 0.0])
    near, far = logistic().fit(moved - [offset, 0.0, 0.0], y), logistic().fit(moved, y)
    np.testing.assert_allclose(far.predict_proba(moved), near.predict_proba(X), rtol=0, atol=1e-6)


@pytest.mark.parametrize("size", [1e20, 1e38])
def test_n13_float32_is_summed_in_double(size):
    X, y = plain()
    single = (X / np.abs(X).max() * size).astype(np.float32)
    double = single.astype(np.float64)
    small, large = logistic().fit(single, y), logistic().fit(double, y)
    np.testing.assert_allclose(small.predict_proba(single), large.predict_proba(double), rtol=0, atol=1e-5)
    assert small.predict_proba(single).dtype == np.float32


def test_n14_log_probabilities_are_exact_at_margins_of_thousands():
    X, y = plain()
    model = logistic().fit(X, y)
    far = X * 1e3
    eta = model.decision_function(far)
    assert np.abs(eta).max() > 1000
    np.testing.assert_allclose(model.predict_log_proba(far)[:, 1], log_expit(eta), rtol=1e-14)
    np.testing.assert_allclose(model.predict_log_proba(far)[:, 0], log_expit(-eta), rtol=1e-14)
    assert np.isfinite(model.predict_log_proba(X * 1e300)).all()


def test_n15_the_probit_tail_is_exact_forty_deviations_out():
    X, y = plain()
    model = pt.BinaryRegression(link="probit").fit(X, y)
    w = np.concatenate([model.intercept_, model.coef_[0]])
    row = np.array([[(-40.0 - w[0]) / w[1], 0.0, 0.0]])
    # log Phi(-40) to 20 digits: -804.60844201374877541
    assert model.predict_log_proba(row)[0, 1] == pytest.approx(-804.608442013748775, rel=1e-12)
    step = np.array([[1e-4 / w[1], 0.0, 0.0]])
    slope = np.diff(model.predict_log_proba(np.vstack([row - step, row + step]))[:, 1])[0] / 2e-4
    assert slope == pytest.approx(40.0249688, rel=1e-6)  # phi(40) / Phi(-40)


def test_n16_cloglog_does_not_overflow():
    X, y = plain()
    model = pt.BinaryRegression(link="cloglog").fit(X, y)
    far = np.vstack([X * 1e3, -X * 1e3])
    eta, logs = model.linear_predictor(far), model.predict_log_proba(far)
    assert eta.max() > 710
    assert not np.isnan(logs).any()
    low = eta < -30
    np.testing.assert_allclose(logs[low, 1], eta[low], rtol=1e-12)  # 1 - exp(-e^eta) is e^eta there
    np.testing.assert_array_equal(logs[eta > 5, 1] > -1e-60, True)
    moderate = (eta > -30) & (eta < 6.6)  # where exp(-exp(eta)) is a normal float
    np.testing.assert_allclose(logs[moderate, 0], -np.exp(eta[moderate]), rtol=1e-12)
    inside = model.link_.log_probabilities(eta[:, None])
    assert np.isfinite(inside).all()


# --- few rows


def test_n22_fewer_rows_than_columns_is_separation_and_a_degenerate_covariance():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((8, 20)), np.array([0, 1] * 4)
    with pytest.warns((pt.SeparationWarning, pt.CollinearityWarning)):
        model = logistic().fit(X, y)
    assert model.fit_status_ == "separated"
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], y, atol=1e-7)
    for shared in (True, False):
        with pytest.warns(pt.DegenerateVarianceWarning, match="shrinkage"):
            gaussian = pt.GaussianClassifier(shared=shared).fit(X, y)
        assert np.isfinite(gaussian.predict_proba(X)).all()


# --- weights


def test_n30_a_duplicated_row_is_a_row_of_weight_two():
    X, y = plain()
    copies = np.random.default_rng(1).integers(1, 4, len(y))
    whole = logistic().fit(np.repeat(X, copies, axis=0), np.repeat(y, copies))
    weighted = logistic().fit(X, y, sample_weight=copies)
    np.testing.assert_allclose(weighted.predict_proba(X), whole.predict_proba(X), rtol=0, atol=1e-10)
    np.testing.assert_allclose(weighted.standard_errors(), whole.standard_errors(), rtol=1e-8)


def test_n31_a_row_of_weight_zero_is_no_row():
    X, y = plain()
    weights = np.ones(len(y))
    weights[::7] = 0.0
    spoilt = X.copy()
    spoilt[::7] = 1e6
    kept = weights > 0
    np.testing.assert_allclose(
        logistic().fit(spoilt, y, sample_weight=weights).coef_, logistic().fit(X[kept], y[kept]).coef_, atol=1e-10
    )


@pytest.mark.parametrize(
    ("bad", "said"), [(-1.0, r"negative.*row 5|row 5.*negative"), (np.nan, "row 5"), (np.inf, "row 5")]
)
def test_n32_bad_weights_are_named_by_the_first_row_and_their_number(bad, said):
    X, y = plain()
    weights = np.ones(len(y))
    weights[[5, 9]] = bad
    with pytest.raises(pt.DataError, match=said) as caught:
        logistic().fit(X, y, sample_weight=weights)
    assert "2" in str(caught.value)


def test_n32_weights_that_are_all_zero_are_refused():
    X, y = plain()
    with pytest.raises(pt.DataError, match="zero"):
        logistic().fit(X, y, sample_weight=np.zeros(len(y)))


@pytest.mark.parametrize("weight", [1e-12, 1e12, 1e308])
def test_n33_n34_a_weight_common_to_all_rows_changes_no_estimate(weight):
    X, y = plain()
    weighted = logistic().fit(X, y, sample_weight=np.full(len(y), weight))
    np.testing.assert_allclose(weighted.coef_, logistic().fit(X, y).coef_, rtol=1e-7)


def test_n35_a_class_without_weight_is_not_there():
    X, y = plain()
    third = np.where(np.arange(len(y)) < 20, 2, y)
    model = logistic().fit(X, third, sample_weight=(third != 2).astype(float))
    assert model.classes_.tolist() == [0, 1]
    np.testing.assert_allclose(model.coef_, logistic().fit(X[20:], y[20:]).coef_, atol=1e-10)


def test_n36_a_class_absent_from_a_fold_is_still_scored():
    X, y = plain(60)
    y = y.copy()
    y[:2] = 2  # two rows over five folds: three folds have none
    with pytest.warns(pt.DegenerateVarianceWarning, match="class"):
        found = pt.compare({"bayes": pt.NaiveBayes()}, X, y, cv=5, random_state=0).to_frame("pandas")
    assert np.isfinite(found["log_loss"].iloc[0])


def test_n37_one_positive_in_a_million():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((1_000_000, 2))
    y = np.zeros(1_000_000, dtype=int)
    y[123_456] = 1
    model = logistic(prior=1.0).fit(X, y)
    assert model.predict_proba(X)[:, 1].sum() == pytest.approx(1.0, abs=1e-8)


# --- cells and labels


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_n41_bad_cells_are_named_by_column_row_and_number(bad):
    X, y = plain()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame.loc[[17, 40], "b"] = bad
    with pytest.raises(pt.DataError, match="'b'") as caught:
        logistic().fit(frame, y)
    assert "17" in str(caught.value)
    assert "2" in str(caught.value)


def test_n41_gaps_are_marginalised_by_naive_bayes():
    X, y = plain()
    X[3, 1] = np.nan
    model = pt.NaiveBayes().fit(X, y)
    row = np.array([[0.5, np.nan, -0.5]])
    without = pt.NaiveBayes().fit(X[:, [0, 2]], y)
    np.testing.assert_allclose(model.predict_proba(row), without.predict_proba(row[:, [0, 2]]), atol=1e-12)


@pytest.mark.parametrize(
    "labels",
    [
        np.array([0.0, 1.0, np.nan, 1.0]),
        np.array(["a", None, "b", None], dtype=object),
        pd.Series([1, pd.NA, 0, 1], dtype="Int64"),
        pd.Series(["a", None, "b", "a"], dtype="category"),
    ],
    ids=["nan", "none", "NA", "categorical"],
)
def test_n42_gaps_in_the_target_are_counted(labels):
    with pytest.raises(pt.DataError, match=r"[12] "):
        logistic(prior=1.0).fit(np.arange(8.0).reshape(4, 2), labels)


def test_n43_minus_zero_is_zero(tmp_path):
    X, y = plain()
    minus = np.where(y == 0, -0.0, 1.0)
    model = logistic().fit(X, minus)
    assert model.classes_.tolist() == [0.0, 1.0]
    assert not np.signbit(model.classes_).any()
    zeros = np.where(X > 0, X, -0.0)
    assert (logistic().fit(zeros, y).coef_ == logistic().fit(zeros + 0.0, y).coef_).all()
    pt.save(model, tmp_path / "model")
    assert not np.signbit(pt.load(tmp_path / "model").classes_).any()
    levels = pt.NaiveBayes(families="categorical").fit(np.where(y[:, None] == 0, -0.0, 1.0), y)
    assert (levels.predict(np.array([[0.0], [-0.0]])) == 0).all()


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int32])
def test_n44_small_integers_do_not_wrap(kind):
    rng = np.random.default_rng(0)
    top = min(np.iinfo(kind).max, 250)
    X = rng.integers(top - 20, top, size=(300, 2)).astype(kind)
    y = np.arange(300) % 2
    narrow, wide = (
        pt.NaiveBayes(families="poisson").fit(X, y),
        pt.NaiveBayes(families="poisson").fit(X.astype(float), y),
    )
    np.testing.assert_array_equal(narrow.predict_proba(X), wide.predict_proba(X.astype(float)))
    np.testing.assert_allclose(logistic(prior=1.0).fit(X, y).coef_, logistic(prior=1.0).fit(X.astype(float), y).coef_)


def test_n45_counts_past_two_to_the_63_keep_their_digits():
    X = np.array([[2**62, 3 * 2**60], [2**60, 2**62], [2**61, 2**61], [2**62, 2**62]], dtype=np.int64)
    y = np.array([0, 0, 1, 1])
    model = pt.NaiveBayes(families={(0, 1): "multinomial"}, smoothing=0.0).fit(X, y)
    totals = [[sum(int(v) for v in X[y == k, j]) for j in range(2)] for k in range(2)]
    expected = [[a / (a + b), b / (a + b)] for a, b in totals]
    weights = model.as_linear().coef
    np.testing.assert_allclose(
        weights - weights[:, :1], np.log(expected) - np.log(np.array(expected)[:, :1]), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize(
    "labels",
    [np.array([False, True]), np.array(["no", "yes"]), np.array([b"no", b"yes"])],
    ids=["bool", "str", "bytes"],
)
def test_n46_labels_come_back_as_they_were_given(labels):
    X, y = plain()
    for model in (logistic(), pt.NaiveBayes(), pt.GaussianClassifier(), pt.Perceptron(keep="pocket", max_iter=2)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pt.ConvergenceWarning)
            predicted = model.fit(X, labels[y]).predict(X)
        assert predicted.dtype == labels.dtype
        assert set(predicted.tolist()) <= set(labels.tolist())


@pytest.mark.parametrize("container", [list, lambda v: np.array(v, dtype=object)], ids=["list", "object"])
def test_n47_labels_of_two_types_are_refused(container):
    with pytest.raises(pt.DataError, match=r"mix.*int.*str|mix.*str.*int"):
        logistic(prior=1.0).fit(np.arange(8.0).reshape(4, 2), container([1, "a", 1, "a"]))


@pytest.mark.parametrize("cell", ["1_000", "1e5", " 3 "])
def test_n48_numbers_as_text_are_refused_by_column(cell):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": pd.Series(["1", cell, "2", "3"], dtype=object)})
    with pytest.raises(pt.DataError, match="'b'"):
        logistic(prior=1.0).fit(frame, [0, 1, 0, 1])


@pytest.mark.parametrize("kind", ["numpy", "nullable", "arrow-backed", "polars", "pyarrow"])
def test_n49_every_kind_of_frame_gives_what_the_array_gives(kind):
    X, y = plain()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    given = {
        "numpy": frame,
        "nullable": frame.astype("Float64"),
        "arrow-backed": frame.astype("double[pyarrow]"),
        "polars": pl.DataFrame(frame.to_dict("list")),
        "pyarrow": pa.table(frame.to_dict("list")),
    }[kind]
    np.testing.assert_array_equal(logistic().fit(given, y).coef_, logistic().fit(X, y).coef_)


def test_n49_a_missing_nullable_cell_is_a_gap():
    X, y = plain()
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).astype("Float64")
    frame.loc[4, "c"] = pd.NA
    with pytest.raises(pt.DataError, match="'c'"):
        logistic().fit(frame, y)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "int64 indices", "duplicates", "explicit zeros", "unsorted"])
def test_n50_sparse_rows_give_what_dense_ones_give(form):
    X, y = plain(300, 5)
    X[np.abs(X) < 0.8] = 0.0
    base = sp.csr_matrix(X)
    if form == "int64 indices":
        base.indices, base.indptr = base.indices.astype(np.int64), base.indptr.astype(np.int64)
    elif form == "duplicates":
        coo = base.tocoo()
        twice = (np.tile(coo.row, 2), np.tile(coo.col, 2))
        base = sp.coo_matrix((np.tile(coo.data / 2, 2), twice), shape=X.shape)
    elif form == "explicit zeros":
        base.data[::5] = 0.0
        X = base.toarray()
    elif form == "unsorted":
        for i in range(base.shape[0]):
            part = slice(base.indptr[i], base.indptr[i + 1])
            base.indices[part], base.data[part] = base.indices[part][::-1].copy(), base.data[part][::-1].copy()
        base.has_sorted_indices = False
    else:
        base = base.asformat(form)
    dense, sparse = logistic().fit(X, y), logistic().fit(base, y)
    np.testing.assert_allclose(sparse.predict_proba(base), dense.predict_proba(X), rtol=0, atol=1e-10)


@pytest.mark.parametrize("layout", ["strided", "reversed", "fortran", "memmap", "read-only", "big-endian"])
def test_n51_the_layout_of_memory_changes_nothing(layout, tmp_path):
    X, y = plain()
    if layout == "strided":
        given = np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2]
    elif layout == "reversed":
        given = X[::-1].copy()[::-1]
    elif layout == "fortran":
        given = np.asfortranarray(X)
    elif layout == "memmap":
        given = np.memmap(tmp_path / "rows", dtype=np.float64, mode="w+", shape=X.shape)
        given[:] = X
    elif layout == "read-only":
        given = X.copy()
        given.flags.writeable = False
    else:
        given = X.astype(">f8")
    np.testing.assert_array_equal(logistic().fit(given, y).coef_, logistic().fit(X, y).coef_)


@pytest.mark.parametrize("shape", [(0, 3), (10, 0)])
def test_n51_no_rows_or_no_columns_are_refused(shape):
    with pytest.raises(pt.DataError, match=r"0 (sample|feature)"):
        logistic().fit(np.empty(shape), np.arange(shape[0]) % 2)


def test_probabilities_of_plain_rows_are_what_the_formula_says():
    X, y = plain()
    model = logistic().fit(X, y)
    np.testing.assert_allclose(
        model.predict_proba(X)[:, 1], expit(X @ model.coef_[0] + model.intercept_[0]), rtol=1e-12
    )
