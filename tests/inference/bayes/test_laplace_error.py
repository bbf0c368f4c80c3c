"""Inaccurate Laplace approximations: detection, notes, and the raised precision."""

from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, log_expit, log_softmax
from sklearn.datasets import load_iris, load_wine

import posteriori as pt
from posteriori.engines.local import LocalEngine
from posteriori.inference.bayes.laplace_error import SAMPLE, Excess, beyond_quadratic, excess_of
from posteriori.input.training import read_training


def penguins():
    with (files("posteriori") / "cli" / "data" / "penguins.csv").open() as file:
        frame = pd.read_csv(file)
    columns = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
    frame = frame.dropna(subset=columns)
    return frame[columns].to_numpy(float), frame["species"].to_numpy()


def log_loss(model, X, y):
    return -model.predict_log_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)].mean()


def engine_of(X, y):
    return LocalEngine(read_training(pt.BayesianLogisticRegression(), X, y).table)


def separated(n=60, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return np.column_stack([4.0 * y + rng.uniform(-1, 1, n), rng.standard_normal(n)]), y


# --- the measure


@given(mu=st.floats(-20, 20), s=st.floats(0, 3))
def test_what_two_classes_have_beyond_the_parabola_is_the_integral(mu, s):
    grid = np.linspace(-12, 12, 4801)
    weights = np.exp(-0.5 * grid**2) / np.exp(-0.5 * grid**2).sum()
    mean = weights @ np.logaddexp(0.0, mu + s * grid)
    wanted = mean - np.logaddexp(0.0, mu) - 0.5 * expit(mu) * expit(-mu) * s * s
    assert beyond_quadratic(np.array([[mu]]), np.array([s]))[0] == pytest.approx(wanted, abs=1e-4)


def test_what_three_classes_have_beyond_the_parabola_is_the_mean_over_draws():
    rng = np.random.default_rng(0)
    mu, root = rng.standard_normal((1, 3)) * 3.0, rng.standard_normal((3, 3))
    V = root @ root.T
    apart = np.diag(V)[:, None] + np.diag(V) - 2 * V
    steps = rng.standard_normal((200_000, 3)) @ root.T
    steps = np.concatenate([steps, -steps])
    p = np.exp(log_softmax(mu[0]))
    parabola = 0.5 * (steps**2 @ p - (steps @ p) ** 2)
    beyond = log_softmax(mu[0])[0] - log_softmax(mu + steps, axis=1)[:, 0] + steps[:, 0] - parabola
    assert beyond_quadratic(mu, apart[None])[0] == pytest.approx(beyond.mean(), abs=0.02)


@pytest.mark.parametrize("K", [2, 3])
def test_the_excess_is_the_evidence_less_its_lower_bound(K):
    X, y = load_iris(return_X_y=True)
    y = np.minimum(y, K - 1)
    model = pt.BayesianLogisticRegression(prior=0.5).fit(X, y)
    found = excess_of(engine_of(X, y), model.posterior_)
    draws = model.posterior_.sample(4000, 0)
    q = model.posterior_.w.shape[0]
    ones = np.column_stack([np.ones(len(X)), X])
    losses = np.empty(len(draws))
    for i, w in enumerate(draws):
        eta = ones @ w.reshape(q, -1).T
        losses[i] = (
            -log_expit(np.where(y == 1, eta[:, 0], -eta[:, 0])).sum()
            if q == 1
            else -log_softmax(eta, axis=1)[np.arange(len(y)), y].sum()
        )
    at_mode, curved = -model.log_likelihood_, _effective(model)
    error = losses.std() / np.sqrt(4000)
    assert found.excess == pytest.approx(losses.mean() - at_mode - 0.5 * curved, abs=4 * error)
    assert found.n_coefficients == model.posterior_.w.size


def _effective(model):
    """Give tr(H S): the number of coefficients less what the prior holds of them."""
    posterior = model.posterior_
    held = np.sum(posterior.prior.precision * np.square(posterior.root).sum(axis=0))
    return posterior.w.size - held


def test_separation_differs_from_near_separation():
    X, y = separated()
    assert excess_of(engine_of(X, y), pt.BayesianLogisticRegression(prior=1.0).fit(X, y).posterior_).separated
    y[0] = 1
    assert not excess_of(engine_of(X, y), pt.BayesianLogisticRegression(prior=1.0).fit(X, y).posterior_).separated


def test_an_excess_that_is_no_number_is_large():
    assert Excess(np.nan, 3, separated=False).large
    assert not Excess(-0.1, 3, separated=False).large


def test_of_many_rows_a_sample_gives_about_the_same_and_separation_is_looked_for_in_all():
    X, y = separated(4 * SAMPLE)
    model = pt.BayesianLogisticRegression(prior=1e-5).fit(X, y)
    whole = excess_of(engine_of(X, y), model.posterior_)
    assert whole.large
    assert whole.separated
    parts = [slice(i * SAMPLE, (i + 1) * SAMPLE) for i in range(4)]
    together = sum(excess_of(engine_of(X[part], y[part]), model.posterior_).excess for part in parts)
    assert whole.excess == pytest.approx(together, rel=0.05)
    stray = y.copy()
    stray[:8] = 1 - y[:8]  # eight neighbours are in a sample together, or all outside it
    for first in range(0, 80, 8):
        moved = np.roll(stray, first) if first else stray
        rolled = np.roll(X, first, axis=0)
        assert not excess_of(engine_of(rolled, moved), model.posterior_).separated


# --- what a fit does about it


@pytest.mark.slow
def test_penguins_have_sensible_probabilities_and_a_note_that_names_separation():
    X, y = penguins()
    model = pt.BayesianLogisticRegression().fit(X, y)
    assert log_loss(model, X, y) < 0.06
    assert model.score(X, y) > 0.99
    assert model.evidence_.separated
    assert model.evidence_.raised
    assert model.evidence_.precision[0] > 100 * model.evidence_.most_probable[0]
    note = model.fit_notes_[0]
    assert {each.code for each in model.fit_notes_} == {"laplace-inaccurate"}
    for said in ("separate the classes", "0.00016", f"{model.evidence_.precision[0]:.3g}"):
        assert said in note.message
    assert "does not maximise the Laplace evidence" in " ".join(str(model.summary()).split())
    assert model.log_evidence_ == pytest.approx(model.evidence_.log_evidence, abs=1e-7)


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_the_precision_taken_has_the_largest_lower_bound_of_a_grid(load):
    X, y = load(return_X_y=True)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    chosen = pt.BayesianLogisticRegression().fit(X, y).evidence_
    assert chosen.raised
    engine, bounds = engine_of(Z, y), []
    for alpha in chosen.precision[0] * np.exp([-0.3, -0.1, 0.0, 0.1, 0.3]):
        model = pt.BayesianLogisticRegression(prior=float(alpha)).fit(Z, y)
        bounds.append(model.log_evidence_ - excess_of(engine, model.posterior_).excess)
    assert int(np.argmax(bounds)) == 2
    assert chosen.slope < 0.1


def test_a_precision_for_each_column_is_raised_by_one_factor():
    X, y = penguins()
    model = pt.BayesianLogisticRegression(prior="evidence-ard").fit(X, y)
    ratio = model.evidence_.precision / model.evidence_.most_probable
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-9)
    assert ratio[0] > 10
    assert log_loss(model, X, y) < 0.06
    assert "times that" in model.fit_notes_[0].message


