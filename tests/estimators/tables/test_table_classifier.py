"""A classifier over the columns of a frame, whatever library the frame is of."""

from pathlib import Path

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression as Foreign
from sklearn.utils.estimator_checks import parametrize_with_checks

import posteriori as pt

COLUMNS = {
    "age": [21.0, 35.0, 44.0, 52.0, 28.0, 61.0, 33.0, 47.0],
    "race": ["white", "black", "white", "other", "black", "white", "other", "white"],
    "smoke": [True, False, True, True, False, False, True, False],
    "low": ["no", "yes", "yes", "no", "no", "yes", "yes", "no"],
}
LIBRARIES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}


def logistic():
    return pt.LogisticRegression(prior=1.0)


@pytest.fixture(params=LIBRARIES)
def make(request):
    return LIBRARIES[request.param]


def by_hand(reference: str = "black") -> np.ndarray:
    """Code the columns as the table classifier should."""
    levels = [level for level in ("black", "other", "white") if level != reference]
    race = np.array([[cell == level for level in levels] for cell in COLUMNS["race"]])
    return np.column_stack([COLUMNS["age"], race, COLUMNS["smoke"]]).astype(float)


def test_treatment_coding_equals_coding_by_hand_in_every_library(make):
    model = pt.TableClassifier(logistic()).fit(make(COLUMNS), "low")
    plain = logistic().fit(by_hand(), COLUMNS["low"])
    assert model.get_feature_names_out().tolist() == ["age", "race=other", "race=white", "smoke=True"]
    np.testing.assert_allclose(model.estimator_.coef_, plain.coef_, rtol=1e-12)
    np.testing.assert_array_equal(model.predict_proba(make(COLUMNS)), plain.predict_proba(by_hand()))
    assert model.feature_names_in_.tolist() == ["age", "race", "smoke"]
    assert model.target_ == "low"


@pytest.mark.parametrize(
    ("reference", "names"),
    [
        ("first", ["race=other", "race=white", "smoke=True"]),
        ("most-frequent", ["race=black", "race=other", "smoke=True"]),
        ({"race": "other", "smoke": True}, ["race=black", "race=white", "smoke=False"]),
    ],
)
def test_the_reference_level_has_no_column(reference, names, make):
    model = pt.TableClassifier(logistic(), reference=reference).fit(make(COLUMNS), "low")
    assert model.get_feature_names_out().tolist()[1:] == names


def test_the_most_frequent_level_is_the_one_of_most_weight(make):
    weights = [1, 1, 1, 50, 1, 1, 1, 1]
    model = pt.TableClassifier(logistic(), reference="most-frequent").fit(make(COLUMNS), "low", weights)
    assert "race=other" not in model.get_feature_names_out()


def test_declared_order_of_an_ordered_category_decides_which_level_is_first():
    frame = pd.DataFrame(COLUMNS)
    frame["race"] = pd.Categorical(frame["race"], ["white", "other", "black"], ordered=True)
    model = pt.TableClassifier(logistic()).fit(frame, "low")
    assert model.get_feature_names_out().tolist()[1:3] == ["race=other", "race=black"]


def test_weights_and_offset_may_be_columns(make):
    columns = {**COLUMNS, "times": [1, 2, 0, 1, 3, 1, 1, 2], "known": np.linspace(-1, 1, 8).tolist()}
    model = pt.TableClassifier(logistic()).fit(make(columns), "low", sample_weight="times", offset="known")
    rows = np.repeat(np.arange(8), columns["times"])
    repeated = make({name: [values[row] for row in rows] for name, values in columns.items() if name != "times"})
    twin = pt.TableClassifier(logistic()).fit(repeated, "low", offset="known")
    assert (model.n_rows_, model.weight_) == (7, 11.0)
    np.testing.assert_allclose(model.predict_proba(make(columns)), twin.predict_proba(make(columns)), rtol=1e-9)
    with pytest.raises(pt.DataError, match="known"):
        model.predict(make({name: values for name, values in columns.items() if name != "known"}))


def test_rows_of_weight_zero_teach_nothing(make):
    columns = {name: [*values, values[0]] for name, values in COLUMNS.items()}
    columns["race"][-1], columns["age"][-1], columns["low"][-1] = "martian", None, "maybe"
    model = pt.TableClassifier(logistic()).fit(make(columns), "low", [1.0] * 8 + [0.0])
    plain = pt.TableClassifier(logistic()).fit(make(COLUMNS), "low")
    assert model.coding_ == plain.coding_
    assert model.classes_.tolist() == ["no", "yes"]
    np.testing.assert_array_equal(model.predict_proba(make(COLUMNS)), plain.predict_proba(make(COLUMNS)))


