"""Categorical and Bernoulli columns: the frequencies of the books."""

import numpy as np
import pytest

from posteriori.backends.backend import ARRAYS
from posteriori.families.bernoulli import Bernoulli
from posteriori.families.categorical import Categorical

X = np.array([[0, 1], [0, 0], [1, 2], [1, np.nan], [1, 2]], float)
CODES = np.array([0, 0, 0, 1, 1])


def fitted(family, columns=X, codes=CODES, n_classes=2):
    return family.estimate(family.summarize(columns, codes, np.ones(len(columns)), n_classes, ARRAYS))


@pytest.mark.parametrize(("smoothing", "wanted"), [
    (0.0, [[2 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3], [0, 1, 0, 0, 1]]),
    (1.0, [[3 / 5, 2 / 5, 2 / 6, 2 / 6, 2 / 6], [1 / 4, 3 / 4, 1 / 4, 1 / 4, 2 / 4]]),
    (0.5, [[2.5 / 4, 1.5 / 4, 1 / 3, 1 / 3, 1 / 3], [0.5 / 3, 2.5 / 3, 0.5 / 2.5, 0.5 / 2.5, 1.5 / 2.5]]),
])  # fmt: skip
def test_frequencies_are_smoothed_as_in_mitchell_7(smoothing, wanted):
    parameters = fitted(Categorical(smoothing, (2, 3)))
    np.testing.assert_allclose(parameters.probability, wanted, rtol=1e-14)


def test_bernoulli_smooths_over_zero_and_one_even_if_one_does_not_occur():
    parameters = fitted(Bernoulli(1.0), np.zeros((3, 1)), np.array([0, 0, 1]))
    np.testing.assert_allclose(Bernoulli(1.0).describe(parameters, 0)["probability"], [1 / 4, 1 / 3])


def test_a_class_without_cells_in_a_column_has_the_frequencies_of_all_classes():
    columns = np.array([[0.0], [1.0], [1.0], [np.nan]])
    parameters = fitted(Categorical(0.0, (2,)), columns, np.array([0, 0, 0, 1]))
    np.testing.assert_allclose(parameters.probability[1], [1 / 3, 2 / 3])


def test_a_missing_or_unseen_cell_adds_nothing_and_an_impossible_one_minus_infinity():
    family = Categorical(0.0, (2, 3))
    parameters = fitted(family)
    rows = np.array([[np.nan, np.nan], [-1.0, 7.0], [0.0, np.nan]])
    found = family.log_density(parameters, rows, ARRAYS)
    assert found.tolist() == [[0, 0], [0, 0], [pytest.approx(np.log(2 / 3)), -np.inf]]


def test_bernoulli_rejects_what_is_neither_zero_nor_one():
    columns = np.array([[0.0, 1.0], [0.5, np.nan], [2.0, -1.0]])
    assert Bernoulli().invalid(columns).tolist() == [[False, False], [True, False], [True, True]]
    parameters = fitted(Bernoulli(), np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1]))
    found = Bernoulli().log_density(parameters, columns, ARRAYS)
    assert np.isnan(found).all(axis=1).tolist() == [False, True, True]


@pytest.mark.parametrize("family", [Categorical(0.0, (2, 3)), Categorical(1.0, (2, 3)), Bernoulli(0.5)], ids=repr)
def test_sampling_then_fitting_recovers(family):
    columns = X if isinstance(family, Categorical) and family.sizes else np.minimum(X, 1)
    parameters = fitted(family, columns)
    codes = np.arange(50_000) % 2
    drawn = family.sample(parameters, codes, np.random.default_rng(0))
    plain = type(family)(0.0, family.sizes)
    np.testing.assert_allclose(fitted(plain, drawn, codes).probability, parameters.probability, atol=0.02)


@pytest.mark.parametrize("family", [Categorical(1.0, (2, 3)), Categorical(0.0, (2, 3)), Bernoulli(1.0)], ids=repr)
def test_probabilities_of_all_rows_sum_to_one(family):
    columns = X if family.sizes else np.minimum(X, 1)
    parameters = fitted(family, columns)
    grid = np.array([[a, b] for a in range(2) for b in range(3 if family.sizes else 2)], float)
    total = np.exp(family.log_density(parameters, grid, ARRAYS)).sum(axis=0)
    np.testing.assert_allclose(total, 1, rtol=1e-14)


def test_counts_move_to_their_places_in_a_larger_dictionary():
    family = Categorical(1.0, (2, 3))
    counts = family.summarize(X, CODES, np.ones(5), 2, ARRAYS)
    moved = family.recoded(counts, [np.array([0, 2]), np.array([1, 2, 3])], (3, 4))
    assert moved.values[0].tolist() == [2, 0, 1, 0, 1, 1, 1]
