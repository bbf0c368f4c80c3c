"""What the figures of links, of [Sugiyama] and of [Deuschle] claim, in numbers read off what they draw."""

import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.special import expit, ndtr
from scipy.stats import norm

import posteriori as pt

SEEDS = range(3)


def points(display):
    """Give the rows that a plane shows, (n, 2), and their classes' numbers."""
    groups = [np.asarray(each.get_offsets()) for each in display.points_]
    return np.vstack(groups), np.repeat(np.arange(len(groups)), [len(group) for group in groups])


def heights(display):
    """Give the curves of a display of posteriors: where they are drawn, (r,), and {model: (r, K)}."""
    surfaces = display.surfaces
    return display.grid.axes[0].at, {name: surface.values for name, surface in surfaces.items()}


# --- links


def test_jordan_7_6_marks_odds_of_one_to_nine_and_nine_to_one():
    display = pt.figures.jordan_7_6()
    np.testing.assert_allclose(display.points_["logit"].get_ydata(), [0.1, 0.5, 0.9], rtol=1e-12)
    np.testing.assert_allclose(
        display.lines_["logit"].get_ydata(), expit(display.lines_["logit"].get_xdata()), rtol=1e-12
    )
    assert [text.get_text() for text in display.ax_.texts] == ["0.1", "0.5", "0.9"]


def test_jordan_7_14_draws_the_three_functions_that_its_caption_names():
    display = pt.figures.jordan_7_14()
    logistic, probit, cloglog = display.lines_.values()
    eta = logistic.get_xdata()
    np.testing.assert_allclose(logistic.get_ydata(), expit(eta), rtol=1e-12)
    np.testing.assert_allclose(probit.get_ydata(), ndtr(eta), rtol=1e-12)
    np.testing.assert_allclose(cloglog.get_ydata(), -np.expm1(-np.exp(eta)), rtol=1e-12)
    assert [line.get_linestyle() for line in (logistic, probit, cloglog)] == ["-", "--", "--"]  # of two lengths
    assert probit._dash_pattern != cloglog._dash_pattern


def test_mitchell_1_is_one_half_at_zero_and_rises():
    display = pt.figures.mitchell_1()
    assert display.points_["logit"].get_xydata().tolist() == [[0.0, 0.5]]
    assert (np.diff(display.lines_["logit"].get_ydata()) > 0).all()


def test_bishop_4_9_s_curves_have_the_same_slope_at_zero_and_are_nowhere_far_apart():
    sigmoid, probit = pt.figures.bishop_4_9().lines_.values()
    a = sigmoid.get_xdata()
    np.testing.assert_allclose(probit.get_ydata(), ndtr(np.sqrt(np.pi / 8) * a), rtol=1e-12)
    apart = np.abs(sigmoid.get_ydata() - probit.get_ydata())
    assert 0.017 < apart.max() < 0.018
    middle = np.abs(a) < 0.03
    for line in (sigmoid, probit):
        assert np.polyfit(a[middle], line.get_ydata()[middle], 1)[0] == pytest.approx(0.25, abs=1e-4)


def test_bishop_4_13_s_area_and_slope_are_the_two_values_at_the_point():
    display = pt.figures.bishop_4_13()
    (F,), (density,) = display.lines_.values(), display.densities_.values()
    theta, p = density.get_data()
    mixture = 0.55 * norm.pdf(theta, 0.8, 0.45) + 0.45 * norm.pdf(theta, 2.6, 0.4)
    np.testing.assert_allclose(p, mixture, rtol=1e-10)
    np.testing.assert_allclose(np.gradient(F.get_ydata(), theta, edge_order=2), p, atol=1e-3)
    modes = np.flatnonzero((p[1:-1] > p[:-2]) & (p[1:-1] > p[2:]))
    assert len(modes) == 2
    ((eta, height),) = display.points_["threshold"].get_xydata()
    below = theta <= eta + 1e-12
    assert trapezoid(p[below], theta[below]) == pytest.approx(height, abs=2e-3)
    (left, low), (right, high) = display.tangents_["threshold"][0].get_xydata()
    assert (high - low) / (right - left) == pytest.approx(np.interp(eta, theta, p), rel=1e-6)


