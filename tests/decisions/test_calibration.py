"""Calibration, bin by bin, against plain loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posteriori.decisions.calibration import by_rank, by_width, calibration_error, distances, reliability
from posteriori.decisions.proportions import wilson

LEVELS = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.25000001, 0.5, 0.9, 1.0]), min_size=1, max_size=40)


@given(LEVELS, st.integers(1, 12))
@pytest.mark.slow
def test_bins_by_rank_hold_the_rows_that_counting_puts_there(keys, bins):
    keys = np.array(keys)
    expected = [sum(other < key for other in keys) * bins // len(keys) for key in keys]
    assert by_rank(keys, bins).tolist() == expected
    assert by_rank(keys, bins, np.ones(len(keys))).tolist() == expected


@given(LEVELS, st.integers(1, 12), st.randoms(use_true_random=False))
def test_a_weight_is_so_many_copies_to_the_bins(keys, bins, random):
    keys = np.array(keys)
    copies = np.array([random.randint(1, 4) for _ in keys])
    np.testing.assert_array_equal(
        np.repeat(by_rank(keys, bins, copies.astype(float)), copies), by_rank(np.repeat(keys, copies), bins)
    )


def test_bins_of_equal_width_have_their_lower_ends_and_the_last_both():
    assert by_width(np.array([0.0, 0.0999, 0.1, 0.95, 1.0]), 10).tolist() == [0, 0, 1, 9, 9]


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.sampled_from(["quantile", "uniform"]), st.integers(1, 7))
def test_a_reliability_curve_is_what_a_loop_over_bins_finds(seed, strategy, bins):
    rng = np.random.default_rng(seed)
    p, weights = rng.choice([0.0, 0.1, 0.3, 0.35, 0.8, 1.0, rng.random()], 30), rng.integers(1, 4, 30).astype(float)
    came = rng.random(30) < p
    found = reliability(p, p, p - came, came, weights, bins=bins, strategy=strategy)
    place = by_rank(p, bins, weights) if strategy == "quantile" else by_width(p, bins)
    for b, at in enumerate(np.unique(place)):
        rows = place == at
        assert found.weight[b] == weights[rows].sum()
        assert found.forecast[b] == pytest.approx(np.average(p[rows], weights=weights[rows]), abs=1e-12)
        assert found.share[b] == pytest.approx(np.average(came[rows], weights=weights[rows]), abs=1e-12)
    assert len(found.weight) == len(np.unique(place))
    assert found.spread.sum() == weights.sum()


def test_wilson_s_interval_is_where_the_z_test_ends():
    share, n, z = np.array([0.0, 0.2, 0.5, 1.0]), np.array([10.0, 50.0, 3.0, 7.0]), 1.6
    for bound in wilson(share, n, z):
        inside = (bound > 1e-12) & (bound < 1 - 1e-12)
        statistic = (share - bound) / np.sqrt(bound * (1 - bound) / n, where=inside, out=np.ones(4))
        np.testing.assert_allclose(np.abs(statistic[inside]), z, rtol=1e-12)
    low, high = wilson(share, n, z)
    assert (low <= share + 1e-15).all()
    assert (share - 1e-15 <= high).all()
    assert low[0] == 0
    assert high[3] == 1


def by_loop(p, codes, weights):
    """The definition, class by class and bin by bin."""
    total = weights.sum()
    bins = int(max(1, min(10, total // 20)))
    errors = []
    for k in range(p.shape[1]):
        before = np.array([weights[p[:, k] < own].sum() for own in p[:, k]])
        place = before * bins // total
        gaps = [abs((weights * (p[:, k] - (codes == k)))[place == b].sum()) for b in np.unique(place)]
        errors.append(sum(gaps) / total)
    return np.mean(errors)


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(2, 4), st.sampled_from([5, 60, 250]))
def test_the_calibration_error_is_its_definition_and_weights_are_copies(seed, n_classes, n):
    rng = np.random.default_rng(seed)
    p = np.round(rng.dirichlet(np.ones(n_classes), n), 1) + 0.01
    p /= p.sum(axis=1, keepdims=True)
    codes, weights = rng.integers(0, n_classes, n), rng.integers(1, 4, n).astype(float)
    logs = np.log(p)
    p = np.exp(logs)
    error = np.average(calibration_error(logs, codes, weights), weights=weights)
    copied = np.repeat(np.arange(n), weights.astype(int))
    assert error == pytest.approx(calibration_error(logs[copied], codes[copied]).mean(), rel=1e-10, abs=1e-14)
    assert error == pytest.approx(by_loop(p, codes, weights), rel=1e-9, abs=1e-12)
    assert calibration_error(logs, codes).mean() == pytest.approx(by_loop(p, codes, np.ones(n)), rel=1e-9, abs=1e-12)


def test_distances_keep_their_digits_where_a_probability_rounds_to_one():
    logs = np.array([[-1e-30, np.log(1e-30)]])
    assert distances(logs, np.array([0]))[0, 0] == -1e-30


def test_a_curve_becomes_a_frame():
    p = np.array([0.2, 0.7])
    frame = reliability(p, np.log(p), p - [False, True], np.array([False, True]), bins=2).to_frame("polars")
    assert frame.columns == ["forecast", "share", "weight", "low", "high"]
    assert frame["share"].to_list() == [0.0, 1.0]
