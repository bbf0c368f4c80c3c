"""What a Bayesian logistic regression promises: error bars that mean something, whatever the units and the batches."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris

import posteriori as pt

SEEDS = st.integers(0, 2**32 - 1)
CLASSES = [2, 3]


def rows(seed=0, n=200, d=3, K=2):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = (X @ rng.standard_normal((d, K)) + rng.gumbel(size=(n, K))).argmax(axis=1)
    y[:K] = np.arange(K)
    return X, y


# --- laws


@pytest.mark.parametrize("K", CLASSES)
@given(seed=SEEDS)
@pytest.mark.slow
def test_the_predictive_by_sampling_agrees_with_the_others(K, seed):
    X, y = rows(seed, n=60, K=K)
    sampled = pt.BayesianLogisticRegression(prior=0.3, predictive="sampling", random_state=0).fit(X, y)
    exact = pt.BayesianLogisticRegression(prior=0.3, predictive="quadrature" if K == 2 else "probit").fit(X, y)
    within = 2e-3 if K == 2 else 0.08
    np.testing.assert_allclose(sampled.predict_proba(4 * X), exact.predict_proba(4 * X), rtol=0, atol=within)


@pytest.mark.parametrize("K", CLASSES)
def test_draws_of_coefficients_give_the_predictive_too(K):
    X, y = rows(1, n=80, K=K)
    model = pt.BayesianLogisticRegression(prior=0.5, predictive="sampling", random_state=3).fit(X, y)
    w = model.posterior_.sample(20_000, random_state=0).reshape(20_000, -1, 4)
    eta = np.einsum("skp,np->nsk", w, np.column_stack([np.ones(20), 3 * X[:20]]))
    eta = np.concatenate([np.zeros_like(eta), eta], axis=2) if K == 2 else eta
    p = np.exp(eta - eta.max(axis=2, keepdims=True))
    wanted = (p / p.sum(axis=2, keepdims=True)).mean(axis=1)
    np.testing.assert_allclose(model.predict_proba(3 * X[:20]), wanted, rtol=0, atol=0.01)


@pytest.mark.parametrize("K", CLASSES)
@pytest.mark.slow
def test_intervals_shrink_with_data_nest_with_level_and_hold_the_plug_in_probability(K):
    X, y = rows(2, n=100, K=K)
    few = pt.BayesianLogisticRegression(prior=1.0).fit(X, y)
    many = pt.BayesianLogisticRegression(prior=1.0).fit(np.tile(X, (9, 1)), np.tile(y, 9))
    wide, narrow = few.predict_interval(X), many.predict_interval(X)
    assert wide.shape == (100, K, 2)
    assert (np.diff(narrow) < 0.6 * np.diff(wide)).all()
    inner = few.predict_interval(X, level=0.5)
    assert (inner[..., 0] > wide[..., 0]).all()
    assert (inner[..., 1] < wide[..., 1]).all()
    eta = few.linear_predictor(X)
    eta = np.column_stack([np.zeros(100), eta]) if K == 2 else eta
    p = np.exp(eta - eta.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    assert ((wide[..., 0] <= p) & (p <= wide[..., 1])).all()
    if K == 2:
        np.testing.assert_allclose(wide[:, 0, 0], 1 - wide[:, 1, 1], rtol=1e-12)


@pytest.mark.parametrize("flat", [None, pt.GaussianPrior(precision=0.0)], ids=["None", "precision 0"])
@pytest.mark.parametrize("K", CLASSES)
def test_under_a_flat_prior_the_mode_is_the_maximum_likelihood_fit_and_there_is_no_evidence(K, flat):
    X, y = rows(3, K=K)
    model, plain = pt.BayesianLogisticRegression(prior=flat).fit(X, y), pt.LogisticRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-8)
    np.testing.assert_allclose(model.intercept_, plain.intercept_, rtol=1e-8)
    if K == 2:
        np.testing.assert_allclose(model.posterior_.covariance, plain.covariance(), rtol=1e-8)
    with pytest.raises(pt.DataError, match="prior is flat"):
        _ = model.log_evidence_
    assert not hasattr(model, "log_evidence_")
    assert model.summary().to_dict()["log_evidence"] is None


def test_away_from_the_data_it_grows_uncertain_where_the_plug_in_grows_sure():
    X, y = rows(4, n=40, d=2)
    model, plain = pt.BayesianLogisticRegression().fit(X, y), pt.LogisticRegression(prior="evidence").fit(X, y)
    way = model.posterior_.covariance[1:, 1:] @ [1.0, 0.0]  # a way along which little is known
    way -= model.coef_[0] * (way @ model.coef_[0]) / (model.coef_[0] @ model.coef_[0]) * 0.97
    far = way / np.linalg.norm(way) * 1e4
    assert plain.predict_proba([far]).max() > 0.99
    assert model.predict_proba([far]).max() < 0.75
    lower, upper = model.predict_interval([far])[0, 1]
    assert lower < 0.01
    assert upper > 0.99


@pytest.mark.parametrize("K", CLASSES)
@pytest.mark.slow
def test_rows_beyond_the_range_of_floats_have_the_probabilities_of_the_way_they_lie(K):
    X, y = rows(5, K=K)
    for how in ("probit", "sampling"):
        model = pt.BayesianLogisticRegression(prior=1.0, predictive=how, random_state=0).fit(X, y)
        far, near = (model.predict_proba(X[:20] * size) for size in (1e300, 1e9))
        assert np.isfinite(far).all()
        np.testing.assert_allclose(far, near, rtol=0, atol=1e-6)
        assert np.isfinite(model.predict_log_proba(X[:20] * 1e300)).all()
    assert (np.diff(model.predict_interval(X[:20] * 1e300)) >= 0).all()


@pytest.mark.parametrize("K", CLASSES)
@pytest.mark.slow
def test_class_counts_weights_and_sparse_rows_are_the_plain_rows_again(K):
    X, y = rows(6, n=120, K=K)
    weights = np.random.default_rng(0).integers(1, 4, 120).astype(float)
    model = pt.BayesianLogisticRegression(random_state=0)
    plain = clone(model).fit(X, y, sample_weight=weights)
    counted = clone(model).fit(X, np.eye(K)[y] * weights[:, None])
    sparse = clone(model).fit(sp.csr_array(X), y, sample_weight=weights)
    for other in (counted, sparse):
        np.testing.assert_allclose(other.predict_proba(X), plain.predict_proba(X), rtol=0, atol=1e-10)
    np.testing.assert_allclose(sparse.predict_interval(sp.csr_array(X)), plain.predict_interval(X), atol=1e-9)
    times = weights.astype(int)
    copied = clone(model).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert sparse.log_evidence_ == pytest.approx(copied.log_evidence_, abs=1e-8)


def test_the_intercept_of_a_number_as_prior_does_not_depend_on_the_origin_of_a_column():
    X, y = rows(7)
    model, moved = (pt.BayesianLogisticRegression(prior=2.0).fit(X + shift, y) for shift in (0.0, 1e6))
    np.testing.assert_allclose(moved.predict_proba(X + 1e6), model.predict_proba(X), rtol=0, atol=1e-8)
    assert moved.log_evidence_ == pytest.approx(model.log_evidence_, abs=1e-6)


def test_the_common_shift_of_softmax_vectors_has_the_spread_of_the_prior():
    X, y = rows(8, K=3)
    model = pt.BayesianLogisticRegression(prior=2.0).fit(X, y)
    S = model.posterior_.covariance.reshape(3, 4, 3, 4)
    assert model.posterior_.mean.shape == (12,)
    np.testing.assert_allclose(S.mean(axis=(0, 2))[1:, 1:], np.eye(3) / 2.0 / 3.0, rtol=0, atol=1e-10)
    np.testing.assert_allclose(model.posterior_.mean.reshape(3, 4)[:, 1:], model.coef_)


# --- batches


def test_two_batches_under_a_gaussian_likelihood_would_be_one_and_are_nearly_that():
    X, y = rows(9, n=1000)
    whole = pt.BayesianLogisticRegression(prior=1.0).fit(X, y)
    parts = pt.BayesianLogisticRegression(prior=1.0).fit(X[:500], y[:500]).partial_fit(X[500:], y[500:])
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=0, atol=5e-3)
    assert parts.log_evidence_ == pytest.approx(whole.log_evidence_, abs=0.3)
    np.testing.assert_allclose(parts.posterior_.sd, whole.posterior_.sd, rtol=0.1)
    assert parts.n_batches_ == 2


@pytest.mark.slow
def test_a_batch_without_rows_of_some_class_or_spread_in_some_column_is_taken():
    X, y = rows(10, K=3)
    X[:5, 0] = 1.0
    order = np.concatenate([np.flatnonzero(y == 0)[:3], np.setdiff1d(np.arange(200), np.flatnonzero(y == 0)[:3])])
    model = pt.BayesianLogisticRegression(prior=1.0)
    model.partial_fit(X[order[:3]], y[order[:3]], classes=[0, 1, 2])
    for part in np.array_split(order[3:], 60):  # three or four rows each
        model.partial_fit(X[part], y[part])
    assert model.fit_status_ == "ok"
    whole = pt.BayesianLogisticRegression(prior=1.0).fit(X, y)
    assert (model.predict(X) == whole.predict(X)).mean() > 0.85
    with pytest.raises(pt.DataError, match="1 unknown class"):
        model.partial_fit(X[:2], [0, 7])
    with pytest.raises(pt.DataError, match="first call of partial_fit"):
        model.partial_fit(X[:2], [0, 1], classes=[0, 1])


def test_columns_far_from_the_origin_lose_nothing_from_batch_to_batch():
    X, y = rows(11)
    near, far = (
        pt.BayesianLogisticRegression(prior=pt.GaussianPrior(precision=1.0)).fit(X[:99] + s, y[:99]) for s in (0, 1e7)
    )
    near.partial_fit(X[99:], y[99:])
    far.partial_fit(X[99:] + 1e7, y[99:])
    np.testing.assert_allclose(far.predict_proba(X + 1e7), near.predict_proba(X), rtol=0, atol=1e-6)


@pytest.mark.parametrize("prior", ["evidence", 1.0])
@pytest.mark.parametrize("K", CLASSES)
def test_while_rows_are_few_any_batches_in_any_order_give_the_fit_of_all_rows(K, prior):
    X, y = rows(18, n=150, K=K)
    whole = pt.BayesianLogisticRegression(prior=prior).fit(X, y)
    for seed in (0, 1):
        model = pt.BayesianLogisticRegression(prior=prior)
        for part in np.array_split(np.random.default_rng(seed).permutation(150), 9):
            model.partial_fit(X[part], y[part], classes=range(K))
        np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), rtol=0, atol=1e-9)
        assert model.log_evidence_ == pytest.approx(whole.log_evidence_, abs=1e-7)


def test_kept_rows_may_be_weighted_sparse_counted_or_behind_a_basis():
    X, y = rows(19, n=120)
    weights = np.random.default_rng(0).uniform(0, 2, 120) * (np.arange(120) % 5 > 0)
    for table in (X, sp.csr_array(X)):
        for basis in (None, pt.PolynomialBasis(2)):
            model = pt.BayesianLogisticRegression(prior=1.0, basis=basis)
            whole = clone(model).fit(table, y, sample_weight=weights)
            model.partial_fit(table[:50], y[:50], sample_weight=weights[:50])
            model.partial_fit(table[50:], np.eye(2)[y[50:]], sample_weight=weights[50:])
            np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), rtol=0, atol=1e-9)
            assert model.log_evidence_ == pytest.approx(whole.log_evidence_, abs=1e-7)


def test_once_rows_are_many_none_is_kept_and_the_rest_is_near_the_whole():
    X, y = rows(20, n=1000)
    model = pt.BayesianLogisticRegression(prior=1.0)
    kept = []
    for part in np.array_split(np.arange(1000), 10):
        model.partial_fit(X[part], y[part])
        kept.append(model.warm_up_ is not None)
    assert kept == [True] + 9 * [False]  # four coefficients: two hundred rows are enough
    whole = pt.BayesianLogisticRegression(prior=1.0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), rtol=0, atol=0.02)


@pytest.mark.slow
def test_a_model_file_holds_no_rows_and_goes_on_from_the_gaussian(tmp_path):
    X, y = rows(21, n=100)
    X[3, 1] = 1234.56789
    model = pt.BayesianLogisticRegression(prior=1.0).partial_fit(X[:60], y[:60])
    assert len(model.warm_up_.rows) == 60
    pt.save(model, tmp_path / "m")
    assert np.float64(1234.56789).tobytes() not in (tmp_path / "m").read_bytes()
    loaded = pt.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    from_gaussian = pt.BayesianLogisticRegression(prior=1.0).fit(X[:60], y[:60]).partial_fit(X[60:], y[60:])
    np.testing.assert_allclose(loaded.partial_fit(X[60:], y[60:]).coef_, from_gaussian.coef_, rtol=1e-9)


def test_a_bad_cell_of_a_later_batch_is_named_by_its_own_row():
    X, y = rows(22, n=60)
    model = pt.BayesianLogisticRegression(prior=1.0).partial_fit(X[:40], y[:40])
    bad = X[40:].copy()
    bad[7, 1] = np.inf
    with pytest.raises(pt.DataError, match="row 7"):
        model.partial_fit(bad, y[40:])
    assert len(model.warm_up_.rows) == 40


def test_once_rows_are_many_the_precision_stays():
    X, y = rows(12)
    model = pt.BayesianLogisticRegression().fit(X[:100], y[:100])
    chosen = model.evidence_
    model.partial_fit(X[100:], y[100:])
    assert model.evidence_ is chosen
    again = model.fit(X, y)
    assert again.evidence_ is not chosen
    assert again.n_batches_ == 1


def test_a_batch_that_is_refused_leaves_the_posterior_as_it_was():
    X, y = rows(13)
    model = pt.BayesianLogisticRegression(prior=1.0).fit(X, y)
    before = dict(vars(model))
    with pytest.raises(pt.DataError):
        model.partial_fit(X[:, :2], y)
    with pytest.raises(pt.DataError):
        model.partial_fit(np.where(X > 2, np.nan, X), y)
    assert all(vars(model)[name] is value for name, value in before.items())


# --- edges


def test_separated_classes_have_a_posterior_under_a_proper_prior_and_none_under_a_flat_one():
    X, y = load_iris(return_X_y=True)
    model = pt.BayesianLogisticRegression().fit(X, y == 0)
    assert model.fit_status_ == "ok"
    assert {note.code for note in model.fit_notes_} == {"laplace-inaccurate"}
    assert "separate the classes" in str(model.fit_notes_[0])
    assert model.predict_proba(X).max() < 1.0
    with pytest.raises(pt.DataError, match="there is no posterior"):
        pt.BayesianLogisticRegression(prior=None).fit(X, y == 0)
    with pytest.raises(pt.DataError, match="do not identify"):
        pt.BayesianLogisticRegression(prior=None).fit(np.column_stack([X, X[:, 0]]), y == 1)


def test_aliased_and_constant_columns_are_held_by_the_prior():
    X, y = rows(14)
    wide = np.column_stack([X, X[:, 0], np.full(200, 3.0)])
    for prior in ("evidence", 1.0):
        model = pt.BayesianLogisticRegression(prior=prior).fit(wide, y)
        assert model.fit_status_ == "ok"
        assert model.coef_[0, 0] == pytest.approx(model.coef_[0, 3], rel=1e-8)
        assert abs(model.coef_[0, 4]) < 1e-8
        assert np.isfinite(model.posterior_.covariance).all()


def test_quadrature_of_three_classes_is_refused_by_name_of_the_others():
    X, y = rows(15, K=3)
    with pytest.raises(pt.DataError, match="'sampling', or 'probit'"):
        pt.BayesianLogisticRegression(predictive="quadrature").fit(X, y)
    with pytest.raises(pt.DataError, match="'probit', 'quadrature', 'sampling'"):
        pt.BayesianLogisticRegression(predictive="exact").fit(X, y)
    with pytest.raises(pt.DataError, match="between 0 and 1"):
        pt.BayesianLogisticRegression().fit(X, y).predict_interval(X, level=95)


@pytest.mark.slow
def test_draws_depend_on_the_seed_and_on_nothing_else():
    X, y = rows(16, K=3)
    one, same, other = (
        pt.BayesianLogisticRegression(prior=1.0, predictive="sampling", random_state=seed).fit(X, y)
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one.predict_proba(X), same.predict_proba(X))
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=0, atol=0.01)
    assert (one.predict_proba(X) != other.predict_proba(X)).any()
    np.testing.assert_allclose(one.predict_proba(X[7:8]), one.predict_proba(X)[7:8], rtol=1e-12)


def test_a_basis_bends_the_boundary_and_frames_keep_their_names():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.uniform(-2, 2, (200, 2)), columns=["a", "b"])
    y = np.where((X**2).sum(axis=1) + rng.logistic(size=200) * 0.3 < 2, "in", "out")
    model = pt.BayesianLogisticRegression(basis=pt.PolynomialBasis(2)).fit(X, y)
    assert model.score(X, y) > 0.9
    assert set(model.summary().to_frame("pandas")["term"]) == {"(Intercept)", *model.coefficient_names_}
    assert model.feature_names_in_.tolist() == ["a", "b"]


def test_the_summary_tells_posterior_and_prior_of_each_coefficient():
    X, y = load_breast_cancer(return_X_y=True)
    names = np.array(["benign", "malignant"])
    frame = pd.DataFrame(X[:, :2], columns=["radius", "texture"])
    model = pt.BayesianLogisticRegression(prior=0.5).fit(frame, names[y])
    summary = model.summary(level=0.9)
    table = summary.to_frame("pandas")
    assert table["term"].tolist() == ["(Intercept)", "radius", "texture"]
    np.testing.assert_allclose(table["mode"], model.posterior_.mean)
    np.testing.assert_allclose(table["mean"], model.posterior_.mean, rtol=0, atol=0.3 * model.posterior_.sd.max())
    np.testing.assert_allclose(table["sd"], model.posterior_.sd, rtol=0.05)
    np.testing.assert_allclose(table["upper"] - table["lower"], 2 * 1.6448536269514722 * table["sd"], rtol=0.01)
    np.testing.assert_allclose(table["prior_sd"][1:], np.sqrt(2.0))
    assert "malignant (reference benign)" in str(summary)
    assert "radius" in summary._repr_html_()
    assert "radius" in summary.to_latex()
    turned = model.summary(reference="malignant")
    np.testing.assert_allclose(turned.numbers[:, 0], -model.posterior_.mean)
    ratios = model.summary(exponentiate=True)
    np.testing.assert_allclose(ratios.numbers[:, 0], np.exp(model.posterior_.mean))
    with pytest.raises(pt.DataError, match="not one of the classes"):
        model.summary(reference="other")


@pytest.mark.slow
def test_the_summary_of_three_classes_is_by_vector_or_by_contrast():
    X, y = load_iris(return_X_y=True)
    model = pt.BayesianLogisticRegression().fit(X, y)
    whole, apart = model.summary(), model.summary(reference=1)
    assert whole.numbers.shape == (15, 8)
    assert apart.numbers.shape == (10, 8)
    vectors = model.posterior_.mean.reshape(3, 5)
    np.testing.assert_allclose(apart.numbers[:5, 0], vectors[0] - vectors[1])
    assert "Prior precision on standardised columns" in str(whole)


def test_distances_are_those_of_the_mean_scores():
    X, y = rows(17, K=3)
    model = pt.BayesianLogisticRegression(prior=1.0).fit(X, y)
    apart = model.coef_[2] - model.coef_[0]
    wanted = (X @ apart + model.intercept_[2] - model.intercept_[0]) / np.linalg.norm(apart)
    np.testing.assert_allclose(model.signed_distance(X)[:, 0, 2], wanted, rtol=0, atol=1e-10)
    np.testing.assert_array_equal(model.decision_function(X).argmax(axis=1), model.predict(X))
    two = pt.BayesianLogisticRegression(prior=1.0).fit(X, y > 0)
    np.testing.assert_array_equal(two.decision_function(X) > 0, two.predict(X))
    np.testing.assert_array_equal(np.sign(two.signed_distance(X)), np.sign(two.decision_function(X)))


def test_it_goes_through_a_table_of_all_kinds_of_columns():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"size": rng.standard_normal(90), "colour": np.array(["red", "blue", "green"])[np.arange(90) % 3]}
    )
    y = np.where(frame["size"] + rng.logistic(size=90) > 0, "up", "down")
    model = pt.TableClassifier(pt.BayesianLogisticRegression()).fit(frame, y)
    assert model.predict_proba(frame).shape == (90, 2)
    assert "colour=green" in str(model.summary())


def test_weights_that_are_no_whole_numbers_are_warned_of_and_the_note_stays_after_further_batches():
    rng = np.random.default_rng(0)
    X, y, w = rng.standard_normal((60, 2)), np.arange(60) % 2, np.linspace(0.2, 1.8, 60)
    model = pt.BayesianLogisticRegression(prior=1.0)
    assert model.fit(X, y, sample_weight=np.arange(1, 61)).fit_notes_ == []
    with pytest.warns(pt.NonIntegerWeightsWarning, match="60 of 60 weights are not whole numbers, the first at row 0"):
        (note,) = model.fit(X, y, sample_weight=w).fit_notes_
    assert "LogisticRegression(weights='sampling')" in note.remedy
    assert "not whole numbers" in " ".join(str(model.summary()).split())
    model.partial_fit(X, y)
    assert [note.code for note in model.fit_notes_] == ["fractional-weights"]
