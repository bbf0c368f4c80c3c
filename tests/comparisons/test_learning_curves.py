"""Learning curves and their crossings."""

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression as Foreign
from sklearn.linear_model import Perceptron
from sklearn.metrics import log_loss

import posteriori as pt
from posteriori.comparisons.crossover import find_crossing
from posteriori.comparisons.splits import Splits, default_sizes, draw_counts, read_sizes

RNG = np.random.default_rng(8)
Y = np.array(["no", "yes"])[RNG.integers(2, size=160)]
X = RNG.normal(size=(160, 3)) + 0.8 * (Y == "yes")[:, None]
PAIR = {"naive Bayes": pt.NaiveBayes(shared=True), "foreign": Foreign()}


# --- random training parts


def test_every_training_part_has_its_size_every_class_and_no_test_row():
    codes = np.repeat([0, 1, 2], [100, 40, 3])
    splits = Splits(codes, 3, (3, 10, 50), 20, (1, 2, 3, 4))
    for size, m in enumerate(splits.sizes):
        for repeat in range(20):
            train, test = splits(size, repeat)
            assert len(train) == m
            assert set(codes[train]) == {0, 1, 2}
            assert sorted([*train, *test]) == list(range(143))


def test_a_part_is_a_function_of_its_own_seed():
    codes = np.repeat([0, 1], [30, 30])
    one, other = Splits(codes, 2, (10, 20), 5, (7,)), Splits(codes, 2, (10, 20), 50, (7,))
    assert (one(1, 3)[0] == other(1, 3)[0]).all()
    assert not np.array_equal(one(1, 3)[0], one(1, 4)[0])


def test_class_counts_follow_the_distribution_conditional_on_all_classes():
    # 2 of 4 rows, classes of 3 and 1: given both occur the counts are (1, 1); 3 of 6 rows, classes of 4 and 2:
    # P(one of class 1) = 2 * 6 / 16 = 12/16 of the 16 parts with both classes, P(two) = 4/16
    rng = np.random.default_rng(0)
    assert draw_counts(np.array([3, 1]), 2, rng).tolist() == [1, 1]
    twos = np.mean([draw_counts(np.array([4, 2]), 3, rng)[1] == 2 for _ in range(4000)])
    assert abs(twos - 0.25) < 4 * np.sqrt(0.25 * 0.75 / 4000)


def test_a_very_rare_class_is_always_included_and_below_K_rows_two_classes_are():
    rng = np.random.default_rng(0)
    assert draw_counts(np.array([10**7, 1]), 4, rng).tolist() == [3, 1]
    counts = draw_counts(np.array([10**7, 1, 1, 1]), 3, rng)
    assert counts.sum() == 3
    assert (counts > 0).sum() >= 2


def test_sizes_are_on_a_log_scale_or_those_of_the_caller():
    sizes = np.array(default_sizes(100_000, 2))
    assert (sizes[0], sizes[-1], len(sizes)) == (10, 80_000, 10)
    ratios = sizes[1:] / sizes[:-1]
    assert ratios.max() / ratios.min() < 1.1
    assert default_sizes(9, 2) == (4, 5, 6, 7)
    assert read_sizes(30, 100) == (30,)
    assert read_sizes([0.5, 0.1, 10], 100) == (10, 50)


# --- scores


def test_scores_are_those_of_a_plain_loop_over_the_same_parts():
    curves = pt.learning_curves({"foreign": Foreign()}, X, Y, sizes=[20, 60], repeats=4, random_state=3)
    seed = tuple(int(word) for word in np.random.default_rng(3).integers(2**32, size=4))
    codes = (Y == "yes").astype(np.intp)
    splits = Splits(codes, 2, (20, 60), 4, seed)
    for size in range(2):
        for repeat in range(4):
            train, test = splits(size, repeat)
            p = Foreign().fit(X[train], Y[train]).predict_proba(X[test])
            assert curves.scores["log_loss"][0, size, repeat] == pytest.approx(log_loss(Y[test], p), rel=1e-12)
            wrong = np.mean((p[:, 1] > 0.5) != codes[test])
            assert curves.scores["error"][0, size, repeat] == pytest.approx(wrong)
            brier = np.mean((p[:, 1] - codes[test]) ** 2)
            assert curves.scores["brier"][0, size, repeat] == pytest.approx(brier, rel=1e-12)
    frame = curves.to_frame("pandas")
    values = curves.scores["error"][0]
    np.testing.assert_allclose(frame["error"], values.mean(axis=1))
    np.testing.assert_allclose(frame["error_se"], values.std(axis=1, ddof=1) / 2)


