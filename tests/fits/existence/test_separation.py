"""Separation: judged by exact arithmetic, named by column, row and class, and answered by a function of the data."""

import warnings
from fractions import Fraction

import numpy as np
import pytest

import posteriori as pt
from posteriori.fits.existence.separation import separation
from tests.fits.existence.exact_separation import truth
from tests.fits.existence.generated_rows import generated
from tests.fits.existence.hostile_rows import hostile


def fit(X, y, **parameters):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = pt.LogisticRegression(**parameters).fit(X, y)
    return model, [warning.category for warning in caught]


# --- against exact rational arithmetic


@pytest.mark.parametrize("first", range(0, 1000, 250))
@pytest.mark.slow
def test_no_misses_and_no_false_alarms_on_a_thousand_sets(first):
    kinds = set()
    for seed in range(first, first + 250):
        X, y, K, exact = generated(seed)
        so, found = truth(exact, y, K), separation(X, y)
        assert found.kind == so.kind, seed
        assert found.rows == so.rows, seed
        if so.columns is not None:
            assert found.columns == so.columns, seed
        kinds.add((so.kind, K))
    assert kinds == {(kind, K) for kind in ("none", "quasi", "complete") for K in (2, 3, 4)}


@pytest.mark.parametrize("first", range(0, 300, 50))
@pytest.mark.slow
def test_a_fit_says_separated_exactly_when_it_is(first):
    for seed in range(first, first + 50):
        X, y, K, exact = generated(seed)
        separated = truth(exact, y, K).kind != "none"
        model, caught = fit(X, y)
        assert (model.fit_status_ == "separated") is separated, seed
        assert (pt.SeparationWarning in caught) is separated, seed
        assert model.solution_.overlap is not separated, seed
        assert (model.infinite_ != 0).any() == separated, seed
        assert np.isfinite(model.predict_log_proba(X)).all(), seed


@pytest.mark.parametrize("first", range(0, 420, 70))
@pytest.mark.slow
def test_hostile_rows_are_decided_as_by_rational_arithmetic(first):
    for seed in range(first, first + 70):
        X, y, K = hostile(seed)
        so, found = truth([[Fraction(v) for v in row] for row in X.tolist()], y, K), separation(X, y)
        assert (found.kind, found.rows) == (so.kind, so.rows), seed
        if so.columns is not None:
            assert found.columns == so.columns, seed


def test_a_row_beyond_a_plane_by_the_last_bit_counts():
    X = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    assert separation(X, [0, 1, 0, 1]).kind == "none"
    X[3, 1] = np.nextafter(3.0, 4.0)
    found = separation(X, [0, 1, 0, 1])  # the last row alone is off the line, on which the others overlap
    assert (found.kind, found.rows, found.columns) == ("quasi", (3,), (0, 1))
    X[2, 1] = np.nextafter(2.0, 0.0)
    assert separation(X, [0, 1, 0, 1]).kind == "complete"


# --- what is named


def test_separated_classes_are_named():
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((90, 2)), np.repeat(["ape", "bee", "cat"], 30)
    X[y == "cat", 0] += 50.0
    found = separation(X, y)
    assert found.kind == "quasi"
    assert found.classes == (("ape", "cat"), ("bee", "cat"))
    with pytest.warns(pt.SeparationWarning, match="class 'ape' from 'cat', and class 'bee' from 'cat'"):
        model = pt.LogisticRegression().fit(X, y)
    assert set(model.fit_notes_[0].classes) == {"ape", "bee", "cat"}
    assert "prior='jeffreys'" in model.fit_notes_[0].remedy


def test_rows_outside_the_first_subset_are_reported_as_separated():
    rng = np.random.default_rng(2)
    n = 30_000
    X = np.column_stack([rng.standard_normal(n), np.zeros(n)])
    y = (rng.random(n) < 0.5).astype(int)
    y[[17, 4711]] = 1
    X[[17, 4711], 1] = 1.0  # a rare mark, always of class 1, in rows that an even choice of 4,000 leaves out
    found = separation(X, y)
    assert (found.kind, found.columns, found.rows) == ("quasi", (1,), (17, 4711))


def test_many_rows_with_a_single_exception_overlap():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((30_000, 3))
    y = (X @ [1.0, -2.0, 0.5] > 0.1).astype(int)
    assert separation(X, y).kind == "complete"
    far = int(np.argmax(X @ [1.0, -2.0, 0.5]))
    y[far] = 0
    assert separation(X, y).kind == "none"


def test_dependent_columns_do_not_count_as_separated():
    rng = np.random.default_rng(4)
    x, y = rng.standard_normal(80), rng.integers(0, 2, 80)
    X = np.column_stack([x, 2 * x + 1, np.full(80, 7.0), rng.standard_normal(80)])
    assert separation(X, y).kind == "none"
    mark = (np.arange(80) < 4).astype(float)
    y[:4] = 1
    found = separation(np.column_stack([X, mark]), y)
    assert (found.kind, found.columns, found.rows) == ("quasi", (4,), (0, 1, 2, 3))


