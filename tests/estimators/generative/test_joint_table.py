"""The joint table: the book's counts, naive Bayes as its special case, sparse cells, merging."""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import posteriori as pt
from posteriori.statistics.joint_counts import JointCounts, cell_keys


def rows(seed=0, n=200, sizes=(3, 2, 4), K=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % K
    return np.column_stack([np.minimum(rng.poisson(0.5 + y), size - 1) for size in sizes]), y


def quiet(model, *data, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.NotIdentifiedWarning)
        return model.fit(*data, **more)


@pytest.mark.parametrize("n", [1, 3, 10, 30])
def test_parameters_are_counted_as_the_book_counts_them(n):
    X = np.random.default_rng(n).integers(0, 2, (50, n)).astype(bool)
    model = quiet(pt.JointTable(), X, np.arange(50) % 2)
    assert model.n_parameters_ == 2 * (2**n - 1)
    assert type(model.n_parameters_) is int


def test_thirty_truth_values_have_2147483646_parameters_and_a_warning_says_so():
    X = np.random.default_rng(0).integers(0, 2, (50, 30)).astype(bool)
    with pytest.warns(pt.NotIdentifiedWarning, match="2,147,483,646 parameters.* for 50 rows"):
        model = pt.JointTable().fit(X, np.arange(50) % 2)
    assert model.n_parameters_ == 2147483646
    assert [note.code for note in model.fit_notes_] == ["few-rows"]
    assert len(model.statistics_.statistics[0].codes) == 50


def test_a_column_of_truth_values_has_two_values_whatever_the_rows_show():
    X = np.array([[True, False], [True, True], [True, False], [True, True]] * 3)
    assert pt.JointTable().fit(X, [0, 1, 1, 0] * 3).n_parameters_ == 2 * 3
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    assert pt.JointTable().fit(frame, [0, 1, 1, 0] * 3).n_parameters_ == 2 * 3


@pytest.mark.parametrize("smoothing", [0.0, 0.5, 2.0])
def test_probabilities_are_counts_over_counts(smoothing):
    X, y = rows()
    model = quiet(pt.JointTable(smoothing=smoothing, class_smoothing=1.0), X, y)
    sizes = [len(np.unique(column)) for column in X.T]
    cell = (X[:5] == X[:, None]).all(axis=2)
    for k in range(3):
        count, N = cell[y == k].sum(axis=0), (y == k).sum()
        wanted = (count + smoothing) / (N + smoothing * np.prod(sizes))
        found = model.density_.log_density(X[:5].astype(float), 1)[:, k]
        with np.errstate(divide="ignore"):
            np.testing.assert_allclose(found, np.log(wanted), rtol=1e-12)
    np.testing.assert_allclose(model.class_priors_, (np.bincount(y) + 1) / (len(y) + 3), rtol=1e-14)


@pytest.mark.parametrize("smoothing", [0.0, 1.0, 0.3])
@given(seed=st.integers(0, 2**32 - 1))
def test_one_column_is_categorical_naive_bayes(smoothing, seed):
    X, y = rows(seed, sizes=(4,))
    table = pt.JointTable(smoothing=smoothing).fit(X, y)
    bayes = pt.NaiveBayes(families="categorical", smoothing=smoothing).fit(X, y)
    np.testing.assert_allclose(table.predict_proba(X), bayes.predict_proba(X), rtol=0, atol=1e-14)
    np.testing.assert_allclose(table.log_density(X), bayes.log_density(X), rtol=1e-13)


def test_independent_columns_approach_naive_bayes():
    rng = np.random.default_rng(0)
    gaps = []
    for n in (2_000, 200_000):
        y = rng.integers(0, 2, n)
        X = (rng.random((n, 3)) < np.where(y[:, None] == 1, [0.7, 0.4, 0.8], [0.3, 0.5, 0.4])).astype(int)
        table, bayes = pt.JointTable().fit(X, y), pt.NaiveBayes(families="bernoulli", smoothing=0.0).fit(X, y)
        gaps.append(np.abs(table.predict_proba(X) - bayes.predict_proba(X)).max())
    assert gaps[1] < 0.02
    assert gaps[1] < gaps[0] / 3


def test_dependent_columns_are_told_apart_where_naive_bayes_cannot():
    X = np.array(list(itertools.product([0, 1], repeat=2)) * 10)
    y = X[:, 0] ^ X[:, 1]
    assert pt.JointTable().fit(X, y).score(X, y) == 1.0
    np.testing.assert_allclose(pt.NaiveBayes(families="bernoulli").fit(X, y).predict_proba(X), 0.5)


def test_the_density_sums_to_one_over_all_cells():
    X, y = rows(sizes=(3, 2))
    every = np.array(list(itertools.product(range(3), range(2))))
    for smoothing in (0.0, 0.7):
        model = pt.JointTable(smoothing=smoothing).fit(X, y)
        assert np.exp(model.log_density(every)).sum() == pytest.approx(1.0, abs=1e-13)


def test_rows_in_cells_never_seen_are_given_the_priors_with_one_warning_that_counts_them():
    X, y = np.array([[0, 0], [1, 1], [0, 0], [1, 1], [0, 0], [0, 0]]), np.array([0, 1, 0, 1, 1, 1])
    model = pt.JointTable().fit(X, y)
    with pytest.warns(pt.NotIdentifiedWarning) as caught:
        p = model.predict_proba([[0, 1], [1, 1], [7, 0], [-1, 0]])
    assert [str(warning.message)[:8] for warning in caught] == ["3 row(s)"]
    np.testing.assert_allclose(p, [[1 / 3, 2 / 3], [0, 1], [1 / 3, 2 / 3], [1 / 3, 2 / 3]])
    assert model.log_density([[0, 1]]).tolist() == [-np.inf]
    smooth = pt.JointTable(smoothing=1.0).fit(X, y)
    np.testing.assert_allclose(smooth.predict_proba([[0, 1]]), [[4 / 10, 6 / 10]])


@given(seed=st.integers(0, 2**32 - 1), cut=st.integers(3, 197), wide=st.booleans())
def test_parts_merge_into_the_whole_whatever_each_has_seen(seed, cut, wide):
    X, y = rows(seed, sizes=(9,) * 30 if wide else (3, 2, 4))
    whole = quiet(pt.JointTable(smoothing=0.5), X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.NotIdentifiedWarning)
        parts = pt.merge([pt.JointTable(smoothing=0.5).fit(X[s], y[s]) for s in (slice(0, cut), slice(cut, None))])
        online = pt.JointTable(smoothing=0.5).partial_fit(X[:cut], y[:cut], classes=[0, 1, 2])
        online.partial_fit(X[cut:], y[cut:])
    for model in (parts, online):
        assert model.n_parameters_ == whole.n_parameters_
        np.testing.assert_array_equal(model.statistics_.statistics[0].codes, whole.statistics_.statistics[0].codes)
        np.testing.assert_allclose(model.predict_log_proba(X), whole.predict_log_proba(X), atol=1e-10)


def test_keys_sort_as_cells_do_however_many_columns_there_are():
    rng = np.random.default_rng(0)
    for d in (1, 3, 40, 100):
        codes = rng.integers(0, 9, (300, d))
        keys = cell_keys(codes, [9] * d)
        order = np.lexsort(codes.T[::-1])
        np.testing.assert_array_equal(codes[np.argsort(keys, kind="stable")], codes[order])
        assert len(np.unique(keys)) == len(np.unique(codes, axis=0))


def test_cells_of_no_rows_are_no_cells():
    nothing = JointCounts.of(np.zeros((0, 2), np.int64), np.zeros(0, np.intp), np.zeros(0), 3)
    assert nothing.counts.shape == (3, 0)
    assert nothing.merge(nothing).codes.shape == (0, 2)


def test_samples_come_from_the_table():
    X, y = rows(sizes=(3, 2))
    for smoothing in (0.0, 5.0):
        model = pt.JointTable(smoothing=smoothing).fit(X, y)
        drawn, labels = model.sample(60_000, random_state=0)
        again = pt.JointTable().fit(drawn, labels)
        cells = np.array(list(itertools.product(range(3), range(2))))
        p, q = np.exp(model.log_density(cells)), np.exp(again.log_density(cells))
        np.testing.assert_allclose(p, q, atol=5 * np.sqrt(0.25 / 60_000))


def test_text_truth_values_and_numbers_go_together():
    frame = pd.DataFrame({"colour": list("rgbrgb"), "big": [True, False] * 3, "legs": [2, 4, 2, 4, 2, 4]})
    y = ["a", "b", "a", "b", "a", "b"]
    model = quiet(pt.JointTable(), frame, y)
    assert model.n_parameters_ == 2 * (3 * 2 * 2 - 1)
    assert model.predict(frame).tolist() == y
    drawn, _ = model.sample(5, random_state=1)
    assert list(drawn.columns) == ["colour", "big", "legs"]
    assert set(drawn["colour"]) <= {"r", "g", "b"}
    assert drawn["big"].dtype == bool


def test_more_parameters_than_allowed_are_refused_by_number():
    X, y = rows()
    with pytest.raises(pt.DataError, match="3 columns has 69 parameters, more than max_parameters=60"):
        pt.JointTable(max_parameters=60).fit(X, y)
    assert pt.JointTable(max_parameters=69).fit(X, y).n_parameters_ == 69
    with pytest.raises(pt.DataError, match="max_parameters=0 must be a whole number"):
        pt.JointTable(max_parameters=0).fit(X, y)
    grown = pt.JointTable(max_parameters=69).partial_fit(X, y)
    before = grown.statistics_
    with pytest.raises(pt.DataError, match="max_parameters=69"):
        grown.partial_fit(X + 1, y)
    assert grown.statistics_ is before


def test_gaps_are_refused_and_fractions_are_named():
    X, y = rows()
    bad = X.astype(float)
    bad[4, 1] = np.nan
    with pytest.raises(pt.DataError, match=r"column 1: 1 cell.s., the first in row 4"):
        pt.JointTable().fit(bad, y)
    with pytest.raises(pt.DataError, match=r"column 1: 1 cell.s., the first in row 4"):
        pt.JointTable().fit(X, y).predict(bad)
    with pytest.warns(pt.NotIdentifiedWarning, match=r"1 column.s. have fractional numbers .2.") as caught:
        pt.JointTable().fit(X + np.array([0, 0, 0.5]), y)
    assert len(caught) == 1


def test_there_are_no_linear_weights():
    X, y = rows(sizes=(2, 2))
    with pytest.raises(pt.DataError, match="indicator of every cell"):
        pt.JointTable(smoothing=1.0).fit(X, y).as_linear()


@pytest.mark.parametrize("name", ["smoothing", "class_smoothing"])
def test_negative_smoothing_is_refused(name):
    X, y = rows()
    with pytest.raises(pt.DataError, match=f"{name}=-1"):
        pt.JointTable(**{name: -1}).fit(X, y)
