"""Comparisons of models by cross-validation."""

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import ttest_1samp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression as Foreign
from sklearn.linear_model import Perceptron
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import GroupKFold, KFold, RepeatedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import posteriori as pt
from posteriori.comparisons.folds import stratified
from posteriori.comparisons.metrics import METRICS
from posteriori.comparisons.uncertainty import FoldSizes, paired
from posteriori.engines.progress import Job

RNG = np.random.default_rng(5)
X = RNG.normal(size=(90, 2))
Y = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.5 * RNG.normal(size=90), [-0.5, 0.5])]


def test_scores_are_those_of_scikit_learn_on_the_same_folds():
    folds = list(KFold(5).split(X))
    result = pt.compare({"g": pt.GaussianClassifier()}, X, Y, cv=KFold(5), metrics=["log_loss", "accuracy", "brier"])
    probabilities = np.empty((90, 3))
    for train, test in folds:
        probabilities[test] = pt.GaussianClassifier().fit(X[train], Y[train]).predict_proba(X[test])
    (standing,) = result.standings
    assert standing.scores["log_loss"] == pytest.approx(log_loss(Y, probabilities), rel=1e-12)
    predicted = np.array(["a", "b", "c"])[probabilities.argmax(axis=1)]
    assert standing.scores["accuracy"] == pytest.approx(accuracy_score(Y, predicted))
    hot = (Y[:, None] == np.array(["a", "b", "c"])).astype(float)
    assert standing.scores["brier"] == pytest.approx(np.square(hot - probabilities).sum(axis=1).mean())
    losses = -np.log(probabilities[hot == 1])
    assert standing.errors["log_loss"] == pytest.approx(losses.std(ddof=1) / np.sqrt(90))


def test_the_best_model_has_the_lowest_loss_and_scikit_learn_models_are_accepted():
    noise = np.random.default_rng(0).normal(size=(90, 1))
    models = {"good": pt.LogisticRegression(prior=0.1), "other": Foreign(), "flat": pt.LogisticRegression(prior=1e6)}
    result = pt.compare(models, np.c_[X, noise], Y, random_state=1)
    scores = {standing.name: standing.scores["log_loss"] for standing in result.standings}
    assert result.best == min(scores, key=scores.get) != "flat"
    by_accuracy = pt.compare(models, X, Y, metrics=["accuracy"], random_state=1)
    accuracies = {standing.name: standing.scores["accuracy"] for standing in by_accuracy.standings}
    assert by_accuracy.best == max(accuracies, key=accuracies.get)


def test_every_training_part_has_every_class_and_a_single_row_of_a_class_is_never_a_test_row():
    codes = np.array([0] * 20 + [1] * 9 + [2] * 2 + [3])
    folds = stratified(codes, 5, random_state=0)
    test_rows = np.concatenate([test for _, test in folds])
    assert sorted(test_rows.tolist()) == list(range(31))
    for train, test in folds:
        assert set(codes[train]) == {0, 1, 2, 3}
        assert not set(train) & set(test)
        assert 3 <= (codes[test] == 0).sum() <= 5


def test_rare_classes_never_give_nan():
    labels = Y.copy().astype("<U4")
    labels[:2], labels[2] = "rare", "lone"
    result = pt.compare([pt.GaussianClassifier(), pt.LogisticRegression(prior=1.0)], X, labels, random_state=0)
    for standing in result.standings:
        assert np.isfinite(list(standing.scores.values())).all()
        assert np.isfinite(list(standing.errors.values())).all()


def test_a_class_absent_from_the_training_rows_gets_its_smoothed_prior_with_a_warning():
    labels = np.array(["a"] * 30 + ["b"] * 30 + ["c"] * 30)
    folds = [(np.arange(60), np.arange(60, 90)), (np.arange(30, 90), np.arange(30))]
    with pytest.warns(pt.NotIdentifiedWarning, match="in 2 of 2 folds: 1 of 3 classes are absent .* 'c'"):
        (standing,) = pt.compare([pt.GaussianClassifier()], X, labels, cv=folds).standings
    assert standing.scores["log_loss"] == pytest.approx(np.log(63), rel=1e-14)
    assert standing.errors["log_loss"] == pytest.approx(0, abs=1e-14)
    assert standing.scores["accuracy"] == 0


