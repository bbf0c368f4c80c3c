"""Values by class, priors and costs, for classes of every type."""

import datetime

import numpy as np
import pandas as pd
import pytest

import posteriori as pt
from posteriori.input.classes.class_values import ClassIndex, array_of, as_objects, places_of
from posteriori.input.classes.costs import read_costs
from posteriori.input.classes.priors import read_class_priors

DAYS = [datetime.date(2020, 1, 1), datetime.date(2020, 6, 1)]


@pytest.mark.parametrize(
    ("classes", "names"),
    [
        (np.array(["a", "b"]), ["b", "a"]),
        (np.array(["a", "b"], dtype=object), [np.str_("b"), "a"]),
        (np.array([b"a", b"b"]), ["b", b"a"]),
        (np.array([3, 7]), [np.int8(7), 3.0]),
        (np.array([3, 7]), ["7", "3"]),
        (np.array([0.0, 1.0]), ["1", "0.0"]),
        (np.array([0.0, 1.0]), [1, 0]),
        (np.array([False, True]), [True, False]),
        (np.array([False, True]), ["True", "False"]),
        (np.array(DAYS, dtype=object), list(reversed(DAYS))),
        (np.array(DAYS, dtype="M8[D]"), [pd.Timestamp(DAYS[1]), np.datetime64("2020-01-01")]),
        (np.array(DAYS, dtype="M8[ns]"), ["2020-06-01", DAYS[0]]),
        (np.array(DAYS, dtype="M8[s]"), [datetime.datetime(2020, 6, 1), "2020-01-01 00:00:00"]),
    ],
)
def test_classes_are_found_by_themselves_and_by_their_text(classes, names):
    assert places_of(names, classes, "priors") == [1, 0]
    assert read_class_priors({names[0]: 0.75, names[1]: 0.25}, classes, "class_priors").tolist() == [0.25, 0.75]
    costs = {"go": dict(zip(names, (5.0, 0.0), strict=True)), "stop": dict(zip(names, (0.0, 1.0), strict=True))}
    assert read_costs(costs, None, classes).values.tolist() == [[0.0, 5.0], [1.0, 0.0]]


def test_truth_values_are_not_numbers_and_text_is_not_bytes():
    assert ClassIndex.of(np.array([0, 1])).find(True) is None
    assert ClassIndex.of(np.array([False, True])).find(1) is None
    assert ClassIndex.of(np.array(["a"])).find(b"a") is None
    assert ClassIndex.of(np.array(["a"])).find(["a"]) is None
    with pytest.raises(pt.DataError, match="name the class 1 twice"):
        places_of([1, "1", 0], np.array([0, 1]), "priors")


def test_dates_stay_dates():
    fine = np.array(DAYS, dtype="M8[ns]")
    assert as_objects(fine).tolist() == [datetime.datetime(2020, 1, 1), datetime.datetime(2020, 6, 1)]
    assert read_costs(1 - np.eye(2), None, fine).actions.dtype == fine.dtype
    assert array_of([DAYS[0], "ask"]).tolist() == [DAYS[0], "ask"]
    X = np.random.default_rng(0).normal(size=(60, 1))
    y = fine[(X[:, 0] + np.random.default_rng(1).normal(size=60) > 0).astype(int)]
    model = pt.RejectOption(pt.GaussianClassifier().fit(X, y), threshold=0.7)
    assert set(model.predict(X)) == {*as_objects(fine), "rejected"}
    assert 0.2 < model.score(X, y) < 0.9
    assert pt.RejectOption(model.estimator).score(X, y) == (model.estimator.predict(X) == y).mean()
    assert 0 < model.risk_coverage(X, pd.Series(y)).area < 0.5


def test_a_frame_with_named_rows_is_not_misread_for_a_wrong_header():
    classes = np.array(["ant", "bee"])
    frame = pd.DataFrame([[0.0, 1.0], [1.0, 0.0]], index=["go", "stop"], columns=["annt", "bee"])
    with pytest.raises(pt.DataError, match=r"'annt'\. Did you mean 'ant'"):
        read_costs(frame, None, classes)
    kept = pd.DataFrame({"action": ["go", "x", "stop"], "ant": [0, 0, 1], "bee": [1, 0, 0]}).iloc[[0, 2]]
    assert read_costs(kept, None, classes).actions.tolist() == ["go", "stop"]
    with pytest.raises(pt.DataError, match="1 of the actions in column 'action' of costs are missing"):
        read_costs(kept.assign(action=["go", None]), None, classes)


def test_many_classes_are_found_without_comparing_each_with_each():
    classes = np.array([f"class {k:04}" for k in range(3000)])
    assert places_of(classes[::-1].tolist(), classes, "priors") == list(range(2999, -1, -1))
