"""Separated classes: which coefficients go to plus infinity, to minus infinity, or are not identified."""

import warnings
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

import posteriori as pt
from posteriori.engines.select import engine_for
from posteriori.fits.existence.recession import recession_of
from posteriori.fits.existence.separation import separation_of
from posteriori.input.training import read_training
from posteriori.links.logit import Logit
from posteriori.models.infinite_codes import against, class_pairs
from posteriori.objectives.prepare import objective_of, survey


def fit(X, y, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pt.LogisticRegression(**parameters).fit(X, y)


def passengers():
    """Survivors by class and age as on the Titanic: all children of the first and second class survived."""
    counts = {
        ("1st", "Adult"): (122, 197), ("2nd", "Adult"): (167, 94), ("3rd", "Adult"): (476, 151),
        ("1st", "Child"): (0, 6), ("2nd", "Child"): (0, 24), ("3rd", "Child"): (52, 27),
    }  # fmt: skip
    rows = [(*cell, answer) for cell, pair in counts.items() for answer, k in enumerate(pair) for _ in range(k)]
    return pd.DataFrame(rows, columns=["Class", "Age", "Survived"])


def can_go(X, y, contrast):
    """Decide by linear programmes over all rows to which infinities a contrast (K p,) of K vectors can go."""
    n, K = len(X), int(y.max()) + 1
    design = np.column_stack([np.ones(n), X])
    A = []
    for i, own in enumerate(y):
        for other in range(K):
            if other != own:
                row = np.zeros((K, design.shape[1]))
                row[own], row[other] = design[i], -design[i]
                A.append(row.ravel())
    A = np.array(A)
    ends = [
        -linprog(-sign * contrast, A_ub=-A, b_ub=np.zeros(len(A)), bounds=[(-1, 1)] * A.shape[1]).fun
        for sign in (1, -1)
    ]
    return ends[0] > 1e-7, ends[1] > 1e-7


CODES = {(False, False): 0, (True, False): 1, (False, True): -1, (True, True): 2}


def test_an_interaction_of_two_empty_cells_is_not_identified():
    d = passengers()
    with pytest.warns(pt.SeparationWarning, match=r"Class\[T.2nd\]:Age\[T.Child\]'.* not identified"):
        model = pt.LogisticRegression.from_formula("Survived ~ Class * Age", d)
    frame = model.summary(interval="profile", X=d, y="Survived").to_frame("pandas").set_index("term")
    row = frame.loc["Class[T.2nd]:Age[T.Child]"]
    assert (row["state"], row["lower"], row["upper"]) == ("not identified", -np.inf, np.inf)
    assert np.isnan(row["estimate"])
    assert frame.loc["Age[T.Child]", ["state", "estimate"]].tolist() == ["infinite", np.inf]
    assert frame.loc["Class[T.3rd]:Age[T.Child]", ["state", "estimate"]].tolist() == ["infinite", -np.inf]
    assert frame.loc["Class[T.2nd]", "state"] == "ok"


@pytest.mark.parametrize("seed", range(3))
def test_a_column_of_noise_beside_a_separating_one_is_not_identified(seed):
    rng = np.random.default_rng(seed)
    x = np.r_[rng.uniform(-2, -1, 20), rng.uniform(1, 2, 20)]
    X, y = np.column_stack([x, rng.standard_normal(40)]), (x > 0).astype(int)
    model = fit(X, y)
    assert model.infinite_.tolist() == [[2, 1, 2]]
    ratios = model.odds_ratios().to_frame("pandas")
    assert ratios["state"].tolist() == ["not identified", "infinite", "not identified"]
    assert ratios["odds_ratio"].isna().tolist() == [True, False, True]
    assert "inf " not in next(line for line in str(model.odds_ratios()).splitlines() if line.startswith("x1"))
    assert model.summary(exponentiate=True).rows[2].state == "not identified"
    for show in (str, lambda summary: summary._repr_html_()):
        assert "not identified" in show(model.summary())
    assert "not identified" in model.summary().to_latex()
    assert model.summary().to_text("R").count("NA") >= 2


@pytest.mark.parametrize("seed", range(6))
def test_codes_are_those_of_linear_programmes_for_every_pair_of_classes(seed):
    rng = np.random.default_rng(seed)
    n, d, K = 14, 3, 3
    X = rng.integers(-2, 3, (n, d)).astype(float)
    y = np.r_[0, 1, 2, rng.integers(0, K, n - 3)]
    y[X[:, 0] > 0] = 2 * (seed % 2)
    X[y == 1, 1] = np.abs(X[y == 1, 1])
    model = fit(X, y)
    if model.fit_status_ != "separated":
        return
    p = d + 1
    for reference in range(K):
        rows = iter(model.summary(reference=reference).rows)
        for k in (k for k in range(K) if k != reference):
            for j in range(p):
                contrast = np.zeros((K, p))
                contrast[k, j], contrast[reference, j] = 1.0, -1.0
                code, row = CODES[can_go(X, y, contrast.ravel())], next(rows)
                if row.state != "aliased":
                    assert (row.state, np.sign(np.nan_to_num(row.estimate, posinf=1, neginf=-1)) * abs(code)) == {
                        0: ("ok", 0.0), 1: ("infinite", 1.0), -1: ("infinite", -1.0), 2: ("not identified", 0.0)
                    }[code]  # fmt: skip
    for k in range(K):
        for j in range(p):
            own = np.zeros((K, p))
            own[:, j] = (np.arange(K) == k) - 1 / K
            assert model.infinite_[k, j] == CODES[can_go(X, y, own.ravel())]


@pytest.mark.parametrize("seed", range(20))
def test_directions_show_the_codes_of_all_pairs_of_classes_and_lie_in_the_cone(seed):
    rng = np.random.default_rng(seed)
    K, d = rng.integers(2, 5), rng.integers(1, 4)
    X, y = rng.integers(-2, 3, (12, d)).astype(float), rng.integers(0, K, 12)
    y[:K] = range(K)
    model = fit(X, y)
    known, units = model.information_, model.scores_.units
    if known.pairs is None:
        return
    slopes = np.einsum("ij,ajg->aig", units.jacobian(), known.directions.reshape(K - 1, d + 1, -1))
    scores = np.einsum("ni,aig->nag", np.column_stack([np.ones(12), X]), slopes)
    scores = np.insert(scores, 0, 0.0, axis=1)  # of the reference class
    own = np.take_along_axis(scores, y[:, None, None], axis=1)
    assert (own - scores >= -1e-7).all()
    moves = np.insert(slopes, 0, 0.0, axis=0)
    for (a, b), codes in zip(class_pairs(K), known.pairs, strict=True):
        up, down = ((sign * (moves[b] - moves[a]) > 1e-8).any(axis=1) for sign in (1, -1))
        assert codes.tolist() == np.select([up & down, up, down], [2, 1, -1], 0).tolist()


def test_codes_are_exact_for_columns_of_many_orders_of_magnitude():
    x = [4e-12, -5e5, -1e4, 1e3, 2e3, -1e-9, -1e3, -8e6]
    X = np.column_stack([x, [0.0, 0.0, -2.0, -1.0, 1.0, 2.0, 2.0, 2.0]])
    model = fit(X, np.array([0, 1, 2, 3, 2, 2, 2, 2]))
    # from all extreme directions of the recession cone, enumerated in rational numbers
    assert model.infinite_.tolist() == [[2, 2, 2], [2, -1, 1], [2, -1, 1], [2, 1, -1]]


@pytest.mark.parametrize("seed", range(3))
def test_codes_of_many_rows_are_exact_for_columns_of_many_orders_of_magnitude(seed):
    rng = np.random.default_rng(seed)
    x = 10.0 ** rng.uniform(-12, 12, 150) * rng.choice([-1, 1], 150)
    X = np.column_stack([x, rng.integers(-2, 3, (150, 2))])
    model = fit(X, (X @ [1.0, 2.0, 0.0] > 0).astype(int))
    # from linear programmes in rational numbers: rows of 1e-12 leave next to no room for the intercept, but some
    assert model.infinite_.tolist() == [[2, 1, 1, 2]]


def test_rows_that_differ_in_the_last_digits_of_a_value_leave_a_coefficient_unidentified():
    # a rational programme takes the intercept to either infinity; floats see one of the two directions alone
    X = [
        [-9999999999.99988, -0.0001000000000000006], [-9999999999.99994, 0.0001000000000000012],
        [-10000000000.0, -0.00020000000000000063], [20000000000.00006, -0.00020000000000000063],
        [-10000000000.00006, 0.0001000000000000006], [-19999999999.99988, 9.999999999999941e-05],
        [-19999999999.99994, -0.0002],
    ]  # fmt: skip
    frame = fit(X, [0, 1, 0, 1, 0, 0, 0]).summary().to_frame("pandas")
    assert frame["state"].tolist() == ["not identified", "infinite", "infinite"]
    assert (frame["estimate"].to_numpy()[1:] == np.inf).all()


def test_profile_intervals_are_open_on_the_sides_of_the_code():
    rng = np.random.default_rng(2)
    X = np.column_stack([rng.integers(0, 2, 60), rng.integers(0, 2, 60), rng.standard_normal(60)]).astype(float)
    y = (rng.random(60) < 0.5).astype(int)
    y[X[:, 0] > 0] = 1
    y[(X[:, 0] == 0) & (X[:, 1] > 0)] = 0
    X = np.column_stack([X, X[:, 0] * X[:, 1]])
    model = fit(X, y)
    bounds = model.confidence_interval(method="profile", X=X, y=y)
    for code, (low, high) in zip(model.infinite_[0].tolist(), bounds.tolist(), strict=True):
        assert (np.isinf(low), np.isinf(high)) == {
            0: (False, False),
            1: (False, True),
            -1: (True, False),
            2: (True, True),
        }[code]
    assert set(model.infinite_[0].tolist()) >= {1, -1}


def test_an_odds_ratio_at_minus_infinity_is_exactly_zero():
    x = np.r_[np.zeros(20), np.ones(5)]
    y = np.r_[np.tile([0, 1], 10), np.zeros(5)].astype(int)
    summary = fit(x[:, None], y).summary(exponentiate=True)
    assert summary.rows[1].estimate == 0.0
    line = next(line for line in str(summary).splitlines() if line.startswith("x0"))
    assert line.split()[1] == "0"


def test_beyond_the_limit_of_work_no_direction_is_claimed():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((40, 6))
    y = (X @ np.arange(6.0) > 0).astype(int)
    objective = objective_of(survey(engine_for(read_training(object(), X, y, None).table)), Logit(), None, True, 4000)
    found = separation_of(objective)
    known = recession_of(objective, found).own[0]
    limited = recession_of(objective, found, work=0.0).own[0]
    assert 3 not in known
    assert ((limited == 3) | (limited == known)).all()
    assert (limited == 3).any()


def test_contrasts_to_any_reference_follow_from_those_of_pairs():
    pairs = np.array([[1, 2], [0, -1], [3, 0]], dtype=np.int8)
    assert class_pairs(3) == [(0, 1), (0, 2), (1, 2)]
    assert against(pairs, 3, 0).tolist() == [[1, 2], [0, -1]]
    assert against(pairs, 3, 1).tolist() == [[-1, 2], [3, 0]]
    assert against(pairs, 3, 2).tolist() == [[0, 1], [3, 0]]


def test_the_order_of_classes_and_rows_changes_no_state():
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 3, (30, 2)).astype(float), rng.integers(0, 3, 30)
    y[X[:, 0] == 2] = 2
    states = []
    for order in permutations(range(3)):
        labels = np.array(["abc"[order[k]] for k in y])
        model = fit(X[::-1], labels[::-1])
        summary = model.summary(reference="abc"[order[0]])
        named = {("abc"[order[k]], row.term): (row.state, row.estimate if row.state == "infinite" else 0.0)
                 for k in range(3) for row in summary.rows if row.label == "abc"[order[k]]}  # fmt: skip
        states.append([named["abc"[order[k]], term] for k in (1, 2) for term in ("(Intercept)", "x0", "x1")])
    assert all(state == states[0] for state in states)


