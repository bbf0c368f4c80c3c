"""The figure of projections: histograms along a direction with the threshold, or a scatter of two directions."""

import matplotlib
import narwhals as nw
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression as Logistic

import posteriori as pt
from posteriori.plots.planes.discriminant_directions import ProjectedRows, project_rows
from posteriori.plots.planes.projection import MOST_BINS, bin_edges

RNG = np.random.default_rng(4)
CODE = RNG.integers(0, 3, 150)
NAMES = np.array(["ash", "birch", "cedar"])
Y = NAMES[CODE]
X = RNG.normal(size=(150, 4)) @ RNG.normal(size=(4, 4)) + RNG.normal(size=(3, 4))[CODE] * 2.0
TWO = CODE < 2


def draw(model, rows=X, y=Y, **options):
    return pt.ProjectionDisplay.from_estimator(model, rows, y, **options)


def decided(projected):
    return (projected.values @ projected.slopes.T + projected.intercepts).argmax(axis=1)


@pytest.mark.parametrize("threshold", ["gaussian", "midpoint", "least-error"])
def test_the_threshold_of_fisher_is_where_its_decision_changes(threshold):
    model = pt.FisherDiscriminant(threshold=threshold).fit(X[TWO], Y[TWO])
    display = draw(model, X[TWO], Y[TWO])
    (line,) = display.thresholds_
    place = line.get_xdata()[0]
    projected = model.transform(X[TWO])[:, 0]
    np.testing.assert_array_equal(np.where(projected > place, "birch", "ash"), model.predict(X[TWO]))
    end = X[TWO].mean(axis=0) + np.outer(place + np.array([-1e-6, 1e-6]), _unit(model))  # both sides of it
    assert model.predict(end).tolist() == ["ash", "birch"]
    assert display.ax_.get_xlabel() == "Fisher's discriminant"


def _unit(model):
    """Give a step in x that moves the projection by one."""
    v = model.scalings_[:, 0]
    return v / (v @ v)


def test_histograms_count_the_projected_rows_of_each_class():
    model = pt.FisherDiscriminant().fit(X[TWO], Y[TWO])
    display = draw(model, X[TWO], Y[TWO], bins=[-10.0, -1.0, 0.0, 1.0, 10.0])
    values = model.transform(X[TWO])[:, 0]
    for k, stairs in enumerate(display.histograms_):
        expected = np.histogram(values[CODE[TWO] == k], [-10.0, -1.0, 0.0, 1.0, 10.0])[0]
        np.testing.assert_array_equal(stairs.get_data().values, expected)
    assert [stairs.get_label() for stairs in display.histograms_] == ["ash", "birch"]


LINEAR = {
    "logistic": pt.LogisticRegression(prior=1.0),
    "least squares": pt.LeastSquaresClassifier(),
    "gaussian": pt.GaussianClassifier(),
    "perceptron": pt.Perceptron(keep="average", max_iter=5),
    "cloglog": pt.BinaryRegression(link="cloglog", prior=1.0),
    "scikit-learn": Logistic(),
}


@pytest.mark.filterwarnings("ignore::posteriori.ConvergenceWarning")
@pytest.mark.parametrize("name", LINEAR)
def test_other_classifiers_of_two_classes_are_projected_on_w(name):
    model = LINEAR[name].fit(X[TWO], Y[TWO])
    projected = project_rows(model, X[TWO], Y[TWO])
    w = model.coef_[0] / np.linalg.norm(model.coef_[0])
    apart = projected.values[:, 0] - X[TWO] @ w
    np.testing.assert_allclose(apart, apart[0], atol=1e-9)  # w'x / |w|, from the boundary on
    assert projected.thresholds().tolist() == [0.0]
    np.testing.assert_array_equal(model.classes_[(projected.values[:, 0] >= 0).astype(int)], model.predict(X[TWO]))


@pytest.mark.filterwarnings("ignore::posteriori.ConvergenceWarning")
@pytest.mark.parametrize(
    "model",
    [
        pt.LogisticRegression(prior=1.0), pt.LeastSquaresClassifier(), pt.GaussianClassifier(), pt.FisherDiscriminant(),
        pt.FisherDiscriminant(n_components=1), pt.Perceptron(keep="average", max_iter=5), LinearDiscriminantAnalysis(),
    ],
    ids=lambda model: type(model).__name__,
)  # fmt: skip
def test_of_more_classes_the_rule_in_the_projection_is_the_classifiers_own(model):
    model.fit(X, Y)
    projected = project_rows(model, X, Y)
    np.testing.assert_array_equal(model.classes_[decided(projected)], model.predict(X))
    count = np.array([projected.values[k == CODE].mean(axis=0) for k in range(3)])
    np.testing.assert_allclose(projected.means, count, atol=1e-12)


def test_directions_of_scores_are_orthonormal_combinations_of_columns():
    model = pt.LogisticRegression(prior=1.0).fit(X, Y)
    projected = project_rows(model, X, Y)
    V = np.linalg.lstsq(X, projected.values, rcond=None)[0]
    np.testing.assert_allclose(X @ V, projected.values, atol=1e-9)
    np.testing.assert_allclose(V.T @ V, np.eye(2), atol=1e-9)


