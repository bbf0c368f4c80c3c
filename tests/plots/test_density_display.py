"""The figure of class-conditional densities: curves, bars and contour lines at the heights the model gives."""

import matplotlib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from scipy import stats
from sklearn.exceptions import NotFittedError

import posteriori as pt
from posteriori.plots.densities.panel_data import MASSES
from posteriori.plots.shared.rows import MOST

RNG = np.random.default_rng(2)
Y = np.repeat(["low", "mid", "high"], 40)
CODE = np.repeat([1, 2, 0], 40)  # places in the sorted classes
X = RNG.normal(size=(120, 3)) @ RNG.normal(size=(3, 3)) + CODE[:, None] * [2.0, -1.0, 0.5]
FRAME = pd.DataFrame(
    {
        "colour": RNG.choice(["red", "green", "blue"], 120),
        "count": RNG.poisson(2.0 + 2.0 * CODE),
        "new": RNG.random(120) < 0.3,
        "size": X[:, 0],
    }
)
MODEL = pt.NaiveBayes(families={"count": "poisson"}).fit(FRAME, Y)


def draw(model, rows, y=None, **options):
    return pt.DensityDisplay.from_estimator(model, rows, y, **options)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical", "low-rank"])
def test_curves_are_the_marginal_densities_of_the_classes(covariance, shared):
    model = pt.GaussianClassifier(covariance=covariance, shared=shared).fit(X, Y)
    display = draw(model, X, Y, features=1)
    matrices = np.repeat(model.covariance_[None], 3, axis=0) if shared else model.covariances_
    assert [line.get_label() for line in display.lines_] == ["high", "low", "mid"]
    for k, line in enumerate(display.lines_):
        at, height = line.get_data()
        expected = stats.norm(model.means_[k, 1], np.sqrt(matrices[k, 1, 1])).pdf(at)
        np.testing.assert_allclose(height, expected, rtol=1e-8, atol=1e-12)
    assert display.ax_.get_xlabel() == "x1"
    assert at[0] < X[:, 1].min()
    assert at[-1] > X[:, 1].max()


def test_weighted_curves_are_times_the_priors():
    model = pt.GaussianClassifier(class_priors=[0.7, 0.2, 0.1]).fit(X, Y)
    plain, weighted = (draw(model, X, Y, features=0, weighted=weighted) for weighted in (False, True))
    for k, prior in enumerate([0.7, 0.2, 0.1]):
        ratio = weighted.lines_[k].get_ydata() / plain.lines_[k].get_ydata()
        np.testing.assert_allclose(ratio, prior, rtol=1e-12)
    assert plain.ax_.get_ylabel() != weighted.ax_.get_ylabel()


def test_a_class_much_narrower_than_the_grid_is_drawn_to_its_height():
    rows = X[:, :1].copy()
    rows[CODE == 2] = 1.0 + 1e-5 * RNG.standard_normal((40, 1))
    model = pt.GaussianClassifier(shared=False).fit(rows, Y)
    for k, line in enumerate(draw(model, rows, Y).lines_):
        peak = 1.0 / np.sqrt(2.0 * np.pi * model.covariances_[k, 0, 0])
        assert line.get_ydata().max() == pytest.approx(peak, rel=0.01)


def test_rows_are_ticks_below_the_curves_class_by_class():
    display = draw(pt.GaussianClassifier().fit(X, Y), X, Y, features=2)
    for k, ticks in enumerate(display.points_):
        np.testing.assert_array_equal(np.sort(ticks.get_xdata()), np.sort(X[k == CODE, 2]))
        assert (ticks.get_ydata() < 0).all()
    (ticks,) = draw(pt.GaussianClassifier().fit(X, Y), X, features=2).points_
    assert len(ticks.get_xdata()) == 120


@pytest.mark.parametrize("columns", [(0, 1), (2, 0)])
def test_contour_lines_of_a_gaussian_hold_their_share_of_it(columns):
    model = pt.GaussianClassifier(shared=False).fit(X, Y)
    display = draw(model, X, Y, features=columns)
    for k, lines in enumerate(display.contours_):
        precision = np.linalg.inv(model.covariances_[k][np.ix_(columns, columns)])
        inner = [path.vertices for path in lines.get_paths()]
        assert len(inner) == len(MASSES)
        for mass, points in zip(sorted(MASSES, reverse=True), inner, strict=True):
            away = points - model.means_[k][list(columns)]
            distance = np.einsum("ni,ij,nj->n", away, precision, away)
            np.testing.assert_allclose(stats.chi2(2).cdf(distance), mass, atol=0.01)