def test_deuschle_3_8_s_slope_is_sigma_times_one_minus_sigma():
    display = pt.figures.deuschle_3_8()
    z = display.densities_["logit"].get_xdata()
    np.testing.assert_allclose(display.densities_["logit"].get_ydata(), expit(z) * expit(-z), rtol=1e-12)


# --- the posteriors of Sugiyama


@pytest.mark.parametrize("name", ["sugiyama_28_3", "sugiyama_28_6"])
def test_sugiyama_s_truth_is_that_of_three_gaussians(name):
    display = getattr(pt.figures, name)()
    x, curves = heights(display)
    joint = norm.pdf(x[:, None], [-3.0, 0.0, 3.0])
    np.testing.assert_allclose(curves["true"], joint / joint.sum(axis=1, keepdims=True), rtol=1e-9, atol=1e-300)
    assert len(display.lines_) == 6
    drawn = np.array([line.get_ydata() for line in display.lines_[:3]]).T
    np.testing.assert_array_equal(drawn, curves["fitted"])
    assert [len(each.get_offsets()) for each in display.points_] == [30, 30, 30]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.slow
def test_sugiyama_s_two_figures_have_the_same_rows_nearly_the_same_posterior_and_it_is_near_the_truth(seed):
    logistic, squares = (getattr(pt.figures, name)(random_state=seed) for name in ("sugiyama_28_3", "sugiyama_28_6"))
    x, curves = heights(logistic)
    _, others = heights(squares)
    np.testing.assert_array_equal(logistic.grid.axes[0].rows, squares.grid.axes[0].rows)
    inside = np.abs(x) < 4.0
    for one, other in (
        (curves["fitted"], others["fitted"]),
        (curves["fitted"], curves["true"]),
        (others["fitted"], curves["true"]),
    ):
        assert np.abs(one - other)[inside].mean() < 0.07
    np.testing.assert_allclose(curves["fitted"].sum(axis=1), 1.0, rtol=1e-12)
    assert (others["fitted"][inside] == 0).any()  # what is rounded up to zero has no probability


def test_sugiyama_s_models_are_those_of_the_book_s_code():
    display = pt.figures.sugiyama_28_6()
    x, curves = heights(display)
    rows, y = display.grid.axes[0].rows, np.repeat([0, 1, 2], 30)
    outputs = []
    for k in range(3):
        own = rows[y == k]
        design = np.exp(-0.5 * (rows[:, None] - own) ** 2)
        theta = np.linalg.solve(design.T @ design + 0.1 * np.eye(30), design.T @ (y == k))
        outputs.append(np.maximum(0.0, np.exp(-0.5 * (x[:, None] - own) ** 2) @ theta))
    known = np.stack(outputs, axis=1)
    np.testing.assert_allclose(curves["fitted"], known / known.sum(axis=1, keepdims=True), atol=1e-8)


# --- the planes of Deuschle


@pytest.mark.parametrize("seed", SEEDS)
def test_deuschle_3_1_s_line_has_each_class_on_its_side(seed):
    display = pt.figures.deuschle_3_1(random_state=seed)
    X, y = points(display)
    model = pt.LeastSquaresClassifier().fit(X, y)
    assert model.score(X, y) == 1.0
    line = np.vstack([path.vertices for path in display.contours_[0].get_paths()])
    np.testing.assert_allclose(model.signed_distance(line), 0.0, atol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "open_least", "open_most"), [("3_2", 0.15, 0.4), ("3_3", 0.02, 0.08)])