def test_columns_are_found_by_name_and_others_ignored(make):
    model = pt.TableClassifier(logistic()).fit(make(COLUMNS), "low")
    turned = make({"extra": [0] * 8, **dict(reversed(COLUMNS.items()))})
    np.testing.assert_array_equal(model.predict_proba(turned), model.predict_proba(make(COLUMNS)))
    with pytest.raises(pt.DataError, match=r"1 column.*'race'.*Did you mean 'races'"):
        model.predict(make({"age": COLUMNS["age"], "races": COLUMNS["race"], "smoke": COLUMNS["smoke"]}))


def test_a_level_that_fit_has_not_seen_is_named_with_its_column_and_count(make):
    model = pt.TableClassifier(logistic()).fit(make(COLUMNS), "low")
    strange = make({**COLUMNS, "race": ["martian", "white", "martian", *["black"] * 5]})
    with pytest.raises(pt.DataError, match=r"column 'race' has 'martian' in 2 row"):
        model.predict(strange)


def test_naive_bayes_is_given_categories_as_they_are(make):
    columns = {**COLUMNS, "race": [None, *COLUMNS["race"][1:]], "smoke": [None, *COLUMNS["smoke"][1:]]}
    model = pt.TableClassifier(pt.NaiveBayes()).fit(make(columns), "low")
    assert [model.estimator_.table(name).family for name in ("age", "race", "smoke")] == [
        "gaussian", "categorical", "bernoulli",
    ]  # fmt: skip
    assert model.estimator_.table("race").levels.tolist() == ["black", "other", "white"]
    assert np.isfinite(model.predict_proba(make(columns))).all()
    with pytest.warns(pt.UnseenCategoryWarning, match="race"):
        model.predict(make({**columns, "race": ["martian"] * 8}))


def gaps():
    """Give the columns with two gaps among the ages and one among the races."""
    columns = {name: list(values) for name, values in COLUMNS.items()}
    columns["age"][1] = columns["age"][4] = columns["race"][4] = None
    return columns


def test_gaps_are_counted_by_column_in_one_error(make):
    with pytest.raises(pt.DataError, match=r"3 cell.*'age' 2, 'race' 1.*drop.*indicator"):
        pt.TableClassifier(logistic()).fit(make(gaps()), "low")
    model = pt.TableClassifier(logistic()).fit(make(COLUMNS), "low")
    with pytest.raises(pt.DataError, match="'age' 2, 'race' 1"):
        model.predict(make(gaps()))


def test_dropping_leaves_rows_with_gaps_out_of_the_fit_and_refuses_them_later(make):
    columns = gaps()
    columns["low"][7] = None
    model = pt.TableClassifier(logistic(), missing="drop").fit(make(columns), "low")
    kept = [0, 2, 3, 5, 6]
    whole = make({name: [values[i] for i in kept] for name, values in columns.items()})
    plain = pt.TableClassifier(logistic()).fit(whole, "low")
    assert (model.n_rows_, model.n_dropped_) == (5, 3)
    np.testing.assert_array_equal(model.predict_proba(whole), plain.predict_proba(whole))
    with pytest.raises(pt.DataError, match="missing"):
        model.predict(make(columns))


def test_indicator_fills_with_the_mean_and_marks_the_gap(make):
    model = pt.TableClassifier(logistic(), missing="indicator").fit(make(gaps()), "low")
    assert model.get_feature_names_out().tolist() == [
        "age", "age is missing", "race=other", "race=white", "race is missing", "smoke=True",
    ]  # fmt: skip
    filled = by_hand()
    filled[[1, 4], 0] = np.mean([21.0, 44.0, 52.0, 61.0, 33.0, 47.0])
    marks = np.zeros((8, 2))
    marks[[1, 4], 0] = marks[4, 1] = 1
    X = np.column_stack([filled[:, 0], marks[:, 0], filled[:, 1:3], marks[:, 1], filled[:, 3]])
    plain = logistic().fit(X, COLUMNS["low"])
    np.testing.assert_allclose(model.predict_proba(make(gaps())), plain.predict_proba(X), rtol=1e-12)


