"""On-line steps: the book's rule to the letter, two kernels of the same bits, and learning call by call."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, softmax

import posteriori as pt
from posteriori.backends.arrays import online as online_arrays
from posteriori.backends.backend import COMPILED_FROM
from posteriori.backends.compiled import online as online_compiled
from posteriori.solvers.ordered.online_pass import FADING, backend_after, step_lengths


def rows(n=400, d=3, K=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    scores = X @ rng.standard_normal((d, K)) + rng.gumbel(size=(n, K))
    return X, scores.argmax(axis=1)


def taught(X, y, cuts, **parameters):
    """Teach a model by calls of the rows between cuts."""
    model = pt.LogisticRegression(solver="online", **parameters)
    for some in np.split(np.arange(X.shape[0]), cuts):
        model.partial_fit(X[some], y[some], classes=np.unique(y))
    return model


def by_hand(X, y, K, rate, held=0.0):
    """Give weights and their average after each row once, by Eq. 7.65 (Fig. 28.1 for more classes)."""
    phi = np.column_stack([np.ones(len(X)), X])
    W = np.zeros((1 if K == 2 else K, phi.shape[1]))
    average = W.copy()
    for t in range(len(X)):
        off = (y[t] == 1) - expit(W @ phi[t]) if K == 2 else np.eye(K)[y[t]] - softmax(W @ phi[t])
        step = rate * (1 + t / 500) ** -0.75
        pull = np.minimum(step * held / (t + 1), 1.0) * W
        pull[:, 0] = 0.0
        W = W + step * off[:, None] * phi[t] - pull
        average = average + (1 + FADING) / (t + 1 + FADING) * (W - average)
    return average


@pytest.mark.parametrize("held", [0.0, 5.0])
@pytest.mark.parametrize("K", [2, 3])
def test_partial_fit_is_the_rule_of_the_book(K, held):
    X, y = rows(K=K)
    model = taught(X, y, [100, 101, 250], rate=0.3, prior=held or None)
    wanted = by_hand(X, y, K, 0.3, held)
    np.testing.assert_allclose(np.column_stack([model.intercept_, model.coef_]), wanted, rtol=0, atol=1e-12)


@given(
    seed=st.integers(0, 2**32 - 1), link=st.sampled_from(["logit", "softmax", "reference"]),
    held=st.sampled_from(["none", "diagonal", "full"]), extra=st.booleans(),
)  # fmt: skip
def test_both_kernels_give_the_same_bits(seed, link, held, extra):
    rng = np.random.default_rng(seed)
    n, p, K = 20, int(rng.integers(1, 6)), 2 if link == "logit" else int(rng.integers(3, 5))
    q = 1 if link == "logit" else K - (link == "reference")
    m = q * p
    precision = {"none": np.empty((0, m)), "diagonal": rng.uniform(0, 9, (1, m)), "full": np.eye(m) + 0.1}[held]
    nothing = np.empty((0, q))
    given_both = (
        int(link != "logit"), int(rng.integers(K)) if link == "reference" else -1, rng.standard_normal((n, p)),
        rng.multinomial(4, np.ones(K) / K, size=n) * rng.uniform(0, 2, (n, 1)),
        30 * rng.standard_normal((n, q)) if extra else nothing, rng.standard_normal((n, q)) if extra else nothing,
        rng.standard_normal((q, p)) * extra, step_lengths(0.5, 0, n), np.linspace(1, 0, n), rng.uniform(0, 2, (q, p)),
        float(rng.choice([np.inf, 0.1])), precision, rng.standard_normal(m), np.full(n, 0.1), 0.05,
    )  # fmt: skip
    found = []
    for kernels in (online_arrays, online_compiled):
        w, average = np.zeros((q, p)), np.zeros((q, p))
        kernels.visit(*given_both, w, average)
        found.append(w.tobytes() + average.tobytes())
    assert found[0] == found[1]


def test_long_work_is_compiled_and_short_work_is_not():
    assert backend_after(100, 4).online is online_arrays
    assert backend_after(COMPILED_FROM, 4).online is online_compiled


@pytest.mark.parametrize("K", [2, 3])
def test_calls_are_one_pass_over_their_rows_whatever_the_cuts_and_threads(K):
    X, y = rows(3000, K=K)
    whole = taught(X, y, [], rate=0.2)
    with pt.options(threads=1):
        cut = taught(X, y, [1, 7, 1500, 1501], rate=0.2)
    assert cut.coef_.tobytes() == whole.coef_.tobytes()
    assert cut.intercept_.tobytes() == whole.intercept_.tobytes()
    assert cut.state_.rows == 3000
    assert cut.n_iter_ == 5
    safe = taught(X, y, [500])
    again = taught(X, y, [500, 600, 1700])
    assert again.coef_.tobytes() == safe.coef_.tobytes()


def test_sparse_rows_teach_what_dense_ones_do():
    X, y = rows()
    X = np.where(np.random.default_rng(1).random(X.shape) < 0.5, X, 0.0)
    dense, sparse = taught(X, y, [200]), taught(sp.csr_array(X), y, [200])
    np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=1e-12)


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("units", [1.0, 1e6])
def test_a_stream_ends_near_the_optimum_of_its_rows(K, units):
    X, y = rows(20_000, K=K)
    X = X * [1.0, units, 1.0 / units] + [0.0, 3.0 * units, 0.0]
    best, model = pt.LogisticRegression().fit(X, y), taught(X, y, range(500, 20_000, 500))
    assert np.abs(model.predict_proba(X) - best.predict_proba(X)).mean() < 0.01
    assert model.score(X, y) > best.score(X, y) - 0.005


def test_weights_are_gradients_counted_so_often():
    X, y = rows(100)
    weights = np.random.default_rng(3).integers(0, 3, 100).astype(float)
    one = pt.LogisticRegression(solver="online", rate=0.1).partial_fit(X, y, sample_weight=weights)
    kept = weights > 0
    counts = pt.LogisticRegression(solver="online", rate=0.1).partial_fit(
        X[kept], np.eye(2)[y[kept]] * weights[kept, None]
    )
    np.testing.assert_allclose(one.coef_, counts.coef_, rtol=1e-12)


def test_only_online_has_partial_fit():
    X, y = rows()
    for solver in ("auto", "irls", "gradient", "conjugate-gradient"):
        model = pt.LogisticRegression(solver=solver)
        assert not hasattr(model, "partial_fit")
        with pytest.raises(AttributeError, match="has no attribute 'partial_fit'"):
            model.partial_fit(X, y)


def test_partial_fit_says_what_it_is_and_is_not():
    X, y = rows()
    model = taught(X, y, [])
    assert model.fit_status_ == "not_converged"
    assert model.fit_notes_[0].code == "on-line"
    assert not model.solution_.converged
    assert model.solution_.decrement == np.inf
    with pytest.raises(pt.DataError, match="did not converge"):
        model.wald_test("x0")
    loss = -model.predict_log_proba(X)[np.arange(len(y)), y].sum()
    assert model.log_likelihood_ == pytest.approx(-loss, rel=1e-12)


def test_partial_fit_goes_on_from_fit():
    X, y = rows()
    model = pt.LogisticRegression(solver="online", random_state=0).fit(X, y)
    before, passes = model.coef_.copy(), model.n_iter_
    model.partial_fit(X[:20], y[:20])
    assert 0 < np.abs(model.coef_ - before).max() < 0.1
    assert model.n_iter_ == passes + 1
    assert model.state_.rows == passes * len(X) + 20


def test_partial_fit_refuses_what_it_cannot_do_and_keeps_the_old_fit():
    X, y = rows()
    model = taught(X, y, [], rate=0.1)
    before = model.coef_.copy()
    with pytest.raises(pt.DataError, match="differs from the classes of the first call"):
        model.partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(pt.DataError, match=r"unknown class\(es\)"):
        model.partial_fit(X, y + 1)
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:, :2], y)
    with pytest.raises(pt.DataError, match="left the range of floats"):
        model.partial_fit(X * 1e200, y)
    with pytest.raises(pt.DataError, match="contains NaN"):
        model.partial_fit(X * np.nan, y)
    with pytest.raises(pt.DataError, match="counts of 3 classes"):
        model.partial_fit(X, np.eye(3)[y])
    assert (model.coef_ == before).all()
    with pytest.raises(pt.DataError, match="units='sd'"):
        pt.LogisticRegression(solver="online", prior=pt.GaussianPrior(precision=1.0, units="sd")).partial_fit(X, y)
    offset = pt.LogisticRegression(solver="online", random_state=0).fit(X, y, offset=np.ones(len(X)))
    with pytest.raises(pt.DataError, match="does not take"):
        offset.partial_fit(X, y)


def test_one_row_at_a_time_with_classes_yet_to_come():
    X, y = rows(300, K=3)
    model = pt.LogisticRegression(solver="online")
    for i in range(300):
        model.partial_fit(X[i : i + 1], y[i : i + 1], classes=[0, 1, 2])
    assert model.score(X, y) > 0.8 * pt.LogisticRegression().fit(X, y).score(X, y)


def test_the_order_of_rows_is_the_random_states():
    X, y = rows()
    given_rate = {"solver": "online", "rate": 0.1, "tol": 0.5}
    fits = [pt.LogisticRegression(random_state=seed, **given_rate).fit(X, y).coef_ for seed in (0, 0, 1)]
    assert fits[0].tobytes() == fits[1].tobytes()
    assert fits[0].tobytes() != fits[2].tobytes()
    plain = [pt.LogisticRegression(random_state=seed).fit(X, y).coef_ for seed in (0, 1)]
    assert plain[0].tobytes() == plain[1].tobytes()


@pytest.mark.parametrize("K", [2, 3])
def test_the_plain_rule_reaches_a_loose_tolerance_and_says_of_a_tight_one_that_it_did_not(K):
    X, y = rows(K=K)
    model = pt.LogisticRegression(solver="online", rate=0.1, tol=0.05, random_state=0).fit(X, y)
    assert model.fit_status_ == "ok"
    assert model.solution_.decrement <= 0.05
    best = pt.LogisticRegression().fit(X, y)
    assert (np.abs(model.coef_ - best.coef_) < 0.1 * best.standard_errors().max()).all()
    with pytest.warns(pt.ConvergenceWarning, match="rate=None the noise of the steps vanishes"):
        tight = pt.LogisticRegression(solver="online", rate=0.1, max_iter=30, random_state=0).fit(X, y)
    assert tight.fit_status_ == "not_converged"
    assert tight.n_iter_ == 30


@pytest.mark.parametrize("rate", [1e3, 1e308])
def test_a_rate_that_is_too_large_is_reported(rate):
    X, y = rows()
    with pytest.warns(pt.ConvergenceWarning, match="the rate is too large"):
        model = pt.LogisticRegression(solver="online", rate=rate, max_iter=30, random_state=0).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()


def test_any_order_of_rows_leads_to_the_same_optimum():
    X, y = rows(K=3)
    fits = [pt.LogisticRegression(solver="online", random_state=seed).fit(X, y) for seed in range(4)]
    for model in fits[1:]:
        np.testing.assert_allclose(model.coef_, fits[0].coef_, rtol=0, atol=1e-7)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pt.LogisticRegression(solver="online").fit(X, y)