def test_the_folds_depend_on_the_seed():
    losses = [pt.compare([pt.GaussianClassifier()], X, Y, random_state=seed).standings[0].scores for seed in (1, 1, 2)]
    assert losses[0] == losses[1] != losses[2]


def test_warnings_of_the_folds_are_emitted_once_with_their_number():
    separated = np.r_[np.zeros(20), np.ones(20)]
    columns = np.c_[separated * 10 + np.linspace(0, 1, 40)]
    with pytest.warns(pt.SeparationWarning, match="logit, in 4 of 4 folds: ") as record:
        pt.compare({"logit": pt.LogisticRegression()}, columns, separated.astype(int), cv=4)
    assert len(record) == 1


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_frames_are_compared_through_a_table_classifier(library):
    frame = library({"x": X[:, 0], "word": np.where(X[:, 1] > 0, "up", "down"), "y": Y})
    result = pt.compare([pt.NaiveBayes(), pt.LogisticRegression(prior=1.0)], frame, "y", cv=3, random_state=0)
    table = result.to_frame()
    assert type(table) is type(frame)
    assert list(table["model"]) == ["NaiveBayes", "LogisticRegression"]
    assert result.to_frame("pyarrow").column_names[:3] == ["model", "log_loss", "log_loss_se"]


def test_rows_with_levels_absent_from_the_training_rows_are_excluded_and_counted():
    word = np.where(X[:, 1] > 0, "up", "down").astype("<U8")
    word[3], word[[8, 9]] = "once", "twice"
    frame = pd.DataFrame({"x": X[:, 0], "word": word, "y": Y})
    models = {"linear": pt.LogisticRegression(prior=1.0), "naive": pt.NaiveBayes()}
    folds = list(KFold(5).split(frame))
    with pytest.warns(pt.UnseenCategoryWarning, match=r"^3 held-out row\(s\) .* 'linear' would have no coefficient"):
        result = pt.compare(models, frame, "y", cv=folds)
    assert result.n_rows == 87
    assert [standing.failures for standing in result.standings] == [(), ()]
    usable = np.setdiff1d(np.arange(90), [3, 8, 9])
    losses = []
    for train, test in folds:
        model = pt.TableClassifier(models["linear"]).fit(frame.iloc[train], "y")
        rows = np.intersect1d(test, usable)
        p = model.predict_proba(frame.iloc[rows])
        losses += (-np.log(p[np.arange(len(rows)), np.searchsorted(model.classes_, Y[rows])])).tolist()
    assert result.standings[0].scores["log_loss"] == pytest.approx(np.mean(losses), rel=1e-10)
    with pytest.warns(pt.UnseenCategoryWarning, match="naive, in 1 of 5 folds: 3 cell"):
        alone = pt.compare({"naive": pt.NaiveBayes()}, frame, "y", cv=folds)  # it marginalises over such values
    assert alone.n_rows == 90


def test_wrapped_classifiers_accept_frames_with_text_columns():
    frame = pd.DataFrame({"x": X[:, 0], "word": np.where(X[:, 1] > 0, "up", "down"), "y": Y})
    models = {
        "plain": pt.LogisticRegression(prior=1.0),
        "around": pt.PriorShift(pt.LogisticRegression(prior=1.0)),
        "table inside": pt.PriorShift(pt.TableClassifier(pt.LogisticRegression(prior=1.0))),
    }
    scores = [standing.scores for standing in pt.compare(models, frame, "y", random_state=0).standings]
    assert scores[1] == pytest.approx(scores[0], rel=1e-9)
    assert scores[2] == pytest.approx(scores[0], rel=1e-9)