def test_types_overrule_what_the_frame_says(make):
    columns = {**COLUMNS, "ward": [1, 2, 3, 1, 2, 3, 1, 2], "score": ["1", "2.5", "3", "4", "5", "6", "7", "8"]}
    types = {"ward": "category", "score": "number", "smoke": "category"}
    model = pt.TableClassifier(logistic(), types=types).fit(make(columns), "low")
    names = model.get_feature_names_out().tolist()
    assert names == ["age", "race=other", "race=white", "smoke=True", "ward=2", "ward=3", "score"]
    with_gap = {**columns, "ward": [float(ward) for ward in columns["ward"]]}
    np.testing.assert_array_equal(model.predict_proba(make(with_gap)), model.predict_proba(make(columns)))
    with pytest.raises(pt.DataError, match=r"'score' was declared numeric, but 1 cell.*'many'"):
        pt.TableClassifier(logistic(), types=types).fit(
            make({**columns, "score": ["many", *columns["score"][1:]]}), "low"
        )


def test_numbers_declared_boolean_must_be_zero_or_one(make):
    columns = {**COLUMNS, "flag": [0, 1, 1, 0, 0, 1, 0, 1]}
    model = pt.TableClassifier(logistic(), types={"flag": "boolean"}).fit(make(columns), "low")
    assert "flag=True" in model.get_feature_names_out()
    with pytest.raises(pt.DataError, match="'flag' was declared boolean, but 1 cell"):
        pt.TableClassifier(logistic(), types={"flag": "boolean"}).fit(
            make({**columns, "flag": [2, *[0, 1] * 3, 0]}), "low"
        )


def test_the_positive_class_is_listed_last_and_scores_turn_with_it(make):
    plain = pt.TableClassifier(logistic()).fit(make(COLUMNS), "low")
    turned = pt.TableClassifier(logistic(), positive="no").fit(make(COLUMNS), "low")
    assert turned.classes_.tolist() == ["yes", "no"]
    np.testing.assert_array_equal(turned.predict_proba(make(COLUMNS)), plain.predict_proba(make(COLUMNS))[:, ::-1])
    np.testing.assert_array_equal(turned.decision_function(make(COLUMNS)), -plain.decision_function(make(COLUMNS)))
    assert turned.predict(make(COLUMNS)).tolist() == plain.predict(make(COLUMNS)).tolist()
    with pytest.raises(pt.DataError, match="positive='maybe'"):
        pt.TableClassifier(logistic(), positive="maybe").fit(make(COLUMNS), "low")


def test_predict_frame_is_of_the_library_it_was_given(make):
    model = pt.TableClassifier(logistic()).fit(make(COLUMNS), "low")
    result = model.predict_frame(make(COLUMNS))
    assert type(result) is type(make(COLUMNS))
    table = pa.table({name: pa.array(np.asarray(result[name]).tolist()) for name in ("prediction", "no", "yes")})
    assert table["prediction"].to_pylist() == model.predict(make(COLUMNS)).tolist()
    np.testing.assert_array_equal(np.column_stack([table["no"], table["yes"]]), model.predict_proba(make(COLUMNS)))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (pt.TableClassifier(logistic(), missing="guess"), "'auto', 'drop', 'indicator'"),
        (pt.TableClassifier(logistic(), reference="last"), "'first', 'most-frequent'"),
        (pt.TableClassifier(logistic(), reference={"race": "martian"}), "no level 'martian'.*'black', 'other'"),
        (pt.TableClassifier(logistic(), reference={"rase": "white"}), "'rase'"),
        (pt.TableClassifier(logistic(), types={"age": "float"}), "'number', 'boolean', 'category'"),
        (pt.TableClassifier(logistic(), types={"aged": "number"}), "'aged'"),
    ],
)
def test_a_choice_that_does_not_exist_is_answered_with_those_that_do(model, message):
    with pytest.raises(pt.DataError, match=message):
        model.fit(pd.DataFrame(COLUMNS), "low")


