"""The figure of posteriors: what it draws is what the model says, at the places where it says it."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression as SklearnLogistic
from sklearn.linear_model import RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import posteriori as pt
from posteriori.plots.posteriors.regions import DEPTH, LEVELS
from posteriori.plots.shared.canvas import colour
from posteriori.plots.shared.rows import MOST


def two_classes(n=80, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2))
    y = np.where(X @ [1.5, -1.0] + rng.logistic(size=n) > 0, "yes", "no")
    return X, y


def three_classes(n=40, seed=1):
    rng = np.random.default_rng(seed)
    centres = np.array([[0.0, 0.0], [3.0, 0.0], [1.0, 3.0]])
    return np.repeat(centres, n, axis=0) + rng.standard_normal((3 * n, 2)), np.repeat(["a", "b", "c"], n)


def mixed_frame(n=90, seed=2):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.uniform(20, 60, n),
            "town": rng.choice(["Bern", "Graz", "Lyon"], n, p=[0.2, 0.5, 0.3]),
            "visits": rng.integers(0, 6, n),
            "smokes": rng.choice([True, False], n),
        }
    )
    eta = 0.08 * (frame.age - 40) + frame.smokes + (frame.town == "Lyon") + rng.logistic(size=n)
    frame["ill"] = np.where(eta > 0.8, "ill", "well")
    return frame


def vertices(contours):
    return np.vstack([path.vertices for path in contours.get_paths() if len(path.vertices)])


# --- one column


def test_along_one_column_each_class_has_the_curve_of_its_probability():
    X, y = three_classes()
    model = pt.GaussianClassifier().fit(X[:, :1], y)
    display = pt.PosteriorDisplay.from_estimator(model, X[:, :1], y)
    assert len(display.lines_) == 3
    at = display.lines_[0].get_xdata()
    assert at[0] < X[:, 0].min() < X[:, 0].max() < at[-1]
    for k, line in enumerate(display.lines_):
        np.testing.assert_array_equal(line.get_ydata(), model.predict_proba(at[:, None])[:, k])
        assert line.get_color() == colour(k)
    assert display.ax_.get_ylabel() == "P(class | x0)"
    assert display.figure_ is display.ax_.figure


def test_thin_lines_stand_where_the_decision_changes():
    X, y = two_classes()
    model = pt.LogisticRegression().fit(X[:, :1], y)
    display = pt.PosteriorDisplay.from_estimator(model, X[:, :1], y)
    (change,) = display.changes_
    assert change.get_xdata()[0] == pytest.approx(-model.intercept_[0] / model.coef_[0, 0], abs=1e-4)


def test_the_rows_of_two_classes_stand_at_zero_and_one():
    X, y = two_classes()
    display = pt.PosteriorDisplay.from_estimator(pt.LogisticRegression().fit(X[:, :1], y), X[:, :1], y)
    for k, (points, label) in enumerate(zip(display.points_, ["no", "yes"], strict=True)):
        np.testing.assert_array_equal(points.get_offsets()[:, 0], X[y == label, 0])
        assert set(points.get_offsets()[:, 1]) == {float(k)}


def test_the_rows_of_more_classes_have_strips_below_the_curves_and_in_sight():
    X, y = three_classes()
    display = pt.PosteriorDisplay.from_estimator(pt.GaussianClassifier().fit(X[:, :1], y), X[:, :1], y)
    heights = [points.get_offsets()[0, 1] for points in display.points_]
    assert display.ax_.get_ylim()[0] < min(heights)
    assert 0 > heights[0] > heights[1] > heights[2]


def test_least_squares_is_drawn_by_its_scores_and_changes_exactly_at_one_half():
    X, y = two_classes()
    model = pt.LeastSquaresClassifier().fit(X[:, :1], y)
    display = pt.PosteriorDisplay.from_estimator(model, X[:, :1], y)
    at = display.lines_[1].get_xdata()
    np.testing.assert_array_equal(display.lines_[1].get_ydata(), model.scores(at[:, None])[:, 1])
    assert display.changes_[0].get_xdata()[0] == pytest.approx(-model.intercept_[0] / model.coef_[0, 0], rel=1e-12)
    assert display.ax_.get_ylabel() == "score"


@pytest.mark.parametrize("model", [RidgeClassifier(), pt.LeastSquaresClassifier(targets="fisher")], ids=["ridge", "ls"])
def test_a_score_of_two_classes_is_one_curve_that_changes_sign_where_the_decision_changes(model):
    X, y = two_classes()
    display = pt.PosteriorDisplay.from_estimator(model.fit(X[:, :1], y), X[:, :1], y)
    (line,) = display.lines_
    np.testing.assert_allclose(line.get_ydata(), model.decision_function(line.get_xdata()[:, None]))
    change = display.changes_[0].get_xdata()[0]
    assert model.decision_function([[change]])[0] == pytest.approx(0.0, abs=1e-9)
    assert display.ax_.get_ylabel() == "decision function"


def test_costs_move_the_line_to_their_threshold_and_leave_the_curve():
    X, y = two_classes()
    model = pt.LogisticRegression().fit(X[:, :1], y)
    careful = pt.CostSensitive(model, [[0, 3], [1, 0]])
    display = pt.PosteriorDisplay.from_estimator(careful, X[:, :1], y, resolution=2001)
    change = display.changes_[0].get_xdata()[0]
    assert model.predict_proba([[change]])[0, 1] == pytest.approx(careful.threshold_, abs=1e-3)


def test_only_decisions_are_bands_of_the_classes_colours():
    X, y = two_classes()
    model = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X[:, :1], y)
    display = pt.PosteriorDisplay.from_estimator(model, X[:, :1], y, response="predict")
    assert display.lines_ == []
    image = display.surfaces_[0].get_array()[0]
    codes = (model.predict(display.grid.rows) == "yes").astype(int)
    expected = 1 - DEPTH * (1 - np.array([to_rgb(colour(0)), to_rgb(colour(1))]))
    np.testing.assert_allclose(image, expected[codes])
    threshold = model.tree_.threshold[0]
    step = np.diff(display.grid.axes[0].at)[0]
    assert abs(display.changes_[0].get_xdata()[0] - threshold) <= step / 2 + 1e-12


def test_curves_of_chosen_classes_alone_are_dark():
    X, y = two_classes()
    display = pt.PosteriorDisplay.computed({"": pt.LogisticRegression().fit(X[:, :1], y)}, X[:, :1], y)
    (line,) = display.plot(classes=[1]).lines_
    np.testing.assert_array_equal(line.get_ydata(), display.surfaces[""].values[:, 1])
    for wrong in ([2], [-1], []):
        with pytest.raises(pt.DataError, match="from 0 to 1"):
            display.plot(classes=wrong)


def test_models_drawn_together_differ_by_style_and_share_the_rows():
    X, y = two_classes()
    models = {"logit": pt.LogisticRegression().fit(X[:, :1], y), "ls": pt.LeastSquaresClassifier().fit(X[:, :1], y)}
    display = pt.PosteriorDisplay.computed(models, X[:, :1], y).plot(classes=[1], together=True)
    assert len(display.axes_) == 1
    assert len({line.get_linestyle() for line in display.lines_}) == 2
    assert len(display.points_) == 2
    words = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert words == ["no", "yes", "logit", "ls"]
    flat = pt.PosteriorDisplay.computed({"": pt.LogisticRegression().fit(X, y)}, X, y)
    with pytest.raises(pt.DataError, match="has its own panel"):
        flat.plot(together=True)


# --- two columns


def test_the_solid_line_of_two_classes_is_where_the_model_is_undecided():
    X, y = two_classes()
    model = pt.LogisticRegression().fit(X, y)
    (lines,) = pt.PosteriorDisplay.from_estimator(model, X, y).contours_
    assert tuple(lines.levels) == LEVELS
    for level, path, style in zip(lines.levels, lines.get_paths(), lines.get_linestyles(), strict=True):
        np.testing.assert_allclose(model.predict_proba(path.vertices)[:, 1], level, atol=2e-3)
        assert (style[1] is None) == (level == 0.5)


def test_the_filled_area_blends_the_classes_colours_by_their_probabilities():
    X, y = three_classes()
    model = pt.GaussianClassifier().fit(X, y)
    display = pt.PosteriorDisplay.from_estimator(model, X, y, resolution=30)
    image = display.surfaces_[0].get_array()
    assert image.shape == (30, 30, 3)
    x0, x1 = (axis.at for axis in display.grid.axes)
    p = model.predict_proba([[x0[4], x1[21]]])[0]
    colours = np.array([to_rgb(colour(k)) for k in range(3)])
    np.testing.assert_allclose(image[21, 4], 1 - DEPTH * (p @ (1 - colours)))
    assert display.surfaces_[0].get_extent() == [x0[0], x0[-1], x1[0], x1[-1]]


def test_the_boundaries_of_three_classes_are_where_the_two_best_are_equal():
    X, y = three_classes()
    model = pt.GaussianClassifier(shared=False).fit(X, y)
    display = pt.PosteriorDisplay.from_estimator(model, X, y)
    assert len(display.contours_) == 3
    best = np.sort(model.predict_proba(np.vstack([vertices(lines) for lines in display.contours_])), axis=1)
    gaps = best[:, 2] - best[:, 1]
    assert np.quantile(gaps, 0.98) < 0.02  # where three meet a corner is cut


@pytest.mark.parametrize(
    "model",
    [
        SVC(),
        SVC(decision_function_shape="ovo"),
        pt.LeastSquaresClassifier(),
        pt.OneVsOne(pt.LogisticRegression(prior=1.0)),
        make_pipeline(StandardScaler(), SklearnLogistic()),
        DecisionTreeClassifier(max_depth=3, random_state=0),
    ],
    ids=["svc", "svc-pairs", "least-squares", "one-vs-one", "pipeline", "tree"],
)
def test_decisions_differ_on_both_sides_of_every_boundary(model):
    X, y = three_classes()
    display = pt.PosteriorDisplay.from_estimator(model.fit(X, y), X, y)
    steps = [np.diff(axis.at)[0] for axis in display.grid.axes]
    for lines in display.contours_:
        on = vertices(lines)
        around = [model.predict(on + 2 * np.multiply(steps, [i, j])) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        assert ((np.array(around) != around[4]).any(axis=0)).mean() > 0.99


def test_a_model_without_probabilities_is_drawn_by_regions():
    X, y = two_classes()
    model = RidgeClassifier().fit(X, y)
    display = pt.PosteriorDisplay.from_estimator(model, X, y, resolution=50)
    image = display.surfaces_[0].get_array().reshape(-1, 3)
    assert len(np.unique(image.round(9), axis=0)) == 2
    (lines,) = display.contours_
    np.testing.assert_allclose(model.decision_function(vertices(lines)), 0.0, atol=1e-9)


def test_requested_scores_have_contours_and_zero_is_solid():
    X, y = two_classes()
    model = SVC().fit(X, y)
    (lines,) = pt.PosteriorDisplay.from_estimator(model, X, y, response="decision_function").contours_
    assert 0.0 in lines.levels
    for level, path, style in zip(lines.levels, lines.get_paths(), lines.get_linestyles(), strict=True):
        np.testing.assert_allclose(model.decision_function(path.vertices), level, atol=5e-3)
        assert (style[1] is None) == (level == 0)


def test_what_a_vote_leaves_open_is_hatched():
    X, y = three_classes()
    model = pt.OneVsRest(pt.LeastSquaresClassifier()).fit(X, y)
    display = pt.PosteriorDisplay.from_estimator(model, X, y)
    area = display.contours_[-1]
    assert area.hatches == ["////"]
    assert "ambiguous" in [text.get_text() for text in display.ax_.get_legend().get_texts()]
    open_, grid = model.is_ambiguous(display.grid.rows), display.grid.rows
    inside = np.zeros(len(grid), bool)
    for path in area.get_paths():
        inside |= path.contains_points(grid)
    assert (inside == open_).mean() > 0.98


def test_a_region_of_a_single_point_is_not_lost():
    X = np.array([[i, j] for i in range(9) for j in range(9)], dtype=float)
    y = (X == 4).all(axis=1).astype(int)
    model = DecisionTreeClassifier().fit(X, y)
    display = pt.PosteriorDisplay.from_estimator(model, X, y, response="predict", resolution=9)
    (lines,) = display.contours_
    assert np.abs(vertices(lines) - 4).max() < 1.5


def test_rejected_rows_are_hatched_and_named():
    X, y = two_classes()
    model = pt.RejectOption(pt.LogisticRegression().fit(X, y), threshold=0.8)
    display = pt.PosteriorDisplay.from_estimator(model, X, y)
    assert "rejected" in [text.get_text() for text in display.ax_.get_legend().get_texts()]
    boundaries = np.vstack([vertices(lines) for lines in display.contours_[1:-1]])
    np.testing.assert_allclose(model.predict_proba(boundaries).max(axis=1), 0.8, atol=0.03)


# --- which columns


def test_other_columns_are_fixed_and_the_title_gives_their_values():
    frame = mixed_frame()
    model = pt.TableClassifier(pt.LogisticRegression()).fit(frame, "ill")
    display = pt.PosteriorDisplay.from_estimator(model, frame, "ill", features="age")
    smoking = str(frame.smokes.mode()[0])
    visits = np.sort(frame.visits)[44]
    assert display.grid.fixed == {"town": "Graz", "visits": str(visits), "smokes": smoking}
    assert display.ax_.get_title().endswith(f"at town = Graz, visits = {visits}, smokes = {smoking}")
    assert display.ax_.get_title().startswith("LogisticRegression")
    expected = frame.iloc[:5].assign(
        age=display.grid.axes[0].at[:5], town="Graz", visits=visits, smokes=smoking == "True"
    )
    values = [line.get_ydata()[:5] for line in display.lines_]
    np.testing.assert_allclose(np.column_stack(values), model.predict_proba(expected))
    assert display.ax_.get_legend().get_title().get_text() == "ill"


@pytest.mark.parametrize("features", [("age", "visits"), (0, 2), ["age", 2], np.array([0, 2])])
def test_columns_are_named_or_numbered(features):
    frame = mixed_frame()
    model = pt.TableClassifier(pt.LogisticRegression()).fit(frame, "ill")
    display = pt.PosteriorDisplay.from_estimator(model, frame, "ill", features=features, resolution=20)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("age", "visits")


def test_pandas_polars_and_arrow_give_the_same_figure():
    frame = mixed_frame()
    values = []
    for rows in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame, preserve_index=False)):
        model = pt.TableClassifier(pt.LogisticRegression()).fit(rows, "ill")
        display = pt.PosteriorDisplay.from_estimator(model, rows, "ill", features=("age", "town"), resolution=40)
        assert type(display.grid.rows) is type(rows)
        values.append(display.surfaces["LogisticRegression"].values)
    np.testing.assert_allclose(values[1], values[0])
    np.testing.assert_allclose(values[2], values[0])


def test_a_frame_with_an_index_of_its_own_is_read_by_place():
    frame = mixed_frame()
    frame.index = frame.index[::-1] * 7
    model = pt.TableClassifier(pt.LogisticRegression()).fit(frame, "ill")
    display = pt.PosteriorDisplay.from_estimator(model, frame, "ill", features="town")
    by_town = display.grid.rows["town"]
    assert by_town.iloc[[0, 100, 199]].tolist() == ["Bern", "Graz", "Lyon"]


def test_a_column_of_categories_has_a_step_for_each_level():
    frame = mixed_frame()
    model = pt.TableClassifier(pt.LogisticRegression()).fit(frame, "ill")
    display = pt.PosteriorDisplay.from_estimator(model, frame, "ill", features="town")
    assert [tick.get_text() for tick in display.ax_.get_xticklabels()] == ["Bern", "Graz", "Lyon"]
    assert len(np.unique(display.lines_[0].get_ydata())) == 3
    places = np.concatenate([points.get_offsets()[:, 0] for points in display.points_])
    codes = frame.town.map({"Bern": 0, "Graz": 1, "Lyon": 2})
    assert sorted(np.rint(places)) == sorted(codes)


def test_sparse_rows_stay_sparse():
    X, y = two_classes()
    rows = sp.csr_matrix(X)
    model = SklearnLogistic().fit(rows, y)
    display = pt.PosteriorDisplay.from_estimator(model, rows, y)
    assert sp.issparse(display.grid.rows)
    dense = pt.PosteriorDisplay.from_estimator(model, X, y)
    np.testing.assert_allclose(display.surfaces_[0].get_array(), dense.surfaces_[0].get_array())
    one = pt.PosteriorDisplay.from_estimator(pt.LogisticRegression().fit(rows[:, :1], y), rows[:, :1], y)
    assert len(one.lines_) == 2


def test_a_model_fitted_on_an_array_may_be_drawn_with_a_frame_for_its_names():
    X, y = two_classes()
    model = SklearnLogistic().fit(X, y)
    display = pt.PosteriorDisplay.from_estimator(model, pd.DataFrame(X, columns=["dose", "age"]), y)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("dose", "age")


def test_missing_values_are_neither_drawn_nor_counted():
    frame = mixed_frame()
    frame.loc[:10, "age"] = np.nan
    frame.loc[5:20, "visits"] = np.nan
    frame.loc[3:9, "town"] = None
    model = pt.TableClassifier(pt.NaiveBayes()).fit(frame, "ill")
    display = pt.PosteriorDisplay.from_estimator(model, frame, "ill", features="age")
    assert display.grid.fixed["town"] == "Graz"
    assert np.isfinite(display.lines_[0].get_ydata()).all()
    assert np.isfinite(display.grid.axes[0].at).all()


def test_a_constant_column_has_room_about_it():
    X = np.column_stack([np.full(20, 3.0), np.arange(20.0)])
    y = np.tile([0, 1], 10)
    with pytest.warns(pt.CollinearityWarning):
        model = pt.LogisticRegression(prior=None).fit(X, y)
    low, high = pt.PosteriorDisplay.from_estimator(model, X, y).ax_.get_xlim()
    assert low < 3 < high


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (None, r"X has 4 columns.*'age', 'town', 'visits', 'smokes'"),
        ("ages", r"no column 'ages'. Did you mean 'age'.*The columns are 'age', 'town', 'visits', 'smokes'"),
        (4, r"no column 4; numbers go from 0 to 3. The columns are 'age', 'town'"),
        (-1, r"no column -1"),
        (True, r"names or numbers"),
        (1.5, r"names or numbers"),
        (("age", "age"), r"two different ones"),
        (("age", "town", "visits"), r"two different ones"),
        ((), r"two different ones"),
    ],
)
def test_columns_that_cannot_be_drawn_raise_with_the_list(features, message):
    frame = mixed_frame()
    model = pt.TableClassifier(pt.LogisticRegression()).fit(frame, "ill")
    with pytest.raises(pt.DataError, match=message):
        pt.PosteriorDisplay.from_estimator(model, frame, "ill", features=features)


def test_a_column_without_values_cannot_be_drawn_along():
    frame = mixed_frame()
    model = pt.TableClassifier(pt.NaiveBayes()).fit(frame, "ill")
    with pytest.raises(pt.DataError, match="'age' has no finite numbers"):
        pt.PosteriorDisplay.from_estimator(model, frame.assign(age=np.nan), "ill", features="age")
    with pytest.raises(pt.DataError, match="of the fit are absent: 'age'"):
        pt.PosteriorDisplay.from_estimator(model, frame.drop(columns="age"), "ill", features="town")


# --- models that do not take every number


def test_a_model_of_non_negative_numbers_is_evaluated_within_the_range_of_the_rows():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 2)).astype(float)
    y = (rng.random(60) < 0.2 + 0.5 * X.max(axis=1)).astype(int)
    display = pt.PosteriorDisplay.from_estimator(pt.NoisyOr().fit(X, y), X, y)
    assert (display.grid.axes[0].at[0], display.grid.axes[0].at[-1]) == (0.0, 1.0)
    assert display.ax_.get_xlim()[0] < 0


@pytest.mark.parametrize(
    "model",
    [pt.NaiveBayes(families="bernoulli"), pt.NaiveBayes(families="categorical"), pt.JointTable(smoothing=1.0)],
    ids=["bernoulli", "categorical", "joint"],
)
def test_a_model_of_integers_is_evaluated_at_integers_only(model):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 2))
    y = (rng.random(60) < 0.2 + 0.5 * X.max(axis=1)).astype(int)
    display = pt.PosteriorDisplay.from_estimator(model.fit(X, y), X, y, resolution=40)
    assert display.grid.axes[0].levels == ("0", "1")
    values = next(iter(display.surfaces.values())).values.reshape(40, 40, 2)
    np.testing.assert_allclose(values[10, 30], model.predict_proba(np.array([[1, 0]]))[0])


# --- labels


def test_rows_without_labels_are_grey():
    X, y = two_classes()
    display = pt.PosteriorDisplay.from_estimator(pt.LogisticRegression().fit(X, y), X)
    (points,) = display.points_
    assert len(points.get_offsets()) == len(X)
    red, green, blue = points.get_facecolor()[0][:3]
    assert red == green == blue
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["no", "yes"]


@pytest.mark.parametrize(
    "y", [pt.counts(successes=[1] * 80, trials=[2] * 80), np.ones((80, 2))], ids=["named", "array"]
)
def test_class_counts_raise(y):
    X, labels = two_classes()
    model = pt.LogisticRegression().fit(X, labels)
    with pytest.raises(pt.DataError, match="class counts cannot be drawn"):
        pt.PosteriorDisplay.from_estimator(model, X, y)


def test_unknown_or_too_few_labels_raise():
    X, y = two_classes()
    model = pt.LogisticRegression().fit(X, y)
    with pytest.raises(pt.DataError, match="'perhaps'"):
        pt.PosteriorDisplay.from_estimator(model, X, np.where(np.arange(80) == 3, "perhaps", y))
    with pytest.raises(pt.DataError, match="80 rows and y has 79"):
        pt.PosteriorDisplay.from_estimator(model, X, y[1:])
    with pytest.raises(pt.DataError, match="not a frame"):
        pt.PosteriorDisplay.from_estimator(model, X, "ill")


def test_rows_of_one_class_alone_are_drawn_in_its_colour():
    X, y = two_classes()
    model = pt.LogisticRegression().fit(X, y)
    display = pt.PosteriorDisplay.from_estimator(model, X[y == "yes"], y[y == "yes"])
    assert [len(points.get_offsets()) for points in display.points_] == [0, (y == "yes").sum()]


def test_of_many_rows_some_are_drawn_and_the_legend_gives_their_number():
    X, y = two_classes(3 * MOST)
    display = pt.PosteriorDisplay.from_estimator(pt.LogisticRegression().fit(X, y), X, y, resolution=20)
    assert sum(len(points.get_offsets()) for points in display.points_) == MOST
    assert "4,000 of 12,000 rows" in display.ax_.get_legend().get_title().get_text()


def test_names_with_dollars_and_underscores_are_written_as_they_are():
    X, y = two_classes()
    frame = pd.DataFrame(X, columns=["price $", "tax $"])
    labels = np.where(y == "yes", "_b", "$a$")
    display = pt.PosteriorDisplay.from_estimator(pt.LogisticRegression().fit(frame, labels), frame, labels)
    display.figure_.canvas.draw()
    assert display.ax_.get_xlabel() == r"price \$"
    assert [text.get_text().strip() for text in display.ax_.get_legend().get_texts()] == [r"\$a\$", "_b"]


# --- several models


def test_models_side_by_side_share_the_grid_and_the_limits():
    X, y = two_classes()
    models = {
        "linear": pt.GaussianClassifier(),
        "bent": pt.GaussianClassifier(shared=False),
        "ridge": RidgeClassifier(),
    }
    display = pt.PosteriorDisplay.from_estimators({name: model.fit(X, y) for name, model in models.items()}, X, y)
    assert [ax.get_title() for ax in display.axes_] == list(models)
    assert len({ax.get_xlim() + ax.get_ylim() for ax in display.axes_}) == 1
    assert len(display.surfaces_) == 3
    assert [ax.get_ylabel() for ax in display.axes_] == ["x1", "", ""]
    assert display.ax_ is display.axes_[0]


def test_many_models_fill_several_rows_of_panels():
    X, y = two_classes()
    model = pt.LogisticRegression().fit(X[:, :1], y)
    display = pt.PosteriorDisplay.from_estimators({f"m{i}": model for i in range(6)}, X[:, :1], y)
    assert len(display.axes_) == 6
    assert len(display.figure_.axes) == 6
    assert len({ax.get_subplotspec().rowspan.start for ax in display.axes_}) == 2


def test_curves_side_by_side_have_one_height_unless_their_units_differ():
    X, y = two_classes()
    X = X[:, :1]
    models = {"p": pt.LogisticRegression(), "s": pt.LeastSquaresClassifier(), "d": RidgeClassifier()}
    display = pt.PosteriorDisplay.from_estimators({name: model.fit(X, y) for name, model in models.items()}, X, y)
    assert display.axes_[0].get_ylim() == display.axes_[1].get_ylim()
    assert display.axes_[2].get_ylim() != display.axes_[0].get_ylim()
    assert [ax.get_ylabel() for ax in display.axes_] == ["P(class | x0)", "score", "decision function"]


def test_a_model_that_lists_the_classes_in_another_order_has_their_colours():
    frame = mixed_frame()[["age", "ill"]]
    one = pt.TableClassifier(pt.LogisticRegression()).fit(frame, "ill")
    turned = pt.TableClassifier(pt.LogisticRegression(), positive="ill").fit(frame, "ill")
    assert one.classes_.tolist() != turned.classes_.tolist()
    display = pt.PosteriorDisplay.from_estimators({"one": one, "turned": turned}, frame, "ill")
    np.testing.assert_allclose(display.surfaces["turned"].values, display.surfaces["one"].values)
    np.testing.assert_array_equal(display.surfaces["turned"].decided, display.surfaces["one"].decided)


def test_models_that_cannot_be_drawn_together_raise():
    X, y = two_classes()
    other = pt.LogisticRegression().fit(X, np.where(y == "no", 0, 1))
    with pytest.raises(pt.DataError, match="must have the same classes: 'b' has 0, 1, the first 'no', 'yes'"):
        pt.PosteriorDisplay.from_estimators({"a": pt.LogisticRegression().fit(X, y), "b": other}, X, y)
    with pytest.raises(pt.DataError, match="no model to draw"):
        pt.PosteriorDisplay.from_estimators({}, X, y)
    with pytest.raises(TypeError, match="must be a dict"):
        pt.PosteriorDisplay.from_estimators([other], X, y)


# --- how it is evaluated and drawn


class Counting(SklearnLogistic):
    calls: list

    def predict_proba(self, X):
        self.calls.append(("predict_proba", len(X)))
        return super().predict_proba(X)

    def predict(self, X):
        self.calls.append(("predict", len(X)))
        return super().predict(X)


def test_the_grid_is_evaluated_in_one_call():
    X, y = two_classes()
    model = Counting().fit(X, y)
    model.calls = []
    display = pt.PosteriorDisplay.from_estimator(model, X, y, resolution=25)
    assert model.calls == [("predict_proba", 625), ("predict", 625)]
    display.plot()
    assert len(model.calls) == 2


def test_it_is_drawn_again_elsewhere_from_what_it_stored():
    X, y = two_classes()
    display = pt.PosteriorDisplay.from_estimator(pt.LogisticRegression().fit(X, y), X, y, name="mine")
    first = display.surfaces_[0].get_array()
    _, ax = plt.subplots()
    assert display.plot(ax) is display
    assert display.ax_ is ax
    assert display.axes_ == [ax]
    assert ax.get_title() == "mine"
    np.testing.assert_array_equal(display.surfaces_[0].get_array(), first)
    assert display.plot(ax, legend=False).ax_ is ax


def test_axes_of_another_figure_are_divided_or_taken_one_each():
    X, y = two_classes()
    model = pt.LogisticRegression().fit(X, y)
    _, ax = plt.subplots()
    assert len(pt.PosteriorDisplay.from_estimators({"a": model, "b": model}, X, y, ax=ax).axes_) == 2
    _, pair = plt.subplots(1, 2)
    assert pt.PosteriorDisplay.from_estimators({"a": model, "b": model}, X, y, ax=pair).axes_ == list(pair)


def test_an_unfitted_model_raises_first():
    X, _ = two_classes()
    for model in (pt.LogisticRegression(), SklearnLogistic(), pt.TableClassifier(pt.NaiveBayes())):
        with pytest.raises(NotFittedError):
            pt.PosteriorDisplay.from_estimator(model, np.column_stack([X, X]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"response": "proba"}, "'auto', 'predict_proba', 'scores', 'decision_function', 'predict'"),
        ({"response": "predict_proba"}, "RidgeClassifier has no predict_proba.*'decision_function' or 'predict'"),
        ({"resolution": 1}, "resolution=1"),
        ({"resolution": 2.5}, "resolution=2.5"),
        ({"resolution": True}, "resolution=True"),
    ],
)
def test_invalid_options_raise(options, message):
    X, y = two_classes()
    with pytest.raises(pt.DataError, match=message):
        pt.PosteriorDisplay.from_estimator(RidgeClassifier().fit(X, y), X, y, **options)


def test_anything_but_a_classifier_and_a_table_raises():
    from sklearn.linear_model import LinearRegression

    X, y = two_classes()
    with pytest.raises(pt.DataError, match="not a classifier"):
        pt.PosteriorDisplay.from_estimator(LinearRegression().fit(X, y == "yes"), X)
    with pytest.raises(pt.DataError, match="no rows"):
        pt.PosteriorDisplay.from_estimator(pt.LogisticRegression().fit(X, y), X[:0], y[:0])
    with pytest.raises(pt.DataError, match="1 dimension"):
        pt.PosteriorDisplay.from_estimator(pt.LogisticRegression().fit(X, y), X[:, 0])
