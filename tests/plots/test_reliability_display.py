"""Reliability diagrams: the numbers on the artists, and rows of every kind."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from matplotlib import pyplot as plt
from scipy.stats import binomtest
from sklearn.linear_model import LogisticRegression as SkLogistic
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import posteriori as pt
from posteriori.comparisons.metrics import METRICS

RNG = np.random.default_rng(0)
X = RNG.standard_normal((400, 2))
Y = np.where(X[:, 0] + RNG.logistic(size=400) > 0, "yes", "no")
Y3 = np.array(["a", "b", "c"])[np.argmax(np.c_[X, 0.3 * X[:, 0]] + RNG.gumbel(size=(400, 3)), axis=1)]
MODEL = pt.LogisticRegression().fit(X, Y)
MODEL3 = pt.LogisticRegression().fit(X, Y3)


def test_marks_are_mean_probabilities_and_observed_frequencies_with_wilson_intervals():
    display = pt.ReliabilityDisplay.from_estimator(MODEL, X, Y, bins=5, level=0.9)
    p = MODEL.predict_proba(X)[:, 1]
    bins = np.array_split(np.argsort(p, kind="stable"), 5)
    line = display.lines_["yes"].lines[0]
    np.testing.assert_allclose(line.get_xdata(), [p[rows].mean() for rows in bins])
    np.testing.assert_allclose(line.get_ydata(), [(Y[rows] == "yes").mean() for rows in bins])
    segments = display.lines_["yes"].lines[2][0].get_segments()
    for segment, rows in zip(segments, bins, strict=True):
        interval = binomtest(int((Y[rows] == "yes").sum()), len(rows)).proportion_ci(0.9, method="wilson")
        np.testing.assert_allclose(segment[:, 1], [interval.low, interval.high], atol=1e-12)
    assert display.diagonal_.get_xydata().tolist() == [[0, 0], [1, 1]]
    assert display.ax_.get_ylabel() == "observed frequency of y = yes"
    assert display.histogram_ax_.get_xlabel() == "predicted probability P(y = yes)"


def test_the_histogram_below_counts_every_row_once():
    display = pt.ReliabilityDisplay.from_estimator(MODEL, X, Y)
    values, edges, _ = display.histograms_["yes"].get_data()
    np.testing.assert_array_equal(values, np.histogram(MODEL.predict_proba(X)[:, 1], edges)[0])
    assert values.sum() == 400


@pytest.mark.parametrize(("model", "y"), [(MODEL, Y), (MODEL3, Y3)], ids=["two", "three"])
def test_the_calibration_error_is_that_of_compare(model, y):
    display = pt.ReliabilityDisplay.from_estimator(model, X, y, bins=3)
    codes = np.searchsorted(model.classes_, y)
    expected = METRICS["calibration_error"].score(model.predict_log_proba(X), codes).mean()
    assert np.mean(list(display.errors_.values())) == pytest.approx(expected, rel=1e-12)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    for name, error in display.errors_.items():
        assert f"{name}: calibration error {error:.3f}" in texts


def test_three_classes_have_one_curve_each_or_a_single_one_on_request():
    display = pt.ReliabilityDisplay.from_estimator(MODEL3, X, Y3, bins=4)
    assert list(display.curves) == ["a", "b", "c"]
    colours = {display.lines_[name].lines[0].get_color() for name in "abc"}
    marks = {display.lines_[name].lines[0].get_marker() for name in "abc"}
    assert len(colours) == len(marks) == 3
    alone = pt.ReliabilityDisplay.from_estimator(MODEL3, X, Y3, bins=4, positive="b")
    np.testing.assert_array_equal(alone.curves["b"].share, display.curves["b"].share)
    assert alone.histogram_ax_.get_xlabel() == "predicted probability P(y = b)"


def test_the_curve_of_the_top_label_is_its_accuracy():
    display = pt.ReliabilityDisplay.from_estimator(MODEL3, X, Y3, bins=4, of="top")
    p = MODEL3.predict_proba(X)
    bins = np.array_split(np.argsort(p.max(axis=1), kind="stable"), 4)
    right = MODEL3.predict(X) == Y3
    np.testing.assert_allclose(display.curves["most probable class"].share, [right[rows].mean() for rows in bins])
    gaps = [abs((p.max(axis=1) - right)[rows].sum()) for rows in np.array_split(np.argsort(p.max(axis=1)), 10)]
    assert display.errors_["most probable class"] == pytest.approx(sum(gaps) / 400)


def test_bins_of_equal_width_leave_out_those_without_rows():
    y, p = ["a", "b", "b", "b"], [0.05, 0.97, 1.0, 0.0]
    display = pt.ReliabilityDisplay.from_predictions(y, p, ["a", "b"], strategy="uniform", bins=4)
    np.testing.assert_allclose(display.curves["b"].forecast, [0.025, 0.985])
    assert display.curves["b"].share.tolist() == [0.5, 1.0]


def test_weights_are_copies_and_rows_of_weight_zero_do_not_count():
    weights = RNG.integers(0, 4, 400)
    spoiled, labels = X.copy(), Y.astype(object)
    spoiled[weights == 0] = np.nan
    labels[weights == 0] = "unknown"
    one = pt.ReliabilityDisplay.from_estimator(MODEL, spoiled, labels, sample_weight=weights)
    two = pt.ReliabilityDisplay.from_estimator(MODEL, np.repeat(X, weights, axis=0), np.repeat(Y, weights))
    for name in ("forecast", "share", "weight", "low", "high", "spread", "error"):
        np.testing.assert_allclose(
            getattr(one.curves["yes"], name), getattr(two.curves["yes"], name), atol=1e-12, err_msg=name
        )


def test_rows_of_one_probability_stay_together():
    display = pt.ReliabilityDisplay.from_predictions([0, 1, 1, 0, 1], [0.5, 0.5, 0.5, 0.5, 0.9], [0, 1], bins=5)
    assert display.curves[1].weight.tolist() == [4.0, 1.0]


def test_several_models_are_drawn_over_one_another():
    scaled = make_pipeline(StandardScaler(), SkLogistic()).fit(X, Y)
    models = {"logistic": MODEL, "$ naive $": GaussianNB().fit(X, Y), "_hidden": scaled}
    display = pt.ReliabilityDisplay.from_estimators(models, X, Y, bins=4)
    for name, model in models.items():
        expected = pt.ReliabilityDisplay.from_estimator(model, X, Y, bins=4).curves["yes"]
        np.testing.assert_array_equal(display.curves[name].share, expected.share)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert len(texts) == 4
    display.figure_.canvas.draw()


def test_several_models_of_three_classes_are_compared_by_the_top_label_or_one_class():
    models = {"one": MODEL3, "two": GaussianNB().fit(X, Y3)}
    assert "most probable" in pt.ReliabilityDisplay.from_estimators(models, X, Y3).predicted_label
    display = pt.ReliabilityDisplay.from_estimators(models, X, Y3, positive="c")
    np.testing.assert_array_equal(
        display.curves["one"].share, pt.ReliabilityDisplay.from_estimator(MODEL3, X, Y3).curves["c"].share
    )
    with pytest.raises(pt.DataError, match="positive=, or use of='top'"):
        pt.ReliabilityDisplay.from_estimators(models, X, Y3, of="class")


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_frames_name_their_columns_and_the_positive_class_is_that_of_the_table(library):
    frame = library({"a": X[:, 0], "b": X[:, 1], "sick": Y, "w": np.full(400, 2.0)})
    model = pt.TableClassifier(pt.LogisticRegression(), positive="no").fit(frame, "sick", sample_weight="w")
    display = pt.ReliabilityDisplay.from_estimator(model, frame, "sick", sample_weight="w", bins=5)
    assert list(display.curves) == ["no"]
    assert display.histogram_ax_.get_xlabel() == "predicted probability P(sick = no)"
    plain = pt.ReliabilityDisplay.from_estimator(MODEL, X, Y, bins=5, positive="no").curves["no"]
    np.testing.assert_allclose(display.curves["no"].share, plain.share)
    np.testing.assert_allclose(display.curves["no"].weight, 2 * plain.weight)


@pytest.mark.parametrize("labels", [np.array([False, True]), np.array([0, 1]), np.array([b"n", b"y"])], ids=str)
def test_labels_of_every_kind_and_classes_that_no_row_has(labels):
    y = labels[(Y == "yes").astype(int)]
    model = pt.LogisticRegression().fit(sp.csr_matrix(X), y)
    display = pt.ReliabilityDisplay.from_estimator(model, sp.csr_matrix(X), y)
    assert list(display.curves) == [labels[1].item()]
    only = y == labels[0]
    alone = pt.ReliabilityDisplay.from_estimator(model, X[only], y[only])
    assert set(alone.curves[labels[1].item()].share) == {0.0}


@pytest.mark.parametrize("unit", ["D", "ns"])
def test_classes_may_be_dates(unit):
    days = np.array(["2020-01-01", "2021-01-01"], dtype=f"M8[{unit}]")
    y = days[(Y == "yes").astype(int)]
    model = pt.LogisticRegression().fit(X, y)
    display = pt.ReliabilityDisplay.from_estimator(model, X, y, positive=days[0])
    np.testing.assert_allclose(
        next(iter(display.curves.values())).share,
        pt.ReliabilityDisplay.from_estimator(MODEL, X, Y, positive="no").curves["no"].share,
    )
    assert "2020-01-01" in display.predicted_label


def test_an_offset_is_passed_on():
    offset = np.where(X[:, 1] > 0, 1.0, -1.0)
    model = pt.LogisticRegression().fit(X, Y, offset=offset)
    display = pt.ReliabilityDisplay.from_estimator(model, X, Y, offset=offset, bins=2)
    p = model.predict_proba(X, offset=offset)[:, 1]
    assert display.curves["yes"].forecast @ [0.5, 0.5] == pytest.approx(p.mean())


@pytest.mark.slow
def test_it_is_drawn_on_given_axes_of_a_grid_or_not():
    figure, axes = plt.subplots(1, 2, layout="constrained")
    display = pt.ReliabilityDisplay.from_estimator(MODEL, X, Y, ax=axes[1])
    assert display.ax_ is axes[1]
    assert display.figure_ is figure
    figure.canvas.draw()
    upper, lower = display.ax_.get_position(), display.histogram_ax_.get_position()
    assert lower.y1 <= upper.y0
    assert lower.x0 == pytest.approx(upper.x0, abs=1e-6)
    free = plt.figure().add_axes((0.1, 0.1, 0.8, 0.8))
    display = pt.ReliabilityDisplay.from_estimator(MODEL, X, Y, ax=free)
    assert display.histogram_ax_.get_position().y1 < free.get_position().y0
    assert display.plot(histogram=False).histogram_ax_ is None
    assert display.ax_.get_xlabel() == "predicted probability P(y = yes)"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bins": 0}, "bins=0 must be a positive integer"),
        ({"bins": True}, "bins=True must be a positive integer"),
        ({"strategy": "equal"}, "'quantile', 'uniform'"),
        ({"of": "all"}, "'class', 'top'"),
        ({"level": 1.0}, "level=1.0 must be"),
        ({"positive": "maybe"}, "'maybe' is none of the classes 'no', 'yes'"),
        ({"of": "top", "positive": "yes"}, "pass only one"),
        ({"sample_weight": np.zeros(400)}, "all 400 weights are zero"),
        ({"sample_weight": "w"}, "'w' names a column, but X is not a frame"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_invalid_options_raise(options, message):
    with pytest.raises(pt.DataError, match=message):
        pt.ReliabilityDisplay.from_estimator(MODEL, X, Y, **options)


def test_labels_that_are_missing_or_unknown_to_the_model_raise():
    strange = Y.copy().astype("<U9")
    strange[[3, 7]] = ["perhaps", "no idea"]
    with pytest.raises(pt.DataError, match=r"2 unknown class\(es\): 'no idea', 'perhaps'"):
        pt.ReliabilityDisplay.from_estimator(MODEL, X, strange)
    gap = Y.astype(object)
    gap[5] = None
    with pytest.raises(pt.DataError, match=r"contains NaN.* the first is row 5"):
        pt.ReliabilityDisplay.from_estimator(MODEL, X, gap)
    with pytest.raises(pt.DataError, match="400 rows and y has 399"):
        pt.ReliabilityDisplay.from_estimator(MODEL, X, Y[1:])
    with pytest.raises(pt.DataTypeError, match="Perceptron has no predict_proba"):
        pt.ReliabilityDisplay.from_estimator(pt.Perceptron().fit([[-1.0, 0.0], [1.0, 0.0]], ["no", "yes"]), X, Y)
    with pytest.raises(pt.DataError, match="X has no rows"):
        pt.ReliabilityDisplay.from_estimator(MODEL, X[:0], Y[:0])
    with pytest.raises(pt.DataError, match="at least one"):
        pt.ReliabilityDisplay.from_estimators({}, X, Y)


@pytest.mark.parametrize(
    ("probabilities", "classes", "message"),
    [
        ([[0.5, 0.6], [0.5, 0.5]], ["a", "b"], "sum to one: 1 of 2 rows do not, the first is row 0"),
        ([0.5, 1.5], ["a", "b"], "from 0 to 1: 1 of 2 rows do not, the first is row 1"),
        ([0.5, np.nan], ["a", "b"], "the first is row 1"),
        ([0.5, 0.5], ["a", "b", "c"], r"shape \(2,\), expected \(n, 3\)"),
        (["0.5", "0.1"], ["a", "b"], "must be numbers"),
        ([0.5, 0.5], ["a", "a"], "two different labels"),
    ],
    ids=["sum", "above", "gap", "shape", "text", "twice"],
)
def test_invalid_probabilities_raise(probabilities, classes, message):
    with pytest.raises(pt.DataError, match=message):
        pt.ReliabilityDisplay.from_predictions(["a", "b"], probabilities, classes)


def test_predictions_draw_the_same_as_their_estimator():
    one = pt.ReliabilityDisplay.from_estimator(MODEL3, X, Y3).curves
    two = pt.ReliabilityDisplay.from_predictions(Y3, MODEL3.predict_proba(X), MODEL3.classes_).curves
    for name in "abc":
        np.testing.assert_allclose(one[name].share, two[name].share)
        assert one[name].error == pytest.approx(two[name].error, rel=1e-12)
