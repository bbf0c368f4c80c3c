"""A model that rules out what then comes: its infinite log loss is explained."""

import warnings

import numpy as np
import pandas as pd
import pytest

import posteriori as pt

#: Classes that take turns: a row held out is surrounded by the other class, and its own may be rounded to zero.
X = np.array([[0.0], [0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7], [0.8], [0.9]])
Y = np.array(["a", "b", "a", "b", "a", "b", "a", "b", "a", "b"])


def told(models, X, y, **options):
    """Compare, and give what was said."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = pt.compare(models, X, y, random_state=0, **options)
    return result, [str(each.message) for each in caught]


def zeros(model, X, y, folds):
    """Count the held-out rows whose true class has probability zero, by hand."""
    count = 0
    for train, held in folds:
        p = model.fit(X[train], y[train]).predict_proba(X[held])
        count += int((p[np.arange(len(held)), np.searchsorted(model.classes_, y[held])] == 0).sum())
    return count


def test_the_rows_ruled_out_are_counted_by_model_with_a_cure():
    folds = [(np.flatnonzero(np.arange(10) % 5 != j), np.flatnonzero(np.arange(10) % 5 == j)) for j in range(5)]
    narrow, smooth = pt.LSPC(bandwidth=0.08), pt.KernelLogisticRegression(bandwidth=0.3)
    result, said = told({"narrow": narrow, "smooth": smooth}, X, Y, cv=folds)
    count = zeros(pt.LSPC(bandwidth=0.08), X, Y, folds)
    assert count > 0
    by_name = {each.name: each for each in result.standings}
    assert (by_name["narrow"].impossible, by_name["smooth"].impossible) == (count, 0)
    (sentence,) = [each for each in said if "probability zero" in each]
    assert sentence.startswith(f"narrow gave probability zero to the true class of {count} of 10 held-out rows")
    assert "'a'" in sentence or "'b'" in sentence
    assert "precision='cv'" in sentence
    assert f"inf ({count} rows at P = 0)" in str(result)
    assert "inf ± inf" not in str(result)
    assert result.to_frame("pandas").set_index("model")["impossible"].to_dict() == {"narrow": count, "smooth": 0}


@pytest.mark.parametrize("metrics", [["brier"], ["accuracy"], ["brier", "accuracy", "calibration_error"]])
def test_nothing_is_said_where_nobody_asked_for_the_log_loss(metrics):
    _, said = told({"narrow": pt.LSPC(bandwidth=0.08)}, X, Y, cv=5, metrics=metrics)
    assert said == []


def test_the_cure_is_that_of_the_model_inside_a_table():
    frame = pd.DataFrame({"colour": ["red", "blue"] * 8, "size": (["small"] * 2 + ["large"] * 2) * 4})
    y = np.array([0, 1] * 7 + [1, 0])
    _, said = told({"table": pt.JointTable()}, frame, y, cv=4)
    (sentence,) = [each for each in said if "probability zero" in each]
    assert "With smoothing above zero no combination is impossible." in sentence
    _, said = told({"table": pt.JointTable(smoothing=0.1)}, frame, y, cv=4)
    assert not [each for each in said if "probability zero" in each]


def test_a_foreign_model_is_told_of_averages():
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    _, said = told(
        {"tree": DecisionTreeClassifier(random_state=0)}, rng.standard_normal((40, 2)), rng.integers(0, 2, 40)
    )
    (sentence,) = said
    assert "ModelAverage" in sentence


def test_a_model_that_failed_is_not_said_to_rule_anything_out():
    class Failing(pt.LSPC):
        def fit(self, X, y, sample_weight=None):
            if X[0, 0] > 0:
                raise ValueError("no")
            return super().fit(X, y, sample_weight)

    models = {"failing": Failing(bandwidth=0.08), "fine": pt.GaussianClassifier()}
    _, said = told(models, X, Y, cv=[(np.arange(0, 8), np.arange(8, 10)), (np.arange(2, 10), np.arange(2))])
    assert not [each for each in said if "probability zero" in each]


# --- notes that no warning tells of


def test_a_comparison_passes_on_that_one_column_drowns_the_others():
    rng = np.random.default_rng(1)
    rows = pd.DataFrame({"grams": rng.standard_normal(40) * 1e4, "metres": rng.standard_normal(40)})
    y = (rows["metres"] > 0).to_numpy()
    _, said = told({"data": pt.LSPC(precision=1.0), "sd": pt.LSPC(precision=1.0, units="sd")}, rows, y, metrics="brier")
    (sentence,) = said
    assert sentence.startswith("data, in 5 of 5 folds: kernels measure distance in the units of X, and column 'grams'")
    assert "units='sd'" in sentence


def test_a_model_without_probabilities_rules_nothing_out():
    result, said = told({"plain": pt.Perceptron(random_state=0), "smooth": pt.GaussianClassifier()}, X, Y, cv=2)
    by_name = {each.name: each for each in result.standings}
    assert by_name["plain"].scores["accuracy"] < 1.0
    assert (by_name["plain"].impossible, by_name["smooth"].impossible) == (0, 0)
    assert not [each for each in said if "probability zero" in each]


def test_classes_that_are_dates_are_named_as_dates():
    days = np.array(["2020-01-01", "2021-02-03"], dtype="M8[ns]")[(Y == "b").astype(int)]
    folds = [(np.flatnonzero(np.arange(10) % 5 != j), np.flatnonzero(np.arange(10) % 5 == j)) for j in range(5)]
    _, said = told({"narrow": pt.LSPC(bandwidth=0.08)}, X, days, cv=folds)
    (sentence,) = [each for each in said if "probability zero" in each]
    assert "(class datetime.datetime(202" in sentence
