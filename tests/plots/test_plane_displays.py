"""Figures of linear boundaries in the plane: geometry, several boundaries, projections, the perceptron's updates."""

import matplotlib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

import posteriori as pt
from posteriori.plots.planes.boundary_lines import Boundaries, BoundaryDisplay
from posteriori.plots.planes.geometry import GeometryDisplay
from posteriori.plots.planes.line import Line
from posteriori.plots.planes.perceptron import PerceptronDisplay
from posteriori.plots.planes.plane_projection import PlaneProjectionDisplay
from posteriori.plots.posteriors.bayes import BayesDisplay
from posteriori.plots.posteriors.segment import SegmentDisplay

RNG = np.random.default_rng(6)
CODE = np.repeat([0, 1], 25)
Y = np.array(["no", "yes"])[CODE]
X = RNG.normal(size=(50, 2)) + np.array([[0.0, 1.0], [2.0, 2.5]])[CODE]
LINEAR = {
    "logistic": pt.LogisticRegression(prior=1.0),
    "cloglog": pt.BinaryRegression(link="cloglog", prior=1.0),
    "least squares": pt.LeastSquaresClassifier(),
    "fisher": pt.FisherDiscriminant(),
}
for _model in LINEAR.values():
    _model.fit(X, Y)


def ends_of(line):
    return np.column_stack(line.get_data())


@pytest.mark.parametrize("name", LINEAR)
def test_the_boundary_is_where_the_decision_changes(name):
    model = LINEAR[name]
    display = GeometryDisplay.from_estimator(model, X, Y)
    ends = ends_of(display.boundary_)
    np.testing.assert_allclose(model.signed_distance(ends), 0.0, atol=1e-9)
    step = 1e-6 * model.coef_[0] / np.linalg.norm(model.coef_[0])
    assert model.predict(ends.mean(axis=0)[None] + step).tolist() == ["yes"]
    assert model.predict(ends.mean(axis=0)[None] - step).tolist() == ["no"]


@pytest.mark.parametrize("row", [0, 30])
def test_the_distance_drawn_is_the_signed_distance_and_at_a_right_angle(row):
    model = LINEAR["logistic"]
    display = GeometryDisplay.from_estimator(model, X, Y, row=row)
    foot, point = ends_of(display.distance_)
    np.testing.assert_array_equal(point, X[row])
    assert display.distance == pytest.approx(model.signed_distance(X)[row])
    assert np.hypot(*(point - foot)) == pytest.approx(abs(display.distance))
    along = np.diff(ends_of(display.boundary_), axis=0)[0]
    assert (point - foot) @ along == pytest.approx(0.0, abs=1e-9)
    origin, near = ends_of(display.offset_)
    assert origin.tolist() == [0.0, 0.0]
    assert np.hypot(*near) == pytest.approx(abs(model.intercept_[0]) / np.linalg.norm(model.coef_))
    arrow = np.subtract(display.normal_.xy, display.normal_.xyann)
    assert np.cross(np.append(arrow, 0.0), np.append(model.coef_[0], 0.0))[2] == pytest.approx(0.0, abs=1e-9)
    assert arrow @ model.coef_[0] > 0
    assert display.ax_.get_aspect() == 1.0


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[st.floats(-5.0, 5.0)] * 3).filter(lambda w: abs(w[0]) + abs(w[1]) > 1e-3))
def test_what_a_window_shows_of_a_line_ends_at_its_edges(weights):
    line = Line(np.array(weights[:2]), weights[2])
    ends = line.clip((-2.0, 1.0, -1.0, 3.0))
    corners = line.height(np.array([[-2.0, -1.0], [-2.0, 3.0], [1.0, -1.0], [1.0, 3.0]]))
    if np.isnan(ends).any():
        assert (corners >= -1e-9).all() or (corners <= 1e-9).all()
        return
    np.testing.assert_allclose(line.height(ends), 0.0, atol=1e-9 * (1.0 + np.abs(weights).max()))
    on_edge = np.isclose(ends[:, 0], -2.0) | np.isclose(ends[:, 0], 1.0) | np.isclose(ends[:, 1], -1.0)
    assert (on_edge | np.isclose(ends[:, 1], 3.0)).all()
    assert ((ends >= [-2.0 - 1e-9, -1.0 - 1e-9]) & (ends <= [1.0 + 1e-9, 3.0 + 1e-9])).all()


def test_boundaries_of_several_models_are_drawn_on_one_axes():
    display = BoundaryDisplay.from_estimators(LINEAR, X, Y)
    assert list(display.lines_[""]) == list(LINEAR)
    for name, line in display.lines_[""].items():
        np.testing.assert_allclose(LINEAR[name].signed_distance(ends_of(line)), 0.0, atol=1e-9)
    assert len({(line.get_color(), line.get_linestyle()) for line in display.lines_[""].values()}) == len(LINEAR)
    assert [len(points.get_offsets()) for points in display.points_] == [25, 25]


