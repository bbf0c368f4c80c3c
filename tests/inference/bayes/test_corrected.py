"""Posteriors that are not Gaussian: intervals against importance sampling, and notes."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import log_expit, log_softmax, logsumexp

import posteriori as pt
from posteriori.models.posterior.pearson import below, quantile

CSV = Path(__file__).parents[2] / "golden" / "csv"
LEVELS = (0.025, 0.975)


def table(name, target, columns):
    frame = pd.read_csv(CSV / f"{name}.csv")
    return frame[columns].to_numpy(float), frame[target].to_numpy()


def endometrial():
    return table("endometrial", "HG", ["NV", "PI", "EH"])


def three_classes():
    rng = np.random.default_rng(7)
    X = rng.standard_normal((50, 1))
    return X, np.argmax(np.column_stack([2 * X, -1 - X, 0 * X]) + rng.gumbel(size=(50, 3)), axis=1)


def separated():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((20, 2))
    return X, (X[:, 0] > 0).astype(int)


def rare():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 2))
    return X, (2 * X[:, 0] + rng.logistic(size=80) > 4).astype(int)


def heavy_tails():
    """Draw rows whose posterior the first terms of the series move by 0.496 standard deviations, and not by enough."""
    rng = np.random.default_rng(110)
    rng.choice([2, 2, 3]), rng.choice([6, 10, 15, 25, 50]), rng.integers(1, 5)
    X = np.exp(1.3 * rng.standard_normal((50, 3)))
    rng.choice(4)
    b = rng.standard_normal((3, 2)) * rng.choice([0.5, 2, 6])
    scores = (X - X.mean(axis=0)) / (X.std(axis=0) + 1e-9) @ b
    return X, np.argmax(scores + rng.gumbel(size=(50, 2)) * rng.choice([0, 0.3, 1]), axis=1)


CASES = {
    "endometrial, evidence": (endometrial, "evidence"),
    "endometrial, precision 0.16": (endometrial, 0.16),
    "spector": (
        lambda: table("spector", "GRADE", ["GPA", "TUCE", "PSI"]),
        pt.GaussianPrior(sd=2.5, units="sd", intercept_precision=0.01),
    ),
    "separated": (separated, 0.1),
    "rare": (rare, 1.0),
    "three classes": (three_classes, 0.1),
    "heavy tails": (heavy_tails, pt.GaussianPrior(precision=4.0, intercept_precision=0.01)),
}


def importance_sample(model, X, y, n=50_000):
    """Draw from a t distribution about where the summary has the posterior; return draws, their weights and log Z."""
    post, labels = model.posterior_, np.unique(y, return_inverse=True)[1]
    ones, q = np.column_stack([np.ones(len(X)), X]), len(post.w)
    J = np.kron(np.eye(q), post.units.jacobian())
    back = np.linalg.inv(J)
    precision = back.T @ post.prior.matrix() @ back
    spread = 1.3 * post.covariance
    proposal = stats.multivariate_t(model.summary().column("mean"), spread, df=5, seed=0)
    w = proposal.rvs(n)
    apart = w - post.prior_mean
    log_prior = -0.5 * np.einsum("ij,jk,ik->i", apart, precision, apart, optimize=True)
    log_prior += 0.5 * np.linalg.slogdet(precision)[1] - 0.5 * w.shape[1] * np.log(2 * np.pi)
    if q == 1:
        rows = log_expit(np.where(labels == 1, 1, -1)[:, None] * (ones @ w.T)).sum(axis=0)
    else:
        eta = np.einsum("np,skp->nks", ones, w.reshape(n, q, -1), optimize=True)
        rows = log_softmax(eta, axis=1)[np.arange(len(y)), labels].sum(axis=0)
    logs = log_prior + rows - proposal.logpdf(w)
    return w, np.exp(logs - logsumexp(logs)), logsumexp(logs) - np.log(n)


def quantiles(values, weights, levels=LEVELS):
    order = np.argsort(values)
    return np.interp(levels, np.cumsum(weights[order]), values[order])


@pytest.mark.parametrize("name", CASES)
@pytest.mark.slow
def test_intervals_and_probabilities_are_those_of_importance_sampling(name):
    make, prior = CASES[name]
    X, y = make()
    model = pt.BayesianLogisticRegression(prior=prior).fit(X, y)
    summary = model.summary()
    w, weights, log_z = importance_sample(model, X, y)
    assert 1 / np.square(weights).sum() > 5000
    mean = weights @ w
    sd = np.sqrt(weights @ np.square(w - mean))
    found = np.column_stack([summary.column("lower"), summary.column("upper")])
    for j in range(w.shape[1]):
        np.testing.assert_allclose(found[j], quantiles(w[:, j], weights), rtol=0, atol=0.1 * sd[j])
    np.testing.assert_allclose(summary.column("mean"), mean, rtol=0, atol=0.06 * sd.max())
    np.testing.assert_allclose(summary.column("p_negative"), weights @ (w < 0), rtol=0, atol=0.02)
    np.testing.assert_allclose(summary.column("mode"), model.posterior_.mean, rtol=1e-12)
    assert model.model_.corrected.log_evidence == pytest.approx(log_z, abs=0.05)
    if len(model.classes_) == 2:
        bounds = model.predict_interval(X[:10])[:, 1]
        eta = np.column_stack([np.ones(10), X[:10]]) @ w.T
        for row in range(10):
            wanted = quantiles(eta[row], weights)
            spread = np.sqrt(weights @ np.square(eta[row] - weights @ eta[row]))
            np.testing.assert_allclose(np.log(bounds[row] / (1 - bounds[row])), wanted, rtol=0, atol=0.12 * spread)


@pytest.mark.slow
def test_intervals_of_three_separated_classes_are_those_of_importance_sampling():
    X = np.random.default_rng(1009).standard_normal((38, 1))
    y = np.digitize(X[:, 0], [-0.5, 0.7])
    model = pt.BayesianLogisticRegression(prior=0.5).fit(X, y)
    w, weights, _ = importance_sample(model, X, y)
    some = X[:12]
    eta = np.einsum("np,skp->snk", np.column_stack([np.ones(12), some]), w.reshape(len(w), 3, -1))
    drawn = np.exp(log_softmax(eta, axis=2))
    wanted = np.array([[quantiles(drawn[:, n, k], weights) for k in range(3)] for n in range(12)])
    apart = np.abs(model.predict_interval(some) - wanted).max(axis=2)
    assert (apart / np.maximum(wanted[:, :, 1] - wanted[:, :, 0], 0.05)).max() < 0.08  # without skewness 0.9
    narrow, wide = model.predict_interval(some, level=0.5), model.predict_interval(some, level=0.9)
    assert ((wide[:, :, 0] <= narrow[:, :, 0]) & (narrow[:, :, 1] <= wide[:, :, 1])).all()


@pytest.mark.slow
def test_differences_between_three_classes_are_those_of_importance_sampling_where_each_vector_is_nearly_gaussian():
    rng = np.random.default_rng(101)
    n, d = int(rng.integers(15, 50)), int(rng.integers(1, 3))
    X = rng.standard_normal((n, d))
    y = (X @ rng.normal(0, 2, (d, 3)) + rng.gumbel(size=(n, 3))).argmax(axis=1)
    y[:3] = [0, 1, 2]
    model = pt.BayesianLogisticRegression(prior=0.1).fit(X, y)
    (note,) = [note for note in model.fit_notes_ if note.code == "laplace-inaccurate"]
    assert "differences between classes" in note.message
    w, weights, _ = importance_sample(model, X, y)
    by_class = w.reshape(len(w), 3, -1)
    apart = (by_class[:, 1:] - by_class[:, :1]).reshape(len(w), -1)
    sd = np.sqrt(weights @ np.square(apart - weights @ apart))
    summary = model.summary(reference=0)
    wanted = np.array([quantiles(column, weights) for column in apart.T])
    found = np.column_stack([summary.column("lower"), summary.column("upper")])
    assert np.abs((found - wanted) / sd[:, None]).max() < 0.1  # by the series 0.26
    eta = np.einsum("np,skp->snk", np.column_stack([np.ones(6), X[:6]]), by_class)
    drawn = np.exp(log_softmax(eta, axis=2))
    wanted = np.array([[quantiles(drawn[:, i, k], weights) for k in range(3)] for i in range(6)])
    np.testing.assert_allclose(model.predict_interval(X[:6]), wanted, rtol=0, atol=0.05)  # by the series 0.12


def test_laplace_alone_would_have_been_more_than_a_standard_deviation_off_on_endometrial_data():
    X, y = endometrial()
    model = pt.BayesianLogisticRegression().fit(pd.DataFrame(X, columns=["NV", "PI", "EH"]), y)
    (note,) = [note for note in model.fit_notes_ if note.code == "laplace-inaccurate"]
    assert "NV" in note.columns
    assert "PI" not in note.columns
    NV = model.summary().to_frame("pandas").set_index("term").loc["NV"]
    assert NV["lower"] > 1.2
    assert NV["p_negative"] < 0.002
    assert model.posterior_.mean[1] - 1.96 * model.posterior_.sd[1] < 0
    text = str(model.summary())
    for head in ("mode", "mean", "P(< 0)"):
        assert head in text


def test_mild_skewness_is_corrected_by_the_series_without_a_note():
    X, y = table("pima_tr", "type", ["npreg", "glu", "bp", "skin", "bmi", "ped", "age"])
    model = pt.BayesianLogisticRegression().fit(X, y)
    assert model.fit_notes_ == []
    assert model.corrected_.method == "series"
    w, weights, _ = importance_sample(model, X, y == "Yes", 40_000)
    summary = model.summary()
    sd = model.posterior_.sd
    before = model.posterior_.mean[:, None] + np.array([-1.96, 1.96]) * sd[:, None]
    wanted = np.array([quantiles(w[:, j], weights) for j in range(8)])
    found = np.column_stack([summary.column("lower"), summary.column("upper")])
    assert np.abs((before - wanted) / sd[:, None]).max() > 0.25
    assert np.abs((found - wanted) / sd[:, None]).max() < 0.08


@pytest.mark.slow
def test_the_same_rows_give_the_same_numbers_and_a_model_file_shows_them(tmp_path):
    X, y = endometrial()
    one, other = (pt.BayesianLogisticRegression(prior=0.16, random_state=seed).fit(X, y) for seed in (0, 1))
    pt.save(one, tmp_path / "m")
    again = pt.load(tmp_path / "m")
    for model in (other, again):
        assert str(model.summary()) == str(one.summary())
        np.testing.assert_array_equal(model.predict_interval(X), one.predict_interval(X))
    assert (tmp_path / "m").stat().st_size < 20_000  # no rows, no draws


def test_contrasts_and_odds_ratios_are_those_of_the_same_posterior():
    X, y = endometrial()
    model = pt.BayesianLogisticRegression(prior=0.16).fit(X, y)
    plain, turned, odds = model.summary(), model.summary(reference=1), model.summary(exponentiate=True)
    np.testing.assert_allclose(turned.column("lower"), -plain.column("upper"), rtol=1e-9)
    np.testing.assert_allclose(turned.column("p_negative"), 1 - plain.column("p_negative"), atol=1e-12)
    np.testing.assert_allclose(np.log(odds.column("upper")), plain.column("upper"), rtol=1e-9)


def test_with_too_many_rows_to_sample_the_series_is_used_and_a_note_says_so():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((4000, 2))
    y = np.zeros(4000, dtype=int)
    y[np.argsort(-X[:, 0])[[0, 1, 3]]] = 1
    model = pt.BayesianLogisticRegression(prior=0.01).fit(X, y)
    (note,) = model.fit_notes_
    assert note.code == "laplace-inaccurate"
    assert "too many rows or coefficients to sample" in note.message
    assert "which are not enough here" in " ".join(str(model.summary()).split())


def test_with_too_many_coefficients_the_gaussian_is_used_with_a_note_if_it_is_inaccurate():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 80))
    model = pt.BayesianLogisticRegression(prior=1e-4).fit(X, (X[:, 0] > 0).astype(int))
    assert model.corrected_ is None
    assert "too many rows or coefficients to correct it" in model.fit_notes_[0].message
    assert "a Gaussian centred at the mode" in " ".join(str(model.summary()).split())


def test_a_stream_with_only_a_gaussian_has_a_note():
    X, y = endometrial()
    model = pt.BayesianLogisticRegression(prior=0.16).fit(X, y).partial_fit(X[:20], y[:20])
    assert model.corrected_ is None
    assert [note.code for note in model.fit_notes_] == ["laplace-inaccurate"]
    assert "only its Gaussian approximation represents" in model.fit_notes_[0].message
    assert "a Gaussian centred at the mode" in " ".join(str(model.summary()).split())


@pytest.mark.parametrize("skewness", [-3.0, -0.5, -1e-2, 1e-2, 0.8, 2.0])
def test_quantiles_are_those_of_scipy(skewness):
    law = stats.pearson3(skewness)
    for p in (0.001, 0.025, 0.5, 0.975, 0.999):
        assert quantile(p, np.array([skewness]))[0] == pytest.approx(law.ppf(p), abs=1e-8)
        assert below(np.array([law.ppf(p)]), np.array([skewness]))[0] == pytest.approx(p, abs=1e-8)


def test_quantiles_go_over_smoothly_to_the_normal_distribution():
    for p in (0.01, 0.6, 0.99):
        near = quantile(p, np.array([0.999e-3, 1.001e-3]))
        assert near[0] == pytest.approx(near[1], abs=1e-5)