def test_the_text_is_a_table_with_one_line_per_model():
    result = pt.compare([pt.GaussianClassifier(), pt.GaussianClassifier(shared=False)], X, Y, cv=3, random_state=0)
    text = str(result)
    assert "GaussianClassifier 2" in text
    assert "3-fold cross-validation, 90 rows" in text
    assert f"{result.standings[0].scores['log_loss']:.4f} ±" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metrics": ["auc"]}, "'log_loss', 'brier', 'accuracy', 'calibration_error'"),
        ({"metrics": []}, "got none"),
        ({"metrics": ["brier", "brier"]}, "distinct names"),
        ({"cv": []}, "no folds"),
        ({"cv": [(np.arange(50), np.arange(49, 90))]}, "1 row.s. in both the training and the test part, first row 49"),
        ({"cv": [(np.arange(50), np.arange(50, 91))]}, "row numbers from 0 to 89"),
        ({"cv": [np.arange(3)]}, "must be a pair"),
        ({"cv": GroupKFold(3)}, "cannot split these rows: The 'groups' parameter should not be None"),
        ({"models": "logistic"}, "models must be a list"),
        ({"models": [pt.GaussianClassifier]}, "is a class: pass an instance"),
        ({"models": {"a": 3}}, "'a' cannot fit and predict: it is of type int"),
        ({"models": {1: pt.GaussianClassifier(), "1": pt.GaussianClassifier()}}, "must differ"),
        ({"random_state": "x"}, "random_state must be"),
        ({"cv": 1}, "cv must be from 2 to"),
        ({"cv": 1000}, "cv must be from 2 to"),
        ({"cv": "five"}, "cv must be a number"),
        ({"models": []}, "at least one"),
    ],
)
def test_invalid_arguments_raise(arguments, message):
    arguments = {"models": [pt.GaussianClassifier()], **arguments}
    with pytest.raises(pt.DataError, match=message):
        pt.compare(arguments.pop("models"), X, Y, **arguments)


def test_the_brier_score_is_a_mean_for_two_classes_and_labelled_a_sum_for_more():
    two = np.where(Y == "a", "a", "b")
    result = pt.compare([pt.GaussianClassifier()], X, two, cv=KFold(5), metrics=["brier", "log_loss"])
    p = np.concatenate(
        [
            pt.GaussianClassifier().fit(X[train], two[train]).predict_proba(X[test])[:, 1]
            for train, test in KFold(5).split(X)
        ]
    )
    assert result.standings[0].scores["brier"] == pytest.approx(np.mean((p - (two == "b")) ** 2), rel=1e-12)
    assert "(Brier score 0." in result.verdict
    assert "sum over classes" not in str(result)
    several = pt.compare([pt.GaussianClassifier()], X, Y, metrics=["brier", "log_loss"], random_state=0)
    assert "Brier score (sum over classes)" in str(several)
    assert "(Brier score (sum over classes) 0." in several.verdict
    assert [METRICS["brier"].bounds(K) for K in (2, 3)] == [(0.0, 1.0), (0.0, 2.0)]


def test_the_brier_score_of_a_near_certain_row_keeps_its_digits():
    logs = np.array([[np.log1p(-1e-12), np.log(1e-12)]])
    assert METRICS["brier"].score(logs, np.array([0])) == pytest.approx(1e-24, rel=1e-9)


def test_models_without_probabilities_are_compared_by_accuracy_alone():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0]])
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    models = {"squares": pt.LeastSquaresClassifier(), "gaussian": pt.GaussianClassifier()}
    result = pt.compare(models, X, y, cv=2, random_state=0)
    assert all(set(standing.scores) == {"accuracy"} for standing in result.standings)
    assert min(standing.scores["accuracy"] for standing in result.standings) > 0.7
    with pytest.raises(pt.DataError, match="'squares': no predict_proba"):
        pt.compare(models, X, y, cv=2, metrics=["log_loss"])


# --- calibration


def test_the_calibration_error_is_the_distance_of_a_reliability_diagram_from_its_diagonal():
    rng = np.random.default_rng(3)
    p = rng.random(400)
    codes = (rng.random(400) < p**2).astype(np.intp)
    values = METRICS["calibration_error"].score(np.log(np.c_[1 - p, p]), codes)
    order = np.argsort(p)
    distances = [abs(p[part].mean() - codes[part].mean()) * len(part) / 400 for part in np.split(order, 10)]
    assert values.mean() == pytest.approx(sum(distances), rel=1e-12)


