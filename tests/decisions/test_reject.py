"""Rejection by level and by cost, and the curve of risk against coverage."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posteriori.decisions.reject import below_threshold, dearer_than_rejecting, doubt, risk_coverage

SEEDS = st.integers(0, 2**32 - 1)


@given(seed=SEEDS, K=st.integers(2, 6))
def test_a_cost_of_zero_rejects_all_and_of_one_none(seed, K):
    p = np.random.default_rng(seed).dirichlet(np.full(K, 0.1), size=100)
    p = np.vstack([p, np.eye(K), np.full((1, K), 1.0 / K)])
    assert dearer_than_rejecting(p, 0.0).all()
    assert not dearer_than_rejecting(p, 1.0).any()
    assert not below_threshold(p, 0.0).any()


def test_ties_are_rejected_by_cost_and_accepted_by_threshold():
    p = np.array([[0.75, 0.25]])
    assert dearer_than_rejecting(p, 0.25).tolist() == [True]
    assert below_threshold(p, 0.75).tolist() == [False]


def test_doubt_is_positive_where_one_minus_the_probability_is_zero():
    p = np.array([[1.0, 1e-200, 2e-200]])
    assert doubt(p)[0] == pytest.approx(3e-200, rel=1e-15)
    assert dearer_than_rejecting(p, 1e-200).all()
    assert not dearer_than_rejecting(p, 1e-199).any()


@given(seed=SEEDS, K=st.integers(2, 5))
def test_rejecting_costs_less_as_it_should(seed, K):
    """Chow's rule is the cheapest of all: no other choice of rows to reject has a smaller expected cost."""
    rng = np.random.default_rng(seed)
    p, cost = rng.dirichlet(np.ones(K), size=50), rng.uniform()
    chosen = np.where(dearer_than_rejecting(p, cost), cost, doubt(p))
    np.testing.assert_allclose(chosen, np.minimum(cost, 1.0 - p.max(axis=1)), atol=1e-15)


@given(seed=SEEDS)
def test_the_curve_is_what_each_threshold_gives(seed):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(3), size=60).round(1) + 1e-3
    p /= p.sum(axis=1, keepdims=True)
    losses, weights = rng.integers(0, 2, 60).astype(float), rng.integers(0, 3, 60).astype(float)
    curve = risk_coverage(p, losses, weights)
    assert (np.diff(curve.threshold) < 0).all()
    assert curve.coverage[-1] == 1.0
    for coverage, risk, threshold in zip(curve.coverage, curve.risk, curve.threshold, strict=True):
        answered = ~below_threshold(p, threshold)
        assert coverage == pytest.approx(weights[answered].sum() / weights.sum(), rel=1e-13)
        assert risk == pytest.approx(np.average(losses[answered], weights=weights[answered]), rel=1e-13, abs=1e-15)
    assert len(curve.threshold) == len(np.unique(p.max(axis=1)[weights > 0]))


def test_the_area_is_the_mean_risk_over_rows_of_different_probability():
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(2), size=100)
    losses = rng.integers(0, 2, 100).astype(float)
    order = np.argsort(-p.max(axis=1))
    risks = np.cumsum(losses[order]) / np.arange(1, 101)
    assert risk_coverage(p, losses).area == pytest.approx(risks.mean(), rel=1e-13)


def test_the_curve_becomes_a_frame_of_the_requested_library():
    curve = risk_coverage(np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([0.0, 1.0]), library="polars")
    assert isinstance(curve.to_frame(), pl.DataFrame)
    frame = curve.to_frame("pandas")
    assert isinstance(frame, pd.DataFrame)
    assert frame.columns.tolist() == ["coverage", "risk", "threshold"]
    assert frame["risk"].tolist() == [0.0, 0.5]
