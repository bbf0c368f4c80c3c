"""Whether a maximum exists: tables of many classes, units at the end of the floats, and what is too large to decide."""

import warnings
from fractions import Fraction

import numpy as np
import pytest

import posteriori as pt
from posteriori.fits.existence.exact.barrier import solve_stiffened
from posteriori.fits.existence.separation import separation
from tests.fits.existence.exact_separation import truth
from tests.fits.existence.hostile_rows import KINDS, extreme, extreme_cells, hostile


def categorical(rng, n, n_classes, n_columns):
    """Return dummies of columns whose levels depend on the class, some of them never seen in some classes."""
    y = rng.integers(0, n_classes, n)
    columns = []
    for _ in range(n_columns):
        levels = int(rng.integers(2, 4))
        shares = rng.dirichlet(np.full(levels, 0.4), n_classes)
        value = np.array([rng.choice(levels, p=shares[k]) for k in y])
        columns.append(np.eye(levels)[value][:, 1:])
    return np.column_stack(columns), y


def test_dummies_of_many_classes_are_decided_in_silence(capfd):
    X, y = categorical(np.random.default_rng(0), 500, 8, 9)
    found = separation(X, y)
    assert found.kind == "quasi"
    with pytest.warns(pt.SeparationWarning):
        model = pt.LogisticRegression().fit(X, y)
    assert model.fit_status_ == "separated"
    assert model.fit_notes_[0].rows == found.rows
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("seed", range(3))
def test_dummies_are_decided_as_by_rational_arithmetic(seed):
    X, y = categorical(np.random.default_rng(seed), 40, 3, 3)
    so, found = truth([[Fraction(v) for v in row] for row in X.tolist()], y, 3), separation(X, y)
    assert (found.kind, found.rows) == (so.kind, so.rows)


@pytest.mark.slow
def test_units_at_the_end_of_the_floats_raise_no_warnings_of_arithmetic():
    seeds = [s for s in range(120) if KINDS[s % len(KINDS)] in (extreme, extreme_cells)]
    for seed in seeds:
        X, y, K = hostile(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", pt.NotIdentifiedWarning)
            warnings.simplefilter("ignore", pt.ConvergenceWarning)
            model = pt.LogisticRegression().fit(X, y)
        so = truth([[Fraction(v) for v in row] for row in X.tolist()], y, K)
        if model.solution_.overlap is not None:
            assert model.solution_.overlap is (so.kind == "none"), seed


@pytest.mark.parametrize("seed", range(12))
def test_fits_without_an_intercept_and_with_class_counts_are_decided_exactly(seed):
    X, y, K = hostile(14 * seed + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.NotIdentifiedWarning)
        warnings.simplefilter("ignore", pt.ConvergenceWarning)
        model = pt.LogisticRegression(fit_intercept=False).fit(X, y)
        counts = np.eye(K)[y] + np.eye(K)[(y + 1) % K] * (np.arange(len(y)) % 5 == 0)[:, None]
        counted = pt.LogisticRegression().fit(X, counts)
    exact = [[Fraction(v) for v in row] for row in X.tolist()]
    assert model.solution_.overlap is (truth(exact, y, K, intercept=False).kind == "none")
    row, own = np.nonzero(counts)
    assert counted.solution_.overlap is (truth([exact[i] for i in row], own, K).kind == "none")


@pytest.mark.slow
def test_what_would_take_too_long_is_reported_as_undecided():
    undecided = 0
    for seed in (11, 26, 29):
        rng = np.random.default_rng(seed)
        X = rng.integers(-3, 4, (300, 6)) * 10.0 ** rng.choice([-100.0, 0.0, 100.0], (300, 6))
        y = (X[:, 0] + X[:, 1] > 0).astype(int)
        y[:3] = 1 - y[:3]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = pt.LogisticRegression().fit(X, y)
        if model.solution_.overlap is not None:
            continue
        undecided += 1
        assert model.fit_status_ == "not_converged"
        assert model.n_iter_ <= 10  # to go on would change nothing that is said
        assert any("existence not decided" in str(warning.message) for warning in caught)
        note = next(note for note in model.fit_notes_ if note.code == "existence-not-decided")
        assert "prior='jeffreys'" in note.remedy
        assert np.isfinite(model.coef_).all()
    assert undecided


def test_a_step_over_no_columns_is_empty():
    assert solve_stiffened(np.zeros((0, 0)), np.zeros(0)).shape == (0,)


def test_no_constraints_are_no_integers():
    decided = separation([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).decided
    assert decided.pairs.integers(np.array([], dtype=np.intp)).shape == (0, decided.pairs.width)
