"""The noisy-OR: its maximum under theta >= 0, what has none, what is refused, and what it predicts."""

import mpmath
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import posteriori as pt
from posteriori.links.noisy_or import NoisyOrLink

SEEDS = st.integers(0, 2**32 - 1)


def triggers(seed, n=120, d=4, leak=0.1):
    """Draw rows of triggers, present or not, and whether they caused anything."""
    rng = np.random.default_rng(seed)
    X = (rng.random((n, d)) < rng.uniform(0.2, 0.7, d)).astype(float)
    theta = rng.gamma(1.0, 0.5, d) * (rng.random(d) < 0.7)
    y = (rng.random(n) < -np.expm1(-(X @ theta + leak))).astype(int)
    y[:2] = [0, 1]
    X[0] = 1.0  # every trigger failed once
    X[1] = 1.0
    return X, y


def amounts(seed, n=90, d=3):
    """Draw rows of amounts from zero up."""
    rng = np.random.default_rng(seed)
    X = rng.gamma(0.7, 1.0, (n, d)) * 10.0 ** rng.integers(-3, 4, d)
    y = (rng.random(n) < -np.expm1(-(X / X.mean(axis=0)) @ rng.uniform(0, 0.6, d))).astype(int)
    y[:2] = [0, 1]
    return X, y


def conditions(model, X, y, weights=None):
    """Give, by plain numpy, what of the gradient the conditions of Karush, Kuhn and Tucker do not allow, in errors."""
    s = np.ones(len(y)) if weights is None else weights
    Z = np.column_stack([np.ones(len(y)), X]) if model.leak else np.asarray(X)
    theta = np.concatenate([[model.leak_], model.theta_]) if model.leak else model.theta_
    assert (theta >= 0).all()
    seen = y == model.classes_[1]
    eta = np.where(seen, Z @ theta, 1.0)
    gradient = Z.T @ np.where(seen, s / np.expm1(eta), -s)
    curvature = (Z**2).T @ np.where(seen, s * np.exp(eta) / np.expm1(eta) ** 2, 0.0)
    return np.where(theta > 0, np.abs(gradient), np.maximum(gradient, 0.0)) / np.sqrt(curvature)


# --- the maximum


@given(seed=SEEDS, leak=st.booleans(), real=st.booleans(), weighted=st.booleans())
def test_the_conditions_of_karush_kuhn_and_tucker_hold(seed, leak, real, weighted):
    X, y = amounts(seed) if real else triggers(seed)
    if not leak:
        kept = (y == 0) | X.any(axis=1)
        X, y = X[kept], y[kept]
    weights = np.random.default_rng(seed).uniform(0.1, 4.0, len(y)) if weighted else None
    model = pt.NoisyOr(leak=leak).fit(X, y, weights)
    assert model.fit_status_ == "ok"
    assert conditions(model, X, y, weights).max() < 1e-8
    solution = model.solution_
    assert solution.converged
    assert solution.overlap
    assert solution.decrement <= 1e-8
    assert solution.violation <= 1e-7
    assert solution.n_free == (model.theta_ > 0).sum() + (model.leak_ > 0)


@given(seed=SEEDS)
def test_no_other_theta_is_likelier(seed):
    X, y = amounts(seed)
    model = pt.NoisyOr().fit(X, y)
    rng = np.random.default_rng(seed)
    best = np.concatenate([[model.leak_], model.theta_])
    Z = np.column_stack([np.ones(len(y)), X])

    def likelihood(theta):
        eta = Z @ theta
        return np.where(y == 1, np.log(-np.expm1(-eta)), -eta).sum()

    assert model.log_likelihood_ == pytest.approx(likelihood(best), rel=1e-12)
    for size in (1e-3, 0.1, 1.0):
        other = np.maximum(best + size * rng.standard_normal(4) / Z.std(axis=0, mean=0.0), 1e-12)
        assert likelihood(other) <= model.log_likelihood_ + 1e-9


