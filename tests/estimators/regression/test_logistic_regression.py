"""Logistic regression at its edges: separation, aliases, extreme units and weights, counts, offsets, rare classes."""

import tracemalloc
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import expit, log_expit
from sklearn.exceptions import ConvergenceWarning, NotFittedError

import posteriori as pt

FIT = {"binary": 2, "softmax": 3}
kinds = pytest.mark.parametrize("classes", [2, 3])


def rows(n=200, d=3, K=2, seed=0):
    """Draw rows of overlapping classes."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    scores = X @ rng.standard_normal((d, K)) + rng.gumbel(size=(n, K))
    return X, scores.argmax(axis=1)


def fit(X, y, *, sample_weight=None, offset=None, **parameters):
    return pt.LogisticRegression(**parameters).fit(X, y, sample_weight=sample_weight, offset=offset)


def close(found, wanted, atol):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=atol)


# --- separation (N1-N3, N5, N22)


def test_complete_separation_is_warned_of_by_column():
    X, _ = rows(60)
    y = X[:, 1] > 0
    with pytest.warns(pt.SeparationWarning, match="Complete separation") as caught:
        model = fit(X, y)
    assert [warning.category for warning in caught] == [pt.SeparationWarning]
    assert model.fit_status_ == "separated"
    (note,) = model.fit_notes_
    assert note.code == "separation"
    assert 1 in note.columns
    assert len(note.rows) == 60
    assert "prior=pt.GaussianPrior(sd=2.5, units='sd')" in note.remedy
    assert not model.solution_.converged
    assert model.solution_.overlap is False
    logs = model.predict_log_proba(X)
    assert np.isfinite(logs).all()
    assert np.exp(logs[np.arange(60), y.astype(int)]).min() > 1 - 1e-8


def test_the_point_taken_under_separation_is_a_function_of_the_data():
    X, _ = rows(60)
    y = X[:, 1] > 0
    order = np.random.default_rng(1).permutation(60)
    with pytest.warns(pt.SeparationWarning):
        first, again = fit(X, y), fit(X[order], y[order])
    np.testing.assert_allclose(again.coef_, first.coef_, rtol=1e-6)
    with pytest.warns(pt.SeparationWarning):
        irls = fit(X, y, solver="irls")
    np.testing.assert_allclose(irls.coef_, first.coef_, rtol=1e-6)


def test_separation_raises_where_asked():
    X, _ = rows(60)
    with pytest.raises(pt.DataError, match="Complete separation"):
        fit(X, X[:, 1] > 0, on_separation="raise")


def test_quasi_separation_sends_only_its_own_column_to_infinity():
    X, y = rows(200)
    trigger = np.zeros(200)
    trigger[np.flatnonzero(y == 1)[:5]] = 1.0
    with pytest.warns(
        pt.SeparationWarning,
        match="Quasi-complete separation: column 3 predicts the outcome perfectly in 5 of 200 observations",
    ):
        model = fit(np.column_stack([X, trigger]), y)
    assert model.fit_notes_[0].columns == (3,)
    rest = fit(X[trigger == 0], y[trigger == 0])
    np.testing.assert_allclose(model.coef_[0, :3], rest.coef_[0], rtol=1e-5)
    assert model.coef_[0, 3] > 10


def test_a_note_names_each_separated_class_once():
    note = r"separates class 'a' from 'b' and from 'c', and class 'b' from 'c' perfectly in 6 of 6"
    with pytest.warns(pt.SeparationWarning, match=note):
        fit(np.arange(6.0)[:, None], list("aabbcc"))


def test_softmax_separation_of_one_class_is_found():
    X, y = rows(150, K=3)
    X[y == 2, 0] += 100.0
    with pytest.warns(pt.SeparationWarning, match="separates class 0 from 2"):
        model = fit(X, y)
    assert model.fit_status_ == "separated"
    assert 0 in model.fit_notes_[0].columns
    p = model.predict_proba(X)
    assert p[y == 2, 2].min() > 1 - 1e-8
    # the other two are told apart as if they were alone
    alone = fit(X[y < 2], y[y < 2])
    close(p[y < 2][:, 1], alone.predict_proba(X[y < 2])[:, 1], 1e-5)


def test_nearly_separated_rows_are_fitted_without_a_false_alarm():
    x = np.linspace(-1, 1, 400)
    y = (x > 0).astype(int)
    y[198], y[202] = 1, 0  # one pair overlaps by a hair
    model = fit(x[:, None], y)
    assert model.fit_status_ == "ok"
    assert model.solution_.overlap is True
    p = model.predict_proba(x[:, None])[:, 1]
    assert abs((p - y).sum()) < 1e-9
    assert abs(((p - y) * x).sum()) < 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_separation_is_never_missed_and_never_feigned(seed):
    """Small sets with many ties, judged by a linear programme of its own."""
    from scipy.optimize import linprog

    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (9, 2)).astype(float)
    y = rng.permutation(np.arange(9) % 2)
    signed = np.where(y == 1, 1.0, -1.0)[:, None] * np.column_stack([np.ones(9), X])
    programme = linprog(-signed.sum(axis=0), A_ub=-signed, b_ub=np.zeros(9), bounds=[(-1, 1)] * 3)
    separated = programme.fun < -1e-9
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = fit(X, y)
    assert (model.fit_status_ == "separated") is separated
    assert any(issubclass(warning.category, pt.SeparationWarning) for warning in caught) is separated


def test_more_columns_than_rows_are_separated():
    X, y = rows(10, d=20)
    y[:5], y[5:] = 0, 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = fit(X, y)
    assert model.fit_status_ == "separated"
    kinds = {warning.category for warning in caught}
    assert kinds == {pt.SeparationWarning, pt.CollinearityWarning}
    assert np.isfinite(model.predict_log_proba(X)).all()


def test_a_prior_cures_separation_without_a_word():
    X, _ = rows(60)
    model = fit(X, X[:, 1] > 0, prior=1.0)
    assert model.fit_status_ == "ok"
    assert model.solution_.overlap is True


# --- aliases (N6, N7)


@kinds
def test_a_duplicated_column_is_named_and_changes_no_probability(classes):
    X, y = rows(K=classes)
    plain = fit(X, y)
    double = np.column_stack([X, X[:, 1]])
    with pytest.warns(pt.CollinearityWarning, match=r"column 3 = 1 x 1") as caught:
        model = fit(double, y)
    assert len(caught) == 1
    assert model.fit_status_ == "aliased"
    assert model.fit_notes_[0].columns == (3,)
    close(model.predict_proba(double), plain.predict_proba(X), 1e-10)
    np.testing.assert_allclose(model.coef_[:, 1], model.coef_[:, 3], rtol=1e-7)  # least norm shares it out
    np.testing.assert_allclose(model.coef_[:, 1] * 2, plain.coef_[:, 1], rtol=1e-7)
    assert model.log_likelihood_ == pytest.approx(plain.log_likelihood_, rel=1e-12)
    assert model.aic_ == pytest.approx(plain.aic_, rel=1e-12)


def test_a_combination_of_columns_is_spelled_out():
    X, y = rows()
    with pytest.warns(pt.CollinearityWarning, match=r"column 3 = 2 x 0 \+ -3 x 2 \+ 5"):
        fit(np.column_stack([X, 2 * X[:, 0] - 3 * X[:, 2] + 5]), y)


@kinds
def test_a_constant_column_is_called_constant(classes):
    X, y = rows(K=classes)
    constant = np.column_stack([X, np.full(len(y), 7.3)])
    with pytest.warns(pt.CollinearityWarning, match="column 3 is constant"):
        model = fit(constant, y)
    close(model.predict_proba(constant), fit(X, y).predict_proba(X), 1e-10)


def test_a_constant_column_is_an_intercept_where_there_is_none():
    X, y = rows()
    model = fit(np.column_stack([X, np.full(len(y), 4.0)]), y, fit_intercept=False)
    wanted = fit(X, y)
    assert model.coef_[0, 3] * 4 == pytest.approx(wanted.intercept_[0], rel=1e-8)
    assert model.intercept_.tolist() == [0.0]
    assert model.fit_status_ == "ok"


def test_a_column_of_zeros_without_an_intercept_is_an_alias():
    X, y = rows()
    with pytest.warns(pt.CollinearityWarning, match="zero throughout"):
        fit(np.column_stack([X, np.zeros(len(y))]), y, fit_intercept=False)


def test_a_prior_tells_aliased_columns_apart_without_a_word():
    X, y = rows()
    model = fit(np.column_stack([X, X[:, 1]]), y, prior=1.0)
    assert model.fit_status_ == "ok"
    assert model.coef_[0, 1] == pytest.approx(model.coef_[0, 3], rel=1e-9)


def test_all_dummies_of_a_category_are_aliased_with_the_intercept():
    rng = np.random.default_rng(0)
    level = rng.integers(0, 3, 300)
    y = rng.random(300) < 0.3 + 0.2 * level
    with pytest.warns(pt.CollinearityWarning):
        model = fit(np.eye(3)[level], y)
    p = model.predict_proba(np.eye(3))[:, 1]
    close(p, [y[level == k].mean() for k in range(3)], 1e-10)


# --- units (N9-N13, N43, N44)


@kinds
@pytest.mark.parametrize("scale", [1e-150, 1e150, 1e-200, 1e200, 1e-290, 1e290])
def test_a_column_of_extreme_scale_gives_the_plain_probabilities(classes, scale):
    X, y = rows(K=classes)
    other = X.copy()
    other[:, 1] *= scale
    model, plain = fit(other, y), fit(X, y)
    close(model.predict_proba(other), plain.predict_proba(X), 1e-8)
    np.testing.assert_allclose(model.coef_[:, 1] * scale, plain.coef_[:, 1], rtol=1e-6)


@kinds
@pytest.mark.parametrize(("offset", "atol"), [(1e4, 1e-10), (1e6, 1e-8), (1e9, 1e-6), (-1e9, 1e-6)])
def test_a_column_far_from_zero_gives_the_plain_probabilities(classes, offset, atol):
    X, y = rows(K=classes)
    away = X + np.array([0.0, offset, 0.0])
    model = fit(away, y)
    close(model.predict_proba(away), fit(X, y).predict_proba(X), atol)
    assert model.fit_status_ == "ok"


@pytest.mark.parametrize("scale", [1e20, 1e37])
def test_large_single_precision_rows_are_summed_in_double(scale):
    X, y = rows()
    large = (X * scale).astype(np.float32)
    model = fit(large, y)
    close(model.predict_proba(large), fit(large.astype(float), y).predict_proba(large.astype(float)), 1e-5)
    close(model.predict_proba(large), fit(X, y).predict_proba(X), 1e-5)


def test_minus_zero_is_zero():
    X, y = rows()
    X[:30] = 0.0
    minus = X.copy()
    minus[:30] = -0.0
    np.testing.assert_array_equal(fit(minus, y).predict_proba(minus), fit(X, y).predict_proba(X))


def test_small_integers_are_summed_without_wrapping_round():
    rng = np.random.default_rng(0)
    X = rng.integers(200, 256, (300, 2)).astype(np.uint8)
    y = rng.random(300) < expit((X[:, 0].astype(float) - 228) / 10)
    np.testing.assert_array_equal(fit(X, y).predict_proba(X), fit(X.astype(float), y).predict_proba(X.astype(float)))


# --- far away (N14, N29)


def test_logs_at_a_margin_of_a_thousand_are_exact():
    model = fit(*rows(d=1))
    slope, intercept = model.coef_[0, 0], model.intercept_[0]
    for margin in (40.0, 700.0, 800.0, 1000.0):
        at = [[(sign * margin - intercept) / slope] for sign in (1, -1)]
        eta = model.decision_function(at)
        logs = model.predict_log_proba(at)
        np.testing.assert_allclose(logs[:, 1], log_expit(eta), rtol=1e-14)
        np.testing.assert_allclose(logs[:, 0], log_expit(-eta), rtol=1e-14)
        assert logs[1, 1] == pytest.approx(-margin, rel=1e-12)


@kinds
@pytest.mark.parametrize("size", [1e200, 1e308, -1e308])
def test_a_row_far_beyond_everything_has_finite_probabilities(classes, size):
    X, y = rows(K=classes)
    model = fit(X, y)
    far = np.vstack([np.full((1, 3), size), size * np.eye(3)])
    for given in (far, sp.csr_array(far)):
        p, logs = model.predict_proba(given), model.predict_log_proba(given)
        assert np.isfinite(logs).all()
        close(p.sum(axis=1), 1.0, 1e-12)
        signs = np.sign(far) @ model.coef_.T
        wanted = (signs[:, 0] > 0).astype(int) if classes == 2 else signs.argmax(axis=1)
        np.testing.assert_array_equal(model.predict(given), wanted)
    assert np.isfinite(model.decision_function(far)).all()


# --- weights, counts, soft labels (N30-N35)


@kinds
def test_class_counts_equal_the_rows_they_count(classes):
    X, _ = rows(60, K=classes)
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 4, (60, classes)).astype(float)
    row, label = np.nonzero(counts)
    expanded = fit(X[row], label, sample_weight=counts[row, label])
    grouped = fit(X, counts)
    np.testing.assert_allclose(grouped.coef_, expanded.coef_, rtol=1e-7, atol=1e-9)
    close(grouped.predict_proba(X), expanded.predict_proba(X), 1e-10)
    assert grouped.classes_.tolist() == list(range(classes))
    repeated = fit(
        np.repeat(X[row], counts[row, label].astype(int), axis=0), np.repeat(label, counts[row, label].astype(int))
    )
    close(grouped.predict_proba(X), repeated.predict_proba(X), 1e-10)
    # only the constant of the likelihood differs, so differences of it do not
    assert grouped.log_likelihood_ - grouped.null_log_likelihood_ == pytest.approx(
        repeated.log_likelihood_ - repeated.null_log_likelihood_, rel=1e-9
    )


def test_named_counts_are_counts():
    X, _ = rows(30)
    won, lost = np.arange(30) % 4, np.arange(30) % 5
    wanted = fit(X, np.column_stack([lost, won]).astype(float)).coef_
    np.testing.assert_array_equal(fit(X, pt.counts(successes=won, failures=lost)).coef_, wanted)
    np.testing.assert_array_equal(fit(X, pt.counts(successes=won, trials=won + lost)).coef_, wanted)


@kinds
def test_one_hot_rows_are_labels(classes):
    X, y = rows(K=classes)
    close(fit(X, np.eye(classes)[y]).predict_proba(X), fit(X, y).predict_proba(X), 1e-12)


@kinds
def test_soft_labels_are_weighted_rows(classes):
    X, _ = rows(80, K=classes)
    soft = np.random.default_rng(1).dirichlet(np.ones(classes), 80)
    model = fit(X, soft)
    expanded = fit(np.repeat(X, classes, axis=0), np.tile(np.arange(classes), 80), sample_weight=soft.ravel())
    close(model.predict_proba(X), expanded.predict_proba(X), 1e-10)


def test_weights_multiply_counts():
    X, _ = rows(40)
    counts = np.random.default_rng(0).integers(0, 5, (40, 2)).astype(float)
    weights = np.random.default_rng(1).uniform(0, 2, 40)
    close(fit(X, counts, sample_weight=weights).coef_, fit(X, counts * weights[:, None]).coef_, 1e-9)


@pytest.mark.parametrize("factor", [1e-12, 1e-4, 1e4, 1e12])
@kinds
def test_a_common_factor_of_the_weights_changes_nothing(classes, factor):
    X, y = rows(K=classes)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    plain, scaled = fit(X, y, sample_weight=weights), fit(X, y, sample_weight=factor * weights)
    close(scaled.predict_proba(X), plain.predict_proba(X), 1e-9)
    assert scaled.fit_status_ == "ok"


# --- rare classes (N37)


@pytest.mark.slow
def test_one_positive_in_a_million_rows_keeps_its_share():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((1_000_000, 2))
    y = np.zeros(1_000_000, dtype=int)
    y[123_456], X[123_456] = 1, [0.5, 0.3]
    model = fit(X, y)
    p = model.predict_proba(X)[:, 1]
    assert abs(p.sum() - 1.0) < 1e-8
    np.testing.assert_allclose(p @ X, X[123_456], atol=1e-7)
    assert model.fit_status_ == "ok"


def test_every_class_keeps_its_share():
    X, y = rows(3000, K=3)
    y[:2990][y[:2990] == 2] = 0  # ten of the third at most
    model = fit(X, y)
    close(model.predict_proba(X).sum(axis=0), np.bincount(y), 1e-8)


# --- parametrisations and offsets


@pytest.mark.parametrize("reference", [None, 0, 1, 2])
def test_parametrisations_are_one_model_without_a_prior(reference):
    X, y = rows(K=3)
    symmetric = fit(X, y)
    other = fit(X, y, parametrization="reference", reference=reference)
    close(other.predict_proba(X), symmetric.predict_proba(X), 1e-10)
    close(symmetric.coef_.sum(axis=0), 0.0, 1e-10)
    close(symmetric.intercept_.sum(), 0.0, 1e-10)
    at = reference or 0
    assert not other.coef_[at].any()
    close(symmetric.coef_ - symmetric.coef_[at], other.coef_, 1e-8)
    assert other.n_parameters_ == symmetric.n_parameters_ == 2 * 4
    assert other.aic_ == pytest.approx(symmetric.aic_, rel=1e-12)


def test_parametrisations_are_two_models_under_a_prior():
    X, y = rows(K=3)
    symmetric, other = fit(X, y, prior=5.0), fit(X, y, prior=5.0, parametrization="reference")
    assert np.abs(symmetric.predict_proba(X) - other.predict_proba(X)).max() > 1e-3


@kinds
def test_an_offset_takes_its_part_of_the_predictor(classes):
    X, y = rows(K=classes)
    part = np.random.default_rng(0).standard_normal((3, 1 if classes == 2 else classes))
    offset = X @ part
    offset = offset[:, 0] if classes == 2 else offset
    plain, model = fit(X, y), fit(X, y, offset=offset)
    wanted = part.T if classes == 2 else part.T - part.T.mean(axis=0)
    close(model.coef_, plain.coef_ - wanted, 1e-8)
    close(model.predict_proba(X, offset=offset), plain.predict_proba(X), 1e-10)
    close(model.linear_predictor(X, offset=offset) - model.linear_predictor(X, offset=0 * offset), offset, 1e-10)
    for method in (model.predict, model.predict_proba, model.predict_log_proba, model.decision_function):
        with pytest.raises(pt.DataError, match="cannot predict without one"):
            method(X)
    if classes == 3:
        other = fit(X, y, offset=offset, parametrization="reference", reference=1)
        close(other.predict_proba(X, offset=offset), plain.predict_proba(X), 1e-10)


def test_an_offset_of_the_wrong_shape_is_refused():
    X, y = rows(K=3)
    with pytest.raises(pt.DataError, match=r"offset has shape \(200,\), expected \(200, 3\)"):
        fit(X, y, offset=np.zeros(200))
    model = fit(*rows(), offset=np.zeros(200))
    with pytest.raises(pt.DataError, match=r"offset has shape \(3,\), expected \(200,\)"):
        model.predict(X, offset=np.zeros(3))


@kinds
def test_the_null_model_under_an_offset_has_the_best_intercept(classes):
    from scipy.optimize import minimize

    X, y = rows(K=classes)
    offset = np.random.default_rng(3).standard_normal((200, 1 if classes == 2 else classes))
    model = fit(X, y, offset=offset[:, 0] if classes == 2 else offset)

    def loss(b):
        eta = np.column_stack([np.zeros(200), offset[:, 0] + b[0]]) if classes == 2 else offset + np.array([0.0, *b])
        return -(eta - np.logaddexp.reduce(eta, axis=1)[:, None])[np.arange(200), y].sum()

    best = minimize(loss, np.zeros(classes - 1), tol=1e-12).fun
    assert model.null_log_likelihood_ == pytest.approx(-best, rel=1e-9)


# --- the fit tells the truth


def test_a_fit_cut_short_says_so():
    X, y = rows()
    with pytest.warns(pt.ConvergenceWarning, match="limit of 1 iterations") as caught:
        model = fit(X, y, max_iter=1)
    assert len(caught) == 1
    assert model.fit_status_ == "not_converged"
    assert not model.solution_.converged
    assert issubclass(pt.ConvergenceWarning, ConvergenceWarning)


def test_an_ordinary_fit_says_nothing_and_knows_its_sizes():
    X, y = rows(K=3)
    model = fit(X, y)
    assert model.fit_status_ == "ok"
    assert model.fit_notes_ == []
    assert model.n_iter_ >= 1
    assert model.solution_.sweeps >= model.n_iter_
    assert "within the tolerance" in model.solution_.reason
    assert model.coef_.shape == (3, 3)
    assert model.intercept_.shape == (3,)


PARAMETERS = {
    "solver": ("newton-cg", "'auto', 'irls'"),
    "parametrization": ("multinomial", "'symmetric', 'reference'"),
    "on_separation": ("ignore", "'warn', 'raise'"),
    "tol": (0.0, "must be positive"),
    "max_iter": (0, "from 1 up"),
    "prior": (-1.0, "zero or positive"),
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_parameter_that_is_none_is_refused_in_fit_with_the_table_of_choices(name):
    value, said = PARAMETERS[name]
    model = pt.LogisticRegression(**{name: value})  # the constructor only stores
    with pytest.raises(pt.DataError, match=said):
        model.fit(*rows())


def test_an_unfitted_model_predicts_nothing():
    with pytest.raises(NotFittedError):
        pt.LogisticRegression().predict([[1.0]])


# --- geometry


def test_signed_distances_and_margins_of_two_classes():
    X, y = rows()
    model = fit(X, y)
    eta = X @ model.coef_[0] + model.intercept_[0]
    close(model.decision_function(X), eta, 1e-10)
    close(model.signed_distance(X), eta / np.linalg.norm(model.coef_[0]), 1e-10)
    close(model.margins(X, y), np.where(y == 1, eta, -eta), 1e-10)


def test_signed_distances_and_margins_of_three_classes():
    X, y = rows(K=3)
    model = fit(X, y)
    eta = X @ model.coef_.T + model.intercept_
    close(model.decision_function(X), eta, 1e-10)
    away = model.signed_distance(X)
    assert away.shape == (200, 3, 3)
    close(away, -away.transpose(0, 2, 1), 1e-12)
    wanted = (eta[:, 2] - eta[:, 0]) / np.linalg.norm(model.coef_[2] - model.coef_[0])
    close(away[:, 0, 2], wanted, 1e-10)
    margins = model.margins(X, y)
    assert ((margins > 0) == (model.predict(X) == y)).all()


def test_rows_wider_than_a_matrix_has_room_for_are_fitted_without_one():
    rng = np.random.default_rng(0)
    X = sp.random_array((400, 4500), density=0.004, rng=rng, format="csr")
    y = rng.integers(0, 2, 400)
    model = fit(X, y, prior=0.5)
    assert model.solution_.converged
    p = expit(np.asarray(X @ model.coef_[0]) + model.intercept_[0])
    gradient = X.T @ (p - y) + 0.5 * model.coef_[0]
    assert np.abs(gradient).max() < 1e-7
    assert abs((p - y).sum()) < 1e-7


@pytest.mark.slow
def test_more_columns_than_a_hessian_has_room_for_need_no_matrix_of_that_size_in_fit_or_summary():
    d = 8000
    X = np.random.default_rng(0).standard_normal((6, d))
    tracemalloc.start()
    try:
        str(pt.LogisticRegression(prior=1.0).fit(X, [0, 1, 0, 1, 0, 1]).summary())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 * d * d / 4