@pytest.mark.slow
def test_squared_bias_and_variance_add_up_to_the_brier_score():
    frame = pt.learning_curves(PAIR, X, Y, sizes=[8, 30, 80], repeats=40, random_state=0).to_frame("pandas")
    np.testing.assert_allclose(frame["bias2"] + frame["variance"], frame["brier"], rtol=1e-12)
    three = np.where(X[:, 0] > 1, "perhaps", Y)
    frame = pt.learning_curves(PAIR, X, three, sizes=[30, 80], repeats=40, random_state=0).to_frame("pandas")
    np.testing.assert_allclose(frame["bias2"] + frame["variance"], frame["brier"], rtol=1e-12)


def test_squared_bias_and_variance_are_those_of_their_definition():
    curves = pt.learning_curves({"foreign": Foreign()}, X, Y, sizes=[40], repeats=6, random_state=5)
    seed = tuple(int(word) for word in np.random.default_rng(5).integers(2**32, size=4))
    codes = (Y == "yes").astype(np.intp)
    splits = Splits(codes, 2, (40,), 6, seed)
    predicted = np.full((6, 160), np.nan)
    for repeat in range(6):
        train, test = splits(0, repeat)
        predicted[repeat, test] = Foreign().fit(X[train], Y[train]).predict_proba(X[test])[:, 1]
    times = (~np.isnan(predicted)).sum(axis=0)
    repeated = times > 1
    variance = np.nanvar(predicted[:, repeated], axis=0, ddof=1)
    bias = (np.nanmean(predicted[:, repeated], axis=0) - codes[repeated]) ** 2 - variance / times[repeated]
    assert curves.variance[0, 0] == pytest.approx(np.average(variance, weights=times[repeated]), rel=1e-10)
    assert curves.bias2[0, 0] == pytest.approx(np.average(bias, weights=times[repeated]), rel=1e-10)


def test_naive_bayes_has_more_bias_and_less_variance_if_columns_are_dependent():
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=500)
    columns = rng.normal(size=(500, 4)) + 0.7 * y[:, None]
    columns[:, 2:] = columns[:, [0]] + 0.4 * rng.normal(size=(500, 2))
    models = {"generative": pt.NaiveBayes(shared=True), "discriminative": pt.LogisticRegression()}
    frame = pt.learning_curves(models, columns, y, sizes=[60], repeats=40, random_state=0).to_frame("pandas")
    generative, discriminative = frame.to_dict("records")
    assert generative["variance"] < discriminative["variance"]
    assert generative["bias2"] > discriminative["bias2"]


def test_a_class_absent_from_the_training_rows_gets_its_smoothed_prior():
    labels = np.array(["a", "b", "c", "d"])[np.arange(160) % 4]
    curves = pt.learning_curves([pt.GaussianClassifier(covariance="spherical")], X, labels, sizes=[3], repeats=5)
    assert np.isfinite(curves.scores["log_loss"]).all()
    assert np.isfinite(curves.scores["brier"]).all()
    assert curves.standard_error("log_loss").item() > 0


def test_models_without_probabilities_have_errors_only():
    curves = pt.learning_curves({"plain": Perceptron(), **PAIR}, X, Y, sizes=[40], repeats=5, random_state=0)
    frame = curves.to_frame("pandas")
    assert np.isfinite(frame["error"]).all()
    assert frame[["log_loss", "brier", "bias2", "variance"]].isna().iloc[0].all()
    assert frame[["log_loss", "brier", "bias2", "variance"]].notna().iloc[1:].all().all()


# --- fits that fail or warn


class OnlyLarge(ClassifierMixin, BaseEstimator):
    """Raises for fewer than 50 rows."""

    def fit(self, X, y):
        if len(X) < 50:
            raise RuntimeError(f"{len(X)} rows are too few")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


def test_fits_that_fail_are_counted_and_the_others_continue():
    models = {"large": OnlyLarge(), "gaussian": pt.GaussianClassifier()}
    curves = pt.learning_curves(models, X, Y, sizes=[20, 60], repeats=5, random_state=0)
    assert curves.failed.tolist() == [[5, 0], [0, 0]]
    assert curves.notes == ("large: 5 of 10 fits failed; the first: RuntimeError: 20 rows are too few",)
    frame = curves.to_frame("pandas")
    assert frame["repeats"].tolist() == [0, 5, 5, 5]
    assert np.isnan(frame["error"][0])
    assert np.isfinite(frame["error"][1:]).all()
    assert "20 rows are too few" in str(curves)
    assert curves.crossing().before == "gaussian"
    with pytest.raises(pt.DataError, match=r"no fit of any model succeeded\. large: 5 of 5 fits failed"):
        pt.learning_curves({"large": OnlyLarge()}, X, Y, sizes=[20], repeats=5)