def test_one_trigger_and_no_leak_fails_as_often_as_it_was_seen_to():
    X = np.array([[1.0]] * 10 + [[0.0]] * 5)
    y = np.array([1] * 7 + [0] * 8)
    model = pt.NoisyOr(leak=False).fit(X, y)
    assert model.failure_probabilities_ == pytest.approx([0.3], abs=1e-14)
    assert model.theta_ == pytest.approx([-np.log(0.3)], abs=1e-14)
    assert (model.leak_, model.intercept_.tolist(), model.n_parameters_) == (0.0, [0.0], 1)


def test_a_leak_is_what_happens_without_triggers():
    X = np.array([[1.0]] * 10 + [[0.0]] * 8)
    y = np.array([1] * 7 + [0] * 3 + [1] * 2 + [0] * 6)
    model = pt.NoisyOr().fit(X, y)
    assert np.exp(-model.leak_) == pytest.approx(0.75, abs=1e-14)
    assert model.failure_probabilities_ == pytest.approx([0.3 / 0.75], abs=1e-14)
    assert model.coef_.tolist() == [model.theta_.tolist()]
    assert model.n_parameters_ == 2


def test_a_trigger_that_only_hinders_has_failure_probability_one():
    X = np.array([[0.0]] * 10 + [[1.0]] * 10)
    y = np.array([1] * 8 + [0] * 2 + [1] * 2 + [0] * 8)
    model = pt.NoisyOr().fit(X, y)
    assert model.theta_.tolist() == [0.0]
    assert model.failure_probabilities_.tolist() == [1.0]
    assert np.exp(-model.leak_) == pytest.approx(0.5, abs=1e-14)
    assert model.signed_distance(X).tolist() == [np.copysign(np.inf, value) for value in model.decision_function(X)]


def test_a_column_that_no_row_of_class_one_shows_is_at_zero():
    X = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    model = pt.NoisyOr(leak=False).fit(X, [1, 1, 0, 0])
    assert model.theta_[1] == 0.0
    assert model.failure_probabilities_ == pytest.approx([1 / 3, 1.0])
    assert model.fit_status_ == "ok"


