"""Figures of [Bishop], chapter 4: the lessons of their docstrings hold for the numbers drawn."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

import posteriori as pt
from posteriori.plots.figures import bishop_generative, bishop_least_squares

SEEDS = range(5)


def ends_of(line):
    return np.column_stack(line.get_data())


@pytest.mark.parametrize("seed", SEEDS)
def test_4_1_w_is_perpendicular_and_distances_are_signed(seed):
    display = pt.figures.bishop_4_1(random_state=seed)
    along = np.diff(ends_of(display.boundary_), axis=0)[0]
    for line in (display.distance_, display.offset_):
        assert np.diff(ends_of(line), axis=0)[0] @ along == pytest.approx(0.0, abs=1e-9)
    assert display.distance > 0
    apart = np.abs((ends_of(display.distance_)[0] - ends_of(display.offset_)[1]) @ along) / np.hypot(*along)
    assert apart > 1.0  # the two ways do not hide each other


@pytest.mark.parametrize("seed", SEEDS)
def test_4_2_both_constructions_leave_ambiguous_regions(seed):
    display = pt.figures.bishop_4_2(random_state=seed)
    for surface in display.surfaces.values():
        assert surface.ambiguous.any()
        assert not surface.ambiguous.all()
    assert [ax.get_title() for ax in display.axes_] == ["one-versus-rest", "one-versus-one"]
    labels = [text.get_text() for ax in display.axes_ for text in (ax.get_legend().texts if ax.get_legend() else [])]
    assert "ambiguous" in labels


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.slow
def test_4_3_every_point_between_two_of_a_region_is_in_it(seed):
    display = pt.figures.bishop_4_3(random_state=seed)
    first, last = ends_of(display.segment_)
    grid, surface = display.grid, display.surfaces[""]
    way = first + np.linspace(0.0, 1.0, 101)[:, None] * (last - first)
    place = [np.abs(axis.at - column[:, None]).argmin(axis=1) for axis, column in zip(grid.axes, way.T, strict=True)]
    assert len(set(surface.decided.reshape(grid.shape)[place[1], place[0]])) == 1
    assert np.hypot(*(last - first)) > 1.0


@pytest.mark.parametrize("seed", SEEDS)
def test_4_4_outliers_move_the_boundary_of_least_squares_and_not_that_of_logistic_regression(seed):
    display = pt.figures.bishop_4_4(random_state=seed)
    before, after = display.panels.values()
    turned = {name: _angle(before.lines[name], after.lines[name]) for name in before.lines}
    assert turned["least squares"] > 20.0
    assert turned["logistic regression"] < 0.1
    X, y = bishop_least_squares._with_outliers(seed)
    np.testing.assert_array_equal(after.rows.points, X)
    wrong = {
        name: [int(((panel.lines[name].height(X[:100]) > 0) != (y[:100] == "C₂")).sum()) for panel in (before, after)]
        for name in before.lines
    }
    assert wrong["least squares"][1] > wrong["least squares"][0]
    assert wrong["logistic regression"][1] == wrong["logistic regression"][0]


def _angle(one, other):
    cosine = one.w @ other.w / (one.norm * other.norm)
    return np.degrees(np.arccos(min(cosine, 1.0)))


@pytest.mark.parametrize("seed", SEEDS)
def test_4_5_least_squares_masks_the_middle_class_and_logistic_regression_does_not(seed):
    display = pt.figures.bishop_4_5(random_state=seed)
    middle = display.labels.codes == 1
    x, y = (axis.rows for axis in display.grid.axes)
    found = {}
    for name, surface in display.surfaces.items():
        decided = surface.decided.reshape(display.grid.shape)
        place = [
            np.abs(axis.at - rows[:, None]).argmin(axis=1) for axis, rows in zip(display.grid.axes, (x, y), strict=True)
        ]
        found[name] = (decided[place[1], place[0]] == 1)[middle].mean()
    assert found["least squares"] < 0.5
    assert found["logistic regression"] > 0.95


@pytest.mark.parametrize("seed", SEEDS)
def test_4_6_fishers_direction_separates_better_than_the_line_of_means(seed):
    display = pt.figures.bishop_4_6(random_state=seed)
    assert display.criterion("Fisher's discriminant") > 3.0 * display.criterion("line between the means")
    rows, codes = display.rows.points, display.rows.labels.codes
    apart = rows[codes == 1].mean(axis=0) - rows[codes == 0].mean(axis=0)
    line = display.lines["line between the means"]
    assert abs(line.w @ apart) == pytest.approx(line.norm * np.hypot(*apart))  # parallel
    within = sum(np.cov(rows[codes == k].T, bias=True) * (codes == k).sum() for k in (0, 1))
    best = np.linalg.solve(within, apart)
    fisher = display.lines["Fisher's discriminant"]
    assert fisher.w @ best == pytest.approx(fisher.norm * np.linalg.norm(best))
    wrong = [((line.height(rows) > 0) != (codes == 1)).mean() for line in (line, fisher)]
    assert wrong[1] < wrong[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_4_7_ends_without_errors_and_each_update_is_a_multiple_of_a_row(seed):
    display = pt.figures.bishop_4_7(random_state=seed)
    assert len(display.axes_) == len(display.panels) == 4
    assert display.panels[-1].title.endswith("no errors")
    points, codes = display.rows.points, display.rows.labels.codes
    for before, after in (display.panels[:2], display.panels[2:]):
        step = np.append(1.0, points[before.misclassified]) * (2.0 * codes[before.misclassified] - 1.0)
        np.testing.assert_allclose(after.w - before.w, step, atol=1e-12)
    last = display.panels[-1].w
    assert ((2.0 * codes - 1.0) * (last[0] + points @ last[1:]) > 0).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_4_11_the_boundary_of_classes_with_one_covariance_is_straight_and_others_are_bent(seed):
    display = pt.figures.bishop_4_11(random_state=seed)
    panel = display.density.panels[0]
    logs = panel.logs  # quadratic in x: a second difference tells straight from bent
    across = np.diff(logs[..., 0] - logs[..., 1], 2, axis=1) / np.diff(panel.across[:2]) ** 2
    np.testing.assert_allclose(across, 0.0, atol=1e-8)
    bent = np.diff(logs[..., 0] - logs[..., 2], 2, axis=1) / np.diff(panel.across[:2]) ** 2
    precision = [np.linalg.inv(matrix)[0, 0] for matrix in np.array(bishop_generative.COVARIANCES)]
    np.testing.assert_allclose(bent, precision[2] - precision[0], rtol=1e-5)
    assert len(display.density.contours_) == 3
    assert set(np.unique(display.posterior.surfaces[""].decided)) == {0, 1, 2}


@pytest.mark.parametrize("name", [f"bishop_4_{i}" for i in (1, 2, 3, 4, 5, 6, 7, 11)])
def test_figures_are_drawn_on_given_axes(name):
    _, ax = plt.subplots(layout="constrained")
    display = getattr(pt.figures, name)(ax=ax)
    assert display.figure_ is ax.figure
    assert all(axes.get_xlabel() for axes in getattr(display, "axes_", [display.ax_]))
