"""The pictures of [Jordan], chapter 7: the numbers that the chapter prints, and the geometry that it states."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

import posteriori as pt
from posteriori.plots.figures.generated_rows import gaussian_rows, line_rows

FIXED = ("jordan_7_1", "jordan_7_2", "jordan_7_12")
DRAWN = ("jordan_7_3", "jordan_7_5", "jordan_7_7", "jordan_7_8", "jordan_7_9", "jordan_7_11")


def line_of(curve):
    """Slope and intercept of a straight curve."""
    x, y = curve.get_data()
    slope = (y[-1] - y[0]) / (x[-1] - x[0])
    np.testing.assert_allclose(y, y[0] + slope * (x - x[0]), atol=1e-12)
    return slope, y[0] - slope * x[0]


def level(contours, value):
    """The points of a line of equal posterior."""
    return contours.get_paths()[list(contours.levels).index(value)].vertices


def angle(points, along):
    """Cosine of the angle between a line of points and a direction."""
    way = points[-1] - points[0]
    return abs(way @ along) / np.linalg.norm(way) / np.linalg.norm(along)


# --- all of them


@pytest.mark.parametrize("name", FIXED + DRAWN)
def test_a_figure_is_drawn_on_new_axes_on_given_ones_and_with_another_seed(name):
    figure = getattr(pt.figures, name)
    display = figure()
    display.figure_.canvas.draw()
    _, ax = plt.subplots(layout="constrained")
    given = figure(ax)
    assert given.figure_ is ax.figure
    assert given.ax_ is ax or len(given.axes_) > 1
    assert figure(random_state=4).axes_


def rows_of(display):
    first = next(iter(display.displays.values())) if hasattr(display, "displays") else display
    marks = first.points_
    return np.vstack([each.get_offsets() if hasattr(each, "get_offsets") else each.get_xydata() for each in marks])


@pytest.mark.parametrize("name", DRAWN)
def test_the_rows_are_those_of_the_seed(name):
    figure = getattr(pt.figures, name)
    np.testing.assert_array_equal(rows_of(figure()), rows_of(figure(random_state=0)))
    assert not np.array_equal(rows_of(figure(random_state=5)), rows_of(figure()))


def test_the_figures_stand_in_the_order_of_the_book():
    numbers = [int(name.split("_")[2]) for name in pt.figures.__all__ if name.startswith("jordan")]
    assert numbers == sorted(numbers)
    assert {*FIXED, *DRAWN} <= set(pt.figures.__all__)


# --- least squares


def test_the_line_of_7_1_is_the_books_to_its_two_decimals():
    display = pt.figures.jordan_7_1()
    (curve,) = display.lines_
    slope, intercept = line_of(curve)
    assert (round(slope, 2), round(intercept, 2), round(slope * 1.5 + intercept, 2)) == (1.55, -0.32, 2.01)
    assert slope == pytest.approx(1.5537213894, abs=1e-9)
    assert intercept == pytest.approx(-0.3193539366, abs=1e-9)
    assert display.changes_[0].get_xdata()[0] == pytest.approx((0.5 - intercept) / slope)
    assert curve.get_ydata().max() > 1
    assert curve.get_ydata().min() < 0


def test_rows_that_are_too_right_turn_the_line_of_7_2():
    display = pt.figures.jordan_7_2()
    lines = [line_of(curve) for curve in display.lines_]
    assert [(round(slope, 2), round(intercept, 2)) for slope, intercept in lines] == [
        (1.55, -0.32),
        (1.23, -0.17),
        (0.86, 0.01),
    ]
    assert [curve.get_linestyle() for curve in display.lines_] == ["-", "-.", "--"]
    boundaries = [change.get_xdata()[0] for change in display.changes_]
    np.testing.assert_allclose(boundaries, [(0.5 - b) / a for a, b in lines])
    np.testing.assert_allclose(boundaries, [0.527, 0.543, 0.576], atol=5e-4)
    added = display.points_[1].get_offsets()
    assert (added == [1.5, 1.0]).all(axis=1).sum() == 5


def test_the_lines_of_7_2_solve_the_normal_equations():
    display = pt.figures.jordan_7_2()
    for curve, added in zip(display.lines_, (0, 1, 5), strict=True):
        X, y = line_rows(added)
        slope, intercept = np.polyfit(X[:, 0], y, 1)
        np.testing.assert_allclose(line_of(curve), [slope, intercept], atol=1e-12)


def test_7_3_has_two_regions_and_a_straight_line_between_them():
    display = pt.figures.jordan_7_3()
    colours = display.surfaces_[0].get_array().reshape(-1, 3).round(9)
    assert len(np.unique(colours, axis=0)) == 2
    (boundary,) = display.contours_
    points = boundary.get_paths()[0].vertices
    centred = points - points.mean(axis=0)
    assert np.linalg.svd(centred, compute_uv=False)[1] < 1e-9
    X = np.vstack([marks.get_offsets() for marks in display.points_])
    y = np.repeat([0, 1], [len(marks.get_offsets()) for marks in display.points_])
    np.testing.assert_allclose(pt.LeastSquaresClassifier().fit(X, y).decision_function(points), 0, atol=1e-9)


# --- Gaussian classes


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_the_rows_have_exactly_the_means_and_deviations_named(seed):
    X, y = gaussian_rows([(0.0, 1.0), (2.0, 3.0), (5.0, 5.0)], (0.5, 2.0), seed)
    for k, mean in enumerate([(0.0, 1.0), (2.0, 3.0), (5.0, 5.0)]):
        np.testing.assert_allclose(X[y == k].mean(axis=0), mean, atol=1e-12)
        np.testing.assert_allclose(np.cov(X[y == k].T, bias=True), np.diag([0.25, 4.0]), atol=1e-12)


def test_the_contours_of_7_5_are_ellipses_of_the_deviations_named():
    for display, sds in zip(pt.figures.jordan_7_5().displays.values(), [(1.0, 1.0), (0.5, 2.0)], strict=True):
        for contours, mean in zip(display.contours_, [(-1.0, -1.0), (1.0, 1.0)], strict=True):
            drawn = 0
            for path in contours.get_paths():
                if len(path.vertices):
                    distance = np.linalg.norm((path.vertices - mean) / np.asarray(sds), axis=1)
                    np.testing.assert_allclose(distance, np.median(distance), rtol=0.02)
                    drawn += 1
            assert drawn >= 3


def test_lines_of_equal_posterior_in_7_7_are_at_right_angles_to_the_means_only_for_equal_variances():
    alike, unlike = pt.figures.jordan_7_7().displays.values()
    between = np.array([2.0, 2.0])
    for value in (0.1, 0.5, 0.9):
        assert angle(level(alike.contours_[0], value), between) < 1e-3
        turned = angle(level(unlike.contours_[0], value), between)
        beta = between / np.array([0.8, 1.8]) ** 2
        assert turned == pytest.approx(angle(np.array([[0.0, 0.0], [-beta[1], beta[0]]]), between), abs=1e-3)
        assert turned > 0.4
    for display in (alike, unlike):
        np.testing.assert_allclose(display.joints_[0].get_xydata(), [[-1.0, -1.0], [1.0, 1.0]], atol=1e-12)
        half = level(display.contours_[0], 0.5)
        assert np.linalg.norm(half, axis=1).min() < 0.1  # through the middle between the means


def test_the_ellipses_of_7_7_are_one_and_two_deviations_from_the_means():
    for display, sds in zip(pt.figures.jordan_7_7().displays.values(), [(1.0, 1.0), (0.8, 1.8)], strict=True):
        assert len(display.ellipses_) == 4
        for line, mean, distance in zip(display.ellipses_, [-1, -1, 1, 1], [1, 2, 1, 2], strict=True):
            np.testing.assert_allclose(np.linalg.norm((line.get_xydata() - mean) / np.asarray(sds), axis=1), distance)
        assert display.ax_.get_aspect() == 1.0


def test_a_prior_moves_every_line_of_7_8_by_the_same_step():
    display = pt.figures.jordan_7_8()
    likely, unlikely = display.contours_
    beta, along = np.array([2.0, 2.0]), np.array([1.0, 1.0]) / np.sqrt(2.0)
    for value in (0.1, 0.25, 0.5, 0.75, 0.9):
        first, second = (level(lines, value) @ along for lines in (likely, unlikely))
        log_odds = np.log(value / (1 - value))
        shift = np.log(9.0)
        np.testing.assert_allclose(first, (log_odds - shift) / np.linalg.norm(beta), atol=5e-3)
        np.testing.assert_allclose(second, (log_odds + shift) / np.linalg.norm(beta), atol=5e-3)


def test_the_lines_of_7_9_meet_in_one_point_at_right_angles_to_the_means():
    display = pt.figures.jordan_7_9()
    means = np.array([(-2.0, -1.0), (2.0, -1.4), (0.3, 2.0)])
    pairs = [(0, 1), (0, 2), (1, 2)]
    # the centre of the circle through the means
    meet = np.linalg.solve(2 * (means[1:] - means[0]), (means[1:] ** 2).sum(axis=1) - (means[0] ** 2).sum())
    for line, (one, other) in zip(display.equals_, pairs, strict=True):
        here, there = np.array(line.get_xy1()), np.array(line.get_xy2())
        between = means[other] - means[one]
        assert abs((there - here) @ between) < 1e-9
        assert abs((meet - here) @ between) < 1e-9
    assert len(display.joints_) == 3
    assert len(display.contours_) == 3


# --- logistic regression


@pytest.mark.parametrize("seed", range(4))
def test_the_line_of_7_11_makes_fewer_errors_than_the_gaussians(seed):
    display = pt.figures.jordan_7_11(random_state=seed)
    X = np.vstack([marks.get_offsets() for marks in display.points_[:2]])
    y = np.repeat([0, 1], [len(marks.get_offsets()) for marks in display.points_[:2]])
    fits = pt.LogisticRegression(prior=0.01).fit(X, y), pt.GaussianClassifier().fit(X, y)
    errors = [int((model.predict(X) != y).sum()) for model in fits]
    assert errors[0] < 0.7 * errors[1]
    assert [ax.get_title().split(": ")[1] for ax in display.axes_] == [f"{count} errors" for count in errors]


def test_the_rows_of_7_12_are_separated_so_that_it_needs_its_prior():
    assert pt.separation(*line_rows()).kind == "complete"
    first, second = pt.figures.jordan_7_12().axes_
    assert "classes are separated" in first.get_xlabel()
    assert "N(0, 10²) prior" in first.get_xlabel()
    assert "8e-08" in second.get_xlabel()


def test_the_added_point_does_not_move_the_curve_of_7_12_as_it_moves_the_line_of_7_2():
    display = pt.figures.jordan_7_12()
    alone, both = display.displays.values()
    before, after = (curve.get_ydata() for curve in both.lines_)
    np.testing.assert_array_equal(alone.lines_[0].get_ydata(), before)
    assert np.abs(after - before).max() < 1e-7
    fit = pt.LogisticRegression(prior=pt.GaussianPrior(sd=10.0)).fit(*line_rows())
    np.testing.assert_allclose(before, fit.predict_proba(both.lines_[0].get_xdata()[:, None])[:, 1])
    assert len(alone.points_[1].get_offsets()) + 1 == len(both.points_[1].get_offsets())
    moved = [change.get_xdata()[0] for change in pt.figures.jordan_7_2().changes_]
    stayed = [change.get_xdata()[0] for change in both.changes_]
    assert abs(stayed[1] - stayed[0]) < 1e-6 < 1e-2 < abs(moved[1] - moved[0])


def test_a_display_of_gaussians_needs_a_model_of_two_columns():
    from posteriori.plots.posteriors.gaussian_posterior import GaussianPosteriorDisplay

    X, y = line_rows()
    with pytest.raises(pt.DataError, match="two features"):
        GaussianPosteriorDisplay.of({"": pt.GaussianClassifier().fit(X, y)}, X, y)


def test_gaussians_of_their_own_covariances_have_ellipses_of_their_own_and_no_lines():
    from posteriori.plots.posteriors.gaussian_posterior import GaussianPosteriorDisplay

    X, y = gaussian_rows([(0.0, 0.0), (3.0, 0.0), (0.0, 3.0)], (1.0, 1.0), 0)
    X[y == 1] = X[y == 1] * 2
    display = GaussianPosteriorDisplay.of({"": pt.GaussianClassifier(shared=False).fit(X, y)}, X, y).plot()
    widths = [np.ptp(line.get_xdata()) for line in display.ellipses_[::2]]
    np.testing.assert_allclose(widths, [2.0, 4.0, 2.0], rtol=1e-3)
    assert display.equals_ == []