def test_separation_in_few_rows_is_counted_in_the_notes():
    curves = pt.learning_curves([pt.LogisticRegression()], X, Y, sizes=[5, 120], repeats=10, random_state=0)
    assert curves.warned[0, 0] == 10
    assert curves.warned[0, 1] == 0
    assert curves.notes[0].startswith(
        "LogisticRegression: 10 of 20 fits emitted a SeparationWarning; the first: Complete separation"
    )


# --- crossings


def curve(*means, repeats=50, spread=0.01, seed=0):
    noise = np.random.default_rng(seed).normal(scale=spread, size=(len(means), repeats))
    return np.array(means)[:, None] + noise - noise.mean(axis=1, keepdims=True)


def crossing(first, second, level=0.95):
    return find_crossing(first, second, (10, 40, 160), ("a", "b"), "error", level, seed=0)


def test_crossings_are_interpolated_linearly_in_log_m():
    result = crossing(curve(0.3, 0.3, 0.3), curve(0.4, 0.3 + 0.05, 0.3 - 0.05, seed=1))
    assert (result.before, result.after) == ("a", "b")
    assert result.size == pytest.approx(80.0, rel=1e-9)  # half way between log 40 and log 160
    assert 40 < result.low < 80 < result.high < 160
    turned = crossing(curve(0.4, 0.35, 0.25, seed=1), curve(0.3, 0.3, 0.3))
    assert (turned.before, turned.after, turned.size) == ("b", "a", pytest.approx(80.0, rel=1e-9))
    assert str(result).startswith("80 rows (95% interval: ")


def test_the_text_states_that_there_is_no_crossing():
    result = crossing(curve(0.2, 0.2, 0.2), curve(0.4, 0.35, 0.25))
    assert (result.exists, result.size, result.before) == (False, None, "a")
    assert str(result) == "none in the range from 10 to 160 rows: a has the lower error at both ends"
    equal = crossing(curve(0.2, 0.2, 0.2), curve(0.2, 0.2, 0.2))
    assert not equal.exists
    assert equal.found == equal.exists


def test_of_several_crossings_the_last_counts():
    result = crossing(curve(0.3, 0.3, 0.3), curve(0.2, 0.4, 0.2, seed=1))
    assert (result.before, result.size) == ("a", pytest.approx(80.0, rel=1e-9))


def test_the_interval_of_an_uncertain_crossing_extends_beyond_the_range():
    result = crossing(curve(0.3, 0.3, 0.3, spread=0.2), curve(0.31, 0.305, 0.295, spread=0.2, seed=1))
    assert (result.low, result.high) == (0.0, np.inf)
    assert "below 10 to above 160" in str(result)


@pytest.mark.slow
def test_intervals_of_crossings_nest_with_their_level_and_shrink_with_repeats():
    def interval(repeats, level):
        first = curve(0.3, 0.3, 0.3, repeats=repeats, spread=0.05)
        result = crossing(first, curve(0.4, 0.35, 0.25, repeats=repeats, spread=0.05, seed=1), level)
        return result.low, result.high

    wide, narrow, precise = interval(40, 0.99), interval(40, 0.8), interval(4000, 0.99)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
    assert precise[1] - precise[0] < narrow[1] - narrow[0]


def test_crossings_are_defined_with_infinite_losses_and_failed_fits():
    first = curve(0.3, 0.3, 0.3)
    second = curve(0.4, 0.35, 0.25, seed=1)
    first[0, :10], second[1, 5] = np.nan, np.nan
    assert crossing(first, second).size == pytest.approx(80.0, rel=0.05)
    second[0, 3] = np.inf
    assert crossing(first, second).size == pytest.approx(80.0, rel=0.05)


def test_crossings_need_two_models_by_name():
    curves = pt.learning_curves({**PAIR, "g": pt.GaussianClassifier()}, X, Y, sizes=[10, 40], repeats=3)
    with pytest.raises(pt.DataError, match="'naive Bayes', 'foreign', 'g'"):
        curves.crossing()
    assert curves.crossing("g", "foreign").metric == "error"
    with pytest.raises(pt.DataError, match="level must be"):
        curves.crossing("g", "foreign", level=95)
    with pytest.raises(pt.DataError, match="'error', 'log_loss', 'brier'"):
        curves.crossing("g", "foreign", metric="auc")


