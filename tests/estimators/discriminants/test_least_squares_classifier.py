"""Least squares on class targets: the book's numbers, its laws, dependent columns, units and parts."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as some

import posteriori as pt


def data(seed=0, n=90, d=3, n_classes=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    return rng.normal(size=(n, d)) @ (np.eye(d) + 0.3) + 0.7 * y[:, None] * rng.normal(size=d), y


def textbook(X, y, weights=None, precision=0.0):
    """Give (w0, w) of each class by the normal equations of centred columns, (d + 1, K)."""
    T = np.eye(y.max() + 1)[y]
    s = np.ones(len(y)) if weights is None else weights
    m, t = np.average(X, axis=0, weights=s), np.average(T, axis=0, weights=s)
    A = (X - m) * np.sqrt(s)[:, None]
    W = np.linalg.solve(A.T @ A + precision * np.eye(X.shape[1]), A.T @ ((T - t) * np.sqrt(s)[:, None]))
    return np.vstack([t - m @ W, W])


def found(model):
    return np.vstack([model.intercept_, model.coef_.T])


# --- what it computes


@pytest.mark.parametrize("precision", [0.0, 0.7, 1e6])
@pytest.mark.parametrize("weighted", [False, True])
def test_weights_solve_the_normal_equations(precision, weighted):
    X, y = data()
    weights = np.random.default_rng(1).uniform(0.2, 3.0, len(y)) if weighted else None
    model = pt.LeastSquaresClassifier(precision=precision).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(found(model), textbook(X, y, weights, precision), rtol=1e-10, atol=1e-13)
    assert model.n_parameters_ == 2 * 4
    assert model.fit_status_ == "ok"


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@given(seed=some.integers(0, 2**32 - 1))
def test_scores_sum_to_one_and_their_argmax_is_the_prediction(n_classes, seed):
    X, y = data(seed, n_classes=n_classes)
    model = pt.LeastSquaresClassifier(precision=float(seed % 3)).fit(X, y)
    far = np.vstack([X, 1e6 * X])
    scores = model.scores(far)
    np.testing.assert_allclose(scores.sum(axis=1), 1.0, rtol=0, atol=1e-12 * np.abs(scores).max())
    assert (model.classes_[scores.argmax(axis=1)] == model.predict(far)).all()


def test_two_classes_have_one_score_the_difference_of_both():
    X, y = data(n_classes=2)
    model = pt.LeastSquaresClassifier().fit(X, y)
    both = textbook(X, y)
    np.testing.assert_allclose(model.coef_[0], both[1:, 1] - both[1:, 0], rtol=1e-11)
    scores = model.scores(X)
    np.testing.assert_allclose(scores, np.c_[np.ones(len(X)), X] @ both, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(model.decision_function(X), scores[:, 1] - scores[:, 0], atol=1e-13)
    np.testing.assert_allclose(model.signed_distance(X), model.decision_function(X) / np.linalg.norm(model.coef_))


def test_there_are_no_probabilities():
    X, y = data()
    model = pt.LeastSquaresClassifier().fit(X, y)
    assert not hasattr(model, "predict_proba")
    assert not hasattr(model, "predict_log_proba")
    with pytest.raises(AttributeError, match="use decision_function"):
        model.predict_proba(X)


def test_points_that_are_too_correct_move_the_boundary():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    model = pt.LeastSquaresClassifier().fit(X, y)
    more = pt.LeastSquaresClassifier().fit(np.vstack([X, [[50.0]] * 3]), np.r_[y, 1, 1, 1])
    assert (model.predict(X) == y).all()
    assert not (more.predict(X) == y).all()


# --- Fisher's targets


@given(seed=some.integers(0, 2**32 - 1))
def test_fisher_s_targets_give_fisher_s_direction(seed):
    rng = np.random.default_rng(seed)
    X, y = data(seed, n=60 + seed % 40, n_classes=2)
    y = np.where(rng.random(len(y)) < 0.2, 0, y)
    weights = rng.uniform(0.5, 2.0, len(y)) if seed % 2 else None
    squares = pt.LeastSquaresClassifier(targets="fisher").fit(X, y, sample_weight=weights)
    fisher = pt.FisherDiscriminant().fit(X, y, sample_weight=weights)
    mine, yours = (model.coef_[0] / np.linalg.norm(model.coef_[0]) for model in (squares, fisher))
    np.testing.assert_allclose(mine, yours, rtol=0, atol=1e-12)
    mean = np.average(X, axis=0, weights=weights)
    assert squares.intercept_[0] == pytest.approx(-squares.coef_[0] @ mean, rel=1e-10, abs=1e-12)


def test_fisher_s_targets_solve_the_book_s_equation():
    X, y = data(n_classes=2)
    y[:10] = 0
    model = pt.LeastSquaresClassifier(targets="fisher").fit(X, y)
    m = [X[y == k].mean(axis=0) for k in (0, 1)]
    N = np.bincount(y)
    within = sum((X[y == k] - m[k]).T @ (X[y == k] - m[k]) for k in (0, 1))
    between = np.outer(m[1] - m[0], m[1] - m[0])
    left = (within + N[0] * N[1] / len(y) * between) @ model.coef_[0]
    np.testing.assert_allclose(left, len(y) * (m[1] - m[0]), rtol=1e-10)


def test_fisher_s_targets_are_for_two_classes_and_have_one_score():
    X, y = data()
    with pytest.raises(pt.DataError, match="two classes, not 3"):
        pt.LeastSquaresClassifier(targets="fisher").fit(X, y)
    model = pt.LeastSquaresClassifier(targets="fisher").fit(X[y < 2], y[y < 2])
    with pytest.raises(pt.DataError, match="one score"):
        model.scores(X)


# --- dependent columns


def quiet(model, X, y):
    with pytest.warns(pt.CollinearityWarning) as heard:
        model.fit(X, y)
    assert len(heard) == 1
    return model


@pytest.mark.parametrize("n_classes", [2, 3])
def test_dependent_columns_give_the_solution_of_least_norm_and_are_named(n_classes):
    X, y = data(n_classes=n_classes)
    frame = pd.DataFrame(X + 2.0, columns=["a", "b", "c"])
    frame["d"] = 2.0 * frame["a"] - frame["c"] + 1.0
    frame["e"] = 5.0
    model = quiet(pt.LeastSquaresClassifier(), frame, y)
    assert model.fit_status_ == "aliased"
    assert model.fit_notes_[0].columns == ("d", "e")
    assert "column 'd' = 2 x 'a' + -1 x 'c' + 1" in model.fit_notes_[0].message
    wanted = np.linalg.pinv(np.c_[np.ones(len(y)), frame]) @ np.eye(n_classes)[y]
    if n_classes == 2:
        wanted = wanted[:, 1:] - wanted[:, :1]
    np.testing.assert_allclose(found(model), wanted, rtol=1e-9, atol=1e-12)


def test_fewer_rows_than_columns_are_fitted_exactly_with_least_norm():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(8, 20)), np.arange(8) % 2
    model = quiet(pt.LeastSquaresClassifier(), X, y)
    np.testing.assert_allclose(model.scores(X), np.eye(2)[y], atol=1e-12)
    wanted = np.linalg.pinv(np.c_[np.ones(8), X]) @ np.eye(2)[y]
    np.testing.assert_allclose(found(model), wanted[:, 1:] - wanted[:, :1], atol=1e-12)


def test_a_precision_settles_dependent_columns():
    X, y = data()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = pt.LeastSquaresClassifier(precision=0.5).fit(np.c_[X, X], y)
    assert model.fit_status_ == "ok"
    np.testing.assert_allclose(model.coef_[:, :3], model.coef_[:, 3:], rtol=1e-9)


def test_columns_too_alike_for_normal_equations_keep_their_digits():
    rng = np.random.default_rng(0)
    base, y = rng.normal(size=(200, 2)), np.arange(200) % 2
    tilt = rng.normal(size=200)
    X = np.c_[base[:, 0], base[:, 0] + 1e-7 * tilt]
    model = pt.LeastSquaresClassifier().fit(X, y)
    wanted, *_ = np.linalg.lstsq(np.c_[np.ones(200), X - X.mean(axis=0)], np.where(y == 1, 1.0, -1.0), rcond=None)
    np.testing.assert_allclose(model.coef_[0], wanted[1:], rtol=1e-7)


# --- weights, parts, units


def test_weight_two_is_two_copies_and_weight_zero_no_row():
    X, y = data()
    w = np.arange(len(y)) % 3
    rows = np.repeat(np.arange(len(y)), w)
    X[w == 0] = np.nan
    weighted = pt.LeastSquaresClassifier().fit(X, y, sample_weight=w)
    copied = pt.LeastSquaresClassifier().fit(X[rows], y[rows])
    np.testing.assert_allclose(found(weighted), found(copied), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("parameters", [{}, {"precision": 2.0}])
@given(cuts=some.lists(some.integers(1, 89), max_size=4, unique=True), seed=some.integers(0, 99))
def test_parts_in_any_split_give_the_batch_fit(parameters, cuts, seed):
    X, y = data(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    parts = np.split(order, sorted(cuts))
    whole, streamed = pt.LeastSquaresClassifier(**parameters).fit(X, y), pt.LeastSquaresClassifier(**parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.CollinearityWarning)  # a part may hold few rows
        for part in parts:
            streamed.partial_fit(X[part], y[part], classes=[0, 1, 2])
        models = [pt.LeastSquaresClassifier(**parameters).fit(X[p], y[p]) for p in parts if len(set(y[p])) > 1]
        merged = pt.merge(models)
    np.testing.assert_allclose(found(streamed), found(whole), rtol=0, atol=1e-11)
    if len(models) == len(parts):
        np.testing.assert_allclose(found(merged), found(whole), rtol=0, atol=1e-11)


def test_merging_unites_the_classes_by_value_and_refuses_other_models():
    X, y = data()
    names = np.array(["c", "a", "b"])[y]
    one = pt.LeastSquaresClassifier().fit(X[names != "b"], names[names != "b"])
    two = pt.LeastSquaresClassifier().fit(X[names != "c"], names[names != "c"])
    merged = one.merge(two)
    assert merged.classes_.tolist() == ["a", "b", "c"]
    rows = np.r_[np.flatnonzero(names != "b"), np.flatnonzero(names != "c")]
    wanted = pt.LeastSquaresClassifier().fit(X[rows], names[rows])
    np.testing.assert_allclose(found(merged), found(wanted), atol=1e-12)
    for other in (
        pt.LeastSquaresClassifier(precision=1.0).fit(X, y),
        pt.GaussianClassifier().fit(X, y),
        pt.LeastSquaresClassifier().fit(X[:, :2], names),
        pt.LeastSquaresClassifier().fit(X, y),
    ):
        with pytest.raises(pt.DataError):
            one.merge(other)


@pytest.mark.parametrize("scale", [1e-170, 1e-9, 1e9, 1e160])
def test_units_change_no_score(scale):
    X, y = data()
    units = np.array([1.0, scale, 1.0])
    plain, scaled = pt.LeastSquaresClassifier().fit(X, y), pt.LeastSquaresClassifier().fit(X * units, y)
    np.testing.assert_allclose(scaled.scores(X * units), plain.scores(X), atol=1e-12)
    moved = X + np.array([0.0, 1e6, -1e6])
    np.testing.assert_allclose(pt.LeastSquaresClassifier().fit(moved, y).scores(moved), plain.scores(X), atol=1e-8)


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_the_same_bits_from_any_number_of_threads_and_the_compiled_kernels_agree(threads):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40_000, 30)), rng.integers(0, 3, 40_000)
    with pt.options(threads=1):
        one = pt.LeastSquaresClassifier().fit(X, y)
    with pt.options(threads=threads):
        model = pt.LeastSquaresClassifier().fit(X, y)
    assert (found(model) == found(one)).all()
    np.testing.assert_allclose(found(model), textbook(X, y), rtol=0, atol=1e-13)


def test_a_query_at_the_end_of_the_floats_has_finite_scores():
    X, y = data()
    model = pt.LeastSquaresClassifier().fit(X, y)
    direction = np.array([[1.0, 0.3, -0.2], [-1.0, -1.0, -1.0]])
    for size in (1e200, 1e308):
        assert np.isfinite(model.decision_function(direction * size)).all()
        assert (model.predict(direction * size) == model.predict(direction * 1e6)).all()


# --- what is refused


@pytest.mark.parametrize(("wrong", "word"), [
    ({"precision": -1.0}, "from zero up"),
    ({"precision": "much"}, "from zero up"),
    ({"targets": "onehot"}, "use one of"),
])  # fmt: skip
def test_parameters_that_cannot_be_are_refused(wrong, word):
    X, y = data()
    with pytest.raises(pt.DataError, match=word):
        pt.LeastSquaresClassifier(**wrong).fit(X, y)


@pytest.mark.parametrize(("value", "word"), [(np.nan, "Input X contains NaN"), (np.inf, "Input X contains infinity")])
def test_gaps_and_infinities_are_refused_by_column_and_row(value, word):
    X, y = data()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = pt.LeastSquaresClassifier().fit(frame, y)
    before = model.scores(frame)
    bad = frame.copy()
    bad.loc[[4, 7], "b"] = value
    for call in (
        lambda: model.fit(bad, y),
        lambda: model.partial_fit(bad, y),
        lambda: model.predict(bad),
        lambda: model.scores(bad),
    ):
        with pytest.raises(pt.DataError, match=rf"{word}.*column 'b': 2 cell\(s\), the first in row 4"):
            call()
    assert (model.scores(frame) == before).all()


def test_one_class_is_refused():
    X, y = data()
    with pytest.raises(pt.DataError, match="one class"):
        pt.LeastSquaresClassifier().fit(X, np.zeros(len(y)))


def test_what_is_kept_of_few_rows_is_none_of_them():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6, 12)), np.arange(6) % 2
    kept = quiet(pt.LeastSquaresClassifier(), X, y).statistics_.within
    assert kept.factor.shape == (6, 12)
    assert not np.tril(kept.factor, -1).any()
    away = X - kept.mean[y]
    np.testing.assert_allclose(
        kept.factor.T @ kept.factor * np.outer(kept.scale, kept.scale), away.T @ away, atol=1e-12
    )