def test_faults_of_the_frame_are_named():
    frame = pd.DataFrame(COLUMNS)
    with pytest.raises(pt.DataError, match=r"no column 'lwo'\. Did you mean 'low'"):
        pt.TableClassifier(logistic()).fit(frame, "lwo")
    with pytest.raises(pt.DataError, match="target 'race' has one class"):
        pt.TableClassifier(logistic()).fit(frame.assign(race="white"), "race")
    with pytest.raises(pt.DataTypeError, match=r"column 'born' is of type .*'born': 'ignore'.*'born': 'category'"):
        pt.TableClassifier(logistic()).fit(frame.assign(born=pd.Timestamp("2020-01-01")), "low")
    with pytest.raises(pt.DataError, match="one level each"):
        pt.TableClassifier(logistic()).fit(frame[["race", "low"]].assign(race="white"), "low")
    with pytest.raises(pt.DataError, match="the name 'race=other'"):
        pt.TableClassifier(logistic()).fit(frame.assign(**{"race=other": 1.0}), "low")
    with pytest.raises(pt.DataError, match="takes no offset"):
        pt.TableClassifier(pt.GaussianClassifier()).fit(frame, "low", offset=np.zeros(8))
    with pytest.raises(pt.DataTypeError, match="collect"):
        pt.TableClassifier(logistic()).fit(pl.DataFrame(COLUMNS).lazy(), "low")


def test_a_refit_that_raises_leaves_the_old_fit_whole():
    frame = pd.DataFrame(COLUMNS)
    model = pt.TableClassifier(logistic()).fit(frame, "low")
    before = model.predict_proba(frame)
    with pytest.raises(pt.DataError):
        model.fit(frame.assign(age=np.nan), "low")
    np.testing.assert_array_equal(model.predict_proba(frame), before)


def test_it_is_an_estimator_that_can_be_cloned_and_takes_foreign_classifiers():
    frame = pd.DataFrame(COLUMNS)
    model = pt.TableClassifier(Foreign(C=0.5), missing="drop").fit(frame, "low")
    assert clone(model).get_params()["estimator__C"] == 0.5
    assert model.predict(frame).shape == (8,)
    assert model.score(frame, frame["low"]) == (model.predict(frame) == frame["low"]).mean()


IDENTIFIERS = {
    "text": ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"],
    "patient_id": [11, 12, 13, 14, 15, 16, 17, 18],
    "rowId": [8, 7, 6, 5, 4, 3, 2, 1],
}


@pytest.mark.parametrize("name", IDENTIFIERS)
@pytest.mark.parametrize("estimator", [logistic(), pt.NaiveBayes()], ids=["logistic", "naive Bayes"])
def test_a_column_with_another_value_in_every_row_is_no_feature(name, estimator, make):
    columns = {**COLUMNS, name: IDENTIFIERS[name]}
    message = rf"column '{name}' has a different .* every row \(8 distinct.*'{name}': 'ignore'"
    with pytest.raises(pt.DataError, match=message):
        pt.TableClassifier(estimator).fit(make(columns), "low")
    plain = pt.TableClassifier(estimator).fit(make(COLUMNS), "low")
    left_out = pt.TableClassifier(estimator, types={name: "ignore"}).fit(make(columns), "low")
    assert left_out.feature_names_in_.tolist() == ["age", "race", "smoke"]
    np.testing.assert_array_equal(left_out.predict_proba(make(columns)), plain.predict_proba(make(columns)))


def test_what_is_declared_is_taken_at_its_word(make):
    columns = {**COLUMNS, "patient_id": IDENTIFIERS["patient_id"]}
    model = pt.TableClassifier(logistic(), types={"patient_id": "number"}).fit(make(columns), "low")
    assert model.feature_names_in_.tolist() == ["age", "race", "smoke", "patient_id"]
    ages = {**COLUMNS, "valid": [1, 2, 3, 4, 5, 6, 7, 8]}
    assert "valid" in pt.TableClassifier(logistic()).fit(make(ages), "low").feature_names_in_


@pytest.mark.parametrize(
    "dates",
    [
        ["2020-01-01", "2020-01-02", "2020-01-01", "2021-03-04"],
        ["1/2/2020", "13/11/20", "1/2/2020", "2/2/2020"],
        ["2020-01-01T10:30:00Z", "2020-01-01 11:00", "2020-01-02", "2020-01-02"],
        ["10:30", "11:45:10", "10:30", "9:00"],
        ["1 Jan 2020", "2-Feb-20", "1 Jan 2020", None],
    ],
)
def test_dates_as_text_are_refused_with_a_sentence(dates, make):
    columns = {**COLUMNS, "seen": dates * 2}
    with pytest.raises(pt.DataError, match=r"column 'seen' has dates or times as text, such as .*'seen': 'ignore'"):
        pt.TableClassifier(logistic()).fit(make(columns), "low")
    kinds = pt.TableClassifier(logistic(), types={"seen": "category"}, missing="indicator").preview(
        make({name: values for name, values in columns.items() if name != "low"})
    )
    assert kinds.columns[-1].kind == "category"