def test_the_calibration_error_does_not_depend_on_the_order_of_rows_with_equal_probabilities():
    rng = np.random.default_rng(4)
    p = rng.choice([0.1, 0.3, 0.8], 300)
    codes = (rng.random(300) < 0.4).astype(np.intp)
    order = rng.permutation(300)
    score = METRICS["calibration_error"].score
    logs = np.log(np.c_[1 - p, p])
    assert score(logs, codes).mean() == pytest.approx(score(logs[order], codes[order]).mean(), rel=1e-12)


def test_a_calibrated_model_has_a_smaller_calibration_error_than_an_overconfident_one():
    rng = np.random.default_rng(5)
    eta = rng.normal(size=5000)
    codes = (rng.random(5000) < 1 / (1 + np.exp(-eta))).astype(np.intp)

    def error(scale):
        logs = -np.logaddexp(0.0, scale * np.c_[eta, -eta])
        return METRICS["calibration_error"].score(logs, codes).mean()

    assert error(1.0) < 0.03 < error(3.0)


# --- differences


def test_differences_are_those_of_the_corrected_resampled_t_test():
    result = pt.compare({"a": pt.GaussianClassifier(), "b": Foreign(C=0.01)}, X, Y, cv=KFold(5), random_state=0)
    difference = result.difference("b", "a")
    differences = result.standings[1].by_fold["log_loss"] - result.standings[0].by_fold["log_loss"]
    plain = ttest_1samp(differences, 0.0)
    assert difference.value == pytest.approx(differences.mean(), rel=1e-12)
    # the plain test divides s by sqrt(5); the corrected one multiplies it by sqrt(1/5 + 18/72)
    statistic = plain.statistic / np.sqrt(1 + 5 * 18 / 72)
    assert (difference.high - difference.low) / 2 == pytest.approx(2.776445105 * difference.value / statistic, rel=1e-8)
    assert difference.within_noise == (abs(statistic) < 2.776445105)


def test_differences_change_sign_with_the_order_of_the_models_and_are_zero_for_equal_models():
    models = {"a": pt.GaussianClassifier(), "b": pt.GaussianClassifier(shared=False), "c": pt.GaussianClassifier()}
    result = pt.compare(models, X, Y, random_state=0)
    one, other = result.difference("a", "b", "brier"), result.difference("b", "a", "brier")
    assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low))
    assert one.p_value == other.p_value
    same = result.difference("a", "c")
    assert (same.value, same.within_noise, same.p_value) == (0.0, True, 1.0)


@pytest.mark.slow
def test_under_no_difference_the_corrected_test_rejects_no_more_often_than_its_level():
    # two equally informative columns: the models differ, their expected losses do not
    rng = np.random.default_rng(11)
    rejections = []
    for _ in range(60):
        y = rng.integers(2, size=80)
        x = rng.normal(size=(80, 2)) + y[:, None]
        models = {"left": Column(0), "right": Column(1)}
        result = pt.compare(models, x, y, metrics=["log_loss"], random_state=0)
        rejections.append(not result.difference("left", "right").within_noise)
    assert np.mean(rejections) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 60)


class Column(ClassifierMixin, BaseEstimator):
    """Gaussian classes on one column."""

    def __init__(self, column):
        self.column = column

    def fit(self, X, y):
        self.inner_ = pt.GaussianClassifier().fit(X[:, [self.column]], y)
        self.classes_ = self.inner_.classes_
        return self

    def predict(self, X):
        return self.inner_.predict(X[:, [self.column]])

    def predict_proba(self, X):
        return self.inner_.predict_proba(X[:, [self.column]])


def test_one_infinite_loss_is_worse_and_two_are_not_comparable():
    sizes = FoldSizes(np.full(2, 10.0), np.full(2, 5.0))
    worse = paired(np.array([1.0, np.inf]), np.array([1.0, 2.0]), sizes)
    assert worse[:2] == (np.inf, np.inf)
    value, low, high, _ = paired(np.array([1.0, np.inf]), np.array([np.inf, 2.0]), sizes)
    assert np.isnan(value)
    assert (low, high) == (-np.inf, np.inf)


