"""Displays as people use them: the plainest calls, axes of every kind, many rows, many classes, dark screens."""

import io

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import posteriori as pt
from posteriori.plots.shared.canvas import COLOURS, colour, ink, mark, panels_for, stroke
from posteriori.plots.shared.rows import MOST

RNG = np.random.default_rng(0)
CODES = np.arange(120) % 3
POINTS = RNG.normal(size=(120, 2)) + 1.5 * np.column_stack([CODES == 1, CODES == 2])
TWO = CODES < 2
X, Y = POINTS[TWO], np.array(["no", "yes"])[CODES[TWO]]
MODEL = pt.LogisticRegression().fit(X, Y)
THREE = pt.LogisticRegression(prior=1.0).fit(POINTS, np.array(["a", "b", "c"])[CODES])
PROBABILITIES = MODEL.predict_proba(X)


@pytest.mark.parametrize("kind", [np.asarray, list, pd.Series, pl.Series])
def test_labels_and_probabilities_are_enough_for_two_classes(kind):
    of_predictions = pt.ReliabilityDisplay.from_predictions(kind(Y), kind(PROBABILITIES[:, 1]))
    of_model = pt.ReliabilityDisplay.from_estimator(MODEL, X, Y)
    np.testing.assert_array_equal(of_predictions.curves["yes"].share, of_model.curves["yes"].share)
    assert of_predictions.errors_["yes"] == pytest.approx(of_model.errors_["yes"], abs=1e-12)


@pytest.mark.parametrize("dtype", [bool, int, float, np.uint8])
def test_zeros_alone_are_of_two_classes(dtype):
    display = pt.ReliabilityDisplay.from_predictions(np.zeros(8, dtype), np.linspace(0.1, 0.8, 8), bins=2)
    assert next(iter(display.curves.values())).share.tolist() == [0.0, 0.0]


def test_classes_without_rows_must_be_listed():
    p = THREE.predict_proba(POINTS)
    assert list(pt.ReliabilityDisplay.from_predictions(np.array(["a", "b", "c"])[CODES], p).curves) == ["a", "b", "c"]
    with pytest.raises(pt.DataError, match="y has 2 classes, 'no', 'yes', but the probabilities have 3"):
        pt.ReliabilityDisplay.from_predictions(Y, p[TWO])


def test_risk_and_costs_of_probabilities_are_those_of_their_model():
    costs = {"no": {"no": 0, "yes": 3}, "yes": {"no": 1, "yes": 0}}
    weights = np.arange(len(X)) % 3
    for rest in ({}, {"costs": costs, "sample_weight": weights}):
        of_model = pt.RiskCoverageDisplay.from_estimator(MODEL, X, Y, **rest)
        of_predictions = pt.RiskCoverageDisplay.from_predictions(Y, PROBABILITIES, **rest)
        assert of_predictions.area_ == pytest.approx(of_model.area_, rel=1e-12)
        assert of_predictions.ax_.get_ylabel() == of_model.ax_.get_ylabel()
        of_model = pt.CostDisplay.from_estimator(MODEL, X, Y, **rest)
        of_predictions = pt.CostDisplay.from_predictions(Y, PROBABILITIES[:, 1], **rest)
        assert of_predictions.threshold_ == of_model.threshold_
        assert of_predictions.costs_ == pytest.approx(of_model.costs_)


def test_coefficients_accept_rows_by_position():
    named = pt.CoefficientDisplay.from_estimator(MODEL, X=X, y=Y, interval="profile")
    placed = pt.CoefficientDisplay.from_estimator(MODEL, X, Y, interval="profile")
    np.testing.assert_array_equal(placed.estimates.lower, named.estimates.lower)


def test_one_model_has_a_learning_curve_too():
    options = {"sizes": [20, 40], "repeats": 3, "random_state": 0}
    one = pt.LearningCurvesDisplay.from_estimator(pt.GaussianClassifier(), X, Y, **options)
    assert list(one.curves) == ["GaussianClassifier"]
    assert [tick.get_text() for tick in one.ax_.get_xticklabels()] == ["20", "40"]