def test_several_columns_that_are_no_features_are_named_at_once():
    frame = pd.DataFrame(COLUMNS).assign(text=IDENTIFIERS["text"], seen=["2020-01-01", "2020-01-02"] * 4)
    with pytest.raises(pt.DataError, match=r"'text' has a different value.*'seen' has dates"):
        pt.TableClassifier(logistic()).fit(frame, "low")


def test_predict_frame_gives_intervals_if_asked(make):
    model = pt.TableClassifier(logistic()).fit(make(COLUMNS), "low")
    result = nw.from_native(model.predict_frame(make(COLUMNS), level=0.9))
    assert result.columns == ["prediction", "no", "yes", "no_lower", "no_upper", "yes_lower", "yes_upper"]
    frame = pd.DataFrame(COLUMNS)
    result = pt.TableClassifier(pt.LogisticRegression(prior=1.0)).fit(frame, "low").predict_frame(frame, level=0.9)
    assert (result["yes_lower"] < result["yes"]).all()
    assert (result["yes"] < result["yes_upper"]).all()
    plain = pt.LogisticRegression(prior=1.0).fit(frame[["age"]], frame["low"])
    assert plain.predict_frame(frame[["age"]]).columns.tolist() == ["prediction", "no", "yes"]
    assert pt.Perceptron(max_iter=2000).fit([[0.0], [1.0]], [0, 1]).predict_frame([[2.0]]).columns.tolist() == [
        "prediction"
    ]


def test_what_the_regression_inside_can_say_is_asked_of_the_table():
    births = pd.read_csv(Path(__file__).parents[2] / "golden" / "csv" / "birthwt.csv")[["low", "age", "race", "smoke"]]
    births["race"] = births["race"].map({1: "white", 2: "black", 3: "other"})
    model = pt.TableClassifier(pt.LogisticRegression()).fit(births, "low")
    inner, coded = model.estimator_, model.coding_.apply(nw.from_native(births)).to_native()
    np.testing.assert_array_equal(model.coef_, inner.coef_)
    np.testing.assert_array_equal(model.covariance(), inner.covariance())
    np.testing.assert_array_equal(model.confidence_interval(level=0.9), inner.confidence_interval(level=0.9))
    robust = inner.covariance("cluster", X=coded, y=births["low"], groups=births["age"])
    np.testing.assert_array_equal(model.covariance("cluster", X=births, y="low", groups="age"), robust)
    profile = inner.confidence_interval(method="profile", X=coded, y=births["low"])
    np.testing.assert_array_equal(model.confidence_interval(method="profile", X=births, y="low"), profile)
    corrected = inner.confidence_interval(kind="robust", small_sample="HC1")
    np.testing.assert_array_equal(model.confidence_interval(kind="robust", small_sample="HC1"), corrected)
    with pytest.raises(pt.DataError, match="method='profile' has no option groups="):
        model.confidence_interval(method="profile", X=births, y="low", groups="age")
    np.testing.assert_array_equal(model.residuals(births, "low"), inner.residuals(coded, births["low"]))
    assert model.wald_test("smoke").p_value == inner.wald_test("smoke").p_value
    assert model.log_likelihood_ == inner.log_likelihood_
    turned = pt.TableClassifier(pt.LogisticRegression(), positive=0).fit(births, "low")
    assert turned.log_likelihood_ == pytest.approx(model.log_likelihood_)
    np.testing.assert_allclose(turned.coef_, -model.coef_, rtol=1e-7)
    with pytest.raises(AttributeError, match="no attribute 'coef_'"):
        _ = pt.TableClassifier(pt.LogisticRegression()).coef_
    assert not hasattr(pt.TableClassifier(pt.NaiveBayes()).fit(births, "low"), "coef_")


@parametrize_with_checks(
    [pt.TableClassifier(pt.GaussianClassifier()), pt.TableClassifier(pt.NaiveBayes()), pt.TableClassifier(logistic())]
)
@pytest.mark.filterwarnings("default")
def test_scikit_learn_s_own_checks_pass(estimator, check):
    check(estimator)


@pytest.mark.slow
def test_a_column_of_very_many_levels_is_named_before_the_fit():
    frame = pd.DataFrame({"code": [f"l{i}" for i in range(1100)] * 2})
    with pytest.warns(UserWarning, match="column 'code' has 1100 levels, coded as 1099 indicators"):
        model = pt.TableClassifier(DummyClassifier()).fit(frame, [0, 1] * 1100)
    model.predict(frame)