def test_the_frame_is_ranked_with_the_models_that_are_not_significantly_different():
    noise = np.random.default_rng(0).normal(size=(90, 1))
    models = {"flat": pt.LogisticRegression(prior=1e6), "good": pt.LogisticRegression(prior=0.1), "twin": Foreign(C=9)}
    result = pt.compare(models, np.c_[X, noise], Y, random_state=1)
    frame = result.to_frame("pandas")
    assert list(frame["log_loss"]) == sorted(frame["log_loss"])
    assert frame["model"][0] == result.best
    close = dict(zip(frame["model"], frame["within_noise"], strict=True))
    assert close == {"good": True, "twin": True, "flat": False}
    assert (frame["log_loss_low"] < frame["log_loss"]).all()
    assert (frame["log_loss"] < frame["log_loss_high"]).all()
    others = {"good", "twin"} - {result.best}
    assert result.within_noise == tuple(others)
    assert result.verdict.startswith(f"Best: {result.best} (log loss {frame['log_loss'][0]:.4f} ± ")
    assert result.verdict.endswith(f"not significantly different from the best: {others.pop()}")
    pairs = result.differences(native="polars")
    assert pairs.height == 3
    assert pairs["within_noise"].to_list() == [True, False, False]


# --- rows that are test rows more or less often


def test_rows_held_out_several_times_count_as_rows_in_the_standard_error():
    metrics = ["log_loss", "brier", "accuracy"]
    once = pt.compare({"g": Foreign()}, X, Y, cv=KFold(3), metrics=metrics).standings[0]
    folds = list(KFold(3).split(X))
    thrice = pt.compare({"g": Foreign()}, X, Y, cv=folds * 3, metrics=metrics).standings[0]
    assert thrice.scores == pytest.approx(once.scores)
    assert thrice.errors == pytest.approx(once.errors)
    repeated = pt.compare({"g": Foreign()}, X, Y, cv=RepeatedKFold(n_splits=3, n_repeats=4, random_state=0))
    assert repeated.n_rows == 90
    assert repeated.standings[0].errors["log_loss"] > 0.5 * once.errors["log_loss"]


def test_a_class_with_fewer_rows_than_folds_is_scored_over_all_classes():
    labels = np.where(np.arange(90) < 3, "rare", "common")
    result = pt.compare([pt.GaussianClassifier()], X, labels, cv=10, random_state=0)
    assert result.n_rows == 90
    assert np.isfinite(result.standings[0].scores["log_loss"])


def test_classes_with_one_row_each_raise():
    with pytest.raises(pt.DataError, match="each of the 4 classes has only one row"):
        pt.compare([pt.GaussianClassifier()], X[:4], ["a", "b", "c", "d"])


# --- models that fail


class Brittle(ClassifierMixin, BaseEstimator):
    """Raises if the first training row is not row 0 of the data."""

    def fit(self, X, y):
        if X[0, 0] != 0.0:
            raise RuntimeError("row 0 is missing")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


class Nan(Brittle):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), np.nan)


def test_a_model_that_raises_in_a_fold_is_reported_and_the_others_are_compared():
    columns = X.copy()
    columns[0, 0] = 0.0
    models = {"brittle": Brittle(), "sound": pt.GaussianClassifier()}
    with pytest.warns(FitFailedWarning, match="brittle failed in 1 of 5 folds .* RuntimeError: row 0 is missing"):
        result = pt.compare(models, columns, Y, random_state=0)
    assert result.best == "sound"
    assert result.within_noise == ()
    assert result.verdict.endswith("failed: brittle")
    frame = result.to_frame("pandas")
    assert frame["failed"].tolist() == [0, 1]
    assert np.isnan(frame["log_loss"][1])
    assert "failed" in str(result)


def test_probabilities_of_nan_are_a_failure():
    with pytest.raises(
        pt.DataError, match=r"every model failed in at least one fold. nan: DataError: the probabilities of 18 of 18"
    ):
        pt.compare({"nan": Nan()}, X, Y, random_state=0)


def test_if_every_model_fails_the_error_of_each_is_reported():
    with pytest.raises(pt.DataError, match="brittle: RuntimeError: row 0 is missing"):
        pt.compare({"brittle": Brittle()}, X, Y, random_state=0)