def test_a_second_curve_on_the_same_axes_has_another_look_and_one_histogram_below():
    _, ax = plt.subplots()
    first = pt.ReliabilityDisplay.from_estimator(MODEL, X, Y, name="logistic", ax=ax)
    second = pt.ReliabilityDisplay.from_estimator(pt.NaiveBayes().fit(X, Y), X, Y, name="naive", ax=ax)
    assert first.histogram_ax_ is second.histogram_ax_
    assert len(ax.figure.axes) == 2
    assert second.lines_["naive"].lines[0].get_color() == colour(1) != first.lines_["logistic"].lines[0].get_color()
    words = [text.get_text().split(":")[0] for text in ax.get_legend().get_texts()]
    assert words == ["perfectly calibrated", "logistic", "naive"]
    _, ax = plt.subplots()
    lines = [pt.RiskCoverageDisplay.from_estimator(MODEL, X, Y, ax=ax, name=name).lines_[name] for name in "ab"]
    assert [line.get_color() for line in lines] == [colour(0), colour(1)]


def test_the_histogram_of_axes_set_into_others_stays_below_the_curve():
    figure, outer = plt.subplots()
    inner = outer.inset_axes((0.3, 0.3, 0.6, 0.6))
    display = pt.ReliabilityDisplay.from_estimator(MODEL, X, Y, ax=inner)
    figure.canvas.draw()
    below, above = display.histogram_ax_.get_window_extent(), display.ax_.get_window_extent()
    whole = outer.get_window_extent()
    assert below.y1 < above.y0
    assert below.y0 == pytest.approx(whole.y0 + 0.3 * whole.height)
    assert above.y1 == pytest.approx(whole.y0 + 0.9 * whole.height)


def test_axes_set_into_others_can_be_divided():
    figure, outer = plt.subplots()
    panels = panels_for(outer.inset_axes((0.1, 0.1, 0.8, 0.8)), 2)
    figure.canvas.draw()
    left, right = (panel.get_window_extent() for panel in panels)
    assert left.x1 < right.x0
    assert left.y0 == right.y0
    assert len(pt.figures.jordan_7_5(ax=figure.add_axes((0.1, 0.1, 0.8, 0.8))).axes_) == 2


def test_panels_of_subfigures_are_drawn_in_them():
    part = plt.figure().subfigures(1, 2)[1]
    display = pt.PosteriorDisplay.from_estimator(MODEL, X, Y, features=0, resolution=10, ax=part.subplots())
    assert display.figure_ is part


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_lines_are_visible_on_any_background(style):
    with plt.style.context(style):
        display = pt.ProjectionDisplay.from_estimator(MODEL, X, Y)
        ground = to_rgb(display.ax_.get_facecolor())
        assert np.abs(np.subtract(to_rgb(display.thresholds_[0].get_color()), ground)).min() > 0.6
        assert ink(0.0) == ground


def test_classes_differ_in_look_when_colours_come_round_again():
    looks = {(colour(k), mark(k)) for k in range(4 * len(COLOURS))}
    strokes = {(colour(k), str(stroke(k))) for k in range(4 * len(COLOURS))}
    assert len(looks) == len(strokes) == 4 * len(COLOURS)


def test_curves_of_one_model_differ_in_stroke_and_the_legend_shows_it():
    display = pt.PosteriorDisplay.from_estimator(THREE, POINTS, features=0, resolution=20)
    shown = [line._dash_pattern for line in display.lines_]
    assert len(set(map(str, shown))) == 3
    keys = display.ax_.get_legend().get_lines()
    assert [key.get_linestyle() for key in keys] == [line.get_linestyle() for line in display.lines_]


def test_losses_traces_and_learning_curves_differ_in_stroke():
    losses = pt.LossDisplay.from_losses(["squared", "perceptron", "logistic"]).plot()
    assert len({str(line._dash_pattern) for line in losses.lines_.values()}) == 3
    trace = pt.TraceDisplay({"a": np.array([1.0, 0.1]), "b": np.array([1.0, 0.5])}, 0.0).plot()
    assert len({(line.get_color(), line.get_marker()) for line in trace.lines_}) == 2


