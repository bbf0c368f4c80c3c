"""Probabilities of zero for the true class: the infinite log loss is explained."""

import warnings

import numpy as np
import pandas as pd
import pytest

import posteriori as pt

#: Alternating classes: a test row is surrounded by the other class, and the output of its own may be rounded to zero.
X = np.array([[0.0], [0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7], [0.8], [0.9]])
Y = np.array(["a", "b", "a", "b", "a", "b", "a", "b", "a", "b"])


def compare_and_record(models, X, y, **options):
    """Return the comparison and the texts of its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = pt.compare(models, X, y, random_state=0, **options)
    return result, [str(each.message) for each in caught]


def zeros(model, X, y, folds):
    """Count the test rows whose true class has probability zero, without the library."""
    count = 0
    for train, test in folds:
        p = model.fit(X[train], y[train]).predict_proba(X[test])
        count += int((p[np.arange(len(test)), np.searchsorted(model.classes_, y[test])] == 0).sum())
    return count


def test_rows_with_probability_zero_are_counted_by_model_with_a_remedy():
    folds = [(np.flatnonzero(np.arange(10) % 5 != j), np.flatnonzero(np.arange(10) % 5 == j)) for j in range(5)]
    narrow, smooth = pt.LSPC(bandwidth=0.08), pt.KernelLogisticRegression(bandwidth=0.3)
    result, messages = compare_and_record({"narrow": narrow, "smooth": smooth}, X, Y, cv=folds)
    count = zeros(pt.LSPC(bandwidth=0.08), X, Y, folds)
    assert count > 0
    by_name = {each.name: each for each in result.standings}
    assert (by_name["narrow"].impossible, by_name["smooth"].impossible) == (count, 0)
    (message,) = [each for each in messages if "probability zero" in each]
    assert message.startswith(f"narrow assigned probability zero to the true class of {count} of 10 held-out rows")
    assert "'a'" in message or "'b'" in message
    assert "precision='cv'" in message
    assert f"inf ({count} rows with P = 0)" in str(result)
    assert "inf ± inf" not in str(result)
    assert result.to_frame("pandas").set_index("model")["impossible"].to_dict() == {"narrow": count, "smooth": 0}


@pytest.mark.parametrize("metrics", [["brier"], ["accuracy"], ["brier", "accuracy", "calibration_error"]])
def test_there_is_no_warning_without_the_log_loss(metrics):
    _, messages = compare_and_record({"narrow": pt.LSPC(bandwidth=0.08)}, X, Y, cv=5, metrics=metrics)
    assert messages == []


def test_the_remedy_is_that_of_the_model_inside_a_table():
    frame = pd.DataFrame({"colour": ["red", "blue"] * 8, "size": (["small"] * 2 + ["large"] * 2) * 4})
    y = np.array([0, 1] * 7 + [1, 0])
    _, messages = compare_and_record({"table": pt.JointTable()}, frame, y, cv=4)
    (message,) = [each for each in messages if "probability zero" in each]
    assert "With smoothing above zero no combination has probability zero." in message
    _, messages = compare_and_record({"table": pt.JointTable(smoothing=0.1)}, frame, y, cv=4)
    assert not [each for each in messages if "probability zero" in each]


def test_the_remedy_for_scikit_learn_models_is_an_average():
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    _, messages = compare_and_record(
        {"tree": DecisionTreeClassifier(random_state=0)}, rng.standard_normal((40, 2)), rng.integers(0, 2, 40)
    )
    (message,) = messages
    assert "ModelAverage" in message


def test_a_model_that_failed_has_no_warning_about_infinite_losses():
    class Failing(pt.LSPC):
        def fit(self, X, y, sample_weight=None):
            if X[0, 0] > 0:
                raise ValueError("no")
            return super().fit(X, y, sample_weight)

    models = {"failing": Failing(bandwidth=0.08), "fine": pt.GaussianClassifier()}
    _, messages = compare_and_record(
        models, X, Y, cv=[(np.arange(0, 8), np.arange(8, 10)), (np.arange(2, 10), np.arange(2))]
    )
    assert not [each for each in messages if "probability zero" in each]


# --- notes of a fit that are not warnings


def test_a_comparison_reports_that_one_column_dominates_the_distances():
    rng = np.random.default_rng(1)
    rows = pd.DataFrame({"grams": rng.standard_normal(40) * 1e4, "metres": rng.standard_normal(40)})
    y = (rows["metres"] > 0).to_numpy()
    _, messages = compare_and_record(
        {"data": pt.LSPC(precision=1.0), "sd": pt.LSPC(precision=1.0, units="sd")}, rows, y, metrics="brier"
    )
    (message,) = messages
    assert message.startswith("data, in 5 of 5 folds: kernels measure distance in the units of X, and column 'grams'")
    assert "units='sd'" in message


def test_a_model_without_probabilities_has_no_infinite_losses():
    result, messages = compare_and_record(
        {"plain": pt.Perceptron(random_state=0), "smooth": pt.GaussianClassifier()}, X, Y, cv=2
    )
    by_name = {each.name: each for each in result.standings}
    assert by_name["plain"].scores["accuracy"] < 1.0
    assert (by_name["plain"].impossible, by_name["smooth"].impossible) == (0, 0)
    assert not [each for each in messages if "probability zero" in each]


def test_dates_as_classes_are_written_as_dates():
    days = np.array(["2020-01-01", "2021-02-03"], dtype="M8[ns]")[(Y == "b").astype(int)]
    folds = [(np.flatnonzero(np.arange(10) % 5 != j), np.flatnonzero(np.arange(10) % 5 == j)) for j in range(5)]
    _, messages = compare_and_record({"narrow": pt.LSPC(bandwidth=0.08)}, X, days, cv=folds)
    (message,) = [each for each in messages if "probability zero" in each]
    assert "(class datetime.datetime(202" in message
