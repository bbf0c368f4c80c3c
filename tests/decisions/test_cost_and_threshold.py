"""The action of least expected cost, and the threshold that follows from costs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posteriori.decisions.argmax import argmax
from posteriori.decisions.cost import expected_cost, least_cost, saving, threshold_of

SEEDS = st.integers(0, 2**32 - 1)


def simplex(rng, n, K):
    return rng.dirichlet(np.full(K, 0.7), size=n)


@given(seed=SEEDS, K=st.integers(2, 8))
def test_zero_one_costs_give_exactly_the_most_probable_class(seed, K):
    p = simplex(np.random.default_rng(seed), 200, K)
    p[:50] = np.nextafter(1 / K, np.random.default_rng(seed).integers(0, 2, (50, K)))  # all but equal
    np.testing.assert_array_equal(least_cost(p, 1.0 - np.eye(K)), argmax(p))
    np.testing.assert_array_equal(saving(p, 1.0 - np.eye(K)), p)


@given(seed=SEEDS, K=st.integers(2, 6), A=st.integers(1, 7))
def test_a_number_added_to_the_costs_of_a_class_changes_no_action(seed, K, A):
    rng = np.random.default_rng(seed)
    p, costs = simplex(rng, 300, K), rng.integers(0, 100, (A, K)).astype(float)
    added = costs + rng.integers(0, 1000, K)
    np.testing.assert_array_equal(least_cost(p, costs), least_cost(p, added))


@given(seed=SEEDS, K=st.integers(2, 6), A=st.integers(1, 7))
def test_the_action_taken_is_expected_to_cost_the_least(seed, K, A):
    rng = np.random.default_rng(seed)
    p, costs = simplex(rng, 100, K), rng.uniform(0, 10, (A, K))
    by_hand = np.array([[sum(p[n, k] * costs[a, k] for k in range(K)) for a in range(A)] for n in range(100)])
    np.testing.assert_allclose(expected_cost(p, costs), by_hand, rtol=1e-13)
    taken = by_hand[np.arange(100), least_cost(p, costs)]
    np.testing.assert_allclose(taken, by_hand.min(axis=1), rtol=1e-13)


def test_of_equal_actions_the_first_is_taken():
    p = np.array([[0.5, 0.5], [0.25, 0.75]])
    assert least_cost(p, np.array([[2.0, 2.0], [2.0, 2.0], [2.0, 2.0]])).tolist() == [0, 0]
    assert least_cost(p, np.array([[0.0, 1.0], [1.0, 0.0]])).tolist() == [0, 1]


@given(seed=SEEDS)
def test_the_threshold_is_where_the_action_turns(seed):
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 6, (2, 2)).astype(float)
    t = threshold_of(costs)
    assert 0.0 <= t <= 1.0
    suits = int(costs[:, 1].argmin())
    if costs[0, 1] == costs[1, 1]:
        return
    above = [p1 for p1 in (t + 1e-9, (t + 1) / 2, 1.0) if t < p1 <= 1]
    below = [p1 for p1 in (t - 1e-9, t / 2, 0.0) if 0 <= p1 < t]
    for p1, wanted in [(p1, suits) for p1 in above] + [(p1, 1 - suits) for p1 in below]:
        assert least_cost(np.array([[1.0 - p1, p1]]), costs)[0] == wanted


@pytest.mark.parametrize(
    ("costs", "wanted"),
    [
        ([[0, 1], [1, 0]], 0.5),
        ([[0, 9], [1, 0]], 0.1),
        ([[1, 0], [0, 9]], 0.1),  # the rows the other way round
        ([[5, 20], [6, 0]], 1 / 21),
        ([[1, 5], [1, 0]], 0.0),  # the second is never the dearer
        ([[2, 5], [1, 0]], 0.0),
        ([[0, 3], [1, 3]], 1.0),  # nothing is gained by the second
        ([[2, 2], [2, 2]], 1.0),
    ],
)
def test_thresholds_known_by_hand(costs, wanted):
    assert threshold_of(np.array(costs, dtype=float)) == pytest.approx(wanted, abs=1e-16)