def test_strips_of_many_classes_leave_the_curves_most_of_the_height():
    codes = np.arange(120) % 12
    x = RNG.normal(size=(120, 1)) + codes[:, None]
    display = pt.PosteriorDisplay.from_estimator(pt.NaiveBayes().fit(x, codes), x, codes, resolution=20)
    low = display.ax_.get_ylim()[0]
    assert low > -0.55
    heights = [points.get_offsets()[0, 1] for points in display.points_]
    assert (np.diff(heights) < -0.03).all()
    assert heights[-1] > low


def test_numbers_on_lines_are_inside_the_axes_and_apart():
    wide = pt.LogisticRegression(prior=5.0).fit(X, Y)
    display = pt.PosteriorDisplay.from_estimator(wide, X, Y, resolution=60)
    display.figure_.canvas.draw()
    frame = display.ax_.get_window_extent()
    boxes = [text.get_window_extent() for text in display.contours_[0].labelTexts]
    assert boxes
    for box in boxes:
        assert frame.x0 < box.x0 < box.x1 < frame.x1
        assert frame.y0 < box.y0 < box.y1 < frame.y1
    for text in display.contours_[0].labelTexts:
        at = text.get_position()
        assert wide.predict_proba([at])[0, 1] == pytest.approx(float(text.get_text()), abs=0.01)


def test_lines_close_together_have_numbers_on_the_outermost_alone():
    steep = pt.LogisticRegression(prior=1e-6).fit(X, X[:, 0] > 0.7)
    display = pt.PosteriorDisplay.from_estimator(steep, X, resolution=200)
    texts = [text.get_text() for text in display.contours_[0].labelTexts]
    assert texts == ["0.1", "0.9"]


def test_a_long_list_of_columns_held_is_broken_into_lines_as_wide_as_the_axes():
    names = ["the length of something", "the width of something", "a third measurement", "size"]
    frame = pd.DataFrame(RNG.normal(size=(60, 4)), columns=names)
    model = pt.NaiveBayes().fit(frame, np.arange(60) % 2)
    display = pt.PosteriorDisplay.from_estimator(model, frame, features="size", resolution=10)
    display.figure_.canvas.draw()
    title, figure = display.ax_.title.get_window_extent(), display.figure_.bbox
    assert figure.x0 <= title.x0 < title.x1 <= figure.x1
    assert display.ax_.get_title().count("\n") >= 2


def test_the_legend_of_many_calibration_curves_stands_beside_them():
    codes = np.arange(240) % 6
    x = RNG.normal(size=(240, 1)) + 0.5 * codes[:, None]
    display = pt.ReliabilityDisplay.from_estimator(pt.NaiveBayes().fit(x, codes), x, codes)
    display.figure_.canvas.draw()
    assert display.ax_.get_legend().get_window_extent().x0 >= display.ax_.get_window_extent().x1


@pytest.mark.parametrize("kind", ["fisher", "losses"])
def test_of_very_many_rows_some_are_drawn(kind):
    n = 3 * MOST
    codes = np.arange(n) % 3
    x = RNG.normal(size=(n, 2)) + 2 * np.column_stack([codes == 1, codes == 2])
    if kind == "fisher":
        display = pt.ProjectionDisplay.from_estimator(pt.FisherDiscriminant().fit(x, codes), x, codes)
        assert sum(len(line.get_xdata()) for line in display.points_) == MOST
    else:
        model = pt.LogisticRegression().fit(x[:300], codes[:300] == 1)
        display = pt.LossDisplay.from_estimator(model, x, codes == 1)
        drawn = display.rug_.get_xdata()
        assert len(drawn) == MOST
        assert (drawn[0], drawn[-1]) == (display.rows.min(), display.rows.max())
    with io.BytesIO() as file:
        display.figure_.savefig(file, format="svg")
        assert file.tell() < 2e6


@pytest.mark.parametrize("model", [pt.GaussianClassifier(), pt.NaiveBayes()])
def test_densities_of_enormous_units_have_the_same_lines(model):
    small = pt.DensityDisplay.from_estimator(model.fit(X, Y), X, Y, resolution=40).panels[0]
    large = pt.DensityDisplay.from_estimator(model.fit(X * 2.0**900, Y), X * 2.0**900, Y, resolution=40).panels[0]
    np.testing.assert_allclose(large.levels + 2 * np.log(2.0) * 900, small.levels, atol=1e-6)


