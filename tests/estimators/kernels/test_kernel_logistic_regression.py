"""Kernel logistic regression: its optimum, its paths to it, its choices, its edges."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax

import posteriori as pt
from posteriori.bases.gaussian_kernel import GaussianKernel
from posteriori.bases.kernel_centers import Distinct
from posteriori.fits.kernels import kernel_logistic
from posteriori.fits.kernels.kernel_logistic import by_class, maximize_kernel
from posteriori.links.logit import Logit
from posteriori.links.softmax import Softmax
from posteriori.objectives.kernel_design import on_all, on_landmarks


def drawn(n=60, d=2, K=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % K)
    return rng.standard_normal((n, d)) + 1.2 * rng.standard_normal((K, d))[y], y


def gram(X, centers, h):
    return np.exp(-((X[:, None, :] - centers) ** 2).sum(axis=2) / (2 * h**2))


def objective(theta, kernels, counts, precision):
    theta = theta.reshape(counts.shape[1], -1)
    logs = log_softmax(kernels @ theta.T, axis=1)
    residual = counts.sum(axis=1, keepdims=True) * np.exp(logs) - counts
    value = -(counts * logs).sum() + 0.5 * precision * (theta**2).sum()
    return value, (residual.T @ kernels + precision * theta).ravel()


def found_elsewhere(X, counts, centers, h, precision):
    kernels = gram(X, centers, h)
    start = np.zeros(counts.shape[1] * len(centers))
    options = {"maxiter": 20_000, "maxfun": 40_000, "ftol": 1e-16, "gtol": 1e-11}
    run = minimize(objective, start, (kernels, counts, precision), "L-BFGS-B", jac=True, options=options)
    return run.x.reshape(counts.shape[1], -1), run.fun


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("centers", ["all", 12, "given"])
def test_the_optimum_is_the_one_another_optimiser_finds(K, centers):
    X, y = drawn(K=K)
    centers = X[:7] + 0.1 if isinstance(centers, str) and centers == "given" else centers
    model = pt.KernelLogisticRegression(bandwidth=1.5, precision=0.3, centers=centers).fit(X, y)
    wanted, value = found_elsewhere(X, np.eye(K)[y], model.centers_, 1.5, 0.3)
    assert model.solution_.objective == pytest.approx(value, abs=1e-9)
    np.testing.assert_allclose(model.coef_, wanted, rtol=0, atol=1e-5)
    assert model.coef_.shape == (K, len(model.centers_))
    assert model.n_parameters_ == model.coef_.size
    assert model.fit_status_ == "ok"
    assert model.solution_.decrement <= 1e-8


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("centers", ["all", 12])
@pytest.mark.parametrize("precision", [1e-4, 0.1, 100.0])
def test_the_gradient_over_every_kernel_vanishes(K, centers, precision):
    X, y = drawn(n=120, K=K)
    model = pt.KernelLogisticRegression(precision=precision, centers=centers).fit(X, y)
    kernels = gram(X, model.centers_, model.bandwidth_)
    _, gradient = objective(model.coef_.ravel(), kernels, np.eye(K)[y], precision)
    assert np.linalg.norm(gradient) / np.sqrt(precision) < 1e-8
    assert np.abs(model.coef_.sum(axis=0)).max() < 1e-9 * max(1.0, np.abs(model.coef_).max())


def test_two_classes_are_the_softmax_of_two_vectors():
    X, y = drawn(K=2)
    distinct = Distinct(X, np.eye(2)[y])
    two = maximize_kernel(on_all(distinct, 1.0), Softmax(2), 0.1).theta
    one = maximize_kernel(on_all(distinct, 1.0), Logit(), 0.1).theta
    np.testing.assert_allclose(by_class(Logit(), one), two, rtol=0, atol=1e-9)


def decrements_apart(X, y, link, precision, one, other):
    """Measure a difference of coefficients by the Hessian, as the Newton decrement does."""
    kernels, apart = GaussianKernel(X, 1.0)(X), one - other
    counts = np.eye(link.n_classes)[y]
    second = link.parts(kernels @ one.T, counts, curvature=True).curvature
    bent = np.einsum("na,nab,nb->", kernels @ apart.T, second, kernels @ apart.T)
    return np.sqrt(bent + (precision / 2 if link.n_scores == 1 else precision) * (apart**2).sum())


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("d", [1, 8])
@pytest.mark.parametrize("precision", [1e-5, 0.1])
def test_every_way_to_the_optimum_ends_at_the_same_point(K, d, precision, monkeypatch):
    X, y = drawn(n=80, d=d, K=K)
    link = Logit() if K == 2 else Softmax(K)
    distinct = Distinct(X, np.eye(K)[y])
    few, many = on_all(distinct, 1.0), on_landmarks(distinct.table(), X, 1.0)
    assert (few.vectors is None) == (d == 8)  # dense in a line, scattered in eight dimensions
    whole = maximize_kernel(many, link, precision)
    monkeypatch.setattr(kernel_logistic, "DENSE", 0)
    for design in (few, many):
        found = maximize_kernel(design, link, precision)
        assert found.solution.converged
        assert decrements_apart(X, y, link, precision, found.theta, whole.theta) < 2e-8  # each within 1e-8


def test_scores_that_share_one_curvature_reach_the_same_point(monkeypatch):
    from posteriori.objectives import kernel_classwise

    X, y = drawn(n=80)
    design = on_landmarks(Distinct(X, np.eye(3)[y]).table(), X[:20], 1.0)
    whole = maximize_kernel(design, Softmax(3), 0.1)
    monkeypatch.setattr(kernel_logistic, "DENSE", 0)
    monkeypatch.setattr(kernel_classwise, "SHARED_FROM", 0)
    shared = maximize_kernel(design, Softmax(3), 0.1)
    np.testing.assert_allclose(shared.theta, whole.theta, rtol=0, atol=1e-7)


# --- centres and bandwidth


def test_centres_are_the_distinct_rows_in_the_order_of_their_first_appearance():
    X, y = [[3.0], [1.0], [3.0], [-0.0], [0.0], [9.0]], [0, 1, 1, 0, 1, 1]
    model = pt.KernelLogisticRegression().fit(X, y, sample_weight=[1, 1, 1, 1, 1, 0])
    assert model.centers_.ravel().tolist() == [3.0, 1.0, 0.0]
    assert model.bandwidth_ == 2.0


def test_landmarks_depend_on_the_seed_and_not_on_order_or_repetition():
    X, y = drawn(n=90)
    order = np.random.default_rng(1).permutation(90)

    def chosen(rows, labels, seed):
        model = pt.KernelLogisticRegression(centers=15, random_state=seed).fit(rows, labels)
        return {tuple(row) for row in model.centers_}

    once = chosen(X, y, 0)
    assert len(once) == 15
    assert chosen(X[order], y[order], 0) == once
    assert chosen(np.repeat(X, 2, axis=0), np.repeat(y, 2), 0) == once
    assert chosen(X, y, 1) != once
    assert chosen(X, y, None) != once
    assert chosen(X, y, np.random.RandomState(3)) == chosen(X, y, np.random.RandomState(3))


def test_more_landmarks_than_rows_are_all_rows():
    X, y = drawn(n=30)
    every = pt.KernelLogisticRegression().fit(X, y)
    many = pt.KernelLogisticRegression(centers=31).fit(X, y)
    np.testing.assert_array_equal(many.centers_, every.centers_)
    np.testing.assert_array_equal(many.coef_, every.coef_)


def test_the_median_rule_is_over_distinct_rows_whatever_their_size():
    X, y = np.array([[0.0], [0.0], [0.0], [1.0], [5.0]]), [0, 1, 0, 1, 0]
    for unit in (1.0, 1e-200, 1e200):
        model = pt.KernelLogisticRegression().fit(X * unit, y)
        assert model.bandwidth_ == pytest.approx(4.0 * unit, rel=1e-15)
        p = pt.KernelLogisticRegression().fit(X, y).predict_proba(X)
        np.testing.assert_allclose(model.predict_proba(X * unit), p, rtol=0, atol=1e-9)


def test_an_offset_of_the_columns_loses_no_digits():
    X, y = drawn()
    X = np.round(X * 1024) / 1024
    model, moved = (pt.KernelLogisticRegression().fit(X + shift, y) for shift in (0.0, 2.0**20))
    np.testing.assert_allclose(moved.predict_proba(X + 2.0**20), model.predict_proba(X), rtol=0, atol=1e-12)


def test_equal_rows_are_fitted_with_a_note():
    with pytest.warns(pt.DegenerateVarianceWarning, match="all rows are equal"):
        model = pt.KernelLogisticRegression().fit(np.ones((5, 2)), [0, 0, 0, 1, 1])
    assert model.fit_notes_[0].code == "no-distance"
    assert model.predict([[1.0, 1.0]]).tolist() == [0]
    assert np.isfinite(model.predict_log_proba([[5.0, 1.0]])).all()


@pytest.mark.parametrize("centers", ["all", 15])
@pytest.mark.parametrize("d", [1, 6])
def test_the_cross_validated_bandwidth_has_the_least_log_loss_of_refits(centers, d):
    X, y = drawn(n=50, d=d)
    model = pt.KernelLogisticRegression(bandwidth="cv", centers=centers).fit(X, y)
    tried, losses = model.cross_validation_["bandwidth"], model.cross_validation_["log_loss"]
    assert model.bandwidth_ == tried[losses.argmin()]
    from posteriori.bases.kernel_centers import folds_of

    folds = folds_of(X, 5)
    total = 0.0
    for fold in range(5):
        out = folds == fold
        part = pt.KernelLogisticRegression(bandwidth=tried[2], centers=model.centers_).fit(X[~out], y[~out])
        total -= part.predict_log_proba(X[out])[np.arange(out.sum()), y[out]].sum()
    assert losses[2] == pytest.approx(total / 50, abs=1e-5)


def test_cross_validation_knows_no_difference_between_weights_and_copies():
    X, y = drawn(n=40)
    repeats = np.random.default_rng(2).integers(1, 4, 40)
    weighted = pt.KernelLogisticRegression(bandwidth="cv").fit(X, y, sample_weight=repeats)
    copied = pt.KernelLogisticRegression(bandwidth="cv").fit(np.repeat(X, repeats, axis=0), np.repeat(y, repeats))
    assert weighted.bandwidth_ == copied.bandwidth_
    np.testing.assert_allclose(weighted.coef_, copied.coef_, rtol=0, atol=1e-12)


# --- targets, answers, files


def test_class_counts_are_rows_of_their_weight():
    X, _ = drawn(n=30)
    counts = np.random.default_rng(0).integers(0, 4, (30, 3)).astype(float)
    counts[:, 0] += 1.0
    grouped = pt.KernelLogisticRegression(bandwidth=1.0).fit(X, counts)
    rows, labels = np.repeat(np.arange(30), 3), np.tile(np.arange(3), 30)
    spread = pt.KernelLogisticRegression(bandwidth=1.0).fit(X[rows], labels, sample_weight=counts.ravel())
    np.testing.assert_allclose(grouped.coef_, spread.coef_, rtol=0, atol=1e-10)


@pytest.mark.parametrize("K", [2, 3])
def test_margins_are_scores_less_the_best_other(K):
    X, y = drawn(K=K)
    model = pt.KernelLogisticRegression().fit(X, y)
    margins = model.margins(X, y)
    np.testing.assert_array_equal(margins > 0, model.predict(X) == y)
    p = model.predict_proba(X)
    own = p[np.arange(len(y)), y]
    p[np.arange(len(y)), y] = 0.0
    np.testing.assert_allclose(margins, np.log(own / p.max(axis=1)), atol=1e-12)


def test_far_from_every_centre_the_classes_are_even():
    X, y = drawn()
    far = np.array([[1e6, 0.0], [1e200, 1e200], [-1e308, 1e308]])
    p = pt.KernelLogisticRegression().fit(X, y).predict_proba(far)
    assert (p == p[:, :1]).all()
    np.testing.assert_allclose(p, 1 / 3, rtol=1e-15)


def test_frames_and_files_keep_names_and_bits(tmp_path):
    X, y = drawn()
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = pt.KernelLogisticRegression(centers=10).fit(frame, np.array(["x", "y", "z"])[y])
    pt.save(model, tmp_path / "m")
    loaded = pt.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.predict_log_proba(frame), model.predict_log_proba(frame))
    assert loaded.feature_names_in_.tolist() == ["a", "b"]
    assert loaded.solution_ == model.solution_


# --- the book's run


def test_without_a_penalty_there_is_only_the_run_of_the_book():
    X, y = drawn()
    with pytest.raises(pt.DataError, match="the likelihood has no maximum"):
        pt.KernelLogisticRegression(precision=0).fit(X, y)
    with pytest.raises(pt.DataError, match="compares optima"):
        pt.KernelLogisticRegression(precision=0, solver="online", bandwidth="cv").fit(X, y)
    with pytest.warns(pt.ConvergenceWarning, match=r"ended after \d+ steps"):
        model = pt.KernelLogisticRegression(precision=0, solver="online", random_state=1).fit(X, y)
    assert model.fit_status_ == "not_converged"
    assert model.solution_.decrement == np.inf
    assert model.n_iter_ == model.solution_.iterations


@pytest.mark.parametrize("precision", [0, 2.0])
def test_the_run_is_that_of_the_printed_code_with_the_right_normaliser(precision):
    X, y = np.array([[0.0], [1.0], [2.5]]), np.array([0, 1, 0])
    model = pt.KernelLogisticRegression(bandwidth=1.0, precision=precision, solver="online", random_state=7)
    with pytest.warns(pt.ConvergenceWarning):
        model.fit(X, y)
    rng, kernels = np.random.RandomState(7), gram(X, X, 1.0)
    theta, steps = rng.standard_normal((2, 3)), 0
    while steps < 3000:
        for draw in rng.uniform(0, 3.0, min(256, 3000 - steps)):
            i = int(draw)
            c = np.exp(kernels[i] @ theta.T)
            step = -0.1 * np.outer(c / c.sum(), kernels[i])
            step[y[i]] += 0.1 * kernels[i]
            step -= 0.1 * precision / 3 * theta  # its share of the penalty, with three rows
            if np.linalg.norm(step) < 1e-6:
                break
            theta, steps = theta + step, steps + 1
        else:
            continue
        break
    assert model.n_iter_ == steps
    np.testing.assert_allclose(model.coef_, theta, rtol=0, atol=1e-9)


def test_compiled_and_plain_steps_are_the_same():
    from posteriori.backends.arrays import kernel_online as kernel_online_arrays
    from posteriori.backends.compiled import kernel_online as kernel_online_compiled

    rng = np.random.default_rng(0)
    theta, kernels, codes = rng.standard_normal((3, 5)), rng.random((50, 5)), rng.integers(0, 3, 50)
    for decay in (0.0, 0.01):
        ends = []
        for module in (kernel_online_arrays, kernel_online_compiled):
            copy = theta.copy()
            taken = module.climb(copy, kernels, codes, 0.1, decay, 1e-6)
            ends.append((taken, copy))
        assert ends[0][0] == ends[1][0]
        np.testing.assert_allclose(ends[0][1], ends[1][1], rtol=0, atol=1e-13)


def test_a_penalised_run_has_a_decrement_that_bounds_its_distance_from_the_optimum():
    X, y = drawn(n=40)
    best = pt.KernelLogisticRegression(bandwidth=1.0, precision=5.0).fit(X, y)
    with pytest.warns(pt.ConvergenceWarning):
        run = pt.KernelLogisticRegression(bandwidth=1.0, precision=5.0, solver="online", random_state=0).fit(X, y)
    assert best.solution_.objective < run.solution_.objective
    # by strong convexity |theta - optimum| <= |gradient| / precision
    assert np.sqrt(5.0) * np.linalg.norm(run.coef_ - best.coef_) <= run.solution_.decrement


# --- faults


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"bandwidth": 0.0}, "bandwidth=0.0 must be a positive number"),
        ({"bandwidth": "mean"}, "'median', 'cv'"),
        ({"bandwidth": True}, "must be a positive number"),
        ({"precision": -1.0}, "precision=-1.0"),
        ({"precision": "cv"}, "precision='cv'"),
        ({"centers": 0}, "from 1 up"),
        ({"centers": "own-class"}, "must be 'all', a number of rows"),
        ({"centers": [[0.0], [1.0]]}, "coordinate"),
        ({"centers": [[0.0, 1.0], [0.0, 1.0]]}, "must differ"),
        ({"solver": "newton"}, "'auto', 'online'"),
        ({"bandwidth": 1e-320}, "so small beside"),
    ],
    ids=lambda value: str(value).replace(" ", "_")[:30],
)
def test_parameters_that_cannot_be_are_refused_in_words(parameters, words):
    X, y = drawn()
    with pytest.raises(pt.DataError, match=words):
        pt.KernelLogisticRegression(**parameters).fit(X, y)


def test_cells_that_are_not_finite_are_refused_by_place():
    X, y = drawn()
    model = pt.KernelLogisticRegression().fit(X, y)
    bad = X.copy()
    bad[4, 1] = np.nan
    for act in (lambda: model.predict(bad), lambda: pt.KernelLogisticRegression().fit(bad, y)):
        with pytest.raises(pt.DataError, match=r"column 1: 1 cell.*row 4"):
            act()


def test_a_matrix_too_large_is_refused_with_the_cure(monkeypatch):
    from posteriori.objectives import kernel_design

    monkeypatch.setattr(kernel_design, "MOST_CENTERS", 50)
    X, y = drawn()
    with pytest.raises(pt.DataError, match=r"60 distinct rows.*centers=1000"):
        pt.KernelLogisticRegression().fit(X, y)
    pt.KernelLogisticRegression(centers=20).fit(X, y)