def test_panels_of_boundaries_have_the_same_window():
    panels = {"some": Boundaries.of(LINEAR, X[:45], Y[:45]), "all": Boundaries.of(LINEAR, X, Y)}
    axes = matplotlib.figure.Figure().subplots(1, 2)
    display = BoundaryDisplay(panels).plot(axes)
    assert [ax.get_title() for ax in axes] == ["some", "all"]
    assert axes[0].get_xlim() == axes[1].get_xlim()
    assert axes[0].get_ylim() == axes[1].get_ylim()
    assert display.axes_ == list(axes)


def test_histograms_in_the_plane_lie_along_w_and_count_the_rows():
    models = {name: LINEAR[name] for name in ("fisher", "logistic")}
    display = PlaneProjectionDisplay.from_estimators(models, X, Y, bins=[-9.0, 0.0, 1.0, 2.0, 9.0])
    for at, (name, model) in enumerate(models.items()):
        w = model.coef_[0] / np.linalg.norm(model.coef_[0])
        np.testing.assert_allclose(display.values(name), X @ w, atol=1e-12)
        for k in (0, 1):
            expected = np.histogram((X @ w)[k == CODE], [-9.0, 0.0, 1.0, 2.0, 9.0])[0]
            np.testing.assert_array_equal(display.histograms_[name][k], expected)
            corners = np.vstack([path.vertices for path in display.bars_[2 * at + k].get_paths()])
            along = corners @ w
            nearest = np.abs(along[:, None] - [-9.0, 0.0, 1.0, 2.0, 9.0]).min(axis=1)
            np.testing.assert_allclose(nearest, 0.0, atol=1e-9)
        np.testing.assert_allclose(model.signed_distance(ends_of(display.thresholds_[at])), 0.0, atol=1e-9)
    assert display.axes_[0].get_xlim() == display.axes_[1].get_xlim()


def test_no_direction_has_a_larger_criterion_than_fishers():
    display = PlaneProjectionDisplay.from_estimators({"fisher": LINEAR["fisher"]}, X, Y)
    turned = [Line(np.array([np.cos(angle), np.sin(angle)]), 0.0) for angle in np.linspace(0.0, np.pi, 181)]
    others = PlaneProjectionDisplay({str(i): line for i, line in enumerate(turned)}, display.rows)
    every = [others.criterion(str(i)) for i in range(181)]
    assert max(every) <= display.criterion("fisher") * (1.0 + 1e-9)
    assert max(every) == pytest.approx(display.criterion("fisher"), rel=1e-3)


SIDE = 2.0 * CODE - 1.0
SEPARATED = np.column_stack([SIDE * RNG.uniform(0.1, 1.0, 50), RNG.uniform(-1.0, 1.0, 50)]) + 0.3
PERCEPTRON = pt.Perceptron(trace=True, rate=0.5).fit(SEPARATED, Y)


def test_panels_of_the_perceptron_are_its_updates():
    display = PerceptronDisplay.from_estimator(PERCEPTRON, SEPARATED, Y)
    assert len(display.axes_) == 4
    updates = [PERCEPTRON.trace_[step] for step in (-2, -1)]
    weights = [w for update in updates for w in (update.before, update.after)]
    for line, w in zip(display.boundaries_, weights, strict=True):
        np.testing.assert_allclose(ends_of(line) @ w[1:] + w[0], 0.0, atol=1e-9)
    for update, circle in zip(updates, display.mistakes_[::2], strict=True):
        assert np.ravel(circle.get_data()).tolist() == SEPARATED[update.row].tolist()
        t = 2.0 * CODE[update.row] - 1.0
        assert t * (update.before[0] + SEPARATED[update.row] @ update.before[1:]) <= 0  # it was a mistake
    assert display.mistakes_[1::2] == [None, None]
    assert display.axes_[-1].get_title().endswith("no errors")


def test_before_the_first_update_there_is_no_boundary():
    display = PerceptronDisplay.from_estimator(PERCEPTRON, SEPARATED, Y, steps=0)
    assert display.boundaries_[0] is None
    assert "no boundary yet" in display.axes_[0].texts[0].get_text()
    assert [ax.get_title()[:6] for ax in display.axes_] == ["before", "after "]


def test_a_boundary_outside_the_window_is_said_to_be_so():
    rows = np.array([[10.0, 10.0], [10.1, 10.2], [10.3, 10.9], [10.4, 11.0]])
    model = pt.Perceptron(trace=True, max_iter=100_000).fit(rows, [0, 0, 1, 1])
    first = model.trace_[0]
    assert abs(first.after[0] / np.hypot(*first.after[1:])) < 1.0  # far from the rows
    display = PerceptronDisplay.from_estimator(model, rows, [0, 0, 1, 1], steps=0)
    assert display.boundaries_ == display.arrows_ == [None, None]
    assert "outside" in display.axes_[1].texts[0].get_text()