def test_one_direction_of_three_classes_has_a_threshold_between_each():
    model = pt.FisherDiscriminant(n_components=1).fit(X, Y)
    display = draw(model)
    places = [line.get_xdata()[0] for line in display.thresholds_]
    values = model.transform(X)[:, 0]
    order = np.argsort(values)
    changes = np.flatnonzero(model.predict(X)[order][1:] != model.predict(X)[order][:-1])
    assert len(places) == len(changes)
    for place, at in zip(places, changes, strict=True):
        assert values[order][at] <= place <= values[order][at + 1]


def test_two_discriminants_are_a_scatter_with_class_means_and_boundaries():
    model = pt.FisherDiscriminant().fit(X, Y)
    display = draw(model)
    projected = model.transform(X)
    for k, (points, mean) in enumerate(zip(display.points_, display.means_, strict=True)):
        np.testing.assert_allclose(np.column_stack(points.get_data()), projected[k == CODE], atol=1e-12)
        np.testing.assert_allclose(np.ravel(mean.get_data()), projected[k == CODE].mean(axis=0), atol=1e-12)
    rule = display.projected
    for lines in display.boundaries_:
        points = np.vstack([path.vertices for path in lines.get_paths()])
        best = np.sort(points @ rule.slopes.T + rule.intercepts, axis=1)
        assert np.median(best[:, 2] - best[:, 1]) < 1e-6  # two classes are equally good there
    assert display.ax_.get_xlabel() == "first discriminant"
    assert display.ax_.get_ylabel() == "second discriminant"


def test_directions_can_be_picked_and_turned():
    model = pt.FisherDiscriminant().fit(X, Y)
    turned = draw(model, component=(1, 0))
    projected = model.transform(X)
    np.testing.assert_allclose(np.column_stack(turned.points_[0].get_data()), projected[CODE == 0][:, ::-1], atol=1e-12)
    best = [np.vstack([p.vertices for p in lines.get_paths()])[:, ::-1] for lines in turned.boundaries_]
    heights = np.sort(np.vstack(best) @ turned.projected.slopes.T + turned.projected.intercepts, axis=1)
    assert np.median(heights[:, 2] - heights[:, 1]) < 1e-6
    one = draw(model, component=1)
    assert one.ax_.get_xlabel() == "second discriminant"
    assert not one.thresholds_  # the first direction takes part in the decision too


def test_tables_are_coded_and_their_own_labels_used():
    frame = pd.DataFrame(X, columns=list("pqrs")).assign(kind=np.where(X[:, 0] > 0, "u", "v"), tree=Y)
    table = pt.TableClassifier(pt.FisherDiscriminant()).fit(frame, "tree")
    display = draw(table, frame, "tree")
    coded = table.coding_.apply(nw.from_native(frame)).to_native()
    np.testing.assert_allclose(display.projected.values, table.estimator_.transform(coded), atol=1e-12)
    linear = pt.TableClassifier(pt.LogisticRegression(prior=1.0)).fit(frame, "tree")
    rule = draw(linear, frame, "tree").projected
    np.testing.assert_array_equal(linear.classes_[decided(rule)], linear.predict(frame))


def test_a_display_can_be_drawn_again_elsewhere():
    display = draw(pt.FisherDiscriminant().fit(X, Y))
    ax = matplotlib.figure.Figure().subplots()
    assert display.plot(ax, legend=False).ax_ is ax
    assert len(display.points_) == len(display.means_) == 3
    assert ax.get_legend() is None


def test_a_model_without_a_direction_raises():
    with pytest.raises(NotFittedError):
        draw(pt.FisherDiscriminant())
    with pytest.raises(pt.DataError, match="NaiveBayes has no coef_"):
        draw(pt.NaiveBayes().fit(X, Y))
    with pytest.raises(pt.DataError, match="pass y"):
        draw(pt.FisherDiscriminant().fit(X, Y), y=None)
    for component in (2, (0, 0), (0, 1, 1), "first", True):
        with pytest.raises(pt.DataError, match="directions 0 to 1"):
            draw(pt.FisherDiscriminant().fit(X, Y), component=component)
    flat = pt.Perceptron(max_iter=1).partial_fit(np.zeros((1, 2)), [0], classes=[0, 1])
    with pytest.raises(pt.DataError, match="coefficients are zero"):
        draw(flat, np.zeros((2, 2)), [0, 1])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 6))
def test_thresholds_are_exactly_the_changes_of_the_highest_line(seed, n_classes):
    rng = np.random.default_rng(seed)
    slopes, leads = rng.normal(size=(n_classes, 1)), rng.normal(size=n_classes)
    projected = ProjectedRows(np.zeros((1, 1)), np.zeros(1, np.intp), ("",) * n_classes, slopes, leads, ("z",))
    places = projected.thresholds()
    between = np.concatenate([[-1e6], (places[1:] + places[:-1]) / 2.0, [1e6]])
    winners = (between[:, None] * slopes[:, 0] + leads).argmax(axis=1)
    assert (winners[1:] != winners[:-1]).all()
    anywhere = (np.linspace(-1e3, 1e3, 20001)[:, None] * slopes[:, 0] + leads).argmax(axis=1)
    assert set(anywhere) <= set(winners)
    top = np.sort(places[:, None] * slopes[:, 0] + leads, axis=1)
    np.testing.assert_allclose(top[:, -1], top[:, -2], rtol=1e-7, atol=1e-7)


def test_a_row_far_away_does_not_make_thousands_of_bins():
    values = np.append(np.random.default_rng(0).normal(size=500), 1e9)
    assert len(bin_edges(values, "auto")) == MOST_BINS + 1
    assert bin_edges(values, [0.0, 1.0]).tolist() == [0.0, 1.0]