def test_rows_in_another_order_take_the_same_precision():
    X, y = penguins()
    order = np.random.default_rng(0).permutation(len(y))
    one, other = (pt.BayesianLogisticRegression().fit(X[rows], y[rows]) for rows in (np.arange(len(y)), order))
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-8)


def test_logistic_regression_wants_no_gaussian_and_keeps_the_precision_of_largest_evidence():
    X, y = penguins()
    plain = pt.LogisticRegression(prior="evidence").fit(X, y).evidence_
    ours = pt.BayesianLogisticRegression().fit(X, y).evidence_
    assert not plain.raised
    assert plain.excess is None
    np.testing.assert_allclose(plain.precision, ours.most_probable, rtol=1e-9)


def test_a_fixed_prior_is_not_changed_and_has_a_note():
    X, y = penguins()
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    weak = pt.BayesianLogisticRegression(prior=1e-3).fit(Z, y)
    assert [note.code for note in weak.fit_notes_] == ["laplace-inaccurate"]
    assert "units='sd'" in weak.fit_notes_[0].remedy
    assert weak.posterior_.prior_sd[1] == pytest.approx(1e-3**-0.5)
    assert pt.BayesianLogisticRegression(prior=10.0).fit(Z, y).fit_notes_ == []


@pytest.mark.slow
def test_a_model_file_holds_the_chosen_precision(tmp_path):
    X, y = penguins()
    model = pt.BayesianLogisticRegression().fit(X, y)
    pt.save(model, tmp_path / "penguins.pt")
    again = pt.load(tmp_path / "penguins.pt")
    assert again.evidence_.raised
    assert again.evidence_.excess == model.evidence_.excess
    assert again.fit_notes_ == model.fit_notes_
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
