"""Naive Bayes at the edges: mixtures of kinds, gaps, categories old and new, no spread, odd units."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy.special import softmax

import posteriori as pt
from posteriori.families.categorical import Categorical

KINDS = [
    {}, {"shared": True}, {"shared": "all"}, {"estimate": "unbiased"}, {"smoothing": 0.5, "class_smoothing": 2.0},
    {"estimate": "map"}, {"estimate": "map", "shared": True}, {"estimate": "map", "shared": "all"},
]  # fmt: skip
every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


def mixed(seed=0, n=120):
    rng = np.random.default_rng(seed)
    y = np.array(["a", "b", "c"])[np.arange(n) % 3]
    frame = pd.DataFrame({
        "size": rng.normal(size=n) + np.arange(n) % 3,
        "weight": rng.gamma(2.0, size=n) * (1 + np.arange(n) % 3),
        "color": rng.choice(["red", "green", "blue"], n),
        "shape": rng.choice(["round", "long"], n),
        "ripe": rng.random(n) < 0.3,
    })  # fmt: skip
    for column in ("size", "weight", "color", "shape"):
        frame.loc[rng.random(n) < 0.15, column] = None
    return frame, y


def same(one, other, X, tolerance=1e-10):
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=0, atol=tolerance)


# --- families


def test_families_come_from_the_columns_types():
    frame, y = mixed()
    model = pt.NaiveBayes().fit(frame, y)
    wanted = {
        "size": "gaussian",
        "weight": "gaussian",
        "color": "categorical",
        "shape": "categorical",
        "ripe": "bernoulli",
    }
    assert {name: table.family for name, table in model.families_.items()} == wanted
    assert list(model.families_) == list(frame.columns)
    assert model.n_parameters_ == 2 * 2 * 3 + 3 * (2 + 1) + 3 + 2


def test_truth_values_in_an_array_are_bernoulli():
    rng = np.random.default_rng(0)
    X, y = rng.random((40, 3)) < 0.5, np.arange(40) % 2
    model = pt.NaiveBayes().fit(X, y)
    assert model.table(0).family == "bernoulli"
    same(model, pt.NaiveBayes(families="bernoulli").fit(X.astype(float), y), X)


def test_columns_may_be_given_families_by_name_number_or_object():
    frame, y = mixed()
    model = pt.NaiveBayes(families={"color": Categorical(smoothing=3.0), "ripe": "gaussian"}).fit(frame, y)
    assert model.table("ripe").family == "gaussian"
    counts = pd.crosstab(y, frame["color"]).to_numpy()
    np.testing.assert_allclose(model.table("color")["probability"], (counts + 3) / (counts.sum(1, keepdims=True) + 9))
    numbers = pt.NaiveBayes(families={1: "categorical", -1: "bernoulli"}).fit(
        np.column_stack([np.arange(12.0), np.arange(12) % 3, np.arange(12) % 2]), np.arange(12) // 6
    )
    assert [table.family for table in numbers.families_.values()] == ["gaussian", "categorical", "bernoulli"]


@pytest.mark.parametrize(("families", "word"), [
    ("gausian", "use one of 'gaussian', 'bernoulli', 'binomial', 'categorical', 'multinomial', 'poisson', "
                "'exponential', 'gamma', 'beta', 'dirichlet'"),
    ({"colour": "categorical"}, "no column 'colour'"),
    ({"color": "gaussian"}, "has text"),
    ({"size": 3}, "use one of"),
    ({("size", "girth"): "gaussian"}, "no column 'girth'; the columns are 'size', 'weight'"),
    ({("size", "color"): "gaussian"}, "'color' has text"),
    ({("size", "weight"): "gaussian", "size": "gamma"}, "column 'size' is named twice"),
    ({("size", "size"): "gaussian"}, "column 'size' is named twice"),
    ({(): "gaussian"}, "a group has no columns"),
    ({"weight": "dirichlet"}, "for a group of columns, and column 'weight' is a single one"),
    ({"weight": "binomial"}, r"posteriori.Binomial\(trials=…\)"),
])  # fmt: skip
def test_families_that_cannot_be_are_refused(families, word):
    frame, y = mixed()
    with pytest.raises(pt.DataError, match=word):
        pt.NaiveBayes(families=families).fit(frame, y)


@pytest.mark.parametrize("wrong", [
    {"smoothing": -1.0}, {"smoothing": np.nan}, {"smoothing": "1"}, {"class_smoothing": -0.5}, {"estimate": "mle"},
    {"shared": "yes"}, {"missing": "drop"}, {"unseen": "ignore"}, {"class_priors": [0.5, 0.5, 0.5]},
])  # fmt: skip
def test_parameters_that_cannot_be_are_refused(wrong):
    frame, y = mixed()
    with pytest.raises(pt.DataError):
        pt.NaiveBayes(**wrong).fit(frame, y)


def test_scikit_learns_names_are_translated():
    with pytest.raises(TypeError, match="smoothing=2"):
        pt.NaiveBayes(alpha=2)
    with pytest.raises(TypeError, match="no constant is added"):
        pt.NaiveBayes(var_smoothing=1e-9)


@pytest.mark.parametrize("cell", [0.5, 2.0, -1.0, np.inf])
def test_bernoulli_refuses_what_is_neither_zero_nor_one_in_fit_and_predict(cell):
    X, y = np.array([[0.0], [1.0], [1.0], [0.0]]), [0, 0, 1, 1]
    bad = X.copy()
    bad[2] = cell
    model = pt.NaiveBayes(families="bernoulli").fit(X, y)
    for call in (lambda: pt.NaiveBayes(families="bernoulli").fit(bad, y), lambda: model.predict(bad)):
        with pytest.raises(pt.DataError, match=r"column 0: 1 cell\(s\), the first in row 2"):
            call()


# --- gaps


def test_a_gap_is_the_same_as_a_column_left_out():
    frame, y = mixed()
    model = pt.NaiveBayes().fit(frame, y)
    for column in frame.columns[:4]:
        gaps = frame.copy()
        gaps[column] = None
        if frame[column].dtype != float:
            gaps[column] = gaps[column].astype(object)
        else:
            gaps[column] = gaps[column].astype(float)
        part = pt.NaiveBayes().fit(frame.drop(columns=column), y)
        found = model.predict_proba(gaps)
        np.testing.assert_allclose(found, part.predict_proba(frame.drop(columns=column)), atol=1e-12)


def test_a_row_of_gaps_gets_the_prior():
    frame, y = mixed()
    model = pt.NaiveBayes(families={"ripe": "gaussian"}).fit(frame.astype({"ripe": float}), y)
    empty = frame[:1].astype({"ripe": float})
    empty.loc[:, ["size", "weight", "ripe"]] = np.nan
    empty.loc[:, ["color", "shape"]] = None
    np.testing.assert_allclose(model.predict_proba(empty)[0], model.class_priors_, atol=1e-14)
    np.testing.assert_allclose(model.log_density(empty), 0.0, atol=1e-14)


def test_gaps_are_refused_when_so_wished():
    frame, y = mixed()
    whole = frame.dropna()
    model = pt.NaiveBayes(missing="error").fit(whole, y[whole.index])
    for call in (lambda: pt.NaiveBayes(missing="error").fit(frame, y), lambda: model.predict(frame)):
        with pytest.raises(pt.DataError, match=r"Input X contains NaN.*missing='marginalize'"):
            call()


@pytest.mark.parametrize("missing", ["marginalize", "error"])
def test_infinity_is_always_refused(missing):
    X, y = np.arange(12.0).reshape(6, 2), [0, 1] * 3
    bad = X.copy()
    bad[3, 1] = -np.inf
    model = pt.NaiveBayes(missing=missing).fit(X, y)
    for call in (
        lambda: pt.NaiveBayes(missing=missing).fit(bad, y),
        lambda: model.predict_proba(bad),
        lambda: model.log_density(bad),
        lambda: model.decision_function(bad),
    ):
        with pytest.raises(pt.DataError, match=r"infinity.*column 1: 1 cell\(s\), the first in row 3"):
            call()


def test_a_class_that_never_showed_a_column_is_told_nothing_by_it():
    X = np.array([[1.0, 1.0], [2.0, 3.0], [4.0, np.nan], [5.0, np.nan]])
    with pytest.warns(pt.DegenerateVarianceWarning, match="'1'"):
        model = pt.NaiveBayes().fit(X, [0, 0, 1, 1])
    assert np.isfinite(model.predict_proba([[3.0, 2.0]])).all()


# --- categories


def test_unseen_categories_are_marginalised_with_one_warning_that_counts_them():
    frame, y = mixed()
    model = pt.NaiveBayes().fit(frame, y)
    strange = frame.copy()
    strange.loc[:3, "color"] = ["pink", "mauve", "puce", "teal"]
    gaps = frame.copy()
    gaps.loc[:3, "color"] = None
    with pytest.warns(pt.UnseenCategoryWarning, match=r"4 cell.*'color' \(4: .* and 1 more") as heard:
        found = model.predict_proba(strange)
    assert len(heard) == 1
    np.testing.assert_array_equal(found, model.predict_proba(gaps))
    with pytest.raises(pt.DataError, match="4 cell"):
        pt.NaiveBayes(unseen="error").fit(frame, y).predict(strange)


@pytest.mark.parametrize("kind", [float, np.int64, np.uint8])
def test_numbers_as_categories_are_coded_by_value(kind):
    X = np.array([[0], [7], [7], [200], [0], [7]], kind)
    y = [0, 0, 0, 1, 1, 1]
    model = pt.NaiveBayes(families="categorical").fit(X, y)
    assert model.table(0).levels.tolist() == [0, 7, 200]
    np.testing.assert_allclose(model.table(0)["probability"], [[2 / 6, 3 / 6, 1 / 6], [2 / 6, 2 / 6, 2 / 6]])
    with pytest.warns(pt.UnseenCategoryWarning, match=r"column 0 \(1: 8"):
        p = model.predict_proba(np.array([[8], [7]], kind))
    np.testing.assert_allclose(p, [[0.5, 0.5], [0.6, 0.4]])


def test_a_category_code_of_a_billion_is_one_category():
    X = np.array([[1e9], [0.0], [1e9], [3.0]])
    model = pt.NaiveBayes(families="categorical").fit(X, [0, 0, 1, 1])
    assert model.table(0)["probability"].shape == (2, 3)
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.parametrize("cell", [1.7, -2.0, np.inf])
def test_a_category_that_is_no_whole_number_is_refused_by_column_and_value(cell):
    X = pd.DataFrame({"a": [0.0, 1.0, 2.0, 1.0], "b": [0.0, 1.0, cell, 1.0]})
    word = "infinity" if np.isinf(cell) else f"not {cell:g}"
    with pytest.raises(pt.DataError, match=f"{word}.*'b'.*row 2"):
        pt.NaiveBayes(families="categorical").fit(X, [0, 0, 1, 1])


def test_minus_zero_is_the_category_zero():
    X, y = np.array([[-0.0], [0.0], [1.0], [1.0]]), [0, 1, 0, 1]
    model = pt.NaiveBayes(families="categorical").fit(X, y)
    assert len(model.table(0).levels) == 2
    assert (model.predict_proba([[-0.0]]) == model.predict_proba([[0.0]])).all()


def test_rows_of_weight_zero_teach_no_category():
    frame, y = mixed()
    frame.loc[:1, "color"], frame.loc[2, "shape"] = "pink", "odd"
    weights = np.ones(len(y))
    weights[:3] = 0
    model = pt.NaiveBayes().fit(frame, y, sample_weight=weights)
    assert model.table("color").levels.tolist() == ["blue", "green", "red"]
    same(model, pt.NaiveBayes().fit(frame[3:], y[3:]), frame[3:])
    numbers = np.array([[9.0], [1.0], [2.0], [1.0], [2.0]])
    part = pt.NaiveBayes(families="categorical").fit(numbers, [0, 0, 0, 1, 1], sample_weight=[0, 1, 1, 1, 1])
    assert part.table(0).levels.tolist() == [1, 2]


def test_an_impossible_row_gets_the_prior_and_is_counted():
    X = np.array([[0.0], [0.0], [1.0], [1.0], [2.0]])
    model = pt.NaiveBayes(families="categorical", smoothing=0.0)
    two = pt.NaiveBayes(families="categorical", smoothing=0.0).fit(
        np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]), [0, 0, 1, 1, 1]
    )
    assert model.fit(X, [0, 0, 1, 1, 1]).predict_proba([[0.0]]).tolist() == [[1.0, 0.0]]
    for call, wanted in (
        (two.predict_proba, [[0.4, 0.6]]),
        (lambda rows: np.exp(two.predict_log_proba(rows)), [[0.4, 0.6]]),
        (two.predict, [1]),
        (two.decision_function, [np.log(1.5)]),
    ):
        with pytest.warns(pt.NotIdentifiedWarning, match=r"1 row\(s\) are impossible"):
            np.testing.assert_allclose(call([[0.0, 1.0]]), wanted, rtol=1e-12)
    assert two.log_density([[0.0, 1.0]]).tolist() == [-np.inf]


# --- variances


def test_a_class_without_spread_takes_the_pooled_variance_of_the_column():
    X = np.array([[1.0, 1.0], [3.0, 2.0], [5.0, 4.0], [5.0, 8.0]])
    model = pt.NaiveBayes()
    with pytest.warns(pt.DegenerateVarianceWarning, match=r"class\(es\) 'b' have zero variance in column\(s\) 0"):
        model.fit(X, ["a", "a", "b", "b"])
    assert model.table(0)["variance"].tolist() == [1.0, 0.5]
    (note,) = model.fit_notes_
    assert (note.code, note.columns, note.classes) == ("degenerate-variance", (0,), ("b",))


def test_a_column_without_spread_is_left_out_and_with_none_left_the_prior_remains():
    X = np.array([[0.1, 1.0], [0.1, 3.0], [0.1, 2.0], [0.1, 6.0], [0.1, 7.0]])
    y = [0, 0, 1, 1, 1]
    with pytest.warns(pt.DegenerateVarianceWarning, match="left out"):
        model = pt.NaiveBayes().fit(X, y)
    same_without = pt.NaiveBayes().fit(X[:, 1:], y)
    np.testing.assert_allclose(model.predict_proba(X), same_without.predict_proba(X[:, 1:]), atol=1e-14)
    with pytest.warns(pt.DegenerateVarianceWarning, match="left out"):
        nothing = pt.NaiveBayes().fit(X[:, :1], y)
    np.testing.assert_allclose(nothing.predict_proba([[0.1], [5.0]]), [[0.4, 0.6]] * 2)


def test_a_tiny_informative_column_is_not_drowned_by_a_huge_one():
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = np.column_stack([(rng.normal(size=400) * 0.1 + y) * 1e-9, rng.normal(size=400) * 1e9])
    assert pt.NaiveBayes().fit(X, y).score(X, y) > 0.99


@every_kind
@pytest.mark.parametrize("scale", [1e-170, 1e-150, 1e150, 1e160])
def test_units_change_no_probability(kind, scale):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 2)) + y[:, None]
    units = np.full(2, scale) if kind.get("shared") == "all" else np.array([1.0, scale])
    plain, scaled = pt.NaiveBayes(**kind).fit(X, y), pt.NaiveBayes(**kind).fit(X * units, y)
    np.testing.assert_allclose(scaled.predict_proba(X * units), plain.predict_proba(X), atol=1e-8)


@every_kind
def test_far_queries_are_decided_in_the_limit(kind):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 2)) * np.array([1.0, 3.0, 2.0])[y][:, None] + y[:, None]
    model = pt.NaiveBayes(**kind).fit(X, y)
    first, second = model.table(0), model.table(1)
    # shared variances: the largest mean on that side wins; otherwise the widest class
    wanted = [first["mean"].argmax(), second["mean"].argmin()] if kind.get("shared") else [1, 1]
    for size in (1e20, 1e200, 1e308):
        rows = np.array([[size, 0.0], [-size, size], [np.nan, -size]])
        p = model.predict_proba(rows)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        assert (p.max(axis=1) > 0.99).all()
        assert p.argmax(axis=1)[[0, 2]].tolist() == wanted


def test_zero_priors_and_empty_classes_never_give_nan():
    X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
    model = pt.NaiveBayes(families={1: "bernoulli"}).partial_fit(X, ["a", "a", "b", "b"], classes=["a", "b", "c"])
    assert model.class_priors_.tolist() == [0.5, 0.5, 0.0]
    p = model.predict_proba(X)
    assert np.isfinite(p).all()
    assert (p[:, 2] == 0).all()
    given = pt.NaiveBayes(class_priors=[1.0, 0.0]).fit(X, ["a", "a", "b", "b"])
    assert given.predict_proba([[3.0, 0.0]]).tolist() == [[1.0, 0.0]]


# --- weights, order, parts


@every_kind
def test_weight_two_is_two_copies_and_weight_zero_no_row(kind):
    frame, y = mixed()
    w = np.arange(len(y)) % 3
    rows = np.repeat(np.arange(len(y)), w)
    model = pt.NaiveBayes(**kind).fit(frame, y, sample_weight=w)
    same(model, pt.NaiveBayes(**kind).fit(frame.iloc[rows], y[rows]), frame)


@every_kind
@settings(max_examples=6, deadline=None)
@given(cuts=some.lists(some.integers(1, 119), max_size=4, unique=True), seed=some.integers(0, 50))
def test_parts_in_any_split_give_the_batch_fit(kind, cuts, seed):
    frame, y = mixed(seed)
    whole = pt.NaiveBayes(**kind).fit(frame, y)
    parts = np.split(np.random.default_rng(seed).permutation(len(y)), sorted(cuts))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.DegenerateVarianceWarning)
        streamed = pt.NaiveBayes(**kind)
        for part in parts:
            streamed.partial_fit(frame.iloc[part], y[part], classes=["a", "b", "c"])
        models = [pt.NaiveBayes(**kind).fit(frame.iloc[p], y[p]) for p in parts if len(set(y[p])) > 1]
        merged = pt.merge(models)
    same(streamed, whole, frame)
    assert streamed.table("color").levels.tolist() == whole.table("color").levels.tolist()
    if len(models) == len(parts):
        same(merged, whole, frame)


def test_numbers_as_categories_unite_by_value_too():
    X = np.array([[0.0], [5.0], [5.0], [2.0], [2.0], [9.0]])
    y = [0, 1, 0, 0, 1, 1]
    parts = [pt.NaiveBayes(families="categorical").fit(X[p], np.array(y)[p]) for p in ([0, 1, 2], [3, 4, 5])]
    merged, whole = pt.merge(parts), pt.NaiveBayes(families="categorical").fit(X, y)
    assert merged.table(0).levels.tolist() == [0, 2, 5, 9]
    same(merged, whole, X)
    streamed = pt.NaiveBayes(families="categorical").partial_fit(X[:3], y[:3]).partial_fit(X[3:], y[3:])
    same(streamed, whole, X)


def test_the_order_of_rows_and_columns_changes_nothing():
    frame, y = mixed()
    order = np.random.default_rng(1).permutation(len(y))
    turned = frame[list(frame.columns)[::-1]]
    shuffled = pt.NaiveBayes().fit(turned.iloc[order], y[order])
    np.testing.assert_allclose(
        shuffled.predict_proba(turned), pt.NaiveBayes().fit(frame, y).predict_proba(frame), atol=1e-12
    )


def test_frames_of_other_libraries_give_the_same():
    frame, y = mixed()
    wanted = pt.NaiveBayes().fit(frame, y).predict_proba(frame)
    other = pl.from_pandas(frame)
    model = pt.NaiveBayes().fit(other, y)
    np.testing.assert_allclose(model.predict_proba(other), wanted, atol=1e-14)
    drawn, _ = model.sample(10, random_state=0)
    assert isinstance(drawn, pl.DataFrame)
    nullable = frame.convert_dtypes()
    np.testing.assert_allclose(pt.NaiveBayes().fit(nullable, y).predict_proba(nullable), wanted, atol=1e-14)


def test_a_refit_that_raises_leaves_the_old_fit_whole():
    frame, y = mixed()
    model = pt.NaiveBayes().fit(frame, y)
    before = model.predict_proba(frame)
    bad = frame.copy()
    bad["size"] = np.inf
    with pytest.raises(pt.DataError):
        model.fit(bad, y)
    with pytest.raises(pt.DataError):
        model.partial_fit(bad, y)
    assert (model.predict_proba(frame) == before).all()


# --- the rest


@pytest.mark.parametrize("kind", KINDS[:4], ids=str)
def test_the_linear_form_gives_the_same_probabilities(kind):
    frame, y = mixed()
    model = pt.NaiveBayes(**kind).fit(frame, y)
    form = model.as_linear()
    whole = frame.dropna()
    scores = form.transform(whole) @ form.coef.T + form.intercept
    np.testing.assert_allclose(softmax(scores, axis=1), model.predict_proba(whole), atol=1e-10)
    assert "color=red" in form.feature_names
    assert ("size^2" in form.feature_names) == (not kind.get("shared"))
    assert form.coef.shape == (3, len(form.feature_names))
    with pytest.raises(pt.DataError, match="NaN"):
        form.transform(frame)


def test_a_table_with_a_zero_has_no_linear_form():
    model = pt.NaiveBayes(families="categorical", smoothing=0.0).fit([[0.0], [1.0], [1.0]], [0, 1, 1])
    with pytest.raises(pt.DataError, match="Smoothing above zero"):
        model.as_linear()


def test_mitchells_booleans_have_2n_k_plus_one_parameters():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (100, 30)).astype(bool)
    assert pt.NaiveBayes().fit(X, rng.integers(0, 2, 100)).n_parameters_ == 61


def test_sampling_then_fitting_recovers():
    frame, y = mixed(n=300)
    model = pt.NaiveBayes().fit(frame, y)
    drawn, labels = model.sample(30_000, random_state=0)
    assert list(drawn.columns) == list(frame.columns)
    again = pt.NaiveBayes(smoothing=0.0, families={"ripe": "bernoulli"}).fit(drawn, labels)
    np.testing.assert_allclose(again.table("color")["probability"], model.table("color")["probability"], atol=0.02)
    np.testing.assert_allclose(again.table("ripe")["probability"], model.table("ripe")["probability"], atol=0.02)
    np.testing.assert_allclose(again.table("size")["mean"], model.table("size")["mean"], atol=0.05)
    np.testing.assert_allclose(again.table("size")["variance"], model.table("size")["variance"], rtol=0.05)


def test_counts_of_small_integers_are_summed_in_float64():
    X = np.full((300, 2), 250, np.uint8)
    X[::2, 1] = 200
    with pytest.warns(pt.DegenerateVarianceWarning):
        model = pt.NaiveBayes().fit(X, np.arange(300) // 150)
    assert model.table(0)["mean"].tolist() == [250, 250]
    assert model.table(1)["mean"].tolist() == [225, 225]


def test_a_model_of_text_refuses_an_array_and_one_of_numbers_text():
    frame, y = mixed()
    model = pt.NaiveBayes().fit(frame[["color"]], y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # scikit-learn's, that the array has no names
        with pytest.raises(pt.DataError, match="pass a frame, as in fit"):
            model.predict([[1.0]])
    numbers = pt.NaiveBayes().fit(frame[["size"]], y)
    with pytest.raises(pt.DataError, match="was numeric in fit"):
        numbers.predict(frame[["color"]].rename(columns={"color": "size"}))


@pytest.mark.parametrize("gap", [None, np.nan, pd.NA])
def test_a_gap_in_the_target_is_refused_and_counted(gap):
    frame, y = mixed()
    labels = y.astype(object)
    labels[[3, 5]] = gap
    with pytest.raises(pt.DataError, match="2"):
        pt.NaiveBayes().fit(frame, labels)


def test_minus_zero_is_zero_as_label_and_as_number():
    X, y = np.array([[-0.0], [1.0], [0.0], [3.0]]), np.array([-0.0, 0.0, 1.0, 1.0])
    model = pt.NaiveBayes().fit(X, y)
    assert len(model.classes_) == 2
    assert not np.signbit(model.classes_).any()
    assert (model.predict_proba([[-0.0]]) == model.predict_proba([[0.0]])).all()
    counts = pt.NaiveBayes(families="poisson").fit(X, y)
    assert (counts.predict_proba([[-0.0]]) == counts.predict_proba([[0.0]])).all()
