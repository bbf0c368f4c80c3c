"""Fisher's discriminant: the eigenproblem, the thresholds, singular scatters, and the transformer."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.linalg as la
from hypothesis import given
from hypothesis import strategies as some

import posteriori as pt


def data(seed=0, n=90, d=4, n_classes=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    return rng.normal(size=(n, d)) @ (np.eye(d) + 0.3) + rng.normal(size=(n_classes, d))[y], y


def scatters(X, y, weights=None):
    s = np.ones(len(y)) if weights is None else weights
    mean = np.average(X, axis=0, weights=s)
    within, between = np.zeros((2, X.shape[1], X.shape[1]))
    for k in np.unique(y):
        m = np.average(X[y == k], axis=0, weights=s[y == k])
        within += ((X[y == k] - m) * s[y == k, None]).T @ (X[y == k] - m)
        between += s[y == k].sum() * np.outer(m - mean, m - mean)
    return within, between


# --- directions


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@given(seed=some.integers(0, 2**32 - 1))
def test_directions_solve_the_generalised_eigenproblem(n_classes, seed):
    X, y = data(seed, n_classes=n_classes)
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, len(y)) if seed % 2 else None
    model = pt.FisherDiscriminant().fit(X, y, sample_weight=weights)
    within, between = scatters(X, y, weights)
    q = n_classes - 1
    values = la.eigh(between, within, eigvals_only=True)[::-1][:q]
    np.testing.assert_allclose(model.eigenvalues_, values, rtol=1e-8)
    np.testing.assert_allclose(model.explained_variance_ratio_, values / values.sum(), rtol=1e-8)
    W = model.scalings_
    assert W.shape == (4, q)
    np.testing.assert_allclose(between @ W, within @ W * model.eigenvalues_, atol=1e-9 * np.abs(between @ W).max())
    N = len(y) if weights is None else weights.sum()
    np.testing.assert_allclose(W.T @ within @ W, (N - n_classes) * np.eye(q), atol=1e-8 * N)


@given(seed=some.integers(0, 2**32 - 1))
def test_the_eigenproblem_of_two_classes_is_fisher_s_direction(seed):
    X, y = data(seed, n_classes=2)
    model = pt.FisherDiscriminant().fit(X, y)
    within, _ = scatters(X, y)
    apart = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    w = np.linalg.solve(within, apart)
    for found in (model.scalings_[:, 0], model.coef_[0]):
        np.testing.assert_allclose(found / np.linalg.norm(found), w / np.linalg.norm(w), atol=1e-12)
    projected = model.transform(X)[:, 0]
    assert projected[y == 1].mean() > projected[y == 0].mean()
    assert model.eigenvalues_[0] == pytest.approx(len(y) / 4 * apart @ w, rel=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("shrinkage", [None, 0.3, "ledoit-wolf", "oas"])
def test_all_directions_decide_as_gaussian_classes_of_one_covariance(n_classes, shrinkage):
    X, y = data(n_classes=n_classes)
    y[:20] = 0
    fisher = pt.FisherDiscriminant(shrinkage=shrinkage).fit(X, y)
    gaussian = pt.GaussianClassifier(shrinkage=shrinkage).fit(X, y)
    assert (fisher.predict(X) == gaussian.predict(X)).all()
    mine, yours = fisher.decision_function(X), gaussian.decision_function(X)
    if n_classes > 2:
        mine, yours = mine - mine[:, :1], yours - yours[:, :1]
    np.testing.assert_allclose(mine, yours, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(fisher.means_, gaussian.means_, rtol=1e-12)


def test_fewer_directions_decide_by_the_nearest_projected_mean():
    X, y = data(n_classes=4)
    model = pt.FisherDiscriminant(n_components=2).fit(X, y)
    assert model.transform(X).shape == (90, 2)
    Z = model.transform(X) * np.sqrt(90 / 86)  # within-class variance one, by maximum likelihood
    means = np.array([Z[y == k].mean(axis=0) for k in range(4)])
    scores = -0.5 * ((Z[:, None] - means) ** 2).sum(axis=2) + np.log(np.bincount(y) / 90)
    assert (model.predict(X) == scores.argmax(axis=1)).all()
    whole = pt.FisherDiscriminant().fit(X, y)
    np.testing.assert_allclose(model.scalings_, whole.scalings_[:, :2], rtol=1e-12)
    np.testing.assert_allclose(model.explained_variance_ratio_, whole.explained_variance_ratio_[:2], rtol=1e-12)


def test_class_means_on_a_line_have_one_direction():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 3)), np.arange(90) % 3
    X -= np.array([X[y == k].mean(axis=0) for k in range(3)])[y]
    X += y[:, None] * np.array([1.0, 2.0, 0.0])
    model = pt.FisherDiscriminant().fit(X, y)
    assert model.scalings_.shape == (3, 1)
    assert model.explained_variance_ratio_.tolist() == [1.0]


# --- thresholds


def test_the_three_thresholds_cut_where_they_say():
    X, y = data(n=200, n_classes=2, seed=4)
    y[:80] = 0
    models = {t: pt.FisherDiscriminant(threshold=t).fit(X, y) for t in ("gaussian", "midpoint", "least-error")}
    w = models["midpoint"].coef_[0]
    along = X @ w
    cut = {name: -model.intercept_[0] for name, model in models.items()}
    for model in models.values():
        np.testing.assert_allclose(model.coef_[0], w, rtol=1e-12)
    m = [along[y == k].mean() for k in (0, 1)]
    assert cut["midpoint"] == pytest.approx((m[0] + m[1]) / 2, rel=1e-9)
    variance = np.mean((along - np.array(m)[y]) ** 2)
    prior = np.bincount(y) / len(y)
    wanted = (m[0] + m[1]) / 2 + variance / (m[1] - m[0]) * np.log(prior[0] / prior[1])
    assert cut["gaussian"] == pytest.approx(wanted, rel=1e-9)
    errors = {t: (((along > t) != (y == 1)).mean()) for t in np.r_[along, along + 1e-9, along - 1e-9]}
    assert 1 - models["least-error"].score(X, y) == pytest.approx(min(errors.values()), abs=1e-12)


def test_the_cut_of_least_error_weighs_the_rows():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]), np.array([0, 1, 0, 1, 1])
    light = pt.FisherDiscriminant(threshold="least-error").fit(X, y, sample_weight=[1, 1, 9, 1, 1])
    heavy = pt.FisherDiscriminant(threshold="least-error").fit(X, y, sample_weight=[1, 9, 1, 1, 1])
    assert light.predict(X).tolist() == [0, 0, 0, 1, 1]
    assert heavy.predict(X).tolist() == [0, 1, 1, 1, 1]


def test_the_cut_of_least_error_is_for_two_classes_and_all_rows_at_once():
    X, y = data()
    with pytest.raises(pt.DataError, match="two classes, not 3"):
        pt.FisherDiscriminant(threshold="least-error").fit(X, y)
    model = pt.FisherDiscriminant(threshold="least-error").fit(X[y < 2], y[y < 2])
    for name in ("partial_fit", "merge"):
        assert not hasattr(model, name)
        with pytest.raises(AttributeError) as refused:
            getattr(model, name)
        assert "all rows at once" in str(refused.value.__cause__)


def test_the_midpoint_of_more_classes_leaves_the_priors_out():
    X, y = data()
    y[:30] = 0
    model = pt.FisherDiscriminant(threshold="midpoint").fit(X, y)
    equal = pt.GaussianClassifier(class_priors=np.full(3, 1 / 3)).fit(X, y)
    assert (model.predict(X) == equal.predict(X)).all()


# --- few rows, no spread, units


def test_a_singular_scatter_is_inverted_on_its_range_and_said():
    X, y = data()
    doubled = np.c_[X, X[:, :1] + X[:, 1:2]]
    with pytest.warns(pt.DegenerateVarianceWarning, match="singular.*shrinkage="):
        model = pt.FisherDiscriminant().fit(doubled, y)
    assert (model.predict(doubled) == pt.FisherDiscriminant().fit(X, y).predict(X)).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pt.FisherDiscriminant(shrinkage=0.01).fit(doubled, y)


@pytest.mark.parametrize("shrinkage", ["ledoit-wolf", "oas", 0.2])
def test_fewer_rows_than_columns_are_fitted(shrinkage):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 30)), np.arange(12) % 3
    with pytest.warns(pt.DegenerateVarianceWarning, match="rank 9 of 30"):
        assert np.isfinite(pt.FisherDiscriminant().fit(X, y).transform(X)).all()
    model = pt.FisherDiscriminant(shrinkage=shrinkage).fit(X, y)
    assert model.fit_notes_ == []
    assert np.isfinite(model.decision_function(X)).all()


def test_one_row_a_class_everywhere_decides_by_the_priors():
    with pytest.warns(pt.DegenerateVarianceWarning, match="zero variance"):
        model = pt.FisherDiscriminant().fit([[1.0, 5.0], [2.0, 7.0], [4.0, 4.0]], ["a", "b", "c"])
    scores = model.decision_function([[0.0, 0.0], [9.0, -9.0]])
    np.testing.assert_allclose(scores, np.log(1 / 3), rtol=1e-12)


@pytest.mark.parametrize("scale", [1e-170, 1e-9, 1e9, 1e160])
@pytest.mark.parametrize("shrinkage", [None, "ledoit-wolf"])
def test_units_change_no_decision(scale, shrinkage):
    X, y = data()
    units = np.array([1.0, scale, 1.0, 1.0])
    plain = pt.FisherDiscriminant(shrinkage=shrinkage).fit(X, y)
    scaled = pt.FisherDiscriminant(shrinkage=shrinkage).fit(X * units, y)
    np.testing.assert_allclose(scaled.decision_function(X * units), plain.decision_function(X), atol=1e-9)
    np.testing.assert_allclose(scaled.transform(X * units), plain.transform(X), atol=1e-9)


@pytest.mark.parametrize("parameters", [{}, {"shrinkage": "ledoit-wolf"}, {"threshold": "midpoint", "shrinkage": 0.1}])
@given(cuts=some.lists(some.integers(1, 89), max_size=4, unique=True), seed=some.integers(0, 99))
def test_parts_in_any_split_give_the_batch_fit(parameters, cuts, seed):
    X, y = data(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    parts = np.split(order, sorted(cuts))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.DegenerateVarianceWarning)  # a part may hold one row of a class
        whole, streamed = pt.FisherDiscriminant(**parameters).fit(X, y), pt.FisherDiscriminant(**parameters)
        for part in parts:
            streamed.partial_fit(X[part], y[part], classes=[0, 1, 2])
        models = [pt.FisherDiscriminant(**parameters).fit(X[p], y[p]) for p in parts if len(set(y[p])) > 1]
        merged = pt.merge(models)
    np.testing.assert_allclose(streamed.decision_function(X), whole.decision_function(X), atol=1e-10)
    if len(models) == len(parts):
        np.testing.assert_allclose(merged.transform(X), whole.transform(X), atol=1e-9)


def test_a_class_not_yet_seen_is_never_chosen():
    X, y = data()
    model = pt.FisherDiscriminant().partial_fit(X[y < 2], y[y < 2], classes=[0, 1, 2])
    assert set(model.predict(X)) == {0, 1}
    assert model.intercept_[2] == -np.inf
    assert not np.isnan(model.decision_function(X)).any()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.DegenerateVarianceWarning)
        lone = pt.FisherDiscriminant().partial_fit(X[y == 1], y[y == 1], classes=[0, 1])
    assert set(lone.predict(X)) == {1}


# --- as a transformer


def test_it_transforms_frames_with_names_of_its_own():
    X, y = data()
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = pt.FisherDiscriminant().set_output(transform="pandas")
    projected = model.fit_transform(frame, y)
    assert list(projected.columns) == ["fisherdiscriminant0", "fisherdiscriminant1"]
    assert model.get_feature_names_out().tolist() == list(projected.columns)
    np.testing.assert_allclose(projected, (X - X.mean(axis=0)) @ model.scalings_, rtol=1e-10, atol=1e-12)
    weights = np.arange(90) % 2
    again = pt.FisherDiscriminant().fit_transform(frame, y, sample_weight=weights)
    np.testing.assert_allclose(again, pt.FisherDiscriminant().fit(frame, y, weights).transform(frame))


def test_it_works_in_a_pipeline_before_another_classifier():
    from sklearn.pipeline import make_pipeline

    X, y = data()
    chain = make_pipeline(pt.FisherDiscriminant(), pt.GaussianClassifier()).fit(X, y)
    assert (chain.predict(X) == pt.GaussianClassifier().fit(X, y).predict(X)).all()


@pytest.mark.parametrize(("wrong", "word"), [
    ({"n_components": 3}, "K - 1 = 2"),
    ({"n_components": 0}, "K - 1 = 2"),
    ({"n_components": 1.0}, "K - 1 = 2"),
    ({"threshold": "middle"}, "use one of"),
    ({"shrinkage": 2.0}, "from 0 to 1"),
])  # fmt: skip
def test_parameters_that_cannot_be_are_refused(wrong, word):
    X, y = data()
    with pytest.raises(pt.DataError, match=word):
        pt.FisherDiscriminant(**wrong).fit(X, y)


def test_gaps_are_refused_in_transform_by_column_and_row():
    X, y = data()
    model = pt.FisherDiscriminant().fit(X, y)
    X[3, 2] = np.nan
    with pytest.raises(pt.DataError, match=r"Input X contains NaN.*column 2: 1 cell\(s\), the first in row 3"):
        model.transform(X)