def test_a_model_file_keeps_the_codes_of_all_pairs(tmp_path):
    X = np.array([[0.0], [1.0], [2.0], [3.0], [10.0], [11.0]])
    model = fit(X, np.array(["a", "b", "a", "b", "c", "c"]))
    pt.save(model, tmp_path / "m.posteriori")
    again = pt.load(tmp_path / "m.posteriori")
    for reference in "abc":
        ours, theirs = (m.summary(reference=reference).to_frame("pandas") for m in (model, again))
        pd.testing.assert_frame_equal(ours, theirs)


def test_an_intercept_that_columns_of_1e200_drown_in_rounding_is_examined_in_integers():
    X = np.array([
        [-1, -4, 3, -4], [2, -5, 0, -8], [-3, 2, -3, -3], [-2, 1, 1, 1], [1, -4, -2, 1], [2, 3, -1, 1],
        [2, 8, 1, 2], [2, -3, -1, 0], [5, 1, 1, 3], [-3, -2, 7, -1], [0, -4, 0, 2], [1, -4, -1, 2],
    ]) * [1e100, 1e100, 1e100, 1e200]  # fmt: skip
    y = np.array([3, 3, 1, 2, 0, 1, 1, 0, 0, 3, 0, 0])
    held = np.array([-1.0, -2.0, 2.0, -2.0, 2.0])
    model = fit(X, y, prior=pt.GaussianPrior(precision=np.outer(held, held)), parametrization="reference")
    assert model.infinite_[1].tolist() == [2, 2, 1, 2, 2]  # by an exact programme (PPL)
