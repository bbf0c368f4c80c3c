"""Whether the maximum exists under priors that leave some direction free: the classes must overlap along it."""

import numpy as np
import pytest

import posteriori as pt

pytestmark = [
    pytest.mark.filterwarnings("ignore::posteriori.SeparationWarning"),
    pytest.mark.filterwarnings("ignore::posteriori.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::posteriori.NotIdentifiedWarning"),
]

#: Its null direction is (intercept, weight) = (1, 1/2): a predictor that changes its sign at x = -2.
COUPLED = np.array([[0.25, -0.5], [-0.5, 1.0]])
X = np.arange(-5.0, 4.0)[:, None]


def fitted(x, y, precision, **parameters):
    return pt.LogisticRegression(prior=pt.GaussianPrior(precision=precision, **parameters)).fit(x, y)


@pytest.mark.parametrize("scale", [1.0, 2.0**-30, 2.0**40])
def test_classes_separated_along_the_free_direction_of_a_full_matrix_have_no_maximum(scale):
    model = fitted(X * scale, (X[:, 0] > -2.5).astype(int), COUPLED * [[1.0, scale], [scale, scale**2]])
    assert model.fit_status_ == "separated"
    assert model.solution_.overlap is False


def test_classes_separated_elsewhere_have_a_maximum():
    model = fitted(X, (X[:, 0] > 0.5).astype(int), COUPLED)
    assert model.fit_status_ == "ok"
    assert model.solution_.overlap is True
    assert model.solution_.converged


def test_a_row_on_the_edge_of_the_free_direction_leaves_it_separated_in_part():
    on_edge = (X[:, 0] > -2.5).astype(int)  # x = -2 lies where that predictor is zero
    on_edge[X[:, 0] == -2.0] = 0
    assert fitted(X, on_edge, COUPLED).fit_status_ == "separated"


def test_several_classes_and_a_matrix_over_all_of_them():
    y = np.digitize(X[:, 0], [-2.5, 1.5])
    blocks = np.kron(np.eye(3), COUPLED)
    assert fitted(X, y, blocks).fit_status_ == "separated"
    y[[0, -1]] = [2, 0]
    model = fitted(X, y, blocks)
    assert (model.fit_status_, model.solution_.overlap) == ("ok", True)


def test_zeros_among_diagonal_precisions_leave_their_columns_free():
    two = np.column_stack([X[:, 0], np.tile([1.0, -1.0, 0.5], 3)])
    y = (X[:, 0] > -2.5).astype(int)
    assert fitted(two, y, [0.0, 1.0]).fit_status_ == "separated"
    assert fitted(two, y, [1.0, 0.0]).fit_status_ == "ok"
    assert fitted(two, y, [0.0, 1.0], intercept_precision=1.0).fit_status_ == "ok"  # x = 0 does not separate them
    assert fitted(two, (X[:, 0] > 0).astype(int), [0.0, 1.0], intercept_precision=1.0).fit_status_ == "separated"
    assert fitted(two, y, np.diag([1e20, 1e-3])).solution_.overlap is True


def test_a_singular_matrix_per_standard_deviation():
    singular = np.array([[1.0, 2.0], [2.0, 4.0]])  # free along (2, -1), per standard deviation
    rng = np.random.default_rng(0)
    two = rng.standard_normal((40, 2)) * [3.0, 0.1]
    along = two @ (np.array([2.0, -1.0]) / two.std(axis=0))
    told = fitted(two, (along > 0.3).astype(int), singular, units="sd")
    assert told.fit_status_ == "separated"
    across = two @ (np.array([1.0, 2.0]) / two.std(axis=0))
    assert fitted(two, (across > 0.3).astype(int), singular, units="sd").solution_.overlap is True


def test_nothing_is_claimed_of_a_matrix_that_is_singular_to_rounding():
    v = np.array([0.1, 0.3, -0.7])
    rng = np.random.default_rng(1)
    two = rng.standard_normal((40, 2))
    null = np.linalg.svd(v[None])[2][1:]
    free = null[0, 0] + two @ null[0, 1:]
    model = fitted(two, (free > 0).astype(int), np.outer(v, v) * (1.0 + 1e-15 * rng.standard_normal((3, 3))))
    assert model.solution_.overlap is not True


def test_random_singular_matrices_are_decided_as_their_free_direction_says():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        free = rng.integers(-4, 5, 3).astype(float)
        if not free[1:].any():
            continue
        q = np.eye(3) * (free @ free) - np.outer(free, free)  # integers, so exactly singular along `free`
        two = rng.integers(-6, 7, (25, 2)).astype(float)
        along = free[0] + two @ free[1:]
        y = (along > 0).astype(int)
        flips = rng.choice(np.flatnonzero(along != 0), rng.integers(0, 3), replace=False)
        y[flips] = 1 - y[flips]
        if len(set(y)) < 2:
            continue
        gains = np.where(y == 1, along, -along)
        separated = ((gains >= 0).all() or (gains <= 0).all()) and gains.any()
        assert (fitted(two, y, q).fit_status_ == "separated") == separated


@pytest.mark.parametrize("parametrization", ["symmetric", "reference"])
def test_a_prior_on_the_intercept_alone_does_not_hide_classes_that_a_dummy_separates(parametrization):
    dummy = np.array([[0.0], [1.0], [1.0], [0.0], [0.0], [1.0], [0.0], [1.0]])
    two, three = np.array([0, 0, 0, 1, 0, 0, 1, 0]), np.array([2, 0, 0, 0, 0, 0, 2, 1])
    for y in (two, three):  # the last class never has the dummy
        prior = pt.GaussianPrior(precision=[0.0], intercept_precision=1.0)
        model = pt.LogisticRegression(prior=prior, parametrization=parametrization).fit(dummy, y)
        assert (model.fit_status_, model.solution_.overlap) == ("separated", False)
        assert model.infinite_[:, 0].tolist() == [0] * len(model.coef_)


@pytest.mark.parametrize("sizes", [(1e-200, 1.0), (1e200, 1e-200), (1e-160, 1e100)])
def test_precisions_and_columns_at_the_ends_of_the_floats_give_a_verdict_or_an_error(sizes):
    rows, y = np.column_stack([X[:, 0], np.tile([1.0, -1.0, 0.5], 3)]) * sizes, np.tile([0, 1, 1], 3)
    for precision in ([0.0, 1.0], [1.0, 0.0], [1e-3, 1.0]):
        assert fitted(rows, y, precision, intercept_precision=1.0).fit_status_ in ("ok", "not_converged")
    with pytest.raises(pt.DataError, match=r"precision matrix overflows .* rescale the columns"):
        fitted(rows, y, np.array([[2.0, 1.0], [1.0, 2.0]]))


def test_iterates_that_run_away_in_large_units_give_no_warning_of_overflow():
    rows = np.array([[-3.0], [-1.0], [2.0], [4.0]]) * 1e200
    model = fitted(rows, np.array([1, 1, 0, 0]), np.array([[4.0, 2.0], [2.0, 1.0]]))
    assert (model.fit_status_, model.infinite_.tolist()) == ("separated", [[1, -1]])