# --- containers, threads and workers


def test_sparse_matrices_lists_and_columns_by_name_are_accepted():
    import scipy.sparse as sp

    counts = np.random.default_rng(0).poisson(1.0, (90, 4)).astype(float)
    dense = pt.compare([pt.LogisticRegression(prior=1.0)], counts, Y, random_state=0).standings[0].scores
    sparse = pt.compare([pt.LogisticRegression(prior=1.0)], sp.coo_matrix(counts), Y, random_state=0).standings[0]
    assert sparse.scores == pytest.approx(dense, rel=1e-9)
    listed = pt.compare(pt.LogisticRegression(prior=1.0), counts.tolist(), Y.tolist(), random_state=0).standings[0]
    assert listed.scores == dense
    frame = pd.DataFrame(X, columns=["u", "v"]).assign(kind=Y)
    with pytest.raises(pt.DataError, match=r"no column 'knd'\. Did you mean 'kind'"):
        pt.compare([GaussianNB()], frame, "knd")
    with pytest.raises(pt.DataTypeError, match="names a column, but X is not a frame"):
        pt.compare([GaussianNB()], X, "kind")
    with pytest.raises(pt.DataError, match="X has no rows"):
        pt.compare([GaussianNB()], X[:0], Y[:0])
    with pytest.raises(pt.DataError, match="Expected 2D array"):
        pt.compare([GaussianNB()], X[:, 0], Y)
    with pytest.raises(pt.DataTypeError, match="in memory"):
        pt.compare([GaussianNB()], object(), Y)


@pytest.mark.slow
def test_the_scores_do_not_depend_on_the_number_of_threads_and_workers():
    models = {
        "logistic": pt.LogisticRegression(),
        "foreign": Foreign(),
        "pipe": make_pipeline(StandardScaler(), Foreign()),
    }

    def scores():
        frame = pt.compare(models, X, Y, random_state=0).to_frame("pandas")
        return frame.drop(columns=["fit_seconds", "predict_seconds"])

    alone = scores()
    with pt.options(threads=2):
        pd.testing.assert_frame_equal(scores(), alone, check_exact=True)
    with joblib.parallel_config(n_jobs=2):
        pd.testing.assert_frame_equal(scores(), alone, check_exact=True)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        pd.testing.assert_frame_equal(scores(), alone, check_exact=True)


def test_scikit_learns_models_without_probabilities_are_compared_by_accuracy():
    result = pt.compare([Perceptron(), pt.GaussianClassifier()], X, Y, random_state=0)
    assert result.metrics == ("accuracy",)
    assert result.best == "GaussianClassifier"


def test_the_figure_shows_every_model_best_on_top():
    pytest.importorskip("matplotlib").use("Agg")
    models = {"flat": pt.LogisticRegression(prior=1e6), "good": pt.LogisticRegression(prior=0.1)}
    result = pt.compare(models, X, Y, random_state=1)
    display = result.plot()
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == ["good", "flat"]
    assert len(display.bars_) == 2
    assert display.figure_ is display.ax_.figure
    assert result.plot("accuracy", ax=display.ax_).ax_ is display.ax_
    with pytest.raises(pt.DataError, match="'log_loss', 'brier'"):
        result.plot("auc")


def test_progress_counts_fits_and_not_the_sweeps_inside_them(monkeypatch):
    shown = []
    monkeypatch.setattr(Job, "show", lambda job, what, done, total: shown.append((job.label, what, done, total)))
    large = np.random.default_rng(0).normal(size=(30_000, 2))  # several partitions, so that sweeps count too
    pt.compare([pt.GaussianClassifier()], large, large[:, 0] > 0, cv=3, random_state=0)
    assert shown == [("compare", "fits", done, 3) for done in (1, 2, 3)]


def test_formulas_with_and_without_the_target_are_compared():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"x": rng.normal(size=90), "g": rng.choice(["a", "b"], 90)})
    frame["y"] = np.where(frame["x"] + rng.normal(size=90) > 0, "yes", "no")
    models = {
        formula: pt.TableClassifier(pt.LogisticRegression(prior=1.0), formula=formula)
        for formula in ("y ~ x + g", "~ x + g")
    }
    first, second = pt.compare(models, frame, "y", cv=3, random_state=0).standings
    assert not first.failures
    assert first.scores == second.scores