@pytest.mark.parametrize(
    ("rows", "y", "options", "message"),
    [
        (SEPARATED, Y, {"steps": 10_000}, "no update 10000"),
        (SEPARATED, Y, {"steps": [0.5]}, "no update 0.5"),
        (SEPARATED, Y, {"steps": []}, "steps is empty"),
        (SEPARATED + 0.01, Y, {}, "not the rows that the perceptron was fitted to"),
        (SEPARATED, Y[::-1], {}, "not the rows that the perceptron was fitted to"),
        (SEPARATED[:1], Y[:1], {}, "not the rows that the perceptron was fitted to"),
        (SEPARATED, None, {}, "pass y"),
    ],
)
def test_updates_that_cannot_be_drawn_raise(rows, y, options, message):
    with pytest.raises(pt.DataError, match=message):
        PerceptronDisplay.from_estimator(PERCEPTRON, rows, y, **options)


def test_a_fit_without_a_trace_raises():
    with pytest.raises(pt.DataError, match="trace=True"):
        PerceptronDisplay.from_estimator(pt.Perceptron().fit(SEPARATED, Y), SEPARATED, Y)
    model = pt.Perceptron(trace=True, basis=pt.PolynomialBasis(2)).fit(SEPARATED, Y)
    with pytest.raises(pt.DataError, match="basis cannot be drawn"):
        PerceptronDisplay.from_estimator(model, SEPARATED, Y)


def test_frames_name_the_axes():
    frame = pd.DataFrame(X, columns=["length", "width"])
    model = pt.LogisticRegression(prior=1.0).fit(frame, Y)
    display = GeometryDisplay.from_estimator(model, frame, Y)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("length", "width")


def test_a_model_without_a_line_in_the_plane_raises():
    with pytest.raises(NotFittedError):
        GeometryDisplay.from_estimator(pt.LogisticRegression(), X, Y)
    with pytest.raises(pt.DataError, match="two columns; X has 1"):
        GeometryDisplay.from_estimator(pt.LogisticRegression(prior=1.0).fit(X[:, :1], Y), X[:, :1], Y)
    with pytest.raises(pt.DataError, match="classifier has 3"):
        GeometryDisplay.from_estimator(pt.LogisticRegression(prior=1.0).fit(X, CODE + (X[:, 0] > 1)), X)
    with pytest.raises(pt.DataError, match="NaiveBayes has no linear boundary"):
        GeometryDisplay.from_estimator(pt.NaiveBayes().fit(X, Y), X, Y)
    with pytest.raises(pt.DataError, match="without missing values"):
        GeometryDisplay.from_estimator(LINEAR["logistic"], np.where(X > 2.5, np.nan, X), Y)
    for row in (50, -1, True):
        with pytest.raises(pt.DataError, match="from 0 to 49"):
            GeometryDisplay.from_estimator(LINEAR["logistic"], X, Y, row=row)
    with pytest.raises(pt.DataError, match="no estimator"):
        BoundaryDisplay.from_estimators({}, X, Y)
    with pytest.raises(pt.DataError, match="no estimator"):
        PlaneProjectionDisplay.from_estimators({}, X, Y)
    with pytest.raises(pt.DataError, match="pass y"):
        PlaneProjectionDisplay.from_estimators(LINEAR, X, None)


def test_a_segment_joins_the_given_points():
    display = SegmentDisplay.between(LINEAR["logistic"], X, Y, ends=[[0.0, 0.0], [1.0, 2.0]])
    assert ends_of(display.segment_).tolist() == [[0.0, 0.0], [1.0, 2.0]]
    middle = np.ravel(display.between_.get_data())
    assert np.cross([1.0, 2.0, 0.0], np.append(middle, 0.0))[2] == pytest.approx(0.0)
    with pytest.raises(pt.DataError, match=r"\(2, 2\)"):
        SegmentDisplay.between(LINEAR["logistic"], X, Y, ends=[[0.0, 0.0]])


def test_densities_and_posteriors_are_drawn_side_by_side_over_the_same_window():
    display = BayesDisplay.from_estimator(pt.GaussianClassifier().fit(X, Y), X, Y)
    left, right = display.axes_
    assert left.get_xlim() == right.get_xlim()
    assert left.get_ylim() == right.get_ylim()
    assert len(display.density.contours_) == 2
    assert display.posterior.axes_ == [right]
    mixed = pd.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 1, "u", "v")})
    with pytest.raises(pt.DataError, match="pass one feature"):
        BayesDisplay.from_estimator(pt.NaiveBayes().fit(mixed, Y), mixed, Y)