def test_deuschle_3_2_and_3_3_leave_a_part_of_the_plane_open_and_hatch_it(name, open_least, open_most, seed):
    display = getattr(pt.figures, f"deuschle_{name}")(random_state=seed)
    X, y = points(display)
    (surface,) = display.surfaces.values()
    assert open_least < surface.ambiguous.mean() < open_most
    wrapper = {"3_2": pt.OneVsRest, "3_3": pt.OneVsOne}[name]
    again = wrapper(pt.LeastSquaresClassifier()).fit(X, y)
    np.testing.assert_array_equal(surface.ambiguous, again.is_ambiguous(display.grid.rows))
    assert any(any(contour.hatches or []) for contour in display.contours_ if hasattr(contour, "hatches"))
    assert "ambiguous" in [text.get_text() for text in display.axes_[-1].get_legend().get_texts()]
    assert again.score(X, y) > 0.95


@pytest.mark.parametrize("seed", SEEDS)
def test_in_the_triangle_of_deuschle_3_3_every_class_wins_one_duel(seed):
    display = pt.figures.deuschle_3_3(random_state=seed)
    X, y = points(display)
    model = pt.OneVsOne(pt.LeastSquaresClassifier()).fit(X, y)
    (surface,) = display.surfaces.values()
    assert (model.votes(display.grid.rows)[surface.ambiguous] == 1).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_deuschle_3_4_s_rows_are_separated_by_no_line_and_those_of_3_5_by_one(seed):
    before = pt.figures.deuschle_3_4(random_state=seed)
    line, curve = pt.figures.deuschle_3_5(random_state=seed).displays.values()
    (X, y), (phi, same) = points(before), points(line)
    np.testing.assert_array_equal(y, same)
    np.testing.assert_array_equal(X, points(curve)[0])
    np.testing.assert_array_equal(phi, np.column_stack([X[:, 0] ** 2, X[:, 1]]))
    assert pt.separation(X, y).kind == "none"
    assert pt.separation(phi, y).kind == "complete"
    assert pt.LogisticRegression(prior=0.01).fit(X, y).score(X, y) < 0.75
    linear = pt.LogisticRegression(prior=0.01).fit(phi, y)
    assert linear.score(phi, y) == 1.0
    x = curve.grid.rows
    (surface,) = curve.surfaces.values()
    mapped = np.column_stack([x[:, 0] ** 2, x[:, 1]])
    np.testing.assert_allclose(surface.values, linear.predict_proba(mapped), atol=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_deuschle_3_6_s_outliers_turn_least_squares_and_not_logistic_regression(seed):
    display = pt.figures.deuschle_3_6(random_state=seed)
    X, y = points(display)
    near = X[:, 1] > -5.0
    assert (~near).sum() == 10
    drawn = {name: np.asarray(line.get_xydata()) for name, line in display.lines_[""].items()}
    fitted = {
        "least squares without outliers": pt.LeastSquaresClassifier().fit(X[near], y[near]),
        "least squares": pt.LeastSquaresClassifier().fit(X, y),
        "logistic regression": pt.LogisticRegression(prior=0.01).fit(X, y),
    }
    for name, model in fitted.items():
        np.testing.assert_allclose(model.signed_distance(drawn[name]), 0.0, atol=1e-9)
    without = pt.LogisticRegression(prior=0.01).fit(X[near], y[near])
    assert turned(without, fitted["logistic regression"]) < 0.1
    assert turned(fitted["least squares without outliers"], fitted["least squares"]) > 20
    wrong = {name: 1.0 - model.score(X[near], y[near]) for name, model in fitted.items()}
    assert wrong["least squares"] > wrong["least squares without outliers"]
    assert wrong["least squares"] > wrong["logistic regression"]


def turned(one, other):
    """Give the angle in degrees between the boundaries of two models."""
    a, b = (model.coef_[0] / np.linalg.norm(model.coef_[0]) for model in (one, other))
    return np.degrees(np.arccos(min(1.0, float(a @ b))))