def test_weights_of_zero_are_not_looked_at():
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 1, 0, 1, 1])
    assert separation(X, y).kind == "none"
    assert separation(X, y, sample_weight=[1, 1, 0, 1, 1, 1]).rows == (0, 1, 3, 4, 5)


def test_infinite_coefficients_keep_their_signs():
    rng = np.random.default_rng(5)
    x, y = rng.standard_normal(100), rng.integers(0, 2, 100)
    up, down = np.zeros(100), np.zeros(100)
    up[np.flatnonzero(y == 1)[:6]], down[np.flatnonzero(y == 0)[:6]] = 1.0, 1.0
    model, _ = fit(np.column_stack([x, up, down]), y)
    assert model.infinite_.tolist() == [[0, 0, 1, -1]]
    # along the reference parametrisation the class without coefficients has none that are infinite
    labels = np.where(up > 0, 2, y)
    three, _ = fit(np.column_stack([x, up]), labels, parametrization="reference")
    assert three.infinite_[0].tolist() == [0, 0, 0]
    assert three.infinite_[2, 2] == 1


def test_a_prior_on_some_columns_leaves_the_others_to_separate():
    x = np.linspace(-1, 1, 20)
    y = (x > 0).astype(int)
    X = np.column_stack([x, np.sin(9 * x)])
    free, _ = fit(X, y, prior=pt.GaussianPrior(precision=[0.0, 1.0]))
    assert free.fit_status_ == "separated"
    assert free.fit_notes_[0].columns == (0,)
    held, caught = fit(X, y, prior=pt.GaussianPrior(precision=[1.0, 0.0]))
    assert held.fit_status_ == "ok"
    assert not caught


# --- the answer is a function of the data


def complete(rng):
    X = rng.standard_normal((60, 3))
    return X, (X[:, 1] + 0.2 * X[:, 0] > 0).astype(int)


def quasi(rng):
    X, y = rng.standard_normal((80, 3)), rng.integers(0, 2, 80)
    X[:, 2] = 0.0
    X[np.flatnonzero(y == 1)[:7], 2] = 1.0
    return X, y


def three(rng):
    X, y = rng.standard_normal((90, 3)), np.arange(90) % 3
    X[y == 2, 0] += 30.0
    return X, y


@pytest.mark.parametrize("case", [complete, quasi, three])
@pytest.mark.parametrize("seed", range(3))
def test_the_separated_answer_is_a_function_of_the_data(case, seed):
    rng = np.random.default_rng(seed)
    X, y = case(rng)
    n, d = X.shape
    first, _ = fit(X, y)
    assert first.fit_status_ == "separated"
    p = first.predict_proba(X)

    def same(model, coef, rows):
        np.testing.assert_allclose(coef, first.coef_, rtol=1e-7, atol=1e-7)
        np.testing.assert_allclose(model.predict_proba(rows), p, rtol=0, atol=1e-7)

    counts = rng.integers(1, 4, n)
    weighted = pt.LogisticRegression(on_separation="warn")
    with pytest.warns(pt.SeparationWarning):
        weighted.fit(X, y, sample_weight=counts)
    repeated, _ = fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(repeated.coef_, weighted.coef_, rtol=1e-7, atol=1e-7)
    order, columns = rng.permutation(n), rng.permutation(d)
    again, _ = fit(X[order], y[order])
    same(again, again.coef_, X)
    turned, _ = fit(X[:, columns], y)
    same(turned, turned.coef_[:, np.argsort(columns)], X[:, columns])
    scale, shift = 10.0 ** rng.uniform(-3, 3, d), rng.uniform(-5, 5, d)
    units, _ = fit(X * scale + shift, y)
    same(units, units.coef_ * scale, X * scale + shift)


@pytest.mark.parametrize("parametrization", ["symmetric", "reference"])
def test_an_offset_does_not_change_whether_classes_are_separated(parametrization):
    X, y = three(np.random.default_rng(7))
    offset = np.random.default_rng(8).standard_normal((90, 3))
    with pytest.warns(pt.SeparationWarning):
        model = pt.LogisticRegression(parametrization=parametrization).fit(X, y, offset=offset)
    p = model.predict_proba(X, offset=offset)
    assert p[np.arange(90), y][y == 2].min() > 1 - 1e-7
    told = model.predict_proba(X[y < 2], offset=offset[y < 2])[:, 2]
    assert told.max() < 1e-7


def test_the_check_reads_nothing_where_the_odds_prove_overlap():
    rng = np.random.default_rng(6)
    X = rng.standard_normal((500, 4))
    y = rng.random(500) < 1 / (1 + np.exp(-X[:, 0]))
    model, caught = fit(X, y)
    assert model.solution_.overlap is True
    assert not caught
    assert model.solution_.sweeps == model.n_iter_ + 1  # one for each step, one at the start, none to check