# --- threads, workers and containers


def test_the_result_does_not_depend_on_the_number_of_threads_and_workers():
    def frame():
        return pt.learning_curves(PAIR, X, Y, sizes=[10, 40], repeats=6, random_state=0).to_frame("pandas")

    alone = frame()
    with pt.options(threads=2):
        pd.testing.assert_frame_equal(frame(), alone, check_exact=True)
    with joblib.parallel_config(n_jobs=2):
        pd.testing.assert_frame_equal(frame(), alone, check_exact=True)
    other = pt.learning_curves(PAIR, X, Y, sizes=[10, 40], repeats=6, random_state=1).to_frame("pandas")
    assert not other["error"].equals(alone["error"])


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_frames_with_text_columns_are_accepted_with_the_name_of_the_target(library):
    word = np.where(X[:, 1] > 0.4, "up", "down")
    frame = library({"x": X[:, 0], "word": word, "y": Y})
    curves = pt.learning_curves([pt.NaiveBayes()], frame, "y", sizes=[40, 100], repeats=3, random_state=0)
    assert type(curves.to_frame()) is type(frame)
    assert curves.failed.sum() == 0
    assert curves.mean("error")[0, 1] < 0.45


def test_rows_with_levels_absent_from_the_training_rows_are_excluded_and_counted():
    words = np.array(["a", "b", "c", "d", "e", "f"])[np.arange(160) % 6]
    frame = pd.DataFrame({"x": X[:, 0], "word": words, "y": Y})
    models = {"linear": pt.LogisticRegression(prior=1.0), "naive": pt.NaiveBayes()}
    curves = pt.learning_curves(models, frame, "y", sizes=[4, 100], repeats=5, random_state=0)
    assert curves.failed.sum() == 0
    assert curves.held_out[1] == 60
    assert 26 * 2 <= curves.held_out[0] <= 27 * 4  # four rows have two to four of six levels
    assert curves.to_frame()["held_out"].tolist() == [*curves.held_out, *curves.held_out]


def test_the_figure_has_one_curve_per_model_and_a_line_at_the_crossing():
    pytest.importorskip("matplotlib").use("Agg")
    curves = pt.learning_curves(PAIR, X, Y, sizes=[5, 20, 100], repeats=10, random_state=0)
    display = curves.plot()
    assert isinstance(display, pt.LearningCurvesDisplay)
    assert [line.get_label() for line in display.lines_] == list(PAIR)
    np.testing.assert_array_equal(display.lines_[0].get_ydata(), curves.mean("error")[0])
    assert (display.crossing_line_ is None) == (not curves.crossing().exists)
    assert display.ax_.get_xscale() == "log"
    assert curves.plot("log_loss", ax=display.ax_).figure_ is display.figure_
    again = pt.LearningCurvesDisplay(display.sizes, display.curves, display.errors).plot(legend=False)
    assert again.ax_.get_legend() is None


def test_the_legend_counts_fits_that_failed():
    pytest.importorskip("matplotlib").use("Agg")
    models = {"large": OnlyLarge(), "gaussian": pt.GaussianClassifier()}
    display = pt.learning_curves(models, X, Y, sizes=[20, 60], repeats=5, random_state=0).plot()
    assert display.lines_[0].get_label() == "large (5 of 10 fits failed)"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sizes": [1, 20]}, r"whole numbers from 2 to 159 .*; got 1\.0"),
        ({"sizes": [160]}, "got 160"),
        ({"sizes": [10.5]}, "got 10.5"),
        ({"sizes": []}, "sizes must be numbers of training rows"),
        ({"sizes": "many"}, "sizes must be numbers of training rows"),
        ({"repeats": 0}, "repeats must be"),
        ({"repeats": 2.5}, "repeats must be"),
        ({"random_state": -1}, "random_state must be"),
        ({"models": {}}, "at least one model"),
        ({"y": None}, "requires y"),
        ({"y": ["yes"] * 160}, "one class"),
    ],
)
def test_invalid_arguments_raise(arguments, message):
    arguments = {"models": PAIR, "y": Y, **arguments}
    with pytest.raises(pt.DataError, match=message):
        pt.learning_curves(arguments.pop("models"), X, arguments.pop("y"), **arguments)


def test_one_repeat_has_infinite_standard_errors():
    curves = pt.learning_curves(PAIR, X, Y, sizes=[20, 60], repeats=1, random_state=0)
    assert (curves.standard_error("error") == np.inf).all()
    assert np.isnan(curves.variance).all()