def test_contour_lines_of_other_densities_hold_their_share_of_the_rows():
    rng = np.random.default_rng(0)
    rows = rng.gamma([[3.0, 2.0]], size=(4000, 2))
    y = np.repeat(["a", "b"], 2000)
    display = draw(pt.NaiveBayes(families="gamma").fit(rows, y), rows, y, resolution=300)
    panel = display.panels[0]
    model = pt.NaiveBayes(families="gamma").fit(rows, y)
    shape, scale = (np.stack([model.table(j)[name] for j in (0, 1)], axis=1) for name in ("shape", "scale"))
    drawn = rng.gamma(shape[0], scale[0], size=(20000, 2))
    heights = stats.gamma(shape[0], scale=scale[0]).logpdf(drawn).sum(axis=1)
    for mass, level in zip(MASSES, panel.levels[0], strict=True):
        assert (heights > level).mean() == pytest.approx(mass, abs=0.015)


def test_weighted_contour_lines_stand_at_the_same_heights_for_all_classes():
    model = pt.GaussianClassifier(shared=False, class_priors=[0.6, 0.3, 0.1]).fit(X[:, :2], Y)
    display = draw(model, X[:, :2], Y, weighted=True)
    levels = [set(lines.levels) for lines in display.contours_ if lines is not None]
    everywhere = set.union(*levels)
    assert len(everywhere) == len(MASSES)
    peaks = np.log([0.6, 0.3, 0.1]) - 0.5 * np.linalg.slogdet(2.0 * np.pi * model.covariances_)[1]
    np.testing.assert_allclose(max(everywhere), peaks.max() + np.log1p(-min(MASSES)), rtol=1e-12)


def test_bars_of_a_category_are_its_table_and_marks_the_relative_frequencies():
    display = draw(MODEL, FRAME, Y, features="colour")
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["blue", "green", "red"]
    probability = MODEL.table("colour")["probability"]
    shares = pd.crosstab(Y, FRAME["colour"], normalize="index").to_numpy()
    for k, (bars, marks) in enumerate(zip(display.bars_, display.points_, strict=True)):
        np.testing.assert_allclose([bar.get_height() for bar in bars], probability[k], rtol=1e-12)
        np.testing.assert_allclose(marks.get_ydata(), shares[k], rtol=1e-12)
    assert draw(MODEL, FRAME, features="colour").points_ == []


def test_bars_of_counts_are_probabilities_of_integers():
    display = draw(MODEL, FRAME, Y, features="count")
    numbers = np.array([int(label.get_text()) for label in display.ax_.get_xticklabels()])
    assert numbers[0] == 0
    assert numbers[-1] > FRAME["count"].max()
    for k, bars in enumerate(display.bars_):
        expected = stats.poisson(MODEL.table("count")["rate"][k]).pmf(numbers)
        np.testing.assert_allclose([bar.get_height() for bar in bars], expected, rtol=1e-9)


def test_truth_values_and_numbers_of_successes_have_bars_too():
    display = draw(MODEL, FRAME, Y, features="new")
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["False", "True"]
    rows = np.minimum(FRAME[["count"]].to_numpy(), 9)
    model = pt.NaiveBayes(families=pt.Binomial(trials=9)).fit(rows, Y)
    display = draw(model, rows, Y)
    assert display.ax_.get_xticklabels()[-1].get_text() == "9"
    for bars in display.bars_:
        assert sum(bar.get_height() for bar in bars) == pytest.approx(1.0)


def test_many_integers_are_drawn_as_steps():
    rows = FRAME[["count"]].to_numpy() * 40
    model = pt.NaiveBayes(families="poisson").fit(rows, Y)
    display = draw(model, rows, Y)
    assert not display.bars_
    at, height = display.lines_[0].get_data()
    assert (at == np.floor(at)).all()
    np.testing.assert_allclose(height, stats.poisson(model.table(0)["rate"][0]).pmf(at), rtol=1e-7, atol=1e-300)


def test_two_columns_of_which_one_is_discrete_have_a_panel_each():
    display = draw(MODEL, FRAME, Y, features=("size", "colour"))
    assert [ax.get_xlabel() for ax in display.axes_] == ["size", "colour"]
    assert len(display.lines_) == len(display.bars_) == 3
    figure = matplotlib.figure.Figure()
    axes = figure.subplots(1, 2)
    assert draw(MODEL, FRAME, Y, features=("size", "colour"), ax=axes).axes_ == list(axes)


@pytest.mark.parametrize(
    "library", [pl.from_pandas, pa.Table.from_pandas, lambda frame: frame], ids=["polars", "arrow", "pandas"]
)
def test_frames_of_every_library_draw_the_same(library):
    expected = draw(MODEL, FRAME, Y, features="size").lines_[0].get_ydata()
    table = pt.TableClassifier(pt.NaiveBayes(families={"count": "poisson"})).fit(library(FRAME.assign(y=Y)), "y")
    display = draw(table, library(FRAME.assign(y=Y)), "y", features="size")
    np.testing.assert_allclose(display.lines_[0].get_ydata(), expected, rtol=1e-12)
    assert display.ax_.get_xlabel() == "size"