def test_tables_inside_other_models_are_scored_on_known_levels_only():
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({"x": rng.normal(size=60), "g": ["rare", *rng.choice(["a", "b"], 59)]})
    y = rng.choice(["no", "yes"], 60)
    inside = pt.TableClassifier(pt.LogisticRegression(prior=1.0))
    models = {
        "table": inside,
        "costs": pt.CostSensitive(inside),
        "rest": pt.OneVsRest(inside),
    }
    with pytest.warns(pt.UnseenCategoryWarning, match="'table', 'costs', 'rest' would have no"):
        result = pt.compare(models, frame, y, cv=3, random_state=0)
    assert [standing.failures for standing in result.standings] == [(), (), ()]
    assert result.n_rows == 59


@pytest.mark.parametrize("metrics", [3, [["log_loss"]], [None]], ids=str)
def test_unknown_metrics_raise_with_the_list_of_metrics(metrics):
    with pytest.raises(pt.DataError, match="metrics must be distinct names out of 'log_loss'"):
        pt.compare([pt.GaussianClassifier()], np.arange(8.0)[:, None], [0, 1] * 4, metrics=metrics)


def test_the_repr_of_a_comparison_is_its_table_and_its_verdict():
    result = pt.compare({"wide": pt.GaussianClassifier(), "naive": pt.NaiveBayes()}, X, Y, cv=3, random_state=0)
    assert repr(result).splitlines() == [*str(result).splitlines(), result.verdict]


@pytest.mark.slow
def test_rows_with_missing_values_that_a_model_drops_are_excluded_for_all_and_counted():
    incomplete = np.where(np.arange(90) % 9 == 0, np.nan, X[:, 0])
    word = np.where(X[:, 1] > 0, "up", "down").astype("<U8")
    word[[9, 10]] = "rare"  # row 9 has a missing value, so a fit that drops it does not know the level of row 10
    frame = pd.DataFrame({"x": incomplete, "word": word, "y": Y})
    dropping = pt.TableClassifier(pt.LogisticRegression(prior=1.0), missing="drop")
    models = {"drop": dropping, "inside": pt.OneVsRest(dropping), "naive": pt.NaiveBayes()}
    folds = [(train, test) for train, test in KFold(5).split(frame)]
    folds[0] = (np.append(folds[0][0], 9), np.setdiff1d(folds[0][1], [9]))
    with (
        pytest.warns(
            UserWarning, match=r"^9 held-out row\(s\) have missing values in columns of models with .* 'inside'\)"
        ),
        pytest.warns(pt.UnseenCategoryWarning, match=r"^1 held-out row\(s\) have a level"),
    ):
        result = pt.compare(models, frame, "y", cv=folds)
    assert [standing.failures for standing in result.standings] == [(), (), ()]
    assert result.n_rows == 90 - 10 - 1
    with pytest.raises(pt.DataError, match="or a missing value in a column of a model with missing='drop'"):
        pt.compare(models, frame, "y", cv=[(np.arange(1, 90), np.array([0]))])


def test_a_formula_that_drops_missing_values_is_compared_with_models_that_accept_them():
    frame = pd.DataFrame({"x": X[:, 0], "z": np.where(np.arange(90) % 9 == 0, np.nan, X[:, 1]), "y": Y})
    formula = pt.TableClassifier(pt.LogisticRegression(prior=1.0), formula="x + z", missing="drop")
    with pytest.warns(UserWarning, match=r"^10 held-out row\(s\) have missing values"):
        result = pt.compare({"formula": formula, "naive": pt.NaiveBayes()}, frame, "y", cv=3, random_state=0)
    assert result.n_rows == 80
    unused = pt.TableClassifier(pt.LogisticRegression(prior=1.0), formula="x", missing="drop")
    assert pt.compare({"unused": unused, "naive": pt.NaiveBayes()}, frame, "y", cv=3, random_state=0).n_rows == 90
