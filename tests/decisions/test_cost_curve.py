"""Costs at every threshold and by every rule, against plain loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posteriori.decisions.cost import suited, threshold_of
from posteriori.decisions.cost_curve import cost_curve, rule_costs


def drawn(seed, n=25):
    rng = np.random.default_rng(seed)
    p = rng.choice([0.0, 0.125, 0.25, 0.5, 0.75, 1.0, rng.random(), rng.random()], n)
    costs = rng.integers(0, 6, (2, 2)).astype(float)
    return p, np.c_[1 - p, p], rng.integers(0, 2, n), costs, rng.integers(1, 4, n).astype(float)


@settings(max_examples=80)
@given(st.integers(0, 100_000))
def test_the_curve_is_the_mean_cost_at_any_threshold(seed):
    p, both, codes, costs, weights = drawn(seed)
    curve = cost_curve(both, codes, costs, weights)
    b = suited(costs)
    between = (curve.threshold + np.append(curve.threshold[1:], 1.0)) / 2
    for t, at in [*zip(curve.threshold, range(99), strict=False), *zip(between, range(99), strict=False)]:
        taken = np.where(p > t, b, 1 - b)
        if t < 1:
            assert curve.cost[at] == pytest.approx(np.average(costs[taken, codes], weights=weights), abs=1e-12)
    assert curve.threshold[0] == 0
    assert (np.diff(curve.threshold) > 0).all()


@settings(max_examples=80)
@given(st.integers(0, 100_000))
def test_the_best_threshold_costs_the_least_and_lies_in_the_interval_nearest_to_that_of_the_costs(seed):
    p, both, codes, costs, weights = drawn(seed)
    curve = cost_curve(both, codes, costs, weights)
    b = suited(costs)

    def mean(t):
        return np.average(costs[np.where(p > t, b, 1 - b), codes], weights=weights)

    every = [mean(t) for t in curve.threshold]
    assert curve.best_cost == pytest.approx(min(every), abs=1e-12)
    assert mean(curve.best) == pytest.approx(min(every), abs=1e-12)
    low, high = curve.best_interval
    assert low <= curve.best <= high
    ends = np.append(curve.threshold[1:], 1.0)
    least = curve.cost == curve.cost.min()
    apart = np.maximum(np.maximum(curve.threshold - curve.bayes, curve.bayes - ends), 0)[least]
    assert max(low - curve.bayes, curve.bayes - high, 0) == pytest.approx(apart.min())


@settings(max_examples=60)
@given(st.integers(0, 100_000))
def test_the_threshold_of_the_costs_decides_as_the_least_expected_cost(seed):
    rng = np.random.default_rng(seed)
    p = rng.random(40)
    codes, costs = rng.integers(0, 2, 40), rng.random((2, 2))
    curve = cost_curve(np.c_[1 - p, p], codes, costs)
    at = np.searchsorted(curve.threshold, curve.bayes, side="right") - 1
    assert curve.cost[at] == pytest.approx(curve.bayes_cost, abs=1e-12)
    assert curve.bayes == threshold_of(costs)


def test_rules_cost_what_their_actions_cost():
    rng = np.random.default_rng(3)
    p, codes, weights = rng.dirichlet(np.ones(3), 50), rng.integers(0, 3, 50), rng.random(50)
    costs = rng.random((5, 3))
    own = np.array([4, 0, 2])
    found = rule_costs(p, codes, costs, weights, own)
    least = [min(range(5), key=lambda a: p[i] @ costs[a]) for i in range(50)]
    total = weights.sum()
    assert found.least == pytest.approx(sum(weights[i] * costs[a, codes[i]] for i, a in enumerate(least)) / total)
    named = sum(w * costs[own[np.argmax(p[i])], codes[i]] for i, w in enumerate(weights)) / total
    assert found.argmax == pytest.approx(named)
    for a in range(5):
        assert found.always[a] == pytest.approx(np.average(costs[a, codes], weights=weights))


def test_a_curve_becomes_a_frame():
    curve = cost_curve(np.array([[0.5, 0.5]]), np.array([1]), np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert curve.to_frame("pandas").to_dict("list") == {"threshold": [0.0, 0.5], "cost": [0.0, 1.0]}