def test_the_target_may_be_a_column_of_the_frame():
    rows = FRAME[["colour", "size"]]
    model = pt.NaiveBayes().fit(rows, Y)
    display = draw(model, rows.assign(y=Y), "y", features="size")
    assert [len(ticks.get_xdata()) for ticks in display.points_] == [40, 40, 40]
    fisher = pt.FisherDiscriminant().fit(pd.DataFrame(X, columns=list("abc")), Y)
    projected = pt.ProjectionDisplay.from_estimator(fisher, pd.DataFrame(X, columns=list("abc")).assign(y=Y), "y")
    assert [len(points.get_xdata()) for points in projected.points_] == [40, 40, 40]


def test_sparse_rows_are_drawn():
    rows = sp.csr_array(FRAME[["count", "count"]].to_numpy().astype(float))
    model = pt.NaiveBayes(families="poisson").fit(rows, Y)
    dense = draw(pt.NaiveBayes(families="poisson").fit(rows.toarray(), Y), rows.toarray(), Y, features=1)
    for own, other in zip(draw(model, rows, Y, features=1).bars_, dense.bars_, strict=True):
        assert [bar.get_height() for bar in own] == [bar.get_height() for bar in other]


def test_missing_values_and_unseen_categories_are_not_drawn():
    rows = FRAME[["colour", "size"]].copy()
    rows.loc[0, "colour"], rows.loc[1, "colour"], rows.loc[2, "size"] = None, "violet", np.nan
    model = pt.NaiveBayes().fit(FRAME[["colour", "size"]], Y)
    display = draw(model, rows, Y, features=("colour", "size"))
    low = display.points_[1].get_ydata()  # the first rows are of class "low", and two of them have no known colour
    kept = rows["colour"].isin(["red", "green", "blue"]) & (Y == "low")
    np.testing.assert_allclose(low, rows[kept].groupby("colour").size() / 38, rtol=1e-12)
    assert len(display.points_[4].get_xdata()) == 39


def test_one_column_of_a_joint_table_has_its_others_summed_out():
    rows = FRAME[["colour", "new"]]
    model = pt.JointTable(smoothing=0.5).fit(rows, Y)
    for k, bars in enumerate(draw(model, rows, Y, features="colour").bars_):
        heights = [bar.get_height() for bar in bars]
        counts = [((model.classes_[k] == Y) & (rows["colour"] == level)).sum() for level in ("blue", "green", "red")]
        np.testing.assert_allclose(heights, (np.array(counts) + 2 * 0.5) / (40 + 6 * 0.5), rtol=1e-12)
    with pytest.raises(pt.DataError, match="depend on each other"):
        draw(model, rows, Y)


def test_the_number_of_rows_drawn_is_limited():
    rows = np.random.default_rng(0).normal(size=(MOST + 500, 1))
    y = np.arange(MOST + 500) % 2
    display = draw(pt.GaussianClassifier().fit(rows, y), rows, y)
    assert sum(len(ticks.get_xdata()) for ticks in display.points_) == MOST


def test_a_display_can_be_drawn_again_elsewhere():
    display = draw(pt.GaussianClassifier().fit(X, Y), X, Y, features=0)
    first = display.lines_[0].get_ydata()
    ax = matplotlib.figure.Figure().subplots()
    assert display.plot(ax, legend=False).ax_ is ax
    np.testing.assert_array_equal(display.lines_[0].get_ydata(), first)
    assert ax.get_legend() is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "has 3 columns: name one or two"),
        ({"features": 7}, "no column 7"),
        ({"features": (0, 0)}, "two different ones"),
        ({"features": (0, 1, 2)}, "one column or two"),
        ({"features": 0, "resolution": 1}, "resolution=1"),
    ],
)
def test_invalid_options_raise(options, message):
    with pytest.raises(pt.DataError, match=message):
        draw(pt.GaussianClassifier().fit(X, Y), X, Y, **options)


def test_models_without_densities_or_fits_and_other_labels_raise():
    with pytest.raises(pt.DataError, match="LogisticRegression has no class-conditional densities"):
        draw(pt.LogisticRegression(prior=1.0).fit(X, Y), X, Y, features=0)
    with pytest.raises(NotFittedError):
        draw(pt.GaussianClassifier(), X, Y, features=0)
    with pytest.raises(pt.DataError, match="no column 'weight'"):
        draw(MODEL, FRAME, Y, features="weight")
    with pytest.raises(pt.DataError, match="'other'"):
        draw(pt.GaussianClassifier().fit(X, Y), X, ["other"] * 120, features=0)
    with pytest.raises(pt.DataError, match="group of 3 columns"):
        draw(pt.NaiveBayes(families="multinomial").fit(np.abs(X).round(), Y), np.abs(X).round(), Y, features=0)
    with pytest.raises(pt.DataError, match="no number to draw"):
        draw(pt.NaiveBayes().fit(X, Y), np.full((2, 3), np.nan), features=0)
    with pytest.raises(pt.DataError, match="fitted to a frame"):
        draw(pt.TableClassifier(pt.NaiveBayes()).fit(FRAME, Y), X, Y, features=0)
