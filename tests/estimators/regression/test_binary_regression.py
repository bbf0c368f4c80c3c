"""`BinaryRegression`: laws that hold through every link, separation, Jeffreys' prior, and the edges."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import posteriori as pt
from posteriori.engines.select import engine_for
from posteriori.input.training import read_training
from posteriori.links.catalogue import LINKS, read_link
from posteriori.links.cauchit import Cauchit
from posteriori.links.logit import Logit
from posteriori.objectives.prepare import objective_of, survey
from posteriori.solvers.newton.newton import Newton
from posteriori.solvers.select import DENSE_LIMIT
from tests.links.own_links import BUMPS, NORMAL, STUDENT, TAILS

NAMES = list(LINKS)
ALL = [*NAMES, TAILS, NORMAL, STUDENT]
KINDS = ["observed", "expected", "robust"]


def drawn(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2)) * [1.0, 20.0] + [3.0, -50.0]
    eta = (X - [3.0, -50.0]) @ [0.9, -0.03] + 0.2
    return X, np.where(eta + rng.logistic(size=n) > 0, "yes", "no")


def whole(model):
    return np.concatenate([model.intercept_, model.coef_[0]])


def quiet(model, *data, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.SeparationWarning)
        return model.fit(*data, **more)


# --- laws


def test_the_logit_is_logistic_regression():
    X, y = drawn()
    one, other = pt.BinaryRegression(link="logit").fit(X, y), pt.LogisticRegression().fit(X, y)
    np.testing.assert_array_equal(one.coef_, other.coef_)
    np.testing.assert_array_equal(one.covariance(), other.covariance())
    np.testing.assert_array_equal(one.predict_log_proba(X), other.predict_log_proba(X))
    assert one.odds_ratios().estimate.tolist() == other.odds_ratios().estimate.tolist()


@pytest.mark.parametrize(
    ("link", "mirror"),
    [("logit", "logit"), ("probit", "probit"), ("cauchit", "cauchit"), ("cloglog", "loglog"), ("loglog", "cloglog")],
)
def test_exchanging_the_classes_mirrors_the_link(link, mirror):
    X, y = drawn()
    model = pt.BinaryRegression(link=link).fit(X, y)
    turned = pt.BinaryRegression(link=mirror).fit(X, np.where(y == "yes", "a no", "yes"))
    np.testing.assert_allclose(whole(turned), -whole(model), rtol=1e-9)
    assert turned.log_likelihood_ == pytest.approx(model.log_likelihood_, rel=1e-13)
    for kind in KINDS:
        np.testing.assert_allclose(turned.covariance(kind), model.covariance(kind), rtol=1e-8)


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_a_weight_of_two_is_two_copies(link):
    X, y = drawn()
    weights = 1.0 + np.arange(len(y)) % 2
    copies = np.repeat(np.arange(len(y)), weights.astype(int))
    one = pt.BinaryRegression(link=link).fit(X, y, weights)
    two = pt.BinaryRegression(link=link).fit(X[copies], y[copies])
    np.testing.assert_allclose(whole(one), whole(two), rtol=1e-8)
    for kind in KINDS:
        np.testing.assert_allclose(one.covariance(kind), two.covariance(kind), rtol=1e-7)


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_grouped_counts_are_expanded_rows(link):
    rng = np.random.default_rng(1)
    X = np.linspace(-2.0, 2.0, 8)[:, None]
    trials = rng.integers(5, 20, 8)
    successes = rng.binomial(trials, np.exp(read_link("probit").log_probabilities(0.8 * X))[:, 1])
    grouped = pt.BinaryRegression(link=link).fit(X, pt.counts(successes=successes, trials=trials))
    y = np.concatenate([[1] * s + [0] * (t - s) for s, t in zip(successes, trials, strict=True)])
    rows = np.repeat(X, trials, axis=0)
    expanded = pt.BinaryRegression(link=link).fit(rows, y)
    np.testing.assert_allclose(whole(grouped), whole(expanded), rtol=1e-8)
    for kind in KINDS:
        units = {"units": "trials"} if kind == "robust" else {}
        np.testing.assert_allclose(grouped.covariance(kind, **units), expanded.covariance(kind), rtol=1e-7)
    groups = np.arange(8)
    np.testing.assert_allclose(
        grouped.covariance("cluster", X=X, y=pt.counts(successes=successes, trials=trials), groups=groups),
        expanded.covariance("cluster", X=rows, y=y, groups=np.repeat(groups, trials)),
        rtol=1e-7,
    )


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_the_three_tests_agree_when_there_are_many_rows(link):
    rng = np.random.default_rng(2)
    X = rng.standard_normal((6000, 2))
    eta = 0.8 * X[:, 0] + 0.1 * X[:, 1]
    y = rng.random(6000) < np.exp(read_link(link).log_probabilities(eta[:, None]))[:, 1]
    small, large = (pt.BinaryRegression(link=link).fit(X[:, :d], y) for d in (1, 2))
    ratio = pt.likelihood_ratio_test(small, large).statistic
    assert ratio > 1.0
    assert large.wald_test("x1").statistic == pytest.approx(ratio, rel=0.05)
    assert large.wald_test("x1", kind="expected").statistic == pytest.approx(ratio, rel=0.05)
    assert small.score_test(X[:, :1], y, X[:, 1:]).statistic == pytest.approx(ratio, rel=0.05)


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_both_informations_are_the_second_differences_of_the_likelihood(link):
    X, y = drawn(80)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model, codes = pt.BinaryRegression(link=link).fit(X, y), (y == "yes").astype(int)
    rows, known = np.column_stack([np.ones(80), X]), model.link_

    def loss(w, counts):
        return -(counts * known.log_probabilities((rows @ w)[:, None])).sum()

    def bends(counts):
        h, w, eye = 1e-3, whole(model), np.eye(3)
        f = {
            (i, j, a, b): loss(w + h * (a * eye[i] + b * eye[j]), counts)
            for i in range(3) for j in range(3) for a in (-1, 1) for b in (-1, 1)
        }  # fmt: skip
        return np.array(
            [[(f[i, j, 1, 1] - f[i, j, 1, -1] - f[i, j, -1, 1] + f[i, j, -1, -1]) / (4 * h * h) for j in range(3)]
             for i in range(3)]
        )  # fmt: skip

    observed, expected = bends(np.eye(2)[codes]), bends(model.predict_proba(X))
    np.testing.assert_allclose(np.linalg.inv(model.covariance("observed")), observed, rtol=0, atol=2e-4)
    np.testing.assert_allclose(np.linalg.inv(model.covariance("expected")), expected, rtol=0, atol=2e-4)


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_intervals_residuals_influence_and_effects_agree_with_refits(link):
    X, y = drawn(100)
    model = pt.BinaryRegression(link=link).fit(X, y)
    low, high = model.confidence_interval(method="profile", X=X, y=y)[1]
    fixed = pt.BinaryRegression(link=link).fit(X[:, 1:], y, offset=high * X[:, 0])
    assert 2 * (model.log_likelihood_ - fixed.log_likelihood_) == pytest.approx(3.841458820694124, rel=1e-6)
    assert low < model.coef_[0, 0] < high
    step = 1e-5
    moved = [model.predict_proba(X + sign * step * np.array([1.0, 0.0]))[:, 1].mean() for sign in (1, -1)]
    effects = model.marginal_effects(X)
    assert effects.effects[0] == pytest.approx((moved[0] - moved[1]) / (2 * step), rel=1e-6)
    assert (effects.errors > 0).all()
    assert model.influence(X, y).leverage.sum() == pytest.approx(3.0, rel=1e-9)
    p = model.predict_proba(X)[:, 1]
    f = np.diff(
        [model.link_.log_probabilities(model.linear_predictor(X)[:, None] + e)[:, 1] for e in (-1e-6, 1e-6)], axis=0
    )
    wanted = ((y == "yes") - p) / (p * f[0] / 2e-6)
    np.testing.assert_allclose(model.residuals(X, y, "working"), wanted, rtol=1e-5)
    bounds = model.predict_interval(X[:5])
    assert ((bounds[:, 1, 0] < p[:5]) & (p[:5] < bounds[:, 1, 1])).all()


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_decisions_distances_and_margins_are_about_the_boundary(link):
    X, y = drawn()
    model = pt.BinaryRegression(link=link).fit(X, y)
    decided = model.decision_function(X)
    np.testing.assert_allclose(decided, model.linear_predictor(X) - read_link(link).boundary, rtol=1e-13)
    assert (model.predict(X) == np.where(decided > 0, "yes", "no")).all()
    np.testing.assert_allclose(model.signed_distance(X), decided / np.linalg.norm(model.coef_[0]))
    np.testing.assert_allclose(model.margins(X, y), np.where(y == "yes", decided, -decided))
    np.testing.assert_allclose(model.explain(X).total, model.linear_predictor(X), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_sparse_rows_frames_offsets_and_starts_change_nothing(link):
    import pandas as pd

    X, y = drawn()
    model = pt.BinaryRegression(link=link).fit(X, y)
    np.testing.assert_allclose(whole(pt.BinaryRegression(link=link).fit(sp.csr_array(X), y)), whole(model), rtol=1e-8)
    frame = pt.BinaryRegression(link=link).fit(pd.DataFrame(X, columns=["a", "b"]), y)
    assert frame.coefficient_labels_ == ("(Intercept)", "a", "b")
    started = pt.BinaryRegression(link=link).fit(X, y, start=pt.LogisticRegression().fit(X, y))
    np.testing.assert_allclose(whole(started), whole(model), rtol=1e-8)
    shifted = pt.BinaryRegression(link=link).fit(X, y, offset=0.5 * X[:, 0] + 1.0)
    np.testing.assert_allclose(whole(shifted), whole(model) - [1.0, 0.5, 0.0], rtol=1e-7)
    with pytest.raises(pt.DataError, match="offset"):
        shifted.predict(X)


# --- existence


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_n4_separation_is_found_whatever_the_link(link):
    X, y = np.array([[1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 1]
    with pytest.warns(pt.SeparationWarning, match="Complete separation"):
        model = pt.BinaryRegression(link=link).fit(X, y)
    assert model.fit_status_ == "separated"
    assert model.solution_.overlap is False
    assert model.infinite_.tolist() == [[-1, 1]]
    assert -1e-7 < model.log_likelihood_ < 0
    assert np.isfinite(model.coef_).all()
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], y, atol=2e-8)
    assert np.isnan(model.standard_errors()).all()
    with pytest.raises(pt.DataError, match="Complete separation"):
        pt.BinaryRegression(link=link, on_separation="raise").fit(X, y)
    cured = pt.BinaryRegression(link=link, on_separation="jeffreys").fit(X, y)
    assert cured.fit_notes_[0].code == "separation-cured"
    assert cured.fit_status_ == "ok"
    assert (cured.standard_errors() > 0).all()


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_quasi_separation_reaches_the_supremum_of_the_likelihood(link):
    X = np.array([[1.0, 0.0], [2, 1], [3, 0], [3, 1], [3, 0], [4, 1], [5, 1], [4, 0]])
    y = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    model = quiet(pt.BinaryRegression(link=link), X, y)
    assert model.fit_status_ == "separated"
    # rows 2 and 4, equal and of both classes, are all that is left to fit: two at a half each
    assert model.log_likelihood_ == pytest.approx(2 * np.log(0.5), abs=1e-7)
    sides = model.confidence_interval(method="profile", X=X, y=y)
    assert sides[1, 1] == np.inf
    assert np.isfinite(sides[1, 0])


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_nearly_separated_rows_are_no_false_alarm(link):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((200, 2))
    y = X[:, 0] > 0
    y[np.argsort(np.abs(X[:, 0] - 0.1))[:2]] = False
    y[np.argsort(np.abs(X[:, 0] + 0.1))[:2]] = True
    model = pt.BinaryRegression(link=link).fit(X, y)
    assert model.fit_status_ == "ok"
    assert model.solution_.overlap is True


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.slow
def test_the_verdict_on_small_sets_is_that_of_the_programme(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 12))
    X, y = rng.integers(-2, 3, (n, 2)).astype(float), rng.integers(0, 2, n)
    y[:2] = [0, 1]
    known = pt.separation(X, y).kind
    for link in (*NAMES, STUDENT)[seed % 2 :: 2]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = pt.BinaryRegression(link=link).fit(X, y)
        assert (model.fit_status_ == "separated") == (known != "none"), (link, known, model.solution_)


# --- likelihoods that are not concave


def test_a_maximum_that_is_not_concave_is_certified_as_one():
    X, y = drawn()
    for link in ("cauchit", TAILS, STUDENT):
        model = pt.BinaryRegression(link=link).fit(X, y)
        assert "the observed Hessian there is positive definite" in model.solution_.reason
        assert model.solution_.converged
    assert "Hessian" not in pt.BinaryRegression().fit(X, y).solution_.reason


def objective_through(link, X, y):
    table = read_training(pt.LogisticRegression(), X, y).table
    return objective_of(survey(engine_for(table)), link, None, True, DENSE_LIMIT)


@pytest.mark.parametrize("far", [-6.0, -1.0, 0.5, 3.0, 8.0])
def test_newton_goes_down_from_starts_where_the_hessian_is_indefinite(far):
    X, y = drawn()
    objective = objective_through(Cauchit(), X, y)
    best = pt.BinaryRegression(link="cauchit").fit(X, y).solution_.objective
    state, _ = Newton(1e-8, 200).solve(objective, np.array([far, -far, far]))
    assert state.point.definite
    assert state.point.value >= best - 1e-9


def two_maxima():
    """Give rows whose cauchit likelihood has two maxima: one far out on the wrong side, thirty on the other."""
    return np.array([[1.0]] * 30 + [[100.0]]), np.array([1] * 30 + [0])


def test_the_better_of_the_maxima_found_is_kept():
    X, y = two_maxima()
    values = np.linspace(-1.0, 40.0, 400_001)
    logs = Cauchit().log_probabilities
    losses = -30 * logs(values[:, None])[:, 1] - logs(100 * values[:, None])[:, 0]
    rises = np.flatnonzero((losses[1:-1] < losses[:-2]) & (losses[1:-1] < losses[2:]))
    assert len(rises) == 2
    plain = pt.BinaryRegression(link="cauchit", fit_intercept=False).fit(X, y)
    assert plain.coef_[0, 0] == pytest.approx(values[1:-1][rises[0]], abs=2e-4)  # all that zero and the logit lead to
    model = pt.BinaryRegression(link="cauchit", fit_intercept=False).fit(X, y, start=([[5.0]], [0.0]))
    assert model.coef_[0, 0] == pytest.approx(values[losses.argmin()], abs=2e-4)
    assert -model.log_likelihood_ <= losses.min()


def test_newton_leaves_a_stationary_point_that_is_no_maximum():
    X, y = two_maxima()
    table = read_training(pt.LogisticRegression(), X, y).table
    objective = objective_of(survey(engine_for(table)), Cauchit(), None, False, DENSE_LIMIT)
    low, high = 0.0, 1.0  # in the units of the fit: between the two the slope changes its sign from above
    scale = objective.units.scale[0]
    assert objective.slope(np.array([low])).gradient[0] > 0 > objective.slope(np.array([high * scale])).gradient[0]
    high *= scale
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if objective.slope(np.array([middle])).gradient[0] > 0 else (low, middle)
    top = objective.curvature(np.array([low]))
    assert top.hessian[0, 0] < 0
    newton = Newton(1e-8, 200)
    assert newton.init(objective, top.w).decrement < 1e-8
    state, reason = newton.solve(objective, top.w)
    assert state.point.definite
    assert state.point.value < top.value - 0.1
    assert "tolerance" in reason


def test_two_steps_are_found_from_either_start():
    rng = np.random.default_rng(5)
    X = rng.uniform(-5.0, 5.0, (600, 1))
    y = rng.random(600) < np.exp(BUMPS.log_probabilities(X))[:, 1]
    model = pt.BinaryRegression(link=BUMPS).fit(X, y)
    assert model.coef_[0, 0] == pytest.approx(1.0, abs=4 * model.standard_errors()[1])
    for start in (([[0.1]], [0.0]), ([[3.0]], [1.0]), ([[1.0]], [0.0])):
        other = pt.BinaryRegression(link=BUMPS).fit(X, y, start=start)
        assert other.solution_.objective == pytest.approx(model.solution_.objective, rel=1e-10)


# --- Jeffreys' prior


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_jeffreys_prior_maximises_what_it_says(link):
    X, y = drawn(60)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = pt.BinaryRegression(link=link, prior="jeffreys").fit(X, y)
    rows, codes, known = np.column_stack([np.ones(60), X]), (y == "yes").astype(int), read_link(link)

    def value(w):
        eta = (rows @ w)[:, None]
        weights = known.expected(eta, np.ones(60))[:, 0, 0]
        _, half = np.linalg.slogdet(rows.T @ (rows * weights[:, None]))
        return known.log_probabilities(eta)[np.arange(60), codes].sum() + 0.5 * half

    w, h = whole(model), 1e-4
    slopes = [(value(w + h * unit) - value(w - h * unit)) / (2 * h) for unit in np.eye(3)]
    np.testing.assert_allclose(slopes, 0.0, atol=2e-6)
    assert -model.solution_.objective == pytest.approx(value(w), rel=1e-10)
    eta = model.linear_predictor(X)[:, None]
    expected = rows.T @ (rows * known.expected(eta, np.ones(60))[:, 0])
    errors = np.sqrt(np.diagonal(np.linalg.inv(expected)))
    np.testing.assert_allclose(model.standard_errors("observed"), errors, rtol=1e-8)
    np.testing.assert_allclose(model.standard_errors("expected"), errors, rtol=1e-8)


def test_the_foot_of_a_summary_says_which_information_jeffreys_prior_gives():
    X, y = drawn()
    probit, logit = (
        " ".join(pt.BinaryRegression(link=link, prior="jeffreys").fit(X, y).summary().foot)
        for link in ("probit", "logit")
    )
    assert "Standard errors are from the expected information" in probit
    assert "this is not the bias reduction of Firth (1993)" in probit
    assert "Jeffreys' prior (Firth 1993)" in logit


# --- the rest


@pytest.mark.parametrize("prior", [1.0, pt.GaussianPrior(mean=0.3, precision=2.0)], ids=["number", "object"])
@pytest.mark.parametrize("link", NAMES)
def test_a_gaussian_prior_is_added_to_the_likelihood(link, prior):
    X, y = drawn(60)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = pt.BinaryRegression(link=link, prior=prior).fit(X, y)
    mean, precision = (0.0, 1.0) if prior == 1.0 else (0.3, 2.0)
    rows, counts = np.column_stack([np.ones(60), X]), np.eye(2)[(y == "yes").astype(int)]
    parts = read_link(link).parts(model.linear_predictor(X)[:, None], counts, curvature=True)
    held = precision * np.array([0.0, 1.0, 1.0])
    np.testing.assert_allclose(rows.T @ parts.score[:, 0] + held * (whole(model) - mean * (held > 0)), 0.0, atol=1e-7)
    H = rows.T @ (rows * parts.curvature[:, 0]) + np.diag(held)
    np.testing.assert_allclose(model.covariance(), np.linalg.inv(H), rtol=1e-7)
    with pytest.raises(pt.DataError, match="penalised"):
        model.wald_test("x0")


@pytest.mark.parametrize("link", NAMES)
@pytest.mark.slow
def test_a_sample_first_gives_the_exact_maximum(link):
    rng = np.random.default_rng(6)
    X = rng.standard_normal((60_000, 70))
    y = rng.random(60_000) < np.exp(read_link(link).log_probabilities(X[:, :1] * 0.7 - 0.4))[:, 1]
    auto = pt.BinaryRegression(link=link, inference=False).fit(X, y)
    exact = pt.BinaryRegression(link=link, solver="irls").fit(X, y)
    assert np.abs((whole(auto) - whole(exact)) / exact.standard_errors()).max() < 1e-7
    assert auto.solution_.overlap is True


@pytest.mark.parametrize("link", ["probit", "cloglog", "cauchit"])
def test_more_columns_than_a_matrix_has_room_for(link):
    rng = np.random.default_rng(7)
    X = sp.random_array((300, 4200), density=0.01, rng=rng, format="csr")
    y = np.asarray(X[:, :100].sum(axis=1)).ravel() + 0.3 * rng.standard_normal(300) > 0.4
    model = pt.BinaryRegression(link=link, prior=1.0).fit(X, y)
    assert model.fit_status_ == "ok"
    eta = model.linear_predictor(X)[:, None]
    score = read_link(link).parts(eta, np.eye(2)[y.astype(int)], curvature=False).score[:, 0]
    gradient = X.T @ score + model.coef_[0]
    assert np.abs(gradient).max() < 1e-6


def test_no_intercept_has_the_null_likelihood_of_a_predictor_of_zero():
    X, y = drawn()
    model = pt.BinaryRegression(link="cloglog", fit_intercept=False).fit(X - X.mean(axis=0), y)
    zero = read_link("cloglog").log_probabilities(np.zeros((1, 1)))[0]
    assert model.null_log_likelihood_ == pytest.approx((y == "no").sum() * zero[0] + (y == "yes").sum() * zero[1])


def test_exponentials_are_hazard_ratios_of_cloglog_and_nothing_of_probit():
    X, y = drawn()
    cloglog, probit = (pt.BinaryRegression(link=link).fit(X, y) for link in ("cloglog", "probit"))
    summary = cloglog.summary(exponentiate=True)
    assert summary.rows[1].estimate == pytest.approx(np.exp(cloglog.coef_[0, 0]))
    assert "hazard ratio" in str(summary)
    assert "Hazard ratio" in summary.to_text("R")
    assert "odds" not in str(summary)
    with pytest.raises(pt.DataError, match="is a hazard ratio, which summary"):
        cloglog.odds_ratios()
    with pytest.raises(pt.DataError, match="not a ratio of odds or hazards"):
        probit.summary(exponentiate=True)
    with pytest.raises(pt.DataError, match="there are no odds ratios"):
        probit.odds_ratios()
    assert "linear predictor" in " ".join(str(probit.summary()).split())
    assert "Probit Regression Results" in str(probit.summary())


@pytest.mark.parametrize("link", NAMES)
def test_only_symmetric_links_can_be_seen_from_the_other_class(link):
    X, y = drawn()
    model = pt.BinaryRegression(link=link).fit(X, y)
    eta = np.linspace(-3.0, 3.0, 7)[:, None]
    logs = model.link_.log_probabilities(eta)
    mirrored = np.allclose(logs, model.link_.log_probabilities(-eta)[:, ::-1])
    assert model.link_.is_symmetric == mirrored
    if not mirrored:
        with pytest.raises(pt.DataError, match="not symmetric, so its coefficients are those of 'yes' only"):
            model.summary(reference="yes")
        return
    turned = model.summary(reference="yes")
    assert [row.estimate for row in turned.rows] == (-whole(model)).tolist()
    assert [row.label for row in turned.rows] == ["no"] * 3


def test_models_through_different_links_are_not_compared_by_likelihood():
    X, y = drawn()
    small = pt.BinaryRegression(link=TAILS).fit(X[:, :1], y)
    for link in ("probit", BUMPS):
        with pytest.raises(pt.DataError, match="different links"):
            pt.likelihood_ratio_test(small, pt.BinaryRegression(link=link).fit(X, y))


@pytest.mark.parametrize(
    ("given", "message"),
    [({"link": "probitt"}, "link='probitt' is none of"), ({"link": Logit}, "link must be"), ({"tol": 0}, "tol=0")],
)
def test_parameters_are_checked(given, message):
    X, y = drawn()
    with pytest.raises(pt.DataError, match=message):
        pt.BinaryRegression(**given).fit(X, y)


def test_a_users_link_is_refused_by_name_in_a_model_file(tmp_path):
    X, y = drawn()
    with pytest.raises(pt.ModelFileError, match=r"link is of type posteriori.links.custom.Link"):
        pt.save(pt.BinaryRegression(link=STUDENT).fit(X, y), tmp_path / "m")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("link", ["cauchit", TAILS], ids=repr)
def test_a_stored_model_goes_on_with_inference(link, tmp_path):
    X, y = drawn()
    model = pt.BinaryRegression(link=link).fit(X, y)
    pt.save(model, tmp_path / "m")
    loaded = pt.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.standard_errors("expected"), model.standard_errors("expected"))
    assert str(loaded.summary()) == str(model.summary())
