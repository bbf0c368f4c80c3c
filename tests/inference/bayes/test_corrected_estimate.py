"""Posteriors with too many coefficients to correct: estimated errors of their intervals, and notes."""

import numpy as np
import pytest

import posteriori as pt
from posteriori.engines.select import engine_for
from posteriori.estimators.regression.label_links import link_for
from posteriori.inference.bayes.corrected import correct, estimate, expansion
from posteriori.inference.bayes.posterior_fit import fit_posterior, read_prior
from posteriori.input.training import read_training


def rows(seed, n, d, K):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, np.argmax(0.7 * X @ rng.standard_normal((d, K)) + rng.gumbel(size=(n, K)), axis=1)


@pytest.mark.parametrize(("n", "d", "K"), [(60, 5, 2), (200, 30, 2), (80, 6, 3)])
def test_the_estimate_is_near_the_whole_series(n, d, K):
    X, y = rows(d, n, d, K)
    weights = np.random.default_rng(1).integers(1, 3, n)
    model = pt.BayesianLogisticRegression(prior=1.0)
    reading = read_training(model, X, y, weights, sparse=True, allow_counts=True)
    fit = fit_posterior(
        reading.table, link_for(reading.targets.classes, "symmetric", None), read_prior(1.0), True, (0, 1, 2)
    )
    engine, posterior = engine_for(reading.table), fit.posterior
    series = correct.from_cumulants(posterior, expansion.expand(engine, posterior), "series")
    found = estimate.estimate(engine, posterior)
    np.testing.assert_allclose(found.moved, series.moved, rtol=0.1, atol=0.05)
    moved = series.log_evidence - posterior.log_evidence
    assert found.log_evidence - posterior.log_evidence == pytest.approx(moved, rel=0.15, abs=0.05)


def test_a_note_names_the_columns_whose_intervals_are_off_where_there_are_too_many_to_correct():
    X, y = rows(0, 300, 80, 2)
    model = pt.BayesianLogisticRegression(prior=1.0).fit(X, y)
    (note,) = [note for note in model.fit_notes_ if note.code == "laplace-inaccurate"]
    assert len(note.columns) > 40
    assert "too many rows or coefficients to correct" in note.message
    assert "log_evidence_" in note.message
    summary = model.summary()
    np.testing.assert_allclose(summary.column("mean"), summary.column("mode"), rtol=1e-12)
    assert "too many rows or coefficients" in " ".join(str(summary).split())


def test_many_rows_for_many_coefficients_need_no_note():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((6000, 70))
    y = (0.5 * X[:, 0] + rng.logistic(size=6000) > 0).astype(int)
    assert pt.BayesianLogisticRegression(prior=1.0).fit(X, y).fit_notes_ == []


def test_no_log_evidence_is_printed_where_the_series_is_too_large_to_give_one():
    model = pt.BayesianLogisticRegression(prior=0.05).fit(*rows(60, 300, 60, 2))
    (note,) = [note for note in model.fit_notes_ if note.code == "laplace-inaccurate"]
    assert "more than 2 standard deviations" in note.message
    assert "too large to estimate its error" in note.message
    assert "the log evidence is about" not in note.message