@given(seed=SEEDS, scale=st.sampled_from([2.0**-40, 3.7, 1e9, 1e-120, 1e120]))
def test_the_unit_of_a_column_divides_its_theta(seed, scale):
    X, y = amounts(seed)
    other = X * [1.0, scale, 1.0]
    plain, turned = pt.NoisyOr().fit(X, y), pt.NoisyOr().fit(other, y)
    np.testing.assert_allclose(turned.theta_ * [1.0, scale, 1.0], plain.theta_, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(turned.predict_proba(other), plain.predict_proba(X), rtol=0, atol=1e-10)


@given(seed=SEEDS)
def test_counts_are_rows_put_together(seed):
    X, y = triggers(seed, d=3)
    patterns, where = np.unique(X, axis=0, return_inverse=True)
    grouped = np.zeros((len(patterns), 2))
    np.add.at(grouped, (where.ravel(), y), 1.0)
    one, other = pt.NoisyOr().fit(X, y), pt.NoisyOr().fit(patterns, grouped)
    np.testing.assert_allclose(other.theta_, one.theta_, rtol=0, atol=1e-9)
    np.testing.assert_allclose(other.predict_proba(X), one.predict_proba(X), rtol=0, atol=1e-10)


@given(seed=SEEDS)
def test_sparse_rows_and_frames_give_what_arrays_give(seed):
    X, y = triggers(seed)
    plain = pt.NoisyOr().fit(X, y)
    for kind in (sp.csr_array, sp.csc_matrix):
        thin = pt.NoisyOr().fit(kind(X), y)
        np.testing.assert_allclose(thin.theta_, plain.theta_, rtol=0, atol=1e-9)
        np.testing.assert_allclose(thin.predict_log_proba(kind(X)), plain.predict_log_proba(X), rtol=0, atol=1e-9)
    frame = pd.DataFrame(X, columns=list("abcd"))
    named = pt.NoisyOr().fit(frame, y)
    assert named.feature_names_in_.tolist() == list("abcd")
    np.testing.assert_array_equal(named.theta_, plain.theta_)


def test_single_precision_comes_back_as_it_went_in():
    X, y = triggers(1)
    model = pt.NoisyOr().fit(X.astype(np.float32), y)
    assert model.predict_proba(X.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("y", [[0, 1], [1, 0]])
def test_one_row_of_each_class_is_enough(y):
    model = pt.NoisyOr(leak=False).fit([[1.0, 2.0], [2.0, 1.0]], y)
    assert model.fit_status_ == "ok"
    assert model.solution_.converged
    with pytest.warns(pt.CollinearityWarning, match=r"column 1 = -1 x 0 \+ 3"):
        pt.NoisyOr().fit([[1.0, 2.0], [2.0, 1.0]], y)


# --- what has no finite maximum


def never_failing():
    X = np.array([[1, 0, 1], [1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [0, 1, 0], [0, 0, 0]])
    return pd.DataFrame(X, columns=["sure", "maybe", "other"]), np.array([1, 1, 1, 0, 0, 0, 0])


@pytest.mark.parametrize("leak", [True, False])
def test_a_trigger_that_never_failed_is_named_and_stands_far_out(leak):
    X, y = never_failing()
    with pytest.warns(pt.SeparationWarning, match=r"'sure'.* failure probability is 0"):
        model = pt.NoisyOr(leak=leak).fit(X, y)
    assert model.fit_status_ == "separated"
    assert model.solution_.overlap is False
    assert not model.solution_.converged
    note = model.fit_notes_[0]
    assert (note.code, note.columns, note.rows) == ("separation", ("sure",), (0, 1))
    assert model.infinite_.tolist() == [[0, 1, 0, 0]]
    assert 0 < model.failure_probabilities_[0] < 1e-15
    assert np.isfinite(model.predict_log_proba(X)[y == 1]).all()
    assert model.predict_proba(X)[:2, 1] == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("leak", [True, False])
def test_the_other_thetas_are_those_of_the_rows_without_it(leak):
    X, y = never_failing()
    with pytest.warns(pt.SeparationWarning):
        model = pt.NoisyOr(leak=leak).fit(X, y)
    rest = X["sure"] == 0
    alone = pt.NoisyOr(leak=leak).fit(X.loc[rest, ["maybe", "other"]], y[rest])
    np.testing.assert_allclose(model.theta_[1:], alone.theta_, rtol=0, atol=1e-9)
    assert model.leak_ == pytest.approx(alone.leak_, abs=1e-9)


@given(seed=SEEDS, scale=st.sampled_from([1.0, 1e-8, 1e8]))
def test_separation_depends_on_the_data_alone(seed, scale):
    X, y = amounts(seed, n=40)
    X[:, 0] = np.where(y == 1, X[:, 0], 0.0)
    order, repeats = np.random.default_rng(seed).permutation(len(y)), np.arange(len(y)) % 3 + 1
    with pytest.warns(pt.SeparationWarning):
        model = pt.NoisyOr().fit(X, y, repeats)
    with pytest.warns(pt.SeparationWarning):
        other = pt.NoisyOr().fit(np.repeat(X, repeats, axis=0) * scale, np.repeat(y, repeats))
    with pytest.warns(pt.SeparationWarning):
        turned = pt.NoisyOr().fit(X[order], y[order], repeats[order])
    np.testing.assert_allclose(other.theta_ * scale, model.theta_, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(turned.theta_, model.theta_, rtol=1e-6, atol=1e-9)


def test_a_single_row_that_failed_makes_it_finite():
    X, y = never_failing()
    X = pd.concat([X, pd.DataFrame([[1, 0, 0]], columns=X.columns)])
    model = pt.NoisyOr().fit(X, np.append(y, 0))
    assert model.fit_status_ == "ok"
    assert model.theta_[0] < 2.0


def test_a_weight_of_zero_on_the_row_that_failed_does_not():
    X, y = never_failing()
    X = pd.concat([X, pd.DataFrame([[1, 0, 0]], columns=X.columns)])
    with pytest.warns(pt.SeparationWarning):
        model = pt.NoisyOr().fit(X, np.append(y, 0), np.append(np.ones(7), 0.0))
    assert model.fit_status_ == "separated"


# --- columns that cannot be told apart


@given(seed=SEEDS)
def test_a_column_given_twice_shares_its_theta_and_is_named(seed):
    X, y = triggers(seed)
    once = pt.NoisyOr().fit(X, y)
    with pytest.warns(pt.CollinearityWarning, match="column 4 = 1 x 0"):
        twice = pt.NoisyOr().fit(np.column_stack([X, X[:, 0]]), y)
    assert (twice.fit_status_, twice.fit_notes_[0].columns) == ("aliased", (4,))
    assert twice.theta_[[0, 4]] == pytest.approx(np.full(2, once.theta_[0] / 2), abs=1e-7)
    np.testing.assert_allclose(
        twice.predict_proba(np.column_stack([X, X[:, 0]])), once.predict_proba(X), rtol=0, atol=1e-8
    )


@given(seed=SEEDS)
def test_a_sum_of_columns_changes_no_probability(seed):
    X, y = triggers(seed)
    wide = np.column_stack([X, X[:, 0] + X[:, 1], np.zeros(len(y)), np.ones(len(y))])
    once = pt.NoisyOr().fit(X, y)
    with pytest.warns(pt.CollinearityWarning) as caught:
        model = pt.NoisyOr().fit(wide, y)
    assert len(caught) == 1
    assert model.fit_notes_[0].columns == (4, 5, 6)
    assert model.theta_[5] == 0.0
    assert model.solution_.converged
    np.testing.assert_allclose(model.predict_proba(wide), once.predict_proba(X), rtol=0, atol=1e-7)


@given(seed=SEEDS)
def test_theta_of_dependent_columns_depends_on_the_data_alone(seed):
    X, y = triggers(seed)
    wide = np.column_stack([X, X[:, 0] + X[:, 1], X[:, 2]])
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(y)), rng.permutation(wide.shape[1])
    with pytest.warns(pt.CollinearityWarning):
        one = pt.NoisyOr().fit(wide, y)
    with pytest.warns(pt.CollinearityWarning):
        other = pt.NoisyOr().fit(wide[rows][:, columns], y[rows])
    np.testing.assert_allclose(other.theta_, one.theta_[columns], rtol=0, atol=1e-6)


def test_columns_alike_where_the_class_occurs_are_told_apart_by_what_they_cost():
    # both explain the same rows of class 1; the second is present in more rows of class 0
    X = np.array([[1, 1]] * 4 + [[1, 0]] * 2 + [[0, 1]] * 5 + [[0, 0]] * 3)
    y = np.array([1] * 4 + [0] * 10)
    model = pt.NoisyOr().fit(X, y)
    assert model.fit_status_ == "ok"
    assert model.theta_[1] == 0.0
    assert model.failure_probabilities_[0] == pytest.approx(2 / 6)


def test_columns_alike_where_the_class_occurs_and_of_one_cost_are_not_determined():
    X = np.array([[1, 1]] * 4 + [[1, 0]] * 2 + [[0, 1]] * 2 + [[0, 0]] * 3)
    y = np.array([1] * 4 + [0] * 7)
    with pytest.warns(pt.CollinearityWarning, match="not determined"):
        model = pt.NoisyOr().fit(X, y)
    assert model.fit_status_ == "aliased"
    assert model.fit_notes_[0].columns == (0, 1)
    assert model.theta_[0] == pytest.approx(model.theta_[1])
    assert np.exp(-model.theta_.sum()) == pytest.approx(2 / 6)


def test_the_least_norm_keeps_to_the_bounds():
    # theta_0 + theta_2 = 3 and theta_1 + theta_2 = 0.1 are all that is known: 2 is at 0.1, 1 at 0
    counts = [[np.exp(-3.0), -np.expm1(-3.0)], [np.exp(-0.1), -np.expm1(-0.1)]]
    with pytest.warns(pt.CollinearityWarning):
        model = pt.NoisyOr(leak=False).fit([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], counts)
    assert model.theta_[0] + model.theta_[2] == pytest.approx(3.0)
    assert model.theta_[1] + model.theta_[2] == pytest.approx(0.1)
    assert (model.theta_ >= 0).all()
    assert model.theta_[1] == pytest.approx(0.0, abs=1e-9)


# --- what is refused


def test_negative_cells_are_named_in_fit_and_in_predict():
    X, y = triggers(0)
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = pt.NoisyOr().fit(frame, y)
    frame.loc[[7, 9], "c"] = -2.0
    for call in (
        lambda: pt.NoisyOr().fit(frame, y),
        lambda: model.predict(frame),
        lambda: model.predict_proba(frame),
        lambda: model.decision_function(frame),
        lambda: model.explain(frame),
    ):
        with pytest.raises(
            pt.DataError, match=r"Negative values in data: .* not -2. In column 'c': 2 cell\(s\), .* row 7"
        ):
            call()
    with pytest.raises(pt.DataError, match="column 2: 2 cell"):
        pt.NoisyOr().fit(sp.csr_array(frame.to_numpy()), y)


def test_cells_that_are_not_finite_are_named_in_predict():
    X, y = triggers(0)
    model = pt.NoisyOr().fit(X, y)
    X[3, 1] = np.nan
    with pytest.raises(pt.DataError, match=r"contains NaN\. In column 1"):
        model.predict(X)


def test_rows_that_nothing_can_have_caused_are_named():
    X, y = np.array([[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]), np.array(["no", "yes", "yes", "yes"])
    with pytest.raises(pt.DataError, match=r"2 row\(s\) of class 'yes' have no active cause .*: 1, 3\..*leak=True"):
        pt.NoisyOr(leak=False).fit(X, y)
    with pytest.raises(pt.DataError, match=r": 3\."):
        pt.NoisyOr(leak=False).fit(sp.csr_array(X), y, [1.0, 0.0, 1.0, 1.0])


def test_three_classes_are_refused():
    with pytest.raises(pt.DataError, match="Only binary classification is supported"):
        pt.NoisyOr().fit([[1.0], [2.0], [3.0]], [0, 1, 2])
    with pytest.raises(pt.DataError, match="two classes, not 3"):
        pt.NoisyOr().fit([[1.0], [2.0]], [[1, 0, 2], [3, 1, 1]])


@pytest.mark.parametrize("parameters", [{"leak": "yes"}, {"leak": 1}, {"tol": 0.0}, {"max_iter": 0}])
def test_parameters_are_checked(parameters):
    with pytest.raises(pt.DataError, match=next(iter(parameters))):
        pt.NoisyOr(**parameters).fit([[1.0], [0.0]], [1, 0])


def test_a_limit_of_steps_is_not_silent():
    X, y = amounts(0)
    with pytest.warns(pt.ConvergenceWarning, match="limit of 1 iterations"):
        model = pt.NoisyOr(max_iter=1).fit(X, y)
    assert model.fit_status_ == "not_converged"
    assert not model.solution_.converged


# --- predictions


def test_without_a_cause_the_class_is_impossible_and_nothing_is_nan():
    model = pt.NoisyOr(leak=False).fit([[1.0], [1.0], [0.0]], [1, 0, 0])
    assert model.predict_proba([[0.0]]).tolist() == [[1.0, 0.0]]
    assert model.predict_log_proba([[0.0]]).tolist() == [[0.0, -np.inf]]
    assert model.predict([[0.0]]).tolist() == [0]


def test_scores_boundaries_margins_and_distances_say_the_same():
    X, y = amounts(3)
    model = pt.NoisyOr().fit(X, y)
    eta = X @ model.theta_ + model.leak_
    np.testing.assert_allclose(model.linear_predictor(X), eta, rtol=1e-12)
    np.testing.assert_allclose(model.decision_function(X), eta - np.log(2.0), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(model.predict(X), (model.decision_function(X) > 0).astype(int))
    np.testing.assert_allclose(model.predict_log_proba(X)[:, 0], -eta, rtol=1e-12)
    np.testing.assert_allclose(
        model.signed_distance(X), (eta - np.log(2.0)) / np.linalg.norm(model.theta_), rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(model.margins(X, y), np.where(y == 1, 1, -1) * model.decision_function(X))


def test_an_explanation_adds_up_to_minus_the_log_failure():
    X, y = triggers(5)
    model = pt.NoisyOr().fit(pd.DataFrame(X, columns=list("abcd")), y)
    told = model.explain(pd.DataFrame(X, columns=list("abcd")))
    np.testing.assert_allclose(told.total, -model.predict_log_proba(pd.DataFrame(X, columns=list("abcd")))[:, 0])
    np.testing.assert_allclose(told.contributions, X * model.theta_)
    assert told.baseline == model.leak_


@pytest.mark.parametrize("eta", [1e-300, 1e-20, 1e-5, 0.3, 0.69, 0.7, 5.0, 36.0, 40.0, 700.0, 745.0, 1e4])
def test_logs_and_derivatives_have_all_their_digits(eta):
    with mpmath.workdps(60):
        x = mpmath.mpf(eta)
        log_p = mpmath.log(-mpmath.expm1(-x))
        score, curvature = 1 / mpmath.expm1(x), mpmath.exp(x) / mpmath.expm1(x) ** 2
    link, at = NoisyOrLink(), np.array([[eta]])
    assert link.log_probabilities(at)[0, 1] == pytest.approx(float(log_p), rel=1e-14)
    assert link.log_probabilities(at)[0, 0] == -eta
    parts = link.parts(at, np.array([[0.0, 1.0]]), curvature=True)
    assert parts.loss[0] == pytest.approx(float(-log_p), rel=1e-14)
    assert parts.score[0, 0] == pytest.approx(float(-score), rel=1e-14)
    assert parts.curvature[0, 0, 0] == pytest.approx(float(curvature), rel=1e-14)


def test_outside_its_domain_the_link_refuses_by_an_infinite_loss_alone():
    parts = NoisyOrLink().parts(np.array([[0.0], [-1.0], [0.0]]), np.array([[0, 1], [2, 1], [3, 0]]), curvature=True)
    assert parts.loss.tolist() == [np.inf, np.inf, 0.0]
    assert parts.score.tolist() == [[0.0], [0.0], [3.0]]
    assert not parts.curvature.any()


# --- many columns


@pytest.mark.parametrize("leak", [True, False])
def test_more_columns_than_a_hessian_has_room_for_reach_the_same_maximum(leak, monkeypatch):
    rng = np.random.default_rng(0)
    X = sp.csr_array((rng.random((600, 150)) < 0.05).astype(float))
    y = (rng.random(600) < -np.expm1(-(X @ rng.gamma(0.5, 1.0, 150)) - 0.05)).astype(int)
    weights = np.where((y == 1) & (X.sum(axis=1) == 0), 0.0, rng.uniform(0.5, 2.0, 600))
    with pytest.warns(pt.SeparationWarning):
        dense = pt.NoisyOr(leak=leak).fit(X, y, weights)
    monkeypatch.setattr("posteriori.fits.noisy_or.fit.DENSE_LIMIT", 110)
    monkeypatch.setattr("posteriori.fits.noisy_or.active_set.ROUND_COLUMNS", 30)
    with pytest.warns(pt.SeparationWarning):
        wide = pt.NoisyOr(leak=leak).fit(X, y, weights)
    assert wide.solution_.sweeps > dense.solution_.sweeps
    np.testing.assert_allclose(wide.theta_, dense.theta_, rtol=0, atol=1e-8)
    assert wide.log_likelihood_ == pytest.approx(dense.log_likelihood_, abs=1e-9)
    assert "within the tolerance" in wide.solution_.reason


def test_where_there_is_no_room_for_the_columns_above_zero_it_is_said(monkeypatch):
    X, y = amounts(2, n=60, d=3)
    monkeypatch.setattr("posteriori.fits.noisy_or.fit.DENSE_LIMIT", 1)
    with pytest.warns(pt.ConvergenceWarning, match="no room"):
        model = pt.NoisyOr().fit(X, y)
    assert model.fit_status_ == "not_converged"
    with pytest.raises(pt.DataError, match="Use leak=True"):
        pt.NoisyOr(leak=False).fit(np.vstack([np.eye(6), np.eye(6)]), [0] * 6 + [1] * 6)