@pytest.mark.parametrize("linear", [pt.FisherDiscriminant(), pt.LogisticRegression(prior=1.0)])
def test_rows_are_projected_behind_what_a_pipeline_does_to_them_first(linear):
    frame = pd.DataFrame(POINTS, columns=["a", "b"]).assign(kind=np.array(["x", "y", "z"])[CODES])
    model = make_pipeline(StandardScaler(), linear).fit(frame[["a", "b"]], frame["kind"])
    found = pt.ProjectionDisplay.from_estimator(model, frame, "kind").projected
    decided = (found.values @ found.slopes.T + found.intercepts).argmax(axis=1)
    np.testing.assert_array_equal(np.array(["x", "y", "z"])[decided], model.predict(frame[["a", "b"]]))


def test_rows_are_projected_by_the_best_of_a_search_and_not_by_a_decision():
    search = GridSearchCV(pt.LogisticRegression(), {"prior": [0.1, 1.0]}, cv=2).fit(X, Y)
    display = pt.ProjectionDisplay.from_estimator(search, X, Y)
    np.testing.assert_allclose(display.projected.values[:, 0], search.best_estimator_.signed_distance(X))
    with pytest.raises(pt.DataError, match=r"RejectOption has no coef_.*Pass the classifier inside it"):
        pt.ProjectionDisplay.from_estimator(pt.RejectOption(MODEL, threshold=0.8), X, Y)


def test_regions_where_a_vote_inside_a_table_leaves_the_class_open_are_hatched():
    frame = pd.DataFrame(POINTS, columns=["a", "b"]).assign(kind=np.array(["x", "y", "z"])[CODES])
    table = pt.TableClassifier(pt.OneVsRest(pt.LeastSquaresClassifier())).fit(frame, "kind")
    display = pt.PosteriorDisplay.from_estimator(table, frame, "kind", resolution=30)
    (surface,) = display.surfaces.values()
    np.testing.assert_array_equal(surface.ambiguous, table.estimator_.is_ambiguous(display.grid.rows))
    assert "ambiguous" in [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_coefficients_name_dates_as_dates():
    days = (np.datetime64("2020-01-01") + CODES.astype("m8[D]")).astype("datetime64[ns]")
    for model in (pt.LogisticRegression(prior=1.0), pt.FisherDiscriminant()):
        display = pt.CoefficientDisplay.from_estimator(model.fit(POINTS, days), reference=days[1])
        assert "2020-01-02" in display.estimates.scale
        assert [str(label)[:10] for label in display.points_] == ["2020-01-01", "2020-01-03"]


def test_the_trace_of_a_model_inside_others_is_found():
    plain = pt.LogisticRegression(solver="gradient", trace=True).fit(X, Y)
    table = pt.TableClassifier(make_pipeline(StandardScaler(with_mean=False, with_std=False), plain)).fit(X, Y)
    (name,) = (display := pt.TraceDisplay.from_estimator(table)).gaps
    assert name == "gradient"
    np.testing.assert_array_equal(display.gaps[name], pt.TraceDisplay.from_estimator(plain).gaps[name])


def test_points_of_a_figure_that_no_class_allows_are_no_one_s_rows():
    cells = np.repeat([[0, 0], [0, 2], [2, 0], [2, 0]], 5, axis=0)
    display = pt.PosteriorDisplay.from_estimator(
        pt.JointTable(smoothing=0.0).fit(cells, np.repeat([0, 0, 1, 1], 5)), cells, resolution=8
    )
    assert display.surfaces_


def test_labels_that_a_model_does_not_know_are_named():
    for draw in (pt.PosteriorDisplay, pt.ProjectionDisplay, pt.ReliabilityDisplay):
        with pytest.raises(pt.DataError, match=r"unknown class\(es\): 'perhaps'"):
            draw.from_estimator(MODEL, X, np.where(np.arange(len(Y)) == 3, "perhaps", Y))
